extends TestSuite
## [InfluenceMap]: stamps, time, queries, and how it weighs on paths and fields.

var _grid: PathForgeGrid = null
var _map: InfluenceMap = null
var _changes: Array[Rect2i] = []


func before_each() -> void:
	_changes = []
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(-4, 2, 40, 30)
	add(_grid)
	_map = InfluenceMap.new()
	_map.auto_step = false
	_map.influence_changed.connect(func(region: Rect2i) -> void: _changes.append(region))
	add(_map)


func test_stamps_fall_off_add_up_and_say_where() -> void:
	var cell := Vector2i(10, 12)
	var stamp := _map.add_stamp(cell, 8.0, 4.0)
	check_eq(_changes, [Rect2i(7, 9, 7, 7)] as Array[Rect2i])
	check_eq(_map.get_influence(cell), 8.0)
	check_eq(_map.get_influence(cell + Vector2i(1, 0)), 6.0)
	check_eq(_map.get_influence(cell + Vector2i(0, -4)), 0.0)
	var other := _map.add_stamp(cell, -3.0, 2.0, InfluenceMap.FALLOFF_NONE)
	check_eq(_map.get_influence(cell + Vector2i(1, 0)), 3.0)
	check_eq(_map.move_stamp(stamp, cell + Vector2i(20, 0)), true)
	check_eq(_map.get_influence(cell), -3.0)
	check_eq(_map.find_highest(), cell + Vector2i(20, 0))
	check_eq(_map.find_lowest(Rect2i(9, 12, 5, 5)), Vector2i(9, 12), "the first of several")
	check_eq(_map.remove_stamp(stamp) and _map.remove_stamp(other), true)
	check_eq(_map.get_influence_data().count(0.0), 1200, "nothing is left")
	check_eq(_map.remove_stamp(stamp), false, "twice")


func test_removed_stamps_leave_nothing_whatever_they_added_up_to() -> void:
	var cell := Vector2i(10, 12)
	var stamps: Array[int] = []
	for _count: int in 4:
		stamps.append(_map.add_stamp(cell, 10000.0, 3.0, InfluenceMap.FALLOFF_NONE))
	check_eq(_map.get_influence(cell), 16384.0, "what is shown has a bound")
	check_eq(_map.remove_stamp(stamps[0]) and _map.remove_stamp(stamps[1]), true)
	check_eq(_map.get_influence(cell), 16384.0)
	check_eq(_map.remove_stamp(stamps[2]), true)
	check_eq(_map.get_influence(cell), 10000.0)
	check_eq(_map.remove_stamp(stamps[3]), true)
	check_eq(_map.get_influence_data().count(0.0), 1200, "stamps")
	var nodes: Array[Node2D] = []
	for _count: int in 500:
		var node := Node2D.new()
		_grid.add_child(node)
		node.position = _grid.cell_to_local(cell)
		_map.attach_stamp(node, 50.0, 3.0, InfluenceMap.FALLOFF_NONE)
		nodes.append(node)
	check_eq(_map.get_influence(cell), 16384.0)
	var other := cell + Vector2i(15, 3)
	for node: Node2D in nodes:
		node.position = _grid.cell_to_local(other)
	_map.step(0.1)
	check_eq(_map.get_influence(cell), 0.0, "they moved away")
	check_eq(_map.get_influence(other), 16384.0)
	for node: Node2D in nodes:
		node.free()
	_map.step(0.1)
	check_eq(_map.get_influence_data().count(0.0), 1200, "nodes")


func test_falloffs_differ() -> void:
	var wanted := {
		InfluenceMap.FALLOFF_NONE: 16.0,
		InfluenceMap.FALLOFF_LINEAR: 12.0,
		InfluenceMap.FALLOFF_SMOOTH: 13.5,
		InfluenceMap.FALLOFF_QUADRATIC: 9.0,
	}
	for falloff: int in wanted:
		_map.clear()
		_map.add_stamp(Vector2i(5, 9), 16.0, 8.0, falloff)
		check_eq(_map.get_influence(Vector2i(7, 9)), wanted[falloff], str(falloff))


