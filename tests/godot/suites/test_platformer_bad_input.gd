extends TestSuite
## What a script can do wrong to a platformer, its profile and its follower.

var _node: PathForgePlatformer = null


func before_each() -> void:
	_node = PathForgePlatformer.new()
	_node.set_from_text("....\n....\n####")
	add(_node)


func test_profiles_out_of_their_limits() -> void:
	var profile := PathForgeJumpProfile.new()
	expect_errors(3, "PathForgeJumpProfile.size: ")
	for size: Vector2i in [Vector2i.ZERO, Vector2i(1, -1), Vector2i(65, 1)]:
		profile.size = size
	check_eq(profile.size, Vector2i.ONE)
	expect_errors(2, "PathForgeJumpProfile.max_jump_height: max_jump_height ")
	profile.max_jump_height = -1
	profile.max_jump_height = 65
	check_eq(profile.max_jump_height, 3)
	expect_errors(3, "is not a finite number above 0")
	profile.gravity = 0.0
	profile.jump_speed = NAN
	profile.run_speed = -INF
	expect_errors(1, "PathForgeJumpProfile.jump_cost: jump_cost 101")
	profile.jump_cost = 101.0
	profile.use_physics = true
	profile.jump_speed = 1e6
	expect_errors(1, "PathForgePlatformer.find_path: jump height ")
	var path := _node.find_path(Vector2i(0, 1), Vector2i(3, 1), profile)
	check_eq(path.status, PathForgePath.STATUS_INVALID)


func test_places_outside_are_outcomes() -> void:
	for cell: Vector2i in [Vector2i.MIN, Vector2i.MAX, Vector2i(-1, 0), Vector2i(4, 0)]:
		var path := _node.find_path(cell, Vector2i.ZERO, null)
		check_eq(path.reason, PathForgePath.REASON_START_OUT_OF_BOUNDS, str(cell))
		path = _node.find_path(Vector2i.ZERO, cell, null)
		check_eq(path.reason, PathForgePath.REASON_GOAL_OUT_OF_BOUNDS, str(cell))
		check_eq(path.steps.size(), 0)
		check_eq(_node.fits(cell, Vector2i.ONE), false)
	var solid := _node.find_path(Vector2i(0, 1), Vector2i(0, 2), null)
	check_eq(solid.reason, PathForgePath.REASON_GOAL_SOLID)


func test_small_and_empty_levels() -> void:
	_node.set_from_text(".")
	var path := _node.find_path(Vector2i.ZERO, Vector2i.ZERO, null)
	check_eq(path.is_complete(), true)
	check_eq(path.cells, [Vector2i.ZERO] as Array[Vector2i])
	_node.region = Rect2i()
	path = _node.find_path(Vector2i.ZERO, Vector2i.ZERO, null)
	check_eq(path.reason, PathForgePath.REASON_EMPTY_GRID)


func test_data_of_the_wrong_length() -> void:
	expect_errors(1, "PathForgePlatformer.set_one_way_data: the array has ")
	expect_errors(1, "PathForgePlatformer.set_solid_data: the array has ")
	_node.set_one_way_data(PackedByteArray([1, 2, 3]))
	_node.set_solid_data(PackedByteArray())
	expect_errors(2, "cell (4, 0) is outside the region")
	_node.set_point_one_way(Vector2i(4, 0))
	check_eq(_node.is_point_solid(Vector2i(4, 0)), false)
	expect_errors(1, "PathForgePlatformer.region: region [")
	_node.region = Rect2i(0, 0, -1, 4)
	expect_errors(1, "PathForgePlatformer.set_from_text: letter '~'")
	_node.set_from_text("~")
	expect_errors(1, "PathForgePlatformer.cell_size: cell_size ")
	_node.cell_size = Vector2(0, 16)
	check_eq(_node.region, Rect2i(0, 0, 4, 3))


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
