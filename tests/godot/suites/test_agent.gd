extends TestSuite
## PathForgeAgent2D under a CharacterBody2D in real physics: it arrives, clear of walls, asks for
## another path when its way is built over and only then, and says why it cannot.

const MAP: String = """
....................
....................
..#######..#######..
..#.............#...
..#.............#...
..#..#####......#...
..#..#...#..........
.....#...#......#...
..#..#...#......#...
..#######..######...
....................
....................
"""
const CELL: float = 16.0

var _grid: PathForgeGrid
var _events: Array[String] = []


## A body with the four lines that the documentation shows.
class Walker:
	extends CharacterBody2D
	var agent: PathForgeAgent2D = PathForgeAgent2D.new()
	var speed: float = 180.0

	func _physics_process(_delta: float) -> void:
		velocity = agent.get_next_velocity(speed)
		move_and_slide()


func before_each() -> void:
	_events.clear()
	_grid = PathForgeGrid.new()
	_grid.set_from_text(MAP)
	add(_grid)
	_add_walls()


## Walls of the physics world, where cells are solid.
func _add_walls() -> void:
	var walls: StaticBody2D = StaticBody2D.new()
	for y: int in _grid.region.size.y:
		for x: int in _grid.region.size.x:
			if _grid.is_point_solid(Vector2i(x, y)):
				var shape: CollisionShape2D = CollisionShape2D.new()
				var box: RectangleShape2D = RectangleShape2D.new()
				box.size = Vector2(CELL, CELL)
				shape.shape = box
				shape.position = _grid.cell_to_local(Vector2i(x, y))
				walls.add_child(shape)
	add(walls)


func _walker(cell: Vector2i, side: int = 1) -> Walker:
	var walker: Walker = Walker.new()
	var shape: CollisionShape2D = CollisionShape2D.new()
	var box: RectangleShape2D = RectangleShape2D.new()
	box.size = Vector2(CELL, CELL) * side - Vector2.ONE
	shape.shape = box
	walker.add_child(shape)
	walker.motion_mode = CharacterBody2D.MOTION_MODE_FLOATING
	walker.position = _grid.cell_to_local(cell, a_body(Vector2i(side, side)))
	walker.agent.profile = PathForgeProfile.new()
	walker.agent.profile.footprint = Vector2i(side, side)
	walker.agent.grid = _grid
	walker.add_child(walker.agent)
	walker.agent.path_changed.connect(func() -> void: _events.append("path"))
	walker.agent.target_reached.connect(func() -> void: _events.append("reached"))
	walker.agent.navigation_finished.connect(func() -> void: _events.append("finished"))
	walker.agent.navigation_failed.connect(
		func(path: PathForgePath) -> void: _events.append("failed %d" % path.reason)
	)
	add(walker)
	return walker


func _arrives(walker: Walker, seconds: float = 15.0) -> bool:
	return await wait_until(walker.agent.is_navigation_finished, seconds)


func test_bodies_of_every_size_arrive_without_touching_a_wall() -> void:
	for side: int in [1, 2]:
		_events.clear()
		var walker: Walker = _walker(Vector2i(0, 11 - side), side)
		var goal: Vector2 = _grid.cell_to_local(Vector2i(12, 4), a_body(Vector2i(side, side)))
		walker.agent.target_position = goal
		check(not walker.agent.is_navigation_finished(), "on its way")
		check(walker.agent.is_target_reachable(), "it can get there")
		var touched: int = 0
		while not walker.agent.is_navigation_finished():
			await physics_frames(1)
			touched += walker.get_slide_collision_count()
		check_eq(touched, 0, "%d×%d: clear of corners" % [side, side])
		check(walker.position.distance_to(goal) <= 10.0, "%d×%d: it is there" % [side, side])
		check(walker.agent.is_target_reached(), "and knows it")
		check_eq(_events, ["path", "reached", "finished"] as Array[String], "signals, in order")
		walker.free()


