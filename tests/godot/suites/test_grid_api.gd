extends TestSuite
## [PathForgeGrid]: its properties, cells and conversions do what their help says.

## What AStarGrid2D has and a grid that is always up to date, and whose paths cost least, needs not.
const LEFT_OUT: Array[String] = [
	# Deprecated: `region` has it.
	"size",
	"update",
	"is_dirty",
	"jumping_enabled",
	"is_jumping_enabled",
	"default_compute_heuristic",
	"default_estimate_heuristic",
]

var _grid: PathForgeGrid = null


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(-4, -2, 12, 9)
	add(_grid)


func test_defaults() -> void:
	var fresh := PathForgeGrid.new()
	check_eq(fresh.region, Rect2i(), "region")
	check_eq(fresh.cell_size, Vector2(16, 16), "cell_size")
	check_eq(fresh.offset, Vector2.ZERO, "offset")
	check_eq(fresh.cell_shape, PathForgeGrid.CELL_SHAPE_SQUARE, "cell_shape")
	check_eq(fresh.diagonal_mode, PathForgeGrid.DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES, "mode")
	check_eq(fresh.terrain_names, PackedStringArray(), "terrain_names")
	check_eq(fresh.store_cells, true, "store_cells")
	fresh.free()


func test_constants_equal_those_of_astar_grid() -> void:
	check_eq(PathForgeGrid.DIAGONAL_MODE_ALWAYS, AStarGrid2D.DIAGONAL_MODE_ALWAYS)
	check_eq(PathForgeGrid.DIAGONAL_MODE_NEVER, AStarGrid2D.DIAGONAL_MODE_NEVER)
	check_eq(
		PathForgeGrid.DIAGONAL_MODE_AT_LEAST_ONE_WALKABLE,
		AStarGrid2D.DIAGONAL_MODE_AT_LEAST_ONE_WALKABLE
	)
	check_eq(
		PathForgeGrid.DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES,
		AStarGrid2D.DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES
	)
	check_eq(PathForgeGrid.CELL_SHAPE_SQUARE, AStarGrid2D.CELL_SHAPE_SQUARE)
	check_eq(PathForgeGrid.CELL_SHAPE_ISOMETRIC_RIGHT, AStarGrid2D.CELL_SHAPE_ISOMETRIC_RIGHT)
	check_eq(PathForgeGrid.CELL_SHAPE_ISOMETRIC_DOWN, AStarGrid2D.CELL_SHAPE_ISOMETRIC_DOWN)
	check_eq(
		[0, 1, 2], [PathForgeGrid.GOAL_EXACT, PathForgeGrid.GOAL_COVER, PathForgeGrid.GOAL_NEAREST]
	)


func test_verbs_and_properties_of_astar_grid_exist() -> void:
	var theirs := AStarGrid2D.new()
	for method: Dictionary in ClassDB.class_get_method_list("AStarGrid2D", true):
		var name: String = method["name"]
		if (
			not name.begins_with("_")
			and not LEFT_OUT.has(name.trim_prefix("set_").trim_prefix("get_"))
		):
			check(_grid.has_method(name), "method %s" % name)
	for property: Dictionary in ClassDB.class_get_property_list("AStarGrid2D", true):
		var name: String = property["name"]
		if property["type"] == TYPE_NIL or LEFT_OUT.has(name):
			continue
		check(name in _grid, "property %s" % name)
		check_eq(typeof(_grid.get(name)), typeof(theirs.get(name)), "the type of %s" % name)


func test_solid_terrain_and_weight_are_apart() -> void:
	var cell := Vector2i(-4, 6)
	_grid.set_point_solid(cell)
	_grid.set_point_terrain(cell, 31)
	_grid.set_point_weight_scale(cell, 2.5)
	check_eq(_grid.is_point_solid(cell), true)
	_grid.set_point_solid(cell, false)
	check_eq(_grid.is_point_solid(cell), false)
	check_eq(_grid.get_point_terrain(cell), 31)
	check_eq(_grid.get_point_weight_scale(cell), 2.5)
	check_eq(_grid.get_point_terrain(Vector2i.ZERO), 0)
	check_eq(_grid.get_point_weight_scale(Vector2i.ZERO), 1.0)


func test_fills_leave_out_what_lies_outside() -> void:
	_grid.fill_solid_region(Rect2i(6, -50, 100, 100))
	_grid.fill_terrain_region(Rect2i(-100, -2, 200, 1), 3)
	_grid.fill_weight_scale_region(Rect2i(0, 0, 1, 1), 0.0)
	check_eq(_grid.get_solid_data().count(1), 2 * 9)
	check_eq(_grid.get_terrain_data().count(3), 12)
	check_near(_grid.get_point_weight_scale(Vector2i.ZERO), 1.0 / 70.0, 0.00001)
	_grid.fill_solid_region(Rect2i(100, 100, 5, 5))
	_grid.fill_solid_region(Rect2i(0, 0, 0, 0))
	check_eq(_grid.get_solid_data().count(1), 2 * 9, "neither changes anything")


