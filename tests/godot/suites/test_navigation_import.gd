extends TestSuite
## [method PathForgeGrid.import_navigation_regions] and [method
## PathForgeGrid.import_navigation_polygon]: cells from what Godot's own navigation walks on.

const CELL := 16.0

var _grid: PathForgeGrid = null


func before_each() -> void:
	_grid = add(PathForgeGrid.new())


func test_cells_are_open_where_polygons_are() -> void:
	# Two rooms with a door between them, and a speck in a corner.
	var polygon := _polygon(
		[Rect2(16, 16, 48, 48), Rect2(64, 32, 16, 16), Rect2(80, 16, 32, 48), Rect2(0, 0, 2, 2)]
	)
	check_eq(_grid.import_navigation_polygon(polygon), true)
	check_eq(_grid.region, Rect2i(0, 0, 7, 4))
	check_eq(_drawn(), ".######/#...#../#....../#...#..")
	check_eq(_grid.get_id_path(Vector2i(1, 1), Vector2i(5, 1)).size(), 6)


func test_a_region_that_was_set_is_kept() -> void:
	_grid.region = Rect2i(2, 1, 3, 2)
	_grid.fill_terrain_region(_grid.region, 4)
	check_eq(_grid.import_navigation_polygon(_polygon([Rect2(0, 0, 64, 32)])), true)
	check_eq(_grid.region, Rect2i(2, 1, 3, 2))
	check_eq(_drawn(), "..#/###")
	check_eq(_grid.get_point_terrain(Vector2i(2, 1)), 4, "terrains stay")
	check_eq(_grid.import_navigation_polygon(_polygon([Rect2(64, 32, 64, 32)])), true)
	check_eq(_drawn(), "###/##.", "all of the last import is gone")


func test_polygons_beside_the_region_are_warned_of() -> void:
	_grid.region = Rect2i(9, 9, 2, 2)
	expect_warnings(
		1,
		(
			"PathForgeGrid.import_navigation_polygon: no polygon overlaps a cell of the region (9, 9, 2, 2)"
			+ "; all are solid"
		)
	)
	check_eq(_grid.import_navigation_polygon(_polygon([Rect2(0, 0, 64, 32)])), true)
	check_eq(_drawn(), "##/##")


func test_regions_lie_where_their_nodes_do() -> void:
	_grid.position = Vector2(160, 0)
	var first := _region([Rect2(0, 0, 32, 32)], Vector2(160, 16))
	var second := _region([Rect2(0, 0, 32, 16)], Vector2(192, 32))
	second.travel_cost = 3.0
	second.scale = Vector2(2, 1)
	var off := _region([Rect2(0, 0, 640, 640)], Vector2.ZERO)
	off.enabled = false
	check_eq(_grid.import_navigation_regions([first, second, off]), true)
	check_eq(_grid.region, Rect2i(0, 1, 6, 2))
	check_eq(_drawn(), "..####/......")
	check_eq(_grid.get_point_weight_scale(Vector2i(1, 2)), 1.0)
	check_eq(_grid.get_point_weight_scale(Vector2i(2, 2)), 3.0)


func test_a_bake_with_a_radius_of_half_a_cell() -> void:
	var source := NavigationMeshSourceGeometryData2D.new()
	source.add_traversable_outline(_box(Rect2(0, 0, 20 * CELL, 12 * CELL)))
	source.add_obstruction_outline(_box(Rect2(8 * CELL, 0, 2 * CELL, 7 * CELL)))
	var polygon := NavigationPolygon.new()
	polygon.agent_radius = CELL / 2.0
	NavigationServer2D.bake_from_source_geometry_data(polygon, source)
	check_eq(_grid.import_navigation_polygon(polygon), true)
	check_eq(_grid.region, Rect2i(0, 0, 20, 12))
	var solid := 0
	for y: int in 12:
		for x: int in 20:
			var wall := Rect2i(8, 0, 2, 7).has_point(Vector2i(x, y))
			solid += int(wall)
			check_eq(_grid.is_point_solid(Vector2i(x, y)), wall, "(%d, %d)" % [x, y])
	check_eq(solid, 14)


func test_diamonds() -> void:
	_grid.cell_shape = PathForgeGrid.CELL_SHAPE_ISOMETRIC_DOWN
	_grid.cell_size = Vector2(32, 16)
	_grid.region = Rect2i(0, 0, 3, 3)
	var center := _grid.cell_to_local(Vector2i(1, 2))
	var diamond := PackedVector2Array(
		[
			center + Vector2(0, -7),
			center + Vector2(15, 0),
			center + Vector2(0, 7),
			center + Vector2(-15, 0)
		]
	)
	var polygon := NavigationPolygon.new()
	polygon.vertices = diamond
	polygon.add_polygon(PackedInt32Array([0, 1, 2, 3]))
	check_eq(_grid.import_navigation_polygon(polygon), true)
	check_eq(_drawn(), "###/###/#.#")


