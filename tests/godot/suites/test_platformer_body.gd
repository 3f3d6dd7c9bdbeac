extends TestSuite
## Bodies as games have them: odd sizes, round ends, positions anywhere, acceleration, floors inside
## their tiles.

const CELL := 16.0
const GAP := """
	............
	............
	............
	............
	............
	#####..#####
	#####..#####
"""
const LEDGES := """
	............
	............
	............
	............
	..##........
	............
	............
	....###.....
	............
	..####......
	............
	............
	############
"""

var _levels := 0


func before_each() -> void:
	PlatformWalker.set_ticks(60)


func after_each() -> void:
	PlatformWalker.set_ticks(0)


func test_narrow_and_round_bodies_take_off_while_they_stand() -> void:
	for width: float in [4.0, 8.0, 14.0]:
		for is_round: bool in [false, true]:
			var profile := _profile(300.0, 130.0)
			var walker := _walker(
				GAP, profile, PlatformWalker.shape_of(Vector2(width, 14.0), is_round), Vector2.ZERO
			)
			await _run(walker, Vector2i(1, 4), Vector2i(9, 4), profile)
			check_eq(walker.result, "arrived", "%s px, round %s" % [width, is_round])


func test_the_position_may_be_anywhere_in_the_body() -> void:
	var size := Vector2(12.0, 20.0)
	for offset: Vector2 in [Vector2.ZERO, Vector2(0.0, -10.0), Vector2(3.0, 6.0)]:
		var profile := _profile(300.0, 130.0)
		var walker := _walker(GAP, profile, PlatformWalker.shape_of(size, false), offset)
		check_eq(profile.body_offset, offset)
		await _run(walker, Vector2i(1, 3), Vector2i(9, 3), profile)
		check_eq(walker.result, "arrived", str(offset))
		var platformer: PathForgePlatformer = walker.get_parent()
		check_eq(platformer.global_to_cell(walker.global_position, profile), Vector2i(9, 3))
		var place := platformer.cell_to_global(Vector2i(9, 3), profile)
		check(
			place.distance_to(walker.global_position) < 2.0,
			"%s, not %s" % [walker.global_position, place]
		)


func test_a_body_with_acceleration_stops_before_it_jumps_straight_up() -> void:
	for acceleration: float in [300.0, 600.0, 2000.0]:
		var profile := _profile(345.0, 75.0)
		profile.acceleration = acceleration
		var walker := _walker(
			LEDGES, profile, PlatformWalker.shape_of(Vector2(9.0, 11.0), false), Vector2.ZERO
		)
		walker.acceleration = acceleration
		await _run(walker, Vector2i(9, 11), Vector2i(2, 3), profile)
		check_eq(walker.result, "arrived", "%s px/s²" % acceleration)


func test_a_body_jumps_under_a_low_ceiling() -> void:
	var rows := "############\n............\n............\n............\n####...#####\n####...#####"
	var profile := _profile(330.0, 180.0)
	var walker := _walker(
		rows, profile, PlatformWalker.shape_of(Vector2(14, 30), false), Vector2.ZERO
	)
	await _run(walker, Vector2i(1, 2), Vector2i(10, 2), profile)
	check_eq(walker.result, "arrived", "it has 18 px above its head")


func test_a_path_in_cells_is_followed_by_the_numbers_of_its_profile() -> void:
	var profile := _profile(300.0, 130.0)
	profile.use_physics = false
	var walker := _walker(
		GAP, profile, PlatformWalker.shape_of(Vector2(14, 14), false), Vector2.ZERO
	)
	await _run(walker, Vector2i(1, 4), Vector2i(9, 4), profile)
	check_eq(walker.result, "arrived")


func test_floors_may_lie_deep_in_their_tiles() -> void:
	for depth: float in [4.0, 7.0, 12.0]:
		var profile := _profile(300.0, 130.0)
		var shape := PlatformWalker.shape_of(Vector2(14, 14), false)
		var walker := _walker(GAP, profile, shape, Vector2.ZERO, Vector2(0.0, depth))
		var platformer: PathForgePlatformer = walker.get_parent()
		walker.global_position = (
			platformer.cell_to_global(Vector2i(1, 4), profile) + Vector2(0.0, depth)
		)
		check_eq(platformer.global_to_cell(walker.global_position, profile), Vector2i(1, 4))
		await _run(walker, Vector2i(1, 4), Vector2i(9, 4), profile, depth)
		check_eq(walker.result, "arrived", "%s px deep" % depth)


