class_name DemoCamera
extends Camera2D
## Shows a map in the part of the window that the frame leaves free. The wheel zooms at the pointer,
## the middle button drags, the arrow keys pan, Home shows the whole map again. On a touch screen,
## two fingers zoom and drag.

## Screen pixels a second.
const PAN_SPEED := 500.0
const ZOOM_STEP := 1.15
const ZOOM_MAX := 4.0

## Whether the arrow keys and the middle button pan; not where a scene uses them itself.
@export var pans_by_keys := true
@export var pans_by_drag := true
## Whether the left button pans, too: the scene says with which of its tools.
@export var pans_by_left := false
## How near it comes, and by how much for a notch of the wheel.
@export var zoom_max := ZOOM_MAX
@export var zoom_step := ZOOM_STEP

## What is to be seen, in the scene's coordinates.
var content := Rect2(0.0, 0.0, 1000.0, 600.0):
	set(value):
		content = value
		show_all()

var _frame: DemoFrame
var _zoom_min := 1.0


func _ready() -> void:
	get_viewport().size_changed.connect(show_all)


func _process(delta: float) -> void:
	if not pans_by_keys:
		return
	var push := Input.get_vector(&"ui_left", &"ui_right", &"ui_up", &"ui_down")
	if push != Vector2.ZERO:
		position += push * PAN_SPEED * delta / zoom.x
		_stay_near()


func _unhandled_input(event: InputEvent) -> void:
	var motion := event as InputEventMouseMotion
	var buttons := MOUSE_BUTTON_MASK_MIDDLE if pans_by_drag else 0
	buttons |= MOUSE_BUTTON_MASK_LEFT if pans_by_left else 0
	if motion != null and motion.button_mask & buttons:
		position -= motion.relative / zoom.x
		_stay_near()
		return
	var button := event as InputEventMouseButton
	if button != null and button.pressed:
		if button.button_index == MOUSE_BUTTON_WHEEL_UP:
			_zoom_at(button.position, zoom_step)
		elif button.button_index == MOUSE_BUTTON_WHEEL_DOWN:
			_zoom_at(button.position, 1.0 / zoom_step)
	elif event.is_action_pressed(&"demo_whole_map"):
		show_all()


## Keeps clear of this frame's panels, and tells its keys there.
func use_frame(frame: DemoFrame) -> void:
	_frame = frame
	frame.use_camera_keys(key_hints())
	show_all()


## Its keys, as a [DemoFrame] shows them.
func key_hints() -> PackedStringArray:
	var keys: PackedStringArray = ["Wheel|zoom"]
	if pans_by_drag:
		keys.append("Middle drag|move")
	if pans_by_keys:
		keys.append("Arrows|move")
	keys.append("Home|whole map")
	return keys


## Fits the whole content into the free part of the window.
func show_all() -> void:
	if not is_inside_tree():
		return
	var free := _free_rect()
	var fit := free.size / content.size
	_zoom_min = minf(fit.x, fit.y)
	if _zoom_min > 1.0 and _zoom_min < 1.15:
		_zoom_min = 1.0
	zoom = Vector2.ONE * _zoom_min
	position = content.get_center() - _off_centre() / zoom.x
	reset_smoothing()


## Where [param area] of the scene is to be seen on the screen, in the viewport's coordinates.
func shown_rect(area: Rect2) -> Rect2:
	return (get_canvas_transform() * area).intersection(_free_rect())


## Keeps what was between two fingers between them. Each rectangle is the middle between them, and
## as its size how far apart they are.
func pinch(before: Rect2, after: Rect2) -> void:
	position -= (after.position - before.position) / zoom.x
	_zoom_at(after.position, after.size.x / before.size.x)


func _free_rect() -> Rect2:
	return get_viewport_rect() if _frame == null else _frame.free_rect()


## From the middle of the window to the middle of its free part.
func _off_centre() -> Vector2:
	return _free_rect().get_center() - get_viewport_rect().get_center()


func _zoom_at(screen: Vector2, factor: float) -> void:
	var from_middle := screen - get_viewport_rect().get_center()
	var spot := position + from_middle / zoom.x
	zoom = Vector2.ONE * clampf(zoom.x * factor, _zoom_min, zoom_max)
	position = spot - from_middle / zoom.x
	if is_equal_approx(zoom.x, _zoom_min):
		show_all()
	_stay_near()


func _stay_near() -> void:
	var middle := position + _off_centre() / zoom.x
	var half := (_free_rect().size * 0.5 / zoom.x).min(content.size * 0.5)
	var inner := Rect2(content.position + half, content.size - half * 2.0)
	position += middle.clamp(inner.position, inner.end) - middle
