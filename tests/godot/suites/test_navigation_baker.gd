extends TestSuite
## [PathForgeNavigationBaker]: the situations of the source, and several ways to bake.

const TileKit := preload("res://tiles/tile_kit.gd")

var _baker: PathForgeNavigationBaker = null
var _kit: TileKit = null


## Tile 0 is floor, tile 1 a wall on no floor, tile 2 floor with a table of 8×8 pixels on it.
func before_each() -> void:
	_baker = PathForgeNavigationBaker.new()
	add(_baker)
	_kit = TileKit.new(4)
	_kit.navigate(0, [TileKit.BOX])
	_kit.collide(1, TileKit.BOX)
	_kit.navigate(2, [TileKit.BOX])
	_kit.collide(
		2, PackedVector2Array([Vector2(-4, -4), Vector2(4, -4), Vector2(4, 4), Vector2(-4, 4)])
	)


func test_a_plain_floor_shrinks() -> void:
	_bake("000\n000\n000", Vector2(2, 4), 44.0 * 40.0, 1, 0)


func test_holes_grow() -> void:
	_bake("00000\n00000\n00.00\n00000\n00000", Vector2(2, 4), 76.0 * 72.0 - 20.0 * 24.0, 1, 1)


func test_several_holes() -> void:
	_bake("0000000\n0.000.0\n0000000", Vector2(2, 2), 108.0 * 44.0 - 2 * 400.0, 1, 2)


func test_holes_near_each_other_become_one() -> void:
	# 16 pixels between them, and the agent is 20 wide.
	var grown := 10.0 + 16 + 16 + 16 + 10
	_bake(
		"0000000\n0000000\n00.0.00\n0000000\n0000000",
		Vector2(10, 2),
		92.0 * 76.0 - grown * 20.0,
		1,
		1
	)


func test_a_hole_at_the_edge_cuts_it() -> void:
	# The strip between hole and edge is 16 wide, and the agent 20.
	_bake("00000\n00000\n0.000\n00000\n00000", Vector2(10, 2), 60.0 * 76.0 - 32.0 * 20.0, 1, 0)


func test_a_hole_swallows_its_floor() -> void:
	_bake("000\n0.0\n000", Vector2(9, 9), 0.0, 0, 0)
	check_eq(_baker.get_reason(), "The agent fits nowhere on the floor that colliders leave.")


func test_a_floor_cut_in_two() -> void:
	_bake("00100\n00100", Vector2(2, 2), 2 * 28.0 * 28.0, 2, 0)


func test_walls_around_a_floor() -> void:
	_bake("1111\n1001\n1111", Vector2(2, 4), 28.0 * 8.0, 1, 0)


func test_furniture() -> void:
	_bake("000\n020\n000", Vector2(2, 4), 44.0 * 40.0 - 12.0 * 16.0, 1, 1)


func test_a_hole_in_a_hole() -> void:
	_bake(
		"00000\n0...0\n0.0.0\n0...0\n00000", Vector2(2, 2), 76.0 * 76.0 - 52.0 * 52.0 + 144.0, 2, 1
	)


func test_round_corners_leave_more() -> void:
	_baker.corner = PathForgeNavigationBaker.CORNER_ROUND
	var boxes := 76.0 * 72.0 - 20.0 * 24.0
	var corners := 4 * 2.0 * 4.0 - PI * 2.0 * 4.0
	_bake("00000\n00000\n00.00\n00000\n00000", Vector2(2, 4), boxes + corners, 1, 1, 2.5)


func test_a_pen_is_free_inside() -> void:
	var pen: TileMapLayer = add(_kit.layer("111\n1.1\n111", Vector2i.ONE))
	_baker.source_layers = [add(_kit.layer("00000\n00000\n00000\n00000\n00000")), pen]
	_baker.agent_half_extents = Vector2(4, 4)
	check_near(_area(_outlines(_baker.bake())), 72.0 * 72.0 - 56.0 * 56.0 + 8.0 * 8.0)


func test_the_order_of_tiles_does_not_matter() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 4
	var cells: Array[Vector2i] = []
	for i: int in 200:
		cells.append(Vector2i(random.randi_range(-9, 9), random.randi_range(-9, 9)))
	var areas: Dictionary[float, bool] = {}
	for order: int in 4:
		var layer: TileMapLayer = add(_kit.layer(""))
		cells.shuffle()
		for cell: Vector2i in cells:
			layer.set_cell(cell, 0, Vector2i(posmod(cell.x * 7 + cell.y * 3, 3), 0))
		_baker.source_layers = [layer]
		areas[snappedf(_area(_outlines(_baker.bake())), 0.01)] = true
	check_eq(areas.size(), 1, str(areas))


