extends Node
## Fingers in place of a mouse, for every lesson and showcase at once. A tap is a click, a finger
## that moves drags with the left button, and a finger that rests is the right button until it
## lifts. Two fingers zoom and move the scene's [DemoCamera] or [DemoOrbit].

enum Doing { NOTHING, WAITING, HOLDING, TWO_FINGERS }

## A finger that rests for so many seconds is the right button.
const REST_S := 0.5
## Of a frame that takes longer, so many seconds count: the finger may have been lifted meanwhile.
const FRAME_S := 0.03
## A finger that strays no further, in pixels, rests.
const SLACK := 12.0

var _doing := Doing.NOTHING
var _fingers: Dictionary[int, Vector2] = {}
var _began_at := Vector2.ZERO
var _rested_s := 0.0
## The button that the finger holds, and where the scene believes the pointer to be.
var _button := MOUSE_BUTTON_LEFT
var _pointer := Vector2.ZERO


func _process(delta: float) -> void:
	_rested_s += minf(delta, FRAME_S)
	if _doing == Doing.WAITING and _rested_s >= REST_S:
		_hold(MOUSE_BUTTON_RIGHT)


func _input(event: InputEvent) -> void:
	var touch := event as InputEventScreenTouch
	var drag := event as InputEventScreenDrag
	if touch != null:
		_on_touch(touch)
	elif drag != null:
		_on_drag(drag)
	else:
		return
	get_viewport().set_input_as_handled()


func _on_touch(touch: InputEventScreenTouch) -> void:
	if touch.pressed:
		_fingers[touch.index] = touch.position
		if _fingers.size() == 1:
			_doing = Doing.WAITING
			_began_at = touch.position
			_rested_s = 0.0
			_move(touch.position)
		else:
			_let_go()
			_doing = Doing.TWO_FINGERS
		return
	_fingers.erase(touch.index)
	if _fingers.is_empty():
		if _doing == Doing.WAITING and not touch.canceled:
			_hold(MOUSE_BUTTON_LEFT)
		_let_go()
		_doing = Doing.NOTHING


func _on_drag(drag: InputEventScreenDrag) -> void:
	var before := _spread()
	_fingers[drag.index] = drag.position
	match _doing:
		Doing.WAITING when drag.position.distance_to(_began_at) > SLACK:
			_hold(MOUSE_BUTTON_LEFT)
			_move(drag.position)
		Doing.HOLDING:
			_move(drag.position)
		Doing.TWO_FINGERS when before.has_area() and _fingers.size() == 2:
			var camera := get_viewport().get_camera_2d() as DemoCamera
			var orbit := get_viewport().get_camera_3d() as DemoOrbit
			if camera != null:
				camera.pinch(before, _spread())
			elif orbit != null:
				orbit.pinch(before, _spread())


## The middle between two fingers, and as its size how far apart they are.
func _spread() -> Rect2:
	if _fingers.size() != 2:
		return Rect2()
	var ends := _fingers.values()
	var first: Vector2 = ends[0]
	var second: Vector2 = ends[1]
	return Rect2((first + second) * 0.5, Vector2.ONE * first.distance_to(second))


func _hold(button: MouseButton) -> void:
	_doing = Doing.HOLDING
	_button = button
	_send_button(true)


func _let_go() -> void:
	if _doing == Doing.HOLDING:
		_send_button(false)


func _send_button(pressed: bool) -> void:
	var event := InputEventMouseButton.new()
	event.button_index = _button
	event.pressed = pressed
	event.button_mask = 1 << (_button - 1) if pressed else 0
	event.device = InputEvent.DEVICE_ID_EMULATION  # See DemoTools.is_touch().
	_send(event)


func _move(to: Vector2) -> void:
	var event := InputEventMouseMotion.new()
	var transform := get_viewport().get_final_transform()
	event.relative = transform.basis_xform(to - _pointer)
	event.button_mask = 1 << (_button - 1) if _doing == Doing.HOLDING else 0
	_pointer = to
	# Desktops with a touch screen say where the mouse is, not where the finger is.
	if DisplayServer.has_feature(DisplayServer.FEATURE_MOUSE_WARP):
		get_viewport().warp_mouse(to)
	_send(event)


func _send(event: InputEventMouse) -> void:
	event.position = get_viewport().get_final_transform() * _pointer
	event.global_position = event.position
	Input.parse_input_event(event)
