extends TestSuite
## Crowds follow coarse fields: through blocks of cells, out of corners that lie in no open block,
## and to places around goals that move.

const CELL: float = 16.0

var _grid: PathForgeGrid
var _crowd: PathForgeCrowd
var _field: FlowField
## How many fields have been made.
var _made: int = 0


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, 160, 60)
	_grid.cell_size = Vector2(CELL, CELL)
	add(_grid)
	var random: RandomNumberGenerator = RandomNumberGenerator.new()
	random.seed = 7
	for _rock: int in 150:
		var corner: Vector2i = Vector2i(random.randi_range(12, 140), random.randi_range(0, 58))
		_grid.fill_solid_region(Rect2i(corner, Vector2i(random.randi_range(1, 5), 2)), true)
	for goal: Vector2i in [Vector2i(150, 30), Vector2i(100, 50), Vector2i(20, 30)]:
		_grid.fill_solid_region(Rect2i(goal - Vector2i.ONE * 2, Vector2i.ONE * 5), false)
	_crowd = PathForgeCrowd.new()
	_grid.add_child(_crowd)
	_field = FlowField.new()
	_grid.add_child(_field)
	_made = 0
	_field.field_changed.connect(_on_field_changed.unbind(1))


func _on_field_changed() -> void:
	_made += 1


func _add_agents(count: int) -> PackedInt32Array:
	var positions: PackedVector2Array = []
	for number: int in count:
		positions.append(Vector2(1.5 + number % 6 * 1.5, 6.5 + number / 6 * 1.5) * CELL)
	return _crowd.add_agents(positions, null, 20.0 * CELL)


func _are_there(count: int) -> bool:
	return _crowd.get_state_counts()[PathForgeCrowd.STATE_ARRIVED] == count


## Waits for the field that a thread makes after the last change: frames go by no slower while it
## gets little of a busy machine. [param before] is how many had been made before the change.
func _made_after(before: int) -> void:
	check(await wait_until(func() -> bool: return _made > before, 90.0), "the field is made")


## Sends all to the goal of the field; returns after how many physics frames they are there.
func _frames_to(goal: Vector2i, ids: PackedInt32Array) -> int:
	var made: int = _made
	_field.goals = [goal] as Array[Vector2i]
	await _made_after(made)
	var begun: int = Engine.get_physics_frames()
	check_eq(_crowd.assign_field(ids, _field), ids.size(), "all follow it")
	check(await wait_until(_are_there.bind(ids.size()), 60.0), "all are there")
	for id: int in ids:
		var away: float = _crowd.get_agent_position(id).distance_to(
			(Vector2(goal) + Vector2.ONE * 0.5) * CELL
		)
		check(away < 9.0 * CELL, "around the goal, %f px away" % away)
	return Engine.get_physics_frames() - begun


func test_all_get_there_by_a_coarse_field() -> void:
	var ids: PackedInt32Array = _add_agents(20)
	var exact: int = await _frames_to(Vector2i(150, 30), ids)
	_crowd.remove_agents(ids)
	ids = _add_agents(20)
	_field.coarseness = 4
	var coarse: int = await _frames_to(Vector2i(150, 30), ids)
	check(coarse < exact * 1.3, "%d frames, %d by the exact field" % [coarse, exact])


func test_they_follow_it_as_it_changes() -> void:
	time_limit_s = 600.0
	var ids: PackedInt32Array = _add_agents(12)
	_field.coarseness = 4
	_field.goals = [Vector2i(150, 10)] as Array[Vector2i]
	_crowd.assign_field(ids, _field)
	await _made_after(0)
	await physics_frames(60)
	var made: int = _made
	_field.coarseness = 1
	await _made_after(made)
	await physics_frames(60)
	_field.coarseness = 2
	await _frames_to(Vector2i(100, 50), ids)
	var told: Array[Vector2i] = []
	_crowd.group_arrived.connect(told.append.unbind(2))
	await _frames_to(Vector2i(20, 30), ids)
	check(await wait_until(func() -> bool: return not told.is_empty(), 20.0), "told of")
	check_eq(told, [Vector2i(20, 30)] as Array[Vector2i], "once")
