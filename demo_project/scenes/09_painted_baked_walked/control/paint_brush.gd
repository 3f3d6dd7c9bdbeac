class_name PaintBrush
extends Node2D
## The pointer over the boards: drags paint on both of them at once, the right button sends walkers.

## Something was painted at a cell.
signal painted(cell: Vector2i)
## Why a click is not obeyed, in words.
signal refused(why: String)

const NAMES: Dictionary[String, String] = {
	".": "Floor",
	" ": "Hole",
	"#": "Wall",
	"x": "Crate",
	"o": "Plant",
	"T": "Table",
}

var letter := "#"

var _boards: Array[PaintBoard] = []
var _hover := Vector2i.MIN
var _last := Vector2i.MIN


## Paints on these boards.
func set_up(boards: Array[PaintBoard]) -> void:
	_boards = boards


func _unhandled_input(event: InputEvent) -> void:
	var mouse := event as InputEventMouse
	if mouse == null:
		return
	var place := get_canvas_transform().affine_inverse() * mouse.position
	var board := _board_at(place)
	var cell := Vector2i.MIN if board == null else board.cell_at(board.to_local(place))
	if cell != _hover:
		_hover = cell
		queue_redraw()
	var button := event as InputEventMouseButton
	if button != null and button.pressed:
		if board == null:
			if button.button_index in [MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT]:
				refused.emit("The rooms end here.")
		elif button.button_index == MOUSE_BUTTON_RIGHT:
			_send(board.to_local(place))
			get_viewport().set_input_as_handled()
		elif button.button_index == MOUSE_BUTTON_LEFT:
			_last = cell
			if not _may_paint(cell):
				refused.emit(_why_not(cell))
	if mouse.button_mask & MOUSE_BUTTON_MASK_LEFT and board != null:
		_paint_to(cell)
		get_viewport().set_input_as_handled()


func _send(place: Vector2) -> void:
	var short := 0
	for board: PaintBoard in _boards:
		short += board.send(place)
	if short > 0:
		refused.emit("%d of them cannot get there: they go as near as they get." % short)


func _why_not(cell: Vector2i) -> String:
	if _boards[0].can_paint(cell):
		return "Nothing is put on a walker."
	return "The walls around the rooms stay."


func _draw() -> void:
	if _hover == Vector2i.MIN:
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
