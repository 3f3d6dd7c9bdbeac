extends TestSuite
## [InfluenceMap]: wrong values, freed objects, grids that change under it.

var _grid: PathForgeGrid = null
var _map: InfluenceMap = null


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, 20, 16)
	add(_grid)
	_map = InfluenceMap.new()
	_grid.add_child(_map)
	_grid.influences = [_map]


func test_wrong_values_change_nothing() -> void:
	expect_errors(3, "InfluenceMap.add_stamp: strength")
	for strength: float in [NAN, INF, -10001.0]:
		check_eq(_map.add_stamp(Vector2i(3, 3), strength, 2.0), -1)
	expect_errors(3, "InfluenceMap.add_stamp: radius_cells")
	for radius: float in [NAN, -1.0, 257.0]:
		check_eq(_map.add_stamp(Vector2i(3, 3), 2.0, radius), -1)
	expect_errors(1, "falloff 4 is not a FALLOFF_* constant")
	expect_errors(1, "falloff -1 is not a FALLOFF_* constant")
	check_eq(_map.add_stamp(Vector2i(3, 3), 2.0, 2.0, 4), -1)
	_map.stamp_batch(PackedVector2Array([Vector2.ZERO]), 2.0, 2.0, -1)
	expect_errors(1, "InfluenceMap.attach_stamp: node is null")
	check_eq(_map.attach_stamp(null, 2.0, 2.0), -1)
	expect_errors(3, "InfluenceMap.step: delta")
	for delta: float in [NAN, -0.1, INF]:
		_map.step(delta)
	expect_errors(2, "InfluenceMap.decay_per_second:")
	_map.decay_per_second = 1.5
	_map.decay_per_second = NAN
	expect_errors(1, "InfluenceMap.spread: -0.5 is not within 0 and 1")
	_map.spread = -0.5
	expect_errors(2, "InfluenceMap.quantum:")
	_map.quantum = 0.0
	_map.quantum = INF
	expect_errors(1, "InfluenceMap.find_highest: region")
	check_eq(_map.find_highest(Rect2i(0, 0, -3, 2)), Vector2i.MIN)
	check_eq(_map.get_influence_data().count(0.0), 320)
	check_eq([_map.decay_per_second, _map.spread, _map.quantum], [0.0, 0.0, 1.0 / 64.0])
	for id: int in [-1, 0, 99, 1 << 40]:
		check_eq([_map.move_stamp(id, Vector2i.ZERO), _map.remove_stamp(id)], [false, false])


func test_stamps_far_outside_and_everywhere() -> void:
	for cell: Vector2i in [Vector2i.MAX, Vector2i.MIN, Vector2i(-3, 8)]:
		check(_map.add_stamp(cell, 10000.0, 5.0) >= 0, str(cell))
	check(_map.get_influence(Vector2i(0, 8)) > 0.0, "its rim lies inside")
	check_eq(_map.get_influence(Vector2i.MAX), 0.0)
	for number: int in 40:
		_map.add_stamp(Vector2i(10, 8), 10000.0, 256.0, InfluenceMap.FALLOFF_NONE)
	check_eq(_map.get_influence(Vector2i(19, 15)), 16384.0, "there is a largest value")
	var profile := PathForgeProfile.new()
	profile.influence_weights = [1e30]
	check_eq(_grid.find_path(Vector2i(0, 0), Vector2i(9, 0), profile).is_complete(), true)
	_map.step(1e9)
	_map.spread = 1.0
	_map.decay_per_second = 1.0
	_map.step(1e9)
	check_eq(_map.get_influence(Vector2i(19, 15)), 0.0)


func test_more_maps_than_there_is_room_for() -> void:
	expect_errors(1, "PathForgeGrid.influences: 9 maps are more than 8")
	var maps: Array[InfluenceMap] = []
	maps.resize(9)
	_grid.influences = maps
	check_eq(_grid.influences, [_map] as Array[InfluenceMap])
	expect_errors(1, "influence_weights has 9 elements")
	var profile := PathForgeProfile.new()
	profile.influence_weights = [1, 2, 3, 4, 5, 6, 7, 8, 9]
	check_eq(profile.influence_weights.size(), 0)