func test_the_change_is_announced_once() -> void:
	var regions: Array[Rect2i] = []
	_grid.cells_changed.connect(func(region: Rect2i) -> void: regions.append(region))
	_grid.import_navigation_polygon(_polygon([Rect2(0, 0, 32, 32)]))
	check_eq(regions, [Rect2i(0, 0, 2, 2)] as Array[Rect2i])
	_grid.import_navigation_polygon(_polygon([Rect2(0, 0, 16, 16)]))
	check_eq(regions.size(), 2)


func test_what_cannot_be_imported_changes_nothing() -> void:
	_grid.set_from_text("..#")
	var before := _grid.state_hash()
	var freed := NavigationRegion2D.new()
	var broken := _region([Rect2(0, 0, 16, 16)], Vector2.ZERO)
	broken.travel_cost = NAN
	var small := _polygon([Rect2(0, 0, 16, 16)])
	var off := _region([Rect2(0, 0, 16, 16)], Vector2.ZERO)
	off.enabled = false
	var unbaked := NavigationPolygon.new()
	unbaked.add_outline(_box(Rect2(0, 0, 16, 16)))
	var values: Array = [freed]
	freed.free()
	var method := "PathForgeGrid.import_navigation_regions: "
	expect_errors(1, method + "no region is enabled")
	expect_errors(1, method + "regions[0] is 5, not a NavigationRegion2D")
	expect_errors(1, method + "regions[0] is not a NavigationRegion2D, or was freed")
	expect_errors(1, method + "regions[1] is <null>, not a NavigationRegion2D")
	expect_errors(1, method + "regions[0]: there is no NavigationPolygon")
	expect_errors(1, method + "no region is enabled")
	check_eq(_grid.import_navigation_regions([]), false)
	check_eq(_grid.import_navigation_regions([5]), false)
	check_eq(_grid.import_navigation_regions(values), false)
	var good := _region([Rect2(0, 0, 9, 9)], Vector2.ZERO)
	check_eq(_grid.import_navigation_regions([good, null]), false)
	check_eq(_grid.import_navigation_regions([add(NavigationRegion2D.new())]), false)
	check_eq(_grid.import_navigation_regions([off]), false)
	expect_errors(1, method + "regions[0]: travel_cost")
	check_eq(_grid.import_navigation_regions([broken]), false)
	method = "PathForgeGrid.import_navigation_polygon: "
	expect_errors(1, method + "there is no NavigationPolygon")
	expect_errors(1, method + "the NavigationPolygon has no polygons; bake it first")
	expect_errors(1, method + "vertex 0 of the NavigationPolygon does not lie at a finite place")
	expect_errors(1, method + "polygon 0 of the NavigationPolygon names a vertex that it has not")
	check_eq(_grid.import_navigation_polygon(null), false)
	check_eq(_grid.import_navigation_polygon(unbaked), false)
	check_eq(_grid.import_navigation_polygon(small, Transform2D(0.0, Vector2(INF, 0))), false)
	var torn := NavigationPolygon.new()
	torn.vertices = PackedVector2Array([Vector2.ZERO, Vector2.ONE])
	torn.add_polygon(PackedInt32Array([0, 1, 7]))
	check_eq(_grid.import_navigation_polygon(torn), false)
	check_eq(_grid.state_hash(), before)
	_grid.region = Rect2i()
	expect_errors(1, method)
	check_eq(_grid.import_navigation_polygon(_polygon([Rect2(0, 0, 1e7, 16)])), false)
	check_eq(_grid.region, Rect2i())


func _polygon(rects: Array[Rect2]) -> NavigationPolygon:
	var polygon := NavigationPolygon.new()
	var vertices := PackedVector2Array()
	for rect: Rect2 in rects:
		vertices.append_array(_box(rect))
	polygon.vertices = vertices
	for at: int in rects.size():
		polygon.add_polygon(PackedInt32Array([4 * at, 4 * at + 1, 4 * at + 2, 4 * at + 3]))
	return polygon


func _region(rects: Array[Rect2], at: Vector2) -> NavigationRegion2D:
	var region := NavigationRegion2D.new()
	region.navigation_polygon = _polygon(rects)
	region.position = at
	add(region)
	return region


func _box(rect: Rect2) -> PackedVector2Array:
	return [
		rect.position,
		Vector2(rect.end.x, rect.position.y),
		rect.end,
		Vector2(rect.position.x, rect.end.y)
	]


func _drawn() -> String:
	var rows: PackedStringArray = []
	for y: int in range(_grid.region.position.y, _grid.region.end.y):
		var row := ""
		for x: int in range(_grid.region.position.x, _grid.region.end.x):
			row += "#" if _grid.is_point_solid(Vector2i(x, y)) else "."
		rows.append(row)
	return "/".join(rows)
