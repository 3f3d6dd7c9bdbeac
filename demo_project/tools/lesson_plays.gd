class_name LessonPlays
extends RefCounted
## What each lesson has to show: a method a lesson, named as its file without the number. It uses
## the lesson as a reader would, and checks how that ends.

var _runner: DemoPlayer
var _lesson: Node
var _grid: PathForgeGrid


func _init(runner: DemoPlayer, lesson: Node) -> void:
	_runner = runner
	_lesson = lesson
	_grid = lesson.get_node_or_null(^"PathForgeGrid")


func path() -> void:
	var unit: Node2D = _lesson.get_node(^"Unit")
	await _until(_covers.bind(unit, Vector2i(35, 3)), "the unit is at its goal")
	await _runner.screenshot()
	await _click(Vector2i(10, 10))
	await _until(_covers.bind(unit, Vector2i(10, 10)), "the unit stands where the click was")


func clearance() -> void:
	await _point(Vector2i(1, 1))
	await _runner.screenshot()
	_shows("A square body of 7 cells", "room between the wall and the edge of the map")
	await _click(Vector2i(3, 3))
	await _point(Vector2i(1, 1))
	_shows("A square body of 2 cells", "a new wall leaves less room")


func terrain() -> void:
	await _runner.frames(5)
	await _runner.screenshot()
	var ends: Array[Vector2i] = []
	for line: Line2D in _lesson.get_node(^"Lines").get_children():
		ends.append(_grid.local_to_cell(line.points[-1]))
	_runner.check(ends[0] == Vector2i(35, 8), "the walker gets there over the mud")
	_runner.check(ends[1].x < 28, "the barge stays on the water: %s" % ends[1])
	_runner.check(ends[2] == Vector2i(35, 8), "the frog gets there")
	await _click(Vector2i(20, 5))
	_runner.check(_label().text.contains("Frog: "), "costs are shown: %s" % _label().text)


func walker() -> void:
	await _runner.seconds(1.0)
	await _runner.screenshot()
	await _until(_text_begins.bind("There."), "the walker reaches its target")


func squad() -> void:
	await _runner.seconds(3.0)
	await _runner.screenshot()
	await _until(_squad_is_there, "nine of nine are at their places")
	await _runner.screenshot("arrived")
	await _click(Vector2i(6, 9))
	await _runner.seconds(1.0)
	await _until(_squad_is_there, "nine of nine are back")


func crowd() -> void:
	await _runner.seconds(4.0)
	await _runner.screenshot()
	var arrived := func() -> float: return _lesson.get(&"arrived")
	await _runner.wait_for_progress(_text_begins.bind("400 of 400"), arrived, "all have arrived")
	await _runner.screenshot("arrived")


func danger() -> void:
	await _runner.seconds(0.5)
	await _runner.screenshot()
	var scout: Line2D = _lesson.get_node(^"Scout")
	var veteran: Line2D = _lesson.get_node(^"Veteran")
	var tower: Node2D = _lesson.get_node(^"Tower")
	_runner.check(_nearest(veteran, tower) < 64.0, "the veteran passes the tower")
	_runner.check(_nearest(scout, tower) > 128.0, "the scout goes around it")
	await _runner.drag(_on_screen(Vector2i(20, 10)), _on_screen(Vector2i(20, 2)))
	await _runner.seconds(0.5)
	_runner.check(scout.points == veteran.points, "far from the path it is no danger")


func flow_field() -> void:
	await _runner.seconds(2.0)
	await _runner.screenshot()
	await _until(_units_are_at.bind(Vector2i(37, 4)), "all are at the goal")
	await _click(Vector2i(15, 2))
	await _until(_units_are_at.bind(Vector2i(15, 2)), "all are at the next goal")


