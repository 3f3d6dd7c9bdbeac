extends TestSuite
## What a baker keeps in regions, on a real navigation map: edits against a bake from nothing,
## workers, properties.

const TileKit := preload("res://tiles/tile_kit.gd")
const NavigationKit := preload("res://tiles/navigation_kit.gd")
const SIDE := 48

var _baker: PathForgeNavigationBaker = null
var _kit: TileKit = null
var _output: Node2D = null
var _random := RandomNumberGenerator.new()


func before_each() -> void:
	_baker = add(PathForgeNavigationBaker.new())
	_output = add(Node2D.new())
	_kit = TileKit.new(5)
	_kit.navigate(0, [TileKit.BOX])
	_kit.collide(1, TileKit.BOX)
	_kit.navigate(2, [TileKit.BOX])
	_kit.collide(
		2, PackedVector2Array([Vector2(-5, -3), Vector2(4, -6), Vector2(6, 5), Vector2(-2, 6)])
	)
	_kit.navigate(3, [TileKit.BOX])
	_kit.collide(3, PackedVector2Array([Vector2(-8, -8), Vector2(8, 8), Vector2(-8, 8)]))
	_baker.agent_half_extents = Vector2(3, 5)
	_random.seed = 11


func test_edits_equal_a_bake_from_nothing() -> void:
	var layer: TileMapLayer = add(_random_level())
	_put(layer, Vector2i.ZERO, 0)
	_put(layer, Vector2i(SIDE - 1, SIDE - 1), 0)
	_baker.source_layers = [layer]
	_baker.output_parent = _output
	_baker.bake()
	for edit: int in 25:
		var corner := Vector2i(_random.randi_range(0, SIDE - 3), _random.randi_range(0, SIDE - 3))
		var size := Vector2i(_random.randi_range(1, 3), _random.randi_range(1, 3))
		for y: int in size.y:
			for x: int in size.x:
				_put(layer, corner + Vector2i(x, y), _random.randi_range(-1, 3))
		var count := _baker.rebake(Rect2i(corner, size))
		check(count >= 1 and count <= 4, "%d chunks" % count)
		if edit % 5 == 4:
			await frames(1)
			var other: PathForgeNavigationBaker = add(PathForgeNavigationBaker.new())
			other.source_layers = [layer]
			other.agent_half_extents = _baker.agent_half_extents
			check_near(
				_regions_area(),
				NavigationKit.area_of(other.bake()),
				1.0,
				"after %d edits" % (edit + 1)
			)
			other.free()


func test_a_worker_bakes_the_same() -> void:
	_baker.source_layers = [add(_random_level())]
	_baker.output_parent = _output
	var want := NavigationKit.area_of(_baker.bake())
	_baker.bake_async()
	var polygon: NavigationPolygon = await _baker.bake_finished
	check_near(NavigationKit.area_of(polygon), want, 0.001)
	check_eq(_baker.get_region_count(), 9)
	var finished: Array[int] = [0]
	_baker.bake_finished.connect(func(_polygon: NavigationPolygon) -> void: finished[0] += 1)
	_baker.bake_async()
	_baker.bake_async()
	check_eq(_baker.rebake(Rect2i(0, 0, 1, 1)), 0, "it waits")
	await wait_until(func() -> bool: return finished[0] > 0)
	await frames(5)
	check_eq(finished[0], 1, "the newer replaces the older")


func test_a_baker_that_is_freed_while_it_bakes() -> void:
	_baker.source_layers = [add(_random_level())]
	_baker.bake_async()
	_baker.free()
	await frames(10)
	check(true, "no crash")


func test_a_handler_may_free_the_baker() -> void:
	_baker.source_layers = [add(_random_level())]
	var done: Array[bool] = [false]
	_baker.bake_finished.connect(
		func(_polygon: NavigationPolygon) -> void:
			_baker.queue_free()
			done[0] = true
	)
	_baker.bake_async()
	check(await wait_until(func() -> bool: return done[0]), "done")
	await frames(2)


func test_regions_follow_their_properties() -> void:
	_baker.source_layers = [add(_kit.layer("0000\n0000"))]
	_baker.output_parent = _output
	_baker.region_layers = 4
	_baker.chunk_tiles = 4
	_baker.position = Vector2(50, 0)
	_baker.bake()
	var region: NavigationRegion2D = _output.get_child(0)
	check_eq(region.navigation_layers, 4)
	check_eq(region.use_edge_connections, false)
	check_eq(region.position, Vector2(50, 0))
	check_near(region.navigation_polygon.vertices[0].x, -50.0 + 3.0, 0.01, "in the baker's space")
	check_eq(region.owner, null, "not saved")
	var other: Node2D = add(Node2D.new())
	_baker.output_parent = other
	check_eq(_output.get_child_count(), 0, "freed at once")
	check(not is_instance_valid(region), "the region itself")
	_baker.bake()
	check_eq(other.get_child_count(), 1)
	_baker.chunk_tiles = 8
	check_eq(other.get_child_count(), 0, "freed at once")
	_baker.bake()
	check_eq(other.get_child_count(), 1)
	_baker.source_layers = [add(_kit.layer(""))]
	_baker.bake()
	check_eq(other.get_child_count(), 0, "freed at once")
	check_eq(
		_baker.get_reason(),
		(
			"There is no floor: no navigation polygon with an area was found."
			+ " Floor without them: floor_rect."
		)
	)


