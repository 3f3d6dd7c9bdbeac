extends TestSuite
## Links of [PathForgeGrid] taken: by paths, ranges and fields, over walls and as short cuts.

const SMOOTHING: Array[PathForgeProfile.Smoothing] = [
	PathForgeProfile.SMOOTH_NONE, PathForgeProfile.SMOOTH_STRING_PULL
]

var _grid: PathForgeGrid = null


func before_each() -> void:
	_grid = add(PathForgeGrid.new())
	_grid.region = Rect2i(-2, -1, 30, 20)


## A wall from top to bottom at x = 10.
func _wall() -> void:
	_grid.fill_solid_region(Rect2i(10, -1, 1, 20))


func test_a_path_takes_a_link_through_a_wall() -> void:
	_wall()
	var start := Vector2i(8, 5)
	var goal := Vector2i(12, 5)
	check_eq(_grid.is_reachable(start, goal), false)
	var id := _grid.add_link(Vector2i(9, 5), Vector2i(11, 5), 6.0)
	var path := _grid.find_path(start, goal)
	check_eq(path.cells, [start, Vector2i(9, 5), Vector2i(11, 5), goal] as Array[Vector2i])
	check_near(path.cost, 8.0)
	check_eq(path.link_ids, PackedInt32Array([id]))
	check_eq(path.link_indices, PackedInt32Array([1]))
	check_eq(path.link_position_indices, PackedInt32Array([1]))
	check_eq(path.positions.size(), 4)
	check_eq(path.positions[2], _grid.cell_to_local(Vector2i(11, 5)))
	var back := _grid.find_path(goal, start)
	check_eq(back.link_indices, PackedInt32Array([1]), "and back")
	_grid.set_link_bidirectional(id, false)
	check_eq(_grid.is_reachable(start, goal), true)
	check_eq(_grid.is_reachable(goal, start), false, "one way")
	_grid.set_link_enabled(id, false)
	check_eq(_grid.is_reachable(start, goal), false, "disabled")
	_grid.set_link_enabled(id, true)
	_grid.set_point_solid(Vector2i(11, 5))
	check_eq(_grid.is_reachable(start, goal), false, "its end is solid")
	_grid.set_point_solid(Vector2i(11, 5), false)
	check_eq(_grid.is_reachable(start, goal), true, "it has stayed")
	_grid.set_link_terrains(id, 2)
	check_eq(_grid.is_reachable(start, goal, a_body(Vector2i.ONE, 1)), false, "not for this one")
	check_eq(_grid.is_reachable(start, goal, a_body(Vector2i.ONE, 3)), true)
	_grid.set_link_end(id, goal)
	check_eq(_grid.is_reachable(start, goal, a_body(Vector2i(2, 2))), true, "a larger body")
	_grid.set_link_max_footprint(id, Vector2i.ONE)
	check_eq(_grid.is_reachable(start, goal, a_body(Vector2i(2, 2))), false)
	_grid.remove_link(id)
	check_eq(_grid.is_reachable(start, goal), false, "removed")


func test_a_short_cut_is_taken_where_it_pays() -> void:
	var start := Vector2i(0, 0)
	var goal := Vector2i(25, 0)
	check_near(_grid.find_path(start, goal).cost, 25.0)
	var id := _grid.add_link(Vector2i(2, 3), Vector2i(24, 3), 1.0)
	var path := _grid.find_path(start, goal)
	check_eq(path.link_ids, PackedInt32Array([id]))
	check(path.cost < 9.0, str(path.cost))
	var plain := PathForgeProfile.new()
	plain.search_mode = PathForgeProfile.SEARCH_HIERARCHICAL
	check_near(_grid.find_path(start, goal, plain).cost, path.cost, 0.0001, "over cells")
	_grid.set_link_cost(id, 30.0)
	check_eq(_grid.find_path(start, goal).link_ids.size(), 0, "it costs more than the walk")


func test_smoothing_keeps_both_ends() -> void:
	_wall()
	_grid.add_link(Vector2i(5, 2), Vector2i(20, 15), 3.0)
	var profile := PathForgeProfile.new()
	profile.smoothing = PathForgeProfile.SMOOTH_STRING_PULL
	var path := _grid.find_path(Vector2i(0, 10), Vector2i(27, 3), profile)
	check_eq(path.link_ids, PackedInt32Array([0]))
	var at := path.link_position_indices[0]
	check(path.positions.size() < path.cells.size(), "fewer than cells")
	check_eq(path.positions[at], _grid.cell_to_local(Vector2i(5, 2)))
	check_eq(path.positions[at + 1], _grid.cell_to_local(Vector2i(20, 15)))
	check_eq(path.cells[path.link_indices[0]], Vector2i(5, 2))
	check_eq(path.cells[path.link_indices[0] + 1], Vector2i(20, 15))
	check_eq(path.get_cell_count(), path.cells.size())
	var straight := _grid.find_path(Vector2i(0, 10), Vector2i(5, 2), profile)
	check_eq(straight.link_position_indices, PackedInt32Array())


