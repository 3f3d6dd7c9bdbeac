extends TestSuite
## Agents in each other's way give way: six tanks go through a gate that one of them fills.

const SPEED_UP: int = 4
const CELL: int = 16
const ROWS: int = 20
## The gate is as wide as a tank, in a wall two cells thick.
const GATE: Rect2i = Rect2i(20, 9, 2, 2)

var _grid: PathForgeGrid
var _agents: Array[PathForgeAgent2D] = []


func before_each() -> void:
	_agents.clear()
	Engine.physics_ticks_per_second = 60 * SPEED_UP
	Engine.time_scale = SPEED_UP
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, 40, ROWS)
	_grid.fill_solid_region(Rect2i(GATE.position.x, 0, GATE.size.x, ROWS))
	_grid.fill_solid_region(GATE, false)
	add(_grid)
	var walls: StaticBody2D = StaticBody2D.new()
	_add_wall(walls, Rect2i(GATE.position.x, 0, GATE.size.x, GATE.position.y))
	_add_wall(walls, Rect2i(GATE.position.x, GATE.end.y, GATE.size.x, ROWS - GATE.end.y))
	_grid.add_child(walls)


func after_each() -> void:
	Engine.physics_ticks_per_second = 60
	Engine.time_scale = 1.0


func _add_wall(walls: StaticBody2D, cells: Rect2i) -> void:
	var shape: CollisionShape2D = CollisionShape2D.new()
	var box: RectangleShape2D = RectangleShape2D.new()
	box.size = cells.size * CELL
	shape.shape = box
	shape.position = (Vector2(cells.position) + cells.size / 2.0) * CELL
	walls.add_child(shape)


func _add_tank(cell: Vector2i, goal: Vector2i) -> PathForgeAgent2D:
	var tank: PathForgeProfile = PathForgeProfile.new()
	tank.footprint = Vector2i(2, 2)
	var body: Tank = Tank.new()
	body.motion_mode = CharacterBody2D.MOTION_MODE_FLOATING
	body.position = _grid.cell_to_local(cell, tank)
	var shape: CollisionShape2D = CollisionShape2D.new()
	var box: RectangleShape2D = RectangleShape2D.new()
	box.size = Vector2(30, 30)
	shape.shape = box
	body.add_child(shape)
	body.agent.profile = tank
	body.add_child(body.agent)
	_grid.add_child(body)
	body.agent.target_position = _grid.cell_to_local(goal, tank)
	_agents.append(body.agent)
	return body.agent


func _there() -> int:
	var reached: Callable = func(agent: PathForgeAgent2D) -> bool: return agent.is_target_reached()
	return _agents.filter(reached).size()


func test_six_tanks_pass_a_gate_for_one() -> void:
	for n: int in 6:
		var cell: Vector2i = Vector2i(4 + (n % 2) * 4, 2 + n / 2 * 6)
		_add_tank(cell, cell + Vector2i(26, 0))
	# The last one has to wait for five.
	await wait_until(func() -> bool: return _there() == 6, 40.0)
	check_eq(_there(), 6, "all are there")


func test_two_whose_ways_cross_both_arrive() -> void:
	var first: PathForgeAgent2D = _add_tank(Vector2i(2, 4), Vector2i(14, 4))
	var second: PathForgeAgent2D = _add_tank(Vector2i(8, 12), Vector2i(8, 2))
	check(await wait_until(func() -> bool: return _there() == 2), "both cross")
	check(first.is_navigation_finished() and second.is_navigation_finished(), "and are done")


func test_one_that_is_chased_is_caught() -> void:
	var prey: PathForgeAgent2D = _add_tank(Vector2i(8, 2), Vector2i(8, 17))
	var hunter: PathForgeAgent2D = _add_tank(Vector2i(4, 2), Vector2i(8, 2))
	var body: Tank = prey.get_parent()
	body.speed = 30.0
	await wait_until(func() -> bool: return not prey.get_current_navigation_path().is_empty())
	var touch: Callable = func() -> bool:
		var apart: Vector2 = (body.position - (hunter.get_parent() as Tank).position).abs()
		return maxf(apart.x, apart.y) < 31.0
	await wait_until(
		func() -> bool:
			hunter.target_position = body.position
			return prey.is_navigation_finished() or touch.call(),
		20.0
	)
	check(touch.call(), "it does not wait for its prey")
	check(not prey.is_navigation_finished(), "which walks on all the time")


func test_one_that_stands_is_gone_around_and_without_avoidance_pushed() -> void:
	var ahead: PathForgeAgent2D = _add_tank(Vector2i(8, 4), Vector2i(8, 4))
	(ahead.get_parent() as Tank).speed = 0.0
	var behind: PathForgeAgent2D = _add_tank(Vector2i(2, 4), Vector2i(14, 4))
	check(await wait_until(behind.is_target_reached, 10.0), "it gets past")
	var pushing: PathForgeAgent2D = _add_tank(Vector2i(2, 4), Vector2i(14, 4))
	pushing.avoidance_enabled = false
	await wait_until(func() -> bool: return not pushing.get_current_navigation_path().is_empty())
	await physics_frames(SPEED_UP * 200)
	check(not pushing.is_target_reached(), "it does not see the other")
	check(pushing.get_next_velocity(100.0).length() > 90.0, "and pushes on")


class Tank:
	extends CharacterBody2D
	var agent: PathForgeAgent2D = PathForgeAgent2D.new()
	var speed: float = 80.0

	func _physics_process(_delta: float) -> void:
		velocity = agent.get_next_velocity(speed)
		move_and_slide()
