extends TestSuite
## A body that its crowd has sent somewhere, and that gets another parent on its way.

const GOAL := Vector2i(34, 10)

var _grid: PathForgeGrid = null
var _crowd: PathForgeCrowd = null
var _body: Node2D = null
var _agent: PathForgeAgent2D = null
var _ends := 0


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, 40, 22)
	add(_grid)
	_crowd = PathForgeCrowd.new()
	_grid.add_child(_crowd)
	_body = Node2D.new()
	_body.position = _grid.cell_to_local(Vector2i(2, 10))
	_agent = PathForgeAgent2D.new()
	_body.add_child(_agent)
	_grid.add_child(_body)
	_ends = 0
	_agent.navigation_finished.connect(func() -> void: _ends += 1)
	_crowd.assign_goal([_agent.get_agent_id()], GOAL)


func test_it_keeps_its_order_and_its_number_below_another_parent() -> void:
	var id := _agent.get_agent_id()
	await _walk(30)
	var boat := Node2D.new()
	_grid.add_child(boat)
	_body.reparent(boat)
	check_eq(_agent.get_agent_id(), id)
	check_eq(_agent.is_navigation_finished(), false)
	await _walk(400)
	check_eq(_grid.local_to_cell(_body.position), GOAL)
	check_eq([_agent.is_target_reached(), _ends, _crowd.get_agent_count()], [true, 1, 1])


func test_it_keeps_its_order_while_the_map_is_out_of_the_tree() -> void:
	await _walk(30)
	root.remove_child(_grid)
	await physics_frames(5)
	root.add_child(_grid)
	await _walk(400)
	check_eq(_grid.local_to_cell(_body.position), GOAL)
	check_eq(_ends, 1)


func test_taken_out_alone_its_order_ends_and_is_told() -> void:
	await _walk(30)
	_grid.remove_child(_body)
	await physics_frames(3)
	check_eq([_ends, _crowd.get_agent_count()], [1, 0])
	_grid.add_child(_body)
	var place := _body.position
	await _walk(20)
	check_eq([_agent.is_navigation_finished(), _agent.is_target_reached()], [true, false])
	check_eq(_body.position, place)


func test_on_another_map_its_order_ends_and_is_told() -> void:
	await _walk(30)
	var other: PathForgeGrid = PathForgeGrid.new()
	other.region = _grid.region
	add(other)
	_body.reparent(other)
	await _walk(5)
	check_eq([_ends, _crowd.get_agent_count()], [1, 0])
	check_eq([_agent.is_navigation_finished(), _agent.is_target_reached()], [true, false])


func _walk(frames: int) -> void:
	for _frame: int in frames:
		await physics_frames()
		_body.position += _agent.get_next_velocity(120.0) / Engine.physics_ticks_per_second
