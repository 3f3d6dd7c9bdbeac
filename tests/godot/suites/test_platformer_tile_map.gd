extends TestSuite
## Tile maps seen from the side: tiles with one-way polygons only are one-way cells, there is room
## above the topmost tiles, and a body gets along on the tile map.

const TILE := 16
## Rows that [method PathForgeTileRules.side_view] gives a map above its topmost tile.
const HEADROOM := 16
const PLAIN := Vector2i(0, 0)
const SOLID := Vector2i(1, 0)
const ONE_WAY := Vector2i(2, 0)
const BOTH := Vector2i(3, 0)
const LEVEL := """
................
................
....====........
...........===..
................
..###......====.
..###...........
################
"""

var _layer: TileMapLayer = null
var _grid: PathForgeGrid = null
var _node: PathForgePlatformer = null


func before_each() -> void:
	_layer = TileMapLayer.new()
	_layer.tile_set = _tile_set()
	add(_layer)
	_grid = PathForgeGrid.new()
	add(_grid)
	_node = PathForgePlatformer.new()
	_node.grid = _grid
	add(_node)


func after_each() -> void:
	Engine.physics_ticks_per_second = 60
	Engine.time_scale = 1.0


func test_each_tile_has_its_meaning() -> void:
	_layer.position = Vector2(40, -8)
	for tile: Vector2i in [PLAIN, SOLID, ONE_WAY, BOTH]:
		_layer.set_cell(Vector2i(tile.x - 1, 2), 0, tile)
	check(_import(), "the layer was read")
	check_eq(_grid.region, Rect2i(-1, 2 - HEADROOM, 4, HEADROOM + 1))
	check_eq([_grid.cell_size, _grid.offset], [Vector2(TILE, TILE), Vector2(40, -8)])
	check_eq(_grid.get_solid_data().slice(4 * HEADROOM), PackedByteArray([0, 1, 0, 1]))
	check_eq(_grid.get_one_way_data().slice(4 * HEADROOM), PackedByteArray([0, 0, 1, 0]))
	check_eq(_grid.get_solid_data().slice(0, 4 * HEADROOM).count(1), 0)


func test_thin_planks_and_slabs_carry() -> void:
	var plank := PackedVector2Array(
		[Vector2(-8, -8), Vector2(8, -8), Vector2(8, -6), Vector2(-8, -6)]
	)
	var slab := PackedVector2Array([Vector2(-8, 4), Vector2(8, 4), Vector2(8, 8), Vector2(-8, 8)])
	var source := _layer.tile_set.get_source(0) as TileSetAtlasSource
	source.get_tile_data(ONE_WAY, 0).set_collision_polygon_points(0, 0, plank)
	source.get_tile_data(SOLID, 0).set_collision_polygon_points(0, 0, slab)
	_layer.set_cell(Vector2i(0, 0), 0, ONE_WAY)
	_layer.set_cell(Vector2i(1, 0), 0, SOLID)
	_grid.import_tile_map_layers([_layer])
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 0]), "its centre is free")
	check_eq(_grid.get_one_way_data(), PackedByteArray([1, 0]))
	_import()
	check_eq(_grid.get_solid_data().slice(2 * HEADROOM), PackedByteArray([0, 1]))
	check_eq(_grid.get_one_way_data().slice(2 * HEADROOM), PackedByteArray([1, 0]))


func test_only_the_upper_edge_of_a_one_way_tile_carries() -> void:
	var whole := PackedVector2Array(
		[Vector2(-8, -8), Vector2(8, -8), Vector2(8, 8), Vector2(-8, 8)]
	)
	var source := _layer.tile_set.get_source(0) as TileSetAtlasSource
	source.get_tile_data(ONE_WAY, 0).set_collision_polygon_points(0, 0, whole)
	_layer.set_cell(Vector2i.ZERO, 0, ONE_WAY)
	var rules := PathForgeTileRules.new()
	rules.cells_per_tile = 2
	_grid.import_tile_map_layers([_layer], rules)
	check_eq(_grid.get_one_way_data(), PackedByteArray([1, 1, 0, 0]))


func test_bodies_stand_on_the_topmost_platform() -> void:
	_draw_row(0, 20, 10)
	_draw_row(8, 4, 8)
	check(_import(), "the layer was read")
	var profile := PathForgeJumpProfile.new()
	profile.footprint = Vector2i(1, 2)
	var onto := _node.find_path(Vector2i(1, 8), Vector2i(9, 6), profile)
	check_eq(onto.is_complete(), true, onto.describe())
	profile.footprint = Vector2i(3, 4)
	profile.max_jump_height_cells = 6
	onto = _node.find_path(Vector2i(1, 6), Vector2i(9, 4), profile)
	check_eq(onto.is_complete(), true, onto.describe())


