extends SceneTree
## Measures what requests take of the main thread: the calls of the frame that asks, and handing out
## the answers in the frames after it. Beside the calls stands what an empty loop and a call of one
## of Godot's own methods take.
##
## Started by the bench crate: [code]-s bench/requests.gd -- FOLDER ROUNDS[/code]. FOLDER holds
## [code]NAME.map[/code] in Moving AI text. Prints one line of JSON a map.

const REQUESTS := 1000
const LIMIT_MSEC := 60_000

var _rounds := 3
var _random := RandomNumberGenerator.new()
var _profile := PathForgeProfile.new()
var _answers := 0


func _init() -> void:
	var args := OS.get_cmdline_user_args()
	_rounds = args[1].to_int() * 3
	_profile.footprint = Vector2i(2, 2)
	_measure_all.call_deferred(args[0])


func _measure_all(folder: String) -> void:
	for file: String in DirAccess.get_files_at(folder):
		if file.get_extension() == "map":
			await _measure(folder.path_join(file))
	quit()


func _measure(file: String) -> void:
	_random.seed = 11
	var grid := PathForgeGrid.new()
	grid.set_from_text(FileAccess.get_file_as_string(file))
	grid.path_answered.connect(_on_path_answered)
	var watch := Watch.new()
	root.add_child(watch.before)
	root.add_child(grid)
	root.add_child(watch.after)
	var lines: Dictionary[String, PackedFloat64Array] = {}
	for what: String in [
		"calls", "short_calls", "batch", "own", "reach", "hand_median", "hand_worst", "all"
	]:
		lines[what] = PackedFloat64Array()
	for round_number: int in _rounds + 1:
		var starts := _stands(grid)
		# Half of the rounds have one goal, which a crowd's requests often have.
		var goals := _stands(grid)
		if round_number % 2 == 1:
			goals = goals.slice(0, 1)
		var times: Dictionary[String, float] = {"own": _own_calls(grid)}
		times["reach"] = _reach_calls(grid, starts)
		times["calls"] = _calls(grid, starts, goals)
		times.merge(await _wait(watch))
		times["short_calls"] = _short_calls(grid, starts, goals)
		times.merge(await _wait(watch))
		var begun := Time.get_ticks_usec()
		grid.request_paths(starts, goals, _profile)
		times["batch"] = Time.get_ticks_usec() - begun
		times.merge(await _wait(watch))
		for what: String in times:
			if round_number > 0:
				lines[what].append(times[what])
	var result: Dictionary = {"name": file.get_file().get_basename(), "agree": true}
	for what: String in lines:
		result[what + "_usec"] = _median(lines[what])
	print("BENCH ", JSON.stringify(result))
	for node: Node in [watch.before, grid, watch.after]:
		node.free()


func _stands(grid: PathForgeGrid) -> Array[Vector2i]:
	var cells: Array[Vector2i] = []
	for _n: int in REQUESTS:
		var x := _random.randi_range(0, grid.region.size.x - 1)
		var y := _random.randi_range(0, grid.region.size.y - 1)
		cells.append(grid.find_nearest_fit(Vector2i(x, y), _profile))
	return cells


func _own_calls(grid: PathForgeGrid) -> float:
	var begun := Time.get_ticks_usec()
	for _n: int in REQUESTS:
		grid.get_child_count()
	return Time.get_ticks_usec() - begun


func _reach_calls(grid: PathForgeGrid, cells: Array[Vector2i]) -> float:
	var begun := Time.get_ticks_usec()
	for cell: Vector2i in cells:
		grid.is_reachable(cell, cells[0], _profile)
	return Time.get_ticks_usec() - begun


## With all arguments, as a unit asks that wants to be called back.
func _calls(grid: PathForgeGrid, starts: Array[Vector2i], goals: Array[Vector2i]) -> float:
	var shared := goals.size() == 1
	var nobody := Callable()
	var begun := Time.get_ticks_usec()
	for n: int in REQUESTS:
		grid.request_path(starts[n], goals[0] if shared else goals[n], _profile, 0, nobody)
	return Time.get_ticks_usec() - begun


## With defaults left out: Godot then calls in a slower way.
func _short_calls(grid: PathForgeGrid, starts: Array[Vector2i], goals: Array[Vector2i]) -> float:
	var shared := goals.size() == 1
	var begun := Time.get_ticks_usec()
	for n: int in REQUESTS:
		grid.request_path(starts[n], goals[0] if shared else goals[n], _profile)
	return Time.get_ticks_usec() - begun


## Waits for the answers of all, and tells what the grid took of each frame.
func _wait(watch: Watch) -> Dictionary[String, float]:
	_answers = 0
	watch.usec.clear()
	var begun := Time.get_ticks_usec()
	while _answers < REQUESTS and Time.get_ticks_usec() - begun < LIMIT_MSEC * 1000:
		await process_frame
	var usec := watch.usec.duplicate()
	usec.sort()
	return {
		"hand_median": usec[usec.size() / 2],
		"hand_worst": usec[-1],
		"all": Time.get_ticks_usec() - begun,
	}


func _on_path_answered(_ticket: int, _path: PathForgePath) -> void:
	_answers += 1


func _median(values: PackedFloat64Array) -> float:
	var sorted := values.duplicate()
	sorted.sort()
	return sorted[sorted.size() / 2]


## Nodes before and after another one in the tree: what lies between them is its own time.
class Watch:
	extends RefCounted
	var before := Clock.new()
	var after := Clock.new()
	var usec := PackedFloat64Array()

	func _init() -> void:
		after.ticked.connect(_on_ticked)

	func _on_ticked() -> void:
		usec.append(after.usec - before.usec)


class Clock:
	extends Node
	signal ticked
	var usec := 0

	func _process(_delta: float) -> void:
		usec = Time.get_ticks_usec()
		ticked.emit()