func test_it_finds_another_path_from_a_deep_floor() -> void:
	var profile := _profile(300.0, 130.0)
	var depth := 10.0
	var walker := _walker(
		GAP,
		profile,
		PlatformWalker.shape_of(Vector2(14, 14), false),
		Vector2.ZERO,
		Vector2(0.0, depth)
	)
	var platformer: PathForgePlatformer = walker.get_parent()
	# It follows a path that begins elsewhere, so that it knows nothing of the floor where it stands.
	walker.follower.follow(platformer.find_path(Vector2i(8, 4), Vector2i(10, 4), profile))
	walker.global_position = (
		platformer.cell_to_global(Vector2i(1, 4), profile) + Vector2(0.0, depth)
	)
	await wait_until(func() -> bool: return not walker.result.is_empty() or walker.age > 30.0)
	check_eq([walker.result, walker.reason], ["arrived", -1])


func test_it_gives_up_soon_and_says_why() -> void:
	var profile := _profile(300.0, 130.0)
	var walker := _walker(
		GAP, profile, PlatformWalker.shape_of(Vector2(14, 14), false), Vector2.ZERO
	)
	walker.jump_speed = 0.0
	await _run(walker, Vector2i(4, 4), Vector2i(9, 4), profile)
	check_eq(walker.result, "gave up")
	check_eq(walker.reason, PathForgePlatformFollower.GAVE_UP_NO_TAKE_OFF)
	check(walker.age < 4.0, "after %.1f s" % walker.age)
	profile.jump_speed = 345.0
	walker = _walker(LEDGES, profile, PlatformWalker.shape_of(Vector2(14, 14), false), Vector2.ZERO)
	walker.jump_speed = 150.0
	await _run(walker, Vector2i(4, 11), Vector2i(4, 8), profile)
	check_eq(walker.result, "gave up")
	check_eq(walker.reason, PathForgePlatformFollower.GAVE_UP_FELL_SHORT)
	check(walker.age < 4.0, "after %.1f s" % walker.age)


func test_a_refusal_names_the_jump_that_is_missing() -> void:
	var grid := PathForgeGrid.new()
	grid.set_from_text("............\n............\n............\n###......###")
	var platformer := PathForgePlatformer.new()
	grid.add_child(platformer)
	add(grid)
	var profile := _profile(300.0, 60.0)
	var told := platformer.explain(Vector2i(0, 2), Vector2i(11, 2), profile)
	check_eq(told.reason, platformer.find_path(Vector2i(0, 2), Vector2i(11, 2), profile).reason)
	check_eq([told.gap_start, told.gap_goal, told.gap_steps], [Vector2i(2, 2), Vector2i(9, 2), 7])
	check_eq(
		told.text,
		"No way: from (2, 2) to (9, 2) are 7 cells across. A jump rises 2.8 cells and carries 2.2."
	)
	told = platformer.explain(Vector2i(0, 2), Vector2i(2, 2), profile)
	check_eq([told.status, told.gap_start], [PathForgePath.STATUS_COMPLETE, Vector2i.MIN])
	told = platformer.explain(Vector2i(0, 3), Vector2i(2, 2), profile)
	check_eq(told.reason, PathForgePath.REASON_START_SOLID)


func test_a_body_is_read_from_its_shape() -> void:
	var profile := PathForgeJumpProfile.new()
	var node := PlatformWalker.shape_of(Vector2(10, 30), true)
	add(node)
	node.position = Vector2(2, -15)
	check_eq(profile.set_body(node), true)
	check_eq(profile.body_size, Vector2(10, 30))
	check_eq(profile.body_offset, Vector2(2, -15))
	check_eq(profile.body_is_round, true)
	var box := PlatformWalker.shape_of(Vector2(10, 30), false)
	add(box)
	box.rotation = PI / 2.0
	box.scale = Vector2(2, 2)
	check_eq(profile.set_body(box), true)
	check(profile.body_size.is_equal_approx(Vector2(60, 20)), str(profile.body_size))
	check_eq(profile.body_is_round, false)
	var character := CharacterBody2D.new()
	character.scale = Vector2(0.8, 0.8)
	add(character)
	var part := PlatformWalker.shape_of(Vector2(10, 30), false)
	part.position = Vector2(0, -5)
	character.add_child(part)
	check_eq(profile.set_body(part), true)
	check(profile.body_size.is_equal_approx(Vector2(8, 24)), str(profile.body_size))
	check(profile.body_offset.is_equal_approx(Vector2(0, -4)), str(profile.body_offset))


