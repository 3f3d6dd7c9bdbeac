extends TestSuite
## A baker that is given what nothing can be baked from.

const TileKit := preload("res://tiles/tile_kit.gd")

var _baker: PathForgeNavigationBaker = null


func before_each() -> void:
	_baker = add(PathForgeNavigationBaker.new())


func test_nothing_to_bake() -> void:
	expect_errors(3, "there is nothing to bake: set source_layers or grid")
	check_eq(_baker.bake().get_polygon_count(), 0)
	check_eq(_baker.rebake(Rect2i(0, 0, 2, 2)), 0)
	_baker.bake_async()
	var polygon: NavigationPolygon = await _baker.bake_finished
	check_eq(polygon.get_polygon_count(), 0)


func test_layers_without_anything() -> void:
	var bare: TileMapLayer = add(TileMapLayer.new())
	_baker.source_layers = [null, bare]
	expect_errors(1, "has no tile set")
	check_eq(_baker.bake().get_polygon_count(), 0)
	bare.tile_set = TileSet.new()
	check_eq(_baker.bake().get_polygon_count(), 0)
	check_ne(_baker.get_reason(), "")
	bare.free()
	expect_errors(1, "there is nothing to bake")
	_baker.bake()


func test_a_layer_that_is_freed_between_bakes() -> void:
	var kit := TileKit.new(1)
	kit.navigate(0, [TileKit.BOX])
	var layer: TileMapLayer = add(kit.layer("0000"))
	_baker.output_parent = add(Node2D.new())
	_baker.source_layers = [layer]
	_baker.agent_half_extents = Vector2.ONE
	_baker.bake()
	layer.free()
	expect_errors(1, "PathForgeNavigationBaker.rebake")
	check_eq(_baker.rebake(Rect2i(0, 0, 1, 1)), 0)
	_baker.output_parent.free()
	expect_errors(1, "there is nothing to bake")
	_baker.rebake(Rect2i(0, 0, 1, 1))


func test_a_rectangle_as_large_as_numbers_go() -> void:
	var kit := TileKit.new(1)
	kit.navigate(0, [TileKit.BOX])
	var layer: TileMapLayer = add(kit.layer("0000\n0000"))
	_baker.output_parent = add(Node2D.new())
	_baker.source_layers = [layer]
	_baker.agent_half_extents = Vector2.ONE
	_baker.bake()
	var everything := Rect2i(-(1 << 30), -(1 << 30), (1 << 31) - 1, (1 << 31) - 1)
	check_eq(_baker.rebake(everything), 1, "at once, and not cell by cell")
	layer.set_cell(Vector2i(300, 9), 0, Vector2i.ZERO)
	check(_baker.rebake(everything) > 0, "what was painted beyond is found")
	check_eq(_baker.get_region_count(), 2)


func test_rectangles_at_the_ends_of_numbers() -> void:
	var kit := TileKit.new(1)
	kit.navigate(0, [TileKit.BOX])
	_baker.output_parent = add(Node2D.new())
	_baker.source_layers = [add(kit.layer("0000\n0000"))]
	_baker.agent_half_extents = Vector2.ONE
	_baker.bake()
	for corner: Vector2i in [
		Vector2i.MAX, Vector2i.MIN, Vector2i(Vector2i.MAX.x, 0), Vector2i(0, Vector2i.MIN.y)
	]:
		for side: int in [1, 2, 3, Vector2i.MAX.x]:
			var tiles := Rect2i(corner, Vector2i(side, side))
			check_eq(_baker.rebake(tiles), 0, str(tiles))
	check_eq(_baker.get_region_count(), 1, "what was baked is still there")


func test_bad_properties_change_nothing() -> void:
	expect_errors(5, "PathForgeNavigationBaker.agent_half_extents")
	for bad: Vector2 in [
		Vector2(NAN, 1), Vector2(1, NAN), Vector2(INF, 1), Vector2(-1, 1), Vector2(1, -1)
	]:
		_baker.agent_half_extents = bad
	check_eq(_baker.agent_half_extents, Vector2(8, 8))
	expect_errors(1, "PathForgeNavigationBaker.corner")
	_baker.corner = 2
	expect_errors(1, "PathForgeNavigationBaker.chunk_tiles")
	_baker.chunk_tiles = 0
	expect_errors(1, "PathForgeNavigationBaker.navigation_layer")
	_baker.navigation_layer = -1
	expect_errors(1, "PathForgeNavigationBaker.physics_layers")
	_baker.physics_layers = -1
	expect_errors(1, "PathForgeNavigationBaker.region_layers: -1 is not within")
	_baker.region_layers = -1
	check_eq(_baker.region_layers, 1)
	expect_errors(1, "has a negative size")
	_baker.rebake(Rect2i(0, 0, -1, 4))


func test_broken_polygons() -> void:
	_baker.agent_half_extents = Vector2.ONE
	var bow_tie := PackedVector2Array(
		[Vector2.ZERO, Vector2(40, 40), Vector2(40, 0), Vector2(0, 40)]
	)
	var flat := PackedVector2Array([Vector2.ZERO, Vector2(40, 0), Vector2(80, 0)])
	var clockwise := PackedVector2Array(
		[Vector2(0, 40), Vector2(40, 40), Vector2(40, 0), Vector2.ZERO]
	)
	check(_baker.bake_from_polygons([bow_tie]).get_polygon_count() > 0, "a bow tie")
	check_eq(_baker.bake_from_polygons([flat]).get_polygon_count(), 0, "no area")
	check_eq(_baker.bake_from_polygons([PackedVector2Array()]).get_polygon_count(), 0)
	check_eq(_baker.bake_from_polygons([clockwise, clockwise]).get_polygon_count(), 1)
	check_eq(_baker.bake_from_polygons([clockwise], [clockwise]).get_polygon_count(), 0)
	check_eq(_baker.get_reason(), "Colliders cover the whole floor.")
	_baker.agent_half_extents = Vector2(1e9, 1e9)
	check_eq(_baker.bake_from_polygons([clockwise]).get_polygon_count(), 0)
	expect_errors(3, "PathForgeNavigationBaker.bake_from_polygons: floor[0]")
	_baker.bake_from_polygons([PackedVector2Array([Vector2(NAN, 0), Vector2(1, 0), Vector2(1, 1)])])
	_baker.bake_from_polygons(
		[PackedVector2Array([Vector2(1e12, 0), Vector2(1, 0), Vector2(1, 1)])]
	)
	var numbers: Array = [3]
	_baker.bake_from_polygons(numbers)


func test_odd_transforms() -> void:
	var kit := TileKit.new(1)
	kit.navigate(0, [TileKit.BOX])
	var layer: TileMapLayer = add(kit.layer("00\n00"))
	_baker.source_layers = [layer]
	_baker.agent_half_extents = Vector2.ONE
	layer.rotation = 0.4
	layer.scale = Vector2(-2, 1)
	check(_baker.bake().get_polygon_count() > 0, "turned and mirrored")
	layer.scale = Vector2.ONE
	layer.position = Vector2(1e8, 0)
	expect_errors(1, "further out than")
	_baker.bake()
	_baker.transform = Transform2D(Vector2.ZERO, Vector2.ZERO, Vector2.ZERO)
	expect_errors(1, "scaled to nothing")
	_baker.bake()


func test_outside_the_tree() -> void:
	var kit := TileKit.new(1)
	kit.navigate(0, [TileKit.BOX])
	var layer := kit.layer("00\n00")
	var baker := PathForgeNavigationBaker.new()
	baker.source_layers = [layer]
	check_eq(baker.bake().get_polygon_count(), 1)
	baker.free()
	layer.free()
