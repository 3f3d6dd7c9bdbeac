extends NodeSuite
## What crowds do with nodes: they move bound nodes, send nodes that are agents, and change both on
## their way.


func _crowd() -> PathForgeCrowd:
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	grid.add_child(crowd)
	return crowd


func test_a_body_that_changes_on_its_way_goes_on() -> void:
	var crowd: PathForgeCrowd = _crowd()
	var unit: Unit = unit_at(Vector2i(3, 12), 1)
	var id: int = unit.agent.get_agent_id()
	crowd.assign_goal(PackedInt32Array([id]), Vector2i(30, 12))
	await physics_frames(10)
	unit.agent.priority = 0.9
	unit.agent.radius = 5.0
	unit.agent.profile = unit.agent.profile.duplicate()
	await physics_frames(2)
	check_eq(unit.agent.get_agent_id(), id, "the same agent")
	check(not unit.agent.is_navigation_finished(), "on its way")
	check(await wait_until(unit.agent.is_navigation_finished, 10.0), "it gets there")
	check(unit.agent.is_target_reached(), "to where it was sent")


func test_what_a_crowd_changes_is_so_for_the_node() -> void:
	var crowd: PathForgeCrowd = _crowd()
	var unit: Unit = unit_at(Vector2i(3, 12), 1)
	var ids: PackedInt32Array = [unit.agent.get_agent_id()]
	var large: PathForgeProfile = a_body(Vector2i(2, 2))
	check_eq(crowd.set_agent_profile(ids, large), 1, "another profile")
	check_eq(crowd.set_agent_radius(ids, 9.0), 1, "another radius")
	check_eq(crowd.set_agent_priority(ids, 0.25), 1, "another priority")
	check(unit.agent.profile == large, "the profile is its own")
	check_eq(unit.agent.radius, 9.0, "the radius, too")
	check_eq(unit.agent.priority, 0.25, "and the priority")
	await physics_frames(2)
	check_eq(unit.agent.get_agent_id(), ids[0], "the same agent")
	grid.set_point_solid(Vector2i(20, 12), true)
	var put: Vector2 = crowd.set_agent_position(ids[0], Vector2(20.5, 12.5) * CELL)
	check(put != Vector2.INF and put.distance_to(Vector2(20.5, 12.5) * CELL) < 3 * CELL, "near")
	check_eq(unit.position, put, "the body is put there")


func test_an_order_moves_a_body_without_avoidance() -> void:
	var crowd: PathForgeCrowd = _crowd()
	var unit: Unit = unit_at(Vector2i(3, 12), 1)
	unit.agent.avoidance_enabled = false
	await physics_frames(2)
	crowd.assign_goal(PackedInt32Array([unit.agent.get_agent_id()]), Vector2i(12, 12))
	check(await wait_until(unit.agent.is_navigation_finished, 10.0), "it gets there")
	check(unit.position.x > 11 * CELL, "where it was sent: %s" % unit.position)


func test_a_position_is_not_what_an_order_leads_by() -> void:
	var crowd: PathForgeCrowd = _crowd()
	var unit: Unit = unit_at(Vector2i(3, 12), 1)
	unit.set_physics_process(false)
	crowd.assign_goal(PackedInt32Array([unit.agent.get_agent_id()]), Vector2i(12, 12))
	expect_warnings(1, "get_next_velocity")
	for frame: int in 3:
		check_eq(unit.agent.get_next_path_position(), unit.position, "it stays")
		await physics_frames()


func test_an_order_to_where_nothing_leads_is_refused_and_taken_up_again() -> void:
	grid.fill_solid_region(Rect2i(28, 8, 8, 8), true)
	grid.fill_solid_region(Rect2i(30, 10, 4, 4), false)
	var crowd: PathForgeCrowd = _crowd()
	var unit: Unit = unit_at(Vector2i(3, 12), 1)
	var refused: Array[PathForgePath] = []
	unit.agent.navigation_failed.connect(refused.append)
	crowd.assign_goal(PackedInt32Array([unit.agent.get_agent_id()]), Vector2i(31, 11))
	check(await wait_until(unit.agent.is_navigation_finished, 5.0), "it is told")
	check_eq(unit.told, ["finished"] as Array[String], "that it does not go on")
	if check_eq(refused.size(), 1, "and why"):
		check_eq(refused[0].reason, PathForgePath.REASON_DISCONNECTED, "what is the reason")
	check(not unit.agent.is_target_reached(), "it is not there")
	check(not unit.agent.is_blocked_by_others(), "no other is in its way")
	grid.fill_solid_region(Rect2i(28, 10, 2, 2), false)
	check(await wait_until(unit.agent.is_target_reached, 10.0), "there is a way: it goes on")
	check_eq(unit.told, ["finished", "reached", "finished"] as Array[String], "and is told again")


