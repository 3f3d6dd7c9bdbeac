extends TestSuite
## Ladders: terrains that a profile names, climbed by bodies of the real engine.

const CELL := 16.0
const LADDER := 3
const CLIMB_SPEED := 90.0
## `H` is a ladder, `T` one whose upper edge carries from above.
const TOWER := """
	............
	............
	............
	..==T=====..
	....H.......
	....H.......
	....H.......
	....H...T...
	########H###
	########H###
	.......#H#..
	.......#H#..
	############
"""
## The ladder ends beside a ledge, and passes another.
const LEDGES := """
	..........
	..........
	..H.......
	..H####...
	..H.......
	..H.......
	##H.......
	..H.......
	..H.......
	##########
"""
const SHAFT := """
	.......
	.......
	##TT###
	##HH###
	##HH###
	##HH###
	##HH..#
	##HH..#
	#######
"""
const STOREYS := 5
const LEVELS := 14

var _level: PathForgeGrid = null


func before_each() -> void:
	PlatformWalker.set_ticks(60)


func after_each() -> void:
	PlatformWalker.set_ticks(0)
	if _level:
		_level.free()
		_level = null


func test_bodies_climb_up_and_down_through_one_way_tops() -> void:
	for is_round: bool in [false, true]:
		for size: Vector2 in [Vector2(8, 14), Vector2(14, 30)]:
			var profile := _profile()
			var walker := _walker(TOWER, size, is_round, profile)
			var top := Vector2i(8, 2)
			await _run(walker, Vector2i(1, 7), top, profile)
			await _run(walker, top, Vector2i(9, 7), profile)
			await _run(walker, Vector2i(9, 7), Vector2i(8, 11), profile)
			await _run(walker, Vector2i(8, 11), top, profile)


func test_bodies_step_off_beside_ledges_and_onto_ladders() -> void:
	for is_round: bool in [false, true]:
		var profile := _profile()
		var walker := _walker(LEDGES, Vector2(10, 14), is_round, profile)
		await _run(walker, Vector2i(7, 8), Vector2i(5, 2), profile)
		await _run(walker, Vector2i(5, 2), Vector2i(0, 5), profile)
		await _run(walker, Vector2i(0, 5), Vector2i(6, 2), profile)
		await _run(walker, Vector2i(6, 2), Vector2i(9, 8), profile)


func test_a_climb_passes_planks() -> void:
	var profile := _profile()
	var rows := ".....\n.....\n.....\n==T==\n..H..\n==T==\n..H..\n==T==\n..H..\n..H..\n#####"
	var walker := _walker(rows, Vector2(12, 14), false, profile)
	await _run(walker, Vector2i(0, 9), Vector2i(4, 2), profile)
	await _run(walker, Vector2i(4, 2), Vector2i(0, 9), profile)


func test_bodies_that_speed_up_slowly_climb() -> void:
	var profile := _profile()
	profile.acceleration = 500.0
	for rows: String in [TOWER, LEDGES]:
		var walker := _walker(rows, Vector2(12, 14), false, profile)
		var goal := Vector2i(7, 2) if rows == TOWER else Vector2i(5, 2)
		var start := Vector2i(1, 7) if rows == TOWER else Vector2i(7, 8)
		await _run(walker, start, goal, profile)
		await _run(walker, goal, start, profile)


func test_a_wide_body_needs_a_wide_shaft() -> void:
	var profile := _profile()
	var walker := _walker(SHAFT, Vector2(30, 14), false, profile)
	await _run(walker, Vector2i(2, 7), Vector2i(5, 1), profile)
	profile = _profile()
	walker = _walker(
		SHAFT.replace("TT", "T#").replace("HH#", "H##"), Vector2(30, 14), false, profile
	)
	var platformer: PathForgePlatformer = walker.get_parent()
	var path := platformer.find_path(Vector2i(3, 7), Vector2i(5, 1), profile)
	check_eq(path.is_complete(), false, "the shaft has 16 px")
	profile.body_size.x = 14.0
	check(platformer.find_path(Vector2i(3, 7), Vector2i(5, 1), profile).is_complete(), "14 px fit")


