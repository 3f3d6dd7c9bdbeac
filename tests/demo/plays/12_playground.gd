extends RefCounted
## Plays with the map as a visitor would: paints, moves start and goal, tries every body, sends the
## crowd and hands the map on. After each change it looks whether what is shown is what the grid
## answers, and whether the whole body is on cells that are open to it.

const DemoChecks := preload("../demo_checks.gd")
const DemoPlayer := preload("../demo_player.gd")

const HURRY := 4
const WALKERS := 60
## The most walkers that others may keep out of the room around the goal.
const BLOCKED_MAX := 4
## No walker rests farther from the goal, in cells, with room for sixty around it.
const NEAR := 16.0
const BAD_TEXTS: PackedStringArray = [
	"",
	"A",
	"AAAAA",
	"AAAA",
	"AAAAAAAA",
	"hello world",
	"https://example.org/",
	"ü",
	"%00",
	"====",
]
const BAD_TEXTS_AT_RANDOM := 400
const LETTERS := "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

var _runner: DemoPlayer
var _checks: DemoChecks
var _scene: Node2D
var _grid: PathForgeGrid
var _crowd: PlaygroundCrowd
var _panel: PlaygroundPanel
var _bodies: Array[PlaygroundBody]


func play(runner: DemoPlayer) -> void:
	_runner = runner
	_checks = DemoChecks.new(runner)
	_find_nodes()
	await _main_picture()
	await _checks.tools(_tools())
	await _every_body()
	await _paint()
	await _seal_the_goal()
	await _ends()
	await _water()
	await _refused()
	await _clearance()
	await _checks.look_closer(_at(Vector2i(28, 9)))
	await _hand_on()
	await _bad_texts()
	await _walkers()


func _main_picture() -> void:
	_answer_is_true("at the start")
	await _runner.screenshot("start")
	await _runner.key(KEY_SPACE)
	await _runner.seconds(6.0)
	await _runner.move(Vector2(20, 20))
	await _runner.screenshot()
	await _checks.has_room("with a crowd")
	await _runner.key(KEY_SPACE)
	_runner.check(_crowd.get_agent_count() == 0, "Space removes the crowd")


func _every_body() -> void:
	for place: int in _bodies.size():
		await _runner.click_on(_panel.body_buttons[place])
		_runner.check(_body() == place, "its button chooses the %s" % _bodies[place].title)
		_answer_is_true("with the %s" % _bodies[place].title)
		_runner.check(_is_found(), "there is a path for the %s" % _bodies[place].title)
		await _checks.has_room("with the %s" % _bodies[place].title)
		await _runner.screenshot("body_%d" % place)
	await _runner.key(KEY_B)
	_runner.check(_body() == 0, "B chooses the next body")


## Walls close the gap, the path leads round; the eraser opens it again.
func _paint() -> void:
	await _choose("Tank")
	var before := _path().cost
	await _take(PlaygroundBrush.Tool.WALL)
	await _drag(Vector2i(23, 6), Vector2i(23, 11))
	_runner.check(_kind(Vector2i(23, 8)) == PlaygroundMap.Cell.WALL, "a drag builds walls")
	_runner.check(_path().cost > before, "the path of the tank leads round")
	_answer_is_true("after a wall")
	await _drag(Vector2i(5, 20), Vector2i(11, 25), 2)
	var built := 0
	for y: int in range(20, 26):
		for x: int in range(5, 12):
			built += int(_kind(Vector2i(x, y)) == PlaygroundMap.Cell.WALL)
	_runner.check(built >= 12, "a fast drag leaves no gap: %d cells" % built)
	_answer_is_true("after a slanting wall")
	await _runner.screenshot("walls")
	await _take(PlaygroundBrush.Tool.ERASE)
	await _drag(Vector2i(23, 8), Vector2i(23, 9))
	_runner.check(is_equal_approx(_path().cost, before), "the eraser opens the gap again")
	await _drag(Vector2i(5, 20), Vector2i(11, 25), 2)
	await _take(PlaygroundBrush.Tool.WALL)
	await _runner.drag_fingers([_at(Vector2i(30, 25))], [_at(Vector2i(34, 25))])
	_runner.check(_kind(Vector2i(32, 25)) == PlaygroundMap.Cell.WALL, "a finger builds walls")
	_answer_is_true("after a finger's wall")
	await _take(PlaygroundBrush.Tool.ERASE)
	await _drag(Vector2i(30, 25), Vector2i(34, 25))
	await _take(PlaygroundBrush.Tool.MUD)
	await _drag(Vector2i(22, 8), Vector2i(22, 9))
	_runner.check(_kind(Vector2i(22, 8)) == PlaygroundMap.Cell.MUD, "a drag paints mud")
	_runner.check(_path().cost > before, "which costs more")
	_answer_is_true("after mud")


