extends TestSuite
## [signal PathForgeGrid.cells_changed]: how often, when, with which region, what handlers may do.

var _grid: PathForgeGrid = null
var _regions: Array[Rect2i] = []


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, 16, 12)
	_regions = []
	_grid.cells_changed.connect(_on_cells_changed)


func after_each() -> void:
	if is_instance_valid(_grid):
		_grid.free()


func test_once_for_each_changing_call() -> void:
	_grid.set_point_solid(Vector2i(3, 4))
	_expect([Rect2i(3, 4, 1, 1)], "set_point_solid")
	_grid.set_point_terrain(Vector2i(5, 5), 2)
	_expect([Rect2i(5, 5, 1, 1)], "set_point_terrain")
	_grid.set_point_weight_scale(Vector2i(6, 5), 2.0)
	_expect([Rect2i(6, 5, 1, 1)], "set_point_weight_scale")
	_grid.fill_solid_region(Rect2i(10, 10, 90, 90))
	_expect([Rect2i(10, 10, 6, 2)], "fill_solid_region")
	_grid.fill_terrain_region(Rect2i(0, 0, 2, 2), 1)
	_expect([Rect2i(0, 0, 2, 2)], "fill_terrain_region")
	_grid.fill_weight_scale_region(Rect2i(0, 0, 2, 3), 4.0)
	_expect([Rect2i(0, 0, 2, 3)], "fill_weight_scale_region")
	_grid.region = Rect2i(-2, 0, 10, 10)
	_expect([Rect2i(-2, 0, 18, 12)], "both regions")
	_grid.set_from_text("..#")
	check_eq(_regions.size(), 1, "set_from_text")
	_regions.clear()
	_grid.clear()
	check_eq(_regions.size(), 1, "clear")


func test_not_when_nothing_changed() -> void:
	_grid.set_point_solid(Vector2i(3, 4), false)
	_grid.set_point_terrain(Vector2i(3, 4), 0)
	_grid.set_point_weight_scale(Vector2i(3, 4), 1.0)
	_grid.fill_solid_region(Rect2i(50, 50, 4, 4))
	_grid.set_solid_data(_grid.get_solid_data())
	_grid.set_terrain_data(_grid.get_terrain_data())
	_grid.set_weight_data(_grid.get_weight_data())
	_grid.from_bytes(_grid.to_bytes())
	_grid.region = _grid.region
	_grid.begin_edit()
	_grid.end_edit()
	_grid.cell_size = Vector2(8, 8)
	_expect([], "nothing")


func test_the_region_is_what_changed_not_what_was_asked_for() -> void:
	_grid.fill_solid_region(Rect2i(2, 2, 3, 3))
	_regions.clear()
	_grid.fill_solid_region(Rect2i(2, 2, 4, 3))
	_expect([Rect2i(5, 2, 1, 3)], "the new column")
	var data := _grid.get_solid_data()
	data[0] = 1
	data[16 + 1] = 1
	_grid.set_solid_data(data)
	_expect([Rect2i(0, 0, 2, 2)], "bulk")


func test_edits_nest() -> void:
	_grid.begin_edit()
	_grid.set_point_solid(Vector2i(2, 2))
	_grid.begin_edit()
	_grid.set_point_terrain(Vector2i(8, 9), 3)
	_grid.end_edit()
	_expect([], "the outer edit is open")
	check_eq(_grid.find_path(Vector2i.ZERO, Vector2i(2, 2)).is_complete(), false, "seen at once")
	_grid.end_edit()
	_expect([Rect2i(2, 2, 7, 8)], "one for both")
	_grid.set_point_solid(Vector2i(0, 0))
	_expect([Rect2i(0, 0, 1, 1)], "and on as before")


func test_synchronously_and_with_the_new_cells() -> void:
	var seen: Array[bool] = []
	_grid.cells_changed.connect(
		func(_region: Rect2i) -> void: seen.append(_grid.is_point_solid(Vector2i(1, 1)))
	)
	_grid.set_point_solid(Vector2i(1, 1))
	check_eq(seen, [true] as Array[bool])


