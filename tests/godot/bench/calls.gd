extends SceneTree
## Measures what one call of a verb costs that games call for each cell, unit and frame, beside the
## same verb of AStarGrid2D where it has one, and beside an empty loop.
##
## Started by the bench crate: [code]-s bench/calls.gd -- FOLDER ROUNDS[/code]. Prints one line of
## JSON a verb; the loop is taken off.

const CALLS := 50_000
const SIDE := 512

var _rounds := 3
var _grid := PathForgeGrid.new()
var _peer := AStarGrid2D.new()
var _field := FlowField.new()
var _danger := InfluenceMap.new()
var _agent := PathForgeAgent2D.new()
var _cell := Vector2i(5, 5)
var _place := Vector2(77, 90)
var _places: PackedVector2Array = []
var _cells: Array[Vector2i] = []
var _unused: Vector2
var _phase := 0


func _init() -> void:
	_rounds = OS.get_cmdline_user_args()[1].to_int() * 3
	_measure_all.call_deferred()


func _measure_all() -> void:
	_grid.region = Rect2i(0, 0, SIDE, SIDE)
	_peer.region = _grid.region
	_peer.update()
	_field.goals = [Vector2i(10, 10)]
	var body := Node2D.new()
	body.add_child(_agent)
	root.add_child(_grid)
	_grid.add_child(_field)
	_grid.add_child(body)
	_field.rebuild()
	_agent.target_position = Vector2(300, 300)
	for n: int in CALLS:
		_places.append(Vector2(n & 511, n >> 9) * 16.0)
	_cells = _grid.local_to_cells(_places)
	for frame: int in 3:
		await process_frame
	_tell("is_point_solid", _read, _read_peer)
	_tell("get_point_weight_scale", _weigh, _weigh_peer)
	_tell("is_in_boundsv", _inside, _inside_peer)
	_tell("local_to_cell", _to_cell)
	_tell("local_to_cells, one of many", _to_cells)
	_tell("cells_to_local, one of many", _to_places)
	_tell("set_point_solid", _put, _put_peer)
	_grid.begin_edit()
	_tell("set_point_solid in an edit", _put, _put_peer)
	_grid.end_edit()
	_grid.fill_solid_region(_grid.region, false)
	# It listens to edits.
	_grid.add_child(_danger)
	_danger.add_stamp(_cell, 5.0, 9.0)
	_tell("set_point_solid with a listener", _put, _put_peer)
	_grid.fill_solid_region(_grid.region, false)
	await process_frame
	_field.rebuild()
	_tell("FlowField.sample", _sample)
	_tell("FlowField.get_direction", _direct)
	_tell("FlowField.get_cost", _price)
	_tell("InfluenceMap.get_influence", _influence)
	_tell("PathForgeAgent2D.is_navigation_finished", _finished)
	_tell("PathForgeAgent2D.target_position", _target)
	_tell("get_id_path, start is goal", _stay, _stay_peer)
	_grid.queue_free()
	quit()


func _tell(verb: String, ours: Callable, peer: Callable = Callable()) -> void:
	var line := {"name": verb, "agree": true, "ours_usec": [], "peer_usec": []}
	for round_number: int in _rounds + 1:
		var loop := _time(_nothing)
		var times := {"ours_usec": _time(ours) - loop}
		if peer.is_valid():
			times["peer_usec"] = _time(peer) - loop
		if round_number > 0:
			for key: String in times:
				(line[key] as Array).append(maxf(times[key], 0.0) / CALLS)
	if not peer.is_valid():
		line.erase("peer_usec")
	print("BENCH ", JSON.stringify(line))


func _time(work: Callable) -> float:
	var start := Time.get_ticks_usec()
	work.call()
	return Time.get_ticks_usec() - start


func _nothing() -> void:
	for n: int in CALLS:
		pass


func _read() -> void:
	for n: int in CALLS:
		_grid.is_point_solid(_cell)


func _read_peer() -> void:
	for n: int in CALLS:
		_peer.is_point_solid(_cell)


func _weigh() -> void:
	for n: int in CALLS:
		_grid.get_point_weight_scale(_cell)


func _weigh_peer() -> void:
	for n: int in CALLS:
		_peer.get_point_weight_scale(_cell)


func _inside() -> void:
	for n: int in CALLS:
		_grid.is_in_boundsv(_cell)


func _inside_peer() -> void:
	for n: int in CALLS:
		_peer.is_in_boundsv(_cell)


func _to_cell() -> void:
	for n: int in CALLS:
		_grid.local_to_cell(_place)


func _to_cells() -> void:
	_nothing()
	_grid.local_to_cells(_places)


func _to_places() -> void:
	_nothing()
	_grid.cells_to_local(_cells)


func _put() -> void:
	# Each run sets what the last one did not, so that every call changes a cell.
	_phase = 1 - _phase
	for n: int in CALLS:
		_grid.set_point_solid(Vector2i(n & 511, n >> 9), n % 2 == _phase)


func _put_peer() -> void:
	for n: int in CALLS:
		_peer.set_point_solid(Vector2i(n & 511, n >> 9), n % 2 == _phase)


func _sample() -> void:
	for n: int in CALLS:
		_field.sample(_place)


func _direct() -> void:
	for n: int in CALLS:
		_field.get_direction(_cell)


func _price() -> void:
	for n: int in CALLS:
		_field.get_cost(_cell)


func _influence() -> void:
	for n: int in CALLS:
		_danger.get_influence(_cell)


func _finished() -> void:
	for n: int in CALLS:
		_agent.is_navigation_finished()


func _target() -> void:
	for n: int in CALLS:
		_unused = _agent.target_position


func _stay() -> void:
	for n: int in CALLS:
		_grid.get_id_path(_cell, _cell)


func _stay_peer() -> void:
	for n: int in CALLS:
		_peer.get_id_path(_cell, _cell)
