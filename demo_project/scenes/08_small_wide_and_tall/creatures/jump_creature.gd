class_name JumpCreature
extends CharacterBody2D
## One character: ordinary gravity, a body of whole cells, and a follower that says which buttons
## to press, or the player's own keys.

## It asked for a way; [param new_path] may be none.
signal planned(new_path: PathForgePath)
signal resized

enum State { RESTING, CHASING, LOST, DRIVEN }

const GRAVITY := 980.0
const SIDE_MAX := 5
const JUMP_MAX := 6
## How much smaller than its cells the body is, so that it does not rub against walls.
const SLACK := Vector2(2.0, 2.0)

@export var profile: PathForgeJumpProfile
@export var title := ""
@export var colour := Color.WHITE
## Its size at first, in cells.
@export var first_size := Vector2i.ONE

var jump_speed := 0.0
var state := State.RESTING
## The way that it goes, or went last.
var path: PathForgePath
## The cells where it stands, or will in the end; none before it has asked.
var place := Rect2i()
## Where all of them stand.
var places: JumpPlaces
## The ground cell that it goes to, or [constant Vector2i.MIN].
var goal := Vector2i.MIN
## The ground cell that it was sent to last, also after it has come there.
var wish := Vector2i.MIN
var is_selected := false
## Whether it listens to the keys.
var is_led := false
## How high its jump gets, in cells.
var jump_height := 3:
	set(value):
		jump_height = clampi(value, 0, JUMP_MAX)
		jump_speed = sqrt(2.0 * GRAVITY * (jump_height + 0.3) * _cell_size.y)
		profile.jump_speed = jump_speed
		rethink()

var _platformer: PathForgePlatformer
var _cell_size := Vector2.ZERO
var _follower := PathForgePlatformFollower.new()
var _is_to_ask := false

@onready var _box: RectangleShape2D = ($Shape as CollisionShape2D).shape


## Puts it into the level, with its feet in [param cell].
func set_up(platformer: PathForgePlatformer, cell_size: Vector2, cell: Vector2i) -> void:
	_platformer = platformer
	_cell_size = cell_size
	jump_height = 3
	_follower.arrived.connect(_on_arrived)
	_follower.gave_up.connect(_on_gave_up)
	_take_size(first_size, cell - Vector2i(0, first_size.y - 1))


## Sends it to a ground cell. It asks for its way when it next stands.
func chase(cell: Vector2i) -> void:
	goal = cell
	wish = cell
	place = Rect2i()
	_is_to_ask = true


## The level or the body is not what it was: asks again when it next stands.
func rethink() -> void:
	if goal != Vector2i.MIN and state != State.DRIVEN:
		_is_to_ask = true


## Its top-left cell.
func cell_now() -> Vector2i:
	return _platformer.global_to_cell(global_position, profile)


## What its body covers with its top-left cell at [param cell].
func cells_at(cell: Vector2i) -> Rect2i:
	return Rect2i(cell, profile.footprint)


## The cells that others keep clear of: where it will stand or, while it is driven, where it is.
func kept_place() -> Rect2i:
	return cells_at(cell_now()) if state == State.DRIVEN else place


## How many steps of its way are ahead.
func steps_ahead() -> int:
	return path.cells.size() - _follower.get_reached_index() if path != null else 0


## The cells of its body on the map, in pixels.
func body() -> Rect2:
	var pixels := Vector2(profile.footprint) * _cell_size
	return Rect2(position - pixels * 0.5, pixels)


## Changes its size where there is room for it. Returns false where there is not.
func resize(size: Vector2i) -> bool:
	var cell := _room_for(size.clampi(1, SIDE_MAX))
	if cell == Vector2i.MIN:
		return false
	_follower.stop()
	_take_size(size.clampi(1, SIDE_MAX), cell)
	if goal == Vector2i.MIN and state != State.DRIVEN:
		# At rest: the larger body may lie over another one, so it looks for a place.
		var feet := cells_at(cell_now())
		chase(wish if wish != Vector2i.MIN else Vector2i(feet.get_center().x, feet.end.y - 1))
	else:
		rethink()
	return true


