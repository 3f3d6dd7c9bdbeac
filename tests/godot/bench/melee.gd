extends SceneTree
## Measures [PathForgeCrowd] beside Godot's own avoidance in one scene and process: two crowds of
## discs walk through each other on an open field. Then what 1,000 nodes that are agents take, and
## what it takes when many join and leave.
## Started by the bench crate: [code]-s bench/melee.gd -- FOLDER ROUNDS[/code].

const COUNTS: Array[int] = [1_000, 5_000, 10_000]
const NODES := 1_000
const JOINING: Array[int] = [250, 1_000, 4_000]
## Cells to a side of the map on which they join.
const JOINING_SIDE := 256
const JOINING_ROUNDS := 5
const CELL := 16.0
const RADIUS := 7.0
const SPEED := 60.0
const STEP := 1.0 / 60.0
## Agents of a crowd in a column, and columns between the crowds at the start.
const DEEP := 50
const GAP := 4
## Frames before the crowds meet, which are not measured.
const APPROACH := 60
const FRAMES := 120

var _velocities: PackedVector2Array
## When the server's step began, and when it had told all.
var _begun: int = 0
var _ended: int = 0


func _initialize() -> void:
	for count: int in COUNTS:
		await _measure_melee(count)
	await _measure_nodes()
	for count: int in JOINING:
		await _measure_joining(count)
	quit()


## Where the agents begin: half of them on each side.
func _places(count: int) -> PackedVector2Array:
	var places: PackedVector2Array = []
	var files := ceili(count / 2.0 / DEEP)
	for n: int in count:
		var east := n % 2
		var file := n / 2 % files
		var column := DEEP - 1 - n / 2 / files
		if east == 1:
			column = 2 * DEEP + GAP - 1 - column
		places.append(Vector2(column + DEEP, file + 4) * CELL)
	return places


func _measure_joining(count: int) -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 7
	var lines: Dictionary = {"agents": count}
	for what: String in ["join_usec", "leave_usec", "plain_usec"]:
		lines[what] = PackedFloat64Array()
	for round_number: int in JOINING_ROUNDS + 1:
		var grid := PathForgeGrid.new()
		grid.region = Rect2i(0, 0, JOINING_SIDE, JOINING_SIDE)
		root.add_child(grid)
		await physics_frame
		var bodies: Array[Node2D] = []
		var agents: Array[PathForgeAgent2D] = []
		var plain: Array[Node2D] = []
		for n: int in count:
			bodies.append(Node2D.new())
			bodies[n].position = _anywhere(random)
			agents.append(PathForgeAgent2D.new())
			bodies[n].add_child(agents[n])
			grid.add_child(bodies[n])
			agents[n].target_position = _anywhere(random)
			plain.append(Node2D.new())
			plain[n].add_child(Node2D.new())
			root.add_child(plain[n])
		var begun := Time.get_ticks_usec()
		for agent: PathForgeAgent2D in agents:
			agent.get_next_velocity(SPEED)
		var joined := Time.get_ticks_usec()
		for body: Node2D in bodies:
			body.free()
		var left := Time.get_ticks_usec()
		for body: Node2D in plain:
			body.free()
		# The first round warms up.
		if round_number > 0:
			lines["join_usec"].append(joined - begun)
			lines["leave_usec"].append(left - joined)
			lines["plain_usec"].append(Time.get_ticks_usec() - left)
		grid.free()
	_tell("joining", lines)


func _anywhere(random: RandomNumberGenerator) -> Vector2:
	return Vector2(random.randf(), random.randf()) * JOINING_SIDE * CELL


