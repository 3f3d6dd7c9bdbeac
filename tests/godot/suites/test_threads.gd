extends TestSuite
## A grid on a thread of its own.

const WORKERS := 3


func test_threads_with_grids_of_their_own_agree() -> void:
	var wanted := _work()
	var threads: Array[Thread] = []
	for worker: int in WORKERS:
		var thread := Thread.new()
		thread.start(_work)
		threads.append(thread)
	for thread: Thread in threads:
		var got: Array = thread.wait_to_finish()
		check_eq(got, wanted)
	check_eq(wanted.size(), 43)


func test_a_grid_made_on_a_thread_comes_into_the_tree() -> void:
	var thread := Thread.new()
	thread.start(_make_grid)
	var grid: PathForgeGrid = thread.wait_to_finish()
	var changes: Array[Rect2i] = []
	grid.cells_changed.connect(func(region: Rect2i) -> void: changes.append(region))
	add(grid)
	grid.set_point_solid(Vector2i(1, 1))
	check_eq(changes.size(), 1)
	check_eq(grid.find_path(Vector2i.ZERO, Vector2i(2, 2)).is_complete(), true)
	await frames(2)


func test_paths_and_profiles_cross_threads() -> void:
	var profile := PathForgeProfile.new()
	profile.footprint = Vector2i(2, 1)
	var thread := Thread.new()
	var ask := func() -> PathForgePath:
		var grid := _make_grid()
		var path := grid.find_path(Vector2i.ZERO, Vector2i(20, 20), profile)
		grid.free()
		return path
	thread.start(ask)
	var path: PathForgePath = thread.wait_to_finish()
	check_eq(path.is_complete(), true)
	check_eq(path.cells.size(), path.positions.size())
	check_eq(path.positions[0], Vector2(16, 8))


func test_many_paths_at_once_from_a_thread() -> void:
	var thread := Thread.new()
	var ask := func() -> Array[PathForgePath]:
		var grid := _make_grid()
		var starts: Array[Vector2i] = []
		for x: int in 30:
			starts.append(Vector2i(x, 0))
		var paths := grid.find_paths(starts, [Vector2i(31, 31)])
		grid.free()
		return paths
	thread.start(ask)
	var paths: Array[PathForgePath] = thread.wait_to_finish()
	check_eq(paths.size(), 30)


func test_a_grid_in_the_tree_answers_another_thread() -> void:
	var grid := _make_grid()
	add(grid)
	var thread := Thread.new()
	var ask := func() -> int: return grid.find_path(Vector2i.ZERO, Vector2i(20, 20)).cells.size()
	thread.start(ask)
	check_eq(thread.wait_to_finish(), grid.find_path(Vector2i.ZERO, Vector2i(20, 20)).cells.size())


## Half a million messages would fill the engine's queue, and crash it.
func test_edits_on_a_thread_are_announced_together() -> void:
	var grid := _make_grid()
	grid.region = Rect2i(0, 0, 800, 800)
	add(grid)
	var told: Array[Rect2i] = []
	grid.cells_changed.connect(func(region: Rect2i) -> void: told.append(region))
	var thread := Thread.new()
	var dig := func() -> void:
		for y: int in 799:
			for x: int in 799:
				grid.set_point_solid(Vector2i(x, y))
	thread.start(dig)
	thread.wait_to_finish()
	await frames(2)
	check_eq(told, [Rect2i(0, 0, 799, 799)] as Array[Rect2i])
	grid.set_point_solid(Vector2i(799, 799))
	check_eq(told.size(), 2, "the main thread's own edits are announced at once")


func _make_grid() -> PathForgeGrid:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 32, 32)
	grid.fill_solid_region(Rect2i(8, 4, 2, 20))
	return grid


## Edits, asks and measures; returns everything that it learned.
func _work() -> Array:
	var grid := _make_grid()
	var random := RandomNumberGenerator.new()
	random.seed = 99
	var learned := []
	for step: int in 40:
		var cell := Vector2i(random.randi_range(0, 31), random.randi_range(1, 31))
		grid.set_point_solid(cell, step % 3 > 0)
		learned.append(grid.find_path(Vector2i.ZERO, Vector2i(31, 31)).cost)
	var map := ClearanceMap.new()
	grid.add_child(map)
	learned.append(map.get_clearance_data())
	learned.append(grid.to_bytes())
	learned.append(grid.state_hash())
	grid.free()
	return learned
