class_name CityWalkers
extends MultiMeshInstance2D
## The usual way, for comparison: every agent asks [AStarGrid2D] for a path of its own. Within the
## time that a frame has for it, some of them get one; the others stand and wait.

## Time for paths in a frame, in microseconds.
const BUDGET_USEC := 8000
const SPEED := 16.0

var paths_last_second := 0
var served := 0

var _astar := AStarGrid2D.new()
var _grid: PathForgeGrid
var _positions: PackedVector2Array
var _ways: Array[PackedVector2Array] = []
var _next: PackedInt32Array
var _asking := 0
var _goal := Vector2i.ZERO
var _count := 0
var _since_usec := 0


func start(grid: PathForgeGrid, positions: PackedVector2Array, goal: Vector2i) -> void:
	_grid = grid
	_positions = positions
	_astar.region = grid.region
	_astar.cell_size = grid.cell_size
	_astar.diagonal_mode = AStarGrid2D.DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES
	_astar.update()
	_read_solid(grid.region)
	_ways.resize(positions.size())
	_next.resize(positions.size())
	_make_dots()
	send(goal)


## Walls were built or torn down there: who has a path cannot know whether it is still one.
func read_walls(area: Rect2i) -> void:
	_read_solid(area)
	send(_goal)


## All need a new path.
func send(goal: Vector2i) -> void:
	_goal = goal
	_asking = 0
	served = 0
	for agent: int in _ways.size():
		_ways[agent] = PackedVector2Array()
		_next[agent] = 0
	_since_usec = Time.get_ticks_usec()


func _process(delta: float) -> void:
	var end := Time.get_ticks_usec() + BUDGET_USEC
	while _asking < _positions.size() and Time.get_ticks_usec() < end:
		var cell := _grid.local_to_cell(_positions[_asking])
		_ways[_asking] = _astar.get_point_path(cell, _goal, true)
		_asking += 1
		_count += 1
		served = _asking
	if Time.get_ticks_usec() - _since_usec > 1_000_000:
		paths_last_second = _count
		_count = 0
		_since_usec = Time.get_ticks_usec()
	for agent: int in _asking:
		_walk(agent, delta)


func _read_solid(area: Rect2i) -> void:
	for y: int in range(area.position.y, area.end.y):
		for x: int in range(area.position.x, area.end.x):
			_astar.set_point_solid(Vector2i(x, y), _grid.is_point_solid(Vector2i(x, y)))


func _walk(agent: int, delta: float) -> void:
	var way := _ways[agent]
	if _next[agent] >= way.size():
		return
	var to := way[_next[agent]] + _grid.cell_size * 0.5
	_positions[agent] = _positions[agent].move_toward(to, SPEED * delta)
	if _positions[agent].distance_squared_to(to) < 0.1:
		_next[agent] += 1
	multimesh.set_instance_transform_2d(agent, Transform2D(0.0, _positions[agent]))


func _make_dots() -> void:
	texture = preload("res://common/disc.svg")
	var quad := QuadMesh.new()
	quad.size = _grid.cell_size * 1.1
	multimesh = MultiMesh.new()
	multimesh.transform_format = MultiMesh.TRANSFORM_2D
	multimesh.mesh = quad
	multimesh.instance_count = _positions.size()
	modulate = DemoPalette.TEXT_DIM
	for agent: int in _positions.size():
		multimesh.set_instance_transform_2d(agent, Transform2D(0.0, _positions[agent]))
