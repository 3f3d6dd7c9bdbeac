extends TestSuite
## A tactics game on [AStarGrid2D], and its port: units block cells for each other, woods cost two
## steps, each unit moves as far as its points allow, attackers go as near as they can.
##
## The original makes the cells of all other units solid, asks, and opens them again. The port
## gives each unit an obstacle once.

const SIZE := Vector2i(16, 12)
const UNITS := 8
const POINTS := 6.0
const TURNS := 60

var _random := RandomNumberGenerator.new()


## What both games do.
class Board:
	var cells: Array[Vector2i] = []

	func place(cell: Vector2i) -> void:
		cells.append(cell)

	func move(unit: int, cell: Vector2i) -> void:
		cells[unit] = cell


class Original:
	extends Board
	var _astar := AStarGrid2D.new()

	func _init(size: Vector2i) -> void:
		_astar.region = Rect2i(Vector2i.ZERO, size)
		_astar.diagonal_mode = AStarGrid2D.DIAGONAL_MODE_NEVER
		_astar.default_compute_heuristic = AStarGrid2D.HEURISTIC_MANHATTAN
		_astar.update()

	func build(cell: Vector2i, is_wall: bool) -> void:
		if is_wall:
			_astar.set_point_solid(cell)
		else:
			_astar.set_point_weight_scale(cell, 2.0)

	func path(unit: int, goal: Vector2i, near: bool) -> Array[Vector2i]:
		_block(unit, true)
		var way := _astar.get_id_path(cells[unit], goal, near)
		_block(unit, false)
		return way

	## The cells within reach, each with what it costs: a query for each, as the original has it.
	func reach(unit: int, points: float) -> Dictionary[Vector2i, float]:
		var found: Dictionary[Vector2i, float] = {}
		_block(unit, true)
		for x: int in range(-6, 7):
			for y: int in range(absi(x) - 6, 7 - absi(x)):
				var cell := cells[unit] + Vector2i(x, y)
				if _astar.is_in_boundsv(cell) and not _astar.is_point_solid(cell):
					var way := _astar.get_id_path(cells[unit], cell)
					if not way.is_empty() and cost(way) <= points:
						found[cell] = cost(way)
		_block(unit, false)
		return found

	func cost(way: Array[Vector2i]) -> float:
		var sum := 0.0
		for step: int in range(1, way.size()):
			sum += _astar.get_point_weight_scale(way[step])
		return sum

	func _block(unit: int, is_blocked: bool) -> void:
		for other: int in cells.size():
			if other != unit:
				_astar.set_point_solid(cells[other], is_blocked)


class Port:
	extends Board
	var _map := PathForgeMap.new()
	var _profiles: Array[PathForgeProfile] = []

	func _init(size: Vector2i) -> void:
		_map.grid.region = Rect2i(Vector2i.ZERO, size)
		_map.grid.diagonal_mode = PathForgeGrid.DIAGONAL_MODE_NEVER

	func build(cell: Vector2i, is_wall: bool) -> void:
		if is_wall:
			_map.grid.set_point_solid(cell)
		else:
			_map.grid.set_point_weight_scale(cell, 2.0)

	func place(cell: Vector2i) -> void:
		super(cell)
		var profile := PathForgeProfile.new()
		profile.ignored_obstacles = [_map.grid.add_obstacle(Rect2i(cell, Vector2i.ONE))]
		_profiles.append(profile)

	func move(unit: int, cell: Vector2i) -> void:
		super(unit, cell)
		_map.grid.move_obstacle(_profiles[unit].ignored_obstacles[0], Rect2i(cell, Vector2i.ONE))

	func path(unit: int, goal: Vector2i, near: bool) -> PathForgePath:
		var mode := PathForgeGrid.GOAL_NEAREST if near else PathForgeGrid.GOAL_EXACT
		return _map.grid.find_path(cells[unit], goal, _profiles[unit], mode)

	func reach(unit: int, points: float) -> Dictionary[Vector2i, float]:
		return _map.grid.get_reachable_cells(cells[unit], points, _profiles[unit])


func test_every_turn_is_the_same() -> void:
	_random.seed = 5
	var paths := 0
	for _battle: int in 4:
		var original := Original.new(SIZE)
		var port := Port.new(SIZE)
		_set_up(original, port)
		for turn: int in TURNS:
			var unit := turn % UNITS
			var range_there := original.reach(unit, POINTS)
			check_eq(_sorted(port.reach(unit, POINTS)), _sorted(range_there), "turn %d" % turn)
			paths += _compare(original, port, unit, _cell())
			var enemy := (unit + 1 + _random.randi() % (UNITS - 1)) % UNITS
			_compare_attack(original, port, unit, original.cells[enemy])
			var stops := range_there.keys()
			var stop: Vector2i = stops[_random.randi() % stops.size()]
			original.move(unit, stop)
			port.move(unit, stop)
	check(paths > 100, "%d complete paths" % paths)


func _set_up(original: Original, port: Port) -> void:
	var free: Array[Vector2i] = []
	for x: int in SIZE.x:
		for y: int in SIZE.y:
			var dice := _random.randf()
			var cell := Vector2i(x, y)
			if dice < 0.35:
				original.build(cell, dice < 0.17)
				port.build(cell, dice < 0.17)
			if dice >= 0.17:
				free.append(cell)
	for _unit: int in UNITS:
		var cell: Vector2i = free.pop_at(_random.randi() % free.size())
		original.place(cell)
		port.place(cell)


## Returns 1 for a complete path.
func _compare(original: Original, port: Port, unit: int, goal: Vector2i) -> int:
	var theirs := original.path(unit, goal, false)
	var mine := port.path(unit, goal, false)
	check_eq(mine.is_complete(), not theirs.is_empty(), "to %s" % goal)
	if mine.is_complete():
		check_near(mine.cost, original.cost(theirs), 0.001, "to %s" % goal)
		check_near(original.cost(mine.cells), mine.cost, 0.001, "cells and cost")
	return int(mine.is_complete())


## Both end as near to the enemy; of places as near, the port takes the cheapest.
func _compare_attack(original: Original, port: Port, unit: int, enemy: Vector2i) -> void:
	var theirs := original.path(unit, enemy, true)
	var mine := port.path(unit, enemy, true)
	var last: Vector2i = mine.cells[-1]
	var their_last: Vector2i = theirs[-1]
	check_near(Vector2(last - enemy).length(), Vector2(their_last - enemy).length(), 0.001, "miss")
	check(mine.cost <= original.cost(theirs) + 0.001, "%s and %s" % [mine.cells, theirs])


func _cell() -> Vector2i:
	return Vector2i(_random.randi() % SIZE.x, _random.randi() % SIZE.y)


func _sorted(costs: Dictionary[Vector2i, float]) -> Dictionary[Vector2i, float]:
	costs.sort()
	return costs
