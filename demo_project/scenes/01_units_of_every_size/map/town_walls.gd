class_name TownWalls
extends Node2D
## Everything solid that is not a gate: walls, houses, trees, and what the player builds. A wall
## that goes up over a unit waits as a foundation, flat on the ground, until the unit is off it.

enum Look { WALL, HOUSE, TREE, BUILT }

## From foundation to full height, in seconds.
const RISE_TIME := 0.22
const TREE_TEXTURE := preload("../art/tree.svg")
const _FACE := 0.34

## Asks whether some unit's body is over a cell: [code]func(cell: Vector2i) -> bool[/code].
var is_occupied := Callable()

var _cell := 20.0
var _size := Vector2i.ZERO
var _looks: Dictionary[Vector2i, Look] = {}
## Walls that are not fully up, with how far they are.
var _rising: Dictionary[Vector2i, float] = {}


## Learns what [param map] has standing, with cells of [param cell_px] pixels.
func show_map(map: TownMap, cell_px: float) -> void:
	_cell = cell_px
	_size = map.size
	for y: int in map.size.y:
		for x: int in map.size.x:
			var place := "#oT".find(map.letter(Vector2i(x, y)))
			if place >= 0:
				_looks[Vector2i(x, y)] = place as Look
	queue_redraw()


## Something was built or torn down at [param cell].
func set_wall(cell: Vector2i, is_there: bool) -> void:
	if is_there == _looks.has(cell):
		return
	if is_there:
		_looks[cell] = Look.BUILT
		_rising[cell] = 0.0
	else:
		_looks.erase(cell)
		_rising.erase(cell)
	queue_redraw()


## Whether the player built what stands there.
func is_built(cell: Vector2i) -> bool:
	return _looks.get(cell, Look.WALL) == Look.BUILT


## True while a wall is still a foundation that a unit can be on.
func is_foundation(cell: Vector2i) -> bool:
	return _rising.get(cell, 1.0) == 0.0


func _process(delta: float) -> void:
	if _rising.is_empty():
		return
	for cell: Vector2i in _rising.keys():
		if _rising[cell] == 0.0 and is_occupied.is_valid() and is_occupied.call(cell):
			continue
		_rising[cell] += delta / RISE_TIME
		if _rising[cell] >= 1.0:
			_rising.erase(cell)
	queue_redraw()


func _draw() -> void:
	var cells := _looks.keys()
	for cell: Vector2i in cells:
		if _looks[cell] == Look.TREE:
			_draw_tree_shadow(cell)
	for y: int in _size.y:
		for x: int in _size.x:
			if _looks.get(Vector2i(x, y), Look.TREE) == Look.TREE:
				_draw_shadows_on(Vector2i(x, y))
	for cell: Vector2i in cells:
		match _looks[cell]:
			Look.TREE:
				_draw_tree(cell)
			Look.HOUSE:
				_draw_block(cell, DemoPalette.ROOF, DemoPalette.WALL_TOP, DemoPalette.WALL_DARK)
				_draw_roof(cell)
			Look.BUILT:
				_draw_built(cell)
			_:
				_draw_block(
					cell, DemoPalette.WALL_TOP, DemoPalette.WALL_LIGHT, DemoPalette.WALL_FACE
				)


func _draw_tree_shadow(cell: Vector2i) -> void:
	var middle := (Vector2(cell) + Vector2(0.62, 0.66)) * _cell
	DemoPalette.draw_disc(self, middle, _cell * 0.46, DemoPalette.SHADOW)


## The shadows that fall on a cell without a block, from the blocks west, north and north-west of
## it. Shadows of two blocks never lie over each other.
func _draw_shadows_on(cell: Vector2i) -> void:
	var west := _shadow_length(cell + Vector2i.LEFT)
	var north := _shadow_length(cell + Vector2i.UP)
	var corner := _shadow_length(cell - Vector2i.ONE)
	var at := Vector2(cell) * _cell
	if north > 0.0:
		var start := 0.0 if west > 0.0 or corner > 0.0 else north
		_fill(at, [Vector2.ZERO, Vector2(_cell, 0), Vector2(_cell, north), Vector2(start, north)])
	if west > 0.0:
		var top := north if north > 0.0 else 0.0
		var bend := top if north > 0.0 or corner > 0.0 else west
		_fill(at, [Vector2(0, top), Vector2(west, bend), Vector2(west, _cell), Vector2(0, _cell)])
	if corner > 0.0 and north == 0.0 and west == 0.0:
		draw_rect(Rect2(at, Vector2.ONE * corner), DemoPalette.SHADOW)


func _fill(at: Vector2, points: PackedVector2Array) -> void:
	var tint := DemoPalette.SHADOW
	var colours := PackedColorArray([tint, tint, tint, tint])
	draw_primitive(Transform2D(0.0, at) * points, colours, PackedVector2Array())


