extends Node3D
## A house of three floors in 3D. Forty people of three sizes go about their errands: over stairs,
## by a lift for two, up a ladder for children, through a cat flap, and through doors that lock.

var doors: Array[HouseDoor] = []

@onready var grid: PathForgeGrid = $Grid
@onready var floors: Array[PathForgeSpace3D] = [$Grid/Ground, $Grid/First, $Grid/Attic]
@onready var people: HousePeople = $People
@onready var pointer: HousePointer = $Pointer
@onready var panel: HousePanel = $Panel

@onready var _frame: DemoFrame = $DemoFrame
@onready var _camera: DemoOrbit = $Orbit
@onready var _view: HouseView = $View


func _ready() -> void:
	HousePlan.lay_out(grid, floors)
	_view.show_house()
	for title: String in HousePlan.DOORS:
		var door := HouseDoor.new()
		add_child(door)
		door.set_up(grid, people, title)
		doors.append(door)
	people.set_up(grid, floors[0])
	pointer.set_up(_camera, grid, floors, people, doors)
	pointer.refused.connect(_frame.tell)
	panel.reparent(_frame.side_column())
	panel.set_up(people, doors, pointer)
	_camera.use_frame(_frame)


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed or key.echo or key.keycode != KEY_L:
		return
	var are_locked := doors.all(func(door: HouseDoor) -> bool: return door.wants_locked)
	for door: HouseDoor in doors:
		door.wants_locked = not are_locked