func test_an_edit_on_its_way_makes_it_go_around() -> void:
	var walker: Walker = _walker(Vector2i(0, 0))
	walker.agent.target_position = _grid.cell_to_local(Vector2i(19, 0))
	check(await wait_until(func() -> bool: return _events.size() == 1), "a path comes")
	_grid.fill_solid_region(Rect2i(12, 6, 2, 2))
	await physics_frames(10)
	check_eq(_events, ["path"] as Array[String], "an edit elsewhere does not matter")
	_grid.fill_solid_region(Rect2i(15, 0, 1, 2))
	check(await wait_until(func() -> bool: return _events.size() == 2), "one on the way does")
	check(await _arrives(walker), "it arrives")
	check_eq(_events, ["path", "path", "reached", "finished"] as Array[String], "around the wall")


func test_a_refusal_says_why_and_an_edit_helps() -> void:
	var walker: Walker = _walker(Vector2i(0, 0))
	walker.agent.target_position = _grid.cell_to_local(Vector2i(2, 2))
	check(await wait_until(func() -> bool: return _events.size() == 2), "it is told")
	var reason: int = PathForgePath.REASON_GOAL_SOLID
	check_eq(_events, ["failed %d" % reason, "finished"] as Array[String], "with the reason")
	check(not walker.agent.is_target_reachable(), "not reachable")
	check(not walker.agent.is_target_reached(), "not reached")
	_events.clear()
	_grid.set_point_solid(Vector2i(2, 2), false)
	check(await wait_until(func() -> bool: return _events.has("path")), "it tries again")


func test_the_habits_of_a_navigation_agent() -> void:
	var walker: Walker = _walker(Vector2i(0, 0))
	check(walker.agent.is_navigation_finished(), "nothing to do yet")
	check_eq(walker.agent.get_next_path_position(), walker.position, "so it stays")
	walker.agent.target_position = _grid.cell_to_local(Vector2i(10, 0)) + Vector2(3, 2)
	check_near(walker.agent.distance_to_target(), 163.0, 1.0, "as the crow flies")
	check(await wait_until(func() -> bool: return not _events.is_empty()), "a path comes")
	check_eq(
		walker.agent.get_final_position(), walker.agent.target_position, "to the target itself"
	)
	check_near(walker.agent.get_path_length(), 163.0, 4.0, "straight")
	check(walker.agent.get_current_path().is_complete(), "the path itself")
	walker.agent.stop()
	check(walker.agent.is_navigation_finished(), "stopped")
	await physics_frames(5)
	check(walker.agent.is_navigation_finished(), "and it stays so")


func test_a_standing_body_blocks_others_but_not_itself() -> void:
	var sentry: Walker = _walker(Vector2i(9, 2))
	var obstacle: PathForgeObstacle2D = PathForgeObstacle2D.new()
	obstacle.grid = _grid
	sentry.agent.add_child(obstacle)
	_grid.set_point_solid(Vector2i(10, 2))
	await frames(3)
	check(_grid.has_obstacle_at(Vector2i(9, 2)), "it stands in the gap")
	_events.clear()
	sentry.agent.target_position = _grid.cell_to_local(Vector2i(12, 5))
	check(await _arrives(sentry), "it walks away from there")
	check_eq(_events, ["path", "reached", "finished"] as Array[String], "without a second path")
	check(not _grid.has_obstacle_at(Vector2i(9, 2)), "and its obstacle with it")


func test_many_edits_between_two_looks() -> void:
	var walker: Walker = _walker(Vector2i(0, 0))
	walker.agent.target_position = _grid.cell_to_local(Vector2i(19, 0))
	check(await wait_until(func() -> bool: return _events.size() == 1), "a path comes")
	for n: int in 400:
		_grid.set_point_weight_scale(Vector2i(n % 3 + 10, 8), 1.0 + n)
	await physics_frames(5)
	check_eq(_events, ["path"] as Array[String], "hundreds elsewhere do not matter")
	for n: int in 700:
		_grid.set_point_weight_scale(Vector2i(10, 8), 2.0 + n % 2)
	check(await wait_until(func() -> bool: return _events.size() == 2), "too many to look at do")
	_events.clear()
	_grid.begin_edit()
	_grid.fill_solid_region(Rect2i(15, 0, 1, 2))
	_grid.end_edit()
	check(await wait_until(func() -> bool: return _events.has("path")), "and one on its way")
	check(await _arrives(walker), "it arrives")


