class_name TownWays
extends Node2D
## Where units are going: a line and the goal's footprint for those under way, and for the selected
## ones, when asked for, every stand of the way as a footprint.

## Whether the footprints are shown.
var shows_footprints := false

var _units: Array[TownUnit] = []
var _cell := 20.0
var _time := 0.0


func set_up(units: Array[TownUnit], cell_px: float) -> void:
	_units = units
	_cell = cell_px


func _process(delta: float) -> void:
	_time += delta
	queue_redraw()


func _draw() -> void:
	for unit: TownUnit in _units:
		if shows_footprints and unit.is_selected:
			_draw_footprints(unit)
	for unit: TownUnit in _units:
		if not unit.is_at_rest():
			_draw_way(unit)


func _draw_footprints(unit: TownUnit) -> void:
	var cells := unit.stands()
	var tint := unit.kind.colour
	for cell: Vector2i in cells:
		draw_rect(_area(cell, unit), Color(tint, 0.09))
	for cell: Vector2i in cells:
		draw_rect(_area(cell, unit).grow(-1.0), Color(tint, 0.45), false, 1.0)


func _draw_way(unit: TownUnit) -> void:
	var points := unit.way()
	var strength := 0.95 if unit.is_selected else 0.5
	var size := Vector2(unit.kind.footprint()) * _cell
	var goal := Rect2(points[-1] - size * 0.5, size).grow(-1.5)
	draw_rect(goal, Color(unit.kind.colour, 0.14 * strength))
	_draw_corners(goal, Color(unit.kind.colour, strength))
	var width := 2.0 if unit.is_selected else 1.5
	DemoMarks.draw_dashes(self, points, _time, Color(unit.kind.colour, strength), width)


func _draw_corners(area: Rect2, tint: Color) -> void:
	var arm := minf(area.size.x, area.size.y) * 0.28
	for corner: Vector2 in [Vector2(0, 0), Vector2(1, 0), Vector2(0, 1), Vector2(1, 1)]:
		var at := area.position + area.size * corner
		var inward := Vector2.ONE - corner * 2.0
		draw_line(at, at + Vector2(arm * inward.x, 0.0), tint, 1.5)
		draw_line(at, at + Vector2(0.0, arm * inward.y), tint, 1.5)


func _area(cell: Vector2i, unit: TownUnit) -> Rect2:
	return Rect2(Vector2(cell) * _cell, Vector2(unit.kind.footprint()) * _cell)
