extends NodeSuite
## Many nodes join a crowd, ask for paths and leave in one frame: what they take grows with their
## number, and nothing of them is left behind.


## Nodes that stand anywhere on the map and want to go somewhere.
func _bodies(count: int, below: Node) -> Array[Node2D]:
	var random: RandomNumberGenerator = RandomNumberGenerator.new()
	random.seed = 5
	var bodies: Array[Node2D] = []
	for _n: int in count:
		var body: Node2D = Node2D.new()
		body.position = CELL * Vector2(random.randf_range(1, 39), random.randf_range(1, 23))
		body.add_child(PathForgeAgent2D.new())
		below.add_child(body)
		bodies.append(body)
	return bodies


func _agent_of(body: Node2D) -> PathForgeAgent2D:
	return body.get_child(0)


func _send(bodies: Array[Node2D]) -> void:
	for n: int in bodies.size():
		_agent_of(bodies[n]).target_position = CELL * Vector2(2 + n * 7 % 36, 2 + n * 3 % 20)


## Microseconds in which so many nodes join.
func _usec_of_joins(count: int) -> int:
	var map: PathForgeGrid = PathForgeGrid.new()
	map.region = Rect2i(0, 0, 40, 24)
	add(map)
	var bodies: Array[Node2D] = _bodies(count, map)
	_send(bodies)
	var begun: int = Time.get_ticks_usec()
	for body: Node2D in bodies:
		_agent_of(body).get_next_velocity(50.0)
	var usec: int = Time.get_ticks_usec() - begun
	map.free()
	return usec


func test_joins_take_as_long_as_there_are_nodes() -> void:
	_usec_of_joins(100)
	var ratios: Array[float] = []
	# Of several rounds one is not disturbed by what else the machine does.
	for _round: int in 3:
		var few: int = _usec_of_joins(250)
		ratios.append(float(_usec_of_joins(1000)) / few)
	# 4 where a join looks at no other child of the grid, 9 to 15 where it looks at all.
	check(ratios.min() < 7.0, "four times as many take %s times as long" % [ratios])


func test_nodes_join_the_first_crowd_below_their_grid() -> void:
	var bodies: Array[Node2D] = _bodies(4, grid)
	check_eq(_agent_of(bodies[0]).get_agent_id(), 0, "the crowd is made")
	check_eq(_agent_of(bodies[1]).get_agent_id(), 1, "and found again")
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	grid.add_child(crowd)
	check_eq(_agent_of(bodies[2]).get_agent_id(), 0, "one in the scene comes before the grid's own")
	check_eq(crowd.get_agent_count(), 1)
	var other: PathForgeCrowd = PathForgeCrowd.new()
	grid.add_child(other)
	grid.move_child(other, 0)
	_agent_of(bodies[3]).get_agent_id()
	check_eq(other.get_agent_count(), 1, "the first of two")
	grid.remove_child(other)
	_agent_of(bodies[3]).crowd = null
	check_eq(_agent_of(bodies[3]).get_agent_id(), 1, "one that is gone is not joined")
	other.free()


func test_nodes_of_a_grid_outside_the_tree_share_a_crowd() -> void:
	var map: PathForgeMap = PathForgeMap.new()
	map.grid.region = Rect2i(0, 0, 40, 24)
	for body: Node2D in _bodies(3, root):
		_agent_of(body).grid = map.grid
		_agent_of(body).get_agent_id()
	check_eq(map.grid.get_child_count(true), 1, "one is made for all")


func test_freed_nodes_leave_no_requests() -> void:
	grid.request_budget_usec = 1
	for freed: Array[Node2D] in [_bodies(500, grid), _bodies(500, grid)]:
		_send(freed)
		check_eq(open_requests(), 500, "they have asked")
		await physics_frames(1)
		for body: Node2D in freed:
			_agent_of(body).get_next_velocity(50.0)
		for body: Node2D in freed:
			body.free()
		check_eq(open_requests(), 0, "nothing is left")
	var unit: Unit = unit_at(Vector2i(3, 3), 1)
	unit.agent.target_position = CELL * Vector2(30, 20)
	var coming: bool = await wait_until(unit.agent.get_current_path, 1.0)
	check(coming, "one that lives has its path")
	check_eq(open_requests(), 0)