func test_one_that_is_at_its_target_comes_back_to_it() -> void:
	var small: Unit = unit_at(Vector2i(12, 12), 1)
	small.agent.target_position = Vector2(20.5, 12.5) * CELL
	check(await wait_until(small.agent.is_target_reached, 10.0), "the first is there")
	var place: Vector2 = small.position
	var large: Unit = unit_at(Vector2i(3, 11), 3)
	large.agent.target_position = Vector2(34.5, 12.5) * CELL
	check(await wait_until(large.agent.is_target_reached, 15.0), "the other has passed")
	await physics_frames(60)
	check(small.position.distance_to(place) < 4.0, "back: %s, %s" % [small.position, place])


func test_a_squad_of_nodes_and_numbers_marches() -> void:
	gate(2)
	var crowd: PathForgeCrowd = _crowd()
	var ids: PackedInt32Array = []
	var units: Array[Unit] = []
	for index: int in 4:
		units.append(unit_at(Vector2i(3, 8 + 2 * index), 1))
		ids.append(units[index].agent.get_agent_id())
	var numbers: PackedVector2Array = []
	for index: int in 5:
		numbers.append(Vector2(5.5, 8.5 + index) * CELL)
	ids.append_array(crowd.add_agents(numbers, null, 80.0))
	var told: Array[Vector2i] = []
	crowd.group_arrived.connect(told.append.unbind(2))
	check_eq(crowd.assign_march(ids, Vector2i(32, 12)), 9, "nine set out")
	check(await wait_until(func() -> bool: return not told.is_empty(), 30.0), "all are there")
	check_eq(told, [Vector2i(32, 12)] as Array[Vector2i], "told of once")
	var around: Rect2 = Rect2(crowd.get_agent_position(ids[0]), Vector2.ZERO)
	for id: int in ids:
		around = around.expand(crowd.get_agent_position(id))
	check_near(around.size.x, 2.08 * CELL, 6.0, "three files")
	check_near(around.size.y, 2.08 * CELL, 6.0, "three ranks")
	check(all_finished(units), "the nodes know it")
	expect_errors(2, "PathForgeCrowd.assign_march")
	check_eq(crowd.assign_march(ids, Vector2i(32, 12), 7), 0, "no such shape")
	check_eq(crowd.assign_march(ids, Vector2i(-1, 12)), 0, "outside")
	check_eq(crowd.assign_march([], Vector2i(32, 12)), 0, "none")


func test_agents_and_groups_are_told_of() -> void:
	var crowd: PathForgeCrowd = _crowd()
	var arrived: Array[int] = []
	var groups: Array[Vector2i] = []
	crowd.agents_arrived.connect(
		func(ids: PackedInt32Array) -> void: arrived.append_array(Array(ids))
	)
	crowd.group_arrived.connect(groups.append.unbind(2))
	var unit: Unit = unit_at(Vector2i(3, 4), 1)
	unit.agent.target_position = Vector2(10.5, 4.5) * CELL
	var ids: PackedInt32Array = crowd.add_agents(
		PackedVector2Array([Vector2(3.5, 12.5) * CELL]), null, 80.0
	)
	var path: PathForgePath = grid.find_path(Vector2i(3, 12), Vector2i(10, 14))
	check_eq(crowd.assign_path(ids, path), 1, "one is sent")
	var are_told: Callable = func() -> bool: return arrived.size() >= 2 and groups.size() >= 1
	check(await wait_until(are_told, 10.0), "told of: %s, %s" % [arrived, groups])
	check_eq(arrived.count(unit.agent.get_agent_id()), 1, "the one with a target, once")
	check_eq(groups, [Vector2i(10, 14)] as Array[Vector2i], "the end of the path")


