extends TestSuite
## [PathForgeMap]: a grid without a scene. The runner fails a test that leaves a node behind.

## Freed when the engine ends: a leak then fails the run.
static var _until_exit := PathForgeMap.new()


## A resource with a map and nothing that is saved.
class Plain:
	extends Resource
	var map := PathForgeMap.new()


func test_holders_leave_no_node_behind() -> void:
	var before := _orphans()
	for _holder: int in 100:
		var holder := MapResource.new()
		holder.map.grid.region = Rect2i(0, 0, 8, 8)
		holder = null
	check_eq(_orphans(), before)
	var kept := MapResource.new()
	check_eq(_orphans(), before + 1, "one that is held")
	kept = null
	check_eq(_orphans(), before)


func test_it_answers_as_a_grid_does() -> void:
	var map := PathForgeMap.new()
	map.grid.set_from_text("..#..\n..#..\n.....")
	check_eq(map.grid.get_id_path(Vector2i(0, 0), Vector2i(4, 0)).size(), 7)
	check_eq(map.grid, map.grid, "the same grid each time")
	var paths := map.grid.find_paths([Vector2i(0, 0)], [Vector2i(4, 0)])
	check_eq(paths[0].is_complete(), true)
	_until_exit.grid.region = map.grid.region


func test_the_grid_property_is_read_only() -> void:
	var map := PathForgeMap.new()
	var grid := map.grid
	var other := PathForgeGrid.new()
	map.set("grid", other)
	check_eq(map.grid, grid)
	other.free()


func test_paths_and_profiles_outlive_their_map() -> void:
	var map := PathForgeMap.new()
	map.grid.region = Rect2i(0, 0, 4, 4)
	var grid := map.grid
	var path := grid.find_path(Vector2i.ZERO, Vector2i(3, 3))
	map = null
	check_eq(is_instance_valid(grid), false, "a variable of the grid does not keep it")
	check_eq(path.cells.size(), 4)


func test_a_grid_in_a_scene_stays_the_maps() -> void:
	var map := PathForgeMap.new()
	map.grid.region = Rect2i(0, 0, 4, 4)
	var grid := map.grid
	add(grid)
	var found: Array[PathForgePath] = []
	grid.request_path(
		Vector2i.ZERO,
		Vector2i(3, 3),
		null,
		0,
		func(path: PathForgePath) -> void: found.append(path)
	)
	await wait_until(func() -> bool: return not found.is_empty())
	check_eq(found.size(), 1, "it has frames there")
	map = null
	check_eq(is_instance_valid(grid), true, "until the frame ends")
	await frames(2)
	check_eq(is_instance_valid(grid), false)


func test_a_grid_that_somebody_else_freed_is_gone() -> void:
	var map := PathForgeMap.new()
	map.grid.free()
	check_eq(map.grid, null)
	check_eq(map.get("grid"), null)
	var in_scene := PathForgeMap.new()
	var scene := Node2D.new()
	scene.add_child(in_scene.grid)
	scene.free()
	check_eq(in_scene.grid, null)


func test_a_map_that_ends_in_a_handler_of_its_grid() -> void:
	var holder: Array[PathForgeMap] = [PathForgeMap.new()]
	var grid := holder[0].grid
	grid.cells_changed.connect(func(_region: Rect2i) -> void: holder.clear())
	grid.region = Rect2i(0, 0, 4, 4)
	check_eq(is_instance_valid(grid), true, "until the frame ends")
	await frames(2)
	check_eq(is_instance_valid(grid), false)
	holder.append(PathForgeMap.new())
	grid = holder[0].grid
	grid.region = Rect2i(0, 0, 4, 4)
	grid.cells_changed.connect(func(_region: Rect2i) -> void: holder.clear())
	grid.set_point_solid(Vector2i.ONE)
	await frames(2)
	check_eq(is_instance_valid(grid), false)


func test_the_last_reference_ends_on_another_thread() -> void:
	var before := _orphans()
	for _round: int in 20:
		var thread := Thread.new()
		thread.start(_use_up.bind([_filled()]))
		check_eq(thread.wait_to_finish(), 4)
	check_eq(_orphans(), before)
	var box: Array[PathForgeMap] = [_filled()]
	var grid := box[0].grid
	add(grid)
	var thread := Thread.new()
	thread.start(_use_up.bind(box))
	thread.wait_to_finish()
	await frames(2)
	check_eq(is_instance_valid(grid), false)


func test_threads_with_maps_of_their_own() -> void:
	var threads: Array[Thread] = []
	for _worker: int in 4:
		var thread := Thread.new()
		thread.start(func() -> int: return _use(_filled()))
		threads.append(thread)
	for thread: Thread in threads:
		check_eq(thread.wait_to_finish(), 4)


func test_threads_share_one_map() -> void:
	var map := _filled()
	var ask := func() -> int:
		var cells := 0
		for _time: int in 2000:
			cells += _use(map)
		return cells
	var threads: Array[Thread] = []
	for _worker: int in 4:
		var thread := Thread.new()
		thread.start(ask)
		threads.append(thread)
	check_eq(ask.call(), 8000)
	for thread: Thread in threads:
		check_eq(thread.wait_to_finish(), 8000)


func test_duplicates_of_a_resource_have_cells_of_their_own() -> void:
	var level := MapResource.new()
	level.map.grid.set_from_text("..#\n...")
	var copy: MapResource = level.duplicate()
	check_ne(copy.map.grid, level.map.grid, "one grid each")
	check_eq(copy.map.grid.state_hash(), level.map.grid.state_hash())
	copy.map.grid.set_point_solid(Vector2i(0, 0))
	check_eq(level.map.grid.is_point_solid(Vector2i(0, 0)), false)
	var before := _orphans()
	level = null
	check_eq(_orphans(), before - 1)
	check_eq(copy.map.grid.is_point_solid(Vector2i(2, 0)), true)


func test_duplicates_that_save_nothing_start_anew() -> void:
	var plain := Plain.new()
	plain.map.grid.region = Rect2i(0, 0, 4, 4)
	var copy: Plain = plain.duplicate(true)
	check_ne(copy.map.grid, plain.map.grid, "one grid each")
	check_eq(copy.map.grid.region, Rect2i())
	check_eq(plain.map.grid.region, Rect2i(0, 0, 4, 4))


func test_a_resource_saves_its_cells() -> void:
	var file := "user://map_resource.tres"
	var level := MapResource.new()
	level.map.grid.set_from_text("..#\n~..")
	check_eq(ResourceSaver.save(level, file), OK)
	var loaded: MapResource = ResourceLoader.load(file, "", ResourceLoader.CACHE_MODE_IGNORE)
	check_eq(loaded.map.grid.region, Rect2i(0, 0, 3, 2))
	check_eq(loaded.map.grid.state_hash(), level.map.grid.state_hash())
	DirAccess.remove_absolute(file)


func _filled() -> PathForgeMap:
	var map := PathForgeMap.new()
	map.grid.region = Rect2i(0, 0, 4, 1)
	return map


func _use(map: PathForgeMap) -> int:
	return map.grid.get_id_path(Vector2i(0, 0), Vector2i(3, 0)).size()


## Takes the only reference to the map out of the box and drops it on the thread that calls.
func _use_up(box: Array) -> int:
	var map: PathForgeMap = box.pop_back()
	return _use(map)


func _orphans() -> int:
	return int(Performance.get_monitor(Performance.OBJECT_ORPHAN_NODE_COUNT))