func test_bulk_data_is_row_major_over_the_region() -> void:
	var solid := PackedByteArray()
	solid.resize(12 * 9)
	solid[0] = 7
	solid[12 + 3] = 1
	_grid.set_solid_data(solid)
	check_eq(_grid.is_point_solid(Vector2i(-4, -2)), true)
	check_eq(_grid.is_point_solid(Vector2i(-1, -1)), true)
	check_eq(_grid.get_solid_data().count(1), 2, "as 0 and 1")
	var terrain := PackedByteArray()
	terrain.resize(12 * 9)
	terrain[12 * 9 - 1] = 5
	_grid.set_terrain_data(terrain)
	check_eq(_grid.get_point_terrain(Vector2i(7, 6)), 5)
	check_eq(_grid.get_terrain_data(), terrain)
	var weights := PackedFloat32Array()
	weights.resize(12 * 9)
	weights.fill(1.5)
	_grid.set_weight_data(weights)
	check_eq(_grid.get_weight_data(), weights)


func test_text_draws_the_map() -> void:
	_grid.set_from_text("\n\t..#~\n\t@TGS\n\tW...\n")
	check_eq(_grid.region, Rect2i(-4, -2, 4, 3), "the position stays")
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0]))
	check_eq(_grid.get_terrain_data(), PackedByteArray([0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0]))
	_grid.set_from_text("type octile\nheight 2\nwidth 3\nmap\n.G@\nTWS")
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 0, 1, 1, 1, 0]))


func test_a_new_region_keeps_shared_cells() -> void:
	_grid.set_point_solid(Vector2i(1, 1))
	_grid.set_point_terrain(Vector2i(2, 1), 4)
	_grid.region = Rect2i(0, 0, 3, 3)
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 0, 0, 0, 1, 0, 0, 0, 0]))
	_grid.region = Rect2i(0, 0, 20, 20)
	check_eq(_grid.is_point_solid(Vector2i(1, 1)), true)
	check_eq(_grid.get_point_terrain(Vector2i(2, 1)), 4)


func test_clear_empties_the_region_as_astar_grid_does() -> void:
	_grid.clear()
	check_eq(_grid.region, Rect2i())
	check_eq(_grid.find_path(Vector2i.ZERO, Vector2i.ONE).reason, PathForgePath.REASON_EMPTY_GRID)


func test_point_data_is_that_of_astar_grid() -> void:
	var theirs := AStarGrid2D.new()
	theirs.region = _grid.region
	theirs.cell_size = _grid.cell_size
	theirs.update()
	for grid: Object in [_grid, theirs] as Array[Object]:
		grid.call("set_point_solid", Vector2i(2, 1))
		grid.call("set_point_weight_scale", Vector2i(3, 1), 2.5)
	for region: Rect2i in [Rect2i(0, 0, 4, 4), Rect2i(-100, -3, 200, 5), Rect2i(50, 50, 2, 2)]:
		var data := _grid.get_point_data_in_region(region)
		check_eq(str(data), str(theirs.get_point_data_in_region(region)), str(region))


func test_bounds() -> void:
	check_eq(_grid.is_in_bounds(-4, -2), true)
	check_eq(_grid.is_in_bounds(8, 0), false)
	check_eq(_grid.is_in_bounds(1 << 40, 0), false)
	check_eq(_grid.is_in_boundsv(Vector2i(7, 6)), true)
	check_eq(_grid.is_in_boundsv(Vector2i(7, 7)), false)


func test_cells_and_positions_are_inverse() -> void:
	for shape: int in 3:
		_grid.cell_shape = shape
		_grid.cell_size = Vector2(40, 20)
		_grid.offset = Vector2(3, -5)
		_grid.position = Vector2(100, 50)
		_grid.rotation = 0.3
		for cell: Vector2i in [Vector2i(-4, -2), Vector2i.ZERO, Vector2i(7, 6), Vector2i(90, -70)]:
			check_eq(_grid.local_to_cell(_grid.cell_to_local(cell)), cell, "shape %d" % shape)
			check_eq(_grid.global_to_cell(_grid.cell_to_global(cell)), cell, "global, %d" % shape)
			check_eq(_grid.cell_to_local(cell, a_body(Vector2i.ONE)), _grid.cell_to_local(cell))
			check(
				(
					(
						(_grid.to_global(_grid.cell_to_local(cell)) - _grid.cell_to_global(cell))
						. length()
					)
					< 0.1
				),
				"global is local, moved"
			)


func test_a_footprint_center_is_the_mean_of_its_cells() -> void:
	for shape: int in 3:
		_grid.cell_shape = shape
		var sum := Vector2.ZERO
		for y: int in 2:
			for x: int in 3:
				sum += _grid.cell_to_local(Vector2i(1 + x, 2 + y))
		var center := _grid.cell_to_local(Vector2i(1, 2), a_body(Vector2i(3, 2)))
		check_near(center.distance_to(sum / 6.0), 0.0, 0.001, "shape %d" % shape)


