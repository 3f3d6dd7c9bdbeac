extends TestSuite
## A follower in real physics: generated levels, bodies of several sizes, 60 and 120 ticks.
##
## PATHFORGE_PLATFORMER_CASES sets how many cases there are for each rate (25 by default).

const CELL := 16.0
const SIZE := Vector2i(44, 24)
## Game seconds that a case may take.
const TIME_S := 90.0

var _random := RandomNumberGenerator.new()


func after_each() -> void:
	PlatformWalker.set_ticks(0)


func test_it_arrives_at_60_ticks() -> void:
	await _run_cases(60, 1)


func test_it_arrives_at_120_ticks() -> void:
	await _run_cases(120, 2)


func test_it_gives_up_where_something_unknown_is_in_the_way() -> void:
	var platformer := _platformer("............\n............\n............\n############")
	add(platformer.get_parent())
	var profile := PathForgeJumpProfile.new()
	profile.use_physics = true
	var walker := _walker(platformer, profile)
	_build(platformer)
	var wall := StaticBody2D.new()
	platformer.add_child(wall)
	_add_box(wall, Rect2(5, -20, 1, 23), false)
	walker.follower.follow(platformer.find_path(Vector2i(0, 2), Vector2i(11, 2), profile))
	walker.position = platformer.cell_to_global(Vector2i(0, 2), profile)
	PlatformWalker.set_ticks(60)
	while walker.result.is_empty() and walker.age < TIME_S:
		await physics_frames(PlatformWalker.SPEED_UP)
	check_eq(walker.result, "gave up")
	check_eq(walker.reason, PathForgePlatformFollower.GAVE_UP_HELD)
	check(walker.age < 5.0, "after %.1f s" % walker.age)
	check_eq([walker.follower.axis, walker.follower.jump], [0.0, false], "it let go")


func test_it_gives_up_when_it_falls_out_of_the_level() -> void:
	var platformer := _platformer("............\n............\n############")
	add(platformer.get_parent())
	var profile := PathForgeJumpProfile.new()
	profile.use_physics = true
	var walker := _walker(platformer, profile)
	# Nothing is there to stand on, whatever the platformer says.
	walker.follower.follow(platformer.find_path(Vector2i(0, 1), Vector2i(11, 1), profile))
	walker.position = platformer.cell_to_global(Vector2i(0, 1), profile)
	PlatformWalker.set_ticks(60)
	while walker.result.is_empty() and walker.age < TIME_S:
		await physics_frames(PlatformWalker.SPEED_UP)
	check_eq(walker.result, "gave up")
	check_eq(walker.reason, PathForgePlatformFollower.GAVE_UP_FELL_OUT)
	check(walker.age < 3.0, "after %.1f s" % walker.age)


func test_it_gives_up_at_once_without_a_way() -> void:
	var platformer := _platformer("....#...\n....#...\n########")
	add(platformer.get_parent())
	var profile := PathForgeJumpProfile.new()
	var walker := _walker(platformer, profile)
	var path := platformer.find_path(Vector2i(0, 1), Vector2i(7, 1), profile)
	walker.follower.follow(path)
	walker.follower.step(Vector2.ZERO, Vector2.ZERO, true, 0.1)
	check_eq(walker.result, "gave up")
	check_eq(walker.reason, PathForgePlatformFollower.GAVE_UP_NO_PATH)


func _run_cases(ticks: int, first_seed: int) -> void:
	time_limit_s = 300.0
	_random.seed = first_seed
	var wanted := int(OS.get_environment("PATHFORGE_PLATFORMER_CASES"))
	var count := wanted if wanted > 0 else 25
	var walkers: Array[PlatformWalker] = []
	while walkers.size() < count:
		var walker := _case(walkers.size())
		if walker != null:
			walkers.append(walker)
	PlatformWalker.set_ticks(ticks)
	var running := func() -> bool:
		for walker: PlatformWalker in walkers:
			if walker.result.is_empty() and walker.age < TIME_S:
				return true
		return false
	while running.call():
		await physics_frames(PlatformWalker.SPEED_UP)
	var arrived := 0
	for index: int in count:
		var result := walkers[index].result
		if result == "arrived":
			arrived += 1
		else:
			print("case %d: %s" % [index, result if result != "" else "still walking"])
	print("%d of %d arrived at %d ticks" % [arrived, count, ticks])
	# 99 of 100; of fewer, all but one.
	check(arrived >= count - maxi(1, int(count / 100.0)), "%d of %d arrived" % [arrived, count])
	for walker: PlatformWalker in walkers:
		check(not walker.result.is_empty(), "who does not arrive gives up")


