extends TestSuite
## What a script can do wrong to a grid: each gives a clear error or a documented outcome, and
## changes nothing. See [code]test_bad_values.gd[/code] for profiles and clearance maps.

const HUGE := 2147483647

var _grid: PathForgeGrid = null
var _hash := 0
var _signals := 0


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.set_from_text("....\n.#~.\n....")
	_grid.set_point_weight_scale(Vector2i(3, 2), 2.5)
	add(_grid)
	_hash = _grid.state_hash()
	_signals = 0
	_grid.cells_changed.connect(func(_region: Rect2i) -> void: _signals += 1)


func after_each() -> void:
	if is_instance_valid(_grid):
		check_eq(_grid.state_hash(), _hash, "nothing has changed")
		check_eq(_signals, 0, "nothing was announced")
		check_eq(_grid.region, Rect2i(0, 0, 4, 3), "the region")


func test_cells_outside_the_region() -> void:
	var out := Vector2i(99, 3)
	var place := "cell (99, 3) is outside the region [position (0, 0), size (4, 3)]"
	for method: String in ["set_point_solid", "set_point_terrain", "set_point_weight_scale"]:
		expect_errors(1, "PathForgeGrid.%s: %s" % [method, place])
	_grid.set_point_solid(out)
	_grid.set_point_terrain(out, 1)
	_grid.set_point_weight_scale(out, 2.0)
	for method: String in [
		"is_point_solid",
		"get_point_terrain",
		"get_point_weight_scale",
		"get_point_position",
		"get_id_path",
		"get_point_path",
	]:
		expect_errors(1, "PathForgeGrid.%s: %s" % [method, place])
	check_eq(_grid.is_point_solid(out), false)
	check_eq(_grid.get_point_terrain(out), -1)
	check_eq(_grid.get_point_weight_scale(out), 0.0)
	check_eq(_grid.get_point_position(out), Vector2.ZERO)
	check_eq(_grid.get_id_path(Vector2i.ZERO, out), [] as Array[Vector2i])
	check_eq(_grid.get_point_path(out, Vector2i.ZERO), PackedVector2Array())


func test_queries_outside_are_outcomes_without_errors() -> void:
	for cell: Vector2i in [Vector2i.MIN, Vector2i.MAX, Vector2i(-1, 0), Vector2i(4, 0)]:
		var path := _grid.find_path(cell, Vector2i.ZERO)
		check_eq(path.status, PathForgePath.STATUS_INVALID, str(cell))
		check_eq(path.reason, PathForgePath.REASON_START_OUT_OF_BOUNDS, str(cell))
		path = _grid.find_path(Vector2i.ZERO, cell, null, PathForgeGrid.GOAL_NEAREST)
		check_eq(path.reason, PathForgePath.REASON_GOAL_OUT_OF_BOUNDS, str(cell))
		check_eq(_grid.is_reachable(cell, cell), false)
		check_eq(_grid.can_stand(cell, a_body(Vector2i(2, 2))), false)
		check_eq(_grid.get_clearance(cell), 0)
		check_eq(_grid.local_to_cell(_grid.cell_to_local(cell)) is Vector2i, true)
		check(_grid.find_nearest_fit(cell) != Vector2i.MIN, "the nearest from anywhere")


func test_impossible_regions() -> void:
	expect_errors(4, "PathForgeGrid.region: region [")
	_grid.region = Rect2i(0, 0, -4, 3)
	_grid.region = Rect2i(0, 0, 46341, 46341)
	_grid.region = Rect2i(HUGE, 0, 10, 10)
	_grid.region = Rect2i(0, 0, 16385, 1)


func test_fills_of_negative_and_huge_regions() -> void:
	var negative := Rect2i(3, 2, -2, -2)
	for method: String in [
		"fill_solid_region",
		"fill_terrain_region",
		"fill_weight_scale_region",
		"get_point_data_in_region",
	]:
		expect_errors(1, "PathForgeGrid.%s: region [position (3, 2), size (-2, -2)]" % method)
	_grid.fill_solid_region(negative)
	_grid.fill_terrain_region(negative, 1)
	_grid.fill_weight_scale_region(negative, 2.0)
	check_eq(_grid.get_point_data_in_region(negative).size(), 0)
	_grid.fill_solid_region(Rect2i(HUGE, HUGE, HUGE, HUGE))
	_grid.fill_solid_region(Rect2i(-HUGE - 1, 0, 5, 5))
	_grid.fill_solid_region(Rect2i(0, 0, 0, 5))
	check_eq(_grid.get_point_data_in_region(Rect2i(-HUGE, -HUGE, HUGE, HUGE)).size(), 0)
	check_eq(_grid.get_point_data_in_region(Rect2i(0, 0, HUGE, HUGE)).size(), 12)


