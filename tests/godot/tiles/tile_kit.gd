extends RefCounted
## Makes tile sets and layers for suites: an atlas with a row of tiles that get polygons and data.

const BOX: PackedVector2Array = [Vector2(-8, -8), Vector2(8, -8), Vector2(8, 8), Vector2(-8, 8)]
const DIAMOND: PackedVector2Array = [Vector2(0, -8), Vector2(16, 0), Vector2(0, 8), Vector2(-16, 0)]

var tile_set: TileSet = TileSet.new()
var atlas: TileSetAtlasSource = TileSetAtlasSource.new()


func _init(
	count: int, size := Vector2i(16, 16), physics_layers := 1, navigation_layers := 1
) -> void:
	tile_set.tile_size = size
	for _layer: int in physics_layers:
		tile_set.add_physics_layer()
	for _layer: int in navigation_layers:
		tile_set.add_navigation_layer()
	var image := Image.create_empty(size.x * count, size.y, false, Image.FORMAT_RGBA8)
	atlas.texture = ImageTexture.create_from_image(image)
	atlas.texture_region_size = size
	for column: int in count:
		atlas.create_tile(Vector2i(column, 0))
	tile_set.add_source(atlas, 0)


## The data of a tile or of an alternative.
func data(tile: int, alternative := 0) -> TileData:
	return atlas.get_tile_data(Vector2i(tile, 0), alternative)


## Gives a tile a collision polygon.
func collide(tile: int, polygon: PackedVector2Array, layer := 0, alternative := 0) -> void:
	var target := data(tile, alternative)
	var index := target.get_collision_polygons_count(layer)
	target.add_collision_polygon(layer)
	target.set_collision_polygon_points(layer, index, polygon)


## Gives a tile a navigation polygon.
func navigate(tile: int, outlines: Array[PackedVector2Array], layer := 0) -> void:
	var polygon := NavigationPolygon.new()
	for outline: PackedVector2Array in outlines:
		polygon.add_outline(outline)
	data(tile).set_navigation_polygon(layer, polygon)


## Adds a custom data layer.
func add_custom(custom_name: String, type: Variant.Type) -> void:
	var index := tile_set.get_custom_data_layers_count()
	tile_set.add_custom_data_layer()
	tile_set.set_custom_data_layer_name(index, custom_name)
	tile_set.set_custom_data_layer_type(index, type)


## A layer with these tiles: one letter a cell, "." for none, "0" to "9" for tiles.
func layer(rows: String, at := Vector2i.ZERO) -> TileMapLayer:
	var result := TileMapLayer.new()
	result.tile_set = tile_set
	var y := 0
	for row: String in rows.split("\n", false):
		for x: int in row.length():
			if row[x] != ".":
				result.set_cell(at + Vector2i(x, y), 0, Vector2i(row[x].to_int(), 0))
		y += 1
	return result


## Rules with these properties.
static func rules(values: Dictionary) -> PathForgeTileRules:
	var made := PathForgeTileRules.new()
	for property: String in values:
		made.set(property, values[property])
	return made