func test_stamps_follow_nodes() -> void:
	_grid.position = Vector2(30, -20)
	var tower := Node2D.new()
	add(tower)
	tower.global_position = _grid.cell_to_global(Vector2i(3, 9))
	_map.attach_stamp(tower, 5.0, 3.0)
	_map.decay_per_second = 0.5
	_map.step(1.0)
	check_eq(_map.get_influence(Vector2i(3, 9)), 5.0, "it does not fade")
	_changes.clear()
	tower.global_position += Vector2(3, 3)
	_map.step(0.01)
	check_eq(_changes.size(), 0, "the same cell")
	tower.global_position += Vector2(32, 0)
	_map.step(0.01)
	check_eq(_map.find_highest(), Vector2i(5, 9))
	_map.auto_step = true
	tower.global_position += Vector2(0, 32)
	await frames(2)
	check_eq(_map.find_highest(), Vector2i(5, 11), "by itself")
	tower.free()
	_map.step(2.0)
	check_near(_map.get_influence(Vector2i(5, 11)), 1.25, 0.1, "then it fades")
	check_eq(_map.get_stamp_count(), 1)
	_map.decay_per_second = 0.0
	var post := Node2D.new()
	add(post)
	_map.attach_stamp(post, 5.0, 3.0)
	post.free()
	_map.step(0.0)
	check_eq(_map.get_stamp_count(), 1, "without decay it is gone")


func test_values_fade_in_beats() -> void:
	_map.decay_per_second = 0.5
	_map.add_stamp(Vector2i(3, 9), 8.0, 0.0)
	_map.step(1.0)
	check_eq(_map.get_influence(Vector2i(3, 9)), 4.0)
	_map.step(2.0)
	check_eq(_map.get_influence(Vector2i(3, 9)), 1.0)
	_map.decay_per_second = 0.01
	_map.add_stamp(Vector2i(20, 9), 100.0, 9.0)
	_changes.clear()
	for frame: int in 600:
		_map.step(1.0 / 60.0)
	check(_changes.size() in range(1, 6), "%d changes in 600 frames" % _changes.size())
	check_near(_map.get_influence(Vector2i(20, 9)), 90.4, 3.2)


func test_walls_stop_stamps_and_what_flows() -> void:
	_grid.fill_solid_region(Rect2i(10, 2, 1, 30))
	_map.add_stamp(Vector2i(8, 10), 6.0, 6.0)
	check(_map.get_influence(Vector2i(12, 10)) > 0.0, "walls do not matter")
	_map.blocked_by_solid = true
	check_eq(_map.get_influence(Vector2i(12, 10)), 0.0, "now they do")
	_grid.set_point_solid(Vector2i(10, 10), false)
	check(_map.get_influence(Vector2i(12, 10)) > 0.0, "through a door")
	_grid.set_point_solid(Vector2i(10, 10))
	check_eq(_map.get_influence(Vector2i(12, 10)), 0.0, "which is shut again")
	_map.spread = 0.9
	for time: int in 80:
		_map.step(0.25)
	check(_map.get_influence(Vector2i(0, 10)) > 0.0, "it flows")
	check_eq(_map.get_influence(Vector2i(12, 10)), 0.0, "but not through walls")
	_map.blocked_by_solid = false
	for time: int in 80:
		_map.step(0.25)
	check(_map.get_influence(Vector2i(12, 10)) > 0.0, "where nothing is in its way")


func test_a_batch_of_stamps() -> void:
	_map.decay_per_second = 0.9
	var positions := PackedVector2Array([Vector2(NAN, 0), Vector2(1e30, 0)])
	for number: int in 100:
		positions.append(_grid.cell_to_local(Vector2i(7, 7)))
	_map.stamp_batch(positions, 0.25, 0.0)
	check_eq(_changes.size(), 1)
	check_eq(_map.get_influence(Vector2i(7, 7)), 25.0)
	check_eq(_map.get_stamp_count(), 0)
	_map.step(30.0)
	check_eq(_map.get_influence(Vector2i(7, 7)), 0.0)


