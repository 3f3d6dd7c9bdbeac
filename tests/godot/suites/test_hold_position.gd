extends WalkerSuite3D
## For whom bodies at rest make way: for those of at least their own priority, and for none while
## they hold their position.

const CENTER := Vector3(21, 0, 13)

var _crowd: PathForgeCrowd


func before_each() -> void:
	super()
	_crowd = PathForgeCrowd.new()
	grid.add_child(_crowd)


## Six workers rest round a crystal.
func _workers() -> Array[Unit]:
	grid.add_obstacle(Rect2i(20, 12, 2, 2))
	var workers: Array[Unit] = []
	for index: int in 6:
		var worker := _unit_at(Vector2i.ZERO, 2)
		worker.position = CENTER + Vector3(2.25, 0, 0).rotated(Vector3.UP, index * PI / 3.0)
		workers.append(worker)
	return workers


## Sends ten more to it; returns how far the worker that was moved most has been from its place.
func _pushed(workers: Array[Unit]) -> float:
	var homes := workers.map(func(worker: Unit) -> Vector3: return worker.position)
	for index: int in 10:
		var unit := _unit_at(Vector2i(32 + index % 2 * 3, 2 + index * 2), 2)
		unit.agent.goal_mode = PathForgeGrid.GOAL_NEAREST
		unit.agent.target_position = CENTER
	var farthest := 0.0
	for frame: int in 600:
		await physics_frames(1)
		for index: int in workers.size():
			var home: Vector3 = homes[index]
			farthest = maxf(farthest, workers[index].position.distance_to(home))
	return farthest


func test_bodies_at_rest_make_way_for_their_equals() -> void:
	var farthest: float = await _pushed(_workers())
	check(farthest > 0.5, "pushed %f m off" % farthest)


func test_bodies_at_rest_make_way_for_none_of_less_priority() -> void:
	var workers := _workers()
	for worker: Unit in workers:
		worker.agent.priority = 1.0
	var farthest: float = await _pushed(workers)
	check(farthest < 0.01, "pushed %f m off" % farthest)


func test_bodies_that_hold_their_position_make_way_for_none() -> void:
	var workers := _workers()
	for worker: Unit in workers:
		worker.agent.priority = 0.0
		worker.agent.hold_position = true
	var farthest: float = await _pushed(workers)
	check(farthest < 0.01, "pushed %f m off" % farthest)


func test_one_that_holds_a_gate_is_named_until_it_is_let_go() -> void:
	grid.fill_solid_region(Rect2i(20, 0, 2, 24), true)
	grid.fill_solid_region(Rect2i(20, 11, 2, 2), false)
	var plug := _unit_at(Vector2i(20, 11), 2)
	var home := plug.position
	var ids := PackedInt32Array([plug.agent.get_agent_id()])
	check_eq(_crowd.set_agent_hold_position(ids, true), 1)
	check(plug.agent.hold_position, "the property shows it")
	check(_crowd.is_agent_holding_position(ids[0]) and not _crowd.is_agent_paused(ids[0]), "held")
	var unit := _unit_at(Vector2i(10, 11), 2)
	unit.agent.priority = 1.0
	unit.agent.target_position = Vector3(32, 0, 12)
	check(await wait_until(unit.agent.is_blocked_by_others, 30.0), "it does not come through")
	check_eq(unit.agent.get_blockage().nodes, [plug.agent] as Array[Node])
	check(plug.position.distance_to(home) < 0.01, "it stays where it is")
	plug.agent.hold_position = false
	# It has come to rest behind the other, and presses no more.
	unit.agent.stop()
	unit.agent.target_position = Vector3(32, 0, 12)
	check(await wait_until(unit.agent.is_target_reached, 30.0), "it comes through")


func test_one_that_holds_its_position_goes_where_it_is_sent() -> void:
	var unit := _unit_at(Vector2i(4, 4))
	unit.agent.hold_position = true
	unit.agent.target_position = space.cell_to_global(Vector2i(12, 4))
	check(await wait_until(unit.agent.is_target_reached, 20.0), "a node")
	var at := grid.cells_to_local([Vector2i(4, 10)] as Array[Vector2i])
	var ids := _crowd.add_agents(at, null, 4.0)
	check_eq(_crowd.set_agent_hold_position(ids, true), 1)
	check_eq(_crowd.set_agent_hold_position(PackedInt32Array([-1, 99]), true), 0, "no agents")
	check(not _crowd.is_agent_holding_position(99) and not _crowd.is_agent_holding_position(-1), "")
	_crowd.assign_goal(ids, Vector2i(12, 10))
	check(_crowd.from_bytes(_crowd.to_bytes()), "saved on its way")
	check(_crowd.is_agent_holding_position(ids[0]), "and loaded")
	var is_there := func() -> bool: return _crowd.get_state(ids[0]) == PathForgeCrowd.STATE_ARRIVED
	check(await wait_until(is_there, 20.0), "a number")
