extends CrowdSuite
## [PathForgeCrowd]: agents walk, settle, are found, are saved, and outlive what they depend on.


func test_a_goal_is_reached_and_announced_once() -> void:
	var arrived: Array[int] = []
	crowd.agents_arrived.connect(func(ids: PackedInt32Array) -> void: arrived.append_array(ids))
	var small := squad(12)
	var large := crowd.add_agents(centers([Vector2i(3, 8), Vector2i(7, 14)], 3), body_of(3), 64.0)
	var all := small + large
	check_eq(crowd.get_ids(), all)
	check_eq(crowd.assign_goal(all, Vector2i(28, 14)), 14)
	run(25.0)
	check_eq(crowd.get_state_counts()[PathForgeCrowd.STATE_ARRIVED], 14)
	arrived.sort()
	check_eq(arrived, Array(all))
	for position: Vector2 in crowd.get_positions():
		check(position.distance_to(grid.cell_to_local(Vector2i(28, 14))) < 100.0, str(position))
	check_eq(
		crowd.get_velocities(),
		PackedVector2Array(Array(all).map(func(_id: int) -> Vector2: return Vector2.ZERO))
	)


func test_few_agents_walk_by_paths_of_their_own() -> void:
	grid.region = Rect2i(-4, 2, 100, 90)
	var ids := crowd.add_agents(centers([Vector2i(0, 4)]))
	check_eq(crowd.assign_goal(ids, Vector2i(20, 4)), 1)
	run(1.0)
	grid.fill_solid_region(Rect2i(15, 12, 1, 3))
	grid.fill_solid_region(Rect2i(15, 20, 1, 1), false)
	run(20.0)
	check_eq(crowd.get_state(ids[0]), PathForgeCrowd.STATE_ARRIVED)
	check(
		crowd.get_agent_position(ids[0]).distance_to(grid.cell_to_local(Vector2i(20, 4))) < 2.0,
		"crowd.get_agent_position(ids[0]).distance_to(grid.cell_to_local(Vector2i(20, 4))) < 2.0"
	)


func test_a_path_and_a_field_are_followed() -> void:
	var field := FlowField.new()
	grid.add_child(field)
	field.goals = [Vector2i(25, 5)]
	field.rebuild()
	var ids := squad(4)
	check_eq(crowd.assign_field(ids.slice(0, 3), field), 3)
	var path := grid.find_path(Vector2i(0, 4), Vector2i(10, 20))
	check_eq(crowd.assign_path(ids.slice(3), path), 1)
	run(16.0)
	check_eq(crowd.get_state_counts()[PathForgeCrowd.STATE_ARRIVED], 4)
	check(
		crowd.get_agent_position(ids[3]).distance_to(grid.cell_to_local(Vector2i(10, 20))) < 2.0,
		"crowd.get_agent_position(ids[3]).distance_to(grid.cell_to_local(Vector2i(10, 20))) < 2.0"
	)
	crowd.assign_field(ids, field)
	field.free()
	run(0.1)
	check_eq(crowd.get_state_counts()[PathForgeCrowd.STATE_IDLE], 4)


func test_edits_under_a_crowd() -> void:
	var ids := squad(20)
	crowd.assign_goal(ids, Vector2i(28, 14))
	for edit: int in 30:
		grid.fill_solid_region(Rect2i(-4 + edit, 3 + edit % 9, 3, 4), edit % 3 != 0)
		run(0.2)
		for position: Vector2 in crowd.get_positions():
			check(not grid.is_point_solid(grid.local_to_cell(position)), str(position))
	grid.region = Rect2i(0, 5, 12, 12)
	run(0.2)
	for position: Vector2 in crowd.get_positions():
		check(grid.region.has_point(grid.local_to_cell(position)), str(position))
	grid.region = Rect2i()
	run(0.2)
	grid.region = Rect2i(0, 0, 9, 9)
	run(0.2)
	check_eq(crowd.get_agent_count(), 20)