## Four walls round the goal: the panel says why there is no path, and the map shows where.
func _seal_the_goal() -> void:
	await _take(PlaygroundBrush.Tool.WALL)
	var corners: Array[Vector2i] = [
		Vector2i(38, 7), Vector2i(42, 7), Vector2i(42, 12), Vector2i(38, 12), Vector2i(38, 7)
	]
	for side: int in 4:
		await _drag(corners[side], corners[side + 1])
	for place: int in _bodies.size():
		await _runner.click_on(_panel.body_buttons[place])
		_runner.check(not _is_found(), "no path of the %s into the cell" % _bodies[place].title)
		_runner.check(not _why().cells.is_empty(), "the answer names cells")
		_answer_is_true("with a sealed goal and the %s" % _bodies[place].title)
		await _checks.has_room("while it says: %s" % _panel.answer())
		await _runner.screenshot("sealed_%d" % place)
	await _choose("Tank")
	await _take(PlaygroundBrush.Tool.ERASE)
	await _drag(Vector2i(38, 9), Vector2i(38, 10))
	_runner.check(_is_found(), "a door of two cells lets the tank in")
	await _choose("Hauler")
	_runner.check(not _is_found() and _why().largest_side == 2, "but not the hauler")
	_answer_is_true("with a narrow door")
	await _checks.has_room("while it says: %s" % _panel.answer())
	await _runner.screenshot("too_narrow")
	for side: int in 4:
		await _drag(corners[side], corners[side + 1])
	_runner.check(_is_found(), "without the walls there is a path again")
	_answer_is_true("with an open goal")


## Start and goal move by tools, the goal also by the right button, and both may be on walls.
func _ends() -> void:
	await _choose("Scout")
	await _take(PlaygroundBrush.Tool.START)
	await _drag(Vector2i(8, 7), Vector2i(19, 4))
	_runner.check(_scene.get("start") == Vector2i(19, 4), "a drag moves the start")
	_answer_is_true("from another start")
	await _take(PlaygroundBrush.Tool.GOAL)
	await _click(Vector2i(44, 22))
	_runner.check(_scene.get("goal") == Vector2i(44, 22), "a click moves the goal")
	await _take(PlaygroundBrush.Tool.WALL)
	await _runner.click(_at(Vector2i(30, 2)), MOUSE_BUTTON_RIGHT)
	_runner.check(_scene.get("goal") == Vector2i(30, 2), "a right click moves the goal")
	_runner.check(_why().reason == PathForgePath.REASON_GOAL_SOLID, "which is in a wall now")
	_answer_is_true("with a goal in a wall")
	await _runner.screenshot("goal_in_wall")
	await _runner.click(_at(Vector2i(40, 9)), MOUSE_BUTTON_RIGHT)
	await _click(Vector2i(19, 4))
	_runner.check(_why().reason == PathForgePath.REASON_START_SOLID, "a wall over the start")
	_answer_is_true("with a start in a wall")
	await _runner.key(KEY_SPACE)
	_checks.told("No walker can stand", "a crowd in a wall")
	_runner.check(not _panel.crowd_button.button_pressed, "the crowd's button is not pressed then")
	await _take(PlaygroundBrush.Tool.ERASE)
	await _click(Vector2i(19, 4))
	for cell: Vector2i in [Vector2i(0, 0), PlaygroundMap.SIZE - Vector2i.ONE]:
		await _take(PlaygroundBrush.Tool.START)
		await _click(cell)
		for place: int in _bodies.size():
			await _runner.click_on(_panel.body_buttons[place])
			_runner.check(_is_found(), "the %s sets out in a corner" % _bodies[place].title)
			_answer_is_true("from the corner %s" % cell)
	await _click(Vector2i(8, 7))


## A river from edge to edge stops all but the amphibian.
func _water() -> void:
	await _take(PlaygroundBrush.Tool.WATER)
	await _drag(Vector2i(20, 0), Vector2i(20, 26), 26)
	for place: int in _bodies.size():
		await _runner.click_on(_panel.body_buttons[place])
		var swims := _bodies[place].title == "Amphibian"
		_runner.check(_is_found() == swims, "the %s and the river" % _bodies[place].title)
		_runner.check(swims or "water" in _panel.answer(), "the words name it")
		_answer_is_true("with a river")
		await _checks.has_room("while it says: %s" % _panel.answer())
	await _runner.screenshot("river")
	await _restart()
	_runner.check(_kind(Vector2i(20, 5)) == PlaygroundMap.Cell.OPEN, "R makes the map as it was")


