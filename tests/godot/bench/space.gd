extends SceneTree
## Measures [PathForgeSpace3D]: conversions of many positions, heights by rays, a crowd that is
## drawn on its ground, and steps and nodes in space beside those on the plane.
##
## Started by the bench crate: [code]-s bench/space.gd -- FOLDER ROUNDS[/code]. Prints one line of
## JSON a measurement.

const POSITIONS := 10_000
const SIDE := 512
const STEP := 1.0 / 60.0
const NODES := 1000
const NODES_SIDE := 128
## Frames until nodes that walk towards each other meet.
const APPROACH := 60
const CHANGED := Rect2i(100, 100, 8, 8)

var _rounds := 3
var _grid := PathForgeGrid.new()
var _space := PathForgeSpace3D.new()
var _begun := 0
## What the work of [member _space], or of a crowd, took in each frame.
var _frames: PackedFloat64Array = []


func _init() -> void:
	_rounds = OS.get_cmdline_user_args()[1].to_int() * 5
	_measure_all.call_deferred()


func _measure_all() -> void:
	_grid.region = Rect2i(0, 0, SIDE, SIDE)
	root.add_child(_grid)
	# The space works in between.
	physics_frame.connect(func() -> void: _begun = Time.get_ticks_usec())
	_grid.add_child(_space)
	physics_frame.connect(func() -> void: _frames.append(Time.get_ticks_usec() - _begun))
	_add_ground()
	_make_hills()
	_measure_conversions()
	await physics_frame
	await _measure_scan("512² cells", Rect2i())
	await _measure_scan("8×8 cells", CHANGED)
	await _measure_drawing("a MultiMesh of 10,000 on the plane", null)
	await _measure_drawing("a MultiMesh of 10,000 in space", _space)
	_measure_steps()
	_grid.free()
	await _measure_nodes()
	quit()


func _measure_conversions() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 4
	var plane: PackedVector2Array = []
	for _position: int in POSITIONS:
		plane.append(Vector2(random.randf(), random.randf()) * SIDE * 16.0)
	var places := _space.to_space_batch(plane)
	var cells := _space.global_to_cells(places)
	_tell("to_space_batch", func() -> void: _space.to_space_batch(plane))
	_tell("to_plane_batch", func() -> void: _space.to_plane_batch(places))
	_tell("global_to_cells", func() -> void: _space.global_to_cells(places))
	_tell("cells_to_global", func() -> void: _space.cells_to_global(cells))


func _tell(what: String, work: Callable) -> void:
	var times: PackedFloat64Array = []
	for _round: int in _rounds * 4:
		var start := Time.get_ticks_usec()
		work.call()
		times.append(Time.get_ticks_usec() - start)
	print("BENCH ", JSON.stringify({"name": what, "agree": true, "usec": times.slice(1)}))


func _measure_scan(what: String, region: Rect2i) -> void:
	var result := {"name": what, "agree": true, "usec": [], "frame_usec": [], "frames": []}
	for _round: int in _rounds:
		_frames.clear()
		_space.scan_heights(-10.0, 50.0, 1, region)
		await _space.heights_changed
		await physics_frame
		# What comes once in fifty frames is the machine's other work.
		var sorted := Array(_frames)
		sorted.sort()
		var sum := 0.0
		for usec: float in _frames:
			sum += usec
		result["usec"].append(sum)
		result["frame_usec"].append(sorted[int(sorted.size() * 0.98 - 0.5)])
		result["frames"].append(float(_frames.size() - 1))
		result["agree"] = result["agree"] and absf(_space.get_height(Vector2i(5, 5)) - 2.0) < 0.01
	print("BENCH ", JSON.stringify(result))


func _measure_drawing(what: String, space: PathForgeSpace3D) -> void:
	var begin := func() -> void: _begun = Time.get_ticks_usec()
	var end := func() -> void: _frames.append(Time.get_ticks_usec() - _begun)
	var crowd := PathForgeCrowd.new()
	crowd.auto_step = false
	crowd.space = space
	crowd.multimesh = MultiMesh.new()
	if space != null:
		crowd.multimesh.transform_format = MultiMesh.TRANSFORM_3D
	crowd.multimesh.use_colors = true
	process_frame.connect(begin)
	_grid.add_child(crowd)
	process_frame.connect(end)
	var places: PackedVector2Array = []
	for index: int in POSITIONS:
		places.append(_grid.cell_to_local(Vector2i(index % 100 * 4 + 1, index / 100 * 4 + 1)))
	crowd.assign_goal(crowd.add_agents(places, null, 48.0), Vector2i(SIDE / 2, SIDE / 2))
	for _frame: int in 10:
		crowd.step(STEP)
	await process_frame
	_frames.clear()
	for _round: int in _rounds:
		crowd.step(STEP)
		await process_frame
	print("BENCH ", JSON.stringify({"name": what, "agree": true, "usec": _frames.slice(1)}))
	process_frame.disconnect(begin)
	process_frame.disconnect(end)
	crowd.free()