func test_bad_bodies_are_refused() -> void:
	var profile := PathForgeJumpProfile.new()
	profile.body_size = Vector2(10, 20)
	expect_errors(4, "PathForgeJumpProfile.body_size: body_size ")
	for size: Vector2 in [Vector2(0, 5), Vector2(-3, 5), Vector2(NAN, 5), Vector2(INF, INF)]:
		profile.body_size = size
	expect_errors(1, "PathForgeJumpProfile.body_offset: body_offset ")
	profile.body_offset = Vector2(NAN, 0)
	expect_errors(2, "PathForgeJumpProfile.acceleration: acceleration ")
	profile.acceleration = -1.0
	profile.acceleration = NAN
	for property: String in ["air_acceleration", "friction", "fall_gravity", "max_fall_speed"]:
		expect_errors(2, "PathForgeJumpProfile.%s: %s " % [property, property])
		profile.set(property, -1.0)
		profile.set(property, INF)
		check_eq(profile.get(property), 0.0)
	expect_errors(2, "PathForgeJumpProfile.jump_cut: jump_cut ")
	profile.jump_cut = 1.1
	profile.jump_cut = NAN
	check_eq(profile.jump_cut, 1.0)
	expect_errors(4, "PathForgeJumpProfile.set_body: shape ")
	check_eq(profile.set_body(null), false)
	var node := CollisionShape2D.new()
	add(node)
	check_eq(profile.set_body(node), false)
	node.shape = SegmentShape2D.new()
	check_eq(profile.set_body(node), false)
	node.shape = RectangleShape2D.new()
	node.rotation = 0.3
	check_eq(profile.set_body(node), false)
	check_eq([profile.body_size, profile.body_offset], [Vector2(10, 20), Vector2.ZERO])
	var grid := PathForgeGrid.new()
	grid.set_from_text("....\n####")
	var platformer := PathForgePlatformer.new()
	grid.add_child(platformer)
	add(grid)
	profile.body_size = Vector2(1e6, 20)
	expect_errors(1, "PathForgeJumpProfile: body_size (1000000, 20) is more than 64 cells")
	check_eq(platformer.can_stand(Vector2i.ZERO, profile), true)


func _profile(jump_speed: float, run_speed: float) -> PathForgeJumpProfile:
	var profile := PathForgeJumpProfile.new()
	profile.use_physics = true
	profile.jump_speed = jump_speed
	profile.run_speed = run_speed
	return profile


## A body in a level of its own, whose floors lie [param sunk] below their cells' upper edges.
func _walker(
	rows: String,
	profile: PathForgeJumpProfile,
	shape: CollisionShape2D,
	offset: Vector2,
	sunk := Vector2.ZERO
) -> PlatformWalker:
	var grid := PathForgeGrid.new()
	grid.set_from_text(rows)
	# Levels of their own: no body touches another's ground.
	grid.position = Vector2(1000.0 * _levels, 0.0)
	_levels += 1
	var platformer := PathForgePlatformer.new()
	grid.add_child(platformer)
	add(grid)
	var ground := StaticBody2D.new()
	platformer.add_child(ground)
	for cell: Vector2i in _solid_cells(grid):
		var box := PlatformWalker.shape_of(Vector2(CELL, CELL) - sunk, false)
		box.position = (Vector2(cell) + Vector2(0.5, 0.5)) * CELL + sunk / 2.0
		ground.add_child(box)
	var walker := PlatformWalker.of_shape(shape, profile)
	shape.position = offset
	check_eq(profile.set_body(shape), true)
	platformer.add_child(walker)
	return walker


func _solid_cells(grid: PathForgeGrid) -> Array[Vector2i]:
	var cells: Array[Vector2i] = []
	for index: int in grid.region.size.x * grid.region.size.y:
		var cell := Vector2i(index % grid.region.size.x, int(index / float(grid.region.size.x)))
		if grid.is_point_solid(cell):
			cells.append(cell)
	return cells


func _run(
	walker: PlatformWalker,
	start: Vector2i,
	goal: Vector2i,
	profile: PathForgeJumpProfile,
	sunk := 0.0
) -> void:
	var platformer: PathForgePlatformer = walker.get_parent()
	var path := platformer.find_path(start, goal, profile)
	check(path.is_complete(), path.describe())
	walker.position = path.positions[0] + Vector2(0.0, sunk)
	walker.follower.follow(path)
	await wait_until(func() -> bool: return not walker.result.is_empty() or walker.age > 30.0)