func test_those_whose_paths_stop_short_settle_there_one_behind_the_other() -> void:
	grid.fill_solid_region(Rect2i(0, 8, 40, 7), true)
	grid.fill_solid_region(Rect2i(0, 10, 30, 3), false)
	var crowd: PathForgeCrowd = _crowd()
	var arrived: Array[int] = []
	crowd.agents_arrived.connect(
		func(ids: PackedInt32Array) -> void: arrived.append_array(Array(ids))
	)
	var units: Array[Unit] = []
	for place: int in 3:
		units.append(unit_at(Vector2i(3 + 4 * place, 10), 3))
		units[place].agent.goal_mode = PathForgeGrid.GOAL_NEAREST
		units[place].agent.target_position = Vector2(35.5, 11.5) * CELL
	var are_there: Callable = func() -> bool: return all_finished(units) and arrived.size() >= 3
	check(await wait_until(are_there, 12.5), "all have settled, told of %s" % [arrived])
	check(not units.any(func(unit: Unit) -> bool: return unit.agent.is_target_reached()), "short")
	check_near(units[2].position.x, 28.5 * CELL, 12.0, "the first is at the end of its path")
	check(units[0].agent.is_blocked_by_others(), "the last is behind others")
	for unit: Unit in units:
		check_eq(arrived.count(unit.agent.get_agent_id()), 1, "each is told of once")


func test_crowds_move_nodes() -> void:
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	grid.position = Vector2(100, 50)
	grid.add_child(crowd)
	var ids: PackedInt32Array = crowd.add_agents(
		PackedVector2Array([Vector2(24, 24), Vector2(24, 56)]), null, 80.0
	)
	var nodes: Array[Node2D] = [Node2D.new(), Node2D.new()]
	for node: Node2D in nodes:
		add(node)
	check_eq(crowd.bind_nodes(ids, nodes, true), 2, "both are bound")
	crowd.assign_goal(ids, Vector2i(30, 3))
	await physics_frames(60)
	for index: int in 2:
		var expected: Vector2 = grid.to_global(crowd.get_agent_position(ids[index]))
		check(nodes[index].global_position.distance_to(expected) < 0.01, "where its agent is")
		check(nodes[index].global_position.x > 150.0, "it walks")
		check(absf(nodes[index].global_rotation) < 0.7, "turned to where it walks")
	var last: Vector2 = nodes[0].position
	check_eq(crowd.unbind_nodes(PackedInt32Array([ids[0]])), 1, "let go")
	nodes[1].free()
	await physics_frames(10)
	check(nodes[0].position == last, "it stays")
	expect_errors(3, "PathForgeCrowd.bind")
	check_eq(crowd.bind_nodes(ids, [nodes[0]]), 0, "two ids and one node")
	check(not crowd.bind_node(ids[0], null), "no node")
	check(not crowd.bind_node(ids[0], crowd.multimesh), "no node at all")
	check(not crowd.bind_node(99, nodes[0]), "no such agent")


func test_a_node_is_moved_by_one_agent() -> void:
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	crowd.auto_step = false
	grid.add_child(crowd)
	var ids: PackedInt32Array = crowd.add_agents(
		PackedVector2Array([Vector2(24, 24), Vector2(88, 24), Vector2(24, 88)])
	)
	var nodes: Array[Node2D] = [Node2D.new(), Node2D.new()]
	for node: Node2D in nodes:
		add(node)
	nodes[0].name = "Unit"
	check_eq(crowd.bind_nodes(ids.slice(0, 2), nodes), 2, "each its own")
	check(crowd.bind_node(ids[0], nodes[0], true), "once more, to turn")
	expect_errors(1, "PathForgeCrowd.bind_node: node is Unit, which agent %d moves" % ids[0])
	check(not crowd.bind_node(ids[1], nodes[0]), "another agent's")
	expect_errors(1, "PathForgeCrowd.bind_nodes: nodes[0] is Unit, which agent %d moves" % ids[0])
	check_eq(crowd.bind_nodes(ids.slice(1), nodes), 0, "nor several")
	crowd.step(0.016)
	check_eq(nodes[0].global_position, crowd.get_agent_position(ids[0]), "it stays with its agent")
	nodes.reverse()
	check_eq(crowd.bind_nodes(ids.slice(0, 2), nodes), 2, "two agents change nodes")
	crowd.step(0.016)
	check_eq(nodes[1].global_position, crowd.get_agent_position(ids[1]), "it has another agent")
	crowd.unbind_nodes([ids[1]])
	check(crowd.bind_node(ids[2], nodes[1]), "one that was let go")
	crowd.remove_agents([ids[2]])
	check(crowd.bind_node(ids[1], nodes[1]), "one whose agent was removed")