func why_not() -> void:
	await _runner.frames(5)
	await _runner.screenshot()
	_runner.check(_label().text.length() > 40, "the label says why: %s" % _label().text)
	await _click(Vector2i(20, 8), MOUSE_BUTTON_RIGHT)
	_runner.check(not _grid.is_point_solid(Vector2i(20, 8)), "a right click opens the wall")
	_runner.check(_label().text.contains("cost"), "now it says what the path costs")
	await _runner.screenshot("opened")


func requests() -> void:
	await _runner.wait_for_work(_text_begins.bind("500 of 500"), "all requests are answered")
	await _runner.screenshot()


func huge_map() -> void:
	var line: Line2D = _lesson.get_node(^"Path")
	await _runner.wait_for_work(
		func() -> bool: return line.points.size() > 2000, "the path is there"
	)
	await _runner.screenshot()


func building() -> void:
	await _click(Vector2i(12, 9))
	_runner.check(not _grid.is_point_solid(Vector2i(12, 9)), "a tower in the gap is refused")
	await _runner.screenshot()
	await _click(Vector2i(20, 9))
	_runner.check(_grid.is_point_solid(Vector2i(20, 9)), "one behind it is built")
	await _runner.screenshot("built")


func tile_map() -> void:
	await _runner.frames(5)
	await _runner.screenshot()
	var line: Line2D = _lesson.get_node(^"Path")
	var cells := line.points.size()
	_runner.check(cells > 36, "the path leads around the walls")
	await _click(Vector2i(12, 10))
	await _runner.wait_for_work(
		func() -> bool: return not _grid.is_point_solid(Vector2i(12, 10)),
		"an erased tile opens its cell"
	)
	_runner.check(line.points.size() < cells, "and the path is shorter")


func platformer() -> void:
	var jumper: CharacterBody2D = _lesson.get_node(^"Jumper")
	await _runner.seconds(1.0)
	await _runner.screenshot()
	await _until(_stands_at.bind(jumper, Vector2i(34, 5)), "the character is on the upper ledge")
	await _click(Vector2i(5, 9))
	await _until(_stands_at.bind(jumper, Vector2i(5, 9)), "the character is on the platform")


func navigation_polygons() -> void:
	await _runner.seconds(0.5)
	await _runner.screenshot()
	var line: Line2D = _lesson.get_node(^"Path")
	_runner.check(line.points.size() > 3, "the path leads around the walls")
	_runner.check(line.points[-1].distance_to(Vector2(1180, 100)) < 2.0, "and to its goal")


func saving() -> void:
	await _runner.key(KEY_S)
	_shows("Saved", "S saves")
	var saved := _grid.state_hash()
	await _click(Vector2i(3, 3))
	_runner.check(_grid.state_hash() != saved, "a wall changes the hash")
	await _runner.key(KEY_L)
	_shows("Loaded", "L loads")
	_runner.check(_grid.state_hash() == saved, "the map is what was saved")
	await _runner.screenshot()


func doors() -> void:
	var body: Node2D = _lesson.get_node(^"Walker")
	await _click(Vector2i(30, 2))
	await _runner.seconds(1.0)
	await _runner.screenshot()
	await _until(func() -> bool: return body.position.x > 1050.0, "the open door is used")
	await _until(func() -> bool: return body.position.x < 200.0, "there and back")


func turn_based() -> void:
	await _runner.frames(5)
	await _runner.screenshot()
	var reach: Dictionary = _lesson.get(&"reach")
	_runner.check(reach.size() > 50 and not reach.has(Vector2i(9, 9)), "enemies are not entered")
	await _runner.click(Vector2(15.5, 10.5) * 32.0)
	_runner.check(_lesson.get(&"cell") == Vector2i(15, 10), "the knight has moved")
	await _runner.screenshot("moved")


