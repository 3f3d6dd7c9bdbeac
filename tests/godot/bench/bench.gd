extends SceneTree
## Measures PathForge beside Godot's own classes and beside GDScript, in one process.
##
## Started by the bench crate: [code]-s bench/bench.gd -- FOLDER ROUNDS[/code]. FOLDER holds
## [code]NAME.map[/code] (Moving AI text), [code]NAME.queries[/code] (one "x y x y" a line) and for
## weighted maps [code]NAME.weights[/code] (32-bit floats). Prints one line of JSON a result.

const CLEARANCE_SIDE: int = 1024

var _rounds: int = 3


func _init() -> void:
	var args: PackedStringArray = OS.get_cmdline_user_args()
	_rounds = args[1].to_int()
	_measure_all.call_deferred(args[0])


func _measure_all(folder: String) -> void:
	for file: String in DirAccess.get_files_at(folder):
		if file.get_extension() == "map":
			await _measure_paths(folder.path_join(file.get_basename()))
	_measure_clearance()
	var field: FieldBench = load("res://bench/field_bench.gd").new()
	print("BENCH ", JSON.stringify(field.measure(_rounds)))
	quit()


func _measure_paths(base: String) -> void:
	var grid: PathForgeGrid = PathForgeGrid.new()
	grid.set_from_text(FileAccess.get_file_as_string(base + ".map"))
	var peer: AStarGrid2D = AStarGrid2D.new()
	peer.region = grid.region
	peer.diagonal_mode = AStarGrid2D.DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES
	peer.default_compute_heuristic = AStarGrid2D.HEURISTIC_OCTILE
	peer.default_estimate_heuristic = AStarGrid2D.HEURISTIC_OCTILE
	peer.update()
	var weighted: bool = FileAccess.file_exists(base + ".weights")
	if weighted:
		grid.set_weight_data(FileAccess.get_file_as_bytes(base + ".weights").to_float32_array())
	for y: int in grid.region.size.y:
		for x: int in grid.region.size.x:
			var cell: Vector2i = Vector2i(x, y)
			peer.set_point_solid(cell, grid.is_point_solid(cell))
			if weighted:
				peer.set_point_weight_scale(cell, grid.get_point_weight_scale(cell))
	var queries: Array[Vector4i] = []
	for line: String in FileAccess.get_file_as_string(base + ".queries").split("\n", false):
		var n: PackedStringArray = line.split(" ")
		queries.append(Vector4i(n[0].to_int(), n[1].to_int(), n[2].to_int(), n[3].to_int()))
	var agree: bool = _paths_agree(grid, peer, queries)
	var ours: PackedFloat64Array = []
	var plain: PackedFloat64Array = []
	var jumping: PackedFloat64Array = []
	for round_number: int in _rounds + 1:
		var times: PackedFloat64Array = [_time_ours(grid, queries), _time_peer(peer, queries), 0.0]
		if not weighted:
			peer.jumping_enabled = true
			times[2] = _time_peer(peer, queries)
			peer.jumping_enabled = false
		if round_number > 0:
			ours.append(times[0])
			plain.append(times[1])
			jumping.append(times[2])
	var result: Dictionary = {
		"name": base.get_file(),
		"weighted": weighted,
		"agree": agree,
		"queries": queries.size(),
		"ours_usec": _each(ours, queries.size()),
		"plain_usec": _each(plain, queries.size()),
	}
	if weighted:
		# With landmarks, which are made for profiles that are prepared.
		root.add_child(grid)
		grid.prepare_profile(PathForgeProfile.new())
		await grid.profile_prepared
		result["agree"] = agree and _paths_agree(grid, peer, queries)
		var prepared: PackedFloat64Array = []
		for _round: int in _rounds:
			prepared.append(_time_ours(grid, queries))
		result["prepared_usec"] = _each(prepared, queries.size())
	else:
		result["jumping_usec"] = _each(jumping, queries.size())
	print("BENCH ", JSON.stringify(result))
	grid.free()


func _time_ours(grid: PathForgeGrid, queries: Array[Vector4i]) -> float:
	var start: int = Time.get_ticks_usec()
	for q: Vector4i in queries:
		grid.get_point_path(Vector2i(q.x, q.y), Vector2i(q.z, q.w))
	return Time.get_ticks_usec() - start


