extends TestSuite
## Work is shared out among threads, or done in the frames of the game where none are wanted: the
## environment variable PATHFORGE_THREADS is 0 then.

const SIDE: int = 256

var grid: PathForgeGrid


func before_each() -> void:
	grid = PathForgeGrid.new()
	grid.region = Rect2i(0, 0, SIDE, SIDE)
	root.add_child(grid)


func test_they_are_there_or_nothing_waits_for_them() -> void:
	var before: int = _threads().size()
	var profile: PathForgeProfile = PathForgeProfile.new()
	profile.search_mode = PathForgeProfile.SEARCH_HIERARCHICAL
	var answers: Array[PathForgePath] = []
	for index: int in 200:
		var callback := func(path: PathForgePath) -> void: answers.append(path)
		grid.request_path(Vector2i(index, 0), Vector2i(SIDE - 1, SIDE - 1), profile, 0, callback)
	var prepared: Array[bool] = []
	grid.profile_prepared.connect(func(_profile: PathForgeProfile) -> void: prepared.append(true))
	grid.prepare_profile(profile)
	var field: FlowField = FlowField.new()
	field.threaded = true
	grid.add_child(field)
	field.goals = [Vector2i(SIDE / 2, SIDE / 2)]
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	grid.add_child(crowd)
	var places: PackedVector2Array = []
	for index: int in 4000:
		places.append(Vector2(index % 200 + 0.5, index / 200 + 0.5) * 16.0)
	crowd.assign_field(crowd.add_agents(places), field)
	var has_all := func() -> bool: return answers.size() == 200 and not prepared.is_empty()
	check(await wait_until(has_all, 60.0), "%d answers, prepared %s" % [answers.size(), prepared])
	check(await wait_until(field.is_ready, 60.0), "the field is there")
	await physics_frames(20)
	if OS.get_environment("PATHFORGE_THREADS") == "0":
		check_eq(_threads().size(), before, "no thread was started")
	elif before > 0:
		check(_threads().any(_is_worker), "workers are there: %s" % [_threads()])


## The names of this process's threads, where the system tells.
func _threads() -> Array[String]:
	var names: Array[String] = []
	for task: String in DirAccess.get_directories_at("/proc/self/task"):
		var file: FileAccess = FileAccess.open("/proc/self/task/%s/comm" % task, FileAccess.READ)
		names.append(file.get_line() if file != null else "")
	return names


func _is_worker(thread: String) -> bool:
	return thread.begins_with("pathforge")
