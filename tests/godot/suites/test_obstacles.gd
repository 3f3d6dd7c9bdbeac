extends TestSuite
## Counted obstacles: over the map, moved, overlapping, ignored by their own body, and as nodes.

const MAP: String = """
....#....
....#....
.........
....#....
....#....
"""
const GAP: Rect2i = Rect2i(4, 2, 1, 1)

var _grid: PathForgeGrid
var _changes: Array[Rect2i] = []


func before_each() -> void:
	_changes.clear()
	_grid = PathForgeGrid.new()
	_grid.set_from_text(MAP)
	_grid.cells_changed.connect(func(region: Rect2i) -> void: _changes.append(region))
	add(_grid)


func _goes_through(profile: PathForgeProfile = null) -> bool:
	return _grid.is_reachable(Vector2i(0, 0), Vector2i(8, 4), profile)


func test_an_obstacle_blocks_and_changes_no_cell() -> void:
	var before: int = _grid.state_hash()
	var cart: int = _grid.add_obstacle(GAP)
	check(cart > 0, "an id")
	check(not _goes_through(), "the gap is blocked")
	check(not _grid.is_point_solid(Vector2i(4, 2)), "the cell is not solid")
	check(_grid.has_obstacle_at(Vector2i(4, 2)), "but it has an obstacle")
	check_eq(_grid.state_hash(), before, "cells are what they were")
	check_eq(_grid.get_obstacle(cart), GAP, "where it is")
	_grid.move_obstacle(cart, Rect2i(6, 2, 1, 1))
	check(_goes_through(), "it has moved on")
	_grid.move_obstacle(cart, GAP)
	_grid.remove_obstacle(cart)
	check(_goes_through(), "it is gone")
	check_eq(
		_changes, [GAP, Rect2i(4, 2, 3, 1), Rect2i(4, 2, 3, 1), GAP], "one signal for each change"
	)


func test_overlaps_and_setters_are_independent() -> void:
	var first: int = _grid.add_obstacle(GAP)
	var second: int = _grid.add_obstacle(Rect2i(3, 1, 3, 3))
	_grid.remove_obstacle(first)
	check(not _goes_through(), "the second still covers the gap")
	_grid.set_point_solid(Vector2i(4, 2))
	_grid.remove_obstacle(second)
	check(not _goes_through(), "the cell is solid now")
	_grid.set_point_solid(Vector2i(4, 2), false)
	check(_goes_through(), "open again")
	_grid.add_obstacle(GAP)
	_grid.set_from_text(MAP.replace("#", "."))
	_grid.set_from_text(MAP)
	check(not _goes_through(), "obstacles are kept when all cells change")
	_grid.region = Rect2i(-2, -2, 12, 8)
	check(_grid.has_obstacle_at(Vector2i(4, 2)), "and when the region does")


func test_a_body_walks_through_its_own() -> void:
	var cart: int = _grid.add_obstacle(GAP)
	var profile: PathForgeProfile = PathForgeProfile.new()
	profile.ignored_obstacles = [cart]
	check(_goes_through(profile), "its own")
	check(not _goes_through(), "another body does not")
	_grid.add_obstacle(GAP)
	check(not _goes_through(profile), "somebody else stands there, too")
	var path: PathForgePath = _grid.find_path(Vector2i(0, 0), Vector2i(4, 2))
	check_eq(path.reason, PathForgePath.REASON_GOAL_SOLID, "to others it is as solid")


func test_a_node_blocks_where_it_is() -> void:
	var cart: Node2D = Node2D.new()
	var obstacle: PathForgeObstacle2D = PathForgeObstacle2D.new()
	obstacle.grid = _grid
	cart.add_child(obstacle)
	cart.position = _grid.cell_to_local(Vector2i(4, 2))
	add(cart)
	check(not _goes_through(), "from the start")
	check_eq(obstacle.get_cells(), GAP, "on one cell")
	cart.position = _grid.cell_to_local(Vector2i(6, 2))
	await frames(2)
	check(_goes_through(), "it follows its parent")
	cart.position = _grid.cell_to_local(Vector2i(4, 2))
	obstacle.footprint = Vector2i(3, 3)
	obstacle.update_cells()
	check_eq(obstacle.get_cells(), Rect2i(3, 1, 3, 3), "around its position, at once")
	obstacle.enabled = false
	await frames(2)
	check(_goes_through(), "switched off")
	check_eq(obstacle.get_obstacle_id(), -1, "no id")
	obstacle.enabled = true
	await frames(2)
	check(not _goes_through(), "and on again")
	root.remove_child(cart)
	check(_goes_through(), "out of the tree")
	cart.free()