func _refused() -> void:
	var before := _code()
	await _take(PlaygroundBrush.Tool.WALL)
	await _click(Vector2i(23, 4))
	_runner.check(_code() == before, "a wall on a wall changes nothing")
	for button: MouseButton in [MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT]:
		await _runner.click(_at(Vector2i(20, -2)), button)
		_checks.told("The map ends here", "a click beside the map")
	await _runner.key(KEY_ESCAPE)
	await _checks.has_room("with the tool that looks")
	await _click(Vector2i(30, 20))
	_checks.told("Take a tool", "a click without a tool")
	await _drag(Vector2i(30, 20), Vector2i(20, 20))
	_runner.check(_code() == before, "and nothing is painted")
	await _runner.tap(_at(Vector2i(41, 12)))
	_runner.check(_scene.get("goal") == Vector2i(41, 12), "a tap moves the goal")
	await _take(PlaygroundBrush.Tool.WALL)
	await _runner.drag(_at(Vector2i(46, 20)), _panel.crowd_button.get_global_rect().get_center())
	await _runner.move(_at(Vector2i(46, 24)))
	_runner.check(_kind(Vector2i(46, 24)) == PlaygroundMap.Cell.OPEN, "a drag ends over the panel")
	_runner.check(_crowd.get_agent_count() == 0, "and presses no button there")
	_answer_is_true("after all that")


func _clearance() -> void:
	var map: ClearanceMap = _scene.get("clearance")
	await _runner.key(KEY_C)
	_runner.check(map.visible and _panel.clearance_button.button_pressed, "C shows clearance")
	await _choose("Amphibian")
	await _runner.screenshot("clearance_swims")
	_runner.check(map.get_clearance(Vector2i(16, 21)) > 0, "there is room in water")
	await _choose("Hauler")
	_runner.check(map.get_clearance(Vector2i(16, 21)) == 0, "but not for all")
	await _runner.screenshot("clearance")
	await _runner.click_on(_panel.clearance_button)
	_runner.check(not map.visible, "its button hides it")


## Copied, changed and pasted, the map is what it was.
func _hand_on() -> void:
	await _choose("Beam")
	var before := _code()
	await _runner.key(KEY_C, KEY_MASK_CTRL)
	_checks.told("can be shared", "Ctrl+C")
	if PlaygroundLink.is_on_web():
		_runner.check(PlaygroundLink.code_of_page() == before, "the page's address has the map")
		return
	_runner.check(not (_scene.get("clearance") as ClearanceMap).visible, "and C does nothing else")
	await _take(PlaygroundBrush.Tool.WATER)
	await _drag(Vector2i(2, 1), Vector2i(40, 24))
	await _choose("Scout")
	await _runner.click(_at(Vector2i(1, 25)), MOUSE_BUTTON_RIGHT)
	var changed := _code()
	_runner.check(changed != before, "another map has another code")
	await _runner.key(KEY_V, KEY_MASK_CTRL)
	await _runner.wait_until(func() -> bool: return _code() == before, "Ctrl+V brings it back")
	_answer_is_true("after a paste")
	_runner.check(_body() == 3, "and its body")
	PlaygroundLink.hand_out("x/#%s%s \n" % [PlaygroundLink.MARK, changed])
	await _runner.click_on(_panel.paste_button)
	_runner.check(_code() == changed, "a whole link can be pasted, too")
	await _runner.click_on(_panel.copy_button)
	_runner.check(PlaygroundLink.take() == changed, "the button copies")
	PlaygroundLink.hand_out(before)
	await _runner.click_on(_panel.paste_button)
	var map := PlaygroundMap.new()
	for place: int in map.cells.size():
		map.cells[place] = randi() % 4
	map.body = 4
	var longest := PlaygroundCode.encode(map)
	_runner.check(longest.length() <= PlaygroundCode.LENGTH_MAX, "%d letters" % longest.length())
	var again := PlaygroundCode.decode(longest).map
	_runner.check(again != null and again.cells == map.cells, "the longest code can be read")