## A level with a body that has a way to somewhere, or null.
func _case(number: int) -> PlatformWalker:
	var rows := _level()
	var platformer := _platformer("\n".join(rows))
	var grid: PathForgeGrid = platformer.get_parent()
	grid.position = Vector2(number % 10, floorf(number / 10.0)) * Vector2(1000, 1000)
	var profile := PathForgeJumpProfile.new()
	profile.footprint = [Vector2i(1, 1), Vector2i(3, 2), Vector2i(2, 3), Vector2i(1, 2)][number % 4]
	profile.use_physics = true
	profile.run_speed = _random.randf_range(130.0, 240.0)
	profile.jump_speed = _random.randf_range(280.0, 420.0)
	var path := _some_path(platformer, profile)
	if path == null:
		grid.free()
		return null
	add(grid)
	_build(platformer)
	var walker := _walker(platformer, profile)
	walker.position = path.positions[0] + Vector2(0, 0.9)
	walker.follower.follow(path)
	return walker


## A platformer below a grid with these cells.
func _platformer(rows: String) -> PathForgePlatformer:
	var grid := PathForgeGrid.new()
	grid.set_from_text(rows)
	var platformer := PathForgePlatformer.new()
	grid.add_child(platformer)
	return platformer


func _walker(platformer: PathForgePlatformer, profile: PathForgeJumpProfile) -> PlatformWalker:
	var walker := PlatformWalker.create(profile, CELL)
	platformer.add_child(walker)
	return walker


func _some_path(platformer: PathForgePlatformer, profile: PathForgeJumpProfile) -> PathForgePath:
	var stands: Array[Vector2i] = []
	for y: int in SIZE.y:
		for x: int in SIZE.x:
			if platformer.is_on_ground(Vector2i(x, y), profile):
				stands.append(Vector2i(x, y))
	if stands.is_empty():
		return null
	for attempt: int in 20:
		var start := stands[_random.randi() % stands.size()]
		var goal := stands[_random.randi() % stands.size()]
		var path := platformer.find_path(start, goal, profile)
		if path.is_complete() and path.cells.size() >= 12:
			return path
	return null


## Ground with pits and steps, blocks, one-way platforms.
func _level() -> PackedStringArray:
	var cells: Array[PackedByteArray] = []
	for y: int in SIZE.y:
		var row := PackedByteArray()
		row.resize(SIZE.x)
		row.fill(46)
		cells.append(row)
	var height := 3
	for x: int in SIZE.x:
		if _random.randf() < 0.25:
			height = clampi(height + _random.randi_range(-3, 3), 0, 7)
		for y: int in height:
			cells[SIZE.y - 1 - y][x] = 35
	for block: int in 14:
		_fill(cells, _any_rect(Vector2i(9, 3)), 35)
	for platform: int in 10:
		_fill(cells, _any_rect(Vector2i(10, 1)), 61)
	var rows := PackedStringArray()
	for y: int in SIZE.y:
		rows.append(cells[y].get_string_from_ascii())
	return rows


func _any_rect(size_max: Vector2i) -> Rect2i:
	var size := Vector2i(_random.randi_range(1, size_max.x), _random.randi_range(1, size_max.y))
	var corner := Vector2i(_random.randi_range(0, SIZE.x - 1), _random.randi_range(2, SIZE.y - 1))
	return Rect2i(corner, size).intersection(Rect2i(Vector2i.ZERO, SIZE))


func _fill(cells: Array[PackedByteArray], rect: Rect2i, letter: int) -> void:
	for y: int in range(rect.position.y, rect.end.y):
		for x: int in range(rect.position.x, rect.end.x):
			cells[y][x] = letter


## Colliders for the level's cells, run by run, and walls around it.
func _build(platformer: PathForgePlatformer) -> void:
	var body := StaticBody2D.new()
	platformer.add_child(body)
	var grid: PathForgeGrid = platformer.get_parent()
	var size := grid.region.size
	for y: int in size.y:
		var x := 0
		while x < size.x:
			var kind := _kind(grid, Vector2i(x, y))
			var end := x + 1
			while end < size.x and _kind(grid, Vector2i(end, y)) == kind:
				end += 1
			if kind > 0:
				_add_box(body, Rect2(x, y, end - x, 1), kind == 2)
			x = end
	_add_box(body, Rect2(-1, -8, 1, size.y + 16), false)
	_add_box(body, Rect2(size.x, -8, 1, size.y + 16), false)


func _kind(grid: PathForgeGrid, cell: Vector2i) -> int:
	if grid.is_point_solid(cell):
		return 1
	return 2 if grid.is_point_one_way(cell) else 0


func _add_box(body: StaticBody2D, cells: Rect2, one_way: bool) -> void:
	var shape := CollisionShape2D.new()
	var rectangle := RectangleShape2D.new()
	rectangle.size = cells.size * CELL
	shape.shape = rectangle
	shape.position = cells.get_center() * CELL
	shape.one_way_collision = one_way
	body.add_child(shape)
