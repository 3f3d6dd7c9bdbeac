extends NodeSuite
## Layers and masks of avoidance: which agents an agent steers clear of and makes way for.

const GROUND := 1 << 0
const AIR := 1 << 1
const STEP := 1.0 / 60.0


## A crowd that is stepped by hand.
func _crowd() -> PathForgeCrowd:
	var crowd := PathForgeCrowd.new()
	crowd.auto_step = false
	grid.add_child(crowd)
	return crowd


func _run(crowd: PathForgeCrowd, seconds: float) -> void:
	for tick: int in int(seconds / STEP):
		crowd.step(STEP)


func _add(crowd: PathForgeCrowd, cells: Array[Vector2i]) -> PackedInt32Array:
	return crowd.add_agents(grid.cells_to_local(cells), null, 80.0)


## Eight cells, one below the other.
func _column(x: int) -> Array[Vector2i]:
	var cells: Array[Vector2i] = []
	for y: int in 8:
		cells.append(Vector2i(x, 4 + y))
	return cells


## How far the nearest two of some agents are apart, in cells.
func _nearest(crowd: PathForgeCrowd, ids: PackedInt32Array, others: PackedInt32Array) -> float:
	var least := INF
	for id: int in ids:
		for other: int in others:
			if id != other:
				var at := crowd.get_agent_position(id)
				least = minf(least, at.distance_to(crowd.get_agent_position(other)))
	return least / CELL


func test_agents_fly_over_others_of_one_crowd() -> void:
	var crowd := _crowd()
	var planes := _add(crowd, _column(4))
	var tanks := _add(crowd, _column(34))
	check_eq(crowd.set_agent_avoidance_layers(planes, AIR), 8)
	check_eq(crowd.set_agent_avoidance_mask(planes, AIR), 8)
	crowd.assign_goal(planes, Vector2i(30, 8))
	crowd.assign_goal(tanks, Vector2i(30, 8))
	var between := INF
	for turn: int in 40:
		_run(crowd, 0.5)
		between = minf(between, _nearest(crowd, planes, tanks))
	for ids: PackedInt32Array in [planes, tanks]:
		for id: int in ids:
			check_eq(crowd.get_state(id), PathForgeCrowd.STATE_ARRIVED)
		var apart := _nearest(crowd, ids, ids)
		check(apart > 0.7, "two of a layer are %f cells apart" % apart)
	check(between < 0.4, "planes and tanks come within %f cells" % between)


func test_only_the_one_that_avoids_makes_way() -> void:
	var crowd := _crowd()
	var ids := _add(crowd, [Vector2i(4, 12), Vector2i(34, 12)])
	crowd.set_agent_avoidance_layers([ids[1]], AIR)
	crowd.set_agent_avoidance_mask([ids[1]], AIR)
	crowd.set_agent_avoidance_mask([ids[0]], GROUND | AIR)
	crowd.assign_goal([ids[0]], Vector2i(34, 12))
	crowd.assign_goal([ids[1]], Vector2i(4, 12))
	var off: Array[float] = [0.0, 0.0]
	var least := INF
	for tick: int in 600:
		crowd.step(STEP)
		least = minf(least, _nearest(crowd, [ids[0]], [ids[1]]))
		for index: int in 2:
			off[index] = maxf(
				off[index], absf(crowd.get_agent_position(ids[index]).y / CELL - 12.5)
			)
	check(off[0] > 0.6 and off[1] < 0.01, "they went %s cells aside" % [off])
	check(least > 0.75, "they came within %f cells" % least)


func test_a_change_counts_on_the_way() -> void:
	grid.fill_solid_region(Rect2i(0, 0, 40, 24))
	grid.fill_solid_region(Rect2i(0, 12, 40, 1), false)
	var crowd := _crowd()
	var ids := _add(crowd, [Vector2i(4, 12), Vector2i(20, 12)])
	var plane: PackedInt32Array = [ids[0]]
	crowd.set_agent_paused([ids[1]], true)
	crowd.assign_goal(plane, Vector2i(36, 12))
	_run(crowd, 20.0)
	check(crowd.get_agent_position(ids[0]).x < 20.0 * CELL, "the other is in its way")
	check_eq(crowd.get_blockage(ids[0]).ids, PackedInt32Array([ids[1]]))
	crowd.set_agent_avoidance_mask(plane, 0)
	_run(crowd, 10.0)
	check(crowd.get_agent_position(ids[0]).x > 36.0 * CELL, "it goes through the other")


func test_layers_are_saved() -> void:
	var crowd := _crowd()
	var ids := _add(crowd, _column(4))
	var plain := crowd.to_bytes()
	crowd.set_agent_avoidance_layers([ids[2], ids[3]], AIR | 1 << 31)
	crowd.set_agent_avoidance_mask([ids[3]], (1 << 32) - 1)
	crowd.assign_goal(ids, Vector2i(30, 8))
	_run(crowd, 2.0)
	var bytes := crowd.to_bytes()
	var other := _crowd()
	check(other.from_bytes(bytes), "loaded")
	check_eq(other.get_agent_avoidance_layers(ids[1]), GROUND)
	check_eq(other.get_agent_avoidance_layers(ids[2]), AIR | 1 << 31)
	check_eq(other.get_agent_avoidance_mask(ids[2]), GROUND)
	check_eq(other.get_agent_avoidance_mask(ids[3]), 4294967295)
	check_eq(other.state_hash(), crowd.state_hash())
	for each: PathForgeCrowd in [crowd, other]:
		_run(each, 3.0)
	check_eq(other.state_hash(), crowd.state_hash(), "they go on alike")
	check(other.from_bytes(plain), "bytes without layers")
	check_eq(other.get_agent_avoidance_layers(ids[2]), GROUND)


