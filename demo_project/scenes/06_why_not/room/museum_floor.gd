class_name MuseumFloor
extends Node2D
## What stands and lies in a room: floor, walls, crates, doors, water, bog, rubble, and nothing at
## all where the map has ended.

const _FACE := 5.0
const _BOG := Color("4a4a34")
const _BOG_LIGHT := Color("6d7148")

var _room: MuseumRoom
var _cell := MuseumRoom.CELL


func set_up(room: MuseumRoom) -> void:
	_room = room
	room.grid.cells_changed.connect(_on_changed.unbind(1))
	room.answered.connect(_on_changed)


func _on_changed() -> void:
	queue_redraw()


func _draw() -> void:
	if _room == null:
		return
	var all := Rect2i(Vector2i.ZERO, MuseumRoom.CELLS)
	draw_rect(_room.area(), DemoPalette.INK)
	for cell: Vector2i in _cells(all):
		_draw_ground(cell)
	for cell: Vector2i in _cells(all):
		if _is_solid(cell):
			draw_rect(_box(cell, Vector2(2.5, 3.5)), DemoPalette.SHADOW)
	for cell: Vector2i in _cells(all):
		if _is_solid(cell) and _room.exhibit.letter(cell) != "D":
			_draw_solid(cell)
	for door: Rect2i in _room.exhibit.doors():
		_draw_door(door)


func _draw_ground(cell: Vector2i) -> void:
	var area := _box(cell)
	if not _room.grid.is_in_boundsv(cell):
		if DemoPalette.grain(cell, 30) > 0.72:
			var spot := Vector2(DemoPalette.grain(cell, 31), DemoPalette.grain(cell, 32))
			var star := area.position + spot * _cell
			DemoPalette.draw_disc(self, star, 0.7 + spot.x * 0.6, DemoPalette.TEXT_FAINT)
		return
	match _room.grid.get_point_terrain(cell):
		MuseumExhibit.WATER:
			_draw_water(cell, area)
		MuseumExhibit.BOG:
			_draw_bog(cell, area)
		_:
			var shade := 0.03 if (cell.x + cell.y) % 2 == 0 else -0.02
			draw_rect(area, DemoPalette.PAVEMENT.lightened(shade))
	if _room.grid.get_point_weight_scale(cell) > 1.0:
		_draw_rubble(cell, area)


func _draw_water(cell: Vector2i, area: Rect2) -> void:
	draw_rect(area, DemoPalette.WATER.lerp(DemoPalette.WATER_DEEP, DemoPalette.grain(cell)))
	if DemoPalette.grain(cell, 2) > 0.5:
		var at := area.position + Vector2(2.0 + DemoPalette.grain(cell, 3) * 5.0, 5.0)
		at.y += DemoPalette.grain(cell, 4) * 7.0
		draw_line(at, at + Vector2(6.0, 0.0), Color(DemoPalette.WATER_LIGHT, 0.55), 1.2)
	for side: Vector2i in [Vector2i.UP, Vector2i.LEFT, Vector2i.RIGHT]:
		if _terrain(cell + side) != MuseumExhibit.WATER:
			var edge := DemoPalette.edge(area, side, 2.0)
			draw_rect(edge, DemoPalette.BANK.darkened(0.25) if side.y < 0 else DemoPalette.SHALLOW)


func _draw_bog(cell: Vector2i, area: Rect2) -> void:
	draw_rect(area, _BOG.lightened(DemoPalette.grain(cell) * 0.06))
	var spot := Vector2(DemoPalette.grain(cell, 5), DemoPalette.grain(cell, 6))
	var pool := area.position + Vector2(4.0, 4.0) + spot * 8.0
	DemoPalette.draw_disc(self, pool, 3.2, DemoPalette.WATER_DEEP.lerp(_BOG, 0.45))
	var root := area.position + Vector2(3.0 + 9.0 * spot.y, 13.0 - 3.0 * spot.x)
	for lean: float in [-2.0, 0.0, 2.0]:
		draw_line(root, root + Vector2(lean, -5.0 - lean * 0.4), _BOG_LIGHT, 1.2)


func _draw_rubble(cell: Vector2i, area: Rect2) -> void:
	draw_rect(area, Color(DemoPalette.BUILT_FACE, 0.45))
	for stone: int in 5:
		var spot := Vector2(DemoPalette.grain(cell, stone + 7), DemoPalette.grain(cell, stone + 13))
		var at := area.position + Vector2(2.5, 2.5) + spot * (_cell - 5.0)
		var radius := 1.6 + 1.3 * DemoPalette.grain(cell, stone + 19)
		DemoPalette.draw_disc(self, at + Vector2(0.6, 1.0), radius, DemoPalette.SHADOW)
		DemoPalette.draw_disc(self, at, radius, DemoPalette.BUILT_TOP.darkened(0.12 * (stone % 3)))


