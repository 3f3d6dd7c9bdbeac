class_name IslandProps
extends Node2D
## Trees, rocks and houses: whatever is solid.

const TREE := preload("../art/tree.svg")
const ROCK := preload("../art/rock.svg")
const HOUSE := preload("../art/house.svg")

var _map: IslandMap
var _cell := 16.0


func show_map(map: IslandMap, cell_px: float) -> void:
	_map = map
	_cell = cell_px
	queue_redraw()


func _draw() -> void:
	if _map == null:
		return
	for rock: Vector2i in _map.cells_of("^"):
		_draw_art(ROCK, Rect2i(rock, Vector2i.ONE), 1.24, DemoPalette.grain(rock, 3) * TAU)
	for house: Rect2i in _map.rectangles("h"):
		_draw_art(HOUSE, house, 1.04, 0.0)
	for tree: Vector2i in _map.cells_of("T"):
		_draw_art(TREE, Rect2i(tree, Vector2i.ONE), 1.3, DemoPalette.grain(tree, 4) * TAU)


## A picture over its cells, [param swell] times as large.
func _draw_art(art: Texture2D, cells: Rect2i, swell: float, angle: float) -> void:
	var size := Vector2(cells.size) * _cell * swell
	var middle := (Vector2(cells.position) + Vector2(cells.size) * 0.5) * _cell
	draw_set_transform(middle + Vector2(1.5, 2.5), angle)
	draw_texture_rect(art, Rect2(-size * 0.5, size), false, DemoPalette.SHADOW)
	draw_set_transform(middle, angle)
	draw_texture_rect(art, Rect2(-size * 0.5, size), false)
	draw_set_transform(Vector2.ZERO)