func test_agents_are_changed_on_their_way() -> void:
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	grid.add_child(crowd)
	var ids: PackedInt32Array = crowd.add_agents(PackedVector2Array([Vector2(24, 200)]), null, 40.0)
	crowd.assign_goal(ids, Vector2i(36, 12))
	check_eq(crowd.set_agent_speed(ids, 160.0), 1, "faster")
	await physics_frames(30)
	var x: float = crowd.get_agent_position(ids[0]).x
	check(x > 90.0, "it is: %f" % x)
	check_eq(crowd.set_agent_paused(ids, true), 1, "held")
	await physics_frames(2)
	x = crowd.get_agent_position(ids[0]).x
	await physics_frames(20)
	check_eq(crowd.get_agent_position(ids[0]).x, x, "it stands")
	check(crowd.is_agent_paused(ids[0]), "and is said to")
	crowd.set_agent_paused(ids, false)
	check_eq(crowd.throw_agents(ids, Vector2(0, -200), 0.25), 1, "thrown")
	await physics_frames(10)
	check(crowd.get_agent_position(ids[0]).y < 185.0, "it flies")
	grid.set_point_solid(Vector2i(20, 20), true)
	check_eq(crowd.set_agent_position(ids[0], Vector2(100, 40)), Vector2(100, 40), "put elsewhere")
	check(
		crowd.set_agent_position(ids[0], Vector2(328, 328)).distance_to(Vector2(328, 328)) <= 32.0,
		"beside what is solid"
	)
	var large: PathForgeProfile = PathForgeProfile.new()
	large.footprint = Vector2i(2, 2)
	check_eq(crowd.set_agent_profile(ids, large), 1, "grown")
	check_eq(crowd.set_agent_radius(ids, 10.0), 1, "of another radius")
	check_eq(crowd.set_agent_priority(ids, 0.9), 1, "first")
	check(
		await wait_until(
			func() -> bool: return crowd.get_state(ids[0]) == PathForgeCrowd.STATE_ARRIVED, 20.0
		),
		"it arrives all the same"
	)
	check_eq(crowd.set_agent_speed(PackedInt32Array([7]), 10.0), 0, "there is no seventh")
	check_eq(crowd.set_agent_position(7, Vector2.ZERO), Vector2.INF, "nor has it a place")
	expect_errors(8, "PathForgeCrowd.")
	for bad: float in [0.0, NAN]:
		check_eq(crowd.set_agent_speed(ids, bad), 0, "speed %f" % bad)
	check_eq(crowd.set_agent_radius(ids, -1.0), 0, "a radius below 0")
	check_eq(crowd.set_agent_priority(ids, 2.0), 0, "a priority above 1")
	check_eq(crowd.throw_agents(ids, Vector2(NAN, 0), 1.0), 0, "a velocity that is none")
	check_eq(crowd.throw_agents(ids, Vector2(1e9, 0), 1.0), 0, "one that is too fast")
	check_eq(crowd.throw_agents(ids, Vector2.ONE, 61.0), 0, "too long")
	check_eq(crowd.set_agent_position(ids[0], Vector2(NAN, 0)), Vector2.INF, "no place")


func test_one_that_is_sent_to_where_it_stands_has_its_place_there() -> void:
	var crowd := _crowd()
	var unit := unit_at(Vector2i(20, 12), 1)
	var target := unit.position
	unit.agent.target_position = target
	check(await wait_until(unit.agent.is_target_reached, 2.0), "it is there")
	await physics_frames(2)
	check_eq(crowd.get_state(unit.agent.get_agent_id()), PathForgeCrowd.STATE_ARRIVED)
	unit.position += Vector2(2.5 * CELL, 0.0)
	await physics_frames(1)
	check(not unit.agent.is_target_reached(), "it was pushed off")
	check(await wait_until(unit.agent.is_target_reached, 10.0), "it comes back")
	check(unit.position.distance_to(target) <= CELL, str(unit.position))
	check_eq(unit.told, ["reached", "finished"] as Array[String], "told of once")


func test_one_that_is_put_behind_a_wall_walks_back_by_a_path() -> void:
	grid.fill_solid_region(Rect2i(20, 6, 1, 18))
	var unit := unit_at(Vector2i(14, 12), 1)
	unit.agent.target_position = grid.cell_to_global(Vector2i(18, 12))
	check(await wait_until(unit.agent.is_target_reached, 10.0), "it arrives")
	unit.told.clear()
	unit.position = grid.cell_to_local(Vector2i(21, 12))
	await physics_frames(2)
	check(not unit.agent.is_target_reached(), "it is elsewhere")
	check(await wait_until(unit.agent.is_target_reached, 30.0), "it walks round the wall")
	check(
		unit.position.distance_to(grid.cell_to_local(Vector2i(18, 12))) <= CELL, str(unit.position)
	)
	check_eq(unit.told, ["finished"] as Array[String], "it was told of as reached before")
