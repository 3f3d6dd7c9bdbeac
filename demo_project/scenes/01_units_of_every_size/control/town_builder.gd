class_name TownBuilder
extends Node2D
## With the tools for building and removing, a left drag raises walls or tears them down, and with
## Shift it works on the whole rectangle. Every stroke is one edit of the grid.

## A wall was raised or torn down at [param cell].
signal wall_changed(cell: Vector2i, is_there: bool)
## Nothing was built at [param cell], which is kept free.
signal refused(cell: Vector2i)

## What the left button does; the order is that of the scene's tools.
enum Work { NONE, BUILD, REMOVE }

## Cells that nothing is built on: gates and the bridge.
var kept_free: Array[Rect2i] = []
var in_hand := Work.NONE:
	set(value):
		in_hand = value
		_is_drawing = false
		queue_redraw()

var _grid: PathForgeGrid
var _is_drawing := false
var _is_block := false
var _from := Vector2i.ZERO
var _at := Vector2i.MIN


func set_up(grid: PathForgeGrid) -> void:
	_grid = grid


func _unhandled_input(event: InputEvent) -> void:
	if in_hand == Work.NONE:
		return
	var button := event as InputEventMouseButton
	if button != null and button.button_index == MOUSE_BUTTON_LEFT:
		if button.pressed:
			_begin(button.shift_pressed)
		else:
			_finish()
	elif event is InputEventMouseMotion:
		_go_on()


func _begin(is_block: bool) -> void:
	_is_drawing = true
	_is_block = is_block
	_at = _pointed_cell()
	_from = _at
	if not _is_block:
		_work([_at])
		if _is_kept_free(_at):
			refused.emit(_at)
	queue_redraw()


func _go_on() -> void:
	var cell := _pointed_cell()
	if cell == _at:
		return
	if _is_drawing and not _is_block:
		_work(_line(_at, cell))
	_at = cell
	queue_redraw()


func _finish() -> void:
	if _is_drawing and _is_block:
		_work(_block())
	_is_drawing = false
	queue_redraw()


## Builds on or clears [param cells], in one edit.
func work(cells: Array[Vector2i], builds: bool) -> void:
	var changed := cells.filter(func(cell: Vector2i) -> bool: return _can_change(cell, builds))
	for cell: Vector2i in changed:
		wall_changed.emit(cell, builds)
	_grid.begin_edit()
	for cell: Vector2i in changed:
		_grid.set_point_solid(cell, builds)
	_grid.end_edit()


func _work(cells: Array[Vector2i]) -> void:
	work(cells, in_hand == Work.BUILD)


func _can_change(cell: Vector2i, builds: bool) -> bool:
	if not _grid.is_in_boundsv(cell) or _grid.is_point_solid(cell) == builds:
		return false
	return not _is_kept_free(cell)


func _is_kept_free(cell: Vector2i) -> bool:
	return kept_free.any(func(area: Rect2i) -> bool: return area.has_point(cell))


func _draw() -> void:
	if in_hand == Work.NONE:
		return
	var side := _grid.cell_size
	var whole := Rect2(Vector2.ZERO, Vector2(_grid.region.size) * side)
	for x: int in range(1, _grid.region.size.x):
		draw_line(Vector2(x * side.x, 0), Vector2(x * side.x, whole.end.y), Color(1, 1, 1, 0.05))
	for y: int in range(1, _grid.region.size.y):
		draw_line(Vector2(0, y * side.y), Vector2(whole.end.x, y * side.y), Color(1, 1, 1, 0.05))
	var tint := DemoPalette.BAD if in_hand == Work.REMOVE else DemoPalette.WARN
	draw_rect(whole.grow(-1.0), Color(tint, 0.7), false, 2.0)
	var cells: Array[Vector2i] = [_at]
	if _is_drawing and _is_block:
		cells = _block()
	for cell: Vector2i in cells:
		if _grid.is_in_boundsv(cell):
			var area := Rect2(Vector2(cell) * side, side)
			draw_rect(area, Color(tint, 0.3))
			draw_rect(area.grow(-0.5), tint, false, 1.0)


func _pointed_cell() -> Vector2i:
	return _grid.local_to_cell(get_local_mouse_position())


func _block() -> Array[Vector2i]:
	var low := _from.min(_at)
	var high := _from.max(_at)
	var cells: Array[Vector2i] = []
	for y: int in range(low.y, high.y + 1):
		for x: int in range(low.x, high.x + 1):
			cells.append(Vector2i(x, y))
	return cells


## The cells that a stroke from one cell to another crosses.
static func _line(start: Vector2i, end: Vector2i) -> Array[Vector2i]:
	var count := maxi(absi(end.x - start.x), absi(end.y - start.y))
	var cells: Array[Vector2i] = []
	for step: int in range(1, count + 1):
		cells.append(Vector2i(Vector2(start).lerp(Vector2(end), float(step) / count).round()))
	return cells