func test_a_body_that_is_far_off_is_no_trouble() -> void:
	var walker: Walker = _walker(Vector2i(0, 0))
	walker.agent.target_position = _grid.cell_to_local(Vector2i(19, 0))
	check(await wait_until(func() -> bool: return _events.size() == 1), "a path comes")
	walker.position = Vector2(1e12, -1e12)
	_grid.set_point_solid(Vector2i(10, 8))
	await frames(2)
	check(is_finite(walker.agent.get_path_length()), "it answers")
	walker.free()


func test_an_obstacle_of_its_own_at_the_end_of_numbers() -> void:
	var walker: Walker = _walker(Vector2i(0, 0))
	var obstacle: PathForgeObstacle2D = PathForgeObstacle2D.new()
	obstacle.grid = _grid
	obstacle.footprint = Vector2i(2, 2)
	obstacle.position = Vector2(1e15, 1e15)
	walker.agent.add_child(obstacle)
	await frames(2)
	check_eq(obstacle.get_cells().position, Vector2i.MAX)
	walker.agent.target_position = _grid.cell_to_local(Vector2i(19, 0))
	check(await wait_until(func() -> bool: return _events.size() == 1), "a path comes")
	_grid.set_point_solid(Vector2i(10, 0))
	check(await wait_until(func() -> bool: return _events.size() == 2), "and one around the edit")
	check(await _arrives(walker), "it arrives")


func test_a_new_target_is_not_reached_before_the_body_is_there() -> void:
	var walker: Walker = _walker(Vector2i(0, 0))
	for cell: Vector2i in [Vector2i(6, 0), Vector2i(12, 0), Vector2i(1, 0), Vector2i(12, 0)]:
		# A click comes between two physics frames.
		await frames(3)
		_events.clear()
		walker.agent.target_position = _grid.cell_to_local(cell)
		check(not walker.agent.is_target_reached(), "not reached")
		check(not walker.agent.is_navigation_finished(), "not finished")
		await wait_until(func() -> bool: return _events.has("reached"))
		check(walker.agent.distance_to_target() <= walker.agent.target_desired_distance, "there")
		check_eq(_events, ["path", "reached", "finished"] as Array[String], "told once")


func test_a_new_target_under_way_is_not_reached_at_the_old_one() -> void:
	var walker: Walker = _walker(Vector2i(0, 0))
	walker.agent.target_position = _grid.cell_to_local(Vector2i(4, 0))
	await wait_until(func() -> bool: return walker.agent.distance_to_target() < 11.0)
	walker.agent.target_position = _grid.cell_to_local(Vector2i(12, 0))
	await wait_until(func() -> bool: return _events.has("reached"))
	check(walker.agent.distance_to_target() <= walker.agent.target_desired_distance, "there")


func test_a_refusal_of_the_target_before_is_not_told() -> void:
	var walker := _walker(Vector2i(0, 0))
	var failed: Array[PathForgePath] = []
	walker.agent.navigation_failed.connect(func(path: PathForgePath) -> void: failed.append(path))
	walker.agent.target_position = _grid.cell_to_global(Vector2i(8, 2))  # In a wall.
	walker.agent.target_position = _grid.cell_to_global(Vector2i(3, 0))
	check(await _arrives(walker), "it goes to the second")
	check_eq(failed.size(), 0, "nothing is said of the first")


func test_a_path_to_the_target_before_is_not_walked() -> void:
	var walker := _walker(Vector2i(10, 0))
	walker.agent.target_position = _grid.cell_to_global(Vector2i(0, 0))
	await frames(1)
	walker.agent.target_position = _grid.cell_to_global(Vector2i(19, 0))
	var least := walker.position.x
	while not walker.agent.is_navigation_finished():
		await physics_frames(1)
		least = minf(least, walker.position.x)
	check(walker.agent.is_target_reached(), "it arrives")
	check_eq(least, _grid.cell_to_local(Vector2i(10, 0)).x, "no step to the first")
	check_eq(_events, ["path", "reached", "finished"] as Array[String], "one path")


