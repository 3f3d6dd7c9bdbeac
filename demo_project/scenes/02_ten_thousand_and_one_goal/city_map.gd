class_name CityMap
extends Sprite2D
## A city made from a seed: blocks of houses between avenues, streets and lanes, parks and squares,
## and a river with bridges. Paints and erases walls, and draws everything as one picture.

enum Ground { STREET, PARK, HOUSE, WATER, WALL }

const SIZE := Vector2i(480, 288)
const SEED := 20
const RIVER := 40

var grid: PathForgeGrid

var _random := RandomNumberGenerator.new()
var _kinds: PackedByteArray
var _colours: PackedColorArray
var _picture: Image
var _changed := Rect2i()


func set_up(of_grid: PathForgeGrid) -> void:
	grid = of_grid
	grid.region = Rect2i(Vector2i.ZERO, SIZE)
	_random.seed = SEED
	_kinds.resize(SIZE.x * SIZE.y)
	_colours.resize(SIZE.x * SIZE.y)
	_split(Rect2i(Vector2i.ZERO, SIZE), 0)
	_dig_river()
	var solid := PackedByteArray()
	solid.resize(_kinds.size())
	for place: int in _kinds.size():
		solid[place] = int(_kinds[place] == Ground.HOUSE or _kinds[place] == Ground.WATER)
	grid.set_solid_data(solid)
	_picture = Image.create_empty(SIZE.x, SIZE.y, false, Image.FORMAT_RGBA8)
	_draw_cells(Rect2i(Vector2i.ZERO, SIZE))
	texture = ImageTexture.create_from_image(_picture)
	centered = false
	scale = grid.cell_size
	texture_filter = CanvasItem.TEXTURE_FILTER_NEAREST


func _process(_delta: float) -> void:
	if _changed.has_area():
		_draw_cells(_changed.grow(2).intersection(grid.region))
		(texture as ImageTexture).update(_picture)
		_changed = Rect2i()


## Whether a player's wall stands there.
func is_wall(cell: Vector2i) -> bool:
	return grid.region.has_point(cell) and _kinds[_place(cell)] == Ground.WALL


## The cells around [param cell] that a stroke works on.
func brush(cell: Vector2i) -> Rect2i:
	return Rect2i(cell, Vector2i.ONE).grow(1).intersection(grid.region)


## Builds a wall or tears it down around a cell; houses and water stay. Returns whether that changes
## anything.
func paint(cell: Vector2i, is_building: bool) -> bool:
	var area := brush(cell)
	var has_changed := false
	grid.begin_edit()
	for y: int in range(area.position.y, area.end.y):
		for x: int in range(area.position.x, area.end.x):
			var at := Vector2i(x, y)
			var kind := _kinds[_place(at)]
			if is_building and (kind == Ground.STREET or kind == Ground.PARK):
				_kinds[_place(at)] = Ground.WALL
			elif not is_building and kind == Ground.WALL:
				_kinds[_place(at)] = Ground.STREET
			else:
				continue
			grid.set_point_solid(at, is_building)
			has_changed = true
	grid.end_edit()
	_changed = area if not _changed.has_area() else _changed.merge(area)
	return has_changed


func _place(cell: Vector2i) -> int:
	return cell.y * SIZE.x + cell.x


## Streets between two halves, again and again, until blocks are left.
func _split(area: Rect2i, depth: int) -> void:
	var street: int = [9, 7, 6, 5, 4, 3, 3, 2, 2][mini(depth, 8)]
	var is_wide := area.size.x > area.size.y
	var length := area.size.x if is_wide else area.size.y
	if length < 18 + street or (depth > 5 and length < 40 and _random.randf() < 0.2):
		_block(area)
		return
	var cut := int(length * _random.randf_range(0.36, 0.64)) - street / 2
	if is_wide:
		_split(Rect2i(area.position, Vector2i(cut, area.size.y)), depth + 1)
		var rest := area.position + Vector2i(cut + street, 0)
		_split(Rect2i(rest, area.end - rest), depth + 1)
	else:
		_split(Rect2i(area.position, Vector2i(area.size.x, cut)), depth + 1)
		var rest := area.position + Vector2i(0, cut + street)
		_split(Rect2i(rest, area.end - rest), depth + 1)


