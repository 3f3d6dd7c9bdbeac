extends TestSuite
## Agents and crowds walk over links: a ladder, a portal, a bridge for one at a time.

const CELL: float = 16.0
## Two rooms that no door joins.
const ROOMS: String = """
..........##........
..........##........
..........##........
..........##........
..........##........
..........##........
..........##........
..........##........
"""
const FROM := Vector2i(7, 5)
const TO := Vector2i(14, 2)
const STEP := 1.0 / 60.0

var _grid: PathForgeGrid
var _events: Array[String] = []


## Walks as the documentation shows, without physics.
class Walker:
	extends Node2D
	var agent: PathForgeAgent2D = PathForgeAgent2D.new()
	var speed: float = 200.0
	var entered: Dictionary = {}
	var left: Dictionary = {}

	func _physics_process(delta: float) -> void:
		position += agent.get_next_velocity(speed) * delta


func before_each() -> void:
	_events.clear()
	_grid = PathForgeGrid.new()
	add(_grid)
	_grid.set_from_text(ROOMS)


func _walker(cell: Vector2i) -> Walker:
	var walker: Walker = Walker.new()
	walker.position = _grid.cell_to_local(cell)
	walker.agent.grid = _grid
	walker.add_child(walker.agent)
	walker.agent.link_reached.connect(
		func(details: Dictionary) -> void:
			walker.entered = details
			_events.append("reached %d" % details["link_id"])
	)
	walker.agent.link_left.connect(
		func(details: Dictionary) -> void:
			walker.left = details
			_events.append("left %d" % details["link_id"])
	)
	walker.agent.navigation_finished.connect(func() -> void: _events.append("finished"))
	add(walker)
	return walker


func _arrive(walker: Walker, cell: Vector2i) -> bool:
	walker.agent.target_position = _grid.cell_to_local(cell)
	var is_there := func() -> bool: return walker.agent.is_target_reached()
	return await wait_until(is_there)


func test_an_agent_takes_a_ladder_both_ways() -> void:
	var ladder: int = _grid.add_link(FROM, TO)
	_grid.set_link_tag(ladder, &"ladder")
	var walker: Walker = _walker(Vector2i(1, 1))
	check(await _arrive(walker, Vector2i(18, 6)), "it arrives")
	check_eq(_events, ["reached %d" % ladder, "left %d" % ladder, "finished"])
	check_eq(walker.entered["tag"], &"ladder")
	check_eq(walker.entered["owner"], null)
	check_eq(walker.entered["position"], _grid.cell_to_local(FROM))
	check_eq(walker.entered["link_entry_position"], _grid.cell_to_local(FROM))
	check_eq(walker.entered["link_exit_position"], _grid.cell_to_local(TO))
	check_eq(walker.left["position"], _grid.cell_to_local(TO))
	check_eq(_grid.local_to_cell(walker.position), Vector2i(18, 6))
	_events.clear()
	check(await _arrive(walker, Vector2i(1, 7)), "and back")
	check_eq(walker.entered["position"], _grid.cell_to_local(TO))
	check_eq(_events, ["reached %d" % ladder, "left %d" % ladder, "finished"])


func test_a_portal_moves_the_body_at_once() -> void:
	_grid.set_link_seconds(_grid.add_link(FROM, TO, 0.1), 0.0)
	var walker: Walker = _walker(Vector2i(1, 1))
	var jumps: Array[float] = []
	var last: Array[Vector2] = [walker.position]
	walker.agent.target_position = _grid.cell_to_local(Vector2i(18, 6))
	var is_there := func() -> bool:
		jumps.append(walker.position.distance_to(last[0]))
		last[0] = walker.position
		return walker.agent.is_target_reached()
	check(await wait_until(is_there), "it arrives")
	check(jumps.max() > 6.0 * CELL, "in one step: %s" % jumps.max())


func test_a_link_takes_its_time() -> void:
	_grid.set_link_seconds(_grid.add_link(FROM, TO), 1.5)
	var walker: Walker = _walker(Vector2i(6, 5))
	walker.agent.target_position = _grid.cell_to_local(Vector2i(15, 2))
	check(await wait_until(func() -> bool: return not walker.entered.is_empty()), "entered")
	var begun: int = Engine.get_physics_frames()
	check(await wait_until(func() -> bool: return not walker.left.is_empty()), "left")
	var seconds: float = (Engine.get_physics_frames() - begun) * STEP
	check(absf(seconds - 1.5) < 0.15, "%s s" % seconds)


func test_a_script_may_move_the_body_over_a_link() -> void:
	_grid.set_link_seconds(_grid.add_link(FROM, TO), 60.0)
	var walker: Walker = _walker(Vector2i(1, 1))
	walker.agent.link_reached.connect(
		func(details: Dictionary) -> void: walker.position = details["link_exit_position"]
	)
	check(await _arrive(walker, Vector2i(18, 6)), "it goes on from the exit")
	check_eq(_events.size(), 3)