func test_no_way_is_reported() -> void:
	grid.fill_solid_region(Rect2i(15, 2, 1, 24))
	var stuck: Array[int] = []
	crowd.agents_stuck.connect(func(ids: PackedInt32Array) -> void: stuck.append_array(ids))
	var ids := squad(10)
	crowd.assign_goal(ids, Vector2i(28, 14))
	run(2.0)
	check_eq(stuck.size(), 10)
	check_eq(crowd.get_state(ids[0]), PathForgeCrowd.STATE_STUCK)
	grid.fill_solid_region(Rect2i(15, 12, 1, 3), false)
	run(20.0)
	check_eq(crowd.get_state_counts()[PathForgeCrowd.STATE_ARRIVED], 10)


func test_queries() -> void:
	var ids := squad(10)
	var positions := crowd.get_positions()
	var rect := Rect2(positions[0], positions[6] - positions[0])
	check_eq(crowd.find_agents_in_rect(rect), PackedInt32Array([ids[0], ids[1], ids[5], ids[6]]))
	check_eq(crowd.find_agents_in_rect(Rect2(rect.end, -rect.size)).size(), 4)
	check_eq(
		crowd.find_agents_in_radius(positions[0], 16.5), PackedInt32Array([ids[0], ids[1], ids[5]])
	)
	check_eq(crowd.find_nearest_agent(positions[7] + Vector2(3, 2)), ids[7])
	check_eq(crowd.find_nearest_agent(Vector2(-900, -900), 10.0), -1)
	crowd.assign_goal(ids, Vector2i(10, 20))
	run(0.5)
	for id: int in ids:
		check_eq(crowd.find_nearest_agent(crowd.get_agent_position(id)), id)
	check_eq(crowd.get_density_data().size(), 40 * 24)


func test_members() -> void:
	var ids := squad(6)
	check_eq(crowd.remove_agents([ids[1], ids[1], -3, 99]), 1)
	check_eq(crowd.remove_agents([ids[1]]), 0)
	check_eq(crowd.get_ids().size(), 5)
	check_eq([crowd.get_state(ids[1]), crowd.get_state(-1)], [-1, -1])
	check_eq(crowd.get_agent_position(ids[1]), Vector2.INF)
	crowd.max_agents = 3
	expect_warnings(1, "there are 5 already, and max_agents is 3")
	check_eq(crowd.add_agents(centers([Vector2i(0, 20)])), PackedInt32Array([-1]))
	crowd.max_agents = 6
	var more := crowd.add_agents(centers([Vector2i(0, 20), Vector2i(1, 20), Vector2i(15, 20)]))
	check_eq(more, PackedInt32Array([6, -1, -1]))
	crowd.clear()
	check_eq(crowd.get_agent_count(), 0)
	run(0.1)


func test_a_formation_is_taken() -> void:
	var ids := squad(16)
	var places := PackedVector2Array()
	for index: int in 16:
		places.append(grid.cell_to_local(Vector2i(24, 8)) + Vector2(index % 4, index / 4) * 24.0)
	check_eq(crowd.assign_formation(ids, Vector2i(26, 10), places), 16)
	run(25.0)
	var taken := 0
	for position: Vector2 in crowd.get_positions():
		for place: Vector2 in places:
			taken += int(position.distance_to(place) < 2.0)
	check(taken >= 14, "%d of 16 places are taken" % taken)


func test_the_multimesh_is_written() -> void:
	var multimesh := MultiMesh.new()
	multimesh.transform_format = MultiMesh.TRANSFORM_2D
	multimesh.use_colors = true
	multimesh.mesh = QuadMesh.new()
	crowd.multimesh = multimesh
	var ids := squad(5)
	crowd.set_agent_colors(ids, Color.RED)
	await frames(2)
	check_eq(multimesh.visible_instance_count, 5)
	check(multimesh.instance_count >= 5, "multimesh.instance_count >= 5")
	crowd.remove_agents(ids.slice(2))
	await frames(2)
	check_eq(multimesh.visible_instance_count, 2)
	crowd.multimesh = null
	await frames(1)


func test_it_steps_by_itself() -> void:
	var ids := squad(3)
	crowd.auto_step = true
	crowd.debug_enabled = true
	crowd.assign_goal(ids, Vector2i(10, 20))
	var before := crowd.get_positions()
	await physics_frames(5)
	check_ne(crowd.get_positions(), before)
