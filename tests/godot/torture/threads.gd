class_name TortureThreads
extends RefCounted
## Threads that use what they may: nodes of their own outside the tree, and a grid in the tree,
## which they ask and edit while the main thread does.

const RUNNING_MAX := 3
const SCENE := "user://torture_yard.tscn"

var _rng: RandomNumberGenerator
## Running threads, with the yard that each of them looks at, or [code]null[/code].
var _running: Dictionary[Thread, Node2D] = {}
## The thread that loads the saved scene, while one does.
var _loader: Thread = null


func _init(rng: RandomNumberGenerator) -> void:
	_rng = rng


## Starts a thread that asks a grid of [param yard], or a thread that has everything for itself.
func start(yard: Node2D) -> void:
	if _running.size() >= RUNNING_MAX:
		return
	var thread := Thread.new()
	var from_seed := _rng.randi()
	match _rng.randi_range(0, 2):
		0:
			var grids := yard.find_children("*", "LedgerGrid", true, false)
			if not grids.is_empty():
				_running[thread] = yard
				thread.start(_ask.bind(grids[0], from_seed))
		1:
			_running[thread] = null
			thread.start(_use_own.bind(from_seed))
		_:
			if not is_loading() and ResourceLoader.exists(SCENE):
				_running[thread] = null
				_loader = thread
				thread.start(_load_scene)


## Whether a thread looks at [param yard].
func look_at(yard: Node2D) -> bool:
	return yard in _running.values()


## Lets go of threads that are done. Never waits: a thread that loads a scene may wait for the main
## thread itself.
func join_done() -> void:
	for thread: Thread in _running.keys():
		if not thread.is_alive():
			thread.wait_to_finish()
			_running.erase(thread)


## Whether a thread loads the saved scene. No other code touches the file meanwhile: the engine
## loses the tokens of loads that meet.
func is_loading() -> bool:
	return _loader != null and _loader in _running


func is_idle() -> bool:
	return _running.is_empty()


static func _ask(grid: LedgerGrid, from_seed: int) -> void:
	var rng := RandomNumberGenerator.new()
	rng.seed = from_seed
	var body := TortureYard.body(rng)
	for _n: int in 30:
		var start_cell := _cell(rng)
		var goal := _cell(rng)
		match rng.randi_range(0, 9):
			0:
				grid.find_paths([start_cell, goal], [_cell(rng)], body)
			1:
				grid.get_reachable_cells(start_cell, 12.0, body)
			2:
				grid.explain(start_cell, goal, body)
			3:
				grid.is_reachable(start_cell, goal, body)
			4:
				grid.explain_largest_footprint(start_cell, goal)
			5:
				grid.find_nearest_fit(start_cell, body)
			6:
				grid.to_bytes()
			7:
				grid.is_point_solid(grid.local_to_cell(grid.cell_to_local(goal)))
			8:
				# Closes no way: the ledger looks whether paths can be walked when they come.
				grid.set_point_weight_scale(goal, rng.randf_range(1, 3))
			_:
				grid.find_path(start_cell, goal, body, rng.randi_range(0, 2)).positions.size()


static func _use_own(from_seed: int) -> void:
	var rng := RandomNumberGenerator.new()
	rng.seed = from_seed
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 64, 64)
	var field := FlowField.new()
	var influence := InfluenceMap.new()
	var crowd := PathForgeCrowd.new()
	var clearance := ClearanceMap.new()
	for node: Node in [field, influence, crowd, clearance]:
		grid.add_child(node)
	field.goals = [Vector2i(32, 32)]
	crowd.auto_step = false
	crowd.add_agents([Vector2(100, 100), Vector2(300, 500)], TortureYard.body(rng), 90.0)
	for _n: int in 20:
		grid.fill_solid_region(Rect2i(_cell(rng), Vector2i(4, 3)), rng.randf() < 0.6)
		influence.add_stamp(_cell(rng), 4.0, 5.0)
		influence.step(0.1)
		field.rebuild()
		crowd.assign_goal(crowd.get_ids(), _cell(rng))
		crowd.step(0.05)
		clearance.get_clearance_data()
		grid.find_path(_cell(rng), _cell(rng), TortureYard.body(rng))
	grid.free()
	var baker := PathForgeNavigationBaker.new()
	var square: PackedVector2Array = [Vector2.ZERO, Vector2(64, 0), Vector2(64, 64), Vector2(0, 64)]
	baker.bake_from_polygons([square], [])
	baker.free()
	var level := PathForgeGrid.new()
	level.set_from_text(TortureYard.LEVEL)
	var platformer := PathForgePlatformer.new()
	level.add_child(platformer)
	platformer.find_path(Vector2i(0, 4), Vector2i(14, 5), PathForgeJumpProfile.new())
	level.free()


static func _load_scene() -> void:
	var packed: PackedScene = ResourceLoader.load(SCENE, "", ResourceLoader.CACHE_MODE_IGNORE)
	var yard := packed.instantiate()
	yard.free()


static func _cell(rng: RandomNumberGenerator) -> Vector2i:
	return Vector2i(rng.randi_range(0, 63), rng.randi_range(0, 63))
