extends NodeSuite
## Nodes are agents of a crowd: they keep clear of each other and of numbers, get through gates
## together, settle beside each other, and say when others block them.


func test_six_tanks_to_one_place_through_a_gate_for_one() -> void:
	gate(2)
	var units: Array[Unit] = []
	for index: int in 6:
		units.append(unit_at(Vector2i(4 + index % 2 * 3, 5 + index / 2 * 4), 2))
	for unit: Unit in units:
		unit.agent.target_position = Vector2(32, 12) * CELL
	check(await wait_until(all_finished.bind(units), 30.0), "all are done")
	for unit: Unit in units:
		check(unit.position.x > 22.0 * CELL, "through the gate: %s" % unit.position)
		check(unit.position.distance_to(Vector2(32, 12) * CELL) < 7.0 * CELL, "beside the others")
		check_eq(unit.told.count("finished"), 1, "told once: %s" % [unit.told])
	var reached: int = (
		units.filter(func(u: Unit) -> bool: return u.agent.is_target_reached()).size()
	)
	check(reached >= 1, "one is at the place itself")
	check(
		units.any(func(u: Unit) -> bool: return u.told.has("blocked")),
		"others say who kept them from it"
	)
	check(deepest_overlap(units) < 0.1, "clear of each other: %f" % deepest_overlap(units))


## However they come there, all that rest beside each other are done: the last one at the rim, too.
func test_six_tanks_that_set_out_one_after_the_other() -> void:
	gate(2)
	for seed_of: int in [123, 126, 194, 213, 265]:
		var rng: RandomNumberGenerator = RandomNumberGenerator.new()
		rng.seed = seed_of
		var units: Array[Unit] = []
		for index: int in 6:
			units.append(unit_at(Vector2i(4 + index % 2 * 3, 5 + index / 2 * 4), 2))
		for unit: Unit in units:
			unit.agent.target_position = Vector2(32, 12) * CELL
			if rng.randf() < 0.5:
				await physics_frames(rng.randi() % (40 if seed_of % 2 == 1 else 8))
		check(await wait_until(all_finished.bind(units), 30.0), "all are done: %d" % seed_of)
		for unit: Unit in units:
			check_eq(unit.told.count("finished"), 1, "told once: %s" % [unit.told])
			unit.queue_free()
		await physics_frames(2)


func test_a_squad_gets_a_place_for_each() -> void:
	gate(4)
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	grid.add_child(crowd)
	var groups: Array[Vector2i] = []
	crowd.group_arrived.connect(groups.append.unbind(2))
	var units: Array[Unit] = []
	var ids: PackedInt32Array = PackedInt32Array()
	for index: int in 8:
		units.append(unit_at(Vector2i(3 + index % 4 * 3, 8 + index / 4 * 4), 1 + index % 2))
		ids.append(units[index].agent.get_agent_id())
	check(not ids.has(-1), "each has a number: %s" % ids)
	check_eq(crowd.get_agent_count(), 8, "all are in the grid's crowd")
	check_eq(crowd.assign_goal(ids, Vector2i(32, 12)), 8, "all are sent")
	check(not units[0].agent.is_navigation_finished(), "on its way")
	check(await wait_until(all_finished.bind(units), 30.0), "all are there")
	for unit: Unit in units:
		check_eq(unit.told, ["reached", "finished"] as Array[String], "told in order, once")
		check(unit.agent.is_target_reached(), "it is where it was sent")
	check(deepest_overlap(units) < 0.1, "clear of each other: %f" % deepest_overlap(units))
	# When none walks to its place any more: some 3 seconds after the last was told, at most.
	await wait_until(func() -> bool: return not groups.is_empty(), 5.0)
	await physics_frames(40)
	check_eq(groups, [Vector2i(32, 12)] as Array[Vector2i], "the group is told once")
	# Back again, then stopped on the way.
	crowd.assign_goal(ids, Vector2i(4, 12))
	await physics_frames(30)
	check_eq(crowd.stop(ids), 8, "stopped")
	check(all_finished(units), "nothing to walk to any more")
	await physics_frames(5)
	check(units[0].velocity.length() < 1.0, "it stands")


func test_a_target_counts_instead_of_an_order() -> void:
	grid.fill_solid_region(Rect2i(30, 4, 6, 6), true)
	grid.fill_solid_region(Rect2i(32, 6, 2, 2), false)
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	grid.add_child(crowd)
	var unit: Unit = unit_at(Vector2i(3, 12), 1)
	crowd.assign_goal(PackedInt32Array([unit.agent.get_agent_id()]), Vector2i(20, 12))
	await physics_frames(10)
	check(not unit.agent.is_navigation_finished(), "it follows the order")
	unit.agent.target_position = Vector2(33, 7) * CELL
	check(
		await wait_until(unit.agent.is_navigation_finished, 5.0), "there is no path to its target"
	)
	check(not unit.agent.is_target_reached(), "it is not there")
	remove_child_of_root(unit)
	check_eq(unit.agent.get_agent_id(), -1, "no number outside the tree")
	unit.free()