## What is no map is refused in words, without an error, and changes nothing. A page has no button
## to paste with.
func _bad_texts() -> void:
	if PlaygroundLink.is_on_web():
		return
	var before := _code()
	var texts := BAD_TEXTS.duplicate()
	texts.append_array([before.left(-1), before + "A", before + before, "A".repeat(1_000_000)])
	texts.append_array([before.to_lower(), before.substr(1), before.replace(before[9], "-")])
	var random := RandomNumberGenerator.new()
	random.seed = 12
	for number: int in BAD_TEXTS_AT_RANDOM:
		var text := before
		if number % 2 == 0:
			text = ""
			for letter: int in random.randi_range(1, PlaygroundCode.LENGTH_MAX):
				text += LETTERS[random.randi() % LETTERS.length()]
		else:
			var place := random.randi() % text.length()
			text[place] = LETTERS[(LETTERS.find(text[place]) + 1) % LETTERS.length()]
		texts.append(text)
	for text: String in texts:
		var answer := PlaygroundCode.decode(text)
		if answer.map != null:
			# The last letter has bits that stand for nothing.
			var same := PlaygroundCode.encode(answer.map) == before
			_runner.check(same, "%s is no map" % text.left(80))
		else:
			_runner.check(not answer.problem.is_empty(), "%s is refused in words" % text.left(80))
	for text: String in ["nonsense!", before.left(40), "A".repeat(9000)]:
		PlaygroundLink.hand_out(text)
		await _runner.key(KEY_V, KEY_MASK_CTRL)
		_checks.told("map", "a text such as %s" % text.left(40))
		_runner.check(_code() == before, "it leaves the map as it is")
	await _runner.screenshot("bad_text")


## The crowd walks round a wall that is built meanwhile, and comes to rest near the goal.
func _walkers() -> void:
	await _restart()
	await _runner.click_on(_panel.crowd_button)
	_runner.check(_crowd.get_agent_count() == WALKERS, "%d walkers" % _crowd.get_agent_count())
	_checks.discs_apart(_crowd.get_positions(), _radii(), "when they set out")
	_are_clear_of_walls("when they set out")
	_runner.hurry(HURRY)
	await _runner.seconds(3.0)
	await _take(PlaygroundBrush.Tool.WALL)
	await _drag(Vector2i(23, 7), Vector2i(23, 10))
	_are_clear_of_walls("behind a wall that is built over some of them")
	await _runner.seconds(2.0)
	await _runner.screenshot("walled")
	await _all_arrive("the goal")
	await _runner.click(_at(Vector2i(13, 9)), MOUSE_BUTTON_RIGHT)
	var have_left := func() -> bool:
		return _crowd.get_state_counts()[PathForgeCrowd.STATE_ARRIVED] == 0
	await _runner.wait_until(have_left, "the crowd turns to another goal")
	await _all_arrive("another goal")
	await _take(PlaygroundBrush.Tool.ERASE)
	await _drag(Vector2i(23, 7), Vector2i(23, 10))
	_runner.hurry(1)
	await _runner.click_on(_panel.crowd_button)
	_runner.check(_crowd.get_agent_count() == 0, "the button removes the crowd")
	await _runner.screenshot("end")


## All are at rest around the goal, apart from each other and off the walls.
func _all_arrive(where: String) -> void:
	var arrived := func() -> float: return _crowd.get_state_counts()[PathForgeCrowd.STATE_ARRIVED]
	var are_at_rest := func() -> bool:
		var blocked := _crowd.get_state_counts()[PathForgeCrowd.STATE_BLOCKED]
		return blocked <= BLOCKED_MAX and arrived.call() + blocked == WALKERS
	await _runner.wait_for_progress(are_at_rest, arrived, "the crowd comes to %s" % where, 90.0)
	await _runner.frames(2)
	var middle := _grid.cell_to_local(_scene.get("goal") as Vector2i)
	for position: Vector2 in _crowd.get_positions():
		var away := middle.distance_to(position) / _grid.cell_size.x
		_runner.check(away < NEAR, "a walker rests %.1f cells off %s" % [away, where])
	_are_clear_of_walls("at %s" % where)
	_checks.discs_apart(_crowd.get_positions(), _radii(), "at %s" % where)
	var words := (_panel.get_node(^"%Walkers") as Label).text
	_runner.check("have arrived" in words, "the panel says so: %s" % words)
	await _runner.screenshot(where.replace(" ", "_"))


## No walker's disc reaches into a cell that is closed to it.
func _are_clear_of_walls(when: String) -> void:
	var positions := _crowd.get_positions()
	var radii := _radii()
	for place: int in positions.size():
		var reach := Vector2.ONE * radii[place]
		var first := _grid.local_to_cell(positions[place] - reach)
		var last := _grid.local_to_cell(positions[place] + reach)
		for y: int in range(first.y, last.y + 1):
			for x: int in range(first.x, last.x + 1):
				var area := Rect2(Vector2(x, y) * _grid.cell_size, _grid.cell_size)
				var nearest := positions[place].clamp(area.position, area.end)
				var depth := radii[place] - nearest.distance_to(positions[place])
				var is_open := (
					_kind(Vector2i(x, y)) in [PlaygroundMap.Cell.OPEN, PlaygroundMap.Cell.MUD]
				)
				_runner.check(
					is_open or depth < 0.5, "a walker is %.1f px in a wall %s" % [depth, when]
				)