func test_two_links_in_a_row() -> void:
	_wall()
	_grid.fill_solid_region(Rect2i(16, -1, 1, 20))
	_grid.add_link(Vector2i(9, 5), Vector2i(13, 5))
	_grid.add_link(Vector2i(20, 9), Vector2i(13, 5))
	for smoothing: PathForgeProfile.Smoothing in SMOOTHING:
		var profile := PathForgeProfile.new()
		profile.smoothing = smoothing
		var path := _grid.find_path(Vector2i(9, 5), Vector2i(20, 9), profile)
		check_eq(path.link_ids, PackedInt32Array([0, 1]))
		check_eq(path.link_indices, PackedInt32Array([0, 1]))
		check_eq(path.link_position_indices, PackedInt32Array([0, 1]))
		check_eq(path.positions.size(), 3)


func test_a_path_crosses_no_cell_between_the_ends_of_a_link() -> void:
	_wall()
	_grid.add_link(Vector2i(5, 5), Vector2i(15, 5))
	for smoothing: PathForgeProfile.Smoothing in SMOOTHING:
		var profile := PathForgeProfile.new()
		profile.smoothing = smoothing
		var path := _grid.find_path(Vector2i(2, 5), Vector2i(18, 5), profile)
		check_eq(path.link_ids.size(), 1)
		for cell: Vector2i in path.cells:
			check(path.crosses(Rect2i(cell, Vector2i.ONE)), "%s is on the path" % cell)
		check(not path.crosses(Rect2i(6, 0, 9, 18)), "nothing between the ends")
		check(path.crosses(Rect2i(6, 5, 10, 1)), "but for an end")
		check(path.crosses(Rect2i(5, 5, 1, 1)), "both")


func test_explain_has_the_cost_of_links() -> void:
	_wall()
	_grid.add_link(Vector2i(9, 5), Vector2i(11, 5), 6.0)
	var diagnosis := _grid.explain(Vector2i(8, 5), Vector2i(12, 5))
	check_near(diagnosis.cost_links, 6.0)
	check_near(diagnosis.cost_distance, 2.0)
	check_near(diagnosis.cost, 8.0)
	check_near(_grid.explain(Vector2i(0, 0), Vector2i(3, 0)).cost_links, 0.0)


func test_fields_and_ranges_take_links() -> void:
	_wall()
	_grid.add_link(Vector2i(9, 5), Vector2i(11, 5), 6.0)
	var field := FlowField.new()
	_grid.add_child(field)
	field.goals = [Vector2i(12, 5)]
	field.rebuild()
	await wait_until(func() -> bool: return field.is_ready())
	check_near(field.get_cost(Vector2i(8, 5)), 8.0)
	check_eq(field.get_next_cell(Vector2i(9, 5)), Vector2i(11, 5))
	var reached := _grid.get_reachable_cells(Vector2i(8, 5), 7.5)
	check(Vector2i(11, 5) in reached, "over the link")


func test_a_thousand_links() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 4
	_grid.region = Rect2i(0, 0, 100, 100)
	_grid.begin_edit()
	for _n: int in 1000:
		var start := Vector2i(random.randi_range(0, 99), random.randi_range(0, 49))
		var end := Vector2i(random.randi_range(0, 99), random.randi_range(50, 99))
		_grid.add_link(start, end, -1.0 if random.randf() < 0.5 else random.randf_range(1.0, 90.0))
	_grid.end_edit()
	check_eq(_grid.get_link_ids().size(), 1000)
	for _n: int in 20:
		var start := Vector2i(random.randi_range(0, 99), random.randi_range(0, 99))
		var goal := Vector2i(random.randi_range(0, 99), random.randi_range(0, 99))
		var path := _grid.find_path(start, goal)
		check(path.is_complete(), path.describe())
		check_near(_cost_along(path), path.cost, 0.001, path.describe())
		check_near(_grid.explain(start, goal).cost, path.cost, 0.001)
	for id: int in range(0, 1000, 2):
		check(_grid.remove_link(id), str(id))
	check_eq(_grid.get_link_ids().size(), 500)


func _cost_along(path: PathForgePath) -> float:
	var cost := 0.0
	for n: int in path.cells.size() - 1:
		var link := path.link_indices.find(n)
		var step := path.cells[n + 1] - path.cells[n]
		if link >= 0:
			cost += _grid.get_link_cost(path.link_ids[link])
		elif check(maxi(absi(step.x), absi(step.y)) == 1, "a step of %s" % step):
			cost += 99.0 / 70.0 if step.x != 0 and step.y != 0 else 1.0
	return cost