func bound_nodes() -> void:
	var swarm: PathForgeCrowd = _grid.get_node(^"PathForgeCrowd")
	var units := _lesson.get_node(^"Units").get_children()
	var rounds: Array[Vector2i] = []
	swarm.group_arrived.connect(func(goal: Vector2i) -> void: rounds.append(goal))
	await _runner.seconds(3.0)
	await _runner.screenshot()
	var first: Node2D = units[0]
	var at := swarm.get_agent_position(0)
	_runner.check(first.position.distance_to(at) < 8.0, "a node is where its agent is")
	var near := units.filter(_is_near.bind(at, 100.0)).size()
	_runner.check(near > 2, "others walk beside it: %d" % near)
	await _runner.click(_runner.on_screen(_grid, at))
	await _runner.seconds(0.25)
	await _runner.screenshot("thrown")
	var left := units.filter(_is_near.bind(at, 60.0)).size()
	_runner.check(left <= 1, "the explosion leaves nothing there: %d" % left)
	await _until(func() -> bool: return rounds.size() >= 2, "there and back, all of them")
	_runner.check(rounds[0] != rounds[1], "to two goals: %s" % [rounds])


func march() -> void:
	var swarm: PathForgeCrowd = _grid.get_node(^"PathForgeCrowd")
	await _runner.seconds(2.5)
	await _runner.screenshot()
	await _until(_text_begins.bind("All"), "the block is there")
	_runner.check(_extent(swarm).aspect() > 0.6 and _extent(swarm).aspect() < 1.6, "as a block")
	await _runner.screenshot("block")
	await _runner.key(KEY_SPACE)
	await _click(Vector2i(6, 9))
	await _until(_text_begins.bind("All"), "the column is back")
	_runner.check(_extent(swarm).aspect() > 4.0, "as a column: %s" % _extent(swarm))
	await _runner.screenshot("column")


func _extent(swarm: PathForgeCrowd) -> Vector2:
	var around := Rect2(swarm.get_positions()[0], Vector2.ZERO)
	for at: Vector2 in swarm.get_positions():
		around = around.expand(at)
	return around.size


func _until(condition: Callable, what: String) -> void:
	await _runner.wait_until(condition, what)


func _label() -> Label:
	return _lesson.get_node(^"Label")


func _text_begins(text: String) -> bool:
	return _label().text.begins_with(text)


func _shows(text: String, what: String) -> void:
	_runner.check(_text_begins(text), "%s: %s" % [what, _label().text])


func _on_screen(cell: Vector2i) -> Vector2:
	return _runner.cell_on_screen(_grid, cell)


func _point(cell: Vector2i) -> void:
	await _runner.move(_on_screen(cell))
	await _runner.frames(2)


func _click(cell: Vector2i, button := MOUSE_BUTTON_LEFT) -> void:
	await _runner.click(_on_screen(cell), button)
	await _runner.frames(2)


func _covers(unit: Node2D, cell: Vector2i) -> bool:
	return Rect2(Vector2(cell) * _grid.cell_size, _grid.cell_size).intersects(
		Rect2(unit.position, Vector2.ZERO).grow(40.0)
	)


func _nearest(line: Line2D, to: Node2D) -> float:
	var distances := Array(line.points).map(to.position.distance_to)
	return distances.min()


func _is_near(unit: Node2D, at: Vector2, distance: float) -> bool:
	return unit.position.distance_to(at) < distance


func _squad_is_there() -> bool:
	return _lesson.get_node(^"Squad").get_children().all(
		func(body: Node) -> bool:
			var agent: PathForgeAgent2D = body.get_node(^"PathForgeAgent2D")
			return agent.is_target_reached()
	)


func _units_are_at(cell: Vector2i) -> bool:
	var middle := _grid.cell_to_local(cell)
	var positions: PackedVector2Array = _lesson.get(&"positions")
	return Array(positions).all(
		func(at: Vector2) -> bool: return at.distance_to(middle) < _grid.cell_size.x
	)


func _stands_at(jumper: CharacterBody2D, cell: Vector2i) -> bool:
	return jumper.is_on_floor() and _grid.local_to_cell(jumper.position).x == cell.x