func _draw_solid(cell: Vector2i) -> void:
	match _room.exhibit.letter(cell):
		"#":
			_draw_wall(cell)
		"x":
			_draw_danger(cell)
		_:
			_draw_crate(_box(cell).grow(-0.5))


func _draw_wall(cell: Vector2i) -> void:
	var area := _box(cell)
	draw_rect(area, DemoPalette.WALL_TOP.darkened(0.08 * DemoPalette.grain(cell, 3)))
	if not _is_wall(cell + Vector2i.DOWN):
		draw_rect(DemoPalette.edge(area, Vector2i.DOWN, _FACE), DemoPalette.WALL_FACE)
		draw_rect(
			Rect2(area.position + Vector2(0, _cell - _FACE), Vector2(_cell, 1)),
			DemoPalette.WALL_DARK
		)
	if not _is_wall(cell + Vector2i.UP):
		draw_rect(DemoPalette.edge(area, Vector2i.UP, 1.5), DemoPalette.WALL_LIGHT)
	if not _is_wall(cell + Vector2i.LEFT):
		draw_rect(DemoPalette.edge(area, Vector2i.LEFT, 1.2), DemoPalette.WALL_LIGHT.darkened(0.15))
	if not _is_wall(cell + Vector2i.RIGHT):
		draw_rect(DemoPalette.edge(area, Vector2i.RIGHT, 1.2), DemoPalette.WALL_FACE)


func _draw_crate(area: Rect2) -> void:
	draw_rect(area, DemoPalette.WOOD)
	var inner := area.grow(-2.6)
	draw_rect(inner, DemoPalette.WOOD_DARK.lerp(DemoPalette.WOOD, 0.35))
	draw_line(inner.position, inner.end, DemoPalette.WOOD_LIGHT, 2.0)
	draw_rect(area, DemoPalette.WOOD_DARK, false, 1.0)
	draw_rect(Rect2(area.position, Vector2(area.size.x, 1.4)), DemoPalette.WOOD_LIGHT)


## A lamp that warns of itself.
func _draw_danger(cell: Vector2i) -> void:
	var area := _box(cell)
	var middle := area.get_center()
	draw_rect(area.grow(-1.0), DemoPalette.WALL_DARK)
	draw_rect(DemoPalette.edge(area.grow(-1.0), Vector2i.UP, 1.5), DemoPalette.STEEL)
	DemoPalette.draw_disc(self, middle, 5.6, DemoPalette.INK)
	DemoPalette.draw_disc(self, middle, 4.4, DemoPalette.BAD)
	DemoPalette.draw_disc(self, middle - Vector2(1.2, 1.4), 1.4, DemoPalette.TEXT)


func _draw_door(door: Rect2i) -> void:
	var area := Rect2(Vector2(door.position) * _cell, Vector2(door.size) * _cell)
	var is_shut := _room.grid.is_point_solid(door.position)
	var wide := 7.0
	var leaf := Rect2(area.position.x + (_cell - wide) * 0.5, area.position.y, wide, area.size.y)
	if not is_shut:
		leaf = Rect2(area.position.x - area.size.y + wide, area.position.y, area.size.y, wide)
		leaf.size.x = minf(leaf.size.x, _cell * 1.6)
		leaf.position.x = area.position.x + _cell * 0.5 - leaf.size.x
	draw_rect(Rect2(leaf.position + Vector2(2, 3), leaf.size), DemoPalette.SHADOW)
	draw_rect(leaf, DemoPalette.WOOD)
	draw_rect(leaf, DemoPalette.WOOD_DARK, false, 1.2)
	draw_rect(Rect2(leaf.position, Vector2(leaf.size.x, 1.4)), DemoPalette.WOOD_LIGHT)
	var lamp := DemoPalette.BAD if is_shut else DemoPalette.GOOD
	for y: float in [area.position.y, area.end.y]:
		var post := Rect2(area.position.x + 1.0, y - 2.5, _cell - 2.0, 5.0)
		draw_rect(post, DemoPalette.WALL_DARK)
		draw_rect(post.grow(-1.0), DemoPalette.STEEL)
		DemoPalette.draw_disc(self, post.get_center(), 1.8, lamp)


func _box(cell: Vector2i, shift := Vector2.ZERO) -> Rect2:
	return Rect2(Vector2(cell) * _cell + shift, Vector2.ONE * _cell)


func _is_solid(cell: Vector2i) -> bool:
	return _room.grid.is_in_boundsv(cell) and _room.grid.is_point_solid(cell)


func _is_wall(cell: Vector2i) -> bool:
	return _is_solid(cell) and _room.exhibit.letter(cell) == "#"


func _terrain(cell: Vector2i) -> int:
	return _room.grid.get_point_terrain(cell) if _room.grid.is_in_boundsv(cell) else -1


static func _cells(area: Rect2i) -> Array[Vector2i]:
	var list: Array[Vector2i] = []
	for y: int in range(area.position.y, area.end.y):
		for x: int in range(area.position.x, area.end.x):
			list.append(Vector2i(x, y))
	return list