func test_paths_go_around_danger_as_far_as_they_mind() -> void:
	_grid.influences = [_map]
	_map.add_stamp(Vector2i(15, 16), 9.0, 8.0)
	var start := Vector2i(-2, 16)
	var goal := Vector2i(32, 16)
	var brave := PathForgeProfile.new()
	var timid := PathForgeProfile.new()
	timid.influence_weights = [3.0]
	check_eq(_grid.find_path(start, goal, brave).cost, 34.0)
	var path := _grid.find_path(start, goal, timid)
	check(path.cost > 36.0 and path.is_complete(), "%f" % path.cost)
	for cell: Vector2i in path.cells:
		check(_map.get_influence(cell) < 3.0, "far from its middle: %s" % cell)
	timid.influence_weights = [-9.0]
	check(_grid.find_path(start, goal, timid).cost < 34.0, "and that is cheaper")
	timid.influence_weights = [1.0]
	_check_sums(timid, path)
	_grid.influences = []
	check_eq(_grid.find_path(start, goal, timid).cost, 34.0, "no more")


func test_influence_costs_what_weights_would() -> void:
	_grid.influences = [null, _map]
	var random := RandomNumberGenerator.new()
	random.seed = 5
	for number: int in 60:
		_grid.set_point_solid(_any_cell(random))
		_map.add_stamp(
			_any_cell(random), random.randf_range(-2.0, 6.0), random.randf_range(0.0, 6.0)
		)
	var profile := PathForgeProfile.new()
	profile.footprint = Vector2i(2, 1)
	profile.influence_weights = [7.0, 1.5]
	var other := PathForgeGrid.new()
	other.from_bytes(_grid.to_bytes())
	var weights := _grid.get_weight_data()
	var influence := _map.get_influence_data()
	for index: int in weights.size():
		weights[index] = maxf(0.0, weights[index] + 1.5 * influence[index])
	other.set_weight_data(weights)
	var plain := PathForgeProfile.new()
	plain.footprint = profile.footprint
	for number: int in 80:
		var start := _grid.find_nearest_fit(_any_cell(random), profile)
		var goal := _grid.find_nearest_fit(_any_cell(random), profile)
		var wanted := other.find_path(start, goal, plain).cost
		var cost := _grid.find_path(start, goal, profile).cost
		# Weights are rounded to 1/70 before a diagonal step is.
		check_near(cost, wanted, 0.1, "%s to %s" % [start, goal])
	other.free()


func test_fields_follow_influence() -> void:
	_grid.influences = [_map]
	var profile := PathForgeProfile.new()
	profile.influence_weights = [2.0]
	var field := FlowField.new()
	field.profile = profile
	field.goals = [Vector2i(30, 16)]
	add(field)
	await frames(3)
	var updates: Array[Rect2i] = []
	field.field_changed.connect(func(region: Rect2i) -> void: updates.append(region))
	var stamp := _map.add_stamp(Vector2i(15, 16), 6.0, 5.0)
	await frames(3)
	check_eq(updates.size(), 1)
	for cell: Vector2i in [Vector2i(0, 16), Vector2i(15, 16), Vector2i(12, 3)]:
		check_eq(field.get_cost(cell), _grid.find_path(cell, Vector2i(30, 16), profile).cost)
	_map.move_stamp(stamp, Vector2i(2, 30))
	await frames(3)
	check_eq(field.get_cost(Vector2i(0, 16)), 30.0)
	var unmoved := FlowField.new()
	unmoved.goals = [Vector2i(30, 16)]
	add(unmoved)
	await frames(3)
	unmoved.field_changed.connect(
		func(_region: Rect2i) -> void: fail("without a weight, influence changes no field")
	)
	_map.move_stamp(stamp, Vector2i(20, 16))
	await frames(3)


func _check_sums(profile: PathForgeProfile, path: PathForgePath) -> void:
	var cost := 0.0
	path = _grid.find_path(path.cells[0], path.cells[-1], profile)
	for index: int in range(1, path.cells.size()):
		var length := Vector2(path.cells[index] - path.cells[index - 1]).length()
		cost += length * (1.0 + _map.get_influence(path.cells[index]))
	check_near(path.cost, cost, 0.01 * path.cells.size())


func _any_cell(random: RandomNumberGenerator) -> Vector2i:
	return Vector2i(random.randi_range(-4, 35), random.randi_range(2, 31))
