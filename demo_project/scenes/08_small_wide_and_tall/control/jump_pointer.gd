class_name JumpPointer
extends Node2D
## What the mouse does in the level: a click selects a character or sends all of them, the right
## button toggles ground, the middle one a plank; both paint when they are dragged.

signal creature_clicked(creature: JumpCreature)
signal goal_clicked(cell: Vector2i)
## Why a click is not obeyed, in words.
signal refused(why: String)

var _level: JumpLevel
var _grid: PathForgeGrid
var _creatures: Array[JumpCreature] = []
var _painted := JumpLevel.Kind.AIR
var _button := MOUSE_BUTTON_NONE
var _over := Vector2i.MIN
var _goal := Vector2i.MIN
var _goal_age := 10.0


func set_up(level: JumpLevel, grid: PathForgeGrid, creatures: Array[JumpCreature]) -> void:
	_level = level
	_grid = grid
	_creatures = creatures


func _process(delta: float) -> void:
	_goal_age += delta
	var cell := _grid.local_to_cell(get_local_mouse_position())
	if cell != _over or _goal_age < 1.0:
		_over = cell
		queue_redraw()


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button != null:
		_on_button(button)
	elif event is InputEventMouseMotion and _button != MOUSE_BUTTON_NONE:
		_paint(_cell_of(event as InputEventMouseMotion))
		get_viewport().set_input_as_handled()


func _on_button(button: InputEventMouseButton) -> void:
	var cell := _cell_of(button)
	if not button.pressed:
		if button.button_index == _button:
			_button = MOUSE_BUTTON_NONE
		return
	match button.button_index:
		MOUSE_BUTTON_LEFT:
			_on_click(cell)
		MOUSE_BUTTON_RIGHT:
			_begin(MOUSE_BUTTON_RIGHT, cell, JumpLevel.Kind.GROUND)
		MOUSE_BUTTON_MIDDLE:
			_begin(MOUSE_BUTTON_MIDDLE, cell, JumpLevel.Kind.PLANK)
		_:
			return
	get_viewport().set_input_as_handled()


func _on_click(cell: Vector2i) -> void:
	var at := get_local_mouse_position()
	for creature: JumpCreature in _creatures:
		if creature.body().has_point(at):
			creature_clicked.emit(creature)
			return
	if not Rect2i(Vector2i.ZERO, _level.size).has_point(cell):
		refused.emit("The level ends here.")
	elif _level.kind(cell) == JumpLevel.Kind.GROUND:
		refused.emit("That is solid. Click where there is air.")
	else:
		_goal = cell
		_goal_age = 0.0
		goal_clicked.emit(cell)


func _begin(button: MouseButton, cell: Vector2i, kind: JumpLevel.Kind) -> void:
	_button = button
	_painted = JumpLevel.Kind.AIR if _level.kind(cell) == kind else kind
	if _painted == JumpLevel.Kind.GROUND and _is_occupied(cell):
		refused.emit("A character is in the way.")
	elif not _level.is_free_to_change(cell):
		refused.emit("The lowest row stays as it is.")
	_paint(cell)


func _paint(cell: Vector2i) -> void:
	if _painted == JumpLevel.Kind.GROUND and _is_occupied(cell):
		return
	_level.set_kind(cell, _painted)


func _is_occupied(cell: Vector2i) -> bool:
	var area := Rect2(Vector2(cell) * _grid.cell_size, _grid.cell_size)
	return _creatures.any(
		func(creature: JumpCreature) -> bool: return creature.body().grow(-1.5).intersects(area)
	)


func _cell_of(event: InputEventMouse) -> Vector2i:
	var at := get_global_transform_with_canvas().affine_inverse() * event.position
	return _grid.local_to_cell(at)


func _draw() -> void:
	if _level == null:
		return
	if _level.is_free_to_change(_over):
		var area := Rect2(Vector2(_over) * _grid.cell_size, _grid.cell_size)
		draw_rect(area, Color(1, 1, 1, 0.07))
		draw_rect(area, Color(1, 1, 1, 0.35), false, 1.0)
	if _goal_age < 1.0:
		var middle := _grid.cell_to_local(_goal)
		var fade := 1.0 - _goal_age
		var radius := 6.0 + 22.0 * _goal_age
		draw_arc(middle, radius, 0.0, TAU, 40, Color(DemoPalette.ACCENT, fade), 2.5, true)
