extends TestSuite
## A PathForgeAgent2D at rest: where it ends, and that a target which is set again is answered and
## leaves it there.

var _grid: PathForgeGrid
var _body: Node2D
var _agent: PathForgeAgent2D
var _told: Array[String] = []


func before_each() -> void:
	_told.clear()
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, 30, 20)
	add(_grid)
	_body = Node2D.new()
	_body.position = Vector2(40, 40)
	_agent = PathForgeAgent2D.new()
	_agent.target_desired_distance = 1.0
	_body.add_child(_agent)
	_grid.add_child(_body)
	_agent.path_changed.connect(func() -> void: _told.append("path"))
	_agent.target_reached.connect(func() -> void: _told.append("reached"))
	_agent.navigation_finished.connect(func() -> void: _told.append("finished"))
	_agent.navigation_failed.connect(func(_path: PathForgePath) -> void: _told.append("failed"))


## Sets the target in each of some frames, as games that chase do; returns in how many the agent was
## not finished.
func _chase(target: Vector2, count: int) -> int:
	var under_way := 0
	for _frame: int in count:
		await _grid.get_tree().physics_frame
		_agent.target_position = target
		_body.position += _agent.get_next_velocity(150.0) / 60.0
		under_way += int(not _agent.is_navigation_finished())
	return under_way


func test_the_same_target_again_and_again_leaves_it_at_rest() -> void:
	await _chase(Vector2(120, 100), 120)
	check(_agent.is_target_reached(), "it arrives")
	_told.clear()
	var place := _body.position
	check_eq(await _chase(Vector2(120, 100), 60), 0)
	check_eq(_body.position, place)
	check_eq(_told.count("path"), 0)
	check_eq(_told.count("reached"), _told.count("finished"))
	# Workers and frames keep no step: an order in the frame of the last answer replaces no other.
	check(_told.count("finished") in range(58, 61), "each order is answered: %s" % [_told])


func test_a_target_that_was_refused_is_refused_each_time_it_is_set() -> void:
	_grid.add_obstacle(Rect2i(10, 10, 1, 1))
	await _chase(Vector2(168, 168), 60)
	check_eq(_told.slice(0, 2), ["failed", "finished"] as Array[String])
	check(_told.size() > 4, "and again by each order: %s" % [_told])
	_told.clear()
	check_eq(await _chase(Vector2(168, 168), 60), 0)
	check_eq(_told.count("failed"), _told.count("finished"))
	check(_told.count("finished") in range(58, 61), "each order is answered: %s" % [_told])


func test_one_that_was_pushed_goes_back_to_the_same_target() -> void:
	await _chase(Vector2(120, 100), 120)
	_body.position += Vector2(40, 0)
	_told.clear()
	await _chase(Vector2(120, 100), 120)
	check_near(_body.position.distance_to(Vector2(120, 100)), 0.0, 1.0)
	check_eq(_told.count("path"), 1)
	check_eq(_told.slice(-2), ["reached", "finished"] as Array[String])


## As with a [NavigationAgent2D] off its polygons: no word of failure, by the usual lines as well.
func test_a_body_that_begins_deep_in_closed_cells_walks_out() -> void:
	_grid.fill_solid_region(Rect2i(4, 4, 5, 5))
	for by_usual_lines: bool in [false, true]:
		_body.position = _grid.cell_to_local(Vector2i(6, 6))
		_told.clear()
		_agent.target_position = Vector2(300, 200) + Vector2(float(by_usual_lines), 0.0)
		for _frame: int in 400:
			await _grid.get_tree().physics_frame
			if not by_usual_lines:
				_body.position += _agent.get_next_velocity(150.0) / 60.0
			elif not _agent.is_navigation_finished():
				var way := _body.position.direction_to(_agent.get_next_path_position())
				_body.position += way * 150.0 / 60.0
		check(_agent.is_target_reached(), str(_body.position))
		check_eq(_told.slice(-2), ["reached", "finished"] as Array[String])
		# Workers and frames keep no step: an answer may be of the map before the edit.
		check(_told.size() in [3, 4] and not "failed" in _told, str(_told))


