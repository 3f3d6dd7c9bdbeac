extends TestSuite
## PathForgeAgent2D: better ways that edits open, and where a refused
## body stops.

const CELL: float = 16.0
## A wall to go around, where a door may be opened.
const DOOR: String = """
..........#.........
..........#.........
..........#.........
..........#.........
..........#.........
..........#.........
..........#.........
..........#.........
....................
....................
"""

var _grid: PathForgeGrid
var _events: Array[String] = []


## Walks as the documentation shows, without physics.
class Walker:
	extends Node2D
	var agent: PathForgeAgent2D = PathForgeAgent2D.new()
	var speed: float = 200.0
	## The longest step, in pixels.
	var longest: float = 0.0

	func _physics_process(delta: float) -> void:
		var step: Vector2 = agent.get_next_velocity(speed) * delta
		longest = maxf(longest, step.length())
		position += step


func before_each() -> void:
	_events.clear()
	_grid = PathForgeGrid.new()
	add(_grid)


func _walker(cell: Vector2i, profile: PathForgeProfile = null) -> Walker:
	var walker: Walker = Walker.new()
	walker.position = _grid.cell_to_local(cell)
	walker.agent.grid = _grid
	walker.agent.profile = profile
	walker.add_child(walker.agent)
	var agent: PathForgeAgent2D = walker.agent
	agent.path_changed.connect(
		func() -> void: _events.append("path %d" % agent.get_current_path().status)
	)
	agent.navigation_finished.connect(func() -> void: _events.append("finished"))
	agent.navigation_failed.connect(
		func(path: PathForgePath) -> void: _events.append("failed %d" % path.reason)
	)
	add(walker)
	return walker


func test_a_better_way_that_an_edit_opens_is_taken() -> void:
	_grid.set_from_text(DOOR)
	var walker: Walker = _walker(Vector2i(4, 0))
	walker.agent.repath_seconds = 0.2
	walker.speed = 20.0
	walker.agent.target_position = _grid.cell_to_local(Vector2i(16, 0))
	check(await wait_until(func() -> bool: return _events.size() == 1), "a path comes")
	var long: float = walker.agent.get_path_length()
	_grid.set_point_solid(Vector2i(19, 9))
	_grid.set_point_solid(Vector2i(19, 9), false)
	_grid.set_point_solid(Vector2i(10, 3), false)
	_grid.set_point_solid(Vector2i(10, 3))
	await physics_frames(40)
	check_eq(_events.size(), 1, "edits that open nothing better do not matter")
	_grid.set_point_solid(Vector2i(10, 1), false)
	check(await wait_until(func() -> bool: return _events.size() == 2), "the door does")
	check(walker.agent.get_path_length() < long * 0.7, "through it")
	await physics_frames(30)
	check_eq(_events.size(), 2, "once")


func test_a_way_that_is_no_better_changes_nothing() -> void:
	_grid.set_from_text(DOOR)
	_grid.fill_solid_region(Rect2i(9, 0, 1, 5))
	var walker: Walker = _walker(Vector2i(4, 0))
	walker.agent.repath_seconds = 0.1
	walker.speed = 10.0
	walker.agent.target_position = _grid.cell_to_local(Vector2i(16, 0))
	check(await wait_until(func() -> bool: return _events.size() == 1), "a path comes")
	# As the crow flies it would be shorter, but the wall before it stands.
	_grid.set_point_solid(Vector2i(10, 0), false)
	await physics_frames(40)
	check_eq(_events, ["path 0"] as Array[String], "it asks and stays on its way")