func test_conversions_mean_the_body() -> void:
	var bodies: Array[PathForgeProfile] = [null]
	for size: Vector2i in [Vector2i(1, 1), Vector2i(3, 2), Vector2i(4, 4), Vector2i(64, 1)]:
		bodies.append(a_body(size))
	_grid.offset = Vector2(-7, 3)
	_grid.position = Vector2(90, -20)
	for shape: int in 3:
		_grid.cell_shape = shape
		for body: PathForgeProfile in bodies:
			var cells: Array[Vector2i] = []
			var places: PackedVector2Array = []
			for n: int in 50:
				cells.append(Vector2i(n * 7 % 31 - 12, n * 5 % 23 - 9))
				places.append(_grid.cell_to_local(cells[-1], body))
			check_eq(_grid.cells_to_local(cells, body), places, "one by one and all at once")
			check_eq(_grid.local_to_cells(places, body), cells, "and back")
			var global := _grid.cell_to_global(cells[9], body)
			check_near(global.distance_to(_grid.to_global(places[9])), 0.0, 0.01)
			check_eq(_grid.global_to_cell(global, body), cells[9], "in global space")
			check_eq(_grid.local_to_cell(places[9], body), cells[9], "in local space")
	var far := Vector2i(Vector2i.MAX.x, -(1 << 24) - 1)
	check_eq(_grid.cells_to_local([far])[0], _grid.cell_to_local(far), "beyond whole floats")
	check_eq(_grid.local_to_cells([Vector2(NAN, 1)]), [Vector2i.MIN] as Array[Vector2i])
	check_eq(_grid.local_to_cells([]), [] as Array[Vector2i])
	check_eq(_grid.cells_to_local([]), PackedVector2Array())


func test_a_body_is_where_its_centre_is_nearest() -> void:
	_grid.cell_shape = PathForgeGrid.CELL_SHAPE_SQUARE
	_grid.cell_size = Vector2(10, 10)
	var wide := a_body(Vector2i(2, 1))
	check_eq(_grid.cell_to_local(Vector2i(3, 3), wide), Vector2(40, 35))
	check_eq(_grid.local_to_cell(Vector2(44.9, 35), wide), Vector2i(3, 3))
	check_eq(_grid.local_to_cell(Vector2(45.1, 35), wide), Vector2i(4, 3))
	check_eq(_grid.local_to_cell(Vector2(35.1, 39), wide), Vector2i(3, 3))


func test_positions_without_a_cell() -> void:
	check_eq(_grid.local_to_cell(Vector2(NAN, 0)), Vector2i.MIN)
	check_eq(_grid.global_to_cell(Vector2(0, INF)), Vector2i.MIN)
	_grid.scale = Vector2.ZERO
	check(_grid.global_to_cell(Vector2.ONE) is Vector2i, "a node scaled to nothing answers")


func test_fits_and_clearance() -> void:
	_grid.set_point_solid(Vector2i(2, 2))
	_grid.set_point_terrain(Vector2i(5, 5), 1)
	check_eq(_grid.get_clearance(Vector2i(-4, -2)), 6)
	check_eq(_grid.can_stand(Vector2i(-4, -2), a_body(Vector2i(6, 6))), true)
	check_eq(_grid.can_stand(Vector2i(-4, -2), a_body(Vector2i(7, 5))), false)
	check_eq(_grid.can_stand(Vector2i(-4, -2), a_body(Vector2i(6, 9))), true)
	check_eq(_grid.can_stand(Vector2i(3, 3), a_body(Vector2i(3, 3))), true)
	check_eq(_grid.can_stand(Vector2i(3, 3), a_body(Vector2i(3, 3), 1)), false)
	check_eq(_grid.get_clearance(Vector2i(5, 5), a_body(Vector2i.ONE, 1 << 1)), 1)
	check_eq(_grid.get_clearance(Vector2i(2, 2)), 0)
	check_eq(_grid.get_clearance(Vector2i(99, 2)), 0, "outside")
	check_eq(_grid.can_stand(Vector2i(99, 2), a_body(Vector2i.ONE)), false, "outside")


func test_the_nearest_fit() -> void:
	_grid.fill_solid_region(Rect2i(0, 0, 3, 3))
	check_eq(_grid.find_nearest_fit(Vector2i(1, 1)), Vector2i(1, -1), "ties by y, then x")
	check_eq(_grid.find_nearest_fit(Vector2i(1, 1), null, 1.9), Vector2i.MIN)
	check_eq(_grid.find_nearest_fit(Vector2i(-90, 0)), Vector2i(-4, 0), "from outside")
	var wide := PathForgeProfile.new()
	wide.footprint = Vector2i(12, 2)
	check_eq(_grid.find_nearest_fit(Vector2i(1, 1), wide), Vector2i(-4, -2))


func test_state_hash_tells_maps_apart() -> void:
	var other := PathForgeGrid.new()
	other.region = _grid.region
	check_eq(other.state_hash(), _grid.state_hash())
	other.set_point_weight_scale(Vector2i(3, 3), 2.0)
	check_ne(other.state_hash(), _grid.state_hash(), "a weight counts")
	check_eq(_grid.from_bytes(other.to_bytes()), true)
	check_eq(other.state_hash(), _grid.state_hash())
	check_eq(typeof(_grid.state_hash()), TYPE_INT)
	other.free()