func test_requests_of_others_are_answered_in_order() -> void:
	var bodies: Array[Node2D] = _bodies(6, grid)
	var told: Array[int] = []
	grid.path_answered.connect(func(ticket: int, _path: PathForgePath) -> void: told.append(ticket))
	var tickets: Array[int] = []
	for body: Node2D in bodies:
		tickets.append(grid.request_path(Vector2i(1, 1), Vector2i(30, 9 + tickets.size())))
		_send([body])
	check_eq(open_requests(), 12)
	for n: int in [4, 0, 5, 2, 3, 1]:
		bodies[n].free()
	check_eq(open_requests(), 6)
	check(not grid.cancel_request(tickets[0] + 1), "it is taken back already")
	await wait_until(func() -> bool: return told.size() >= 6, 5.0)
	await physics_frames(5)
	check_eq(told, tickets, "those of the nodes are not told")


## An answer frees or takes out bodies whose answers are next in the same frame.
func test_bodies_that_an_answer_takes_out_are_told_nothing() -> void:
	var bodies: Array[Node2D] = _bodies(3, grid)
	_send(bodies)
	var told: Array[int] = []
	for n: int in 3:
		_agent_of(bodies[n]).path_changed.connect(func() -> void: told.append(n))
	_agent_of(bodies[0]).path_changed.connect(
		func() -> void:
			grid.remove_child(bodies[1])
			bodies[2].free(),
		CONNECT_ONE_SHOT
	)
	await wait_until(func() -> bool: return not told.is_empty(), 5.0)
	await physics_frames(10)
	check_eq(told, [0], "the first alone")
	check_eq(open_requests(), 0)
	grid.add_child(bodies[1])
	await wait_until(func() -> bool: return told.size() >= 2, 5.0)
	check_eq(told, [0, 1], "in the tree again it asks again")


func test_bodies_that_move_in_the_tree_ask_again() -> void:
	var level: Node2D = Node2D.new()
	grid.add_child(level)
	var bodies: Array[Node2D] = _bodies(3, grid)
	_send(bodies)
	for body: Node2D in bodies:
		_agent_of(body).get_next_velocity(50.0)
		body.reparent(level)
		_agent_of(body).get_next_velocity(50.0)
	check_eq(open_requests(), 3, "one each")
	# To another map, and back.
	var other: PathForgeGrid = PathForgeGrid.new()
	other.region = grid.region
	add(other)
	bodies[0].reparent(other)
	_agent_of(bodies[0]).get_next_velocity(50.0)
	check_eq(open_requests(), 3, "taken back from the one, asked of the other")
	_agent_of(bodies[1]).grid = other
	_agent_of(bodies[1]).get_next_velocity(50.0)
	check_eq(open_requests(), 3)
	var has_path: Callable = func(body: Node2D) -> bool:
		return _agent_of(body).get_current_path() != null
	check(await wait_until(func() -> bool: return bodies.all(has_path), 5.0), "all are answered")
	check_eq(open_requests(), 0)


func test_a_grid_that_is_freed_before_its_agents() -> void:
	var map: PathForgeGrid = PathForgeGrid.new()
	map.region = Rect2i(0, 0, 40, 24)
	add(map)
	var bodies: Array[Node2D] = _bodies(5, root)
	for body: Node2D in bodies:
		_agent_of(body).grid = map
	_send(bodies)
	for body: Node2D in bodies:
		_agent_of(body).get_next_velocity(50.0)
	map.free()
	for body: Node2D in bodies:
		_agent_of(body).get_next_velocity(50.0)
	bodies[0].free()
	bodies.remove_at(0)
	# They find the other grid, which stands beside them.
	for body: Node2D in bodies:
		_agent_of(body).get_next_velocity(50.0)
	check_eq(open_requests(), 4, "each asks there")
	var has_path: Callable = func(body: Node2D) -> bool:
		return _agent_of(body).get_current_path() != null
	check(await wait_until(func() -> bool: return bodies.all(has_path), 5.0), "and is answered")