func _block(area: Rect2i) -> void:
	var luck := _random.randf()
	if luck < 0.1:
		_fill(area.grow(-1), Ground.PARK, DemoPalette.GRASS_LIGHT)
		return
	if luck < 0.15:
		_fill(area, Ground.STREET, DemoPalette.PAVEMENT.lightened(0.06))
		return
	var roof := DemoPalette.ROOF.lerp(DemoPalette.ROOF_DARK, _random.randf())
	roof = roof.lerp(DemoPalette.BUILT_FACE, _random.randf_range(0.0, 0.35))
	_fill(area, Ground.HOUSE, roof)
	if luck > 0.45 and area.size.x > 11 and area.size.y > 11:
		_fill(area.grow(-4), Ground.STREET, DemoPalette.PAVEMENT)
		var gate := Vector2i(area.position.x, area.get_center().y - 1)
		_fill(Rect2i(gate, Vector2i(5, _random.randi_range(1, 3))), Ground.STREET, Color.BLACK)


## A river from the top to the bottom, with a bridge every now and then.
func _dig_river() -> void:
	for y: int in SIZE.y:
		var middle := SIZE.x * 0.62 + sin(y * 0.021) * RIVER + sin(y * 0.047 + 1.0) * 9.0
		var is_bridge := y % 58 in range(24, 33) or y % 87 in range(3, 8)
		if not is_bridge:
			_fill(Rect2i(int(middle) - 8, y, 16, 1), Ground.WATER, DemoPalette.WATER)
		else:
			_fill(Rect2i(int(middle) - 13, y, 26, 1), Ground.STREET, DemoPalette.ROAD_MARK)


func _fill(area: Rect2i, kind: Ground, colour: Color) -> void:
	area = area.intersection(Rect2i(Vector2i.ZERO, SIZE))
	for y: int in range(area.position.y, area.end.y):
		for x: int in range(area.position.x, area.end.x):
			var place := y * SIZE.x + x
			_kinds[place] = kind
			_colours[place] = colour


func _draw_cells(area: Rect2i) -> void:
	for y: int in range(area.position.y, area.end.y):
		for x: int in range(area.position.x, area.end.x):
			_picture.set_pixel(x, y, _colour_at(Vector2i(x, y)))


func _colour_at(cell: Vector2i) -> Color:
	var place := _place(cell)
	var kind := _kinds[place]
	var above := _kinds[place - SIZE.x] if cell.y > 0 else Ground.STREET
	var left := _kinds[place - 1] if cell.x > 0 else Ground.STREET
	match kind:
		Ground.HOUSE:
			if above != Ground.HOUSE or left != Ground.HOUSE:
				return _colours[place].lightened(0.16)
			var below := _kinds[place + SIZE.x] if cell.y < SIZE.y - 1 else Ground.HOUSE
			return _colours[place].darkened(0.25 if below != Ground.HOUSE else 0.0)
		Ground.WALL:
			return DemoPalette.BUILT_LIGHT if above != Ground.WALL else DemoPalette.BUILT_TOP
		Ground.WATER:
			return DemoPalette.WATER_DEEP if above != Ground.WATER else DemoPalette.WATER
		Ground.PARK:
			return DemoPalette.GRASS.lerp(DemoPalette.GRASS_LIGHT, DemoPalette.grain(cell))
	var street := DemoPalette.INK.lerp(DemoPalette.PAVEMENT, 0.55)
	var is_shaded := above == Ground.HOUSE or left == Ground.HOUSE or above == Ground.WALL
	return street.darkened(0.35) if is_shaded else street
