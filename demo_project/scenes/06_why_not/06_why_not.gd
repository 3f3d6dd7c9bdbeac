extends Node2D
## A museum of failures: in every room a body asks for a way, and a plaque says what PathForge
## answers. Visitors may change what is in the rooms, and the answers change with it.

## The tools, by their places.
enum Tool { SELECT, BUILD }

const ROOM := preload("room/museum_room.tscn")
const EXHIBITS := "res://scenes/06_why_not/exhibits"
const COLUMNS := 4
const PITCH := Vector2(228.0, 208.0)
const INSET := Vector2(10.0, 12.0)

var rooms: Array[MuseumRoom] = []
## The room that the visitor is in.
var current := 0
## Whether that room fills the screen.
var is_close := false

var _glide: Tween
var _tools: DemoTools

@onready var _frame: DemoFrame = $DemoFrame
@onready var _camera: DemoCamera = $Camera
@onready var _hall: MuseumHall = $Hall
@onready var _plaque: MuseumPlaque = $Plaque


func _ready() -> void:
	var files := ResourceLoader.list_directory(EXHIBITS)
	files.sort()
	for file: String in files:
		_add_room(load(EXHIBITS.path_join(file)) as MuseumExhibit)
	_hall.size = Vector2(COLUMNS, ceili(rooms.size() / float(COLUMNS))) * PITCH
	_plaque.reparent(_frame.side_column())
	_tools = _frame.add_tools("Select")
	_tools.add_tool("Build", KEY_B, ["Click|door, crate", "Right click|goal"])
	_plaque.button_toggled.connect(func(is_on: bool) -> void: rooms[current].help(is_on))
	_camera.content = Rect2(Vector2.ZERO, _hall.size)
	_camera.use_frame(_frame)
	enter(0)


func _process(_delta: float) -> void:
	var pointed := room_at(get_global_mouse_position())
	if get_viewport().gui_get_hovered_control() != null:
		pointed = -1
	for place: int in rooms.size():
		var is_in := place == current
		rooms[place].point_at(place == pointed, is_in, is_in and _tools.current == Tool.BUILD)


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button != null and button.pressed:
		_point_at(button)
		return
	var key := event as InputEventKey
	if key == null or not key.pressed:
		return
	match key.keycode:
		KEY_LEFT:
			enter(posmod(current - 1, rooms.size()))
		KEY_RIGHT:
			enter(posmod(current + 1, rooms.size()))
		KEY_UP:
			enter(posmod(current - COLUMNS, rooms.size()))
		KEY_DOWN:
			enter(posmod(current + COLUMNS, rooms.size()))
		KEY_1, KEY_2, KEY_3, KEY_4:
			rooms[current].resize_body(key.keycode - KEY_0)
		KEY_SPACE:
			rooms[current].help(not rooms[current].is_helped)
		KEY_BACKSPACE:
			rooms[current].restore()
		KEY_ENTER, KEY_KP_ENTER:
			look(not is_close)
		KEY_HOME:
			look(false)


## The visitor goes into a room.
func enter(place: int) -> void:
	rooms[current].light(false)
	current = place
	var room := rooms[current]
	room.light(true)
	_hall.spot = Rect2(room.position, MuseumRoom.SIZE).grow(MuseumFrame.WALL)
	_plaque.show_room(room)
	if is_close:
		look(true)


## Goes near the room, or back to where all of them are seen.
func look(closer: bool) -> void:
	is_close = closer
	var room := rooms[current]
	var target := Rect2(Vector2.ZERO, _hall.size)
	if closer:
		target = Rect2(room.position, MuseumRoom.SIZE).grow(MuseumFrame.WALL + 2.0)
	if _glide != null:
		_glide.kill()
	_glide = create_tween().set_trans(Tween.TRANS_CUBIC).set_ease(Tween.EASE_OUT)
	_glide.tween_property(_camera, ^"content", target, 0.4)


func _add_room(exhibit: MuseumExhibit) -> void:
	var place := rooms.size()
	var room: MuseumRoom = ROOM.instantiate()
	room.position = INSET + PITCH * Vector2(place % COLUMNS, floori(place / float(COLUMNS)))
	$Rooms.add_child(room)
	room.set_up(exhibit, place + 1)
	room.answered.connect(_on_answered.bind(place))
	rooms.append(room)


func _point_at(button: InputEventMouseButton) -> void:
	if button.button_index not in [MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT]:
		return
	var place := room_at(get_global_mouse_position())
	if place < 0:
		_frame.tell("There is no room. A click on one goes in.")
		return
	var room := rooms[place]
	var cell := room.cell_at(room.get_local_mouse_position())
	var is_inside := room.area().has_point(room.get_local_mouse_position())
	if button.button_index == MOUSE_BUTTON_RIGHT:
		_move_goal(place, cell, is_inside)
	elif place != current:
		enter(place)
	elif _tools.current == Tool.BUILD:
		if not is_inside or not room.use_cell(cell):
			_frame.tell("The map ends here: nothing can be put there.")
	elif DemoTools.is_touch(button):
		_move_goal(place, cell, is_inside)
	else:
		_frame.tell("You are in this room. A right click moves its goal.")


func _move_goal(place: int, cell: Vector2i, is_inside: bool) -> void:
	if not is_inside:
		_frame.tell("The goal stays inside the room.")
		return
	if place != current:
		enter(place)
	rooms[place].move_goal(cell)


## The room at a point, its plate included, or -1.
func room_at(point: Vector2) -> int:
	for place: int in rooms.size():
		if rooms[place].outer_area().has_point(rooms[place].to_local(point)):
			return place
	return -1


func _on_answered(place: int) -> void:
	if place == current:
		_plaque.show_answer()
