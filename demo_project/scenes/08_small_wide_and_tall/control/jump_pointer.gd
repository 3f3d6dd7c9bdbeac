class_name JumpPointer
extends Node2D
## The pointer in the level. A click selects a character, a drag all that it frames, Shift adds. A
## right click sends what is selected to the ground below it. With a tool the left button puts
## ground or planks, or takes them away.

signal creatures_picked(some: Array[JumpCreature], is_adding: bool)
## What is selected is to go to a ground cell.
signal goal_clicked(cell: Vector2i)
## Why a click is not obeyed, in words.
signal refused(why: String)

## What each tool puts, by its place; the first one selects.
const PAINTED: Array[JumpLevel.Kind] = [
	JumpLevel.Kind.AIR, JumpLevel.Kind.GROUND, JumpLevel.Kind.PLANK
]
## Pixels of the screen that the pointer may stray in a click.
const CLICK_SLOP := 5.0

var _tools: DemoTools
var _level: JumpLevel
var _grid: PathForgeGrid
var _creatures: Array[JumpCreature] = []
var _painted := JumpLevel.Kind.AIR
var _is_painting := false
## Where the left button was pressed, and whether it has been dragged from there.
var _start := Vector2.INF
var _is_dragging := false
var _over := Vector2i.MIN
var _goal := Vector2i.MIN
var _goal_age := 10.0


func set_up(
	tools: DemoTools, level: JumpLevel, grid: PathForgeGrid, creatures: Array[JumpCreature]
) -> void:
	_tools = tools
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
	if button != null and button.button_index == MOUSE_BUTTON_LEFT:
		_on_left(button)
		get_viewport().set_input_as_handled()
	elif button != null and button.button_index == MOUSE_BUTTON_RIGHT and button.pressed:
		_send(_cell_of(button))
		get_viewport().set_input_as_handled()
	elif event is InputEventMouseMotion and _is_painting:
		_paint(_cell_of(event as InputEventMouseMotion))
	elif event is InputEventMouseMotion and _start.is_finite():
		var zoom := get_viewport_transform().get_scale().x
		var strayed := (get_local_mouse_position() - _start).length() * zoom
		_is_dragging = _is_dragging or strayed > CLICK_SLOP
		queue_redraw()


func _on_left(button: InputEventMouseButton) -> void:
	if not button.pressed:
		_is_painting = false
		if _start.is_finite():
			_finish(button)
	elif _tools.current == 0:
		_start = get_local_mouse_position()
	else:
		_begin(_cell_of(button))


## Selects what the button has framed or met. A finger that met none sends what is selected.
func _finish(button: InputEventMouseButton) -> void:
	var frame := Rect2(_start, get_local_mouse_position() - _start).abs()
	var some := _creatures.filter(
		func(creature: JumpCreature) -> bool:
			if _is_dragging:
				return creature.body().intersects(frame)
			return creature.body().has_point(_start)
	)
	if not some.is_empty():
		# The small one is drawn on top.
		var picked: Array[JumpCreature] = []
		picked.assign(some if _is_dragging else [some[-1]])
		creatures_picked.emit(picked, button.shift_pressed)
	elif _is_dragging:
		refused.emit("No character is in this frame.")
	elif DemoTools.is_touch(button):
		_send(_cell_of(button))
	else:
		refused.emit("No character is there. A right click sends the selected ones.")
	_start = Vector2.INF
	_is_dragging = false
	queue_redraw()


func _send(cell: Vector2i) -> void:
	if not Rect2i(Vector2i.ZERO, _level.size).has_point(cell):
		refused.emit("The level ends here.")
	elif _level.kind(cell) == JumpLevel.Kind.GROUND:
		refused.emit("That is solid. Click where there is air.")
	else:
		_goal = _level.ground_under(cell)
		_goal_age = 0.0
		goal_clicked.emit(_goal)


## Puts what the tool puts, or takes it away where it is.
func _begin(cell: Vector2i) -> void:
	var kind := PAINTED[_tools.current]
	_is_painting = true
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
	if _is_dragging:
		var band := Rect2(_start, get_local_mouse_position() - _start).abs()
		draw_rect(band, Color(DemoPalette.ACCENT, 0.12))
		draw_rect(band, DemoPalette.ACCENT, false, 1.5)
	elif _tools.current == 0:
		_draw_landing()
	elif _level.is_free_to_change(_over):
		var area := Rect2(Vector2(_over) * _grid.cell_size, _grid.cell_size)
		draw_rect(area, Color(1, 1, 1, 0.07))
		draw_rect(area, Color(1, 1, 1, 0.35), false, 1.0)
	if _goal_age < 1.0:
		var middle := _grid.cell_to_local(_goal)
		var fade := 1.0 - _goal_age
		var radius := 6.0 + 22.0 * _goal_age
		draw_arc(middle, radius, 0.0, TAU, 40, Color(DemoPalette.ACCENT, fade), 2.5, true)


## Where those come that are sent to the pointer: on the ground below it.
func _draw_landing() -> void:
	if not Rect2i(Vector2i.ZERO, _level.size).has_point(_over):
		return
	if _level.kind(_over) == JumpLevel.Kind.GROUND:
		return
	var ground := _level.ground_under(_over)
	var area := Rect2(Vector2(ground) * _grid.cell_size, _grid.cell_size)
	draw_rect(area, Color(DemoPalette.ACCENT, 0.12))
	draw_rect(area, Color(DemoPalette.ACCENT, 0.6), false, 1.2)
	if ground != _over:
		var top := _grid.cell_to_local(_over)
		var foot := Vector2(area.get_center().x, area.position.y)
		draw_dashed_line(top, foot, Color(DemoPalette.ACCENT, 0.45), 1.2, 5.0)
