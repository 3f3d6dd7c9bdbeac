class_name PaintSteps
extends Node2D
## Draws what a bake starts from: the polygons of the tiles, or these grown by half the body.

enum Step { NONE, TILES, GROWN, RESULT }

const FLOOR := Color(0.37, 0.82, 0.75, 0.9)
const BLOCKED := Color(1.0, 0.55, 0.42, 0.9)
const BOX: PackedVector2Array = [Vector2(-1, -1), Vector2(1, -1), Vector2(1, 1), Vector2(-1, 1)]

var step := Step.RESULT:
	set(value):
		step = value
		_board.baker.debug_enabled = step == Step.RESULT
		queue_redraw()

@onready var _board: PaintBoard = get_parent()


func _draw() -> void:
	if step in [Step.NONE, Step.RESULT]:
		return
	# What has grown reaches beyond the board.
	var board := Rect2(Vector2.ZERO, _board.size())
	RenderingServer.canvas_item_set_custom_rect(get_canvas_item(), true, board)
	RenderingServer.canvas_item_set_clip(get_canvas_item(), true)
	for cell: Vector2i in _board.cells():
		var is_floor := _board.floor_layer.get_cell_source_id(cell) >= 0
		var box := _at(cell, Vector2.ONE * PaintBoard.TILE / 2.0) * BOX
		if step == Step.TILES and is_floor:
			_outline(box, FLOOR)
		var tile := _board.walls.get_cell_tile_data(cell)
		if tile != null:
			var flip := Vector2(-1, 1) if _board.walls.is_cell_flipped_h(cell) else Vector2.ONE
			var points := tile.get_collision_polygon_points(0, 0)
			_outline(_at(cell, _board.walls.scale * flip) * points, BLOCKED)
		elif step == Step.GROWN and not is_floor:
			_outline(box, BLOCKED)


## Draws a convex polygon, grown by half the body in the step for that.
func _outline(polygon: PackedVector2Array, colour: Color) -> void:
	if step == Step.GROWN:
		var points := PackedVector2Array()
		for corner: Vector2 in BOX:
			points += Transform2D(0.0, corner * _board.baker.agent_half_extents) * polygon
		polygon = Geometry2D.convex_hull(points)
	draw_colored_polygon(polygon, Color(colour, 0.14))
	draw_polyline(polygon + polygon.slice(0, 1), colour, 1.5)


func _at(cell: Vector2i, scaled: Vector2) -> Transform2D:
	return Transform2D(0.0, scaled, 0.0, (Vector2(cell) + Vector2.ONE / 2.0) * PaintBoard.TILE)