func test_a_body_that_is_moved_behind_a_wall_goes_around_it() -> void:
	# Without a shape: nothing but its route keeps it out of walls.
	var body := Node2D.new()
	var agent := PathForgeAgent2D.new()
	agent.grid = _grid
	body.add_child(agent)
	body.position = _grid.cell_to_local(Vector2i(4, 10))
	add(body)
	agent.target_position = _grid.cell_to_local(Vector2i(16, 10))
	await wait_until(func() -> bool: return body.position.x > 100.0 or _walk(body, agent))
	check(agent.get_path_length() > 0.0, "under way")
	body.position = _grid.cell_to_local(Vector2i(4, 8))
	var in_walls := 0
	var stopwatch := Stopwatch.new()
	while not agent.is_navigation_finished() and stopwatch.seconds() < 20.0:
		await physics_frames(1)
		_walk(body, agent)
		in_walls += int(_grid.is_point_solid(_grid.local_to_cell(body.position)))
	check(agent.is_target_reached(), "it arrives")
	check_eq(in_walls, 0, "around the walls")


## A frame's step of a body without physics; `false`.
func _walk(body: Node2D, agent: PathForgeAgent2D) -> bool:
	body.position += agent.get_next_velocity(180.0) / Engine.physics_ticks_per_second
	return false


func test_a_refusal_is_told_again_when_its_reason_changes() -> void:
	var walker := _walker(Vector2i(0, 0))
	walker.agent.repath_seconds = 0.1
	_grid.fill_solid_region(Rect2i(10, 0, 1, 12))
	walker.agent.target_position = _grid.cell_to_global(Vector2i(15, 0))
	check(await wait_until(func() -> bool: return _events.size() == 2), "it is told")
	_grid.set_point_solid(Vector2i(18, 0))
	_grid.set_point_solid(Vector2i(18, 0), false)
	await physics_frames(40)
	check_eq(_events.size(), 2, "the same reason is not told twice")
	_grid.set_point_solid(Vector2i(15, 0))
	_grid.set_point_solid(Vector2i(18, 0))
	_grid.set_point_solid(Vector2i(18, 0), false)
	check(await wait_until(func() -> bool: return _events.size() == 3), "another one is")
	var reasons := [PathForgePath.REASON_DISCONNECTED, PathForgePath.REASON_GOAL_SOLID]
	check_eq(
		_events,
		["failed %d" % reasons[0], "finished", "failed %d" % reasons[1]] as Array[String],
		"in order"
	)


func test_bad_values_are_refused() -> void:
	var agent: PathForgeAgent2D = PathForgeAgent2D.new()
	for property: String in [
		"path_desired_distance", "target_desired_distance", "path_max_distance", "repath_seconds"
	]:
		expect_errors(2, "PathForgeAgent2D.%s" % property)
		var before: float = agent.get(property)
		agent.set(property, NAN)
		agent.set(property, -1.0)
		check_eq(agent.get(property), before, property)
	expect_errors(1, "PathForgeAgent2D.target_position")
	agent.target_position = Vector2(NAN, 0)
	expect_errors(1, "PathForgeAgent2D.goal_mode")
	agent.goal_mode = 9
	expect_errors(2, "PathForgeAgent2D.get_next_velocity: speed ")
	check_eq(agent.get_next_velocity(-1.0), Vector2.ZERO, "not backwards")
	check_eq(agent.get_next_velocity(NAN), Vector2.ZERO, "not a number")
	agent.target_position = Vector2(5, 5)
	check_eq(agent.get_next_path_position(), Vector2.ZERO, "no tree, no grid: it stays")
	check(not agent.is_target_reachable(), "and cannot get anywhere")
	agent.free()
