class_name TownUnit
extends Node2D
## A unit that walks with a PathForgeAgent2D: where it was sent, why it cannot get there, and in
## words what it is doing. Its position is the middle of its body.

## A way was found for it, or refused.
signal planned(path: PathForgePath)

enum State { PARKED, MOVING, WAITING, BLOCKED, LEAVING, HELD_UP, ASIDE }

## What a unit does that is on its way.
const MOBILE: Array[State] = [State.MOVING, State.WAITING, State.LEAVING]
## A unit that walks less than this part of its speed gives way to others.
const SLOW := 0.2
## What an outline leaves of its footprint on each side, in cells.
const MARGIN := 0.1
## Units that share a goal rest around it, and so many cells off all have room. A unit that others
## keep farther off does not count as parked.
const FAR := 6.0
## Seconds between two looks at who holds it up.
const LOOK := 0.25

@export var kind: TownUnitKind

## Which of its kind it is, from 1 on.
var number := 0
## The cell that the player pointed at.
var wish := Vector2i.MIN
## Why its way does not end where the player pointed; null when it does.
var refusal: PathForgePath
var velocity := Vector2.ZERO
var is_selected := false
## The units that hold it up.
var blockers: Array[TownUnit] = []

var _looked := 0.0
var _grid: PathForgeGrid

@onready var agent: PathForgeAgent2D = $Agent


func set_up(grid: PathForgeGrid, cell: Vector2i) -> void:
	_grid = grid
	position = grid.cell_to_local(cell, kind.profile)
	agent.grid = grid
	agent.profile = kind.profile
	agent.path_changed.connect(_on_agent_path_changed)
	agent.navigation_failed.connect(_on_agent_navigation_failed)
	($View as TownUnitView).begin(grid.cell_size.x)


## All that it takes to walk: the agent keeps clear of walls and of all other agents, makes way for
## them, and leaves what was built over it.
func _physics_process(delta: float) -> void:
	velocity = agent.get_next_velocity(kind.speed * _grid.cell_size.x)
	position += velocity * delta
	_looked += delta
	if _looked >= LOOK:
		_looked = 0.0
		_look_who_is_in_the_way()


## Sends it to a cell, or as near as its body comes.
func send(cell: Vector2i) -> void:
	wish = cell
	agent.target_position = _grid.cell_to_global(cell)


func state() -> State:
	if not fits(stand()):
		return State.LEAVING
	if _is_held_up():
		return State.HELD_UP
	if not agent.is_navigation_finished():
		var is_slow := velocity.length() < SLOW * kind.speed * _grid.cell_size.x
		return State.WAITING if is_slow else State.MOVING
	if refusal != null:
		return State.BLOCKED
	# It was there, and has made way for units that came later.
	return State.ASIDE if way_left() > FAR else State.PARKED


## Whether it stands where it is to stay.
func is_at_rest() -> bool:
	return velocity.length() < 1.0 and state() not in MOBILE


## Others keep it from its goal, and it rests farther off than units that share a goal have to.
func _is_held_up() -> bool:
	if blockers.is_empty():
		return false
	return not agent.is_navigation_finished() or way_left() > FAR


## How far its goal is, in cells: the end of its way, or where it was sent.
func way_left() -> float:
	if wish == Vector2i.MIN:
		return 0.0
	var end := agent.get_final_position()
	if end == agent.global_position:
		end = agent.target_position
	return position.distance_to(end) / _grid.cell_size.x


## "Barge 1, Tank 3"
func names_of_blockers() -> String:
	var titles := blockers.map(func(other: TownUnit) -> String: return other.title())
	if titles.size() > 2:
		return "%s and %d more" % [titles[0], titles.size() - 1]
	return "others" if titles.is_empty() else ", ".join(PackedStringArray(titles))


func _look_who_is_in_the_way() -> void:
	blockers.clear()
	if not agent.is_blocked_by_others():
		return
	for other: PathForgeAgent2D in agent.get_blockage().nodes:
		blockers.append(other.get_parent() as TownUnit)


## The stand that it is on, or nearest to.
func stand() -> Vector2i:
	return _grid.local_to_cell(position, kind.profile)


## True where the map leaves room for its body.
func fits(cell: Vector2i) -> bool:
	return _grid.can_stand(cell, kind.profile)


## "Hauler 2"
func title() -> String:
	return "%s %d" % [kind.title, number]


## What its body covers now, in the map's pixels.
func body() -> Rect2:
	var size := Vector2(kind.footprint()) * _grid.cell_size
	return Rect2(position - size * 0.5, size)


## The box that keeps clear of others, in the map's pixels: see [member PathForgeProfile.outline].
func outline() -> Rect2:
	return body().grow(-MARGIN * _grid.cell_size.x)


## Half of its outline's shorter side.
func half_width() -> float:
	return minf(outline().size.x, outline().size.y) * 0.5


## The way ahead, from where it is.
func way() -> PackedVector2Array:
	var points := PackedVector2Array([position])
	if not agent.is_navigation_finished():
		var all := agent.get_current_navigation_path()
		points.append_array(all.slice(agent.get_current_navigation_path_index()))
	return points


## Every stand of the way that it walks, or walked last.
func stands() -> Array[Vector2i]:
	var path := agent.get_current_path()
	return [] as Array[Vector2i] if path == null else path.cells


## How far it still has to go, in cells.
func distance_ahead() -> float:
	var points := way()
	var length := 0.0
	for place: int in range(1, points.size()):
		length += points[place - 1].distance_to(points[place])
	return length / _grid.cell_size.x


## The way leads as near as the body comes. Why not farther, the query for all of it says.
func _on_agent_path_changed() -> void:
	var path := agent.get_current_path()
	planned.emit(path)
	refusal = null
	if not path.is_complete():
		refusal = _grid.find_path(path.cells[-1], wish, kind.profile, PathForgeGrid.GOAL_COVER)


func _on_agent_navigation_failed(path: PathForgePath) -> void:
	refusal = path
	planned.emit(path)