## The radius of each walker: by ascending id, the large ones first.
func _radii() -> PackedFloat32Array:
	var radii := PackedFloat32Array()
	for kind: int in PlaygroundCrowd.COUNTS:
		for walker: int in PlaygroundCrowd.COUNTS[kind]:
			radii.append((_bodies[kind].profile.footprint.x * 0.5 - 0.1) * _grid.cell_size.x)
	return radii


## What is shown is what the grid answers, and the whole body is where it may be on all of the path.
func _answer_is_true(when: String) -> void:
	var body := _bodies[_body()]
	var anchor := body.anchor(_scene.get("start") as Vector2i)
	var goal := body.anchor(_scene.get("goal") as Vector2i)
	var fresh := _grid.find_path(anchor, goal, body.profile)
	var reason := _grid.explain(anchor, goal, body.profile)
	_runner.check(_path().cells == fresh.cells, "the path is that of the grid %s" % when)
	_runner.check(_panel.answer() == reason.text, "the words are those of the grid %s" % when)
	_runner.check(not reason.text.is_empty(), "there are words %s" % when)
	_runner.check(_is_found() == (reason.reason == PathForgePath.REASON_NONE), "agree %s" % when)
	var cells := _path().cells
	if cells.is_empty():
		return
	_runner.check(cells == reason.cells, "the overlay shows the path %s" % when)
	_runner.check(cells[0] == anchor, "the path begins at the start %s" % when)
	_runner.check(cells[-1] == goal, "and ends at the goal %s" % when)
	for place: int in cells.size():
		var step := (cells[place] - cells[maxi(place - 1, 0)]).abs()
		_runner.check(maxi(step.x, step.y) <= 1, "the path has no gap %s" % when)
		_runner.check(
			_is_open_to(cells[place], body), "the body fits at %s %s" % [cells[place], when]
		)


func _is_open_to(corner: Vector2i, body: PlaygroundBody) -> bool:
	for y: int in body.profile.footprint.y:
		for x: int in body.profile.footprint.x:
			var cell := corner + Vector2i(x, y)
			if _kind(cell) == PlaygroundMap.Cell.WALL:
				return false
			if _kind(cell) == PlaygroundMap.Cell.WATER and body.title != "Amphibian":
				return false
	return true


func _restart() -> void:
	var before := _scene.get_instance_id()
	await _runner.key(KEY_R)
	var is_new := func() -> bool:
		return _runner.scene() != null and _runner.scene().get_instance_id() != before
	await _runner.wait_until(is_new, "R restarts")
	await _runner.frames(5)
	_find_nodes()


func _find_nodes() -> void:
	_scene = _runner.scene()
	_grid = _scene.get("grid")
	_crowd = _scene.get("crowd")
	_panel = _scene.get("panel")
	_bodies = _scene.get("bodies")


func _tools() -> DemoTools:
	return _scene.find_child("Tools", true, false)


func _take(tool: PlaygroundBrush.Tool) -> void:
	await _runner.key(KEY_0 + tool as Key)
	_runner.check(_tools().current == tool, "tool %d is in hand" % tool)


func _choose(title: String) -> void:
	for place: int in _bodies.size():
		if _bodies[place].title == title:
			await _runner.click_on(_panel.body_buttons[place])


func _click(cell: Vector2i) -> void:
	await _runner.click(_at(cell))


func _drag(from: Vector2i, to: Vector2i, steps := 12) -> void:
	await _runner.drag(_at(from), _at(to), MOUSE_BUTTON_LEFT, steps)


func _at(cell: Vector2i) -> Vector2:
	return _runner.cell_on_screen(_grid, cell)


## The kind of a cell; beyond the map there is wall.
func _kind(cell: Vector2i) -> PlaygroundMap.Cell:
	if not _grid.is_in_boundsv(cell):
		return PlaygroundMap.Cell.WALL
	return PlaygroundMap.kind_at(_grid, cell)


func _body() -> int:
	return _scene.get("body")


func _path() -> PathForgePath:
	return _scene.get("path")


func _why() -> PathForgeDiagnosis:
	return _scene.get("why")


func _is_found() -> bool:
	return _path().is_complete()


func _code() -> String:
	@warning_ignore("unsafe_method_access")
	return PlaygroundCode.encode(_scene.current_map())
