class_name PaintTiles
extends RefCounted
## The tile set of the scene: one physics layer and one navigation layer, polygons of every shape.
## Tiles are drawn at twice their size on the screen.

enum Kind { FLOOR, FLOOR_WORN, WALL, TABLE, PLANT, CRATE, SLOPE, SHELF, WALL_TOP }

## Pixels of a tile in the picture.
const SIZE := 48
const TEXTURE := preload("res://scenes/09_painted_baked_walked/art/tiles.svg")
## What a letter of the map puts on its cell; all of them but the wall stand on floor.
const LETTERS: Dictionary[String, Kind] = {
	"#": Kind.WALL,
	"T": Kind.TABLE,
	"o": Kind.PLANT,
	"x": Kind.CRATE,
	"\\": Kind.SLOPE,
	"/": Kind.SLOPE,
	"s": Kind.SHELF,
}


## The tile set.
static func make() -> TileSet:
	var tiles := TileSet.new()
	tiles.tile_size = Vector2i(SIZE, SIZE)
	tiles.add_physics_layer()
	tiles.add_navigation_layer()
	var atlas := TileSetAtlasSource.new()
	atlas.texture = TEXTURE
	atlas.margins = Vector2i(8, 8)
	atlas.separation = Vector2i(16, 16)
	atlas.texture_region_size = Vector2i(SIZE, SIZE)
	tiles.add_source(atlas, 0)
	for kind: int in Kind.size():
		atlas.create_tile(Vector2i(kind, 0))
	for kind: Kind in [Kind.FLOOR, Kind.FLOOR_WORN]:
		var polygon := NavigationPolygon.new()
		polygon.add_outline(_box(Rect2(-24, -24, 48, 48)))
		atlas.get_tile_data(Vector2i(kind, 0), 0).set_navigation_polygon(0, polygon)
	_collide(atlas, Kind.WALL, _box(Rect2(-24, -24, 48, 48)))
	_collide(atlas, Kind.WALL_TOP, _box(Rect2(-24, -24, 48, 48)))
	_collide(atlas, Kind.TABLE, _octagon(22.0, 20.0))
	_collide(atlas, Kind.PLANT, _round(19.0))
	_collide(atlas, Kind.CRATE, _box(Rect2(-20, -20, 40, 40)))
	var slope := PackedVector2Array([Vector2(-24, -24), Vector2(24, 24), Vector2(-24, 24)])
	_collide(atlas, Kind.SLOPE, slope)
	_collide(atlas, Kind.SHELF, _box(Rect2(-24, -22, 48, 20)))
	return tiles


static func _collide(atlas: TileSetAtlasSource, kind: Kind, polygon: PackedVector2Array) -> void:
	var data := atlas.get_tile_data(Vector2i(kind, 0), 0)
	data.add_collision_polygon(0)
	data.set_collision_polygon_points(0, 0, polygon)


static func _box(box: Rect2) -> PackedVector2Array:
	var right := Vector2(box.end.x, box.position.y)
	return [box.position, right, box.end, Vector2(box.position.x, box.end.y)]


static func _octagon(half_w: float, half_h: float) -> PackedVector2Array:
	var polygon := PackedVector2Array()
	var inner := Vector2(half_w - 8.0, half_h - 9.0)
	for turn: Vector2 in [Vector2(1, -1), Vector2(1, 1), Vector2(-1, 1), Vector2(-1, -1)]:
		var corners: Array[Vector2] = [Vector2(inner.x, half_h), Vector2(half_w, inner.y)]
		if turn.x * turn.y > 0.0:
			corners.reverse()
		for corner: Vector2 in corners:
			polygon.append(corner * turn)
	return polygon


static func _round(radius: float) -> PackedVector2Array:
	var polygon := PackedVector2Array()
	for corner: int in 12:
		polygon.append(Vector2.from_angle(TAU * corner / 12.0) * radius)
	return polygon