## In a crowd they would push each other off their paths, and walkers behind others would wait: each
## alone takes the better path, once.
func test_hundreds_do_not_ask_in_one_frame() -> void:
	_grid.set_from_text(DOOR)
	_grid.request_budget_usec = 100_000
	var walkers: Array[Walker] = []
	var taken: Array[int] = []
	for n: int in 100:
		var walker: Walker = _walker(Vector2i(n % 5, n % 3))
		walker.agent.avoidance_enabled = false
		walker.agent.repath_seconds = 3.0
		walker.speed = 1.0
		walker.agent.target_position = _grid.cell_to_local(Vector2i(16, 0))
		walkers.append(walker)
		walker.agent.path_changed.connect(func() -> void: taken.append(n))
	check(await wait_until(func() -> bool: return _events.size() == 100), "all set out")
	await physics_frames(180)
	check_eq(taken.size(), 100, "and keep to their ways")
	taken.clear()
	_grid.set_point_solid(Vector2i(10, 1), false)
	var most: int = 0
	var asked: int = 0
	# All have asked by the end of the interval; the answers may take longer.
	for _frame: int in 200:
		await physics_frames(1)
		var now: int = open_requests() + taken.size()
		most = maxi(most, now - asked)
		asked = now
	check_eq(asked, 100, "each has asked")
	check(await wait_until(func() -> bool: return taken.size() >= 100), "all are answered")
	await physics_frames(60)
	taken.sort()
	check_eq(taken, Array(range(100), TYPE_INT, "", null), "each takes the better way, once")
	check(most <= 4, "%d ask in one frame at most" % most)


func test_a_refused_body_stops_on_a_stand() -> void:
	_grid.set_from_text(DOOR)
	var walker: Walker = _walker(Vector2i(0, 0))
	walker.agent.target_position = _grid.cell_to_local(Vector2i(9, 6))
	check(await wait_until(func() -> bool: return _events.size() == 1), "a path comes")
	var middle: Callable = func() -> Vector2:
		return _grid.cell_to_local(_grid.local_to_cell(walker.position))
	var is_between: Callable = func() -> bool:
		return walker.position.x > 60.0 and walker.position.distance_to(middle.call()) > 4.0
	check(await wait_until(is_between), "it is between two")
	_grid.begin_edit()
	_grid.set_point_solid(Vector2i(9, 6))
	_grid.fill_solid_region(Rect2i(7, 5, 3, 3))
	_grid.end_edit()
	check(await wait_until(walker.agent.is_navigation_finished), "it stops")
	var reason: int = PathForgePath.REASON_GOAL_SOLID
	check_eq(_events, ["path 0", "failed %d" % reason, "finished"] as Array[String], "and says why")
	check(walker.position.distance_to(middle.call()) < 2.0, "in the middle of a stand")
	check(not walker.agent.is_target_reached(), "which is not the target")
	var there: Vector2 = walker.position
	_grid.set_point_solid(Vector2i(0, 9))
	_grid.set_point_solid(Vector2i(0, 9), false)
	await physics_frames(90)
	check_eq(_events.size(), 3, "an edit that does not help is not told")
	check_eq(walker.position, there, "and it stays")
	_grid.fill_solid_region(Rect2i(7, 5, 3, 3), false)
	check(await wait_until(func() -> bool: return _events.size() == 4), "one that helps is")


func test_a_wall_on_the_way_is_not_walked_into_while_a_path_is_on_its_way() -> void:
	_grid.set_from_text(DOOR)
	_grid.request_budget_usec = 0
	var walker: Walker = _walker(Vector2i(0, 0))
	walker.speed = 400.0
	walker.agent.target_position = _grid.cell_to_local(Vector2i(0, 9))
	check(await wait_until(func() -> bool: return _events.size() == 1), "a path comes")
	await physics_frames(2)
	for n: int in 60:
		_grid.request_path(Vector2i(n % 9, 0), Vector2i(n % 8, 9))
	_grid.fill_solid_region(Rect2i(0, 3, 9, 2))
	var frames_in_wall: int = 0
	var stopwatch: Stopwatch = Stopwatch.new()
	while not walker.agent.is_navigation_finished() and stopwatch.seconds() < 40.0:
		await physics_frames(1)
		frames_in_wall += int(_grid.is_point_solid(_grid.local_to_cell(walker.position)))
	check_eq(frames_in_wall, 0, "never in the wall")
	check(walker.agent.is_target_reached(), "around it")
