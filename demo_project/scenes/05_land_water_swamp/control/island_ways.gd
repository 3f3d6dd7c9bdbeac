class_name IslandWays
extends Node2D
## Where units are going: dashes that run along the way, and the footprint at its end. A unit
## without a way has a mark on the cell that it was sent to. While it is selected, the cells of its
## reason are marked, too.

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
		elif unit.why != null:
			_draw_cells([unit.wish], Color(DemoPalette.BAD, strength))
			if unit.is_selected:
				_draw_cells(unit.why.cells, Color(DemoPalette.BAD, 0.6))


func _draw_goal(unit: IslandUnit, tint: Color) -> void:
	var size := Vector2(unit.kind.profile.footprint) * _grid.cell_size
	var area := Rect2(Vector2(unit.goal) * _grid.cell_size, size).grow(-1.0)
	draw_rect(area, Color(tint, tint.a * 0.2))
	draw_rect(area, tint, false, 1.5)


func _draw_cells(cells: Array[Vector2i], tint: Color) -> void:
	for cell: Vector2i in cells:
		var area := Rect2(Vector2(cell) * _grid.cell_size, _grid.cell_size).grow(-1.0)
		draw_rect(area, Color(tint, tint.a * 0.3))
		draw_rect(area, tint, false, 1.2)