func test_weights_that_are_no_weights() -> void:
	var weights: Array[float] = [NAN, INF, -INF, -0.5, 1e300]
	expect_errors(5, "PathForgeGrid.set_point_weight_scale: weight ")
	expect_errors(5, "PathForgeGrid.fill_weight_scale_region: weight ")
	expect_errors(5, "PathForgeGrid.set_weight_data: weight ")
	for weight: float in weights:
		_grid.set_point_weight_scale(Vector2i.ZERO, weight)
		_grid.fill_weight_scale_region(Rect2i(0, 0, 2, 2), weight)
		var data := _grid.get_weight_data()
		data[11] = weight
		_grid.set_weight_data(data)


func test_terrain_that_is_no_terrain() -> void:
	expect_errors(4, "PathForgeGrid.set_point_terrain: terrain id ")
	expect_errors(1, "PathForgeGrid.fill_terrain_region: terrain id 32 is not within 0 and 31")
	for id: int in [-1, 32, 1 << 40, -(1 << 62)]:
		_grid.set_point_terrain(Vector2i.ZERO, id)
	_grid.fill_terrain_region(Rect2i(0, 0, 2, 2), 32)
	expect_errors(1, "PathForgeGrid.set_terrain_data: terrain id 200")
	var data := _grid.get_terrain_data()
	data[3] = 200
	_grid.set_terrain_data(data)


func test_arrays_of_the_wrong_length() -> void:
	for method: String in ["set_solid_data", "set_terrain_data", "set_weight_data"]:
		expect_errors(2, "PathForgeGrid.%s: the array has " % method)
	_grid.set_solid_data(PackedByteArray())
	_grid.set_solid_data(PackedByteArray([1, 2, 3]))
	_grid.set_terrain_data(PackedByteArray())
	_grid.set_terrain_data(PackedByteArray([1, 2, 3]))
	_grid.set_weight_data(PackedFloat32Array())
	_grid.set_weight_data(PackedFloat32Array([1, 2, 3]))


func test_text_that_is_no_map() -> void:
	expect_errors(1, "PathForgeGrid.set_from_text: letter '?' in row 2, column 1")
	expect_errors(1, "PathForgeGrid.set_from_text: row 2 has 1 letters, the first has 2")
	expect_errors(2, "PathForgeGrid.set_from_text: the map's header is broken")
	_grid.set_from_text("..\n?.")
	_grid.set_from_text("..\n.")
	_grid.set_from_text("type octile\nheight 2\nmap\n..\n..")
	_grid.set_from_text("type something")


func test_bytes_that_are_no_map() -> void:
	var bytes := _grid.to_bytes()
	expect_errors(bytes.size() + 2, "PathForgeGrid.from_bytes: ")
	for length: int in bytes.size():
		check_eq(_grid.from_bytes(bytes.slice(0, length)), false)
	bytes.append(0)
	check_eq(_grid.from_bytes(bytes), false)
	bytes = _grid.to_bytes()
	bytes.encode_s32(12, HUGE)
	check_eq(_grid.from_bytes(bytes), false, "a huge region")


func test_capabilities_and_modes() -> void:
	check_eq(_grid.can_stand(Vector2i.ZERO, a_body(Vector2i.ONE, 0)), false, "no terrain at all")
	expect_errors(1, "PathForgeGrid.find_path: goal_mode 7")
	var path := _grid.find_path(Vector2i.ZERO, Vector2i.ZERO, null, 7)
	check_eq(path.status, PathForgePath.STATUS_INVALID)
	expect_errors(1, "PathForgeGrid.diagonal_mode: 4")
	expect_errors(1, "PathForgeGrid.cell_shape: -1")
	_grid.diagonal_mode = 4
	_grid.cell_shape = -1
	check_eq(_grid.diagonal_mode, PathForgeGrid.DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES)
	check_eq(_grid.cell_shape, PathForgeGrid.CELL_SHAPE_SQUARE)


func test_cell_sizes_and_offsets() -> void:
	expect_errors(4, "PathForgeGrid.cell_size: cell_size ")
	for size: Vector2 in [Vector2.ZERO, Vector2(16, -1), Vector2(NAN, 16), Vector2(16, INF)]:
		_grid.cell_size = size
	check_eq(_grid.cell_size, Vector2(16, 16))
	expect_errors(1, "PathForgeGrid.offset: offset ")
	_grid.offset = Vector2(NAN, 0)
	check_eq(_grid.offset, Vector2.ZERO)


func test_end_edit_without_begin_edit() -> void:
	expect_errors(2, "PathForgeGrid.end_edit: there is no edit to end")
	_grid.end_edit()
	_grid.begin_edit()
	_grid.end_edit()
	_grid.end_edit()
