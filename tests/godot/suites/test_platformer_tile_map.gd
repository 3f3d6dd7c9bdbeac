extends TestSuite
## [method PathForgePlatformer.import_tile_map_layer]: tiles with collision polygons are solid,
## those with one-way polygons only are one-way, and a body gets along on the tile map.

const TILE := 16
## Rows that a level gets above its topmost tile.
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
var _node: PathForgePlatformer = null


func before_each() -> void:
	_layer = TileMapLayer.new()
	_layer.tile_set = _tile_set()
	add(_layer)
	_node = PathForgePlatformer.new()
	add(_node)


func after_each() -> void:
	Engine.physics_ticks_per_second = 60
	Engine.time_scale = 1.0


func test_each_tile_has_its_meaning() -> void:
	_layer.position = Vector2(40, -8)
	for tile: Vector2i in [PLAIN, SOLID, ONE_WAY, BOTH]:
		_layer.set_cell(Vector2i(tile.x - 1, 2), 0, tile)
	check_eq(_node.import_tile_map_layer(_layer), true)
	check_eq(_node.region, Rect2i(-1, 2 - HEADROOM, 4, HEADROOM + 1))
	check_eq([_node.cell_size, _node.offset], [Vector2(TILE, TILE), Vector2(40, -8)])
	check_eq(_node.get_solid_data().slice(4 * HEADROOM), PackedByteArray([0, 1, 0, 1]))
	check_eq(_node.get_one_way_data().slice(4 * HEADROOM), PackedByteArray([0, 0, 1, 0]))
	check_eq(_node.get_solid_data().slice(0, 4 * HEADROOM).count(1), 0)


func test_bodies_stand_on_the_topmost_platform() -> void:
	_draw_row(0, 20, 10)
	_draw_row(8, 4, 8)
	check_eq(_node.import_tile_map_layer(_layer), true)
	var profile := PathForgeJumpProfile.new()
	profile.size = Vector2i(1, 2)
	var onto := _node.find_path(Vector2i(1, 9), Vector2i(9, 7), profile)
	check_eq(onto.is_complete(), true, onto.describe())
	profile.size = Vector2i(3, 4)
	profile.max_jump_height = 6
	onto = _node.find_path(Vector2i(1, 9), Vector2i(9, 7), profile)
	check_eq(onto.is_complete(), true, onto.describe())


func test_a_level_that_is_one_floor_can_be_walked() -> void:
	_draw_row(0, 20, 10)
	check_eq(_node.import_tile_map_layer(_layer), true)
	var profile := PathForgeJumpProfile.new()
	profile.size = Vector2i(1, HEADROOM)
	var path := _node.find_path(Vector2i(1, 9), Vector2i(4, 9), profile)
	check_eq(path.is_complete(), true, path.describe())
	profile.size = Vector2i(1, HEADROOM + 1)
	path = _node.find_path(Vector2i(1, 9), Vector2i(4, 9), profile)
	check_eq(path.is_complete(), false, "it is taller than the room")


func test_an_empty_layer_gives_no_region() -> void:
	check_eq(_node.import_tile_map_layer(_layer), true)
	check_eq(_node.region, Rect2i())


func test_a_region_of_its_own_is_kept() -> void:
	_node.region = Rect2i(0, 0, 4, 2)
	_node.cell_size = Vector2(TILE, TILE)
	_node.set_point_solid(Vector2i(3, 1))
	for cell: Vector2i in [Vector2i(0, 0), Vector2i(9, 9), Vector2i(-1, 0)]:
		_layer.set_cell(cell, 0, SOLID)
	_layer.set_cell(Vector2i(1, 1), 0, ONE_WAY)
	check_eq(_node.import_tile_map_layer(_layer), true)
	check_eq(_node.region, Rect2i(0, 0, 4, 2))
	check_eq(_node.get_solid_data(), PackedByteArray([1, 0, 0, 0, 0, 0, 0, 0]))
	check_eq(_node.get_one_way_data(), PackedByteArray([0, 0, 0, 0, 0, 1, 0, 0]))


func test_a_shared_grid_takes_the_solid_cells() -> void:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 3, 1)
	grid.cell_size = Vector2(TILE, TILE)
	add(grid)
	_node.grid = grid
	_layer.set_cell(Vector2i(0, 0), 0, SOLID)
	_layer.set_cell(Vector2i(1, 0), 0, ONE_WAY)
	check_eq(_node.import_tile_map_layer(_layer), true)
	check_eq(grid.get_solid_data(), PackedByteArray([1, 0, 0]))
	check_eq(_node.get_one_way_data(), PackedByteArray([0, 1, 0]))


func test_what_cannot_be_read_is_an_error() -> void:
	expect_errors(2, "PathForgePlatformer.import_tile_map_layer: ")
	check_eq(_node.import_tile_map_layer(null), false)
	_layer.tile_set = null
	check_eq(_node.import_tile_map_layer(_layer), false)


func test_a_body_gets_along_on_the_tile_map() -> void:
	var rows := LEVEL.strip_edges().split("\n")
	for y: int in rows.size():
		for x: int in rows[y].length():
			var kind := "#=".find(rows[y][x])
			var tile: Vector2i = [PLAIN, SOLID, ONE_WAY][kind + 1]
			_layer.set_cell(Vector2i(x, y), 0, tile)
	check_eq(_node.import_tile_map_layer(_layer), true)
	Engine.time_scale = 4.0
	Engine.physics_ticks_per_second = 240
	for size: Vector2i in [Vector2i(1, 1), Vector2i(2, 1), Vector2i(1, 2)]:
		var profile := PathForgeJumpProfile.new()
		profile.size = size
		profile.use_physics = true
		var walker := PlatformWalker.create(profile, TILE)
		add(walker)
		var stops: Array[Vector2i] = [
			Vector2i(0, 6), Vector2i(6, 1), Vector2i(12, 2), Vector2i(12, 6), Vector2i(3, 4)
		]
		walker.position = _node.body_center(stops[0], size)
		await physics_frames(10)
		for stop: int in range(1, stops.size()):
			walker.result = ""
			walker.age = 0.0
			var start := _node.body_to_cell(walker.position, size)
			var path := _node.find_path(start, stops[stop], profile)
			check_eq(path.is_complete(), true, "a way to %s" % stops[stop])
			walker.follower.follow(path)
			while walker.result.is_empty() and walker.age < 30.0:
				await physics_frames(4)
			check_eq(walker.result, "arrived", "%s at %s" % [size, stops[stop]])
		walker.queue_free()


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
