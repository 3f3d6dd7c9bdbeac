class_name WorldEdits
extends Node2D
## What the player does to the map: walls where it is open, holes where it is solid, and bridges
## that fall. Only squares that were touched have a picture, which lies over the map.

## Cells have changed, within so many of [param middle].
signal applied(tool: Tool, middle: Vector2i, radius: int)

enum Tool { WALL, HOLE, FALL }

## Cells a side of a picture.
const SQUARE := 256
const FALL_RADIUS := 18

var _grid: PathForgeGrid
var _has_changed := false
var _heights := PackedByteArray()
var _pictures: Dictionary[Vector2i, Image] = {}
var _sprites: Dictionary[Vector2i, Sprite2D] = {}


func set_up(grid: PathForgeGrid, heights: Image) -> void:
	_grid = grid
	# Without its smaller copies.
	_heights = heights.get_data().slice(0, WorldMaker.SIDE * WorldMaker.SIDE)


## What a click does at a cell.
func tool_for(cell: Vector2i) -> Tool:
	if is_bridge(cell):
		return Tool.FALL
	return Tool.HOLE if _grid.is_point_solid(cell) else Tool.WALL


func is_bridge(cell: Vector2i) -> bool:
	return (
		_grid.get_point_terrain(cell) == WorldMaker.Terrain.ROAD
		and _height_at(cell) < WorldShape.SEA
	)


## Changes a disc of cells, all in one edit of the grid. Returns whether any has changed.
func apply(tool: Tool, middle: Vector2i, radius: int) -> bool:
	if tool == Tool.FALL:
		radius = maxi(radius, FALL_RADIUS)
	_has_changed = false
	_grid.begin_edit()
	for y: int in range(-radius, radius + 1):
		var half := int(sqrt(radius * radius - y * y + radius * 0.8))
		_change_row(tool, Rect2i(middle + Vector2i(-half, y), Vector2i(half * 2 + 1, 1)))
	_grid.end_edit()
	if _has_changed:
		applied.emit(tool, middle, radius)
	for square: Vector2i in _sprites:
		var sprite := _sprites[square]
		if sprite.has_meta(&"stale"):
			sprite.remove_meta(&"stale")
			_pictures[square].generate_mipmaps()
			(sprite.texture as ImageTexture).update(_pictures[square])
	return _has_changed


## The cells of a row that the tool is for, run by run.
func _change_row(tool: Tool, row: Rect2i) -> void:
	row = row.intersection(_grid.region)
	var first := row.position.x
	var y := row.position.y
	for x: int in range(row.position.x, row.end.x + 1):
		var cell := Vector2i(x, y)
		if x < row.end.x and _is_for(tool, cell):
			_paint(cell, _colour(tool, cell))
			continue
		if x > first:
			_change(tool, Rect2i(first, y, x - first, 1))
		first = x + 1


func _is_for(tool: Tool, cell: Vector2i) -> bool:
	match tool:
		Tool.WALL:
			return (
				not _grid.is_point_solid(cell)
				and _grid.get_point_terrain(cell) != WorldMaker.Terrain.WATER
			)
		Tool.HOLE:
			return _grid.is_point_solid(cell)
	return is_bridge(cell)


func _change(tool: Tool, cells: Rect2i) -> void:
	_has_changed = true
	if tool == Tool.FALL:
		_grid.fill_terrain_region(cells, WorldMaker.Terrain.WATER)
	else:
		_grid.fill_solid_region(cells, tool == Tool.WALL)


func _colour(tool: Tool, cell: Vector2i) -> Color:
	var shade := DemoPalette.grain(cell, 3) * 0.16 - 0.08
	match tool:
		Tool.WALL:
			return DemoPalette.BUILT_TOP.lightened(maxf(shade, 0.0)).darkened(maxf(-shade, 0.0))
		Tool.HOLE:
			return DemoPalette.BUILT_FACE.darkened(0.25 + shade)
	return DemoPalette.WATER.darkened(0.1 + shade * 0.5)


func _paint(cell: Vector2i, colour: Color) -> void:
	var square := cell / SQUARE
	if square not in _pictures:
		_add_square(square)
	_pictures[square].set_pixelv(cell - square * SQUARE, colour)
	_sprites[square].set_meta(&"stale", true)


func _add_square(square: Vector2i) -> void:
	var picture := Image.create_empty(SQUARE, SQUARE, true, Image.FORMAT_RGBA8)
	var sprite := Sprite2D.new()
	sprite.texture = ImageTexture.create_from_image(picture)
	sprite.texture_filter = CanvasItem.TEXTURE_FILTER_NEAREST_WITH_MIPMAPS
	sprite.centered = false
	sprite.position = square * SQUARE
	add_child(sprite)
	_pictures[square] = picture
	_sprites[square] = sprite


func _height_at(cell: Vector2i) -> int:
	return _heights[cell.y * WorldMaker.SIDE + cell.x]
