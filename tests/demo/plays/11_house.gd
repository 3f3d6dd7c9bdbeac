extends RefCounted
## Uses the house as a player would. House watch looks in every step at where all people are and at
## what is said of them.

const DemoChecks := preload("../demo_checks.gd")
const DemoPlayer := preload("../demo_player.gd")
const HouseWatch := preload("house_watch.gd")

## How fast time runs while the people go about their errands.
const HURRY := 4
const FAULTS_SHOWN := 12
## The most seconds from anywhere in the house to anywhere, with a lift to wait for.
const ON_THE_WAY := 240.0

var _runner: DemoPlayer
var _checks: DemoChecks
var _watch: HouseWatch
var _scene: Node3D
var _grid: PathForgeGrid
var _floors: Array[PathForgeSpace3D]
var _people: HousePeople
var _pointer: HousePointer
var _panel: HousePanel
var _camera: DemoOrbit
## How many errands each has had.
var _errands: Dictionary[HousePerson, int] = {}


func play(runner: DemoPlayer) -> void:
	_runner = runner
	_checks = DemoChecks.new(runner)
	_scene = runner.scene()
	_grid = _scene.get("grid")
	_floors = _scene.get("floors")
	_people = _scene.get("people")
	_pointer = _scene.get("pointer")
	_panel = _scene.get("panel")
	_camera = _scene.get_node(^"Orbit")
	_watch = HouseWatch.new(_scene)
	for person: HousePerson in _people.all:
		_errands[person] = 0
		person.errand_ended.connect(func() -> void: _errands[person] += 1)
	await _look()
	await _orders()
	await _refused()
	await _cat_flap()
	await _all_doors()
	await _errands_go_on()
	_watch.stop()
	for fault: String in _watch.faults.slice(0, FAULTS_SHOWN):
		_runner.check(false, fault)
	_runner.check(_watch.faults.is_empty(), "%d faults" % _watch.faults.size())


## The wheel comes nearer to the attic and to the ground, and Home shows all.
func _look() -> void:
	await _runner.seconds(13.0)
	await _runner.screenshot()
	_figures_are_true("at the start")
	var away := _camera.distance
	for title: String in ["Store", "Kitchen"]:
		var place := _floor_point(title)
		var spot := _camera.unproject_position(place)
		await _runner.wheel(spot, MOUSE_BUTTON_WHEEL_UP, 6)
		_runner.check(_camera.distance < away * 0.5, "the wheel comes nearer")
		var strayed := _camera.unproject_position(place).distance_to(spot)
		_runner.check(strayed < 12.0, "the %s stays under the pointer, %.0f px" % [title, strayed])
		await _runner.screenshot("near_%s" % title.to_lower())
		await _runner.key(KEY_HOME)
		_runner.check(is_equal_approx(_camera.distance, away), "Home shows the whole house")


## A click selects one, and a right click sends it to another floor.
func _orders() -> void:
	await _runner.click(_screen("Hall"), MOUSE_BUTTON_RIGHT)
	_checks.told("Select a person first", "an order to no person")
	for title: String in ["Adult 5", "Child 3", "Porter 1"]:
		for room: String in ["Gallery", "Garden"]:
			await _select(title)
			await _runner.click(_screen(room), MOUSE_BUTTON_RIGHT)
			var person: HousePerson = _people.get_node(title)
			_runner.check(person.room == room, "%s is sent to the %s" % [title, room])
			await _runner.frames(2)
			_runner.check(room in _panel.lines(), "the panel says so: %s" % _panel.lines())
			await _comes_to(person, room)
	await _runner.screenshot("order")


## A porter fits on no stairs, and the panel says so.
func _refused() -> void:
	var porter: HousePerson = _people.get_node("Porter 2")
	await _select("Porter 2")
	await _runner.click(_screen("Nursery"), MOUSE_BUTTON_RIGHT)
	var has_no_way := func() -> bool: return porter.state() == HousePerson.State.NO_WAY
	await _runner.wait_until(has_no_way, "a porter knows that there is no way to the nursery")
	await _runner.frames(2)
	_runner.check(
		"takes bodies of at most" in _panel.why(), "the panel says why: %s" % _panel.why()
	)
	await _checks.has_room("while it says: %s" % _panel.why())
	await _runner.screenshot("refused")
	await _runner.click(Vector2(20, 500), MOUSE_BUTTON_RIGHT)
	_checks.told("The house ends here", "a click on the lawn")


