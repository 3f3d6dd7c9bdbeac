class_name DemoOrbit
extends Camera3D
## Looks at a point on the ground from any side, in the part of the window that the frame leaves
## free. The wheel comes nearer at the pointer, the middle button and Q and E turn, the arrow keys
## move, Home shows all again. On a touch screen, two fingers zoom and move.

## Metres a second, for each metre of distance.
const PAN_SPEED := 0.5
## Radians a second, and for a pixel that the pointer is dragged.
const TURN_SPEED := 1.2
const DRAG_SPEED := 0.006
const ZOOM_STEP := 1.15
const NEAREST := 12.0
## How steeply it looks down, in radians.
const PITCHES := Vector2(0.25, 1.35)
const KEYS: PackedStringArray = [
	"Wheel|zoom", "Middle drag, Q E|turn", "Arrows|move", "Home|whole map"
]

## Where it looks at the whole map from: a point, and the turn, the pitch and the distance.
@export var home := Vector3.ZERO
@export var home_turn := 0.0
@export var home_pitch := 0.8
@export var farthest := 100.0
## What it keeps over.
@export var space: PathForgeSpace3D
@export var area := Rect2(0.0, 0.0, 10.0, 10.0)

var focus := Vector3.ZERO
var turn := 0.0
var pitch := 0.8
var distance := 100.0

var _frame: DemoFrame


func _ready() -> void:
	get_viewport().size_changed.connect(_place)
	show_all()


func _process(delta: float) -> void:
	var push := Input.get_vector(&"ui_left", &"ui_right", &"ui_up", &"ui_down")
	if push != Vector2.ZERO:
		var step := push.rotated(-turn) * PAN_SPEED * distance * delta
		focus += Vector3(step.x, 0.0, step.y)
		var on := space.floor_at(focus)
		if on != null:
			focus = on.snap_to_ground(focus)
		_place()
	var spin := float(Input.is_physical_key_pressed(KEY_Q))
	spin -= float(Input.is_physical_key_pressed(KEY_E))
	if spin != 0.0:
		turn += spin * TURN_SPEED * delta
		_place()


func _unhandled_input(event: InputEvent) -> void:
	var motion := event as InputEventMouseMotion
	if motion != null and motion.button_mask & MOUSE_BUTTON_MASK_MIDDLE:
		turn -= motion.relative.x * DRAG_SPEED
		pitch = clampf(pitch + motion.relative.y * DRAG_SPEED, PITCHES.x, PITCHES.y)
		_place()
		return
	var button := event as InputEventMouseButton
	if button != null and button.pressed:
		if button.button_index == MOUSE_BUTTON_WHEEL_UP:
			_zoom_at(button.position, 1.0 / ZOOM_STEP)
		elif button.button_index == MOUSE_BUTTON_WHEEL_DOWN:
			_zoom_at(button.position, ZOOM_STEP)
	elif event.is_action_pressed(&"demo_whole_map"):
		show_all()


## Keeps clear of this frame's panels, and tells its keys there.
func use_frame(frame: DemoFrame) -> void:
	_frame = frame
	frame.use_camera_keys(KEYS)
	_place.call_deferred()  # The frame has its size by then.


func show_all() -> void:
	focus = home
	turn = home_turn
	pitch = home_pitch
	distance = farthest
	_place()


## The part of the window that it shows things in, in the viewport's coordinates.
func free_rect() -> Rect2:
	return get_viewport().get_visible_rect() if _frame == null else _frame.free_rect()


## Where a click at a point of the screen meets the ground, or [constant Vector3.INF].
func ground_at(screen: Vector2) -> Vector3:
	return space.intersect_ray(project_ray_origin(screen), project_ray_normal(screen))


## Keeps what was between two fingers between them. Each rectangle is the middle between them, and
## as its size how far apart they are.
func pinch(before: Rect2, after: Rect2) -> void:
	_keep(ground_at(before.position), ground_at(after.position))
	_zoom_at(after.position, before.size.x / after.size.x)


func _zoom_at(screen: Vector2, factor: float) -> void:
	var at := ground_at(screen)
	var before := distance
	distance = clampf(distance * factor, NEAREST, farthest)
	if is_equal_approx(distance, farthest):
		focus = home
	elif at.is_finite():
		focus = at + (focus - at) * distance / before
	_place()


## Moves so that the ground at [param place] comes to where [param other] is on the screen.
func _keep(place: Vector3, other: Vector3) -> void:
	if place.is_finite() and other.is_finite():
		focus += (place - other) * Vector3(1.0, 0.0, 1.0)
		_place()


func _place() -> void:
	if not is_inside_tree():
		return
	var plane := Vector2(focus.x, focus.z).clamp(area.position, area.end)
	focus = Vector3(plane.x, focus.y, plane.y)
	if is_equal_approx(distance, farthest):
		focus.y = home.y
	var back := Vector3.BACK.rotated(Vector3.RIGHT, -pitch).rotated(Vector3.UP, turn)
	position = focus + back * distance
	basis = Basis.looking_at(-back)
	# The focus lies in the middle of the free part.
	var whole := get_viewport().get_visible_rect()
	var metre := whole.size.y / (2.0 * distance * tan(deg_to_rad(fov) * 0.5))
	var off := whole.get_center() - free_rect().get_center()
	h_offset = off.x / metre
	v_offset = -off.y / metre
