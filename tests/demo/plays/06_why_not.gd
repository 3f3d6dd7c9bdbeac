extends RefCounted
## Visits every room as a visitor would. Looks in every frame whether the plaque says what the grid
## answers, and whether whoever walks is where its body fits.

const DemoChecks := preload("../demo_checks.gd")
const DemoPlayer := preload("../demo_player.gd")

const REASONS: Array[int] = [
	PathForgePath.REASON_START_CLEARANCE,
	PathForgePath.REASON_GOAL_CLEARANCE,
	PathForgePath.REASON_GOAL_SOLID,
	PathForgePath.REASON_GOAL_OUT_OF_BOUNDS,
	PathForgePath.REASON_GOAL_TERRAIN,
	PathForgePath.REASON_DISCONNECTED,
	PathForgePath.REASON_DISCONNECTED,
	PathForgePath.REASON_DISCONNECTED,
	PathForgePath.REASON_DISCONNECTED,
	PathForgePath.REASON_LIMIT,
	PathForgePath.REASON_NONE,
	PathForgePath.REASON_NONE,
]

var _runner: DemoPlayer
var _rooms: Array[MuseumRoom] = []
var _plaque: MuseumPlaque
var _faults: Dictionary[String, bool] = {}


func play(runner: DemoPlayer) -> void:
	_runner = runner
	_rooms = runner.scene().get(&"rooms")
	_plaque = runner.scene().find_child("Plaque", true, false)
	var tree := runner.viewport().get_tree()
	tree.process_frame.connect(_watch)
	_runner.check(_rooms.size() == REASONS.size(), "a room for every reason")
	await DemoChecks.new(_runner).tools(
		_runner.scene().find_child("Tools", true, false) as DemoTools
	)
	await _every_room()
	await _doors()
	await _crates_and_goals()
	await _sizes()
	await _refused()
	await _closer()
	tree.process_frame.disconnect(_watch)


## A click goes in, Space helps, Backspace makes it as it was.
func _every_room() -> void:
	for place: int in _rooms.size():
		var room := _rooms[place]
		await _runner.click(_cell(place, Vector2i(6, 0)))
		_runner.check(_current() == place, "a click goes into room %d" % (place + 1))
		_runner.check(
			room.why.reason == REASONS[place], "room %d refuses as it should" % (place + 1)
		)
		if place in [5, 8, 10, 11]:
			await _runner.screenshot("room_%02d" % (place + 1))
		var before := room.why.text
		if place == 8:
			# Six rooms of twelve: a picture of all would show them too small. Without the lower names.
			var pitch := _rooms[5].position - _rooms[0].position
			var corner := _rooms[4].position - pitch * 0.04
			_runner.subject = Rect2(corner, pitch * Vector2(3.03, 1.9))
			await _runner.screenshot()
		await _runner.key(KEY_SPACE)
		_runner.check(room.is_found(), "there is a way in room %d then" % (place + 1))
		_runner.check(room.why.text != before, "and another answer")
		await _runner.seconds(0.3)
		if place in [3, 7]:
			await _runner.screenshot("helped_%02d" % (place + 1))
		if place % 2 == 0:
			await _runner.key(KEY_BACKSPACE)
			_runner.check(room.why.text == before, "Backspace makes it as it was")
	await _runner.seconds(2.0)
	await _runner.screenshot("visited")


## The answer names whichever door was shut last.
func _doors() -> void:
	await _runner.key(KEY_UP)
	await _runner.key(KEY_DOWN)
	await _enter(8)
	var upper := Rect2i(6, 1, 1, 2)
	var lower := Rect2i(6, 6, 1, 3)
	_runner.check(_rooms[8].why.closed_by == lower, "the lower door was shut last")
	await _runner.click(_cell(8, Vector2i(6, 2)))
	_runner.check(not _rooms[8].is_found(), "without the tool a click opens no door")
	await _runner.key(KEY_B)
	await _runner.click(_cell(8, Vector2i(6, 2)))
	_runner.check(_rooms[8].is_found(), "a click opens the upper one")
	await _runner.seconds(1.5)
	await _runner.screenshot("door_open")
	await _runner.click(_cell(8, Vector2i(6, 1)))
	_runner.check(_rooms[8].why.closed_by == upper, "now the upper one was shut last")
	await _runner.click_on(_plaque.button())
	_runner.check(_rooms[8].is_found(), "the button opens that one")
	_runner.check(not _rooms[8].grid.is_point_solid(upper.position), "and no other")
	_runner.check(_rooms[8].grid.is_point_solid(lower.position), "indeed")
	await _runner.key(KEY_BACKSPACE)