## With the garden door locked, children go through the cat flap, and adults do not.
func _cat_flap() -> void:
	var door := _door("Garden door")
	await _turn_key(door)
	_runner.check(door.wants_locked, "a click locks the garden door")
	await _runner.wait_until(func() -> bool: return door.is_locked, "the doorway is clear")
	var child: HousePerson = _people.get_node("Child 6")
	for room: String in ["Kitchen", "Garden"]:
		await _select("Child 6")
		await _runner.click(_screen(room), MOUSE_BUTTON_RIGHT)
		await _comes_to(child, room)
	_runner.check("Child 6" in _watch.through_flap, "a child goes through the cat flap")
	var adults := _people.all.filter(
		func(person: HousePerson) -> bool:
			var room := HousePlan.room_at(person.stand())
			return person.kind == "Adult" and room not in ["", "Garden"]
	)
	var adult: HousePerson = adults[0]
	await _select(adult.title())
	await _runner.click(_screen("Garden"), MOUSE_BUTTON_RIGHT)
	var has_no_way := func() -> bool: return adult.state() == HousePerson.State.NO_WAY
	await _runner.wait_until(has_no_way, "an adult knows that the garden is shut")
	await _runner.frames(2)
	_runner.check("garden door is locked" in _panel.why(), "and why: %s" % _panel.why())
	await _runner.screenshot("locked")
	for title: String in _watch.through_flap:
		_runner.check(title.begins_with("Child"), "%s goes through the cat flap" % title)
	await _turn_key(door)
	await _runner.wait_until(func() -> bool: return not door.is_locked, "a click opens it")


## With all doors locked the people stay in their rooms or take stairs, and then go on.
func _all_doors() -> void:
	var doors: Array[HouseDoor] = _scene.get("doors")
	await _runner.key(KEY_L)
	_runner.hurry(HURRY)
	var are_locked := func() -> bool:
		return doors.all(func(door: HouseDoor) -> bool: return door.is_locked)
	await _runner.wait_until(are_locked, "L locks all doors")
	await _runner.seconds(30.0)
	_figures_are_true("with all doors locked")
	await _runner.screenshot("all_locked")
	await _runner.key(KEY_L)
	var are_open := func() -> bool:
		return not doors.any(func(door: HouseDoor) -> bool: return door.is_locked)
	await _runner.wait_until(are_open, "L opens all doors")
	_runner.hurry(1)


## For two minutes; each gets on.
func _errands_go_on() -> void:
	_runner.hurry(HURRY)
	var before := _errands.duplicate()
	for n: int in 12:
		await _runner.seconds(10.0)
		_figures_are_true("after %d s" % (10 * n + 10))
	_runner.hurry(1)
	for person: HousePerson in _errands:
		var done: int = _errands[person] - before[person]
		_runner.check(
			done >= 1, "%s has done %d errands: %s" % [person.title(), done, person.activity()]
		)
	await _runner.screenshot("later")


func _figures_are_true(when: String) -> void:
	var count := _people.all.size()
	_checks.sums_up(_panel, PackedStringArray(HousePanel.DOING.keys()), count, when)
	_checks.sums_up(
		_panel, HousePanel.FLOORS + PackedStringArray([HousePanel.BETWEEN]), count, when
	)


func _select(title: String) -> void:
	_pointer.select(_people.get_node(title))
	await _runner.frames(2)
	_runner.check(_panel.lines().begins_with(title), "the panel names %s" % title)


func _comes_to(person: HousePerson, room: String) -> void:
	var spot := person.spot
	var is_there := func() -> bool:
		return person.state() == HousePerson.State.BUSY or person.spot != spot
	var what := "%s comes to the %s" % [person.title(), room]
	await _runner.wait_for_progress(is_there, func() -> float: return 0.0, what, ON_THE_WAY)
	var at := HousePlan.room_at(person.stand())
	_runner.check(at == room, "%s is in the %s, not in the %s" % [person.title(), at, room])


func _door(title: String) -> HouseDoor:
	var doors: Array[HouseDoor] = _scene.get("doors")
	return doors.filter(func(door: HouseDoor) -> bool: return door.title == title)[0]


## Clicks on a door as soon as nothing walks in front of it.
func _turn_key(door: HouseDoor) -> void:
	var is_in_front := func() -> bool:
		return _people.person_at(_camera, _door_on_screen(door)) == null
	await _runner.wait_until(is_in_front, "the %s is to be seen" % door.title)
	await _runner.click(_door_on_screen(door))


## Above all heads.
func _door_on_screen(door: HouseDoor) -> Vector2:
	var box := door.box()
	return _camera.unproject_position(box.get_center() + Vector3.UP * (box.size.y * 0.5 - 0.05))


## Off the middle of a room, where nothing stands.
func _floor_point(room: String) -> Vector3:
	var cells := HousePlan.room(room)
	var cell := cells.position + Vector2i(9, 13)
	return _floors[0].cell_to_global(cell)


func _screen(room: String) -> Vector2:
	return _camera.unproject_position(_floor_point(room))
