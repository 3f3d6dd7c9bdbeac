extends RefCounted
## Points and clicks in a lesson, and looks where its bodies are.

const DemoChecks := preload("demo_checks.gd")
const DemoPlayer := preload("demo_player.gd")

## Variables of these types hold what a click has said.
const KEPT_TYPES: Array[int] = [TYPE_BOOL, TYPE_INT, TYPE_VECTOR2I]

var _runner: DemoPlayer
var _lesson: Node
var _grid: PathForgeGrid


func _init(runner: DemoPlayer, lesson: Node) -> void:
	_runner = runner
	_lesson = lesson
	_grid = lesson.get_node_or_null(^"PathForgeGrid")


## What every lesson has to pass at the end: buttons that it does not name change nothing, and its
## words have room.
func other_buttons_do_nothing() -> void:
	await _runner.move(_runner.viewport().get_visible_rect().size * 0.55)
	await _runner.frames(2)
	var before := _state()
	for button: MouseButton in [
		MOUSE_BUTTON_WHEEL_UP,
		MOUSE_BUTTON_WHEEL_DOWN,
		MOUSE_BUTTON_WHEEL_LEFT,
		MOUSE_BUTTON_WHEEL_RIGHT,
		MOUSE_BUTTON_MIDDLE,
	]:
		await _runner.press(button)
		await _runner.release(button)
		_runner.check(_state() == before, "button %d does nothing: %s" % [button, _state()])
	var label := _label()
	var bottom := _runner.viewport().get_visible_rect().end.y
	_runner.check(label.get_global_rect().end.y <= bottom, "its words fit: %s" % label.text)


## What a click may change, of the lesson's script and of its nodes.
func _state() -> Array:
	var state: Array = [_label().text]
	if _grid != null:
		state.append(_grid.state_hash())
	for node: Node in [_lesson] + _lesson.find_children("*", "", true, false):
		for property: Dictionary in node.get_property_list():
			var is_own: bool = property.usage & PROPERTY_USAGE_SCRIPT_VARIABLE
			var is_kept: bool = property.type in KEPT_TYPES or property.name == "path"
			if is_own and is_kept or property.name in ["goals", "target_position", "enabled"]:
				state.append("%s %s" % [property.name, node.get(property.name)])
	return state


func _extent(swarm: PathForgeCrowd) -> Vector2:
	return _extent_of(swarm.get_positions())


func _extent_of(positions: PackedVector2Array) -> Vector2:
	var around := Rect2(positions[0], Vector2.ZERO)
	for at: Vector2 in positions:
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


func _rests(unit: Node2D) -> bool:
	var way: PackedVector2Array = _lesson.get(&"path")
	return way.is_empty() and unit.is_inside_tree()


## The middle of a body is as near to a cell's as [param most] pixels.
func _is_at(body: Node2D, cell: Vector2i, most: float) -> void:
	var distance := body.position.distance_to(_grid.cell_to_local(cell))
	_runner.check(distance <= most, "%s is at %s: %.0f px from it" % [body.name, cell, distance])


func _squad_is_at(goal: Vector2i) -> void:
	var bodies: Array[Rect2] = []
	var names: PackedStringArray = []
	for body: Node2D in _lesson.get_node(^"Squad").get_children():
		_is_at(body, goal, 170.0)
		bodies.append(Rect2(body.position, Vector2.ZERO).grow(18.0))
		names.append(body.name)
	DemoChecks.new(_runner).apart(bodies, names, "at %s" % goal)


func _crowd_is_at(swarm: PathForgeCrowd, goal: Vector2i, most: float) -> void:
	var farthest := 0.0
	for at: Vector2 in swarm.get_positions():
		farthest = maxf(farthest, at.distance_to(_grid.cell_to_local(goal)))
	_runner.check(farthest <= most, "all are at %s: one is %.0f px from it" % [goal, farthest])


func _positions() -> PackedVector2Array:
	return (_lesson.get(&"positions") as PackedVector2Array).duplicate()


## Units that are at the goal start again in the same frame.
func _unit_is_near(cell: Vector2i) -> bool:
	var goal := _grid.cell_to_local(cell)
	return Array(_positions()).any(func(at: Vector2) -> bool: return at.distance_to(goal) < 48.0)


func _stands_at(jumper: CharacterBody2D, cell: Vector2i) -> bool:
	return jumper.is_on_floor() and _grid.local_to_cell(jumper.position).x == cell.x