func _shadow_length(cell: Vector2i) -> float:
	if _looks.get(cell, Look.TREE) == Look.TREE:
		return 0.0
	var length := _cell * 0.28 * _height(cell)
	return length if length >= 0.5 else 0.0


func _height(cell: Vector2i) -> float:
	return _rising.get(cell, 1.0)


func _draw_tree(cell: Vector2i) -> void:
	var grow := 1.0 + 0.22 * DemoPalette.grain(cell, 8)
	var side := Vector2.ONE * _cell * grow
	var middle := (Vector2(cell) + Vector2.ONE * 0.5) * _cell
	var tint := Color.WHITE.darkened(0.16 * DemoPalette.grain(cell, 9))
	draw_set_transform(middle, DemoPalette.grain(cell, 11) * TAU)
	draw_texture_rect(TREE_TEXTURE, Rect2(-side * 0.5, side), false, tint)
	draw_set_transform(Vector2.ZERO)


func _draw_built(cell: Vector2i) -> void:
	var height := _height(cell)
	if height == 0.0:
		_draw_foundation(cell)
		return
	var face := DemoPalette.BUILT_FACE
	_draw_block(cell, DemoPalette.BUILT_TOP, DemoPalette.BUILT_LIGHT, face)
	var corner := Vector2(cell) * _cell
	draw_rect(
		Rect2(corner + Vector2.ONE * _cell * 0.3, Vector2.ONE * _cell * 0.22), face.lightened(0.12)
	)
	if height < 1.0:
		var veil := Color(DemoPalette.WARN, 0.55 * (1.0 - height))
		draw_rect(Rect2(corner, Vector2.ONE * _cell), veil)


## Hazard stripes: here a wall will be as soon as none is on it.
func _draw_foundation(cell: Vector2i) -> void:
	var corner := Vector2(cell) * _cell
	draw_rect(Rect2(corner, Vector2.ONE * _cell), Color(DemoPalette.WARN, 0.22))
	for stripe: int in 4:
		var at := _cell * (0.25 * stripe + 0.125)
		var start := corner + Vector2(at, 0.0)
		draw_line(start, corner + Vector2(0.0, at), Color(DemoPalette.WARN, 0.6), 2.0)
		draw_line(
			corner + Vector2(_cell, at),
			corner + Vector2(at, _cell),
			Color(DemoPalette.WARN, 0.6),
			2.0
		)


## A block seen from above and a little from the south: a top with a lit rim and, where nothing
## stands south of it, the face below the top.
func _draw_block(cell: Vector2i, top: Color, light: Color, face: Color) -> void:
	var corner := Vector2(cell) * _cell
	var tint := (DemoPalette.grain(cell, 2) - 0.5) * 0.06
	draw_rect(Rect2(corner, Vector2.ONE * _cell), top.lightened(tint))
	if not _joins(cell, Vector2i.DOWN):
		var depth := _cell * _FACE * _height(cell)
		var foot := corner + Vector2(0.0, _cell - depth)
		draw_rect(Rect2(foot, Vector2(_cell, depth)), face)
		draw_rect(Rect2(foot, Vector2(_cell, 1.0)), face.darkened(0.35))
		draw_rect(
			Rect2(corner + Vector2(0.0, _cell - 1.0), Vector2(_cell, 1.0)), face.darkened(0.25)
		)
	if not _joins(cell, Vector2i.UP):
		draw_rect(Rect2(corner, Vector2(_cell, 1.5)), light)
	if not _joins(cell, Vector2i.LEFT):
		draw_rect(Rect2(corner, Vector2(1.5, _cell)), Color(light, 0.75))
	if not _joins(cell, Vector2i.RIGHT):
		draw_rect(Rect2(corner + Vector2(_cell - 1.5, 0.0), Vector2(1.5, _cell)), Color(face, 0.8))


## Tiles on the roof, and now and then something that sticks out of it.
func _draw_roof(cell: Vector2i) -> void:
	var corner := Vector2(cell) * _cell
	var deep := _cell if _joins(cell, Vector2i.DOWN) else _cell * (1.0 - _FACE)
	for row: int in 2:
		var y := corner.y + deep * (0.33 + 0.34 * row)
		draw_rect(Rect2(corner.x + 1.5, y, _cell - 3.0, 1.0), DemoPalette.ROOF_DARK)
	if DemoPalette.grain(cell, 12) > 0.72:
		var vent := Rect2(corner + Vector2(6.0, 3.0), Vector2(7.0, 6.0))
		draw_rect(Rect2(vent.position + Vector2(1.5, 2.0), vent.size), Color(0, 0, 0, 0.3))
		draw_rect(vent, DemoPalette.WALL_LIGHT.darkened(0.15))
		draw_rect(vent.grow(-1.5), DemoPalette.WALL_DARK)


func _joins(cell: Vector2i, step: Vector2i) -> bool:
	var other: Look = _looks.get(cell + step, Look.TREE)
	return other != Look.TREE and (other == Look.HOUSE) == (_looks[cell] == Look.HOUSE)