func remove_child_of_root(unit: Unit) -> void:
	unit.get_parent().remove_child(unit)


func test_nodes_and_numbers_keep_clear_of_each_other() -> void:
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	grid.add_child(crowd)
	var positions: PackedVector2Array = PackedVector2Array()
	for index: int in 12:
		positions.append(Vector2(34.5, 6.5 + index) * CELL)
	var ids: PackedInt32Array = crowd.add_agents(positions, null, 60.0)
	crowd.assign_goal(ids, Vector2i(4, 12))
	var unit: Unit = unit_at(Vector2i(2, 11), 3)
	unit.agent.target_position = Vector2(36.5, 12.5) * CELL
	var deepest: float = 0.0
	while not unit.agent.is_navigation_finished() and Engine.get_physics_frames() < 100000:
		await physics_frames(1)
		for id: int in ids:
			var position: Vector2 = crowd.get_agent_position(id)
			var gap: float = position.distance_to(unit.position) - (1.4 + 0.4) * CELL
			deepest = maxf(deepest, -gap / (0.4 * CELL))
	check(unit.agent.is_target_reached(), "it got through them")
	check(deepest < 0.25, "clear of the numbers: %f" % deepest)


func test_one_that_leaves_the_tree_or_is_freed_is_no_agent() -> void:
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	grid.add_child(crowd)
	var units: Array[Unit] = [
		unit_at(Vector2i(4, 4), 1), unit_at(Vector2i(8, 4), 1), unit_at(Vector2i(12, 4), 1)
	]
	await physics_frames(2)
	check_eq(crowd.get_agent_count(), 3, "three")
	units[0].free()
	remove_and_free_later(units[1])
	await physics_frames(2)
	check_eq(crowd.get_agent_count(), 1, "one is left")
	crowd.free()
	await physics_frames(3)
	units[2].agent.target_position = Vector2(30, 10) * CELL
	check(
		await wait_until(units[2].agent.is_navigation_finished, 15.0), "it goes on in another crowd"
	)


func test_radii_beyond_all_limits_count_as_the_limits() -> void:
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	grid.add_child(crowd)
	var units: Array[Unit] = [unit_at(Vector2i(4, 4), 1), unit_at(Vector2i(8, 4), 1)]
	var ids: PackedInt32Array = [units[0].agent.get_agent_id(), units[1].agent.get_agent_id()]
	for unit: Unit in units:
		unit.agent.target_position = Vector2(30, 10) * CELL
	for radius: float in [1e30, 1e-60, 0.0]:
		for unit: Unit in units:
			unit.agent.radius = radius
		await physics_frames(5)
		for index: int in 2:
			check_eq(units[index].agent.get_agent_id(), ids[index], "an agent with %s" % radius)
	check(await wait_until(all_finished.bind(units), 20.0), "both arrive")
	check(deepest_overlap(units) < 0.1, "clear of each other: %f" % deepest_overlap(units))


func remove_and_free_later(unit: Unit) -> void:
	unit.get_parent().remove_child(unit)
	unit.queue_free()


func test_without_avoidance_the_crowd_knows_nothing_of_it() -> void:
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	grid.add_child(crowd)
	var unit: Unit = unit_at(Vector2i(4, 4), 1)
	unit.agent.avoidance_enabled = false
	unit.agent.target_position = Vector2(20, 4.5) * CELL
	check(await wait_until(unit.agent.is_navigation_finished, 15.0), "it walks")
	check_eq(crowd.get_agent_count(), 0, "alone")
	unit.agent.avoidance_enabled = true
	await physics_frames(3)
	check_eq(crowd.get_agent_count(), 1, "one of the crowd")
	unit.agent.avoidance_enabled = false
	await physics_frames(3)
	check_eq(crowd.get_agent_count(), 0, "alone again")


func test_one_walks_on_straight_when_its_crowd_is_not_stepped() -> void:
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	grid.add_child(crowd)
	var unit: Unit = unit_at(Vector2i(4, 4), 1)
	unit.agent.target_position = Vector2(20, 4.5) * CELL
	await physics_frames(30)
	crowd.auto_step = false
	check(await wait_until(unit.agent.is_navigation_finished, 10.0), "it walks on without others")
	await physics_frames(10)
	check(unit.position.distance_to(Vector2(20, 4.5) * CELL) < 11.0, "and no farther")


func test_safe_velocities_are_told_to_those_who_listen() -> void:
	var unit: Unit = unit_at(Vector2i(4, 4), 1)
	var heard: Array[Vector2] = []
	unit.agent.velocity_computed.connect(func(velocity: Vector2) -> void: heard.append(velocity))
	unit.agent.target_position = Vector2(20, 4.5) * CELL
	# Its path comes from another thread, which a busy machine runs some frames later.
	await wait_until(func() -> bool: return unit.velocity.length() > 70.0, 10.0)
	heard.clear()
	await physics_frames(30)
	check(heard.size() >= 28 and heard[-1].length() > 70.0, "each frame: %d" % heard.size())
	check(heard[-1] == unit.velocity, "the one that was returned")
