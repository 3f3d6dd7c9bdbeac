class_name PaintBrush
extends Node2D
## The pointer over the boards: a click selects a walker, a drag all that it frames, Shift adds, and
## a right click sends them. With the brush, drags paint on both boards at once.

## Something was painted at a cell.
signal painted(cell: Vector2i)
## Why a click is not obeyed, in words.
signal refused(why: String)

## The tools, by their places.
enum Tool { SELECT, PAINT }

## Pixels that the pointer may stray in a click.
const CLICK_SLOP := 5.0
## What is painted, by the places of the panel's buttons.
const LETTERS: PackedStringArray = [".", " ", "#", "x", "o", "T"]

var letter := "#"

var _tools: DemoTools
var _boards: Array[PaintBoard] = []
var _hover := Vector2i.MIN
var _last := Vector2i.MIN
var _is_painting := false
## Where the left button was pressed to select, where the pointer is, and whether it was dragged.
var _start := Vector2.INF
var _pointer := Vector2.ZERO
var _is_dragging := false


func set_up(tools: DemoTools, boards: Array[PaintBoard]) -> void:
	_tools = tools
	_tools.changed.connect(queue_redraw.unbind(1))
	_boards = boards


func _unhandled_input(event: InputEvent) -> void:
	var mouse := event as InputEventMouse
	if mouse == null:
		return
	_pointer = get_canvas_transform().affine_inverse() * mouse.position
	var cell := _cell_at(_pointer)
	if cell != _hover:
		_hover = cell
		queue_redraw()
	var button := event as InputEventMouseButton
	if button != null:
		_on_button(button, cell)
	elif _is_painting and cell != Vector2i.MIN:
		_paint_to(cell)
	elif _start.is_finite():
		_is_dragging = _is_dragging or _pointer.distance_to(_start) > CLICK_SLOP
		queue_redraw()


func _on_button(button: InputEventMouseButton, cell: Vector2i) -> void:
	if button.button_index == MOUSE_BUTTON_RIGHT and button.pressed:
		_send(_pointer)
	elif button.button_index != MOUSE_BUTTON_LEFT:
		return
	elif not button.pressed:
		_is_painting = false
		if _start.is_finite():
			_finish(button)
	elif _tools.current == Tool.SELECT:
		_start = _pointer
	elif cell == Vector2i.MIN:
		refused.emit("The rooms end here.")
	else:
		_is_painting = true
		_last = cell
		if not _may_paint(cell):
			refused.emit(_why_not(cell))
		_paint_to(cell)
	get_viewport().set_input_as_handled()


## Selects what the button has framed or met. A finger that met none sends what is selected.
func _finish(button: InputEventMouseButton) -> void:
	var some: Array[PaintWalker] = []
	for board: PaintBoard in _boards:
		var frame := Rect2(board.to_local(_start), Vector2.ZERO)
		frame = frame.expand(board.to_local(_pointer)) if _is_dragging else frame.grow(2.0)
		for walker: PaintWalker in board.walkers:
			if walker.body().intersects(frame):
				some.append(walker)
	if not some.is_empty():
		select(some, button.shift_pressed)
	elif _is_dragging:
		refused.emit("No walker is in this frame.")
	elif DemoTools.is_touch(button):
		_send(_pointer)
	else:
		refused.emit("No walker is there. A right click sends the selected ones.")
	_start = Vector2.INF
	_is_dragging = false
	queue_redraw()


## Selects walkers, in place of those before or in addition to them.
func select(some: Array[PaintWalker], is_adding := false) -> void:
	for board: PaintBoard in _boards:
		for walker: PaintWalker in board.walkers:
			walker.is_selected = walker in some or is_adding and walker.is_selected


func select_all() -> void:
	select(_boards[0].walkers + _boards[1].walkers)


func _send(place: Vector2) -> void:
	var board := _board_at(place)
	if board == null:
		refused.emit("The rooms end here.")
		return
	var spot := board.to_local(place)
	var short := 0
	for other: PaintBoard in _boards:
		short += other.send(spot)
	if short > 0:
		refused.emit("%d of them cannot get there: they go as near as they get." % short)


func _cell_at(place: Vector2) -> Vector2i:
	var board := _board_at(place)
	return Vector2i.MIN if board == null else board.cell_at(board.to_local(place))


func _why_not(cell: Vector2i) -> String:
	if _boards[0].can_paint(cell):
		return "Nothing is put on a walker."
	return "The walls around the rooms stay."


func _draw() -> void:
	if _is_dragging:
		var band := Rect2(_start, _pointer - _start).abs()
		draw_rect(band, Color(DemoPalette.ACCENT, 0.12))
		draw_rect(band, DemoPalette.ACCENT, false, 1.5)
	if _hover == Vector2i.MIN or _tools.current != Tool.PAINT:
		return
	for board: PaintBoard in _boards:
		var corner := board.position + Vector2(_hover) * PaintBoard.TILE
		var box := Rect2(corner, Vector2.ONE * PaintBoard.TILE)
		var colour := DemoPalette.ACCENT if _may_paint(_hover) else DemoPalette.BAD
		draw_rect(box, Color(colour, 0.18))
		draw_rect(box, colour, false, 1.5)


## Every cell from the last one to this, so that a quick stroke has no gaps.
func _paint_to(cell: Vector2i) -> void:
	var steps := maxi(absi(cell.x - _last.x), absi(cell.y - _last.y))
	for step: int in steps + 1:
		var part := float(step) / maxi(steps, 1)
		_paint(Vector2i(Vector2(_last).lerp(Vector2(cell), part).round()))
	_last = cell


func _paint(cell: Vector2i) -> void:
	if not _may_paint(cell):
		return
	var has_changed := false
	for board: PaintBoard in _boards:
		has_changed = board.paint(cell, letter) or has_changed
	if has_changed:
		painted.emit(cell)


## The walls around stay, and nothing is put on a walker.
func _may_paint(cell: Vector2i) -> bool:
	for board: PaintBoard in _boards:
		if not board.can_paint(cell) or (letter != "." and board.is_taken(cell)):
			return false
	return true


func _board_at(place: Vector2) -> PaintBoard:
	for board: PaintBoard in _boards:
		if Rect2(Vector2.ZERO, board.size()).has_point(board.to_local(place)):
			return board
	return null
