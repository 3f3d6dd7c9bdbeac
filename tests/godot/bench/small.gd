extends SceneTree
## Measures small maps, as games that take turns have them, beside [AStarGrid2D]: paths as cells and
## as positions, the same with six units that are solid for one query only, and queries past six
## obstacles or with six cells blocked for themselves.
##
## Started by the bench crate: [code]-s bench/small.gd -- FOLDER ROUNDS[/code]. Prints one line of
## JSON a map.

const SIDES: Array[int] = [16, 24, 32, 40, 64]
const QUERIES: int = 300
const UNITS: int = 6

var _rounds: int = 3
var _random: RandomNumberGenerator = RandomNumberGenerator.new()
var _grid: PathForgeGrid
var _peer: AStarGrid2D
var _trips: Array[Vector2i] = []
var _units: Array[Vector2i] = []
var _ignoring: PathForgeProfile


func _init() -> void:
	_rounds = OS.get_cmdline_user_args()[1].to_int() * 7
	for weighted: bool in [false, true]:
		for mode: int in [
			PathForgeGrid.DIAGONAL_MODE_NEVER, PathForgeGrid.DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES
		]:
			for side: int in SIDES:
				_measure(side, mode, weighted)
	quit()


func _measure(side: int, mode: int, weighted: bool) -> void:
	_make(side, mode, weighted)
	var nobody: Array[Vector2i] = []
	var all: Dictionary[String, Callable] = {
		"peer_ids": _ids_peer,
		"ours_ids": _ids_ours,
		"peer_points": _points_peer,
		"ours_points": _points_ours,
		"peer_toggled": _toggled_peer,
		"ours_toggled": _toggled_ours,
		"ours_query": _queries.bind(PathForgeProfile.new(), nobody),
		"ours_blocked": _queries.bind(PathForgeProfile.new(), _units),
		"ours_ignoring": _queries.bind(_ignoring, nobody),
	}
	var agree: bool = _agree()
	var times: Dictionary[String, PackedFloat64Array] = {}
	for what: String in all:
		times[what + "_usec"] = PackedFloat64Array()
	for round_number: int in _rounds + 1:
		for what: String in all:
			# Obstacles are there for those that ignore them.
			var ids: PackedInt32Array = PackedInt32Array()
			if what == "ours_ignoring":
				for unit: Vector2i in _units:
					ids.append(_grid.add_obstacle(Rect2i(unit, Vector2i.ONE)))
				_ignoring.ignored_obstacles = ids
				_grid.find_path(_trips[0], _trips[1], _ignoring)
			var begun: int = Time.get_ticks_usec()
			all[what].call()
			var usec: int = Time.get_ticks_usec() - begun
			for id: int in ids:
				_grid.remove_obstacle(id)
			if round_number > 0:
				times[what + "_usec"].append(usec / float(QUERIES))
	var directions: String = "4" if mode == PathForgeGrid.DIAGONAL_MODE_NEVER else "8"
	var kind: String = "weights" if weighted else "plain"
	var result: Dictionary = {"name": "%d², %s, %s" % [side, directions, kind], "agree": agree}
	result.merge(times)
	print("BENCH ", JSON.stringify(result))
	_grid.free()


func _make(side: int, mode: int, weighted: bool) -> void:
	_random.seed = side
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, side, side)
	_grid.diagonal_mode = mode
	_peer = AStarGrid2D.new()
	_peer.region = _grid.region
	_peer.diagonal_mode = mode as AStarGrid2D.DiagonalMode
	var heuristic: AStarGrid2D.Heuristic = AStarGrid2D.HEURISTIC_OCTILE
	if mode == PathForgeGrid.DIAGONAL_MODE_NEVER:
		heuristic = AStarGrid2D.HEURISTIC_MANHATTAN
	_peer.default_compute_heuristic = heuristic
	_peer.default_estimate_heuristic = heuristic
	_peer.update()
	_ignoring = PathForgeProfile.new()
	var free_cells: Array[Vector2i] = []
	for y: int in side:
		for x: int in side:
			var cell: Vector2i = Vector2i(x, y)
			if _random.randi() % 6 == 0:
				_grid.set_point_solid(cell)
				_peer.set_point_solid(cell)
			else:
				free_cells.append(cell)
			if weighted and _random.randi() % 4 == 0:
				var weight: float = _random.randi_range(2, 3)
				_grid.set_point_weight_scale(cell, weight)
				_peer.set_point_weight_scale(cell, weight)
	_trips.clear()
	_units.clear()
	for _n: int in 2 * QUERIES:
		_trips.append(free_cells[_random.randi() % free_cells.size()])
	for n: int in UNITS:
		_units.append(free_cells[n * 9])


func _ids_peer() -> void:
	for n: int in range(0, _trips.size(), 2):
		_peer.get_id_path(_trips[n], _trips[n + 1])


func _ids_ours() -> void:
	for n: int in range(0, _trips.size(), 2):
		_grid.get_id_path(_trips[n], _trips[n + 1])


func _points_peer() -> void:
	for n: int in range(0, _trips.size(), 2):
		_peer.get_point_path(_trips[n], _trips[n + 1])


func _points_ours() -> void:
	for n: int in range(0, _trips.size(), 2):
		_grid.get_point_path(_trips[n], _trips[n + 1])


## As games do: the other units are solid for one query.
func _toggled_peer() -> void:
	for n: int in range(0, _trips.size(), 2):
		for k: int in UNITS:
			_peer.set_point_solid(_units[k])
		_peer.get_id_path(_trips[n], _trips[n + 1])
		for k: int in UNITS:
			_peer.set_point_solid(_units[k], false)


func _toggled_ours() -> void:
	for n: int in range(0, _trips.size(), 2):
		for k: int in UNITS:
			_grid.set_point_solid(_units[k])
		_grid.get_id_path(_trips[n], _trips[n + 1])
		for k: int in UNITS:
			_grid.set_point_solid(_units[k], false)


func _queries(profile: PathForgeProfile, blocked: Array[Vector2i]) -> void:
	for n: int in range(0, _trips.size(), 2):
		_grid.find_path(_trips[n], _trips[n + 1], profile, PathForgeGrid.GOAL_EXACT, blocked)


## Whether both find paths of the same cost, with units in the way and without.
func _agree() -> bool:
	for solid: bool in [true, false]:
		for unit: Vector2i in _units:
			_grid.set_point_solid(unit, solid)
			_peer.set_point_solid(unit, solid)
		for n: int in range(0, _trips.size(), 2):
			var ours: Array[Vector2i] = _grid.get_id_path(_trips[n], _trips[n + 1])
			var theirs: Array[Vector2i] = _peer.get_id_path(_trips[n], _trips[n + 1])
			if ours.is_empty() != theirs.is_empty():
				return false
			if absf(_length(ours) - _length(theirs)) > 0.005 * _length(theirs) + 0.001:
				return false
	return true


func _length(path: Array[Vector2i]) -> float:
	var length: float = 0.0
	for n: int in range(1, path.size()):
		length += (path[n] - path[n - 1]).length() * _grid.get_point_weight_scale(path[n])
	return length
