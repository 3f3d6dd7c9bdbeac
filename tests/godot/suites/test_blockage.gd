extends NodeSuite
## What keeps agents from their goals is told with names: of ids and of nodes.


## A lane three cells wide that narrows to one: a hauler rests before the narrow part, and scouts
## are sent past it.
func _jam() -> Array[Unit]:
	grid.position = Vector2(100, 50)
	grid.fill_solid_region(Rect2i(0, 0, 40, 24))
	grid.fill_solid_region(Rect2i(0, 11, 20, 3), false)
	grid.fill_solid_region(Rect2i(20, 12, 20, 1), false)
	var units: Array[Unit] = [unit_at(Vector2i(12, 11), 3)]
	for place: int in 2:
		units.append(unit_at(Vector2i(2 + 2 * place, 12), 1))
	for unit: Unit in units:
		unit.position += grid.position
		unit.agent.goal_mode = PathForgeGrid.GOAL_NEAREST
		unit.agent.target_position = grid.cell_to_global(Vector2i(36, 12))
	return units


func test_a_node_behind_others_is_not_there_and_says_who_is_before_it() -> void:
	var units := _jam()
	var are_blocked := func() -> bool:
		return (
			units[1].agent.is_blocked_by_others()
			and units[2].agent.is_blocked_by_others()
			and units[0].agent.is_navigation_finished()
		)
	var last := units[1].agent
	var waits := func() -> bool:
		return not (last.is_blocked_by_others() or last.get_blockage().nodes.is_empty())
	check(await wait_until(waits, 10.0), "what it waits for is known before it is blocked")
	check(await wait_until(are_blocked, 30.0), "both are")
	for unit: Unit in units.slice(1):
		check(not unit.agent.is_target_reached(), "it is not there")
		check(not unit.agent.is_navigation_finished(), "nor has it finished")
		check_eq(unit.told, ["blocked"] as Array[String], "told of once")
	var first := units[2].agent.get_blockage()
	check_eq(first.nodes, [units[0].agent] as Array[PathForgeAgent2D], "the hauler is before it")
	check_eq(first.ids, PackedInt32Array([units[0].agent.get_agent_id()]), "by its id, too")
	check_eq(first.free_cell, Vector2i(36, 12), "the target is free")
	check_eq(first.free_position, grid.cell_to_global(Vector2i(36, 12)), "in global space")
	check("(36, 12)" in first.text and str(first.ids[0]) in str(first), first.text)
	check(not units[1].agent.get_blockage().nodes.is_empty(), "the other names some, too")
	check_eq(units[0].agent.get_blockage().ids.size(), 0, "the hauler is where its way ends")
	units[0].free()
	var are_there := func() -> bool: return all_finished(units.slice(1))
	check(await wait_until(are_there, 30.0), "they go on when it has gone")
	check(units[2].agent.is_target_reached(), "the first is at the target")
	check(units[1].agent.get_blockage().nodes == [units[2].agent], "the other beside it")
	check_eq(units[2].told, ["blocked", "reached", "finished"] as Array[String])


func test_a_node_goes_round_one_that_stands_in_its_door() -> void:
	grid.position = Vector2(100, 50)
	grid.fill_solid_region(Rect2i(20, 0, 1, 24))
	for door: Vector2i in [Vector2i(20, 12), Vector2i(20, 4)]:
		grid.set_point_solid(door, false)
	var stander := unit_at(Vector2i(20, 12), 1)
	var unit := unit_at(Vector2i(12, 12), 1)
	for one: Unit in [stander, unit]:
		one.position += grid.position
	# Nothing asks for its velocity: it is moved by its game alone, which does not.
	stander.set_physics_process(false)
	check(stander.agent.get_agent_id() >= 0, "it is in the crowd")
	unit.agent.target_position = grid.cell_to_global(Vector2i(28, 12))
	var goes_round := func() -> bool: return grid.global_to_cell(unit.position).y < 6
	check(await wait_until(goes_round, 20.0), "it walks to the other door")
	check(await wait_until(unit.agent.is_target_reached, 20.0), "and comes to its target")
	check_eq(unit.told, ["reached", "finished"] as Array[String], "it was never blocked")
	# The other door is closed behind it.
	grid.set_point_solid(Vector2i(20, 4), true)
	unit.told.clear()
	unit.agent.target_position = grid.cell_to_global(Vector2i(12, 12))
	check(await wait_until(unit.agent.is_blocked_by_others, 40.0), "there is no way round")
	check_eq(unit.agent.get_blockage().nodes, [stander.agent] as Array[PathForgeAgent2D])
	grid.set_point_solid(Vector2i(20, 4), false)
	check(await wait_until(unit.agent.is_target_reached, 40.0), "it goes on by a door that opens")