func test_a_bridge_for_one_at_a_time_is_waited_for() -> void:
	var bridge: int = _grid.add_link(FROM, TO)
	_grid.set_link_capacity(bridge, 1)
	_grid.set_link_seconds(bridge, 0.5)
	var walkers: Array[Walker] = []
	for n: int in 4:
		walkers.append(_walker(Vector2i(1 + 2 * (n % 2), 1 + 2 * (n / 2))))
	for n: int in 4:
		walkers[n].agent.target_position = _grid.cell_to_local(Vector2i(17, 1 + 2 * n))
	var most: Array[int] = [0]
	var are_there := func() -> bool:
		var on: int = 0
		for walker: Walker in walkers:
			on += int(not walker.entered.is_empty() and walker.left.is_empty())
		most[0] = maxi(most[0], on)
		return walkers.all(func(walker: Walker) -> bool: return not walker.left.is_empty())
	check(await wait_until(are_there, 60.0), "all are over")
	check_eq(most[0], 1)


func test_an_agent_that_is_freed_on_a_bridge_frees_the_bridge() -> void:
	var bridge: int = _grid.add_link(FROM, TO)
	_grid.set_link_capacity(bridge, 1)
	_grid.set_link_seconds(bridge, 30.0)
	var first: Walker = _walker(Vector2i(6, 5))
	first.agent.target_position = _grid.cell_to_local(Vector2i(18, 6))
	check(await wait_until(func() -> bool: return not first.entered.is_empty()), "on it")
	var second: Walker = _walker(Vector2i(3, 5))
	second.agent.target_position = _grid.cell_to_local(Vector2i(18, 6))
	await frames(60)
	check(second.entered.is_empty(), "it waits")
	check_eq([first.agent.get_current_link(), first.agent.get_awaited_link()], [bridge, -1])
	check_eq([second.agent.get_current_link(), second.agent.get_awaited_link()], [-1, bridge])
	first.free()
	check(await wait_until(func() -> bool: return not second.entered.is_empty()), "its turn")
	check_eq([second.agent.get_current_link(), second.agent.get_awaited_link()], [bridge, -1])
	var alone: PathForgeAgent2D = PathForgeAgent2D.new()
	check_eq([alone.get_current_link(), alone.get_awaited_link()], [-1, -1])
	alone.free()


func test_a_link_that_goes_under_way_ends_the_walk() -> void:
	var ladder: int = _grid.add_link(FROM, TO)
	var walker: Walker = _walker(Vector2i(1, 1))
	walker.agent.target_position = _grid.cell_to_local(Vector2i(18, 6))
	await frames(10)
	_grid.remove_link(ladder)
	var is_done := func() -> bool: return walker.agent.is_navigation_finished()
	check(await wait_until(is_done), "the walk ends")
	check(not walker.agent.is_target_reached() and walker.entered.is_empty(), "short of it")
	check(walker.position.x < 10.0 * CELL, "%s" % walker.position)


func test_agents_of_a_crowd_take_a_ladder() -> void:
	var ladder: int = _grid.add_link(FROM, TO)
	_grid.set_link_capacity(ladder, 2)
	var crowd := PathForgeCrowd.new()
	crowd.auto_step = false
	_grid.add_child(crowd)
	var cells: Array[Vector2i] = []
	for n: int in 16:
		cells.append(Vector2i(n % 4, n / 4))
	var ids := crowd.add_agents(_grid.cells_to_local(cells), null, 80.0)
	var on: Dictionary = {}
	var over: Dictionary = {}
	crowd.agents_entered_links.connect(
		func(entered: PackedInt32Array, links: PackedInt32Array) -> void:
			for n: int in entered.size():
				check_eq(links[n], ladder)
				check_eq(crowd.get_agent_link(entered[n]), ladder)
				on[entered[n]] = true
	)
	crowd.agents_left_links.connect(
		func(left: PackedInt32Array, _links: PackedInt32Array) -> void:
			for id: int in left:
				over[id] = true
				on.erase(id)
				check(crowd.get_agent_position(id).x > 12.0 * CELL, "it comes out")
	)
	crowd.assign_goal(ids, Vector2i(17, 5))
	var most: int = 0
	for tick: int in 60 * 60:
		crowd.step(STEP)
		most = maxi(most, on.size())
		if over.size() == 16 and tick % 60 == 0:
			break
	check_eq(over.size(), 16)
	check_eq(most, 2)
	check_eq(crowd.get_agent_link(ids[0]), -1)
	check_eq(crowd.get_agent_link(9999), -1)
	for tick: int in 20 * 60:
		crowd.step(STEP)
	for id: int in ids:
		check(crowd.get_agent_position(id).x > 12.0 * CELL, "%s" % crowd.get_agent_position(id))