func test_polygons_without_tiles() -> void:
	var room := PackedVector2Array(
		[Vector2.ZERO, Vector2(0, 100), Vector2(100, 100), Vector2(100, 0)]
	)
	var table := PackedVector2Array(
		[Vector2(40, 40), Vector2(60, 40), Vector2(60, 60), Vector2(40, 60)]
	)
	_baker.agent_half_extents = Vector2(10, 5)
	var polygon := _baker.bake_from_polygons([room], [table])
	check_near(_area(_outlines(polygon)), 80.0 * 90.0 - 40.0 * 30.0)
	check_near(_polygon_area(polygon), 80.0 * 90.0 - 40.0 * 30.0)
	check_near(_area(_outlines(_baker.bake_from_polygons([room]))), 80.0 * 90.0)
	var typed: Array[PackedVector2Array] = [room]
	check_near(_area(_outlines(_baker.bake_from_polygons(typed, []))), 80.0 * 90.0)


func test_a_grid_takes_the_shorter_way() -> void:
	var grid: PathForgeGrid = add(PathForgeGrid.new())
	grid.position = Vector2(30, 10)
	grid.set_from_text("......\n..##..\n......")
	_baker.agent_half_extents = Vector2(2, 4)
	var area := 92.0 * 40.0 - 36.0 * 24.0
	check_near(_area(_outlines(_baker.bake())), area, 0.01, "found beside it")
	_baker.grid = grid
	_baker.corner = PathForgeNavigationBaker.CORNER_ROUND
	check(_area(_outlines(_baker.bake())) > area + 1.0, "round")
	grid.cell_shape = PathForgeGrid.CELL_SHAPE_ISOMETRIC_DOWN
	grid.set_from_text("....\n....\n....\n....")
	_baker.agent_half_extents = Vector2.ZERO
	check_near(_area(_outlines(_baker.bake())), 16.0 * 128.0, 0.5, "diamonds")


func test_hexagons_are_baked_too() -> void:
	var hexagon := PackedVector2Array()
	for corner: Vector2 in [
		Vector2(0, -8),
		Vector2(8, -4),
		Vector2(8, 4),
		Vector2(0, 8),
		Vector2(-8, 4),
		Vector2(-8, -4)
	]:
		hexagon.append(corner)
	_kit.tile_set.tile_shape = TileSet.TILE_SHAPE_HEXAGON
	_kit.navigate(3, [hexagon])
	_baker.agent_half_extents = Vector2.ZERO
	_baker.source_layers = [add(_kit.layer("333\n333\n333", Vector2i(-2, -1)))]
	check_near(_area(_outlines(_baker.bake())), 9 * 192.0, 0.5)
	check_eq(_baker.bake().get_outline_count(), 1, "they touch along whole sides")


func _bake(
	rows: String, half: Vector2, area: float, solids: int, holes: int, tolerance := 0.01
) -> void:
	_baker.source_layers = [add(_kit.layer(rows))]
	_baker.agent_half_extents = half
	var polygon := _baker.bake()
	var outlines := _outlines(polygon)
	var clockwise := outlines.filter(Geometry2D.is_polygon_clockwise)
	check_near(_area(outlines), area, tolerance, "area of the outlines")
	check_near(_polygon_area(polygon), area, tolerance, "area of the polygons")
	check_eq([outlines.size() - clockwise.size(), clockwise.size()], [solids, holes])


func _outlines(polygon: NavigationPolygon) -> Array[PackedVector2Array]:
	var outlines: Array[PackedVector2Array] = []
	for i: int in polygon.get_outline_count():
		outlines.append(polygon.get_outline(i))
	return outlines


func _area(outlines: Array[PackedVector2Array]) -> float:
	var area := 0.0
	for outline: PackedVector2Array in outlines:
		area += _signed_area(outline)
	return area


func _polygon_area(polygon: NavigationPolygon) -> float:
	var area := 0.0
	for i: int in polygon.get_polygon_count():
		var corners := PackedVector2Array()
		for index: int in polygon.get_polygon(i):
			corners.append(polygon.vertices[index])
		area += _signed_area(corners)
	return area


func _signed_area(points: PackedVector2Array) -> float:
	var area := 0.0
	for i: int in points.size():
		area += points[i].cross(points[(i + 1) % points.size()]) / 2.0
	return area
