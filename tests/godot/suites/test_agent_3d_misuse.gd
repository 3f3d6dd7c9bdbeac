extends WalkerSuite3D
## Walkers in 3D without what they need, with targets that are none, and with what is freed or moved
## elsewhere under way.

const NO_SPACE := "there is no space; set `space`, or put the node below a PathForgeSpace3D"
const NO_GRID := "there is no grid; set `grid`, or put the node below a PathForgeGrid"


func test_without_a_space_it_says_so_once_and_goes_on_when_there_is_one() -> void:
	expect_warnings(1, NO_SPACE)
	expect_warnings(1, "PathForgeAgent3D")
	grid.remove_child(space)
	var unit := Unit.new()
	unit.position = Vector3(4.5, 0.0, 4.5)
	add(unit)
	unit.agent.target_position = Vector3(12.5, 0.0, 4.5)
	await frames(5)
	check_eq(unit.told, ["failed", "finished"] as Array[String], "it is refused")
	check_eq(unit.agent.get_current_path().reason, PathForgePath.REASON_NO_GRID)
	check_eq(unit.agent.get_agent_id(), -1, "in no crowd")
	check_eq(unit.agent.get_next_velocity(3.0), Vector3.ZERO, "it stays where it is")
	grid.add_child(space)
	check(await wait_until(unit.agent.is_target_reached), "and goes when there is one")


func test_a_space_without_a_grid_says_so_once() -> void:
	expect_warnings(1, NO_GRID)
	expect_warnings(1, "PathForgeSpace3D")
	var level: Node3D = add(Node3D.new())
	var bare := PathForgeSpace3D.new()
	var holder := Node3D.new()
	level.add_child(holder)
	holder.add_child(bare)
	grid.get_parent().remove_child(grid)
	var unit := Unit.new()
	holder.add_child(unit)
	unit.agent.target_position = Vector3(12.5, 0.0, 4.5)
	await frames(5)
	check_eq(unit.told, ["failed", "finished"] as Array[String], "it is refused")
	bare.grid = grid
	root.add_child(grid)
	check(await wait_until(unit.agent.is_target_reached), "and goes when there is one")


func test_a_walker_without_a_parent_that_moves_is_told_of_it() -> void:
	expect_warnings(1, "the parent is a Node2D, which does not move it: put it below a Node3D")
	var body: Node2D = add(Node2D.new())
	var agent := PathForgeAgent3D.new()
	agent.space = space
	body.add_child(agent)
	agent.target_position = Vector3(5.5, 0.0, 5.5)
	await frames(3)
	check(agent.is_target_reachable(), "all else is as ever")


func test_targets_that_are_no_positions_are_refused() -> void:
	var unit := _unit_at(Vector2i(5, 5))
	for bad: Vector3 in [Vector3(NAN, 0, 0), Vector3(0, INF, 0), Vector3(0, 0, -INF)]:
		expect_errors(1, "PathForgeAgent3D.target_position")
		unit.agent.target_position = bad
	check(unit.agent.is_navigation_finished(), "no order was given")
	expect_errors(2, "PathForgeAgent3D.get_next_velocity")
	check_eq(unit.agent.get_next_velocity(-1.0), Vector3.ZERO)
	check_eq(unit.agent.get_next_velocity(NAN), Vector3.ZERO)
	expect_errors(1, "PathForgeAgent3D.radius")
	unit.agent.radius = -1.0
	expect_errors(1, "PathForgeAgent3D.goal_mode")
	unit.agent.goal_mode = 7
	# A body that is nowhere: nothing is known of it, and it goes on from where it is put.
	unit.set_physics_process(false)
	unit.agent.target_position = Vector3(20.5, 0.0, 5.5)
	unit.position = Vector3(NAN, NAN, NAN)
	await physics_frames(5)
	unit.agent.get_next_velocity(3.0)
	unit.position = Vector3(5.5, 0.0, 5.5)
	unit.set_physics_process(true)
	check(await wait_until(unit.agent.is_target_reached), "it goes on")