func test_a_grid_may_go_before_its_obstacle() -> void:
	var obstacle: PathForgeObstacle2D = PathForgeObstacle2D.new()
	obstacle.grid = _grid
	add(obstacle)
	_grid.free()
	await frames(2)
	check_eq(obstacle.get_obstacle_id(), -1, "it blocks nothing")
	obstacle.free()


func test_bad_arguments_are_refused() -> void:
	expect_errors(1, "PathForgeGrid.add_obstacle: region")
	check_eq(_grid.add_obstacle(Rect2i(0, 0, -1, 2)), -1, "a negative size")
	check(not _grid.move_obstacle(5, GAP), "there is no such obstacle")
	check(not _grid.remove_obstacle(-3), "nor this one")
	expect_errors(1, "PathForgeObstacle2D.footprint")
	var obstacle: PathForgeObstacle2D = PathForgeObstacle2D.new()
	obstacle.footprint = Vector2i(0, 900)
	check_eq(obstacle.footprint, Vector2i.ONE, "unchanged")
	obstacle.free()
	var far: int = _grid.add_obstacle(Rect2i(-500, -500, 1, 1))
	check(far > 0 and _changes.is_empty(), "outside the region it changes nothing")


func test_it_covers_every_cell_that_it_touches() -> void:
	_grid.clear()
	_grid.region = Rect2i(0, 0, 9, 9)
	var obstacle: PathForgeObstacle2D = PathForgeObstacle2D.new()
	obstacle.footprint = Vector2i(2, 2)
	var middle := _grid.cell_to_local(Vector2i(3, 3), a_body(obstacle.footprint))
	obstacle.position = middle
	_grid.add_child(obstacle)
	check_eq(obstacle.get_cells(), Rect2i(3, 3, 2, 2), "on the raster")
	for off: Array in [
		[Vector2(0.4, -0.4), Rect2i(3, 3, 2, 2)],
		[Vector2(0, 7), Rect2i(3, 3, 2, 3)],
		[Vector2(0, -7), Rect2i(3, 2, 2, 3)],
		[Vector2(9, 9), Rect2i(3, 3, 3, 3)],
		[Vector2(16, 0), Rect2i(4, 3, 2, 2)],
	]:
		obstacle.position = middle + off[0]
		obstacle.update_cells()
		check_eq(obstacle.get_cells(), off[1], "off by %s" % off[0])
	check(not _grid.has_obstacle_at(Vector2i(3, 3)), "and leaves no cell behind")


## Where a body stands between two lanes, none of them is free.
func test_nobody_is_led_beside_a_body_that_stands_half_a_cell_off() -> void:
	_grid.clear()
	_grid.region = Rect2i(0, 0, 30, 4)
	var tank := PathForgeProfile.new()
	tank.footprint = Vector2i(2, 2)
	var stands := _tank(tank, _grid.cell_to_local(Vector2i(14, 0), tank) + Vector2(0, 7))
	var walks := _tank(tank, _grid.cell_to_local(Vector2i(2, 2), tank))
	var agent: PathForgeAgent2D = walks.get_child(0)
	var refused: Array[PathForgePath] = []
	agent.navigation_failed.connect(refused.append)
	agent.target_position = _grid.cell_to_local(Vector2i(26, 2), tank)
	check(await wait_until(func() -> bool: return not refused.is_empty()), "it is told")
	check_eq(refused[0].reason, PathForgePath.REASON_DISCONNECTED)
	stands.position.y -= 7.0
	# As many frames as it takes: the path comes when a thread has time for it.
	for frame: int in 300:
		await physics_frames()
		walks.position += agent.get_next_velocity(600.0) / 60.0
		if agent.is_target_reached():
			break
	check(agent.is_target_reached(), "it goes by where there is room: it is at %s" % walks.position)


func _tank(profile: PathForgeProfile, at: Vector2) -> Node2D:
	var body := Node2D.new()
	body.position = at
	var agent := PathForgeAgent2D.new()
	agent.profile = profile
	var obstacle := PathForgeObstacle2D.new()
	obstacle.footprint = profile.footprint
	agent.add_child(obstacle)
	body.add_child(agent)
	_grid.add_child(body)
	return body


