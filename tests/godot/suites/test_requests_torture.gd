extends TestSuite
## Requests under fire: edits, cancels, freed grids and changed scenes at random, with workers busy.
## Every ticket is answered once, and every path can be walked when it comes.

const SIDE: int = 128
const SECONDS: float = 3.0
## How many requests are to be answered at least.
const ANSWERS: int = 500

var _rng: RandomNumberGenerator = RandomNumberGenerator.new()
var _grids: Array[Field] = []
var _answers: int = 0
var _bad: Array[String] = []


## A grid with what was asked of it.
class Field:
	extends PathForgeGrid
	var open: Dictionary[int, bool] = {}
	var last: int = 0
	var profiles: Array[PathForgeProfile] = []


func _field() -> Field:
	var field: Field = Field.new()
	field.region = Rect2i(-8, -8, SIDE, SIDE)
	for side: int in [1, 2, 3]:
		var profile: PathForgeProfile = PathForgeProfile.new()
		profile.footprint = Vector2i(side, side)
		profile.smoothing = side % 2
		profile.terrain_costs = [1.0, 2.0 * side]
		field.profiles.append(profile)
	for _n: int in 60:
		field.fill_solid_region(_rect())
	field.path_answered.connect(_on_path_answered.bind(field))
	_grids.append(field)
	root.add_child(field)
	return field


func _cell() -> Vector2i:
	return Vector2i(_rng.randi_range(-8, SIDE - 9), _rng.randi_range(-8, SIDE - 9))


func _rect() -> Rect2i:
	return Rect2i(_cell(), Vector2i(_rng.randi_range(1, 12), _rng.randi_range(1, 12)))


func _on_path_answered(ticket: int, path: PathForgePath, field: Field) -> void:
	_answers += 1
	if not field.open.has(ticket) or ticket <= field.last:
		_bad.append("ticket %d came twice, late or unasked" % ticket)
		return
	var cancelled: bool = field.open[ticket]
	field.open.erase(ticket)
	field.last = ticket
	if cancelled != (path.status == PathForgePath.STATUS_CANCELLED):
		_bad.append("ticket %d: %s" % [ticket, path.describe()])
	if path.is_complete() and not _is_walkable(field, ticket, path):
		_bad.append("ticket %d leads through a wall" % ticket)
	if _rng.randf() < 0.02:
		_act(field)


func _is_walkable(field: Field, ticket: int, path: PathForgePath) -> bool:
	var footprint: Vector2i = field.profiles[ticket % 3].footprint
	for cell: Vector2i in path.cells:
		if not field.can_stand(cell, a_body(footprint)):
			return false
	return true


func _act(field: Field) -> void:
	match _rng.randi_range(0, 9):
		0, 1:
			field.fill_solid_region(_rect(), _rng.randf() < 0.5)
		2:
			field.fill_terrain_region(_rect(), _rng.randi_range(0, 1))
		3:
			field.fill_weight_scale_region(_rect(), _rng.randf_range(0.5, 3.0))
		4:
			var tickets: Array[int] = field.open.keys()
			if not tickets.is_empty():
				var ticket: int = tickets.pick_random()
				var was_open: bool = not field.open[ticket]
				if field.cancel_request(ticket) != was_open:
					_bad.append("ticket %d could be cancelled twice or not at all" % ticket)
				field.open[ticket] = true
		_:
			for _n: int in _rng.randi_range(1, 6):
				_ask(field)


func _ask(field: Field) -> void:
	var next: int = field.last + field.open.size() + 1
	var goal: Vector2i = Vector2i(60, 60) if _rng.randf() < 0.4 else _cell()
	var profile: PathForgeProfile = field.profiles[next % 3]
	var ticket: int = field.request_path(_cell(), goal, profile, _rng.randi_range(0, 2))
	if ticket != next:
		_bad.append("ticket %d instead of %d" % [ticket, next])
	field.open[ticket] = false


func _change_scene() -> void:
	var field: Field = _grids.pick_random()
	if _rng.randf() < 0.5:
		_grids.erase(field)
		if _rng.randf() < 0.5:
			field.free()
		else:
			field.queue_free()
	else:
		root.remove_child(field)
		root.add_child(field)


func test_every_ticket_is_answered_once_with_a_path_of_today() -> void:
	_rng.seed = 7
	time_limit_s = 600.0
	var end_msec: int = Time.get_ticks_msec() + int(SECONDS * 1000.0)
	# On a busy machine it goes on until there were enough.
	while Time.get_ticks_msec() < end_msec or _answers <= ANSWERS:
		while _grids.size() < 3:
			_field()
		for field: Field in _grids.duplicate():
			_act(field)
		if _rng.randf() < 0.03:
			_change_scene()
		await frames(1)
	var all_answered: Callable = func() -> bool:
		return _grids.all(func(field: Field) -> bool: return field.open.is_empty())
	check(await wait_until(all_answered), "every ticket is answered")
	check_eq(_bad, [] as Array[String], "nothing went wrong")
	_grids.clear()


func test_quitting_scenes_while_workers_search() -> void:
	for _round: int in 10:
		var field: Field = _field()
		for _n: int in 40:
			_ask(field)
		if _round % 2 == 0:
			await frames(1)
		_grids.clear()
		field.queue_free()
	await frames(2)
	check_eq(root.get_child_count(), 0, "all are gone")
