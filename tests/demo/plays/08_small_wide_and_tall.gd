extends RefCounted
## Uses the scene as a player would, and looks whether each character arrives where it is sent, by a
## way of its own.

const DemoChecks := preload("../demo_checks.gd")
const DemoPlayer := preload("../demo_player.gd")

## How fast time runs while nothing is looked at but whether all arrive.
const HURRY := 3
const TICKS := 60
## So many cells from where all were sent, all three have room.
const IN_REACH := 6.0

var _runner: DemoPlayer
var _grid: PathForgeGrid
var _platformer: PathForgePlatformer
var _level: JumpLevel
var _panel: JumpPanel
var _pip: JumpCreature
var _boar: JumpCreature
var _golem: JumpCreature


func play(runner: DemoPlayer) -> void:
	_runner = runner
	var scene := runner.scene()
	_grid = scene.get_node(^"Grid")
	_platformer = scene.get_node(^"Platformer")
	_level = scene.get_node(^"Level")
	_panel = scene.find_child("Panel", true, false)
	for creature: JumpCreature in scene.get_node(^"Creatures").get_children():
		match creature.title:
			"Pip":
				_pip = creature
			"Boar":
				_boar = creature
			_:
				_golem = creature
	await _three_ways()
	await _in_the_air()
	await _selection()
	await _arc()
	await _sliders()
	await _building()
	await _driving()
	await _no_way()


## Pip through the low passage, the boar through the wide one, the golem up the shaft.
func _three_ways() -> void:
	await _runner.seconds(1.9)
	await _runner.screenshot()
	_runner.check(_goes_by(_pip, Vector2i(20, 26)), "Pip runs through the low passage")
	_runner.check(_goes_by(_boar, Vector2i(20, 23)), "the boar takes the wide one above it")
	_runner.check(_goes_by(_golem, Vector2i(23, 13)), "the golem climbs the shaft")
	await DemoChecks.new(_runner).tour(6)
	await DemoChecks.new(_runner).tools(
		_runner.scene().find_child("Tools", true, false) as DemoTools
	)
	await _click_in_vain(Vector2i(30, 29), "That is solid")
	await _runner.screenshot("solid")
	await _send_all(Vector2i(42, 9))
	await _settle(Vector2i(42, 9), [_pip, _boar, _golem])
	await _runner.screenshot("arrived")


## A click that is not obeyed is answered, and all go on to where they were sent.
func _click_in_vain(cell: Vector2i, words: String) -> void:
	var goals: Array[Vector2i] = [_pip.goal, _boar.goal, _golem.goal]
	await _send(cell)
	DemoChecks.new(_runner).told(words, "a click on %s" % cell)
	_runner.check(goals == [_pip.goal, _boar.goal, _golem.goal], "it changes nothing")


## Sent into the air, all come to the ground below, as near to it as there is room, and the panel
## says of each how near.
func _in_the_air() -> void:
	for cell: Vector2i in [
		Vector2i(42, 3), Vector2i(17, 8), Vector2i(46, 14), Vector2i(6, 8), Vector2i(34, 20)
	]:
		await _send_all(cell)
		var ground := cell
		while _level.kind(ground + Vector2i.DOWN) == JumpLevel.Kind.AIR:
			ground += Vector2i.DOWN
		await _settle(ground, [_pip, _boar, _golem])
		for creature: JumpCreature in [_pip, _boar, _golem]:
			# From the middle of one cell to that of the other.
			var body := creature.body()
			var inner := Rect2(body.position / _grid.cell_size, body.size / _grid.cell_size)
			inner = inner.grow(-0.5)
			var middle := Vector2(ground) + Vector2(0.5, 0.5)
			var away := middle.distance_to(middle.clamp(inner.position, inner.end))
			var said := _panel.said_of(creature)
			var what := "%s, %.1f cells from the ground below %s: %s"
			what = what % [creature.title, away, cell, said]
			_runner.check(away < IN_REACH, what)
			_runner.check((said == "is there") == (away < 0.5), what)
			var told := said.to_int() if said != "is there" else 0
			_runner.check(absf(told - away) <= 1.0, what)
		await _runner.screenshot("air_%d" % cell.x)


