extends RefCounted
## Watches the people of the showcase The house in every physics step, and notes what is wrong.
## A person may stand still only with a reason that is shown, and the reason has to be true. None is
## in a wall, in the air, or on a link that is full or not for its size.

## Seconds that one may stand still before a reason has to be shown, and that a reason may be late.
## A person without a way looks for one again after a second.
const LATE := 1.5
## A person that has moved by less, in metres, stands still.
const STILL := 0.05
## A body stands on the ground, within so many metres. One has left a link that near to its end.
const ON_GROUND := 0.03
## Who is named as in the way is so near, in metres.
const IN_THE_WAY := 3.0
## Bodies that walk may touch: a part of the smaller one's width, for so many seconds.
const OVERLAP := 0.35
const OVERLAP_SECONDS := 2.0
## Physics steps between two looks at that.
const APART_EVERY := 12

var faults: PackedStringArray = []
## Steps over the edge of the cat flap.
var through_flap: PackedStringArray = []

var _scene: Node3D
var _grid: PathForgeGrid
var _people: HousePeople
var _seconds := 0.0
## By person: where it was when it last moved, and when; its cell; since when a reason is wrong.
var _still_at: Dictionary[HousePerson, Vector3] = {}
var _still_since: Dictionary[HousePerson, float] = {}
var _cells: Dictionary[HousePerson, Vector2i] = {}
var _wrong_since: Dictionary[HousePerson, float] = {}
var _over_since: Dictionary[Array, float] = {}


func _init(scene: Node3D) -> void:
	_scene = scene
	_grid = scene.get("grid")
	_people = scene.get("people")
	scene.get_tree().physics_frame.connect(_on_physics_frame)


func stop() -> void:
	_scene.get_tree().physics_frame.disconnect(_on_physics_frame)


func _on_physics_frame() -> void:
	_seconds += Engine.time_scale / Engine.physics_ticks_per_second
	var on: Dictionary[int, int] = {}
	for person: HousePerson in _people.all:
		var link := person.agent.get_current_link()
		if link >= 0:
			on[link] = on.get(link, 0) + 1
			_takes_a_link_for_it(person, link)
			_cells.erase(person)
		else:
			_is_on_the_ground(person)
			_crosses_nothing(person)
		_has_a_reason(person)
	for link: int in on:
		var most := _grid.get_link_capacity(link)
		if most > 0 and on[link] > most:
			_note("%d are on the %s for %d" % [on[link], _grid.get_link_tag(link), most])
	for person: HousePerson in _people.all:
		_has_a_true_reason(person, on)
	if Engine.get_physics_frames() % APART_EVERY == 0:
		_are_apart()


func _takes_a_link_for_it(person: HousePerson, link: int) -> void:
	var most := _grid.get_link_max_footprint(link)
	if person.profile.footprint.x > most.x:
		_note("%s is on the %s" % [person.title(), _grid.get_link_tag(link)])


func _is_on_the_ground(person: HousePerson) -> void:
	var storey := HousePlan.storey_of(person.stand())
	var off := absf(person.global_position.y - storey * HousePlan.STOREY)
	if off > ON_GROUND:
		_note("%s is %.2f m off the ground" % [person.title(), off])
	if person.kind == "Porter" and storey == 1:
		_note("%s is on the first floor" % person.title())


## The middle of its body is in no closed cell, and steps over no blocked edge.
func _crosses_nothing(person: HousePerson) -> void:
	var at := Vector2(person.global_position.x, person.global_position.z) / HousePlan.CELL
	var storey := roundi(person.global_position.y / HousePlan.STOREY)
	var cell := HousePlan.cell(storey, Vector2i(at.floor()))
	if not _grid.is_in_bounds(cell.x, cell.y) or _grid.is_point_solid(cell):
		_note("%s is in the closed cell %s" % [person.title(), cell])
		return
	var before: Vector2i = _cells.get(person, cell)
	_cells[person] = cell
	if absi(cell.x - before.x) != 1:
		return
	var row := before.y
	if _grid.is_edge_blocked(
		Vector2i(before.x, row), SIDE_RIGHT if cell.x > before.x else SIDE_LEFT
	):
		_note("%s goes from %s to %s through a wall" % [person.title(), before, cell])
	var flap := HousePlan.CAT_FLAP.position
	if maxi(cell.x, before.x) == flap.x and row == flap.y:
		through_flap.append(person.title())


func _has_a_reason(person: HousePerson) -> void:
	var at := person.global_position
	if at.distance_to(_still_at.get(person, Vector3.INF)) > STILL or not person.why().is_empty():
		_still_at[person] = at
		_still_since[person] = _seconds
	elif _seconds - _still_since[person] > LATE:
		_still_since[person] = _seconds
		_note(
			"%s stands still at %s without a reason: %s" % [person.title(), at, person.activity()]
		)


func _has_a_true_reason(person: HousePerson, on: Dictionary[int, int]) -> void:
	if _is_reason_true(person, on):
		_wrong_since[person] = _seconds
	elif _seconds - _wrong_since.get(person, _seconds) > LATE:
		_wrong_since[person] = _seconds
		var words := [person.title(), person.global_position, person.why(), person.metres_left()]
		_note("%s at %s is not right: %s, with %.2f m to go" % words)


func _is_reason_true(person: HousePerson, on: Dictionary[int, int]) -> bool:
	match person.state():
		HousePerson.State.BUSY:
			var is_there := HousePlan.room(person.room).has_point(person.stand())
			return is_there and _grid.can_stand(person.stand(), person.profile)
		HousePerson.State.AWAITING:
			var link := person.agent.get_awaited_link()
			return on.get(link, 0) >= _grid.get_link_capacity(link)
		HousePerson.State.BEHIND:
			return _is_any_near(person, person.blockers)
		HousePerson.State.NO_WAY:
			return not _grid.is_reachable(person.stand(), person.spot, person.profile)
	return true


## A person that is named is near; if none is named, any other person is.
func _is_any_near(person: HousePerson, titles: PackedStringArray) -> bool:
	return _people.all.any(
		func(other: HousePerson) -> bool:
			var is_meant := titles.is_empty() or other.title() in titles
			var off := other.global_position - person.global_position
			return is_meant and other != person and off.length() < IN_THE_WAY
	)


func _are_apart() -> void:
	for first: int in _people.all.size():
		for second: int in first:
			var pair: Array[HousePerson] = [_people.all[first], _people.all[second]]
			if _overlap(pair[0], pair[1]) < OVERLAP:
				_over_since.erase(pair)
			elif pair not in _over_since:
				_over_since[pair] = _seconds
			elif _seconds - _over_since[pair] > OVERLAP_SECONDS:
				_over_since[pair] = _seconds
				_note("%s and %s overlap" % [pair[0].title(), pair[1].title()])


## How much two bodies that are on no link lie over each other, as a part of the smaller one.
static func _overlap(one: HousePerson, other: HousePerson) -> float:
	var off := one.global_position - other.global_position
	if absf(off.y) > 1.0:
		return 0.0
	if one.agent.get_current_link() >= 0 or other.agent.get_current_link() >= 0:
		return 0.0
	var room := (one.width() + other.width()) * 0.45 - off.length()
	return room / minf(one.width(), other.width())


func _note(what: String) -> void:
	faults.append("%.1f s: %s" % [_seconds, what])