func test_a_path_tells_of_climbs() -> void:
	var profile := _profile()
	var walker := _walker(TOWER, Vector2(8, 14), false, profile)
	var platformer: PathForgePlatformer = walker.get_parent()
	var path := platformer.find_path(Vector2i(3, 7), Vector2i(4, 2), profile)
	check_eq(
		path.cells,
		(
			[
				Vector2i(3, 7),
				Vector2i(4, 7),
				Vector2i(4, 6),
				Vector2i(4, 5),
				Vector2i(4, 4),
				Vector2i(4, 3),
				Vector2i(4, 2)
			]
			as Array[Vector2i]
		)
	)
	check_eq(path.steps, PackedInt32Array([0, 0, 5, 5, 5, 5, 5]))
	check_eq(path.steps[-1], PathForgePath.STEP_CLIMB)
	var points: Array = path.get_key_points().map(
		func(point: Dictionary) -> Array: return [point.cell, point.kind]
	)
	check_eq(points[1], [Vector2i(4, 7), PathForgePath.KEY_CLIMB])
	check_eq(points[2], [Vector2i(4, 2), PathForgePath.KEY_LANDING])


func test_ladders_count_for_profiles_that_name_them() -> void:
	var profile := _profile()
	var walker := _walker(TOWER, Vector2(8, 14), false, profile)
	var platformer: PathForgePlatformer = walker.get_parent()
	var ends: Array[Vector2i] = [Vector2i(1, 7), Vector2i(8, 2)]
	var is_found := func() -> bool:
		return platformer.find_path(ends[0], ends[1], profile).is_complete()
	check_eq(is_found.call(), true)
	profile.climb_speed = 0.0
	check_eq(is_found.call(), false)
	profile.climb_speed = CLIMB_SPEED
	profile.climb_terrain_mask = 1 << 2
	check_eq(is_found.call(), false)
	profile.climb_terrain_mask |= 1 << LADDER
	check_eq(is_found.call(), true)
	_level.set_point_terrain(Vector2i(4, 5), 0)
	check_eq(is_found.call(), false, "a rung is missing")
	_level.set_point_terrain(Vector2i(4, 5), 2)
	check_eq(is_found.call(), true)
	profile.use_physics = false
	check_eq(is_found.call(), false, "a jump in cells knows no ladders")


func test_bad_numbers_change_nothing() -> void:
	var profile := PathForgeJumpProfile.new()
	check_eq([profile.climb_speed, profile.climb_terrain_mask], [0.0, 0])
	profile.climb_speed = 5.0
	expect_errors(3, "PathForgeJumpProfile.climb_speed: climb_speed ")
	for speed: float in [-1.0, NAN, INF]:
		profile.climb_speed = speed
	expect_errors(2, "PathForgeJumpProfile.climb_terrain_mask: climb_terrain_mask ")
	for mask: int in [-1, 1 << 32]:
		profile.climb_terrain_mask = mask
	check_eq([profile.climb_speed, profile.climb_terrain_mask], [5.0, 0])


func test_a_body_that_does_not_climb_gives_up() -> void:
	var profile := _profile()
	var walker := _walker(TOWER, Vector2(8, 14), false, profile)
	walker.climb_speed = 0.0
	await _follow(walker, Vector2i(3, 7), Vector2i(4, 2), profile)
	check_eq(walker.result, "gave up")
	check(walker.age < 8.0, "after %.1f s" % walker.age)
	check_eq(walker.follower.climb, 0.0)


func test_bodies_arrive_in_random_towers() -> void:
	var random := RandomNumberGenerator.new()
	var late := PackedStringArray()
	var count := 0
	for level: int in LEVELS:
		random.seed = 900 + level
		var rows := _random_tower(random)
		var size := Vector2(random.randi_range(4, 15), random.randi_range(6, 31))
		var is_round := level % 2 == 0
		size.y = maxf(size.x, size.y)
		var profile := _profile()
		profile.climb_speed = random.randf_range(40.0, 300.0)
		profile.acceleration = [0.0, 900.0][random.randi_range(0, 1)]
		var walker := _walker(rows, size, is_round, profile)
		var platformer: PathForgePlatformer = walker.get_parent()
		for order: int in 4:
			var ends: Array[Vector2i] = []
			for end: int in 2:
				var row: int = random.randi_range(0, STOREYS - 1) * 5 + 3
				ends.append(Vector2i(random.randi_range(0, 22), row))
			var raised := Vector2i(0, ceili(size.y / CELL) - 1)
			var path := platformer.find_path(ends[0] - raised, ends[1] - raised, profile)
			if not path.is_complete() or path.steps.count(PathForgePath.STEP_CLIMB) == 0:
				continue
			count += 1
			await _follow(walker, ends[0], ends[1], profile)
			if walker.result != "arrived":
				var told := [level, size, is_round, path.cells, walker.reason, walker.position]
				late.append("%s\n%s" % [told, rows])
	check(count > LEVELS, "%d paths" % count)
	check(late.is_empty(), "%d of %d:\n%s" % [late.size(), count, "\n".join(late)])


