class_name HillsUnit
extends Node3D
## A unit that walks with a PathForgeAgent3D: where it was sent, why it cannot get there, and in
## words what it is doing. Its position is the middle of its body, on the ground.

enum State { PARKED, MOVING, WAITING, BLOCKED, LEAVING, HELD_UP, ASIDE }

const WORDS: Dictionary[State, String] = {
	State.WAITING: "gives way",
	State.BLOCKED: "no path there",
	State.ASIDE: "made way for others",
	State.LEAVING: "leaves the building site",
}
## A unit that walks less than this part of its speed gives way to others.
const SLOW := 0.2
## Units that share a goal rest around it, and so many metres off all have room. A unit that others
## keep farther off does not count as being there.
const FAR := 6.0
## Seconds between two looks at what holds it up.
const LOOK := 0.25
const TURN_RATE := 8.0

@export var kind := &""
@export var profile: PathForgeProfile
## Metres a second.
@export var speed := 3.0
## How high it is, for clicks and for what hovers above it.
@export var height := 2.0
## If true, it leans as the ground does, as what has four legs or wheels; else it stands upright.
@export var leans := true
## Which of its kind it is, from 1 on.
@export var number := 1
@export var cell := Vector2i.ZERO
## Where it is sent at first; (0, 0) for nowhere.
@export var first_goal := Vector2i.ZERO

## The cell that the player pointed at.
var wish := Vector2i.MIN
## Why its path does not end where the player pointed; null when it does.
var refusal: PathForgePath
var velocity := Vector3.ZERO
var is_selected := false:
	set(value):
		is_selected = value
		_ring.visible = value
		agent.debug_enabled = value
## What holds it up.
var blockers: PackedStringArray = []

var _looked := 0.0
var _heading := 0.0
var _grid: PathForgeGrid
var _space: PathForgeSpace3D

@onready var agent: PathForgeAgent3D = $Agent
@onready var _figure: Node3D = $Figure
@onready var _ring: Node3D = $Ring
@onready var _sign: Label3D = $Sign


func set_up(grid: PathForgeGrid, space: PathForgeSpace3D) -> void:
	_grid = grid
	_space = space
	agent.space = space
	agent.path_changed.connect(_on_agent_path_changed)
	agent.navigation_failed.connect(_on_agent_navigation_failed)


## All that it takes to walk: the agent keeps clear of walls and of all other agents.
func _physics_process(delta: float) -> void:
	velocity = agent.get_next_velocity(speed)
	global_position = _space.snap_to_ground(global_position + velocity * delta)
	_looked += delta
	if _looked >= LOOK:
		_looked = 0.0
		_look_what_is_in_the_way()


func _process(delta: float) -> void:
	if velocity.length() > 0.4:
		var aim := atan2(-velocity.x, -velocity.z)
		_heading = lerp_angle(_heading, aim, 1.0 - exp(-TURN_RATE * delta))
	var tilt := _tilt()
	_figure.basis = (tilt if leans else Basis.IDENTITY) * Basis(Vector3.UP, _heading)
	_ring.transform = Transform3D(tilt, tilt.y * 0.25)
	var now := state()
	var is_in_trouble := now in [State.BLOCKED, State.LEAVING, State.HELD_UP]
	_sign.visible = is_in_trouble
	_sign.modulate = DemoPalette.BAD if now == State.BLOCKED else DemoPalette.WARN


## Sends it to a cell, or as near as its body comes.
func send(cell: Vector2i) -> void:
	wish = cell
	agent.target_position = _space.cell_to_global(cell)


func state() -> State:
	if not _grid.can_stand(stand(), profile):
		return State.LEAVING
	if _is_held_up():
		return State.HELD_UP
	if not agent.is_navigation_finished():
		return State.WAITING if velocity.length() < SLOW * speed else State.MOVING
	if refusal != null:
		return State.BLOCKED
	# It was there, and has made way for units that came later.
	return State.ASIDE if metres_left() > FAR else State.PARKED


func is_at_rest() -> bool:
	var is_mobile := state() in [State.MOVING, State.WAITING, State.LEAVING]
	return velocity.length() < 0.05 and not is_mobile


## In words, for the panel.
func activity() -> String:
	match state():
		State.MOVING when refusal == null:
			return "%d m to go" % ceili(metres_ahead())
		State.MOVING:
			return "as near as it fits, %d m to go" % ceili(metres_ahead())
		State.HELD_UP:
			return "held up by %s" % ", ".join(blockers)
		State.PARKED:
			return "stands" if wish == Vector2i.MIN else "is there"
	return WORDS[state()]


## How many cells its body is wide.
func side() -> int:
	return profile.footprint.x


## "Giant 2"
func title() -> String:
	return "%s %d" % [kind, number]


## The top-left cell of the place that it is on, or nearest to.
func stand() -> Vector2i:
	return _space.global_to_cell(global_position, profile)


## What its body covers, in metres on the plane.
func body() -> Rect2:
	var half := Vector2.ONE * side() * 0.5
	return Rect2(Vector2(global_position.x, global_position.z) - half, half * 2.0)


## How far the end of its path or, without one, its goal is, in metres on the plane.
func metres_left() -> float:
	if wish == Vector2i.MIN:
		return 0.0
	var end := agent.get_final_position()
	if end == agent.global_position:
		end = agent.target_position
	return Vector2(end.x - global_position.x, end.z - global_position.z).length()


## How far it still has to walk, in metres.
func metres_ahead() -> float:
	var points := agent.get_current_navigation_path()
	var at := global_position
	var length := 0.0
	for place: int in range(agent.get_current_navigation_path_index(), points.size()):
		length += at.distance_to(points[place])
		at = points[place]
	return length


## Others keep it from its goal, and it rests farther off than units that share a goal have to.
func _is_held_up() -> bool:
	return not blockers.is_empty() and (not agent.is_navigation_finished() or metres_left() > FAR)


func _look_what_is_in_the_way() -> void:
	blockers.clear()
	if not agent.is_blocked_by_others():
		return
	var blockage := agent.get_blockage()
	for other: PathForgeAgent3D in blockage.nodes:
		blockers.append((other.get_parent() as HillsUnit).title())
	var people := blockage.ids.size() - blockage.nodes.size()
	if people > 0:
		blockers.append("%d people" % people if people > 1 else "a person")


## As the ground below its body is tilted.
func _tilt() -> Basis:
	var reach := side() * 0.5
	var east := _space.snap_to_ground(global_position + Vector3(reach, 0, 0))
	var west := _space.snap_to_ground(global_position - Vector3(reach, 0, 0))
	var south := _space.snap_to_ground(global_position + Vector3(0, 0, reach))
	var north := _space.snap_to_ground(global_position - Vector3(0, 0, reach))
	var up := (south - north).cross(east - west).normalized()
	var right := (east - west).normalized()
	return Basis(right, up, right.cross(up)).orthonormalized()


## The path leads as near as the body comes.
func _on_agent_path_changed() -> void:
	var path := agent.get_current_path()
	refusal = null if path.is_complete() else path


func _on_agent_navigation_failed(path: PathForgePath) -> void:
	refusal = path