func test_a_map_that_is_freed_weighs_nothing() -> void:
	var profile := PathForgeProfile.new()
	profile.influence_weights = [1.0]
	_map.add_stamp(Vector2i(5, 0), 9.0, 9.0, InfluenceMap.FALLOFF_NONE)
	check(_grid.find_path(Vector2i(0, 0), Vector2i(9, 0), profile).cost > 50.0, "it is dear")
	_map.free()
	check_eq(_grid.find_path(Vector2i(0, 0), Vector2i(9, 0), profile).cost, 9.0)
	check_eq(_grid.influences, [null] as Array[InfluenceMap])


func test_without_a_grid() -> void:
	var map := InfluenceMap.new()
	expect_errors(6, "there is no grid")
	check_eq(map.add_stamp(Vector2i(3, 3), 2.0, 2.0), -1)
	check_eq(map.attach_stamp(_grid, 2.0, 2.0), -1)
	map.stamp_batch(PackedVector2Array([Vector2.ZERO]), 2.0, 2.0)
	map.step(1.0)
	map.clear()
	check_eq(map.move_stamp(0, Vector2i.ZERO), false)
	check_eq(map.get_influence(Vector2i.ZERO), 0.0)
	check_eq(map.get_influence_data().size(), 0)
	check_eq(map.find_lowest(), Vector2i.MIN)
	map.grid = _grid
	check(map.add_stamp(Vector2i(3, 3), 2.0, 2.0) >= 0, "with one it works outside the tree")
	map.free()


func test_the_grid_goes_and_another_comes() -> void:
	var stamp := _map.add_stamp(Vector2i(3, 3), 2.0, 2.0)
	_grid.remove_child(_map)
	_grid.free()
	await frames(2)
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 9, 9)
	add(grid)
	grid.add_child(_map)
	await frames(2)
	check_eq(_map.move_stamp(stamp, Vector2i(4, 4)), true)
	check_eq(_map.get_influence(Vector2i(4, 4)), 2.0)
	check_eq(_map.get_influence_data().size(), 81)


func test_the_region_changes_under_it() -> void:
	var profile := PathForgeProfile.new()
	profile.influence_weights = [1.0]
	_map.add_stamp(Vector2i(5, 5), 4.0, 2.0, InfluenceMap.FALLOFF_NONE)
	for region: Rect2i in [
		Rect2i(-5, -5, 30, 30), Rect2i(), Rect2i(3, 3, 9, 9), Rect2i(0, 0, 20, 16)
	]:
		_grid.region = region
		check_eq(_map.get_influence_data().size(), region.get_area(), str(region))
		check_eq(_map.get_influence(Vector2i(5, 5)), 4.0 if region.has_area() else 0.0, str(region))
		if region.has_area():
			var cost := _grid.find_path(Vector2i(4, 5), Vector2i(5, 5), profile).cost
			check_eq(cost, 5.0, str(region))
	_grid.from_bytes(_grid.to_bytes())
	_grid.fill_solid_region(Rect2i(0, 9, 3, 3))
	check_eq(_grid.find_path(Vector2i(4, 5), Vector2i(5, 5), profile).cost, 5.0, "other cells")


func test_handlers_may_stamp_and_free() -> void:
	var depth: Array[int] = [0]
	var again := func(_region: Rect2i) -> void:
		depth[0] += 1
		if depth[0] < 20:
			_map.add_stamp(Vector2i(depth[0] % 20, 3), 1.0, 1.0)
			_grid.set_point_solid(Vector2i(3, 3), depth[0] % 2 == 0)
			_map.blocked_by_solid = depth[0] % 3 == 0
	_map.influence_changed.connect(again)
	_map.add_stamp(Vector2i(3, 3), 1.0, 1.0)
	check(depth[0] >= 20, "%d" % depth[0])
	var tower := Node2D.new()
	_map.attach_stamp(tower, 3.0, 2.0)
	_map.influence_changed.connect(func(_region: Rect2i) -> void: _map.queue_free())
	tower.free()
	_map.step(0.1)
	await frames(2)
	check_eq(is_instance_valid(_map), false)


func test_handlers_that_stamp_for_ever_are_stopped() -> void:
	var told: Array[int] = [0]
	_map.influence_changed.connect(
		func(_region: Rect2i) -> void:
			told[0] += 1
			_map.add_stamp(Vector2i(3, 3), 1.0, 2.0)
	)
	expect_errors(1, "InfluenceMap.influence_changed: handlers have changed the map 128 deep")
	_map.add_stamp(Vector2i(3, 3), 1.0, 2.0)
	check_eq(told[0], 128)
