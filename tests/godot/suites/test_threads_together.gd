extends TestSuite
## One grid in the tree, asked or edited by four threads at once. The main thread edits it
## meanwhile, has an agent and a field on it, and changes its properties and a profile that all use.
## A panic prints an error, which fails the test.

const WORKERS := 4
const MSEC := 2500
const SIDE := 48

var _grid: PathForgeGrid
var _profile: PathForgeProfile
var _end_msec := 0


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, SIDE, SIDE)
	_grid.debug_enabled = true
	add(_grid)
	_profile = PathForgeProfile.new()
	_end_msec = Time.get_ticks_msec() + MSEC


func test_everything_that_reads() -> void:
	await _meet(_ask_all)


func test_what_reads_a_moment() -> void:
	await _meet(_ask_short)


func test_edits() -> void:
	await _meet(_edit)


func test_an_edit_on_a_thread_is_announced_on_the_main_thread() -> void:
	var heard: Array[Rect2i] = []
	var listen := func(region: Rect2i) -> void:
		check_eq(OS.get_thread_caller_id(), OS.get_main_thread_id())
		heard.append(region)
	_grid.cells_changed.connect(listen)
	var thread := Thread.new()
	thread.start(_grid.set_point_solid.bind(Vector2i(3, 4)))
	thread.wait_to_finish()
	check(_grid.is_point_solid(Vector2i(3, 4)), "at once")
	check_eq(heard, [] as Array[Rect2i], "not yet")
	await frames()
	check_eq(heard, [Rect2i(3, 4, 1, 1)] as Array[Rect2i])


## Runs [param work] on every thread, on one object, and lives a game's life meanwhile.
func _meet(work: Callable) -> void:
	var agent := _walker()
	agent.profile = _profile
	var threads: Array[Thread] = []
	for worker: int in WORKERS:
		var thread := Thread.new()
		thread.start(_repeat.bind(work, worker))
		threads.append(thread)
	var random := RandomNumberGenerator.new()
	var frames_seen := 0
	while Time.get_ticks_msec() < _end_msec:
		for _n: int in 60:
			var cell := _cell(random)
			_grid.set_point_solid(cell, not _grid.is_point_solid(cell))
			_ask_short(random)
			_grid.fill_weight_scale_region(Rect2i(cell, Vector2i(3, 3)), random.randf_range(1, 2))
		agent.target_position = _grid.cell_to_local(_cell(random))
		_profile.footprint = Vector2i.ONE + _profile.footprint % 2
		_grid.diagonal_mode = random.randi_range(0, 3)
		_grid.region = Rect2i(0, 0, SIDE, SIDE + random.randi_range(0, 2))
		frames_seen += 1
		await frames()
	var calls := 0
	for thread: Thread in threads:
		var made: int = thread.wait_to_finish()
		check(made > 0, "a thread came to its turn")
		calls += made
	check(calls > 100 and frames_seen > 2, "%d calls in %d frames" % [calls, frames_seen])


func _walker() -> PathForgeAgent2D:
	var field := FlowField.new()
	field.goals = [Vector2i(20, 20)]
	_grid.add_child(field)
	var walker := CharacterBody2D.new()
	var agent := PathForgeAgent2D.new()
	walker.add_child(agent)
	_grid.add_child(walker)
	return agent


func _repeat(work: Callable, from_seed: int) -> int:
	var random := RandomNumberGenerator.new()
	random.seed = from_seed
	var calls := 0
	while Time.get_ticks_msec() < _end_msec:
		work.call(random)
		calls += 1
	return calls


func _ask_all(random: RandomNumberGenerator) -> void:
	var from := _cell(random)
	var to := _cell(random)
	match random.randi_range(0, 13):
		0:
			_grid.find_path(from, to, _profile).positions.size()
		1:
			_grid.find_paths([from, to], [_cell(random)])
		2:
			_grid.is_reachable(from, to)
		3:
			_grid.find_nearest_fit(from)
		4:
			_grid.get_id_path(from, to)
		5:
			_grid.explain(from, to)
		6:
			_grid.get_reachable_cells(from, 5.0)
		7:
			_grid.explain_largest_footprint(from, to)
		8:
			_grid.would_block(Rect2i(from, Vector2i(2, 2)), [from], [to])
		9:
			_grid.get_point_data_in_region(Rect2i(from, Vector2i(3, 3)))
		10:
			_grid.to_bytes()
		11:
			_grid.copy_cells(Rect2i(from, Vector2i(5, 5)))
		12:
			_grid.state_hash()
		_:
			_ask_short(random)


func _ask_short(random: RandomNumberGenerator) -> void:
	var cell := _cell(random)
	match random.randi_range(0, 11):
		0:
			_grid.is_point_solid(cell)
		1:
			_grid.get_point_weight_scale(cell)
		2:
			_grid.get_point_terrain(cell)
		3:
			_grid.is_in_boundsv(cell)
		4:
			_grid.local_to_cell(_grid.cell_to_local(cell))
		5:
			_grid.cell_to_local(cell, a_body(Vector2i(2, 2)))
		6:
			_grid.can_stand(cell, a_body(Vector2i(2, 2)))
		7:
			_grid.has_obstacle_at(cell)
		8:
			_grid.get_clearance(cell)
		9:
			_grid.get_point_position(cell)
		10:
			_grid.explain_largest_footprint(cell, Vector2i.ZERO)
		_:
			_grid.is_reachable(cell, Vector2i.ZERO, _profile)


func _edit(random: RandomNumberGenerator) -> void:
	var cell := _cell(random)
	match random.randi_range(0, 6):
		0:
			_grid.set_point_solid(cell, random.randf() < 0.3)
		1:
			_grid.fill_solid_region(Rect2i(cell, Vector2i(4, 4)), false)
		2:
			var id := _grid.add_obstacle(Rect2i(cell, Vector2i.ONE))
			_grid.move_obstacle(id, Rect2i(cell, Vector2i(2, 2)))
			_grid.remove_obstacle(id)
		3:
			_grid.begin_edit()
			_grid.set_point_terrain(cell, 1)
			_grid.end_edit()
		4:
			_grid.paste_cells(_grid.copy_cells(Rect2i(cell, Vector2i(3, 3))))
		5:
			_grid.cancel_request(_grid.request_path(cell, _cell(random)))
		_:
			_ask_short(random)


func _cell(random: RandomNumberGenerator) -> Vector2i:
	return Vector2i(random.randi_range(0, SIDE - 1), random.randi_range(0, SIDE - 1))