## How many cells its body is away from where it was sent; 0 when it covers that cell.
func cells_off() -> int:
	var body_cells := cells_at(cell_now())
	return roundi(
		Vector2(wish - wish.clamp(body_cells.position, body_cells.end - Vector2i.ONE)).length()
	)


## What it is doing, in a few words.
func activity() -> String:
	match state:
		State.CHASING:
			return "on its way"
		State.LOST:
			return "gave up on its way"
		State.DRIVEN:
			return "driven by you"
	if wish == Vector2i.MIN:
		return "waits for you"
	var off := cells_off()
	if off == 0:
		return "is there"
	return "rests %d cell%s from there" % [off, "" if off == 1 else "s"]


func _physics_process(delta: float) -> void:
	var steer := Input.get_axis(&"ui_left", &"ui_right") if is_led else 0.0
	var leaps := is_led and (Input.is_action_pressed(&"ui_up") or _is_space_pressed())
	var drops := is_led and Input.is_action_pressed(&"ui_down")
	if steer != 0.0 or leaps or drops:
		_take_over()
	if _is_to_ask and is_on_floor():
		_ask()
	if state == State.DRIVEN:
		_move(steer, leaps, drops, delta)
	else:
		_follower.step(global_position, velocity, is_on_floor(), delta)
		_move(_follower.axis, _follower.jump, _follower.drop, delta)


func _is_space_pressed() -> bool:
	return Input.is_key_pressed(KEY_SPACE)


## All the physics there is: the same for keys and follower.
func _move(axis: float, jump: bool, drop: bool, delta: float) -> void:
	velocity.x = axis * profile.run_speed
	velocity.y += GRAVITY * delta
	if jump and is_on_floor():
		velocity.y = -jump_speed
	elif not jump and velocity.y < 0.0:
		velocity.y = 0.0  # A button that is let go ends the jump.
	if drop and is_on_floor():
		position.y += 2.0  # Through the planks.
	move_and_slide()


func _ask() -> void:
	_is_to_ask = false
	path = places.path_for(self, goal)
	state = State.CHASING if path.is_complete() else State.LOST
	place = cells_at(path.cells[-1] if path.is_complete() else cell_now())
	_follower.follow(path if path.is_complete() else null)
	planned.emit(path)


func _take_over() -> void:
	state = State.DRIVEN
	goal = Vector2i.MIN
	wish = Vector2i.MIN
	_is_to_ask = false
	place = Rect2i()
	_follower.stop()


func _take_size(size: Vector2i, cell: Vector2i) -> void:
	profile.footprint = size
	_box.size = Vector2(size) * _cell_size - SLACK
	global_position = _platformer.cell_to_global(cell, profile) + Vector2(0.0, SLACK.y * 0.5)
	velocity = Vector2.ZERO
	resized.emit()


## The nearest cell where a body of that size fits, with its feet where they are if it can.
func _room_for(size: Vector2i) -> Vector2i:
	var here := cell_now()
	var middle := here.x + int((profile.footprint.x - size.x) / 2.0)
	var feet := here.y + profile.footprint.y - size.y
	var resized_profile: PathForgeJumpProfile = profile.duplicate()
	resized_profile.footprint = size
	for up: int in [0, -1, 1, -2]:
		for side: int in [0, -1, 1, -2, 2, -3, 3, -4, 4]:
			var cell := Vector2i(middle + side, feet + up)
			if _platformer.can_stand(cell, resized_profile):
				return cell
	return Vector2i.MIN


func _on_arrived() -> void:
	state = State.RESTING
	goal = Vector2i.MIN


func _on_gave_up(_reason: int) -> void:
	state = State.LOST
