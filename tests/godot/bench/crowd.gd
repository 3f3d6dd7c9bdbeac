extends SceneTree
## Measures [PathForgeCrowd] beside the usual scene in GDScript, in which each agent is a node that
## reads a shared field and walks, without looking at others; and beside bare arrays that do so.
## Started by the bench crate: [code]-s bench/crowd.gd -- FOLDER ROUNDS[/code].

const SIDE := 200
const AGENTS := 10_000
const STEPS := 60
const STEP := 1.0 / 60.0
const SPEED := 48.0

var _positions: PackedVector2Array
var _directions: PackedVector2Array


func _init() -> void:
	var rounds := OS.get_cmdline_user_args()[1].to_int()
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, SIDE, SIDE)
	for wall: int in 8:
		grid.fill_solid_region(Rect2i(20 + wall * 22, 0, 1, SIDE))
		grid.fill_solid_region(Rect2i(20 + wall * 22, 30 + wall * 15, 1, 20), false)
	var field := FlowField.new()
	field.grid = grid
	field.goals = [Vector2i(SIDE - 3, SIDE / 2)]
	field.rebuild()
	_directions = field.get_direction_data()
	var crowd := PathForgeCrowd.new()
	crowd.grid = grid
	crowd.auto_step = false
	var random := RandomNumberGenerator.new()
	random.seed = 3
	while _positions.size() < AGENTS:
		var cell := Vector2i(random.randi_range(0, SIDE - 1), random.randi_range(0, SIDE - 1))
		if not grid.is_point_solid(cell):
			_positions.append(grid.cell_to_local(cell))
	crowd.assign_field(crowd.add_agents(_positions, null, SPEED), field)
	crowd.step(STEP)
	var ours: PackedFloat64Array = []
	var usual: PackedFloat64Array = []
	var bare: PackedFloat64Array = []
	var walkers: Array[Walker] = []
	for position: Vector2 in _positions:
		var walker := Walker.new()
		walker.position = position
		walker.directions = _directions
		root.add_child(walker)
		walkers.append(walker)
	for round_number: int in rounds * STEPS:
		var start := Time.get_ticks_usec()
		crowd.step(STEP)
		ours.append(Time.get_ticks_usec() - start)
		start = Time.get_ticks_usec()
		for walker: Walker in walkers:
			walker.walk(STEP)
		usual.append(Time.get_ticks_usec() - start)
		start = Time.get_ticks_usec()
		_walk()
		bare.append(Time.get_ticks_usec() - start)
	var result: Dictionary = {
		"name": "crowd",
		"agree": crowd.get_agent_count() == AGENTS,
		"agents": AGENTS,
		"ours_usec": ours,
		"usual_usec": usual,
		"bare_usec": bare,
	}
	print("BENCH ", JSON.stringify(result))
	crowd.free()
	field.free()
	grid.free()
	quit()


func _walk() -> void:
	for agent: int in _positions.size():
		var position := _positions[agent]
		var cell := Vector2i(position / 16.0)
		_positions[agent] = position + _directions[cell.y * SIDE + cell.x] * (SPEED * STEP)


## An agent as it is usually written.
class Walker:
	extends Node2D
	var directions: PackedVector2Array
	var velocity := Vector2.ZERO

	func walk(delta: float) -> void:
		var cell := Vector2i(position / 16.0)
		velocity = directions[cell.y * SIDE + cell.x] * SPEED
		position += velocity * delta
