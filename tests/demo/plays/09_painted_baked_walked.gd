extends RefCounted
## Uses the scene as a player would: steps, brushes on both boards, walkers that are sent. Looks
## all the while whether any body touches a wall, furniture or a hole.

const DemoChecks := preload("../demo_checks.gd")
const DemoPlayer := preload("../demo_player.gd")

## So near to one place, in pixels, four that stand side by side find room.
const NEAR := 60.0

var _runner: DemoPlayer
var _boards: Array[PaintBoard] = []
var _touches := 0


func play(runner: DemoPlayer) -> void:
	_runner = runner
	_boards = [runner.scene().get_node(^"Wide"), runner.scene().get_node(^"Tall")]
	var tree := runner.scene().get_tree()
	tree.physics_frame.connect(_watch)
	await _runner.seconds(2.5)
	await _runner.screenshot()
	await DemoChecks.new(_runner).tools(
		_runner.scene().find_child("Tools", true, false) as DemoTools
	)
	await _steps()
	await _painting()
	await _sending()
	await _refused()
	tree.physics_frame.disconnect(_watch)
	_runner.check(_touches == 0, "no body touches anything: %d frames" % _touches)


func _steps() -> void:
	var panel: PaintPanel = _runner.scene().find_child("Panel", true, false)
	_runner.check(_boards[0].baker.debug_enabled, "it starts with the result")
	for step: PaintSteps.Step in PaintPanel.ABOUT:
		await _runner.click_on(_button(panel, "Next ›"))
		await _runner.seconds(0.25)
		_runner.check(_boards[0].steps.step == step, "the next step is shown")
		if step in [PaintSteps.Step.TILES, PaintSteps.Step.GROWN]:
			await _runner.screenshot("tiles" if step == PaintSteps.Step.TILES else "grown")
	await _runner.key(KEY_Q)
	_runner.check(_boards[1].steps.step == PaintSteps.Step.GROWN, "Q goes back")
	_runner.check(not _boards[1].baker.debug_enabled, "the result is hidden")
	await _runner.key(KEY_E)


## A wall across the lower room, a pit, plants; then floor over all of it.
func _painting() -> void:
	var baked: Array[int] = []
	var note := func(regions: int, _msec: float) -> void: baked.append(regions)
	_boards[0].baked.connect(note)
	_boards[1].baked.connect(note)
	var area := _area(_boards[0])
	await _runner.key(KEY_3)
	await _runner.drag(_cell(0, Vector2i(2, 11)), _cell(0, Vector2i(15, 11)))
	_runner.check(
		not baked.is_empty() and baked.max() <= 4, "a stroke bakes few regions: %s" % [baked]
	)
	_runner.check(_area(_boards[0]) < area, "a wall takes room away on the left")
	await _runner.key(KEY_2)
	await _runner.drag(_cell(1, Vector2i(2, 4)), _cell(1, Vector2i(5, 4)))
	await _runner.key(KEY_5)
	await _runner.click(_cell(1, Vector2i(9, 21)))
	await _runner.seconds(0.8)
	await _runner.screenshot("painted")
	await _runner.key(KEY_1)
	await _runner.drag(_cell(0, Vector2i(2, 11)), _cell(0, Vector2i(15, 11)))
	await _runner.drag(_cell(0, Vector2i(2, 4)), _cell(0, Vector2i(5, 4)))
	await _runner.click(_cell(1, Vector2i(9, 21)))
	for board: PaintBoard in _boards:
		var kept := _area(board)
		board.bake()
		_runner.check(absf(_area(board) - kept) < 1.0, "what was painted equals a whole bake")


func _sending() -> void:
	await _runner.seconds(0.5)
	await _runner.key(KEY_ESCAPE)
	await _selecting()
	await _runner.click(_cell(0, Vector2i(3, 8)), MOUSE_BUTTON_RIGHT)
	await _runner.seconds(2.0)
	await _runner.screenshot("sent")
	var are_there := func() -> bool:
		return _walkers().all(func(walker: PaintWalker) -> bool: return walker.is_at_rest())
	var nearer := func() -> float:
		var left := 0.0
		for walker: PaintWalker in _walkers():
			left += walker.agent.distance_to_target()
		return -left
	await _runner.click(_cell(0, Vector2i(3, 8)), MOUSE_BUTTON_RIGHT)
	await _runner.frames(4)
	await _runner.wait_for_progress(are_there, nearer, "all come to where they were sent")
	var checks := DemoChecks.new(_runner)
	_are_where_they_were_sent(_place(Vector2i(3, 8)))
	for board: PaintBoard in _boards:
		var bodies: Array[Rect2] = []
		var names: PackedStringArray = []
		for walker: PaintWalker in board.walkers:
			bodies.append(walker.body())
			names.append("walker %d" % bodies.size())
		checks.apart(bodies, names, "at rest")
	await checks.look_closer(_cell(0, Vector2i(6, 9)))
	var panel: PaintPanel = _runner.scene().find_child("Panel", true, false)
	for board: String in ["Wide", "Tall"]:
		var said := panel.figures.figure(board)
		_runner.check(said.begins_with("9 of 9, "), "the panel says what a bake took: %s" % said)


