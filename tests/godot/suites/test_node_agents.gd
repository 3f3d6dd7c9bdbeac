extends TestSuite
## Nodes are agents of a crowd: they keep clear of each other and of numbers, get through gates
## together, settle beside each other, and say when others block them.

const CELL: float = 16.0

var _grid: PathForgeGrid


## A body as README has it.
class Unit:
	extends CharacterBody2D
	var agent: PathForgeAgent2D = PathForgeAgent2D.new()
	var speed: float = 80.0
	var told: Array[String] = []

	func _physics_process(_delta: float) -> void:
		velocity = agent.get_next_velocity(speed)
		move_and_slide()


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, 40, 24)
	_grid.cell_size = Vector2(CELL, CELL)
	add(_grid)


func _unit(cell: Vector2i, side: int) -> Unit:
	var unit: Unit = Unit.new()
	var shape: CollisionShape2D = CollisionShape2D.new()
	var circle: CircleShape2D = CircleShape2D.new()
	circle.radius = CELL * side * 0.5 - 3.0
	shape.shape = circle
	unit.add_child(shape)
	unit.motion_mode = CharacterBody2D.MOTION_MODE_FLOATING
	var profile: PathForgeProfile = PathForgeProfile.new()
	profile.footprint = Vector2i(side, side)
	unit.position = _grid.cell_to_local(cell, profile)
	unit.agent.grid = _grid
	unit.agent.profile = profile
	unit.add_child(unit.agent)
	unit.agent.target_reached.connect(func() -> void: unit.told.append("reached"))
	unit.agent.navigation_finished.connect(func() -> void: unit.told.append("finished"))
	unit.agent.blocked_by_others.connect(func() -> void: unit.told.append("blocked"))
	add(unit)
	return unit


func _gate(height: int) -> void:
	_grid.fill_solid_region(Rect2i(20, 0, 2, 24), true)
	_grid.fill_solid_region(Rect2i(20, 12 - height / 2, 2, height), false)


func _all_finished(units: Array[Unit]) -> bool:
	return units.all(func(unit: Unit) -> bool: return unit.agent.is_navigation_finished())


## The deepest overlap of two discs, in parts of the smaller radius.
func _deepest(units: Array[Unit]) -> float:
	var deepest: float = 0.0
	for a: int in units.size():
		for b: int in a:
			var radii: Array[float] = []
			for unit: Unit in [units[a], units[b]]:
				radii.append(unit.agent.profile.footprint.x * CELL * 0.5 - 0.1 * CELL)
			var gap: float = units[a].position.distance_to(units[b].position) - radii[0] - radii[1]
			deepest = maxf(deepest, -gap / minf(radii[0], radii[1]))
	return deepest


func test_six_tanks_to_one_place_through_a_gate_for_one() -> void:
	_gate(2)
	var units: Array[Unit] = []
	for index: int in 6:
		units.append(_unit(Vector2i(4 + index % 2 * 3, 5 + index / 2 * 4), 2))
	for unit: Unit in units:
		unit.agent.target_position = Vector2(32, 12) * CELL
	check(await wait_until(_all_finished.bind(units), 30.0), "all are done")
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
	check(_deepest(units) < 0.1, "clear of each other: %f" % _deepest(units))


func test_a_squad_gets_a_place_for_each() -> void:
	_gate(4)
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	_grid.add_child(crowd)
	var groups: Array[Vector2i] = []
	crowd.group_arrived.connect(func(goal: Vector2i) -> void: groups.append(goal))
	var units: Array[Unit] = []
	var ids: PackedInt32Array = PackedInt32Array()
	for index: int in 8:
		units.append(_unit(Vector2i(3 + index % 4 * 3, 8 + index / 4 * 4), 1 + index % 2))
		ids.append(units[index].agent.get_agent_id())
	check(not ids.has(-1), "each has a number: %s" % ids)
	check_eq(crowd.get_agent_count(), 8, "all are in the grid's crowd")
	check_eq(crowd.assign_goal(ids, Vector2i(32, 12)), 8, "all are sent")
	check(not units[0].agent.is_navigation_finished(), "on its way")
	check(await wait_until(_all_finished.bind(units), 30.0), "all are there")
	for unit: Unit in units:
		check_eq(unit.told, ["reached", "finished"] as Array[String], "told in order, once")
		check(unit.agent.is_target_reached(), "it is where it was sent")
	check(_deepest(units) < 0.1, "clear of each other: %f" % _deepest(units))
	await physics_frames(40)
	check_eq(groups, [Vector2i(32, 12)] as Array[Vector2i], "the group is told once")
	# Back again, then stopped on the way.
	crowd.assign_goal(ids, Vector2i(4, 12))
	await physics_frames(30)
	check_eq(crowd.stop(ids), 8, "stopped")
	check(_all_finished(units), "nothing to walk to any more")
	await physics_frames(5)
	check(units[0].velocity.length() < 1.0, "it stands")


func test_a_target_counts_instead_of_an_order() -> void:
	_grid.fill_solid_region(Rect2i(30, 4, 6, 6), true)
	_grid.fill_solid_region(Rect2i(32, 6, 2, 2), false)
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	_grid.add_child(crowd)
	var unit: Unit = _unit(Vector2i(3, 12), 1)
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
	_grid.add_child(crowd)
	var positions: PackedVector2Array = PackedVector2Array()
	for index: int in 12:
		positions.append(Vector2(34.5, 6.5 + index) * CELL)
	var ids: PackedInt32Array = crowd.add_agents(positions, null, 60.0)
	crowd.assign_goal(ids, Vector2i(4, 12))
	var unit: Unit = _unit(Vector2i(2, 11), 3)
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
	_grid.add_child(crowd)
	var units: Array[Unit] = [
		_unit(Vector2i(4, 4), 1), _unit(Vector2i(8, 4), 1), _unit(Vector2i(12, 4), 1)
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


func remove_and_free_later(unit: Unit) -> void:
	unit.get_parent().remove_child(unit)
	unit.queue_free()


func test_without_avoidance_the_crowd_knows_nothing_of_it() -> void:
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	_grid.add_child(crowd)
	var unit: Unit = _unit(Vector2i(4, 4), 1)
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
	_grid.add_child(crowd)
	var unit: Unit = _unit(Vector2i(4, 4), 1)
	unit.agent.target_position = Vector2(20, 4.5) * CELL
	await physics_frames(30)
	crowd.auto_step = false
	check(await wait_until(unit.agent.is_navigation_finished, 10.0), "it walks on without others")
	await physics_frames(10)
	check(unit.position.distance_to(Vector2(20, 4.5) * CELL) < 11.0, "and no farther")


func test_safe_velocities_are_told_to_those_who_listen() -> void:
	var unit: Unit = _unit(Vector2i(4, 4), 1)
	var heard: Array[Vector2] = []
	unit.agent.velocity_computed.connect(func(velocity: Vector2) -> void: heard.append(velocity))
	unit.agent.target_position = Vector2(20, 4.5) * CELL
	await physics_frames(30)
	check(heard.size() >= 28 and heard[-1].length() > 70.0, "each frame: %d" % heard.size())
	check(heard[-1] == unit.velocity, "the one that was returned")


func test_crowds_move_nodes() -> void:
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	_grid.position = Vector2(100, 50)
	_grid.add_child(crowd)
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
		var expected: Vector2 = _grid.to_global(crowd.get_agent_position(ids[index]))
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


func test_agents_are_changed_on_their_way() -> void:
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	_grid.add_child(crowd)
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
	_grid.set_point_solid(Vector2i(20, 20), true)
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
