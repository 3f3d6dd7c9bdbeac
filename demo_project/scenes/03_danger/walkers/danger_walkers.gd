class_name DangerWalkers
extends MultiMeshInstance2D
## Walkers of all kinds, in one [PathForgeCrowd]: each kind follows its field. Who is through the
## gate, or was hit, sets out anew from its kind's camp.

enum Doing { WALKING, WAITING, OUTSIDE, HIT }

const EACH := 190
const SPEED_PX := 62.0
const RADIUS_PX := 4.5
const FLASH_S := 0.35
## What walkers are seen to do, by [enum Doing].
const DOINGS: PackedStringArray = ["Walking", "Waiting", "Outside the gate", "Just hit"]
## A walker that comes to less than this part of its speed is seen to stand.
const SLOW := 0.1

var kinds: Array[DangerKind] = []

var _crowd: PathForgeCrowd
var _grid: PathForgeGrid
var _gate := Rect2()
## Whose kind an agent is, by its number.
var _kind_of: Dictionary[int, DangerKind] = {}
## For how long an agent that was hit still glows.
var _flashes: Dictionary[int, float] = {}
var _random := RandomNumberGenerator.new()


func set_up(
	crowd: PathForgeCrowd, grid: PathForgeGrid, of_kinds: Array[DangerKind], gate: Rect2i
) -> void:
	_crowd = crowd
	_grid = grid
	kinds = of_kinds
	_random.seed = 3
	_gate = Rect2(Vector2(gate.position) * grid.cell_size, Vector2(gate.size) * grid.cell_size)


## Puts all somewhere on the way, as if they had been walking for a while.
func spread_out() -> void:
	for kind: DangerKind in kinds:
		kind.rebuild()
		var places := PackedVector2Array()
		for _walker: int in EACH:
			var way := kind.get_path_from(_grid.local_to_cell(_start_place(kind)))
			var cell := way[_random.randi_range(0, way.size() - 6)]
			var aside := Vector2(_random.randf_range(-1.0, 1.0), _random.randf_range(-1.0, 1.0))
			var place := _grid.cell_to_local(cell) + aside * _grid.cell_size
			var is_free := _grid.can_stand(_grid.local_to_cell(place))
			places.append(place if is_free else _grid.cell_to_local(cell))
		_set_out(kind, places)


## The nearest walker within [param reach] pixels that is out of its camp, or -1.
func nearest(point: Vector2, reach: float) -> int:
	var best := -1
	var best_squared := reach * reach
	for walker: int in _crowd.find_agents_in_radius(point, reach):
		var squared := place_of(walker).distance_squared_to(point)
		if squared < best_squared and walker not in _flashes and not _is_in_camp(walker):
			best = walker
			best_squared = squared
	return best


## How many do what, by [enum Doing]. A walker that rests near the gate is *arrived* for
## the crowd: it is not through, and goes no farther.
func counts() -> PackedInt32Array:
	var result: PackedInt32Array = [0, 0, 0, 0]
	var ids := _crowd.get_ids()
	var velocities := _crowd.get_velocities()
	var states := _crowd.get_states()
	for n: int in ids.size():
		if ids[n] in _flashes:
			result[Doing.HIT] += 1
		elif velocities[n].length() > SLOW * SPEED_PX:
			result[Doing.WALKING] += 1
		elif states[n] == PathForgeCrowd.STATE_ARRIVED:
			result[Doing.OUTSIDE] += 1
		else:
			result[Doing.WAITING] += 1
	return result


func kind_of(walker: int) -> DangerKind:
	return _kind_of[walker]


func place_of(walker: int) -> Vector2:
	return _crowd.get_agent_position(walker)


## A walker is hit: it stops and glows, and starts again in a moment.
func hit(walker: int) -> void:
	_flashes[walker] = FLASH_S
	_kind_of[walker].hits += 1
	_crowd.stop([walker])
	_crowd.set_agent_colors([walker], DemoPalette.BAD)


func _physics_process(delta: float) -> void:
	for walker: int in _crowd.find_agents_in_rect(_gate):
		if walker not in _flashes:
			_kind_of[walker].through += 1
			_start_again(walker)
	for walker: int in _flashes.keys():
		_flashes[walker] -= delta
		if _flashes[walker] <= 0.0:
			_flashes.erase(walker)
			_start_again(walker)


func _start_again(walker: int) -> void:
	var kind := _kind_of[walker]
	_kind_of.erase(walker)
	_crowd.remove_agents([walker])
	_set_out(kind, [_start_place(kind)])


func _set_out(kind: DangerKind, places: PackedVector2Array) -> void:
	var added := _crowd.add_agents(places, kind.profile, SPEED_PX, RADIUS_PX)
	_crowd.set_agent_colors(added, kind.colour)
	_crowd.assign_field(added, kind)
	for walker: int in added:
		_kind_of[walker] = kind


func _start_place(kind: DangerKind) -> Vector2:
	var camp := Rect2(kind.camps[_random.randi_range(0, kind.camps.size() - 1)]).grow(-0.5)
	var inside := camp.position + Vector2(_random.randf(), _random.randf()) * camp.size
	return inside * _grid.cell_size


func _is_in_camp(walker: int) -> bool:
	return place_of(walker).x < 3.0 * _grid.cell_size.x
