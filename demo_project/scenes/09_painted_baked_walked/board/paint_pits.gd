class_name PaintPits
extends Node2D
## The dark below the floor, with the floor's edge above it.

const EDGE := 7.0

var _pits: Array[Rect2] = []
var _edges: Array[Rect2] = []


## Shows where [param area] has no floor.
func show_pits(layer: TileMapLayer, area: Rect2i) -> void:
	_pits.clear()
	_edges.clear()
	var tile := PaintBoard.TILE
	for y: int in range(area.position.y, area.end.y):
		for x: int in range(area.position.x, area.end.x):
			var cell := Vector2i(x, y)
			if layer.get_cell_source_id(cell) >= 0:
				continue
			var corner := Vector2(cell) * tile
			_pits.append(Rect2(corner, Vector2(tile, tile)))
			if layer.get_cell_source_id(cell + Vector2i.UP) >= 0:
				_edges.append(Rect2(corner, Vector2(tile, EDGE)))
	queue_redraw()


func _draw() -> void:
	for pit: Rect2 in _pits:
		draw_rect(pit, DemoPalette.INK.darkened(0.25))
	for edge: Rect2 in _edges:
		draw_rect(edge, DemoPalette.WALL_DARK.darkened(0.2))
		draw_rect(Rect2(edge.position, Vector2(edge.size.x, 1.5)), DemoPalette.ROAD)