## A right click sends the selected characters, and no others.
func _selection() -> void:
	await _runner.click(_screen(_pip.position))
	_runner.check(_pip.is_selected and not _boar.is_selected, "a click selects one")
	var before := _boar.wish
	await _send(Vector2i(2, 13))
	_runner.check(_pip.wish == Vector2i(2, 13), "it goes where it is sent")
	_runner.check(_boar.wish == before and _golem.wish == before, "the others stay")
	await _settle(Vector2i(2, 13), [_pip])
	await _runner.drag(
		_screen(_golem.body().merge(_boar.body()).position - Vector2(8, 8)),
		_screen(_golem.body().merge(_boar.body()).end + Vector2(8, 4))
	)
	_runner.check(_boar.is_selected and _golem.is_selected, "a drag selects what it frames")
	await _runner.click(_cell_on_screen(Vector2i(25, 3)))
	DemoChecks.new(_runner).told("No character is there", "a click into the air")


func _arc() -> void:
	await _runner.click(_screen(_boar.position + Vector2(18, 0)))
	_runner.check(_boar.is_selected, "a click selects the boar")
	await _send_all(Vector2i(2, 13))
	await _runner.seconds(0.4)
	await _runner.key(KEY_O)
	_runner.check(_platformer.debug_enabled, "O shows the arc")
	var rules: Label = _panel.find_child("Rules", true, false)
	_runner.check(rules.text == JumpPanel.ARC, "and the panel says what its boxes mean")
	await _runner.seconds(0.3)
	await _runner.screenshot("arc")
	await _runner.click_on(_panel.find_child("States") as Control)
	_runner.check(_platformer.debug_states, "a button shows the states")
	await _runner.seconds(0.2)
	await _runner.screenshot("states")
	await _runner.click_on(_panel.find_child("States") as Control)
	await _settle(Vector2i(2, 13), [_pip, _boar, _golem])
	_runner.check(_boar.path != null, "the way is still known at rest")
	await _runner.screenshot("arc_at_rest")
	await _runner.key(KEY_O)
	for creature: JumpCreature in [_golem, _boar, _pip]:
		await _runner.click(_screen(creature.position))
		_runner.check(creature.is_selected, "a click selects the %s" % creature.title)
		var title: Label = _panel.find_child("QueryTitle", true, false)
		_runner.check(title.text.begins_with(creature.title), "the panel names %s" % creature.title)


## Width by the mouse, height and jump by keys.
func _sliders() -> void:
	await _runner.key(KEY_2)
	for mask: int in [0, KEY_MASK_SHIFT]:
		for _press: int in 2:
			await _runner.key(KEY_W, mask)
		await _settle(Vector2i(2, 13), [_pip, _boar, _golem])
	await _runner.key(KEY_1)
	_runner.check(_pip.is_selected, "1 selects Pip")
	var slider := _panel.slider(JumpPanel.Measure.WIDTH)
	var area := slider.get_global_rect()
	var left := area.position + Vector2(8.0, area.size.y * 0.5)
	await _runner.drag(left, left + Vector2((area.size.x - 16.0) * 0.75, 0.0))
	_runner.check(_pip.profile.footprint == Vector2i(4, 1), "the slider makes it four cells wide")
	await _runner.key(KEY_H)
	await _runner.key(KEY_H)
	await _runner.key(KEY_J)
	_runner.check(_pip.profile.footprint == Vector2i(4, 3), "H makes it higher")
	_runner.check(_pip.jump_height == 4, "J makes it jump higher")
	await _send_all(Vector2i(32, 9))
	await _runner.seconds(1.4)
	await _runner.screenshot("resized")
	await _settle(Vector2i(32, 9), [_pip, _boar, _golem])
	for _press: int in 3:
		await _runner.key(KEY_W, KEY_MASK_SHIFT)
	for _press: int in 2:
		await _runner.key(KEY_H, KEY_MASK_SHIFT)
	await _runner.key(KEY_J, KEY_MASK_SHIFT)
	_runner.check(_pip.profile.footprint == Vector2i.ONE, "Shift takes it back")