func _time_peer(peer: AStarGrid2D, queries: Array[Vector4i]) -> float:
	var start: int = Time.get_ticks_usec()
	for q: Vector4i in queries:
		peer.get_point_path(Vector2i(q.x, q.y), Vector2i(q.z, q.w))
	return Time.get_ticks_usec() - start


## Whether both find a path for the same queries, of the same cost to 0.5 %.
func _paths_agree(grid: PathForgeGrid, peer: AStarGrid2D, queries: Array[Vector4i]) -> bool:
	for q: Vector4i in queries:
		var ours: Array[Vector2i] = grid.get_id_path(Vector2i(q.x, q.y), Vector2i(q.z, q.w))
		var theirs: Array[Vector2i] = peer.get_id_path(Vector2i(q.x, q.y), Vector2i(q.z, q.w))
		var difference: float = absf(_length(grid, ours) - _length(grid, theirs))
		if ours.is_empty() != theirs.is_empty() or difference > 0.005 * _length(grid, theirs):
			return false
	return true


func _length(grid: PathForgeGrid, path: Array[Vector2i]) -> float:
	var length: float = 0.0
	for i: int in range(1, path.size()):
		var step: float = (path[i] - path[i - 1]).length()
		length += step * grid.get_point_weight_scale(path[i])
	return length


func _measure_clearance() -> void:
	var grid: PathForgeGrid = PathForgeGrid.new()
	grid.region = Rect2i(0, 0, CLEARANCE_SIDE, CLEARANCE_SIDE)
	var random: RandomNumberGenerator = RandomNumberGenerator.new()
	random.seed = 5
	var solid: PackedByteArray = PackedByteArray()
	solid.resize(CLEARANCE_SIDE * CLEARANCE_SIDE)
	for i: int in solid.size():
		solid[i] = int(random.randf() < 0.05)
	grid.set_solid_data(solid)
	var map: ClearanceMap = ClearanceMap.new()
	map.grid = grid
	var ours: PackedFloat64Array = []
	var script: PackedFloat64Array = []
	var agree: bool = true
	for round_number: int in _rounds + 1:
		# Two whole-map edits that undo each other, so that the map is built again.
		grid.set_solid_data(PackedByteArray(_inverted(solid)))
		grid.set_solid_data(solid)
		var start: int = Time.get_ticks_usec()
		var values: PackedByteArray = map.get_clearance_data()
		ours.append(Time.get_ticks_usec() - start)
		start = Time.get_ticks_usec()
		var expected: PackedInt32Array = _build_clearance(solid, CLEARANCE_SIDE, CLEARANCE_SIDE)
		script.append(Time.get_ticks_usec() - start)
		for i: int in range(0, values.size(), 97):
			agree = agree and values[i] == mini(expected[i], 255)
	var result: Dictionary = {
		"name": "clearance",
		"agree": agree,
		"ours_usec": ours.slice(1),
		"script_usec": script.slice(1),
	}
	print("BENCH ", JSON.stringify(result))
	map.free()
	grid.free()


func _inverted(data: PackedByteArray) -> PackedByteArray:
	var result: PackedByteArray = data.duplicate()
	for i: int in result.size():
		result[i] = 1 - result[i]
	return result


## True clearance as a game would write it: one pass from the lower right.
func _build_clearance(solid: PackedByteArray, width: int, height: int) -> PackedInt32Array:
	var values: PackedInt32Array = PackedInt32Array()
	values.resize(width * height)
	for y: int in range(height - 1, -1, -1):
		for x: int in range(width - 1, -1, -1):
			var at: int = y * width + x
			if solid[at] != 0:
				continue
			if x == width - 1 or y == height - 1:
				values[at] = 1
				continue
			var below: int = mini(values[at + width], values[at + width + 1])
			values[at] = 1 + mini(values[at + 1], below)
	return values


func _each(times: PackedFloat64Array, count: int) -> PackedFloat64Array:
	var result: PackedFloat64Array = times.duplicate()
	for i: int in result.size():
		result[i] /= count
	return result
