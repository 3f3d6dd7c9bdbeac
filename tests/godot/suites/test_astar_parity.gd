extends TestSuite
## Side by side with the [AStarGrid2D] of the running Godot: the same verbs give the same answers.

const SQRT_2 := 1.4142135623730951
const MODES: Array[int] = [
	PathForgeGrid.DIAGONAL_MODE_ALWAYS,
	PathForgeGrid.DIAGONAL_MODE_NEVER,
	PathForgeGrid.DIAGONAL_MODE_AT_LEAST_ONE_WALKABLE,
	PathForgeGrid.DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES,
]
const MAPS_PER_MODE := 28
const QUERIES_PER_MAP := 20

var _random := RandomNumberGenerator.new()
var _mine: PathForgeGrid = null
var _theirs: AStarGrid2D = null


func before_each() -> void:
	_random.seed = 20240


func after_each() -> void:
	if _mine != null:
		_mine.free()
		_mine = null


func test_reachability_and_cost_are_equal() -> void:
	var wrong: Array[String] = []
	var queries := 0
	for mode: int in MODES:
		for map: int in MAPS_PER_MODE:
			_make_map(mode, map % 4 * 0.14, map % 3 > 0)
			for query: int in QUERIES_PER_MAP:
				var start := _open_cell()
				var goal := _open_cell()
				queries += 1
				var difference := _difference(start, goal)
				if not difference.is_empty():
					wrong.append(
						"mode %d, map %d, %s to %s: %s" % [mode, map, start, goal, difference]
					)
	check(queries >= 2000, "%d queries are enough" % queries)
	check(wrong.is_empty(), "%d of %d differ, the first: %s" % [wrong.size(), queries, wrong])


func test_partial_paths_end_equally_near() -> void:
	var wrong: Array[String] = []
	var partial := 0
	for mode: int in MODES:
		for map: int in 12:
			_make_map(mode, 0.42, false)
			_theirs.default_estimate_heuristic = AStarGrid2D.HEURISTIC_EUCLIDEAN
			for query: int in 12:
				var start := _open_cell()
				var goal := _any_cell()
				var mine := _mine.get_id_path(start, goal, true)
				var theirs := _theirs.get_id_path(start, goal, true)
				if theirs.is_empty() or mine.is_empty():
					wrong.append("%s to %s: %s and %s" % [start, goal, mine, theirs])
					continue
				partial += int(theirs.back() != goal)
				if _miss(mine, goal) != _miss(theirs, goal) or not _is_legal(mine, mode):
					wrong.append("%s to %s: %s and %s" % [start, goal, mine, theirs])
	check(partial > 100, "%d paths are partial" % partial)
	check(wrong.is_empty(), "%d differ, the first: %s" % [wrong.size(), wrong])


func test_solid_starts_and_goals() -> void:
	var wrong: Array[String] = []
	var found := 0
	for mode: int in MODES:
		for map: int in 10:
			_make_map(mode, 0.45, map % 2 == 1)
			_theirs.default_estimate_heuristic = AStarGrid2D.HEURISTIC_EUCLIDEAN
			for query: int in 20:
				var start := _any_cell()
				var goal := _any_cell() if query > 2 else start
				for allow_partial: bool in [false, true]:
					var mine := _mine.get_id_path(start, goal, allow_partial)
					var theirs := _theirs.get_id_path(start, goal, allow_partial)
					found += int(not theirs.is_empty())
					var difference := _compared(mine, theirs, goal, mode)
					if not difference.is_empty():
						(
							wrong
							. append(
								(
									"mode %d, partial %s, %s (%s) to %s (%s): %s"
									% [
										mode,
										allow_partial,
										start,
										_theirs.is_point_solid(start),
										goal,
										_theirs.is_point_solid(goal),
										difference,
									]
								)
							)
						)
	check(found > 400, "%d paths" % found)
	check(wrong.is_empty(), "%d differ, the first: %s" % [wrong.size(), wrong])


func test_positions_are_equal() -> void:
	var shapes: Array[int] = [
		PathForgeGrid.CELL_SHAPE_SQUARE,
		PathForgeGrid.CELL_SHAPE_ISOMETRIC_RIGHT,
		PathForgeGrid.CELL_SHAPE_ISOMETRIC_DOWN,
	]
	for shape: int in shapes:
		_make_map(PathForgeGrid.DIAGONAL_MODE_ALWAYS, 0.2, false)
		for grid: Object in [_mine, _theirs] as Array[Object]:
			grid.set("cell_shape", shape)
			grid.set("cell_size", Vector2(33.3, 17.7))
			grid.set("offset", Vector2(-3.1, 8.9))
		_theirs.update()
		var wrong: Array[Vector2i] = []
		for y: int in range(_mine.region.position.y, _mine.region.end.y):
			for x: int in range(_mine.region.position.x, _mine.region.end.x):
				var cell := Vector2i(x, y)
				if _mine.get_point_position(cell) != _theirs.get_point_position(cell):
					wrong.append(cell)
		check(wrong.is_empty(), "shape %d: other positions at %s" % [shape, wrong])
		var corner := _mine.region.position
		var center := _mine.cell_to_local(corner) - _mine.get_point_position(corner)
		var inset := (
			_mine.cell_size / 2 if shape == PathForgeGrid.CELL_SHAPE_SQUARE else Vector2.ZERO
		)
		check_near(center.distance_to(inset), 0.0, 0.001, "where the centre is, shape %d" % shape)


