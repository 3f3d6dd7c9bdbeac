class_name IslandGround
extends Node2D
## Sea, shallows, sand, grass and swamp, drawn once as smooth shapes.

const SAND := Color("b9a878")
const SAND_WET := Color("8d8a6c")
const MUD := Color("45483a")
const MUD_LIGHT := Color("555c42")
const REED := Color("8a9158")

var _map: IslandMap
var _cell := 16.0
## All of it in one picture, as soon as that is made.
var _picture: Texture2D


func show_map(map: IslandMap, cell_px: float) -> void:
	_map = map
	_cell = cell_px
	queue_redraw()
	var model := IslandGround.new()
	model._map = map
	model._cell = cell_px
	var still := DemoStill.new(model, Vector2(map.size) * cell_px)
	still.made.connect(_on_still_made)
	add_child(still)


func _on_still_made(picture: Texture2D) -> void:
	_picture = picture
	queue_redraw()


func _draw() -> void:
	if _map == null:
		return
	if _picture != null:
		draw_texture_rect(_picture, Rect2(Vector2.ZERO, Vector2(_map.size) * _cell), false)
		return
	var whole := Rect2(Vector2.ZERO, Vector2(_map.size) * _cell)
	draw_rect(whole, DemoPalette.WATER_DEEP)
	var coast := _shapes(".%T^h")
	_fill(coast, 16.0, DemoPalette.WATER_DEEP.lerp(DemoPalette.WATER, 0.6))
	_fill(coast, 9.0, DemoPalette.WATER)
	_fill(coast, 4.5, DemoPalette.SHALLOW)
	_fill(coast, 1.5, SAND_WET)
	_fill(coast, 0.0, SAND)
	_fill(_shapes(".T^h"), -3.0, DemoPalette.GRASS.lightened(0.08))
	_draw_meadows()
	_fill(_shapes("%"), 2.0, MUD)
	_draw_swamp()
	draw_rect(whole, DemoPalette.LINE, false, 1.0)


## The outlines of all cells with one of [param letters], with round corners.
func _shapes(letters: String) -> Array[PackedVector2Array]:
	var mask := BitMap.new()
	mask.create(_map.size)
	for cell: Vector2i in _map.cells_of(letters):
		mask.set_bitv(cell, true)
	var shapes: Array[PackedVector2Array] = []
	for outline: PackedVector2Array in mask.opaque_to_polygons(
		Rect2i(Vector2i.ZERO, _map.size), 0.0
	):
		for corner: int in outline.size():
			outline[corner] *= _cell
		if Geometry2D.is_polygon_clockwise(outline):
			outline.reverse()
		for rounded: PackedVector2Array in _grown(_grown([outline], -7.0), 14.5):
			shapes.append_array(_grown([rounded], -7.5))
	return shapes


func _fill(shapes: Array[PackedVector2Array], growth: float, colour: Color) -> void:
	for shape: PackedVector2Array in _grown(shapes, growth):
		draw_colored_polygon(shape, colour)


static func _grown(shapes: Array[PackedVector2Array], growth: float) -> Array[PackedVector2Array]:
	if growth == 0.0:
		return shapes
	var grown: Array[PackedVector2Array] = []
	for shape: PackedVector2Array in shapes:
		for part: PackedVector2Array in Geometry2D.offset_polygon(
			shape, growth, Geometry2D.JOIN_ROUND
		):
			if not Geometry2D.is_polygon_clockwise(part):
				grown.append(part)
	return grown


## Lighter spots and tufts in the grass.
func _draw_meadows() -> void:
	var blades := PackedVector2Array()
	for cell: Vector2i in _map.cells_of("."):
		var shade := DemoPalette.grain(cell / 3, 2) * 0.6 + DemoPalette.grain(cell) * 0.4
		if shade > 0.52 and _is_inner(cell):
			var middle := (Vector2(cell) + Vector2(0.5, 0.5)) * _cell
			var tint := Color(DemoPalette.GRASS_LIGHT.lightened(0.09), (shade - 0.5) * 1.2)
			DemoPalette.draw_disc(self, middle, _cell * 0.9, tint)
		if DemoPalette.grain(cell, 1) < 0.16 and _is_inner(cell):
			var spot := Vector2(DemoPalette.grain(cell, 6), DemoPalette.grain(cell, 7))
			var root := Vector2(cell) * _cell + spot * (_cell - 8.0) + Vector2(3.0, 6.0)
			for tip: Vector2 in [Vector2(-2.0, -3.5), Vector2(0.5, -4.5), Vector2(2.5, -3.0)]:
				blades.append_array([root, root + tip])
	draw_multiline(blades, DemoPalette.GRASS_LIGHT.lightened(0.2), 1.0)


func _draw_swamp() -> void:
	var reeds := PackedVector2Array()
	for cell: Vector2i in _map.cells_of("%"):
		var spot := Vector2(DemoPalette.grain(cell, 5), DemoPalette.grain(cell, 6))
		var corner := Vector2(cell) * _cell
		if DemoPalette.grain(cell, 8) > 0.45:
			DemoPalette.draw_disc(self, corner + spot * 10.0 + Vector2.ONE * 3.0, 6.0, MUD_LIGHT)
		if DemoPalette.grain(cell, 9) > 0.5:
			var pool := corner + Vector2(spot.y, spot.x) * 8.0 + Vector2.ONE * 4.0
			DemoPalette.draw_disc(self, pool, 4.4, DemoPalette.WATER_DEEP.lerp(MUD, 0.3))
			DemoPalette.draw_disc(
				self, pool - Vector2(1, 1), 1.6, Color(DemoPalette.WATER_LIGHT, 0.3)
			)
		if DemoPalette.grain(cell, 10) > 0.35:
			var root := corner + Vector2(3.0 + 9.0 * spot.y, 13.0 - 4.0 * spot.x)
			for lean: float in [-2.0, -0.4, 1.6]:
				reeds.append_array([root, root + Vector2(lean, -6.0 + absf(lean))])
	draw_multiline(reeds, REED, 1.2)


func _is_inner(cell: Vector2i) -> bool:
	for step: Vector2i in [Vector2i.UP, Vector2i.DOWN, Vector2i.LEFT, Vector2i.RIGHT]:
		if _map.letter(cell + step) in "~%=":
			return false
	return true
