extends TestSuite
## [ClearanceMap]: both metrics against brute force, its grid, its texture, its signal.

var _grid: PathForgeGrid = null
var _random := RandomNumberGenerator.new()


func before_each() -> void:
	_random.seed = 7
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(-3, 2, 23, 17)
	add(_grid)
	for cell: int in 60:
		_grid.set_point_solid(_any_cell())
	for cell: int in 60:
		_grid.set_point_terrain(_any_cell(), _random.randi_range(0, 2))


func test_both_metrics_agree_with_brute_force() -> void:
	for terrain_mask: int in [0xFFFFFFFF, 1, 5]:
		for metric: int in [ClearanceMap.METRIC_TRUE, ClearanceMap.METRIC_BRUSHFIRE]:
			var map := _map(metric, terrain_mask)
			var data := map.get_clearance_data()
			check_eq(data.size(), _grid.region.get_area())
			var wrong: Array[Vector2i] = []
			for index: int in data.size():
				var cell := _cell_at(index)
				var wanted := _brute_force(cell, metric, terrain_mask)
				if data[index] != wanted or map.get_clearance(cell) != wanted:
					wrong.append(cell)
			check(
				wrong.is_empty(), "metric %d, terrain_mask %d: %s" % [metric, terrain_mask, wrong]
			)
			map.free()


func test_repaired_equals_rebuilt() -> void:
	var maps: Array[ClearanceMap] = [
		_map(ClearanceMap.METRIC_TRUE), _map(ClearanceMap.METRIC_BRUSHFIRE)
	]
	for edit: int in 60:
		_grid.set_point_solid(_any_cell(), edit % 2 == 0)
		for map: ClearanceMap in maps:
			var fresh := PathForgeGrid.new()
			fresh.from_bytes(_grid.to_bytes())
			var rebuilt := _map(map.metric)
			rebuilt.grid = fresh
			check_eq(map.get_clearance_data(), rebuilt.get_clearance_data(), "edit %d" % edit)
			rebuilt.free()
			fresh.free()


func test_clearance_is_the_grids_own() -> void:
	var map := _map(ClearanceMap.METRIC_TRUE)
	for index: int in _grid.region.get_area():
		var cell := _cell_at(index)
		var clearance := map.get_clearance(cell)
		check_eq(_grid.get_clearance(cell), clearance, str(cell))
		for side: int in range(1, 8):
			check_eq(
				_grid.can_stand(cell, a_body(Vector2i(side, side))), clearance >= side, str(cell)
			)


func test_a_maximum_bounds_values_and_not_those_of_the_grid() -> void:
	_grid.clear()
	_grid.region = Rect2i(0, 0, 400, 300)
	var map := _map(ClearanceMap.METRIC_TRUE)
	check_eq(map.get_clearance(Vector2i.ZERO), 255)
	map.max_clearance = 4
	check_eq(map.get_clearance(Vector2i.ZERO), 4)
	check_eq(map.get_clearance(Vector2i(397, 0)), 3)
	check_eq(_grid.get_clearance(Vector2i.ZERO), 300)
	map.metric = ClearanceMap.METRIC_BRUSHFIRE
	check_eq(map.get_clearance(Vector2i(200, 150)), 4)


func test_brushfire_refuses_a_place_where_a_body_fits() -> void:
	_grid.set_from_text("....\n....")
	var cell := _grid.region.position
	check_eq(_map(ClearanceMap.METRIC_TRUE).get_clearance(cell), 2)
	check_eq(_map(ClearanceMap.METRIC_BRUSHFIRE).get_clearance(cell), 1)
	check_eq(_grid.can_stand(cell, a_body(Vector2i(2, 2))), true, "and it does")


func test_the_texture_is_the_data() -> void:
	var map := _map(ClearanceMap.METRIC_TRUE)
	var texture := map.get_clearance_texture()
	check_eq(texture.get_size(), Vector2(23, 17))
	check_eq(texture.get_image().get_data(), map.get_clearance_data())
	_grid.fill_solid_region(Rect2i(0, 5, 4, 4))
	check_eq(map.get_clearance_texture(), texture, "one texture, brought up to date")
	# Without a renderer, a texture keeps its first picture.
	if DisplayServer.get_name() != "headless":
		check_eq(texture.get_image().get_data(), map.get_clearance_data())
	var fresh := _map(ClearanceMap.METRIC_TRUE)
	check_eq(fresh.get_clearance_texture().get_image().get_data(), map.get_clearance_data())
	_grid.region.size = Vector2i(9, 5)
	check_eq(map.get_clearance_texture().get_size(), Vector2(9, 5))
	_grid.clear()
	check_eq(map.get_clearance_texture(), null, "no cells")


