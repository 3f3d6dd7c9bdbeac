class_name TownUnit
extends Node2D
## One unit: where it stands, the way that it walks, and in words what it is doing. It is always on
## a stand of its footprint or between two neighbouring ones.

## It stopped: at its goal, as near as it gets, or off a building site that it had to leave.
signal came_to_rest(was_leaving: bool)

enum State { IDLE, MOVING, WAITING, BLOCKED, LEAVING }
## What the traffic answers when a unit asks for its next stand.
enum Permit { GO, GIVE_WAY, GATE_MOVES }

var kind: TownUnitKind
## Which of its kind it is, from 1 on.
var number := 0
var state := State.IDLE
## Where it stands, or comes from while it is between two stands.
var stand := Vector2i.ZERO
## Where it steps to; its stand while it does not.
var next_stand := Vector2i.ZERO
## The stand that is kept free for it.
var goal := Vector2i.ZERO
## The cell that the player pointed at, until the unit has reached it.
var wish := Vector2i.MIN
## The way that it walks, or walked last.
var path: PathForgePath
## Why the way does not end where the player pointed; null when it does.
var refusal: PathForgePath
## What the map was like round its wish when it was refused, see [method TownStands.outlook].
var outlook: Array[Vector2i] = []
## What it was told when it last asked for its next stand.
var permit := Permit.GO
## Who is in the way of its next step, and how long it has waited, in seconds.
var waits_for: TownUnit
var waited := 0.0
## Whom it steps aside for, and how often it has done so on this journey.
var aside_for: TownUnit
var yields := 0
## Who was in the way when it stayed where it is, without having got to its goal.
var stopped_by: TownUnit
var is_selected := false
## Asks for the next stand: [code]func(unit: TownUnit, stand: Vector2i) -> Permit[/code].
var ask := Callable()

var _grid: PathForgeGrid
var _way: Array[Vector2i] = []
var _way_at := 0
var _progress := 0.0


func set_up(grid: PathForgeGrid, unit_kind: TownUnitKind, cell: Vector2i) -> void:
	_grid = grid
	kind = unit_kind
	stand = cell
	next_stand = cell
	goal = cell
	position = _centre(cell)


func _process(delta: float) -> void:
	var left := kind.speed * delta
	while left > 0.0:
		if next_stand == stand and not _take_next_step(delta):
			break
		var length := Vector2(next_stand - stand).length()
		var step := minf(left, length * (1.0 - _progress))
		_progress += step / length
		left -= step
		if _progress >= 1.0 - 1e-6:
			stand = next_stand
			_progress = 0.0
	position = _centre(stand).lerp(_centre(next_stand), _progress)


## Walks along [param new_path], which starts where [method planning_stand] is.
func follow(new_path: PathForgePath, why_not: PathForgePath, is_leaving := false) -> void:
	path = new_path
	refusal = why_not
	_way = new_path.cells
	_way_at = 1
	_forget_others()
	goal = _way[-1]
	_turn_to(_way[0])
	state = State.LEAVING if is_leaving else State.MOVING


## Stays where it is because there is no way at all; [param why_not] says why.
func give_up(why_not: PathForgePath) -> void:
	refusal = why_not
	_stop()


## Stays where it is because [param other] is in the way and has nowhere to go.
func stay(other: TownUnit) -> void:
	_stop()
	stopped_by = other


## Walks out of the way of [param walker]. Unless it was parked, it goes on afterwards.
func step_aside(new_path: PathForgePath, walker: TownUnit) -> void:
	var was_going := wish != Vector2i.MIN
	follow(new_path, refusal)
	aside_for = walker if was_going else null
	yields += 1


## Whether it stands aside until another one has passed.
func is_aside() -> bool:
	return aside_for != null and state == State.WAITING and _way_at >= _way.size()


## The stand that its next way starts from: the one ahead, or the one behind when that was closed.
func planning_stand() -> Vector2i:
	return stand if fits(stand) and not fits(next_stand) else next_stand


## The stand that has its middle on its wish.
func wanted() -> Vector2i:
	return wish - (kind.footprint() - Vector2i.ONE) / 2


## True where the map leaves room for its body.
func fits(cell: Vector2i) -> bool:
	return _grid.can_stand(cell, kind.profile)


## True when the map changed so that it fits neither where it comes from nor where it goes.
func is_covered() -> bool:
	return not fits(stand) and not fits(next_stand)


## "Hauler 2"
func title() -> String:
	return "%s %d" % [kind.title, number]


func is_at_rest() -> bool:
	return state == State.IDLE or state == State.BLOCKED


## The cells that it keeps free for itself at its goal.
func goal_cells() -> Rect2i:
	return Rect2i(goal, kind.footprint())


## The cells of its stand and of the one that it steps to.
func used_cells() -> Rect2i:
	return Rect2i(stand, kind.footprint()).merge(Rect2i(next_stand, kind.footprint()))


## What its body covers now, in the map's pixels.
func body() -> Rect2:
	var size := Vector2(kind.footprint()) * _grid.cell_size
	return Rect2(position - size * 0.5, size)


## The stands still ahead of it.
func way_ahead() -> Array[Vector2i]:
	var ahead: Array[Vector2i] = []
	if is_at_rest():
		return ahead
	ahead.append(next_stand)
	ahead.append_array(_way.slice(_way_at))
	return ahead


## True when [param cell] lies on its way off a building site.
func must_cross(cell: Vector2i) -> bool:
	if state != State.LEAVING:
		return false
	var last := Rect2i(stand, kind.footprint())
	for ahead: Vector2i in way_ahead():
		var here := Rect2i(ahead, kind.footprint())
		if last.merge(here).has_point(cell):
			return true
		last = here
	return false


## How far it still has to go, in cells.
func distance_ahead() -> float:
	var length := (1.0 - _progress) * Vector2(next_stand - stand).length()
	var previous := next_stand
	for cell: Vector2i in _way.slice(_way_at):
		length += Vector2(cell - previous).length()
		previous = cell
	return length


## Where it is heading.
func direction() -> Vector2:
	if next_stand != stand:
		return Vector2(next_stand - stand).normalized()
	return Vector2.ZERO


## Turns back when [param cell] is not the stand ahead.
func _turn_to(cell: Vector2i) -> void:
	if cell != next_stand:
		stand = next_stand
		next_stand = cell
		_progress = 1.0 - _progress


## Asks for the stand ahead. False when there is none, or when another is in the way.
func _take_next_step(delta: float) -> bool:
	if _way_at >= _way.size():
		if aside_for != null:
			state = State.WAITING
		elif not is_at_rest():
			var was_leaving := state == State.LEAVING
			state = State.IDLE if refusal == null else State.BLOCKED
			came_to_rest.emit(was_leaving)
		return false
	var was_leaving := state == State.LEAVING
	permit = ask.call(self, _way[_way_at])
	if permit != Permit.GO:
		state = State.LEAVING if was_leaving else State.WAITING
		waited += delta
		return false
	if not was_leaving:
		state = State.MOVING
	waited = 0.0
	next_stand = _way[_way_at]
	_way_at += 1
	return true


func _stop() -> void:
	_way = []
	_way_at = 0
	_forget_others()
	goal = planning_stand()
	_turn_to(goal)
	state = State.BLOCKED


func _forget_others() -> void:
	waits_for = null
	waited = 0.0
	aside_for = null
	stopped_by = null


func _centre(cell: Vector2i) -> Vector2:
	return _grid.cell_to_local(cell, kind.profile)