func _measure_melee(count: int) -> void:
	var places := _places(count)
	var files := ceili(count / 2.0 / DEEP)
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 4 * DEEP + GAP, files + 8)
	var crowd := PathForgeCrowd.new()
	crowd.auto_step = false
	grid.add_child(crowd)
	root.add_child(grid)
	var ids := crowd.add_agents(places, null, SPEED, RADIUS)
	for east: int in 2:
		var field := FlowField.new()
		var goals: Array[Vector2i] = []
		for y: int in files + 8:
			goals.append(Vector2i(1 if east == 1 else 4 * DEEP + GAP - 2, y))
		field.goals = goals
		grid.add_child(field)
		field.rebuild()
		var some: PackedInt32Array = []
		for n: int in range(east, count, 2):
			some.append(ids[n])
		crowd.assign_field(some, field)
	var map := NavigationServer2D.map_create()
	NavigationServer2D.map_set_active(map, true)
	var agents := _avoiding(map, places)
	_velocities.resize(count)
	var ours: PackedFloat64Array = []
	var theirs: PackedFloat64Array = []
	for frame: int in APPROACH + FRAMES:
		var start := Time.get_ticks_usec()
		crowd.step(STEP)
		var step := Time.get_ticks_usec() - start
		start = Time.get_ticks_usec()
		for n: int in count:
			places[n] += _velocities[n] * STEP
			NavigationServer2D.agent_set_position(agents[n], places[n])
			var way := Vector2(-SPEED if n % 2 == 1 else SPEED, 0.0)
			NavigationServer2D.agent_set_velocity(agents[n], way)
		var told := Time.get_ticks_usec() - start
		# The engine works off deferred calls right before the server's step, and after it.
		_begin.call_deferred()
		await physics_frame
		if frame >= APPROACH:
			ours.append(step)
			theirs.append(told + _ended - _begun)
	for agent: RID in agents:
		NavigationServer2D.free_rid(agent)
	NavigationServer2D.free_rid(map)
	grid.free()
	_tell("melee", {"agents": count, "ours_usec": ours, "godot_usec": theirs})


## Agents of Godot's navigation server that keep clear of each other.
func _avoiding(map: RID, places: PackedVector2Array) -> Array[RID]:
	var agents: Array[RID] = []
	for n: int in places.size():
		var agent := NavigationServer2D.agent_create()
		NavigationServer2D.agent_set_map(agent, map)
		NavigationServer2D.agent_set_avoidance_enabled(agent, true)
		NavigationServer2D.agent_set_radius(agent, RADIUS)
		NavigationServer2D.agent_set_max_speed(agent, SPEED)
		NavigationServer2D.agent_set_max_neighbors(agent, 6)
		NavigationServer2D.agent_set_neighbor_distance(agent, 2.0 * RADIUS + CELL)
		NavigationServer2D.agent_set_time_horizon_agents(agent, 1.0)
		NavigationServer2D.agent_set_avoidance_callback(agent, _on_velocity.bind(n))
		agents.append(agent)
	return agents


func _on_velocity(velocity: Vector2, index: int) -> void:
	_velocities[index] = velocity
	if index == 0:
		_end.call_deferred()


func _begin() -> void:
	_begun = Time.get_ticks_usec()


func _end() -> void:
	_ended = Time.get_ticks_usec()


func _measure_nodes() -> void:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 128, 128)
	root.add_child(grid)
	var crowd := PathForgeCrowd.new()
	crowd.auto_step = false
	grid.add_child(crowd)
	var units: Array[PathForgeAgent2D] = []
	for n: int in NODES:
		var column := n / 2 % 20 if n % 2 == 0 else 127 - n / 2 % 20
		var unit := Node2D.new()
		unit.position = Vector2(column + 0.5, 39.5 + n / 40 * 2) * CELL
		var agent := PathForgeAgent2D.new()
		unit.add_child(agent)
		grid.add_child(unit)
		agent.target_position = Vector2(128 * CELL - unit.position.x, unit.position.y)
		units.append(agent)
	var frames: PackedFloat64Array = []
	var bare: PackedFloat64Array = []
	for frame: int in APPROACH + FRAMES:
		await physics_frame
		var start := Time.get_ticks_usec()
		crowd.step(STEP)
		for agent: PathForgeAgent2D in units:
			var velocity := agent.get_next_velocity(SPEED)
			(agent.get_parent() as Node2D).position += velocity * STEP
		var whole := Time.get_ticks_usec() - start
		start = Time.get_ticks_usec()
		for agent: PathForgeAgent2D in units:
			var velocity := Vector2.ZERO
			(agent.get_parent() as Node2D).position += velocity * STEP
		if frame >= APPROACH:
			frames.append(whole)
			bare.append(Time.get_ticks_usec() - start)
	grid.free()
	_tell("nodes", {"agents": NODES, "frame_usec": frames, "bare_usec": bare})


func _tell(title: String, numbers: Dictionary) -> void:
	numbers["name"] = title
	numbers["agree"] = true
	print("BENCH ", JSON.stringify(numbers))