func test_point_path_is_the_id_path_as_positions() -> void:
	_make_map(PathForgeGrid.DIAGONAL_MODE_ALWAYS, 0.25, true)
	for query: int in 40:
		var start := _open_cell()
		var goal := _any_cell()
		var ids := _mine.get_id_path(start, goal, query % 2 == 0)
		var points := _mine.get_point_path(start, goal, query % 2 == 0)
		var wanted := PackedVector2Array()
		for id: Vector2i in ids:
			wanted.append(_theirs.get_point_position(id))
		check_eq(points, wanted, "%s to %s" % [start, goal])


func _make_map(mode: int, solid_share: float, weighted: bool) -> void:
	if _mine != null:
		_mine.free()
	var region := Rect2i(
		_random.randi_range(-9, 9), _random.randi_range(-9, 9), 26, _random.randi_range(14, 24)
	)
	_mine = PathForgeGrid.new()
	_theirs = AStarGrid2D.new()
	for grid: Object in [_mine, _theirs] as Array[Object]:
		grid.set("region", region)
		grid.set("cell_size", Vector2(16, 16))
		grid.set("diagonal_mode", mode)
	_theirs.default_compute_heuristic = AStarGrid2D.HEURISTIC_OCTILE
	_theirs.default_estimate_heuristic = AStarGrid2D.HEURISTIC_OCTILE
	_theirs.update()
	_mine.begin_edit()
	for y: int in range(region.position.y, region.end.y):
		for x: int in range(region.position.x, region.end.x):
			var cell := Vector2i(x, y)
			var solid := _random.randf() < solid_share
			var weight := _random.randi_range(2, 16) / 2.0 if weighted else 1.0
			_mine.set_point_solid(cell, solid)
			_theirs.set_point_solid(cell, solid)
			_mine.set_point_weight_scale(cell, weight)
			_theirs.set_point_weight_scale(cell, weight)
	_mine.end_edit()


func _any_cell() -> Vector2i:
	var region := _mine.region
	return Vector2i(
		_random.randi_range(region.position.x, region.end.x - 1),
		_random.randi_range(region.position.y, region.end.y - 1)
	)


func _open_cell() -> Vector2i:
	var cell := _any_cell()
	while _theirs.is_point_solid(cell):
		cell = _any_cell()
	return cell


## What is different about the answers of both; empty when nothing is.
func _difference(start: Vector2i, goal: Vector2i) -> String:
	var path := _mine.find_path(start, goal)
	var theirs := _theirs.get_id_path(start, goal)
	if path.is_complete() == theirs.is_empty():
		return "complete %s and %s" % [path.is_complete(), theirs]
	if _mine.is_reachable(start, goal) != path.is_complete():
		return "is_reachable is not find_path"
	if theirs.is_empty():
		return "" if path.cost == INF else "cost %f without a path" % path.cost
	if absf(path.cost - _cost(theirs)) > 0.005 * _cost(theirs):
		return "cost %f and %f" % [path.cost, _cost(theirs)]
	return _compared(_mine.get_id_path(start, goal), theirs, goal, _mine.diagonal_mode)


func _compared(mine: Array[Vector2i], theirs: Array[Vector2i], goal: Vector2i, mode: int) -> String:
	if mine.is_empty() or theirs.is_empty():
		return "" if mine.is_empty() and theirs.is_empty() else "%s and %s" % [mine, theirs]
	if not _is_legal(mine, mode):
		return "an illegal step in %s" % [mine]
	if mine[0] != theirs[0]:
		return "they start at %s and %s" % [mine[0], theirs[0]]
	if _miss(mine, goal) != _miss(theirs, goal):
		return "they end at %s and %s" % [mine.back(), theirs.back()]
	if mine.back() == theirs.back() and absf(_cost(mine) - _cost(theirs)) > 0.005 * _cost(theirs):
		return "cost %f and %f" % [_cost(mine), _cost(theirs)]
	return ""


## The squared distance from the end of a path to the goal.
func _miss(ids: Array[Vector2i], goal: Vector2i) -> int:
	var end: Vector2i = ids.back()
	return (end - goal).length_squared()


func _cost(ids: Array[Vector2i]) -> float:
	var cost := 0.0
	for step: int in range(1, ids.size()):
		var delta := (ids[step] - ids[step - 1]).abs()
		var length := SQRT_2 if delta == Vector2i.ONE else 1.0
		cost += length * _theirs.get_point_weight_scale(ids[step])
	return cost


func _is_legal(ids: Array[Vector2i], mode: int) -> bool:
	for step: int in range(1, ids.size()):
		var delta := ids[step] - ids[step - 1]
		if maxi(absi(delta.x), absi(delta.y)) != 1 or _theirs.is_point_solid(ids[step]):
			return false
		if delta.x == 0 or delta.y == 0:
			continue
		var corners := (
			int(_theirs.is_point_solid(ids[step - 1] + Vector2i(delta.x, 0)))
			+ int(_theirs.is_point_solid(ids[step - 1] + Vector2i(0, delta.y)))
		)
		var most: int = [2, -1, 1, 0][mode]
		if corners > most:
			return false
	return true