func test_bad_layers_are_refused() -> void:
	var crowd := _crowd()
	var ids := _add(crowd, [Vector2i(4, 12)])
	var agent := PathForgeAgent2D.new()
	var in_space := PathForgeAgent3D.new()
	expect_errors(2, "PathForgeCrowd.set_agent_avoidance_layers: layers")
	expect_errors(2, "PathForgeCrowd.set_agent_avoidance_mask: mask")
	expect_errors(2, "PathForgeAgent2D.avoidance_layers: ")
	expect_errors(2, "PathForgeAgent3D.avoidance_mask: ")
	expect_errors(2, "PathForgeGrid.find_free_place: avoidance_mask")
	for bad: int in [-1, 1 << 32]:
		check_eq(crowd.set_agent_avoidance_layers(ids, bad), 0)
		check_eq(crowd.set_agent_avoidance_mask(ids, bad), 0)
		agent.avoidance_layers = bad
		in_space.avoidance_mask = bad
		check_eq(grid.find_free_place(Vector2.ZERO, null, bad), Vector2.INF)
	check_eq([agent.avoidance_layers, in_space.avoidance_mask], [1, 1])
	expect_errors(2, "PathForgeAgent2D.set_avoidance_layer_value: layer_number")
	expect_errors(2, "PathForgeAgent3D.get_avoidance_mask_value: mask_number")
	for bad: int in [0, 33]:
		agent.set_avoidance_layer_value(bad, true)
		check(not in_space.get_avoidance_mask_value(bad), "no layer")
	check_eq([agent.avoidance_layers, in_space.avoidance_mask], [1, 1])
	check_eq(crowd.set_agent_avoidance_layers([7, -1], AIR), 0, "no agents")
	check_eq(crowd.get_agent_avoidance_layers(7), -1)
	check_eq(crowd.get_agent_avoidance_mask(-1), -1)
	check_eq(crowd.get_agent_avoidance_mask(ids[0]), GROUND)
	agent.free()
	in_space.free()


func test_single_layers_of_a_node() -> void:
	for agent: Node in [PathForgeAgent2D.new(), PathForgeAgent3D.new()]:
		agent.set_avoidance_layer_value(32, true)
		agent.set_avoidance_layer_value(1, false)
		agent.set_avoidance_mask_value(3, true)
		check_eq([agent.avoidance_layers, agent.avoidance_mask], [1 << 31, 5])
		check(agent.get_avoidance_layer_value(32) and not agent.get_avoidance_layer_value(1), "")
		check(agent.get_avoidance_mask_value(1) and not agent.get_avoidance_mask_value(2), "")
		agent.free()


func test_layers_of_a_node_and_of_its_id_are_the_same() -> void:
	var crowd := _crowd()
	crowd.auto_step = true
	var unit := unit_at(Vector2i(4, 4), 1)
	unit.agent.avoidance_layers = AIR
	var ids := PackedInt32Array([unit.agent.get_agent_id()])
	check_eq(crowd.get_agent_avoidance_layers(ids[0]), AIR)
	check_eq(crowd.get_agent_avoidance_mask(ids[0]), GROUND)
	check_eq(crowd.set_agent_avoidance_mask(ids, AIR), 1)
	check_eq(unit.agent.avoidance_mask, AIR, "the property shows it")
	unit.agent.avoidance_layers = GROUND
	await physics_frames(3)
	check_eq(unit.agent.get_agent_id(), ids[0])
	check_eq(crowd.get_agent_avoidance_layers(ids[0]), GROUND)
	check_eq(crowd.get_agent_avoidance_mask(ids[0]), AIR)


func test_a_node_flies_over_a_gate_that_another_holds() -> void:
	gate(1)
	var plug := unit_at(Vector2i(20, 12), 1)
	plug.agent.hold_position = true
	# The shapes of two on one layer of collisions would hold each other.
	plug.collision_layer = 2
	var unit := unit_at(Vector2i(10, 12), 1)
	unit.agent.target_position = grid.cell_to_global(Vector2i(30, 12))
	check(await wait_until(unit.agent.is_blocked_by_others, 30.0), "the other is in its way")
	unit.agent.avoidance_layers = AIR
	unit.agent.avoidance_mask = AIR
	unit.agent.target_position = grid.cell_to_global(Vector2i(30, 12))
	check(await wait_until(unit.agent.is_target_reached, 20.0), "it flies over the other")


func test_places_that_other_layers_take_are_free() -> void:
	var crowd := _crowd()
	var ids := _add(crowd, [Vector2i(4, 12)])
	var at := crowd.get_agent_position(ids[0])
	check(grid.find_free_place(at) != at, "an agent is there")
	check_eq(grid.find_free_place(at, null, AIR), at, "none in the air")
	check_eq(grid.find_free_places(at, 1, null, AIR), PackedVector2Array([at]))
	crowd.set_agent_avoidance_layers(ids, AIR)
	check_eq(grid.find_free_place(at), at, "it has taken off")
	check(grid.find_free_place(at, null, AIR | GROUND) != at, "for one that avoids both")
	var unit := unit_at(Vector2i(8, 12), 1)
	unit.agent.avoidance_layers = AIR
	check_eq(grid.find_free_place(unit.position), unit.position, "below a node")
	var space := PathForgeSpace3D.new()
	grid.add_child(space)
	var place := space.to_space(at)
	check(not space.find_free_place(place, null, AIR).is_equal_approx(place), "in 3D")
	check(space.find_free_place(place).is_equal_approx(place), "in 3D, on the ground")