## The low passage is filled while Pip is on its way through it, and planks are laid and taken.
func _building() -> void:
	await _send_all(Vector2i(2, 23))
	await _settle(Vector2i(2, 23), [_pip, _boar, _golem])
	await _send_all(Vector2i(38, 26))
	await _runner.seconds(0.3)
	_runner.check(_goes_by(_pip, Vector2i(26, 26)), "Pip is about to run through the passage")
	await _runner.key(KEY_E)
	await _runner.click(_cell_on_screen(Vector2i(26, 26)))
	_runner.check(_level.kind(Vector2i(26, 26)) == JumpLevel.Kind.GROUND, "ground is put there")
	_runner.check(_pip.cell_now().x < 26, "in front of Pip")
	var asks_again := func() -> bool: return _goes_by(_pip, Vector2i(26, 24))
	await _runner.wait_until(asks_again, "Pip finds another way")
	var from := _cell_on_screen(Vector2i(28, 22))
	await _runner.key(KEY_P)
	await _runner.drag(from, _cell_on_screen(Vector2i(31, 22)))
	_runner.check(_level.kind(Vector2i(30, 22)) == JumpLevel.Kind.PLANK, "a drag lays planks")
	await _runner.seconds(0.3)
	await _runner.screenshot("built")
	await _runner.click(_cell_on_screen(Vector2i(28, 22)))
	_runner.check(_level.kind(Vector2i(28, 22)) == JumpLevel.Kind.AIR, "a click takes a plank")
	await _settle(Vector2i(38, 26), [_pip, _boar, _golem])
	await _runner.key(KEY_E)
	await _runner.click(_cell_on_screen(Vector2i(26, 26)))
	_runner.check(_level.kind(Vector2i(26, 26)) == JumpLevel.Kind.AIR, "ground is dug away")
	await _runner.key(KEY_ESCAPE)


func _driving() -> void:
	var before := _pip.position
	await _runner.hold_key(KEY_LEFT, 0.4)
	_runner.check(_pip.state == JumpCreature.State.DRIVEN, "the keys take over")
	_runner.check(_pip.position.x < before.x - 20.0, "the left key drives it to the left")
	var floor_y := _pip.position.y
	_press(KEY_SPACE, true)
	await _runner.seconds(0.2)
	_runner.check(_pip.position.y < floor_y - 20.0, "the space bar makes it jump")
	await _runner.screenshot("driven")
	_press(KEY_SPACE, false)
	await _runner.seconds(0.6)


## The cave is open to who is one cell high.
func _no_way() -> void:
	await _send_all(Vector2i(45, 26))
	await _settle(Vector2i(45, 26), [_pip])
	_runner.check(_boar.state == JumpCreature.State.LOST, "the boar has no way into the cave")
	_runner.check(_golem.state == JumpCreature.State.LOST, "nor has the golem")
	await _runner.screenshot("cave")
	await DemoChecks.new(_runner).look_closer(_screen(_pip.position))


func _send(cell: Vector2i) -> void:
	await _runner.click(_cell_on_screen(cell), MOUSE_BUTTON_RIGHT)


func _send_all(cell: Vector2i) -> void:
	await _runner.key(KEY_A)
	await _send(cell)


## Waits until these are at rest near where they were sent, and looks whether all stand apart.
func _settle(goal: Vector2i, creatures: Array[JumpCreature]) -> void:
	Engine.time_scale = HURRY
	Engine.physics_ticks_per_second = TICKS * HURRY
	Engine.max_physics_steps_per_frame = 8 * HURRY
	for creature: JumpCreature in creatures:
		var near := Rect2i(goal, Vector2i.ONE).grow(8)
		var is_there := func() -> bool:
			var is_resting := creature.state == JumpCreature.State.RESTING
			return is_resting and near.intersects(creature.cells_at(creature.cell_now()))
		var nearer := func() -> float: return -float(creature.steps_ahead())
		await _runner.wait_for_progress(is_there, nearer, "%s comes to %s" % [creature.title, goal])
	Engine.time_scale = 1.0
	Engine.physics_ticks_per_second = TICKS
	Engine.max_physics_steps_per_frame = 8
	await _runner.seconds(0.2)
	_check_apart("at %s" % goal)


func _check_apart(when: String) -> void:
	var bodies: Array[Rect2] = []
	var names: PackedStringArray = []
	for creature: JumpCreature in [_pip, _boar, _golem]:
		bodies.append(creature.body())
		names.append(creature.title)
	DemoChecks.new(_runner).apart(bodies, names, when, 4.0)


func _goes_by(creature: JumpCreature, cell: Vector2i) -> bool:
	return creature.path != null and creature.path.cells.has(cell)


func _press(keycode: Key, is_pressed: bool) -> void:
	var event := InputEventKey.new()
	event.keycode = keycode
	event.physical_keycode = keycode
	event.pressed = is_pressed
	Input.parse_input_event(event)


func _screen(point: Vector2) -> Vector2:
	return _runner.on_screen(_grid, point)


func _cell_on_screen(cell: Vector2i) -> Vector2:
	return _runner.cell_on_screen(_grid, cell)