func test_a_level_that_is_one_floor_can_be_walked() -> void:
	_draw_row(0, 20, 10)
	check(_import(), "the layer was read")
	var profile := PathForgeJumpProfile.new()
	var top := 10 - HEADROOM
	profile.footprint = Vector2i(1, HEADROOM)
	var path := _node.find_path(Vector2i(1, top), Vector2i(4, top), profile)
	check_eq(path.is_complete(), true, path.describe())
	profile.footprint = Vector2i(1, HEADROOM + 1)
	path = _node.find_path(Vector2i(1, top - 1), Vector2i(4, top - 1), profile)
	check_eq(path.is_complete(), false, "it is taller than the room")


func test_a_body_gets_along_on_the_tile_map() -> void:
	var rows := LEVEL.strip_edges().split("\n")
	for y: int in rows.size():
		for x: int in rows[y].length():
			var kind := "#=".find(rows[y][x])
			var tile: Vector2i = [PLAIN, SOLID, ONE_WAY][kind + 1]
			_layer.set_cell(Vector2i(x, y), 0, tile)
	check(_import(), "the layer was read")
	Engine.time_scale = 4.0
	Engine.physics_ticks_per_second = 240
	for size: Vector2i in [Vector2i(1, 1), Vector2i(2, 1), Vector2i(1, 2)]:
		var profile := PathForgeJumpProfile.new()
		profile.footprint = size
		profile.use_physics = true
		var walker := PlatformWalker.create(profile, TILE)
		add(walker)
		var stops: Array[Vector2i] = [
			Vector2i(0, 6), Vector2i(6, 1), Vector2i(12, 2), Vector2i(12, 6), Vector2i(3, 4)
		]
		walker.position = _node.cell_to_global(_above(stops[0], size), profile)
		await physics_frames(10)
		for stop: int in range(1, stops.size()):
			walker.result = ""
			walker.age = 0.0
			var start := _node.global_to_cell(walker.position, profile)
			var path := _node.find_path(start, _above(stops[stop], size), profile)
			check_eq(path.is_complete(), true, "a way to %s" % stops[stop])
			walker.follower.follow(path)
			while walker.result.is_empty() and walker.age < 30.0:
				await physics_frames(4)
			check_eq(walker.result, "arrived", "%s at %s" % [size, stops[stop]])
		walker.queue_free()


func _import() -> bool:
	return _grid.import_tile_map_layers([_layer], PathForgeTileRules.side_view())


## The top-left cell of a body whose bottom-left cell is [param feet].
func _above(feet: Vector2i, size: Vector2i) -> Vector2i:
	return feet - Vector2i(0, size.y - 1)


func _draw_row(first: int, count: int, y: int) -> void:
	for x: int in count:
		_layer.set_cell(Vector2i(first + x, y), 0, SOLID)


func _tile_set() -> TileSet:
	var tile_set := TileSet.new()
	tile_set.tile_size = Vector2i(TILE, TILE)
	tile_set.add_physics_layer()
	var source := TileSetAtlasSource.new()
	var image := Image.create_empty(4 * TILE, TILE, false, Image.FORMAT_RGBA8)
	source.texture = ImageTexture.create_from_image(image)
	source.texture_region_size = Vector2i(TILE, TILE)
	tile_set.add_source(source, 0)
	for tile: Vector2i in [PLAIN, SOLID, ONE_WAY, BOTH]:
		source.create_tile(tile)
	_add_polygon(source, SOLID, false)
	_add_polygon(source, ONE_WAY, true)
	_add_polygon(source, BOTH, true)
	_add_polygon(source, BOTH, false)
	return tile_set


func _add_polygon(source: TileSetAtlasSource, tile: Vector2i, is_one_way: bool) -> void:
	var half := TILE / 2.0
	var square := PackedVector2Array(
		[Vector2(-half, -half), Vector2(half, -half), Vector2(half, half), Vector2(-half, half)]
	)
	var data := source.get_tile_data(tile, 0)
	var place := data.get_collision_polygons_count(0)
	data.add_collision_polygon(0)
	data.set_collision_polygon_points(0, place, square)
	data.set_collision_polygon_one_way(0, place, is_one_way)