## Steps of two crowds that do the same, in turn: on the plane and in space.
func _measure_steps() -> void:
	var crowds: Array[PathForgeCrowd] = []
	var places: PackedVector2Array = []
	for index: int in POSITIONS:
		places.append(_grid.cell_to_local(Vector2i(index % 100 * 4 + 1, index / 100 * 4 + 1)))
	for space: PathForgeSpace3D in [null, _space]:
		var crowd := PathForgeCrowd.new()
		crowd.auto_step = false
		crowd.space = space
		_grid.add_child(crowd)
		crowd.assign_goal(crowd.add_agents(places, null, 48.0), Vector2i(SIDE / 2, SIDE / 2))
		crowds.append(crowd)
	var times: Array[PackedFloat64Array] = [[], []]
	for round_number: int in 10 + _rounds * 10:
		for n: int in 2:
			var begun := Time.get_ticks_usec()
			crowds[n].step(STEP)
			if round_number >= 10:
				times[n].append(Time.get_ticks_usec() - begun)
	_tell_beside("a step of 10,000 agents", times[0], times[1])


## Nodes that walk through each other, on the plane and in space, in turn.
func _measure_nodes() -> void:
	var grids: Array[PathForgeGrid] = []
	var crowds: Array[PathForgeCrowd] = []
	for n: int in 2:
		var grid := PathForgeGrid.new()
		grid.region = Rect2i(0, 0, NODES_SIDE, NODES_SIDE)
		root.add_child(grid)
		var crowd := PathForgeCrowd.new()
		crowd.auto_step = false
		grid.add_child(crowd)
		grids.append(grid)
		crowds.append(crowd)
	var space := PathForgeSpace3D.new()
	grids[1].add_child(space)
	var flat: Array[PathForgeAgent2D] = []
	var deep: Array[PathForgeAgent3D] = []
	for n: int in NODES:
		var column := n / 2 % 20 if n % 2 == 0 else NODES_SIDE - 1 - n / 2 % 20
		var cell := Vector2i(column, 39 + n / 40 * 2)
		var goal := Vector2i(NODES_SIDE - 1 - column, cell.y)
		var unit := Node2D.new()
		unit.position = grids[0].cell_to_local(cell)
		flat.append(PathForgeAgent2D.new())
		unit.add_child(flat[n])
		grids[0].add_child(unit)
		flat[n].target_position = grids[0].cell_to_global(goal)
		var body := Node3D.new()
		deep.append(PathForgeAgent3D.new())
		body.add_child(deep[n])
		space.add_child(body)
		body.global_position = space.cell_to_global(cell)
		deep[n].target_position = space.cell_to_global(goal)
	var times: Array[PackedFloat64Array] = [[], []]
	for frame: int in APPROACH + _rounds * 10:
		await physics_frame
		var begun := Time.get_ticks_usec()
		crowds[0].step(STEP)
		for agent: PathForgeAgent2D in flat:
			var velocity := agent.get_next_velocity(48.0)
			(agent.get_parent() as Node2D).position += velocity * STEP
		var between := Time.get_ticks_usec()
		crowds[1].step(STEP)
		for agent: PathForgeAgent3D in deep:
			var velocity := agent.get_next_velocity(3.0)
			(agent.get_parent() as Node3D).position += velocity * STEP
		if frame >= APPROACH:
			times[0].append(between - begun)
			times[1].append(Time.get_ticks_usec() - between)
	for grid: PathForgeGrid in grids:
		grid.free()
	_tell_beside("a frame of 1,000 nodes", times[0], times[1])


func _tell_beside(what: String, plane: PackedFloat64Array, space: PackedFloat64Array) -> void:
	var result := {"name": what, "agree": true, "plane_usec": plane, "space_usec": space}
	print("BENCH ", JSON.stringify(result))


func _make_hills() -> void:
	var heights: PackedFloat32Array = []
	for y: int in SIDE:
		for x: int in SIDE:
			heights.append(sin(x * 0.1) + cos(y * 0.07))
	_space.set_height_data(heights)


## A plain with a thousand boxes on it.
func _add_ground() -> void:
	_add_box(Vector3(SIDE, 4.0, SIDE), Vector3(SIDE / 2.0, 0.0, SIDE / 2.0))
	var random := RandomNumberGenerator.new()
	random.seed = 5
	for _box: int in 1000:
		var place := Vector3(random.randf_range(20, SIDE), 3.0, random.randf_range(20, SIDE))
		_add_box(Vector3(3.0, 3.0, 4.0), place)


func _add_box(size: Vector3, position: Vector3) -> void:
	var body := StaticBody3D.new()
	var node := CollisionShape3D.new()
	var box := BoxShape3D.new()
	box.size = size
	node.shape = box
	body.add_child(node)
	body.position = position
	root.add_child(body)