func test_a_body_walks_through_several_or_all() -> void:
	var carts: PackedInt32Array = []
	for _n: int in 3:
		carts.append(_grid.add_obstacle(GAP))
	var profile: PathForgeProfile = PathForgeProfile.new()
	profile.ignored_obstacles = carts.slice(0, 2)
	check(not _goes_through(profile), "the third stands there")
	profile.ignored_obstacles = carts
	check(_goes_through(profile), "it is one more of them")
	var path: PathForgePath = _grid.find_path(Vector2i(0, 0), Vector2i(8, 4), profile)
	check(path.is_complete(), "a path")
	profile.ignored_obstacles = carts.slice(0, 2)
	check(not _goes_through(profile), "not any more")
	path = _grid.find_path(Vector2i(0, 0), Vector2i(8, 4), profile)
	check_eq(path.reason, PathForgePath.REASON_DISCONNECTED, "nor a path")
	profile.ignored_obstacle_layers = (1 << 32) - 1
	check(_goes_through(profile), "all of them")
	_grid.set_point_solid(Vector2i(4, 2))
	check(not _goes_through(profile), "but no wall")
	var copy: PathForgeProfile = profile.duplicate()
	check_eq(copy.ignored_obstacles, carts.slice(0, 2), "kept by copies")
	check_eq(copy.ignored_obstacle_layers, (1 << 32) - 1, "and so is this")


func test_friends_are_passed_and_foes_are_not() -> void:
	const OURS := 1 << 1
	const THEIRS := 1 << 31
	var soldier: PathForgeProfile = a_body(Vector2i.ONE)
	soldier.ignored_obstacle_layers = OURS
	var friend := _grid.add_obstacle(GAP, OURS)
	check(not _goes_through(), "it blocks others")
	check(_goes_through(soldier), "a friend")
	check_eq(_grid.get_clearance(GAP.position), 0, "no room for others")
	check(_grid.get_clearance(GAP.position, soldier) > 0, "room for friends")
	var foe := _grid.add_obstacle(GAP, THEIRS)
	check(not _goes_through(soldier), "a foe")
	var path: PathForgePath = _grid.find_path(Vector2i(0, 0), Vector2i(8, 4), soldier)
	check_eq(path.reason, PathForgePath.REASON_DISCONNECTED, "no path either")
	soldier.ignored_obstacles = [foe]
	check(_goes_through(soldier), "one foe by its id")
	soldier.ignored_obstacles = []
	soldier.ignored_obstacle_layers = OURS | THEIRS
	check(_goes_through(soldier), "both sides")
	check(_grid.remove_obstacle(foe) and _grid.remove_obstacle(friend), "both were there")
	var both := _grid.add_obstacle(GAP, OURS | 1)
	soldier.ignored_obstacle_layers = OURS
	check(not _goes_through(soldier), "it stands on another layer, too")
	check(_grid.remove_obstacle(both), "it was there")
	_grid.add_obstacle(GAP, 0)
	check(_goes_through(), "on no layer it blocks nothing")
	expect_errors(
		1, "PathForgeGrid.add_obstacle: obstacle_layers -1 is not within 0 and 4294967295"
	)
	check_eq(_grid.add_obstacle(GAP, -1), -1)
	expect_errors(1, "PathForgeProfile.ignored_obstacle_layers: ignored_obstacle_layers 4294967296")
	soldier.ignored_obstacle_layers = 1 << 32
	check_eq(soldier.ignored_obstacle_layers, OURS, "unchanged")


func test_an_obstacle_of_a_node_stands_on_its_layer() -> void:
	var obstacle: PathForgeObstacle2D = PathForgeObstacle2D.new()
	check_eq(obstacle.obstacle_layers, 1, "the first layer")
	obstacle.position = _grid.cell_to_local(GAP.position)
	obstacle.obstacle_layers = 1 << 3
	_grid.add_child(obstacle)
	var soldier: PathForgeProfile = a_body(Vector2i.ONE)
	soldier.ignored_obstacle_layers = 1 << 3
	check(_goes_through(soldier) and not _goes_through(), "on the layer")
	obstacle.obstacle_layers = 1 << 4
	obstacle.update_cells()
	check(not _goes_through(soldier), "on another")
	expect_errors(1, "PathForgeObstacle2D.obstacle_layers: obstacle_layers -3 is not within")
	obstacle.obstacle_layers = -3
	check_eq(obstacle.obstacle_layers, 1 << 4, "unchanged")