## A right click sends the selected walkers, and no others.
func _selecting() -> void:
	var one := _boards[0].walkers[0]
	await _runner.click(_runner.on_screen(_boards[0], one.position))
	_runner.check(one.is_selected, "a click selects a walker")
	var chosen := _walkers().filter(func(walker: PaintWalker) -> bool: return walker.is_selected)
	_runner.check(chosen.size() == 1, "and no other: %d" % chosen.size())
	await _runner.click(_cell(0, Vector2i(3, 8)), MOUSE_BUTTON_RIGHT)
	var away := one.goal_box().get_center().distance_to(_place(Vector2i(3, 8)))
	_runner.check(away < NEAR, "it goes where it is sent, %.0f px off" % away)
	var other := _boards[1].walkers[0]
	var aside := (
		other.goal_box().get_center() - _boards[1].end_of_way(other, _place(Vector2i(3, 8)))
	)
	_runner.check(aside.length() > 1.0, "others go their ways")
	await _runner.click(_cell(0, Vector2i(0, 0)))
	DemoChecks.new(_runner).told("No walker is there", "a click on a wall")
	await _runner.key(KEY_A)


## By position: each is where it was sent, side by side with others, or as near as it gets.
func _are_where_they_were_sent(place: Vector2) -> void:
	for board: PaintBoard in _boards:
		for walker: PaintWalker in board.walkers:
			var away := walker.position.distance_to(board.end_of_way(walker, place))
			_runner.check(away < NEAR, "a walker is %.0f px from where it can get" % away)


## What cannot be done is told in words.
func _refused() -> void:
	var checks := DemoChecks.new(_runner)
	await _runner.key(KEY_3)
	await _runner.click(_cell(0, Vector2i(0, 5)))
	checks.told("around the rooms stay", "a brush on the border")
	await _runner.click(_runner.on_screen(_boards[0], _boards[0].walkers[0].position))
	checks.told("put on a walker", "a wall on a walker")
	await _runner.click(
		_runner.on_screen(_boards[0], _boards[0].size() + Vector2(10, -60)), MOUSE_BUTTON_RIGHT
	)
	checks.told("The rooms end here", "an order beside the rooms")
	await _runner.click(_cell(0, Vector2i(3, 6)), MOUSE_BUTTON_RIGHT)
	checks.told("as near as they get", "an order into a wall")
	await _runner.screenshot("refused")


func _walkers() -> Array[PaintWalker]:
	return _boards[0].walkers + _boards[1].walkers


## Every physics frame: the body's own box, a little smaller, against the tiles' own physics, and
## its corners against the floor.
func _watch() -> void:
	for board: PaintBoard in _boards:
		for walker: PaintWalker in board.walkers:
			if walker.visible and _touches_something(board, walker):
				_touches += 1


func _touches_something(board: PaintBoard, walker: PaintWalker) -> bool:
	var shape := RectangleShape2D.new()
	shape.size = walker.body().size - Vector2(3, 3)
	var query := PhysicsShapeQueryParameters2D.new()
	query.shape = shape
	query.transform = walker.global_transform
	var space := board.get_world_2d().direct_space_state
	if not space.intersect_shape(query, 1).is_empty():
		return true
	var box := walker.body().grow(-1.5)
	for corner: Vector2 in [box.position, box.end, Vector2(box.position.x, box.end.y)]:
		if board.floor_layer.get_cell_source_id(board.cell_at(corner)) < 0:
			return true
	return false


func _area(board: PaintBoard) -> float:
	var area := 0.0
	for region: NavigationRegion2D in board.get_node(^"Regions").get_children():
		if region.is_queued_for_deletion():
			continue
		var polygon := region.navigation_polygon
		for place: int in polygon.get_polygon_count():
			var corners := polygon.get_polygon(place)
			for i: int in corners.size():
				var next := polygon.vertices[corners[(i + 1) % corners.size()]]
				area += polygon.vertices[corners[i]].cross(next) / 2.0
	return area


func _cell(board: int, cell: Vector2i) -> Vector2:
	return _runner.on_screen(_boards[board], _place(cell))


func _place(cell: Vector2i) -> Vector2:
	return (Vector2(cell) + Vector2(0.5, 0.5)) * PaintBoard.TILE


func _button(panel: Control, text: String) -> Button:
	for button: Button in panel.find_children("*", "Button", true, false):
		if button.text == text:
			return button
	return null