func test_ids_given_twice_count_once() -> void:
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	crowd.auto_step = false
	grid.add_child(crowd)
	var two: PackedInt32Array = crowd.add_agents(
		PackedVector2Array([Vector2(40, 40), Vector2(80, 40)])
	)
	var ids: PackedInt32Array = [two[0], two[1], two[0], -1, two[0], 99]
	var cell: Vector2i = Vector2i(20, 12)
	var field: FlowField = FlowField.new()
	grid.add_child(field)
	field.goals = [cell]
	var path: PathForgePath = grid.find_path(Vector2i(2, 2), cell)
	check_eq(crowd.assign_field(ids, field), 2, "assign_field")
	check_eq(crowd.assign_path(ids, path), 2, "assign_path")
	check_eq(crowd.assign_goal(ids, cell), 2, "assign_goal")
	check_eq(crowd.assign_march(ids, cell), 2, "assign_march")
	check_eq(crowd.set_agent_speed(ids, 50.0), 2, "set_agent_speed")
	check_eq(crowd.set_agent_radius(ids, 5.0), 2, "set_agent_radius")
	check_eq(crowd.set_agent_priority(ids, 0.5), 2, "set_agent_priority")
	check_eq(crowd.set_agent_paused(ids, false), 2, "set_agent_paused")
	check_eq(crowd.set_agent_profile(ids), 2, "set_agent_profile")
	check_eq(crowd.throw_agents(ids, Vector2.ZERO, 0.0), 2, "throw_agents")
	check_eq(crowd.stop(ids), 2, "stop")
	var first: Vector2 = Vector2(200, 200)
	var places: PackedVector2Array = [first, Vector2(240, 200), Vector2(500, 300)]
	places.append_array([Vector2(500, 50), Vector2(90, 300), Vector2(90, 350)])
	check_eq(
		crowd.assign_formation(ids.slice(0, 3), cell, places.slice(0, 3)), 2, "assign_formation"
	)
	for _step: int in 900:
		crowd.step(1.0 / 60.0)
	var at: Vector2 = crowd.get_agent_position(two[0])
	var beside: Vector2 = crowd.get_agent_position(two[1])
	check(minf(at.distance_to(first), beside.distance_to(first)) < 3.0, "the first place counts")
	check(maxf(at.x, beside.x) < 300.0, "the third does not: %s and %s" % [at, beside])
	check_eq(crowd.assign_formation(ids, cell, places), 2, "assign_formation, with ids of none")
	var nodes: Array[Node2D] = []
	for _id: int in ids:
		nodes.append(Node2D.new())
		add(nodes[-1])
	check_eq(crowd.bind_nodes(ids, nodes), 2, "bind_nodes")
	crowd.step(0.01)
	check(nodes[0].position != Vector2.ZERO, "the first node is moved")
	check_eq(nodes[2].position, Vector2.ZERO, "the second of the same id is not")
	check_eq(crowd.unbind_nodes(ids), 2, "unbind_nodes")
	check_eq(crowd.remove_agents(ids), 2, "remove_agents")


func test_the_map_is_not_bound_to_its_agents() -> void:
	var level: Node2D = Node2D.new()
	level.name = "Level"
	add(level)
	grid.name = "Map"
	grid.reparent(level)
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	crowd.auto_step = false
	grid.add_child(crowd)
	var ids: PackedInt32Array = crowd.add_agents(
		PackedVector2Array([Vector2(24, 24), Vector2(60, 24)])
	)
	var unit: Node2D = Node2D.new()
	grid.add_child(unit)
	expect_errors(1, "PathForgeCrowd.bind_node: node is Map, the crowd's own grid")
	check(not crowd.bind_node(ids[0], grid), "its grid")
	expect_errors(1, "PathForgeCrowd.bind_node: node is Level, a node above the crowd's own grid")
	check(not crowd.bind_node(ids[0], level), "what its grid is below")
	expect_errors(1, "PathForgeCrowd.bind_nodes: nodes[1] is Map, the crowd's own grid")
	check_eq(crowd.bind_nodes(ids, [unit, grid]), 0, "and nothing else is bound")
	unit.name = "Unit"
	expect_errors(1, "nodes[0] and nodes[1] are Unit, which agents 0 and 1 would move")
	check_eq(crowd.bind_nodes(ids, [unit, unit]), 0, "two would move it")
	for _step: int in 30:
		crowd.step(0.016)
	check_eq(grid.position, Vector2.ZERO, "the map stays where it is")
	check_eq(level.position, Vector2.ZERO)
	check_eq(unit.position, Vector2.ZERO)
	check(crowd.bind_node(ids[0], unit), "a node on the map is bound")
