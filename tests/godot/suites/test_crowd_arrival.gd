extends CrowdSuite
## [PathForgeCrowd]: who has arrived is told soon and stays so, formations keep clear of each other
## and of rocks, and agents follow the edits of their profile.


## Cells of an open field with a gate in the middle.
func _field(has_gate: bool) -> void:
	grid.region = Rect2i(0, 0, 60, 36)
	grid.fill_solid_region(grid.region, false)
	if has_gate:
		grid.fill_solid_region(Rect2i(30, 0, 2, 36))
		grid.fill_solid_region(Rect2i(30, 15, 2, 5), false)


func test_a_group_is_told_within_seconds_and_stays_arrived() -> void:
	for has_gate: bool in [true, false]:
		_field(has_gate)
		var cells: Array[Vector2i] = []
		for n: int in 120:
			cells.append(Vector2i(3 + n % 12, 12 + n / 12))
		var ids := crowd.add_agents(centers(cells), PathForgeProfile.new(), 80.0)
		crowd.assign_goal(ids, Vector2i(46, 18))
		var told: Dictionary[int, int] = {}
		var on_arrived := func(some: PackedInt32Array) -> void:
			for id: int in some:
				told[id] = told.get(id, 0) + 1
		crowd.agents_arrived.connect(on_arrived)
		var most := 0
		var fell := 0
		var seconds := 0
		while told.size() < ids.size() and seconds < 40:
			run(1.0)
			seconds += 1
			var count := crowd.get_state_counts()[PathForgeCrowd.STATE_ARRIVED]
			most = maxi(most, count)
			fell = maxi(fell, most - count)
		check(seconds < 25, "all are told after %d s, gate: %s" % [seconds, has_gate])
		run(12.0)
		var before := crowd.get_positions()
		run(2.0)
		check_eq(crowd.get_positions(), before, "they lie still")
		check_eq(fell, 0, "who has arrived stays so")
		check_eq(told.values().max(), 1, "each is told once")
		check_eq(crowd.get_state_counts(), PackedInt32Array([0, 0, 0, 120, 0, 0]))
		crowd.agents_arrived.disconnect(on_arrived)
		crowd.assign_goal(ids, Vector2i(50, 8))
		check_eq(crowd.get_state_counts()[PathForgeCrowd.STATE_MOVING], 120, "a new order")
		crowd.clear()


func test_a_formation_keeps_clear_of_those_who_stand() -> void:
	_field(false)
	var ids := PackedInt32Array()
	var radius := PackedFloat32Array()
	for side: int in [1, 2, 3]:
		var cells: Array[Vector2i] = []
		for n: int in [6, 5, 3][side - 1]:
			cells.append(Vector2i(4 + n * (side + 1), 6 + side * 6))
			radius.append(side * 7.0)
		var speed: float = [130.0, 90.0, 60.0][side - 1]
		ids.append_array(crowd.add_agents(centers(cells, side), body_of(side), speed, side * 7.0))
	var cell := Vector2i(45, 17)
	var places := PackedVector2Array()
	for n: int in ids.size():
		places.append(
			grid.cell_to_local(cell) + Vector2((n % 5) * 56.0 - 112.0, (n / 5 - 1) * 56.0)
		)
	crowd.assign_formation(ids, cell, places)
	var deepest := 0.0
	for tick: int in 60 * 30:
		crowd.step(STEP)
		deepest = maxf(deepest, _deepest_overlap(radius))
	check(deepest < 1.5, "discs overlap by %.1f px" % deepest)
	check_eq(crowd.get_state_counts(), PackedInt32Array([0, 0, 0, 14, 0, 0]))


func test_places_on_rocks_and_on_each_other_are_moved_to_where_they_fit() -> void:
	_field(false)
	grid.fill_solid_region(Rect2i(44, 14, 3, 5))
	var radius := PackedFloat32Array()
	var ids := PackedInt32Array()
	for side: int in [1, 3]:
		var cells: Array[Vector2i] = []
		for n: int in 6:
			cells.append(Vector2i(3 + n * 3, 8 + side * 4))
			radius.append(side * 8.0 - 1.6)
		ids.append_array(crowd.add_agents(centers(cells, side), body_of(side), 90.0))
	var places := PackedVector2Array()
	for n: int in ids.size():
		# Twelve on nine places, the middle ones on a rock.
		places.append(grid.cell_to_local(Vector2i(42, 13)) + Vector2(n % 3, n / 3 % 3) * 44.0)
	crowd.assign_formation(ids, Vector2i(45, 16), places)
	run(40.0)
	check_eq(crowd.get_state_counts(), PackedInt32Array([0, 0, 0, 12, 0, 0]))
	check(_deepest_overlap(radius) < 0.3, "they overlap by %.1f px" % _deepest_overlap(radius))
	var positions := crowd.get_positions()
	for n: int in positions.size():
		check(positions[n].distance_to(places[n]) < 200.0, "near its place: %s" % positions[n])


func test_agents_follow_the_edits_of_their_profile() -> void:
	_field(false)
	grid.fill_terrain_region(Rect2i(20, 0, 2, 36), 1)
	var land := PathForgeProfile.new()
	var ids := crowd.add_agents(centers([Vector2i(5, 10)]), land, 80.0)
	var others := crowd.add_agents(centers([Vector2i(5, 14)]), PathForgeProfile.new(), 80.0)
	crowd.assign_goal(ids + others, Vector2i(35, 10))
	run(1.0)
	land.terrain_mask = 1
	run(10.0)
	check_eq(crowd.get_state(ids[0]), PathForgeCrowd.STATE_STUCK, "no way over water any more")
	check(crowd.get_agent_position(ids[0]).x < 20 * 16.0, "it stays on land")
	check_eq(crowd.get_state(others[0]), PathForgeCrowd.STATE_ARRIVED, "another profile")
	land.terrain_mask = 3
	land.footprint = Vector2i(3, 3)
	run(10.0)
	check_eq(crowd.get_state(ids[0]), PathForgeCrowd.STATE_ARRIVED, "and goes on")
	var apart := crowd.get_agent_position(ids[0]).distance_to(crowd.get_agent_position(others[0]))
	check(apart > 27.0, "its disc has grown with its footprint: %.1f px" % apart)


func _deepest_overlap(radius: PackedFloat32Array) -> float:
	var positions := crowd.get_positions()
	var deepest := 0.0
	for i: int in positions.size():
		for j: int in i:
			var apart := positions[i].distance_to(positions[j])
			deepest = maxf(deepest, radius[i] + radius[j] - apart)
	return deepest
