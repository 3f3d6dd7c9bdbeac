class_name HousePerson
extends Node3D
## One of the people, with an errand in some room. Walks there with a PathForgeAgent3D, over stairs
## and links, and says over its head why it stands still. Its position is the middle of its feet.

## The errand is done, or given up.
signal errand_ended

enum State { WALKING, ON_LINK, BUSY, AWAITING, BEHIND, NO_WAY }

## A person that comes on by less than this part of its speed stands still.
const SLOW := 0.1
## Seconds between two looks at what holds it up.
const LOOK := 0.2
## So near to its place it is there, in metres.
const NEAR := 1.2
const TURN_RATE := 9.0
const COLORS: Dictionary[State, Color] = {
	State.BUSY: DemoPalette.TEXT_DIM,
	State.AWAITING: DemoPalette.WARN,
	State.BEHIND: DemoPalette.WARN,
	State.NO_WAY: DemoPalette.BAD,
}

var kind := ""
## Where it is to be, and the room of that.
var spot := Vector2i.MIN
var room := ""
var profile: PathForgeProfile
var speed := 1.5
var velocity := Vector3.ZERO
var is_selected := false:
	set(value):
		is_selected = value
		_ring.visible = value
		agent.debug_enabled = value
## Who is in its way.
var blockers: PackedStringArray = []

## Seconds that it stays, once it is there.
var _stay := 0.0
var _looked := 0.0
## Where it was then, and how fast it has come from there, in metres a second.
var _seen_at := Vector3.ZERO
var _pace := 0.0
var _heading := 0.0
var _tag := ""
var _refusal: PathForgePath
var _grid: PathForgeGrid
var _house: PathForgeSpace3D

@onready var agent: PathForgeAgent3D = $Agent
@onready var _figure: MeshInstance3D = $Figure
@onready var _plate: MeshInstance3D = $Plate
@onready var _ring: MeshInstance3D = $Ring
@onready var _sign: Label3D = $Sign


func set_up(grid: PathForgeGrid, house: PathForgeSpace3D, of_kind: String, looks: Mesh) -> void:
	_grid = grid
	_house = house
	kind = of_kind
	_figure.mesh = looks
	_ring.scale = Vector3.ONE * width()
	_plate.scale = Vector3(width(), 1.0, width())
	_sign.position.y = height() + 0.45
	agent.space = house
	agent.profile = profile
	agent.path_changed.connect(func() -> void: _refusal = null)
	agent.navigation_failed.connect(func(path: PathForgePath) -> void: _refusal = path)
	agent.link_reached.connect(_on_agent_link_reached)
	agent.link_left.connect(_on_agent_link_left)


## All that it takes to walk from floor to floor.
func _physics_process(delta: float) -> void:
	velocity = agent.get_next_velocity(speed)
	global_position += velocity * delta
	var on := _house.floor_at(global_position)
	if on != null and agent.get_current_link() < 0:
		global_position = on.snap_to_ground(global_position)
	_looked += delta
	if _looked >= LOOK:
		_pace = global_position.distance_to(_seen_at) / _looked
		_seen_at = global_position
		_looked = 0.0
		_look_what_is_in_the_way()
	if agent.is_navigation_finished():
		_stay -= delta
		if _stay <= 0.0:
			errand_ended.emit()


func _process(delta: float) -> void:
	var walk := Vector2(velocity.x, velocity.z)
	if walk.length() > 0.3:
		var aim := atan2(-walk.x, -walk.y)
		_heading = lerp_angle(_heading, aim, 1.0 - exp(-TURN_RATE * delta))
	_figure.rotation.y = _heading
	var now := state()
	_sign.text = why()
	_sign.modulate = COLORS.get(now, DemoPalette.TEXT)
	_sign.pixel_size = 0.0095 if now == State.BUSY else 0.012


## Sends it to a cell of a room, to stay there for some seconds.
func send(cell: Vector2i, stay: float) -> void:
	spot = cell
	room = HousePlan.room_at(cell)
	_stay = stay
	_refusal = null
	_pace = speed
	_looked = 0.0
	_seen_at = global_position
	agent.target_position = _house.cell_to_global(cell, profile)


func state() -> State:
	if agent.get_current_link() >= 0:
		return State.ON_LINK
	if agent.get_awaited_link() >= 0:
		return State.AWAITING
	if _refusal != null:
		return State.NO_WAY
	if agent.is_navigation_finished() and _is_there():
		return State.BUSY
	return State.WALKING if _pace > SLOW * speed else State.BEHIND


## Why it stands still, in words; empty when it walks.
func why() -> String:
	match state():
		State.BUSY:
			return HousePlan.ROOMS[room][2]
		State.AWAITING:
			return "waits for the %s" % _grid.get_link_tag(agent.get_awaited_link())
		State.BEHIND:
			return "behind %s" % blockers[0] if not blockers.is_empty() else "lets others pass"
		State.NO_WAY:
			return "no way to the %s" % room
	return ""


## What it is doing, for the panel.
func activity() -> String:
	match state():
		State.ON_LINK:
			return "on the %s, to the %s" % [_tag, room]
		State.WALKING:
			return "to the %s" % room
	return why()


## Why there is no way: the door that was locked last, or what PathForge says.
func no_way(doors: Array[HouseDoor]) -> String:
	var answer := _grid.explain(stand(), spot, profile)
	for door: HouseDoor in doors:
		if door.is_locked and door.is_closed_by(answer.closed_by):
			return "The %s is locked." % door.title.to_lower()
	return answer.text


## "Child 3"
func title() -> String:
	return String(name)


func width() -> float:
	return profile.footprint.x * HousePlan.CELL


func height() -> float:
	return HousePeople.KINDS[kind]["height"]


## The top-left cell of its body.
func stand() -> Vector2i:
	var on := _house.floor_at(global_position)
	return (on if on != null else _house).global_to_cell(global_position, profile)


## What it fills, for clicks and doors.
func box() -> AABB:
	var size := Vector3(width() * 0.9, height(), width() * 0.9)
	return AABB(global_position - Vector3(size.x * 0.5, 0.0, size.z * 0.5), size)


func metres_left() -> float:
	return global_position.distance_to(agent.target_position)


## Near its place, and not on the other side of a wall.
func _is_there() -> bool:
	return metres_left() < NEAR and HousePlan.room_at(stand()) == room


func _look_what_is_in_the_way() -> void:
	blockers.clear()
	if state() != State.BEHIND:
		return
	for other: PathForgeAgent3D in agent.get_blockage().nodes:
		blockers.append((other.get_parent() as HousePerson).title())


func _on_agent_link_reached(details: Dictionary) -> void:
	_tag = details["tag"]
	_plate.visible = _tag == "lift"


func _on_agent_link_left(_details: Dictionary) -> void:
	_plate.visible = false