func test_the_signal_tells_where_values_changed() -> void:
	_grid.clear()
	_grid.region = Rect2i(0, 0, 60, 40)
	var map := _map(ClearanceMap.METRIC_TRUE)
	map.max_clearance = 5
	var twin := _map(ClearanceMap.METRIC_TRUE)
	twin.max_clearance = 5
	var heard: Array[Rect2i] = []
	var heard_by_twin: Array[Rect2i] = []
	map.clearance_changed.connect(func(region: Rect2i) -> void: heard.append(region))
	twin.clearance_changed.connect(func(region: Rect2i) -> void: heard_by_twin.append(region))
	_grid.set_point_solid(Vector2i(30, 20))
	check_eq(heard, [Rect2i(26, 16, 5, 5)] as Array[Rect2i])
	check_eq(heard_by_twin, heard, "two nodes of one kind")
	_grid.set_point_weight_scale(Vector2i(3, 3), 2.0)
	check_eq(heard.size(), 1, "weights are no obstacles")
	map.profile = a_body(Vector2i.ONE, 1)
	check_eq(heard[-1], _grid.region, "another terrain_mask measures anew")
	_grid.set_point_terrain(Vector2i(50, 30), 3)
	check_eq(heard[-1], Rect2i(46, 26, 5, 5))
	check_eq(heard_by_twin.size(), 1, "every terrain is open to the twin")


func test_it_follows_its_profile() -> void:
	var map := _map(ClearanceMap.METRIC_TRUE)
	_grid.clear()
	_grid.region = Rect2i(0, 0, 6, 6)
	var obstacle := _grid.add_obstacle(Rect2i(3, 3, 1, 1), 1 << 4)
	check_eq(map.get_clearance(Vector2i.ZERO), 3, "up to the obstacle")
	var heard: Array[Rect2i] = []
	map.clearance_changed.connect(func(region: Rect2i) -> void: heard.append(region))
	map.profile.ignored_obstacle_layers = 1 << 4
	check_eq(map.get_clearance(Vector2i.ZERO), 6, "the obstacle is ignored for its layer")
	check_eq(_grid.get_clearance(Vector2i.ZERO, map.profile), 6, "as the grid says")
	await frames(2)
	check_eq(heard, [_grid.region] as Array[Rect2i], "and listeners are told")
	map.profile.ignored_obstacle_layers = 0
	map.profile.ignored_obstacles = [obstacle]
	check_eq(map.get_clearance(Vector2i.ZERO), 6, "for its id")
	map.profile = null
	check_eq(map.get_clearance(Vector2i.ZERO), 3, "no profile ignores nothing")


func test_a_handler_may_edit_and_ask() -> void:
	var map := _map(ClearanceMap.METRIC_TRUE)
	var answers: Array[int] = []
	var once := func(region: Rect2i) -> void:
		answers.append(map.get_clearance(region.position))
		_grid.fill_solid_region(Rect2i(0, 3, 2, 2))
	map.clearance_changed.connect(once, CONNECT_ONE_SHOT)
	_grid.fill_solid_region(Rect2i(8, 8, 3, 3), not _grid.is_point_solid(Vector2i(8, 8)))
	check_eq(answers.size(), 1)
	check_eq(map.get_clearance(Vector2i(1, 4)), 0)


func test_the_nearest_grid_is_found() -> void:
	var map := ClearanceMap.new()
	add(map)
	check_eq(map.grid, null, "it is not named")
	check_eq(map.get_clearance_data().size(), 23 * 17, "a sibling")
	var other := PathForgeGrid.new()
	other.region = Rect2i(0, 0, 5, 5)
	add(other)
	var between := Node.new()
	other.add_child(between)
	map.reparent(between)
	check_eq(map.get_clearance_data().size(), 25, "an ancestor")
	map.reparent(other)
	check_eq(map.get_clearance_data().size(), 25, "the parent")
	map.grid = _grid
	check_eq(map.get_clearance_data().size(), 23 * 17, "the one that is named")
	map.grid = null
	check_eq(map.get_clearance_data().size(), 25, "the nearest again")


func test_it_works_outside_the_tree() -> void:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 3, 3)
	var map := ClearanceMap.new()
	grid.add_child(map)
	check_eq(map.get_clearance(Vector2i.ZERO), 3)
	grid.set_point_solid(Vector2i(2, 2))
	check_eq(map.get_clearance(Vector2i.ZERO), 2)
	grid.free()


func _map(metric: int, terrain_mask := 0xFFFFFFFF) -> ClearanceMap:
	var map := ClearanceMap.new()
	map.grid = _grid
	map.metric = metric
	map.profile = a_body(Vector2i(3, 2), terrain_mask)
	add(map)
	return map


func _any_cell() -> Vector2i:
	return _cell_at(_random.randi_range(0, _grid.region.get_area() - 1))


func _cell_at(index: int) -> Vector2i:
	var width := _grid.region.size.x
	@warning_ignore("integer_division")
	return _grid.region.position + Vector2i(index % width, index / width)


func _is_open(cell: Vector2i, terrain_mask: int) -> bool:
	return (
		_grid.region.has_point(cell)
		and not _grid.is_point_solid(cell)
		and (terrain_mask >> _grid.get_point_terrain(cell)) & 1 == 1
	)


## Grows a square until it meets an obstacle: to the lower right, or on all sides.
func _brute_force(cell: Vector2i, metric: int, terrain_mask: int) -> int:
	var side := 0
	while true:
		var first := 0 if metric == ClearanceMap.METRIC_TRUE else -side
		for y: int in range(first, side + 1):
			for x: int in range(first, side + 1):
				if not _is_open(cell + Vector2i(x, y), terrain_mask):
					return side
		side += 1
	return side
