class_name BattleMap
extends Sprite2D
## A plain with a ridge across it. Three passes lead through: a wide one in the middle, a narrower
## one above, and one for columns below.

const SIZE := Vector2i(160, 100)
## Rows of each pass, and how many.
const PASSES: Array[Vector2i] = [Vector2i(14, 9), Vector2i(44, 14), Vector2i(82, 3)]
const RIDGE := 80
const SEED := 4
## Pixels of the picture for each cell.
const DETAIL := 3
## How far rocks cast their shadows, in pixels of the picture.
const SHADOW := Vector2i(3, 4)

var _solid: PackedByteArray


func set_up(grid: PathForgeGrid) -> void:
	grid.region = Rect2i(Vector2i.ZERO, SIZE)
	_solid.resize(SIZE.x * SIZE.y)
	_raise_ridge()
	_scatter_rocks()
	grid.set_solid_data(_solid)
	texture = ImageTexture.create_from_image(_picture())
	centered = false
	scale = grid.cell_size / DETAIL
	texture_filter = CanvasItem.TEXTURE_FILTER_NEAREST


## The number of the pass that is nearest to a row.
static func pass_at(row: float) -> int:
	var nearest := 0
	for number: int in PASSES.size():
		var middle := PASSES[number].x + PASSES[number].y * 0.5
		if absf(middle - row) < absf(PASSES[nearest].x + PASSES[nearest].y * 0.5 - row):
			nearest = number
	return nearest


func _is_solid(cell: Vector2i) -> bool:
	var inside := cell.x >= 0 and cell.y >= 0 and cell.x < SIZE.x and cell.y < SIZE.y
	return inside and _solid[cell.y * SIZE.x + cell.x] != 0


func _raise_ridge() -> void:
	for y: int in SIZE.y:
		var is_pass := PASSES.any(func(rows: Vector2i) -> bool: return y - rows.x in range(rows.y))
		if is_pass:
			continue
		var middle := RIDGE + roundi(sin(y * 0.11) * 4.0)
		var half := 5 + roundi(sin(y * 0.31 + 2.0) * 1.6 + sin(y * 0.77) * 1.2)
		for x: int in range(middle - half, middle + half + 1):
			_solid[y * SIZE.x + x] = 1


func _scatter_rocks() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = SEED
	for rock: int in 26:
		var middle := Vector2i(random.randi_range(57, 103), random.randi_range(4, SIZE.y - 5))
		if absi(middle.x - RIDGE) < 15:
			continue
		var reach := random.randf_range(1.0, 2.4)
		for y: int in range(-2, 3):
			for x: int in range(-2, 3):
				if Vector2(x, y).length() <= reach:
					_solid[(middle.y + y) * SIZE.x + middle.x + x] = 1


func _picture() -> Image:
	var picture := Image.create_empty(SIZE.x * DETAIL, SIZE.y * DETAIL, false, Image.FORMAT_RGBA8)
	for y: int in picture.get_height():
		for x: int in picture.get_width():
			picture.set_pixel(x, y, _colour_at(Vector2i(x, y)))
	return picture


func _colour_at(pixel: Vector2i) -> Color:
	var cell := pixel / DETAIL
	if _is_solid(cell):
		return _stone_at(pixel, cell)
	var wave := sin(pixel.x * 0.031) + sin(pixel.y * 0.043 + pixel.x * 0.011)
	var blade := DemoPalette.grain(pixel)
	var ground := DemoPalette.GRASS.lerp(DemoPalette.GRASS_LIGHT, 0.5 + wave * 0.22)
	if blade > 0.97:
		ground = ground.lightened(0.08)
	elif blade < 0.2:
		ground = ground.darkened(0.04)
	return ground.darkened(0.36) if _is_solid((pixel - SHADOW) / DETAIL) else ground


## Rock: a lit edge above and at the left, a steep face below.
func _stone_at(pixel: Vector2i, cell: Vector2i) -> Color:
	var inner := pixel - cell * DETAIL
	var boulder := DemoPalette.grain(pixel / 5, 3) - 0.5
	var stone := DemoPalette.WALL_FACE.lightened(0.1 + boulder * 0.12)
	if not _is_solid(cell + Vector2i.DOWN):
		return DemoPalette.WALL_DARK.lightened(0.1 if inner.y == 0 else 0.0)
	if not _is_solid(cell + Vector2i.UP) and inner.y == 0:
		return DemoPalette.WALL_LIGHT.darkened(0.1)
	if not _is_solid(cell + Vector2i.LEFT) and inner.x == 0:
		return DemoPalette.WALL_LIGHT.darkened(0.25)
	if not _is_solid(cell + Vector2i.RIGHT) and inner.x == DETAIL - 1:
		return stone.darkened(0.3)
	return stone.darkened(0.15) if DemoPalette.grain(pixel, 9) > 0.93 else stone
