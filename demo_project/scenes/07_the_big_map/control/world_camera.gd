class_name WorldCamera
extends DemoCamera
## A camera for a large map: the left button drags it too, W, A, S, D and the edges of the view push
## it, and it can follow a traveller.

## The left button was pressed and released in one place, here in the scene's coordinates; by a
## finger, or by the mouse.
signal clicked(spot: Vector2, is_touch: bool)

## So near to an edge of the view, in pixels, the pointer pushes.
const EDGE := 12.0
## Within so many pixels a press is a click, not a drag.
const CLICK := 5.0

## Whether the left button is its own, and no tool's.
var has_left_button := true
## If true, it goes to [member followed]. Moving it otherwise ends that.
var is_following := false
var followed := Vector2.ZERO

var _pressed_at := Vector2.INF
var _pointer := Vector2.INF
var _is_dragging := false


func _process(delta: float) -> void:
	super(delta)
	var push := _wanted_by_keys() + _wanted_by_edges()
	if push != Vector2.ZERO:
		is_following = false
		position += push.limit_length() * PAN_SPEED * 1.4 * delta / zoom.x
		_stay_near()
	elif is_following:
		position = position.lerp(followed - _off_centre() / zoom.x, minf(delta * 8.0, 1.0))
		_stay_near()


## Not for what the panels take: a pointer over them pushes nothing.
func _input(event: InputEvent) -> void:
	var motion := event as InputEventMouseMotion
	if motion != null:
		_pointer = motion.position


func _notification(what: int) -> void:
	if what == NOTIFICATION_WM_MOUSE_EXIT or what == NOTIFICATION_APPLICATION_FOCUS_OUT:
		_pointer = Vector2.INF


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	var motion := event as InputEventMouseMotion
	if button != null and button.button_index == MOUSE_BUTTON_LEFT:
		if button.pressed:
			if not has_left_button:
				return
			_pressed_at = button.position
			_is_dragging = false
		elif _pressed_at.is_finite():
			if not _is_dragging:
				clicked.emit(spot_at(button.position), DemoTools.is_touch(button))
			_pressed_at = Vector2.INF
	elif motion != null and _pressed_at.is_finite():
		_is_dragging = _is_dragging or motion.position.distance_to(_pressed_at) > CLICK
		if _is_dragging:
			is_following = false
			position -= motion.relative / zoom.x
			_stay_near()
	else:
		super(event)


## What a place on the screen shows.
func spot_at(screen: Vector2) -> Vector2:
	return position + (screen - get_viewport_rect().get_center()) / zoom.x


## What of the scene is in view.
func seen() -> Rect2:
	var free := _free_rect()
	return Rect2(spot_at(free.position), free.size / zoom.x)


func key_hints() -> PackedStringArray:
	return ["Wheel|zoom", "Home|whole map"]


func show_all() -> void:
	is_following = false
	super()


## Puts a place into the middle of the view, and comes near.
func jump_to(spot: Vector2, near := 0.0) -> void:
	is_following = false
	zoom = Vector2.ONE * clampf(maxf(zoom.x, near), _zoom_min, zoom_max)
	position = spot - _off_centre() / zoom.x
	_stay_near()


func _wanted_by_keys() -> Vector2:
	return Vector2(
		int(Input.is_key_pressed(KEY_D)) - int(Input.is_key_pressed(KEY_A)),
		int(Input.is_key_pressed(KEY_S)) - int(Input.is_key_pressed(KEY_W))
	)


func _wanted_by_edges() -> Vector2:
	var free := _free_rect()
	if not free.has_point(_pointer) or _pressed_at.is_finite():
		return Vector2.ZERO
	var inner := free.grow(-EDGE)
	return (_pointer - _pointer.clamp(inner.position, inner.end)) / EDGE
