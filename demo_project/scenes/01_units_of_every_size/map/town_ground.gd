class_name TownGround
extends Node2D
## Grass, pavement and road, drawn once.

const _TUFTS := 0.30

var _map: TownMap
var _cell := 20.0


## Draws [param map] with cells of [param cell_px] pixels.
func show_map(map: TownMap, cell_px: float) -> void:
	_map = map
	_cell = cell_px
	queue_redraw()


func _draw() -> void:
	if _map == null:
		return
	var whole := Rect2(Vector2.ZERO, Vector2(_map.size) * _cell)
	draw_rect(whole.grow(6.0), DemoPalette.PANEL)
	draw_rect(whole, DemoPalette.GRASS)
	for y: int in _map.size.y:
		for x: int in _map.size.x:
			_draw_cell(Vector2i(x, y))
	_draw_tufts()
	for y: int in _map.size.y:
		for x: int in _map.size.x:
			_draw_kerbs(Vector2i(x, y))
			_draw_road_marks(Vector2i(x, y))


func _draw_cell(cell: Vector2i) -> void:
	var corner := Vector2(cell) * _cell
	var area := Rect2(corner, Vector2.ONE * _cell)
	var shade := DemoPalette.grain(cell) * 0.07 - 0.035
	match _surface(cell):
		'"':
			draw_rect(
				area, DemoPalette.GRASS.lerp(DemoPalette.GRASS_LIGHT, DemoPalette.grain(cell))
			)
		":":
			draw_rect(area, DemoPalette.ROAD.lightened(shade * 0.6))
			if DemoPalette.grain(cell, 3) > 0.86:
				var spot := Vector2(DemoPalette.grain(cell, 4), DemoPalette.grain(cell, 5)) * 12.0
				draw_rect(
					Rect2(corner + spot + Vector2.ONE * 2.0, Vector2(4, 1)), DemoPalette.PAVEMENT
				)
		_:
			draw_rect(area, DemoPalette.PAVEMENT.lightened(shade))
			var seam := DemoPalette.PAVEMENT.darkened(0.16)
			draw_rect(Rect2(corner, Vector2(_cell, 1.0)), seam)
			draw_rect(Rect2(corner, Vector2(1.0, _cell)), seam)


## Dashes along the middle of roads three cells wide.
func _draw_road_marks(cell: Vector2i) -> void:
	for along: Vector2i in [Vector2i.RIGHT, Vector2i.DOWN]:
		var across := Vector2i(along.y, along.x)
		var is_middle := _is_road(cell + across) and _is_road(cell - across)
		is_middle = is_middle and not _is_road(cell + across * 2)
		is_middle = is_middle and not _is_road(cell - across * 2)
		if not _is_road(cell) or not is_middle or cell.x * along.x + cell.y * along.y & 1:
			continue
		var middle := (Vector2(cell) + Vector2.ONE * 0.5) * _cell
		var size := Vector2(along) * _cell * 0.55 + Vector2(across) * 2.0
		draw_rect(Rect2(middle - size * 0.5, size), Color(DemoPalette.ROAD_MARK, 0.55))


func _is_road(cell: Vector2i) -> bool:
	return _map.has_cell(cell) and _surface(cell) == ":"


func _draw_tufts() -> void:
	var blades := PackedVector2Array()
	for y: int in _map.size.y:
		for x: int in _map.size.x:
			var cell := Vector2i(x, y)
			if _surface(cell) != '"' or DemoPalette.grain(cell, 1) > _TUFTS:
				continue
			var spot := Vector2(DemoPalette.grain(cell, 6), DemoPalette.grain(cell, 7))
			var root := Vector2(cell) * _cell + spot * (_cell - 9.0) + Vector2(3.0, 7.0)
			for tip: Vector2 in [Vector2(-2.0, -4.0), Vector2(0.5, -5.0), Vector2(3.0, -3.5)]:
				blades.append_array([root, root + tip])
	draw_multiline(blades, DemoPalette.GRASS_LIGHT.lightened(0.16), 1.0)


## A lighter line where a road or a pavement ends in grass.
func _draw_kerbs(cell: Vector2i) -> void:
	var surface := _surface(cell)
	if surface == '"' or _map.is_water(cell):
		return
	var corner := Vector2(cell) * _cell
	var kerb := DemoPalette.ROAD_MARK if surface == ":" else DemoPalette.PAVEMENT.lightened(0.1)
	if _is_grass(cell + Vector2i.UP):
		draw_rect(Rect2(corner, Vector2(_cell, 1.5)), kerb)
	if _is_grass(cell + Vector2i.DOWN):
		draw_rect(Rect2(corner + Vector2(0.0, _cell - 1.5), Vector2(_cell, 1.5)), kerb)
	if _is_grass(cell + Vector2i.LEFT):
		draw_rect(Rect2(corner, Vector2(1.5, _cell)), kerb)
	if _is_grass(cell + Vector2i.RIGHT):
		draw_rect(Rect2(corner + Vector2(_cell - 1.5, 0.0), Vector2(1.5, _cell)), kerb)


func _is_grass(cell: Vector2i) -> bool:
	return _map.has_cell(cell) and _surface(cell) == '"'


## What lies under walls and gates is taken from the cells beside them.
func _surface(cell: Vector2i) -> String:
	var glyph := _map.letter(cell)
	match glyph:
		'"', ".", ":":
			return glyph
		"D", "d":
			return ":"
		"T":
			return '"'
		"#", "o":
			return "."
	return "."
