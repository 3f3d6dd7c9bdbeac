extends SceneTree
## Measures paths that jump beside the same algorithm written in GDScript, in one process.
##
## Started by the bench crate: [code]-s bench/platformer.gd -- FOLDER ROUNDS[/code]. FOLDER holds
## [code]NAME.level[/code] (a level in text) and [code]NAME.queries[/code] (one "x y x y" a line).
## Prints one line of JSON a level.

const SEARCH: GDScript = preload("jump_search.gd")
const SIZE := Vector2i(2, 3)
const JUMP_HEIGHT: int = 4

var _rounds: int = 3


func _init() -> void:
	var args: PackedStringArray = OS.get_cmdline_user_args()
	_rounds = args[1].to_int()
	for file: String in DirAccess.get_files_at(args[0]):
		if file.get_extension() == "level":
			_measure(args[0].path_join(file.get_basename()))
	quit()


func _measure(base: String) -> void:
	var grid: PathForgeGrid = PathForgeGrid.new()
	grid.set_from_text(FileAccess.get_file_as_string(base + ".level"))
	var profile: PathForgeJumpProfile = PathForgeJumpProfile.new()
	profile.footprint = SIZE
	profile.max_jump_height_cells = JUMP_HEIGHT
	var node: PathForgePlatformer = PathForgePlatformer.new()
	grid.add_child(node)
	var search: RefCounted = SEARCH.new(grid, node, profile)
	var queries: Array[Vector4i] = []
	for line: String in FileAccess.get_file_as_string(base + ".queries").split("\n", false):
		var n: PackedStringArray = line.split(" ")
		queries.append(Vector4i(n[0].to_int(), n[1].to_int(), n[2].to_int(), n[3].to_int()))
	var ours: PackedFloat64Array = []
	var script: PackedFloat64Array = []
	var expanded: PackedInt64Array = [0, 0]
	var agree: bool = true
	for round_number: int in _rounds + 1:
		ours.append(0.0)
		script.append(0.0)
		expanded.fill(0)
		for q: Vector4i in queries:
			var start: Vector2i = Vector2i(q.x, q.y)
			var goal: Vector2i = Vector2i(q.z, q.w)
			var began: int = Time.get_ticks_usec()
			var path: PathForgePath = node.find_path(start, goal, profile)
			var cells: Array[Vector2i] = path.cells
			ours[-1] += Time.get_ticks_usec() - began
			began = Time.get_ticks_usec()
			var units: int = search.find_path(start, cells[-1])
			script[-1] += Time.get_ticks_usec() - began
			agree = agree and units == roundi(path.cost * 70.0)
			expanded[0] += path.expanded
			expanded[1] += search.expanded
	var result: Dictionary = {
		"name": base.get_file(),
		"agree": agree,
		"ours_usec": _each(ours, queries.size()),
		"script_usec": _each(script, queries.size()),
		"expanded": expanded[0] / float(queries.size()),
		"script_expanded": expanded[1] / float(queries.size()),
	}
	print("BENCH ", JSON.stringify(result))
	grid.free()


## Without the first round, which is for warming up.
func _each(times: PackedFloat64Array, count: int) -> PackedFloat64Array:
	var result: PackedFloat64Array = times.slice(1)
	for i: int in result.size():
		result[i] /= count
	return result
