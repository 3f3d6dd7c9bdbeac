extends TestSuite
## A body that passes several cells in a frame is as fast as it is told to be, and stays out of
## walls.

const SPEED := 200.0

var _grid: PathForgeGrid = null


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, 400, 200)
	_grid.cell_size = Vector2.ONE
	_grid.fill_solid_region(Rect2i(120, 0, 3, 120))
	_grid.fill_solid_region(Rect2i(260, 80, 3, 120))
	add(_grid)


func test_a_node_walks_at_its_speed() -> void:
	var body := Node2D.new()
	body.position = Vector2(20.5, 20.5)
	_grid.add_child(body)
	var agent := PathForgeAgent2D.new()
	body.add_child(agent)
	var goal := Vector2(380.5, 180.5)
	agent.target_position = goal
	await wait_until(func() -> bool: return not agent.get_current_navigation_path().is_empty())
	var seconds := agent.get_path_length() / SPEED
	var frames := 0
	while frames < 600 and not agent.is_navigation_finished():
		await physics_frames()
		frames += 1
		body.position += agent.get_next_velocity(SPEED) / Engine.physics_ticks_per_second
		var cell := _grid.local_to_cell(body.position)
		check_eq(_grid.is_point_solid(cell), false, "in a wall at %s" % cell)
	check_near(frames / 60.0, seconds, seconds * 0.2)