func test_cells_are_blocked_for_one_query() -> void:
	var gap: Array[Vector2i] = [Vector2i(4, 2), Vector2i(-90, 7)]
	var start: Vector2i = Vector2i(0, 0)
	var goal: Vector2i = Vector2i(8, 4)
	var mode: int = PathForgeGrid.GOAL_EXACT
	var path: PathForgePath = _grid.find_path(start, goal, null, mode, gap)
	check_eq(path.reason, PathForgePath.REASON_DISCONNECTED, "the only gap")
	path = _grid.find_path(start, Vector2i(4, 2), null, mode, gap)
	check_eq(path.reason, PathForgePath.REASON_GOAL_SOLID, "as a solid cell")
	path = _grid.find_path(start, goal, null, PathForgeGrid.GOAL_NEAREST, gap)
	check_eq(path.cells[-1], Vector2i(3, 4), "as near as it can come")
	check(not _grid.is_reachable(start, goal, null, gap), "not reachable")
	check(_grid.find_path_to_any(start, [goal], null, gap).cells.is_empty(), "to any")
	check(not _grid.get_reachable_cells(start, 90.0, null, gap).has(Vector2i(5, 2)), "in reach")
	var answers: Array[PathForgePath] = []
	_grid.request_path(start, goal, null, mode, answers.append, gap)
	_grid.request_path(start, goal, null, mode, answers.append)
	check(await wait_until(func() -> bool: return answers.size() == 2), "answers")
	check_eq(answers[0].reason, PathForgePath.REASON_DISCONNECTED, "the request's own cells")
	check(answers[1].is_complete(), "not another's")
	check(_goes_through() and _changes.is_empty(), "the map is what it was")
	check(_grid.find_path(start, goal).is_complete(), "for the next query")


func test_bad_lists_are_refused() -> void:
	var profile: PathForgeProfile = PathForgeProfile.new()
	profile.ignored_obstacles = [3]
	expect_errors(1, "PathForgeProfile.ignored_obstacles: ignored_obstacles[1] is -7")
	profile.ignored_obstacles = [1, -7]
	expect_errors(1, "ignored_obstacles has 17 elements, at most 16")
	profile.ignored_obstacles = range(1, 18)
	check_eq(profile.ignored_obstacles, PackedInt32Array([3]), "unchanged")
	var bad: Array = [Vector2i.ZERO, "wall"]
	var start: Vector2i = Vector2i(0, 0)
	var goal: Vector2i = Vector2i(8, 4)
	expect_errors(1, "PathForgeGrid.find_path: blocked[1] is String, not a Vector2i")
	var path: PathForgePath = _grid.find_path(start, goal, null, 0, bad)
	check_eq(path.status, PathForgePath.STATUS_INVALID, "no question")
	expect_errors(1, "PathForgeGrid.is_reachable: blocked[1]")
	check(not _grid.is_reachable(start, goal, null, bad), "no")
	expect_errors(1, "PathForgeGrid.find_path_to_any: blocked[1]")
	_grid.find_path_to_any(start, [goal], null, bad)
	expect_errors(1, "PathForgeGrid.get_reachable_cells: blocked[1]")
	check(_grid.get_reachable_cells(start, 9.0, null, bad).is_empty(), "none")
	expect_errors(1, "PathForgeGrid.request_path: blocked[1]")
	check_eq(_grid.request_path(start, goal, null, 0, Callable(), bad), 0, "no ticket")


func test_the_obstacles_of_a_cell_are_listed() -> void:
	var first: int = _grid.add_obstacle(Rect2i(0, 0, 3, 3))
	var second: int = _grid.add_obstacle(Rect2i(2, 2, 2, 2))
	check_eq(_grid.get_obstacles_at(Vector2i(2, 2)), PackedInt64Array([first, second]), "both")
	check_eq(_grid.get_obstacles_at(Vector2i(0, 0)), PackedInt64Array([first]), "one")
	check_eq(_grid.get_obstacles_at(Vector2i(8, 0)), PackedInt64Array(), "none")
	check_eq(_grid.get_obstacles_at(Vector2i(-9, 99)), PackedInt64Array(), "outside")
	_grid.remove_obstacle(first)
	check_eq(
		_grid.get_obstacles_at(Vector2i(2, 2)), PackedInt64Array([second]), "one was taken away"
	)
