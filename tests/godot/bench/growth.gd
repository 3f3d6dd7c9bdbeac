extends SceneTree
## Measures how time grows: with the map's side, for paths beside [AStarGrid2D]; and with the number
## of agents, for [PathForgeCrowd] beside scripts whose agents read a shared field.
## Started by the bench crate: [code]-s bench/growth.gd -- FOLDER ROUNDS[/code]. Prints one line of
## JSON a result.

const SIDES: Array[int] = [64, 128, 256, 512, 1024, 2048, 4096]
## From here on a single path of the engine's class takes seconds, and its cells gigabytes.
const PEER_SIDE_MAX := 2048
const ROOM := 32
## From one side of the map to the other; fewer where each takes a second.
const TRIPS := 6
const LONG_TRIPS := 2
const LONG_SIDE := 2048
const AGENTS: Array[int] = [100, 1000, 10_000, 100_000]
## A step of nodes takes a tenth of a second from here on.
const NODES_MAX := 10_000
const STEP := 1.0 / 60.0
const SPEED := 48.0

var _rounds: int = 3


func _init() -> void:
	_rounds = OS.get_cmdline_user_args()[1].to_int()
	for side: int in SIDES:
		_tell(_paths(side))
	for count: int in AGENTS:
		_tell(_crowd(count))
	quit()


func _tell(result: Dictionary) -> void:
	print("BENCH ", JSON.stringify(result))


func _paths(side: int) -> Dictionary:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, side, side)
	var peer := AStarGrid2D.new()
	var has_peer := side <= PEER_SIDE_MAX
	if has_peer:
		peer.region = grid.region
		peer.diagonal_mode = AStarGrid2D.DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES
		peer.default_compute_heuristic = AStarGrid2D.HEURISTIC_OCTILE
		peer.default_estimate_heuristic = AStarGrid2D.HEURISTIC_OCTILE
		peer.update()
	for wall: Array in _walls(side):
		grid.fill_solid_region(wall[0], wall[1])
		if has_peer:
			peer.fill_solid_region(wall[0], wall[1])
	var trips := _trips(grid, side)
	var ours: PackedFloat64Array = []
	var plain: PackedFloat64Array = []
	var agree := true
	for round_number: int in _rounds + 1:
		var start := Time.get_ticks_usec()
		for trip: Vector4i in trips:
			grid.get_point_path(Vector2i(trip.x, trip.y), Vector2i(trip.z, trip.w))
		ours.append(Time.get_ticks_usec() - start)
		if not has_peer:
			continue
		start = Time.get_ticks_usec()
		for trip: Vector4i in trips:
			peer.get_point_path(Vector2i(trip.x, trip.y), Vector2i(trip.z, trip.w))
		plain.append(Time.get_ticks_usec() - start)
	if has_peer:
		for trip: Vector4i in trips:
			var a := grid.get_id_path(Vector2i(trip.x, trip.y), Vector2i(trip.z, trip.w))
			var b := peer.get_id_path(Vector2i(trip.x, trip.y), Vector2i(trip.z, trip.w))
			agree = agree and absf(_length(a) - _length(b)) <= 0.005 * _length(b)
	grid.free()
	var result := {
		"name": "paths", "side": side, "agree": agree, "ours_usec": _each(ours, trips.size())
	}
	if has_peer:
		result["plain_usec"] = _each(plain, trips.size())
	return result


## Rooms with two doors each, as rectangles and whether they are solid.
func _walls(side: int) -> Array[Array]:
	var random := RandomNumberGenerator.new()
	random.seed = 11
	var walls: Array[Array] = []
	for line: int in range(0, side, ROOM):
		walls.append([Rect2i(line, 0, 1, side), true])
		walls.append([Rect2i(0, line, side, 1), true])
	for y: int in range(0, side, ROOM):
		for x: int in range(0, side, ROOM):
			var door := random.randi_range(3, ROOM - 6)
			walls.append([Rect2i(x, y + door, 1, random.randi_range(1, 4)), false])
			door = random.randi_range(3, ROOM - 6)
			walls.append([Rect2i(x + door, y, random.randi_range(1, 4), 1), false])
	return walls


## From one side of the map to the other.
func _trips(grid: PathForgeGrid, side: int) -> Array[Vector4i]:
	var random := RandomNumberGenerator.new()
	random.seed = 12
	var trips: Array[Vector4i] = []
	while trips.size() < (TRIPS if side < LONG_SIDE else LONG_TRIPS):
		var start := Vector2i(random.randi_range(1, side / 4), random.randi_range(1, side - 2))
		var goal := Vector2i(
			random.randi_range(side * 3 / 4, side - 2), random.randi_range(1, side - 2)
		)
		if grid.is_reachable(start, goal):
			trips.append(Vector4i(start.x, start.y, goal.x, goal.y))
	return trips


func _length(path: Array[Vector2i]) -> float:
	var length: float = 0.0
	for i: int in range(1, path.size()):
		length += (path[i] - path[i - 1]).length()
	return length


func _crowd(count: int) -> Dictionary:
	var side := maxi(int(sqrt(count * 4.0)), 32)
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, side, side)
	for wall: Array in _walls(side):
		grid.fill_solid_region(wall[0], wall[1])
	var field := FlowField.new()
	field.grid = grid
	field.goals = [grid.find_nearest_fit(Vector2i(side / 2, side / 2))]
	field.rebuild()
	var crowd := PathForgeCrowd.new()
	crowd.grid = grid
	crowd.auto_step = false
	var random := RandomNumberGenerator.new()
	random.seed = 3
	var positions := PackedVector2Array()
	while positions.size() < count:
		var cell := Vector2i(random.randi_range(0, side - 1), random.randi_range(0, side - 1))
		if not grid.is_point_solid(cell):
			positions.append(grid.cell_to_local(cell))
	crowd.assign_field(crowd.add_agents(positions, null, SPEED), field)
	var directions := field.get_direction_data()
	var nodes: Array[Node2D] = []
	for number: int in count if count <= NODES_MAX else 0:
		var node := Node2D.new()
		node.position = positions[number]
		nodes.append(node)
	var ours: PackedFloat64Array = []
	var usual: PackedFloat64Array = []
	for step: int in _rounds * 8 + 1:
		var start := Time.get_ticks_usec()
		crowd.step(STEP)
		ours.append(Time.get_ticks_usec() - start)
		start = Time.get_ticks_usec()
		_steer(nodes, directions, side)
		usual.append(Time.get_ticks_usec() - start)
	var agree := crowd.get_agent_count() == count
	crowd.free()
	field.free()
	grid.free()
	for node: Node2D in nodes:
		node.free()
	var result := {"name": "crowd", "agents": count, "agree": agree, "ours_usec": _each(ours, 1)}
	if not nodes.is_empty():
		result["script_usec"] = _each(usual, 1)
	return result


## The source article's steering: no search, read the cell, move along the vector.
func _steer(nodes: Array[Node2D], directions: PackedVector2Array, side: int) -> void:
	for node: Node2D in nodes:
		var cell := Vector2i(node.position / 16.0)
		node.position += directions[cell.y * side + cell.x] * (SPEED * STEP)


## Without the first round, which is for warming up.
func _each(times: PackedFloat64Array, count: int) -> PackedFloat64Array:
	var result: PackedFloat64Array = times.slice(1)
	for i: int in result.size():
		result[i] /= count
	return result
