class_name HousePointer
extends Node
## The pointer: a click selects a person or turns the key of a door, and a right click sends who is
## selected.

## Why a click is not obeyed to the letter, in words.
signal refused(why: String)
## The selected person was sent to a cell.
signal sent(cell: Vector2i)

var selected: HousePerson = null

var _camera: DemoOrbit
var _grid: PathForgeGrid
var _floors: Array[PathForgeSpace3D] = []
var _people: HousePeople
var _doors: Array[HouseDoor] = []


func set_up(
	camera: DemoOrbit,
	grid: PathForgeGrid,
	floors: Array[PathForgeSpace3D],
	people: HousePeople,
	doors: Array[HouseDoor]
) -> void:
	_camera = camera
	_grid = grid
	_floors = floors
	_people = people
	_doors = doors


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button == null or not button.pressed:
		return
	if button.button_index == MOUSE_BUTTON_RIGHT:
		_send(button.position)
	elif button.button_index == MOUSE_BUTTON_LEFT:
		_click(button)


func select(person: HousePerson) -> void:
	if selected != null:
		selected.is_selected = false
	selected = person
	if person != null:
		person.is_selected = true


## The door at a point of the screen, or null.
func door_at(screen: Vector2) -> HouseDoor:
	var doors := _doors.filter(
		func(door: HouseDoor) -> bool: return _distance(door.box().grow(0.15), screen) < INF
	)
	return null if doors.is_empty() else doors[0]


## How far from the camera a box is met at a point of the screen; infinite if it is not.
func _distance(box: AABB, screen: Vector2) -> float:
	var from := _camera.project_ray_origin(screen)
	var hit: Variant = box.intersects_ray(from, _camera.project_ray_normal(screen))
	return INF if hit == null else from.distance_to(hit)


func _click(button: InputEventMouseButton) -> void:
	var at := button.position
	var person := _people.person_at(_camera, at)
	var door := door_at(at)
	if door != null and (person == null or _distance(door.box(), at) < _distance(person.box(), at)):
		door.toggle()
	elif person != null:
		select(person)
	elif DemoTools.is_touch(button) and selected != null:
		_send(at)
	else:
		select(null)


func _send(at: Vector2) -> void:
	var hit := _camera.ground_at(at)
	if selected == null:
		refused.emit("Select a person first, by a click.")
		return
	var on := _floors[0].floor_at(hit) if hit.is_finite() else null
	if on == null:
		refused.emit("The house ends here.")
		return
	var cell := on.global_to_cell(hit, selected.profile)
	var place := _grid.find_nearest_fit(cell, selected.profile)
	if HousePlan.room_at(cell).is_empty() or HousePlan.room_at(place) != HousePlan.room_at(cell):
		refused.emit("A body of this size does not fit there.")
		return
	selected.send(place, HousePeople.STAY_SENT)
	sent.emit(place)