func test_edits_and_queries_inside_a_handler() -> void:
	var costs: Array[float] = []
	var answer := func(region: Rect2i) -> void:
		costs.append(_grid.find_path(Vector2i.ZERO, Vector2i(8, 0)).cost)
		if _regions.size() < 8:
			_grid.set_point_solid(region.position + Vector2i(0, 1))
			_grid.set_point_weight_scale(region.position, 2.0)
	_grid.cells_changed.connect(answer)
	_grid.set_point_solid(Vector2i(4, 0))
	check(_regions.size() >= 8, "%d signals" % _regions.size())
	check(costs.size() >= 8 and costs[0] > 8.0, "the path goes around: %s" % [costs])


func test_a_region_changed_inside_a_handler() -> void:
	var shrink := func(_region: Rect2i) -> void:
		if _grid.region.size.x > 4:
			_grid.region = Rect2i(0, 0, _grid.region.size.x - 1, 4)
	_grid.cells_changed.connect(shrink)
	_grid.region = Rect2i(0, 0, 10, 10)
	check_eq(_grid.region, Rect2i(0, 0, 4, 4))
	_regions.clear()
	_grid.set_point_solid(Vector2i(1, 1))
	_expect([Rect2i(1, 1, 1, 1)], "and on as before")


func test_begin_and_end_edit_inside_a_handler() -> void:
	var once := func(_region: Rect2i) -> void:
		_grid.begin_edit()
		_grid.set_point_solid(Vector2i(9, 9))
		_grid.end_edit()
	_grid.cells_changed.connect(once, CONNECT_ONE_SHOT)
	_grid.set_point_solid(Vector2i(1, 1))
	check_eq(_regions.size(), 2)
	check_eq(_grid.is_point_solid(Vector2i(9, 9)), true)


func test_a_grid_that_a_handler_deletes() -> void:
	add(_grid)
	_grid.cells_changed.connect(func(_region: Rect2i) -> void: _grid.queue_free())
	_grid.set_point_solid(Vector2i(1, 1))
	check_eq(is_instance_valid(_grid), true, "until the frame ends")
	await frames(2)
	check_eq(is_instance_valid(_grid), false)


func test_a_grid_that_a_handler_frees_at_once() -> void:
	# The engine forbids it while the signal runs, and says so.
	expect_errors(1, "Object is locked")
	expect_errors(1, "Attempted to free a locked object")
	_grid.cells_changed.connect(func(_region: Rect2i) -> void: _grid.free())
	_grid.set_point_solid(Vector2i(1, 1))
	check_eq(is_instance_valid(_grid), true)
	_grid.cells_changed.disconnect(_grid.cells_changed.get_connections()[1]["callable"])
	check_eq(_grid.is_point_solid(Vector2i(1, 1)), true)


func test_an_endless_chain_of_edits_ends() -> void:
	var toggle := func(_region: Rect2i) -> void:
		_grid.set_point_solid(Vector2i(5, 5), not _grid.is_point_solid(Vector2i(5, 5)))
	_grid.cells_changed.connect(toggle)
	expect_errors(1, "PathForgeGrid.cells_changed: handlers have edited the grid 128 deep")
	_grid.set_point_solid(Vector2i(1, 1))
	check_eq(_regions.size(), 128)
	_grid.cells_changed.disconnect(toggle)
	_regions.clear()
	_grid.set_point_solid(Vector2i(2, 1))
	_expect([Rect2i(2, 1, 1, 1)], "and on as before")


func _on_cells_changed(region: Rect2i) -> void:
	_regions.append(region)


func _expect(regions: Array, what: String) -> void:
	var wanted: Array[Rect2i] = []
	wanted.assign(regions)
	check_eq(_regions, wanted, what)
	_regions.clear()