func test_a_space_that_is_scaled_by_zero_is_waited_for() -> void:
	var unit := _unit_at(Vector2i(5, 5))
	unit.ground = null
	unit.agent.target_position = Vector3(20.5, 0.0, 5.5)
	check(await wait_until(func() -> bool: return unit.position.x > 6.0), "it walks")
	var at := unit.position
	space.scale = Vector3(1.0, 0.0, 1.0)
	await physics_frames(20)
	check(unit.position.is_finite(), "it is somewhere")
	check(unit.position.distance_to(at) < 3.0, "not far")
	space.scale = Vector3.ONE
	check(await wait_until(unit.agent.is_target_reached), "it goes on")


func test_a_freed_space_a_freed_grid_and_freed_bodies() -> void:
	# Once for the space that is gone, and once for the next one.
	expect_warnings(2, NO_SPACE)
	var unit := _unit_at(Vector2i(5, 5))
	var other := _unit_at(Vector2i(8, 5))
	for each: Unit in [unit, other]:
		each.agent.target_position = Vector3(30.5, 0.0, 5.5)
	var crowd := PathForgeCrowd.new()
	grid.add_child(crowd)
	unit.agent.get_agent_id()
	await physics_frames(20)
	check_eq(crowd.get_agent_count(), 2, "two walk")
	other.free()
	await physics_frames(3)
	check_eq(crowd.get_agent_count(), 1, "one is gone")
	space.free()
	await physics_frames(3)
	check_eq(crowd.get_agent_count(), 0, "without its space it is in no crowd")
	var at := unit.position
	await physics_frames(10)
	check(unit.position.distance_to(at) < 0.01, "it stays where it is")
	space = PathForgeSpace3D.new()
	grid.add_child(space)
	unit.agent.space = space
	var goes_on := func() -> bool: return unit.position.x > at.x + 0.5
	check(await wait_until(goes_on), "and goes on in another")
	grid.free()
	await physics_frames(5)
	check(unit.is_inside_tree(), "nothing else is lost")


func test_a_walker_that_gets_another_parent_keeps_its_order() -> void:
	var crowd := PathForgeCrowd.new()
	grid.add_child(crowd)
	var unit := _unit_at(Vector2i(5, 5))
	crowd.assign_goal(PackedInt32Array([unit.agent.get_agent_id()]), Vector2i(25, 5))
	await physics_frames(20)
	var elsewhere: Node3D = add(Node3D.new())
	unit.reparent(elsewhere)
	check(await wait_until(unit.agent.is_target_reached), "it is where it was sent")
	check_eq(unit.told, ["reached", "finished"] as Array[String], "told once")


func test_a_target_set_by_a_handler_and_a_body_freed_by_one() -> void:
	var unit := _unit_at(Vector2i(5, 5))
	var turn_back := func() -> void: unit.agent.target_position = Vector3(5.5, 0.0, 5.5)
	unit.agent.target_reached.connect(turn_back, CONNECT_ONE_SHOT)
	unit.agent.target_position = Vector3(9.5, 0.0, 5.5)
	check(
		await wait_until(func() -> bool: return unit.told.count("reached") == 2), "there and back"
	)
	unit.agent.path_changed.connect(unit.queue_free)
	unit.agent.target_position = Vector3(9.5, 0.0, 5.5)
	var id := unit.get_instance_id()
	var is_gone := func() -> bool: return not is_instance_id_valid(id)
	check(await wait_until(is_gone), "freed by what it told")


func test_the_route_is_drawn_on_demand() -> void:
	_hills()
	var unit := _unit_at(Vector2i(5, 5))
	unit.ground = null
	unit.agent.debug_enabled = true
	unit.agent.target_position = Vector3(30.5, 0.0, 15.5)
	await physics_frames(20)
	unit.agent.debug_path_color = Color.RED
	unit.agent.debug_path_width = 0.3
	await frames(3)
	space.scale = Vector3(0.0, 0.0, 0.0)
	await frames(3)
	space.scale = Vector3.ONE
	unit.agent.debug_enabled = false
	await frames(3)
	unit.agent.debug_enabled = true
	check(await wait_until(unit.agent.is_target_reached), "it walks all the same")