func test_an_agent_in_a_queue_says_who_is_before_it() -> void:
	var crowd := PathForgeCrowd.new()
	grid.add_child(crowd)
	grid.fill_solid_region(Rect2i(0, 0, 40, 24))
	grid.fill_solid_region(Rect2i(0, 12, 40, 1), false)
	grid.position = Vector2(100, 50)
	var cells: Array[Vector2i] = [Vector2i(2, 12), Vector2i(20, 12)]
	var ids := crowd.add_agents(grid.cells_to_local(cells), null, 80.0)
	crowd.set_agent_paused(ids.slice(1), true)
	check_eq(crowd.get_blockage(ids[0]).ids.size(), 0, "it has no goal")
	crowd.assign_goal(ids.slice(0, 1), Vector2i(36, 12))
	await physics_frames(10)
	check_eq(crowd.get_blockage(ids[0]).text, "no other agent keeps it from its goal")
	var is_kept_off := func() -> bool: return not crowd.get_blockage(ids[0]).ids.is_empty()
	check(await wait_until(is_kept_off, 9.0), "it is")
	var blockage := crowd.get_blockage(ids[0])
	check_eq(blockage.ids, ids.slice(1), "the one that is paused")
	check_eq(blockage.nodes.size(), 0, "which is no node")
	check_eq(blockage.free_cell, Vector2i(36, 12))
	check_eq(blockage.free_position, grid.cell_to_local(Vector2i(36, 12)), "in local space")
	crowd.set_agent_paused(ids.slice(1), false)
	crowd.remove_agents(ids.slice(1))
	var is_there := func() -> bool: return crowd.get_state(ids[0]) == PathForgeCrowd.STATE_ARRIVED
	check(await wait_until(is_there, 20.0), "it goes on")
	check_eq(crowd.get_blockage(ids[0]).free_cell, Vector2i.MIN, "nothing is in its way")


func test_what_is_no_agent_is_kept_off_by_nothing() -> void:
	var crowd := PathForgeCrowd.new()
	var check_none := func(blockage: PathForgeBlockage, what: String) -> void:
		check_eq(blockage.ids.size() + blockage.nodes.size(), 0, what)
		check_eq(blockage.free_cell, Vector2i.MIN, what)
		check_eq(blockage.free_position, Vector2.INF, what)
	check_none.call(crowd.get_blockage(0), "without a grid")
	grid.add_child(crowd)
	for id: int in [-1, 0, 7, 1 << 31, 1 << 62]:
		check_none.call(crowd.get_blockage(id), "id %d" % id)
	var agent := PathForgeAgent2D.new()
	check_none.call(agent.get_blockage(), "outside the tree")
	add(agent)
	check_none.call(agent.get_blockage(), "without a target")
	var ids := crowd.add_agents(PackedVector2Array([Vector2(24, 24)]), null, 80.0)
	crowd.assign_goal(ids, Vector2i(9, 9))
	grid.region = Rect2i(-5, -5, 12, 12)
	check_none.call(crowd.get_blockage(ids[0]), "on another map than at the last step")
	grid.region = Rect2i()
	check_none.call(crowd.get_blockage(ids[0]), "on no map")