func test_a_wall_that_is_built_over_it_lets_it_out() -> void:
	await _chase(Vector2(120, 100), 120)
	var cell := _grid.local_to_cell(_body.position)
	_grid.fill_solid_region(Rect2i(cell - Vector2i(2, 2), Vector2i(5, 5)))
	for _frame: int in 60:
		await _grid.get_tree().physics_frame
		_body.position += _agent.get_next_velocity(150.0) / 60.0
	check(_grid.can_stand(_grid.local_to_cell(_body.position)), "it is out: %s" % _body.position)
	check_near(_body.position.distance_to(Vector2(120, 100)), 0.0, 60.0)


func test_one_that_is_built_over_on_its_way_goes_on() -> void:
	await _chase(Vector2(300, 200), 60)
	var cell := _grid.local_to_cell(_body.position)
	_grid.fill_solid_region(Rect2i(cell - Vector2i(2, 2), Vector2i(5, 5)))
	_told.clear()
	for _frame: int in 240:
		await _grid.get_tree().physics_frame
		_body.position += _agent.get_next_velocity(150.0) / 60.0
	check_eq(
		_told.filter(func(what: String) -> bool: return what != "path"), ["reached", "finished"]
	)


func test_it_ends_at_the_target_itself_whatever_the_goal_mode() -> void:
	for mode: int in [
		PathForgeGrid.GOAL_EXACT, PathForgeGrid.GOAL_COVER, PathForgeGrid.GOAL_NEAREST
	]:
		_body.position = Vector2(40, 40)
		_agent.goal_mode = mode
		await _chase(Vector2(133, 98), 150)
		check(_agent.is_target_reached(), "mode %d: it arrives" % mode)
		check_near(_body.position.distance_to(Vector2(133, 98)), 0.0, 1.1, "mode %d" % mode)


func test_without_a_route_its_length_is_zero() -> void:
	check_eq("%.1f" % _agent.get_path_length(), "0.0")


func test_the_same_target_is_an_order_for_one_that_settled_beside_another() -> void:
	var target := Vector2(120, 100)
	var other := Node2D.new()
	other.position = Vector2(200, 100)
	var first := PathForgeAgent2D.new()
	other.add_child(first)
	_grid.add_child(other)
	var walk := func(frames: int) -> void:
		for _frame: int in frames:
			await _grid.get_tree().physics_frame
			_body.position += _agent.get_next_velocity(150.0) / 60.0
			other.position += first.get_next_velocity(150.0) / 60.0
	first.target_position = target
	await walk.call(120)
	_agent.target_position = target
	await walk.call(300)
	check(_agent.is_blocked_by_others(), "the other is there")
	first.target_position = Vector2(400, 200)
	await walk.call(150)
	_agent.target_position = target
	await walk.call(120)
	check(_agent.is_target_reached(), "the other has left: %s" % _body.position)
	_body.position = Vector2(40, 40)
	_agent.target_position = target
	await walk.call(120)
	check_near(_body.position.distance_to(target), 0.0, 1.0, "put elsewhere, it comes back")


func test_the_usual_lines_arrive_at_any_speed() -> void:
	for cell_size: float in [4.0, 8.0, 32.0]:
		for speed: float in [100.0, 400.0]:
			_grid.set_from_text("..........####\n#########.####\n#########.####\n#########.....")
			_grid.cell_size = Vector2.ONE * cell_size
			_body.position = _grid.cell_to_local(Vector2i.ZERO)
			var target := _grid.cell_to_local(Vector2i(13, 3))
			_agent.target_position = target
			for _frame: int in 400:
				await _grid.get_tree().physics_frame
				if _agent.is_navigation_finished():
					break
				var way := _body.position.direction_to(_agent.get_next_path_position())
				_body.position += way * speed / 60.0
			var place := "cells of %s, speed %s: %s" % [cell_size, speed, _body.position]
			check(_agent.is_target_reached(), place)
			check(_body.position.distance_to(target) <= maxf(1.0, speed / 60.0) + 0.1, place)


func test_a_body_outside_the_region_walks_in() -> void:
	for start: Vector2 in [Vector2(-200, 100), Vector2(240, -90), Vector2(700, 500)]:
		_body.position = start
		_agent.target_position = Vector2(200, 100) + start / 100.0
		_told.clear()
		for _frame: int in 500:
			await _grid.get_tree().physics_frame
			_body.position += _agent.get_next_velocity(150.0) / 60.0
		check(_agent.is_target_reached(), "from %s: %s" % [start, _body.position])
		check(not _told.has("failed"), str(_told))
