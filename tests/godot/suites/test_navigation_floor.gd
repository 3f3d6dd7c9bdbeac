extends TestSuite
## [PathForgeNavigationBaker]: floor without navigation polygons, from rectangles.

const TileKit := preload("res://tiles/tile_kit.gd")
const NavigationKit := preload("res://tiles/navigation_kit.gd")

var _baker: PathForgeNavigationBaker = null
var _kit: TileKit = null


## Tile 0 has no polygon, tile 1 a wall. No tile has a navigation polygon.
func before_each() -> void:
	_baker = add(PathForgeNavigationBaker.new())
	_kit = TileKit.new(2, Vector2i(16, 16), 1, 0)
	_kit.collide(1, TileKit.BOX)
	_baker.agent_half_extents = Vector2(2, 4)


func test_walls_are_cut_from_the_rectangle() -> void:
	_baker.source_layers = [add(_kit.layer(".....\n..1..\n....."))]
	check_eq(_baker.bake().get_polygon_count(), 0, "no floor yet")
	_baker.floor_rect = Rect2(-10, -20, 100, 90)
	check_near(NavigationKit.area_of(_baker.bake()), 96.0 * 82.0 - 20.0 * 24.0)
	_baker.corner = PathForgeNavigationBaker.CORNER_ROUND
	check_near(NavigationKit.area_of(_baker.bake()), 96.0 * 82.0 - 20.0 * 24.0 + 6.9, 1.0)


func test_the_rectangle_is_in_the_local_space() -> void:
	_baker.position = Vector2(100, 50)
	_baker.source_layers = [add(_kit.layer("1"))]
	_baker.floor_rect = Rect2(-100, -50, 60, 40)
	check_near(NavigationKit.area_of(_baker.bake()), 56.0 * 32.0 - 16.0 * 16.0)


func test_the_used_rectangle_of_all_layers() -> void:
	var walls: TileMapLayer = add(_kit.layer("1111\n1..1\n1..1\n1111"))
	_baker.source_layers = [walls]
	_baker.floor_from_used_rect = true
	check_near(NavigationKit.area_of(_baker.bake()), 28.0 * 24.0, 0.01, "holes are floor, too")
	_baker.source_layers = [walls, add(_kit.layer("0", Vector2i(4, 1)))]
	check_near(NavigationKit.area_of(_baker.bake()), 28.0 * 24.0 + 12.0 * 8.0)
	_baker.floor_rect = Rect2(16, 16, 20, 20)
	check_near(NavigationKit.area_of(_baker.bake()), 16.0 * 12.0, 0.01, "the rectangle wins")
	_baker.floor_rect = Rect2()
	_baker.source_layers = [add(_kit.layer(""))]
	check_eq(_baker.bake().get_polygon_count(), 0, "nothing is used")


func test_the_used_rectangle_of_isometric_and_turned_layers() -> void:
	var kit := TileKit.new(1, Vector2i(32, 16), 1, 0)
	kit.tile_set.tile_shape = TileSet.TILE_SHAPE_ISOMETRIC
	kit.tile_set.tile_layout = TileSet.TILE_LAYOUT_STACKED
	_baker.agent_half_extents = Vector2.ZERO
	_baker.source_layers = [add(kit.layer("000\n000\n000"))]
	_baker.floor_from_used_rect = true
	check_near(NavigationKit.area_of(_baker.bake()), 112.0 * 32.0)
	var turned: TileMapLayer = add(_kit.layer("00"))
	turned.rotation = PI / 4
	_baker.source_layers = [turned]
	check_near(NavigationKit.area_of(_baker.bake()), 32.0 * 16.0, 1.0)


func test_chunks_have_the_floor_as_well() -> void:
	var walls: TileMapLayer = add(_kit.layer("1.......1\n.........\n1.......1"))
	var output: Node2D = add(Node2D.new())
	_baker.source_layers = [walls]
	_baker.output_parent = output
	_baker.chunk_tiles = 4
	_baker.floor_rect = Rect2(-100, -100, 400, 300)
	var want := NavigationKit.area_of(_baker.bake())
	check_near(_area_in(output), want, 0.5)
	walls.set_cell(Vector2i(4, 1), 0, Vector2i(1, 0))
	check(_baker.rebake(Rect2i(4, 1, 1, 1)) > 0, "chunks")
	check_near(_area_in(output), want - 20.0 * 24.0, 0.5)


func test_bad_rectangles_change_nothing() -> void:
	_baker.source_layers = [add(_kit.layer("1"))]
	_baker.floor_rect = Rect2(0, 0, 100, 100)
	var bad: Array[Rect2] = [
		Rect2(NAN, 0, 1, 1),
		Rect2(0, 0, NAN, 1),
		Rect2(0, 0, INF, 1),
		Rect2(0, 0, -1, 1),
		Rect2(0, 0, 1, -1),
		Rect2(0, 0, 1e30, 1),
		Rect2(5e6, 0, 1, 1),
		Rect2(0, -5e6, 1, 1),
		Rect2(4e6, 0, 4e6, 1),
	]
	expect_errors(bad.size(), "within 4194304 pixels of the origin")
	for rect: Rect2 in bad:
		_baker.floor_rect = rect
	check_eq(_baker.floor_rect, Rect2(0, 0, 100, 100))
	check_near(NavigationKit.area_of(_baker.bake()), 96.0 * 92.0 - 16.0 * 16.0)


func test_a_rectangle_without_area_fails_the_bake_alone() -> void:
	var output: Node2D = add(Node2D.new())
	_baker.source_layers = [add(_kit.layer("1"))]
	_baker.output_parent = output
	_baker.floor_rect = Rect2(0, 0, 100, 100)
	_baker.bake()
	var area := _area_in(output)
	for flat: Rect2 in [Rect2(0, 0, 100, 0), Rect2(0, 0, 0, 100), Rect2(0, 0, 0.01, 100)]:
		_baker.floor_rect = flat
		expect_errors(1, "PathForgeNavigationBaker.bake: floor_rect")
		check_eq(_baker.bake().get_polygon_count(), 0)
		check_near(_area_in(output), area, 0.01, "the regions stay")


func test_the_largest_rectangle() -> void:
	_baker.source_layers = [add(_kit.layer("1"))]
	_baker.floor_rect = Rect2(-4194304, -4194304, 8388608, 8388608)
	check_ne(_baker.bake().get_polygon_count(), 0)
	_baker.output_parent = add(Node2D.new())
	expect_errors(1, "raise chunk_tiles")
	_baker.bake()


func _area_in(output: Node2D) -> float:
	var area := 0.0
	for region: NavigationRegion2D in output.get_children():
		area += NavigationKit.area_of(region.navigation_polygon)
	return area