func test_the_map_has_the_regions_when_it_is_told() -> void:
	var layer: TileMapLayer = add(_random_level())
	_baker.source_layers = [layer]
	_baker.output_parent = _output
	_baker.agent_half_extents = Vector2.ONE
	var map := _output.get_world_2d().navigation_map
	var place := Vector2(24, 24) * 16.0 + Vector2(8, 8)
	for trial: int in 12:
		var is_open := trial % 2 == 0
		_put(layer, Vector2i(24, 24), 0 if is_open else 1)
		if trial == 0:
			_baker.bake()
		else:
			_baker.rebake(Rect2i(24, 24, 1, 1))
		if trial % 4 == 3:
			# Another one while the map is rebuilt.
			await frames(1)
			_put(layer, Vector2i(25, 24), trial % 3)
			_baker.rebake(Rect2i(25, 24, 1, 1))
		var start := Engine.get_process_frames()
		await _baker.map_updated
		var count := Engine.get_process_frames() - start
		check(count <= 40, "%d frames" % count)
		var nearest := NavigationServer2D.map_get_closest_point(map, place)
		check_eq(nearest.distance_to(place) < 0.1, is_open, "trial %d, %d frames" % [trial, count])


func test_handlers_use_the_baker_while_regions_are_freed() -> void:
	_baker.source_layers = [add(_kit.layer("0000\n0000"))]
	_baker.output_parent = _output
	_baker.bake()
	var counts: Array[int] = []
	_output.child_exiting_tree.connect(
		func(_child: Node) -> void: counts.append(_baker.get_region_count())
	)
	_baker.chunk_tiles = 8
	_baker.bake()
	_baker.output_parent = null
	check_eq(counts, [0, 0])


func test_a_parent_that_is_queued_for_deletion() -> void:
	_baker.source_layers = [add(_kit.layer("0000\n0000"))]
	_baker.output_parent = _output
	_baker.bake()
	_output.queue_free()
	_baker.output_parent = null
	await frames(2)
	check_eq(_baker.get_region_count(), 0)


func test_a_failed_bake_leaves_the_regions() -> void:
	_baker.source_layers = [add(_kit.layer("0000\n0000"))]
	_baker.output_parent = _output
	_baker.bake()
	var area := _regions_area()
	_baker.source_layers = [add(TileMapLayer.new())]
	expect_errors(2, "has no tile set")
	_baker.bake()
	_baker.bake_async()
	var polygon: NavigationPolygon = await _baker.bake_finished
	check_eq(polygon.get_polygon_count(), 0)
	check_near(_regions_area(), area)


func test_a_bake_when_ready() -> void:
	var home := Node2D.new()
	_baker.get_parent().remove_child(_baker)
	var layer := _kit.layer("0000\n0000")
	home.add_child(layer)
	home.add_child(_baker)
	_baker.source_layers = [layer]
	_baker.output_parent = home
	_baker.bake_on_ready = true
	_baker.request_ready()
	add(home)
	await frames(2)
	check_eq(home.get_child_count(), 3)


func test_a_grid_in_chunks() -> void:
	var grid: PathForgeGrid = add(PathForgeGrid.new())
	grid.region = Rect2i(-8, -8, 40, 40)
	grid.fill_solid_region(Rect2i(0, 0, 10, 3))
	_baker.grid = grid
	_baker.output_parent = _output
	check_near(_regions_area(), 0.0)
	var want := NavigationKit.area_of(_baker.bake())
	check_near(_regions_area(), want, 0.5)
	grid.fill_solid_region(Rect2i(4, 2, 3, 9))
	check(_baker.rebake(Rect2i(4, 2, 3, 9)) < _baker.get_region_count(), "some chunks")
	var edited := _regions_area()
	check_near(edited, NavigationKit.area_of(_baker.bake()), 0.5)


func _level(side: int, tile_at: Callable) -> TileMapLayer:
	var layer := _kit.layer("")
	for y: int in side:
		for x: int in side:
			_put(layer, Vector2i(x, y), tile_at.call(x, y))
	return layer


func _random_level() -> TileMapLayer:
	return _level(
		SIDE,
		func(_x: int, _y: int) -> int:
			var dice := _random.randf()
			return 0 if dice < 0.82 else (1 if dice < 0.88 else (2 if dice < 0.94 else 3))
	)


func _put(layer: TileMapLayer, cell: Vector2i, tile: int) -> void:
	if tile < 0:
		layer.erase_cell(cell)
	else:
		layer.set_cell(cell, 0, Vector2i(tile, 0))


func _regions_area() -> float:
	var area := 0.0
	for region: NavigationRegion2D in _output.get_children():
		if not region.is_queued_for_deletion():
			area += NavigationKit.area_of(region.navigation_polygon)
	return area
