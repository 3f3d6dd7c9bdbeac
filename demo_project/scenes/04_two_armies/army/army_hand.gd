class_name ArmyHand
extends Node2D
## The mouse: a click on a soldier selects its army, a drag the armies in the frame, and a right
## click sends what is selected. So does a tap on the ground.

signal selection_changed
## Send what is selected there.
signal order_given(spot: Vector2)
## Why a click is not obeyed, in words.
signal refused(why: String)

## So near to a soldier, in pixels of the screen, a click means it.
const NEAR := 12.0
## Pixels of the screen that the pointer may stray in a click.
const SLOP := 5.0

var selected: Array[Army] = []

var _armies: Array[Army] = []
var _crowd: PathForgeCrowd
var _is_pressed := false
var _band := Rect2()


func set_up(armies: Array[Army], crowd: PathForgeCrowd) -> void:
	_armies = armies
	_crowd = crowd


func select(armies: Array[Army]) -> void:
	selected = armies
	selection_changed.emit()


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button != null and button.button_index == MOUSE_BUTTON_LEFT:
		if button.pressed:
			_is_pressed = true
			_band = Rect2(get_local_mouse_position(), Vector2.ZERO)
		elif _is_pressed:
			_finish(DemoTools.is_touch(button))
	elif button != null and button.button_index == MOUSE_BUTTON_RIGHT and button.pressed:
		_give_order()
	elif event is InputEventMouseMotion and _is_pressed:
		_band.size = get_local_mouse_position() - _band.position
		queue_redraw()


func _draw() -> void:
	if _is_dragging():
		draw_rect(_band.abs(), Color(DemoPalette.ACCENT, 0.12))
		draw_rect(_band.abs(), DemoPalette.ACCENT, false, 1.5)


func _finish(is_touch: bool) -> void:
	var found := PackedInt32Array()
	if _is_dragging():
		found = _crowd.find_agents_in_rect(_band.abs())
	else:
		found = _crowd.find_agents_in_radius(_band.position, NEAR / _zoom())
	_is_pressed = false
	_band = Rect2()
	queue_redraw()
	if found.is_empty() and is_touch and not selected.is_empty():
		_give_order()
		return
	select(_armies.filter(func(army: Army) -> bool: return army.has_any(found)))


func _give_order() -> void:
	if selected.is_empty():
		refused.emit("Select an army first: click one of its soldiers.")
	else:
		order_given.emit(get_local_mouse_position())


func _is_dragging() -> bool:
	return _is_pressed and _band.size.length() * _zoom() > SLOP


func _zoom() -> float:
	return get_viewport_transform().get_scale().x
