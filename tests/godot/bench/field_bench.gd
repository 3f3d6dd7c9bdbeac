class_name FieldBench
extends RefCounted
## A field from GDScript: [FlowField] beside the two passes that a game would write, a queue that
## relaxes costs from the goal outwards and a look at each cell's neighbours.

const SIDE := 256
const GOAL := Vector2i(128, 128)
const SAMPLES := 100000

var _solid := PackedByteArray()


## One result for the bench: what [param rounds] rounds took, after one for warming up.
func measure(rounds: int) -> Dictionary:
	var grid := _grid()
	var field := FlowField.new()
	field.grid = grid
	field.goals = [GOAL]
	var ours: PackedFloat64Array = []
	var script: PackedFloat64Array = []
	var samples: PackedFloat64Array = []
	var costs := PackedFloat32Array()
	var positions := _positions()
	for round_number: int in rounds + 1:
		var start := Time.get_ticks_usec()
		field.rebuild()
		ours.append(Time.get_ticks_usec() - start)
		start = Time.get_ticks_usec()
		costs = _relaxed_costs()
		_steepest_ways(costs)
		script.append(Time.get_ticks_usec() - start)
		start = Time.get_ticks_usec()
		field.sample_batch(positions)
		samples.append(Time.get_ticks_usec() - start)
	var data := field.get_cost_data()
	var agree := true
	for index: int in range(0, data.size(), 7):
		agree = agree and absf(data[index] - costs[index]) <= 0.002 * costs[index]
		agree = agree or is_inf(data[index]) and is_inf(costs[index])
	field.free()
	grid.free()
	return {
		"name": "field",
		"agree": agree,
		"ours_usec": ours.slice(1),
		"script_usec": script.slice(1),
		"samples_usec": samples.slice(1),
	}


func _grid() -> PathForgeGrid:
	var random := RandomNumberGenerator.new()
	random.seed = 8
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, SIDE, SIDE)
	for number: int in 900:
		var corner := Vector2i(random.randi_range(0, SIDE - 1), random.randi_range(0, SIDE - 1))
		grid.fill_solid_region(
			Rect2i(corner, Vector2i(random.randi_range(1, 9), random.randi_range(1, 4)))
		)
	grid.set_point_solid(GOAL, false)
	_solid = grid.get_solid_data()
	return grid


func _positions() -> PackedVector2Array:
	var random := RandomNumberGenerator.new()
	random.seed = 9
	var positions := PackedVector2Array()
	for number: int in SAMPLES:
		positions.append(Vector2(random.randf(), random.randf()) * SIDE * 16.0)
	return positions


func _relaxed_costs() -> PackedFloat32Array:
	var costs := PackedFloat32Array()
	costs.resize(SIDE * SIDE)
	costs.fill(INF)
	var queue: Array[Vector2i] = [GOAL]
	costs[GOAL.y * SIDE + GOAL.x] = 0.0
	var taken := 0
	while taken < queue.size():
		var cell := queue[taken]
		taken += 1
		var cost := costs[cell.y * SIDE + cell.x]
		for y: int in range(-1, 2):
			for x: int in range(-1, 2):
				var next := cell + Vector2i(x, y)
				if _is_blocked(cell, next):
					continue
				var sum := cost + (1.0 if x == 0 or y == 0 else sqrt(2.0))
				if sum < costs[next.y * SIDE + next.x]:
					costs[next.y * SIDE + next.x] = sum
					queue.append(next)
	return costs


func _steepest_ways(costs: PackedFloat32Array) -> PackedVector2Array:
	var ways := PackedVector2Array()
	ways.resize(SIDE * SIDE)
	for y: int in SIDE:
		for x: int in SIDE:
			if is_inf(costs[y * SIDE + x]):
				continue
			var best := costs[y * SIDE + x]
			for dy: int in range(-1, 2):
				for dx: int in range(-1, 2):
					var next := Vector2i(x + dx, y + dy)
					if _is_blocked(Vector2i(x, y), next):
						continue
					if costs[next.y * SIDE + next.x] < best:
						best = costs[next.y * SIDE + next.x]
						ways[y * SIDE + x] = Vector2(dx, dy).normalized()
	return ways


## Whether a step is not possible, or would cut a corner.
func _is_blocked(cell: Vector2i, next: Vector2i) -> bool:
	if next.x < 0 or next.y < 0 or next.x >= SIDE or next.y >= SIDE:
		return true
	return (
		_solid[next.y * SIDE + next.x] != 0
		or _solid[cell.y * SIDE + next.x] != 0
		or _solid[next.y * SIDE + cell.x] != 0
	)
