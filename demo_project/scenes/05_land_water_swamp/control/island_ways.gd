class_name IslandWays
extends Node2D
## Where units are going: dashes that run along the way, and the footprint at its end.

var _grid: PathForgeGrid
var _units: Array[IslandUnit] = []
var _time := 0.0


func set_up(grid: PathForgeGrid, units: Array[IslandUnit]) -> void:
	_grid = grid
	_units = units


func _process(delta: float) -> void:
	_time += delta
	queue_redraw()


func _draw() -> void:
	for unit: IslandUnit in _units:
		var strength := 0.95 if unit.is_selected else 0.5
		if unit.is_under_way():
			_draw_goal(unit, Color(unit.kind.colour, strength))
			DemoMarks.draw_dashes(self, unit.way(), _time, Color(unit.kind.colour, strength))
		elif not unit.refusal.is_empty():
			_draw_goal(unit, Color(DemoPalette.BAD, strength))


func _draw_goal(unit: IslandUnit, tint: Color) -> void:
	var size := Vector2(unit.kind.profile.footprint) * _grid.cell_size
	var area := Rect2(Vector2(unit.goal) * _grid.cell_size, size).grow(-1.0)
	draw_rect(area, Color(tint, tint.a * 0.2))
	draw_rect(area, tint, false, 1.5)