func _crates_and_goals() -> void:
	await _enter(2)
	await _runner.click(_cell(2, Vector2i(2, 4)))
	_runner.check(
		_rooms[2].why.reason == PathForgePath.REASON_START_SOLID, "a crate on the body itself"
	)
	await _runner.click(_cell(2, Vector2i(2, 4)))
	await _runner.click(_cell(2, Vector2i(11, 8)), MOUSE_BUTTON_RIGHT)
	_runner.check(_rooms[2].is_found(), "another goal, which is free")
	await _runner.seconds(0.8)
	await _runner.screenshot("another_goal")
	await _runner.key(KEY_BACKSPACE)


func _sizes() -> void:
	await _enter(6)
	for side: int in [1, 2, 3, 4]:
		await _runner.key(KEY_0 + side as Key)
		_runner.check(_rooms[6].body.footprint == Vector2i(side, side), "the body's size")
		_runner.check(_rooms[6].is_found() == (side < 3), "up to two cells fit through")
		_runner.check(side < 3 or _rooms[6].why.largest_side == 2, "which the answer says")
	await _runner.screenshot("four_cells")
	await _runner.key(KEY_BACKSPACE)


## What cannot be done is told in words.
func _refused() -> void:
	var checks := DemoChecks.new(_runner)
	await _enter(3)
	await _runner.key(KEY_BACKSPACE)
	var answer := _rooms[3].why.text
	await _runner.click(_cell(3, Vector2i(12, 9)))
	checks.told("The map ends here", "a crate beside the map")
	await _runner.click(_cell(3, Vector2i(6, -1)), MOUSE_BUTTON_RIGHT)
	checks.told("stays inside the room", "a goal on the wall")
	_runner.check(_rooms[3].why.text == answer, "the room stays as it is")
	await _runner.key(KEY_ESCAPE)
	await _runner.click(_cell(3, Vector2i(6, -1)))
	checks.told("You are in this room", "a click on the wall")
	await _runner.click(_cell(0, Vector2i(-1, 5)) - Vector2(6, 0))
	checks.told("There is no room", "a click beside the rooms")
	_runner.check(_current() == 3, "the visitor stays in the room")
	await _runner.screenshot("refused")
	await _enter(6)


func _closer() -> void:
	await _runner.key(KEY_ENTER)
	await _runner.seconds(0.8)
	await _runner.screenshot("closer")
	await _runner.key(KEY_RIGHT)
	_runner.check(_current() == 7, "the right arrow goes to the next room")
	await _runner.key(KEY_DOWN)
	_runner.check(_current() == 11, "the down arrow to the one below")
	await _runner.seconds(1.2)
	await _runner.screenshot("closer_danger")
	await _runner.key(KEY_B)
	await _runner.click(_cell(11, Vector2i(8, 4)))
	_runner.check(_current() == 11, "a click in here changes the room")
	await _runner.key(KEY_ESCAPE)
	await _runner.key(KEY_BACKSPACE)
	await _runner.key(KEY_HOME)
	await _runner.seconds(0.8)
	await _enter(0)
	await DemoChecks.new(_runner).look_closer(_cell(5, Vector2i(6, 4)))
	await _runner.screenshot("end")


func _enter(place: int) -> void:
	if _current() != place:
		await _runner.click(_cell(place, Vector2i(6, 0)))


func _current() -> int:
	return _runner.scene().get(&"current")


func _watch() -> void:
	var room := _rooms[_current()]
	_note(_plaque.text() == room.why.text, "the plaque says what the room answers")
	var fresh := room.grid.explain(room.exhibit.start, room.goal, room.body)
	var is_same := fresh.text == room.why.text and fresh.cells == room.why.cells
	_note(is_same, "what the room answers is what the grid answers")
	for any: MuseumRoom in _rooms:
		var figure: MuseumFigure = any.get_node(^"Figure")
		for cell: Vector2i in figure.stands():
			var fits := any.grid.can_stand(cell, any.body)
			_note(fits, "whoever walks is where it fits, in room %d" % any.number)


func _note(is_right: bool, what: String) -> void:
	if not is_right and not _faults.has(what):
		_faults[what] = true
		_runner.check(false, what)


func _cell(place: int, cell: Vector2i) -> Vector2:
	return _runner.on_screen(_rooms[place], (Vector2(cell) + Vector2(0.5, 0.5)) * MuseumRoom.CELL)