## Storeys with ladders between them, some of which have tops that carry.
func _random_tower(random: RandomNumberGenerator) -> String:
	var rows := PackedStringArray()
	for storey: int in STOREYS:
		for row: int in 4:
			rows.append(".".repeat(24))
		rows.append("#".repeat(24))
	for storey: int in range(1, STOREYS):
		for ladder: int in 2:
			var x := random.randi_range(1, 22)
			var top := storey * 5 - 1
			for y: int in range(top, top + 5):
				rows[y] = rows[y].substr(0, x) + "H" + rows[y].substr(x + 1)
			if random.randi_range(0, 2) > 0:
				rows[top] = rows[top].substr(0, x) + "T" + rows[top].substr(x + 1)
	return "\n".join(rows)


func _profile() -> PathForgeJumpProfile:
	var profile := PathForgeJumpProfile.new()
	profile.use_physics = true
	profile.jump_speed = 120.0
	# Falls are faster than climbs.
	profile.max_fall_cells = 1
	profile.run_speed = 150.0
	profile.climb_speed = CLIMB_SPEED
	profile.climb_terrain_mask = 1 << LADDER
	return profile


func _walker(
	rows: String, size: Vector2, is_round: bool, profile: PathForgeJumpProfile
) -> PlatformWalker:
	rows = rows.dedent().strip_edges()
	if _level:
		_level.free()
	_level = PathForgeGrid.new()
	_level.set_from_text(rows.replace("H", ".").replace("T", "="))
	var platformer := PathForgePlatformer.new()
	_level.add_child(platformer)
	(Engine.get_main_loop() as SceneTree).root.add_child(_level)
	var lines := rows.split("\n")
	for y: int in lines.size():
		for x: int in lines[y].length():
			if lines[y][x] in "HT":
				_level.set_point_terrain(Vector2i(x, y), LADDER)
			if lines[y][x] in "#=T":
				platformer.add_child(_block(Vector2(x, y) * CELL, lines[y][x] != "#"))
	var shape := PlatformWalker.shape_of(size, is_round)
	var walker := PlatformWalker.of_shape(shape, profile)
	walker.climb_speed = profile.climb_speed
	# Another path would hide that a climb ended early.
	walker.follower.max_repaths = 0
	check_eq(profile.set_body(shape), true)
	platformer.add_child(walker)
	return walker


func _block(corner: Vector2, is_one_way: bool) -> StaticBody2D:
	var body := StaticBody2D.new()
	var shape := CollisionShape2D.new()
	var rectangle := RectangleShape2D.new()
	rectangle.size = Vector2(CELL, CELL)
	shape.shape = rectangle
	shape.one_way_collision = is_one_way
	body.position = corner + rectangle.size / 2.0
	body.add_child(shape)
	return body


func _follow(
	walker: PlatformWalker, start: Vector2i, goal: Vector2i, profile: PathForgeJumpProfile
) -> void:
	var platformer: PathForgePlatformer = walker.get_parent()
	# The cells of the feet, as paths have the topmost.
	var raised := Vector2i(0, ceili(profile.body_size.y / CELL) - 1)
	var path := platformer.find_path(start - raised, goal - raised, profile)
	check(path.is_complete(), "%s to %s: %s" % [start, goal, path.describe()])
	if path.is_complete():
		walker.position = path.positions[0] - Vector2(0.0, 0.1)
		walker.velocity = Vector2.ZERO
		walker.result = ""
		walker.age = 0.0
		walker.follower.follow(path)
		await wait_until(func() -> bool: return not walker.result.is_empty() or walker.age > 40.0)


func _run(
	walker: PlatformWalker, start: Vector2i, goal: Vector2i, profile: PathForgeJumpProfile
) -> void:
	await _follow(walker, start, goal, profile)
	check_eq([walker.result, walker.reason], ["arrived", -1], "%s to %s" % [start, goal])
