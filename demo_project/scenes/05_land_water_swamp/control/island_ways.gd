class_name IslandWays
extends Node2D
## Where units are going: dashes that run along the way, and the footprint at its end.

const DASH := 7.0
const GAP := 5.0

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
			_draw_dashes(unit.way(), Color(unit.kind.colour, strength))
		elif not unit.refusal.is_empty():
			_draw_goal(unit, Color(DemoPalette.BAD, strength))


func _draw_goal(unit: IslandUnit, tint: Color) -> void:
	var size := Vector2(unit.kind.profile.footprint) * _grid.cell_size
	var area := Rect2(Vector2(unit.goal) * _grid.cell_size, size).grow(-1.0)
	draw_rect(area, Color(tint, tint.a * 0.2))
	draw_rect(area, tint, false, 1.5)


func _draw_dashes(points: PackedVector2Array, tint: Color) -> void:
	var dashes := PackedVector2Array()
	var offset := fposmod(_time * 22.0, DASH + GAP) - (DASH + GAP)
	for place: int in range(points.size() - 1, 0, -1):
		var length := points[place].distance_to(points[place - 1])
		if length < 0.01:
			continue
		var along := (points[place - 1] - points[place]) / length
		var at := -fposmod(offset, DASH + GAP)
		while at < length:
			var low := maxf(at, 0.0)
			var high := minf(at + DASH, length)
			if high > low:
				dashes.append_array([points[place] + along * low, points[place] + along * high])
			at += DASH + GAP
		offset += length
	if not dashes.is_empty():
		draw_multiline(dashes, Color(0, 0, 0, tint.a * 0.35), 4.0)
		draw_multiline(dashes, tint, 2.0)
