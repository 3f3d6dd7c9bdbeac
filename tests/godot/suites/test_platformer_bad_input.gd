extends TestSuite
## What a script can do wrong to a platformer, its profile and its follower.

var _grid: PathForgeGrid = null
var _node: PathForgePlatformer = null


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.set_from_text("....\n....\n####")
	add(_grid)
	_node = PathForgePlatformer.new()
	_node.grid = _grid
	add(_node)


func test_profiles_out_of_their_limits() -> void:
	var profile := PathForgeJumpProfile.new()
	expect_errors(3, "PathForgeJumpProfile.footprint: ")
	for size: Vector2i in [Vector2i.ZERO, Vector2i(1, -1), Vector2i(65, 1)]:
		profile.footprint = size
	check_eq(profile.footprint, Vector2i.ONE)
	expect_errors(2, "PathForgeJumpProfile.max_jump_height_cells: max_jump_height_cells ")
	profile.max_jump_height_cells = -1
	profile.max_jump_height_cells = 65
	check_eq(profile.max_jump_height_cells, 3)
	expect_errors(3, "is not a finite number above 0")
	profile.gravity = 0.0
	profile.jump_speed = NAN
	profile.run_speed = -INF
	expect_errors(1, "PathForgeJumpProfile.jump_cost: jump_cost 101")
	profile.jump_cost = 101.0
	profile.use_physics = true
	profile.jump_speed = 2000.0
	var why := "the profile's jump height 127 is not within 0 and 64"
	expect_errors(1, "PathForgePlatformer.find_path: " + why)
	var path := _node.find_path(Vector2i(0, 1), Vector2i(3, 1), profile)
	check_eq(path.status, PathForgePath.STATUS_INVALID)
	check_eq(path.reason, PathForgePath.REASON_BAD_PROFILE)
	check(path.describe().begins_with("invalid: " + why), path.describe())


func test_places_outside_are_outcomes() -> void:
	for cell: Vector2i in [Vector2i.MIN, Vector2i.MAX, Vector2i(-1, 0), Vector2i(4, 0)]:
		var path := _node.find_path(cell, Vector2i.ZERO, null)
		check_eq(path.reason, PathForgePath.REASON_START_OUT_OF_BOUNDS, str(cell))
		path = _node.find_path(Vector2i.ZERO, cell, null)
		check_eq(path.reason, PathForgePath.REASON_GOAL_OUT_OF_BOUNDS, str(cell))
		check_eq(path.steps.size(), 0)
		check_eq(_node.can_stand(cell), false)
		check_eq(_node.is_on_ground(cell), false)
	var solid := _node.find_path(Vector2i(0, 1), Vector2i(0, 2), null)
	check_eq(solid.reason, PathForgePath.REASON_GOAL_SOLID)


func test_small_and_empty_levels() -> void:
	_grid.set_from_text(".")
	var path := _node.find_path(Vector2i.ZERO, Vector2i.ZERO)
	check_eq(path.is_complete(), true)
	check_eq(path.cells, [Vector2i.ZERO] as Array[Vector2i])
	_grid.region = Rect2i()
	path = _node.find_path(Vector2i.ZERO, Vector2i.ZERO)
	check_eq(path.reason, PathForgePath.REASON_EMPTY_GRID)


func test_a_platformer_without_a_grid_says_so() -> void:
	_grid.free()
	var no_grid := "there is no grid; set `grid`, or put the node below a PathForgeGrid"
	for method: String in ["find_path", "can_stand", "is_on_ground", "cell_to_global"]:
		expect_errors(1, "PathForgePlatformer.%s: %s" % [method, no_grid])
	check_eq(_node.find_path(Vector2i.ZERO, Vector2i.ONE).reason, PathForgePath.REASON_NO_GRID)
	check_eq(_node.can_stand(Vector2i.ZERO), false)
	check_eq(_node.is_on_ground(Vector2i.ZERO), false)
	check_eq(_node.cell_to_global(Vector2i.ZERO), Vector2.ZERO)
	expect_errors(1, "PathForgePlatformer.global_to_cell: " + no_grid)
	check_eq(_node.global_to_cell(Vector2.ZERO), Vector2i.MIN)


func test_a_follower_with_nothing_to_follow() -> void:
	var follower := PathForgePlatformFollower.new()
	follower.follow(null)
	follower.step(Vector2.ZERO, Vector2.ZERO, false, 0.1)
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 3, 3)
	expect_errors(
		1, "PathForgePlatformFollower.follow: the path is not one of a PathForgePlatformer"
	)
	follower.follow(grid.find_path(Vector2i.ZERO, Vector2i(2, 2)))
	grid.free()
	follower.follow(_node.find_path(Vector2i(0, 1), Vector2i(3, 1), null))
	expect_errors(3, "PathForgePlatformFollower.step: ")
	follower.step(Vector2(NAN, 0), Vector2.ZERO, true, 0.1)
	follower.step(Vector2.ZERO, Vector2(INF, 0), true, 0.1)
	follower.step(Vector2.ZERO, Vector2.ZERO, true, 0.0)
	_node.free()
	follower.step(Vector2(999, 999), Vector2.ZERO, true, 1.0)
	check_eq(follower.is_following(), false, "the platformer is gone")
