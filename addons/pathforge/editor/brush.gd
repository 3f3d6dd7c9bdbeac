@tool
extends RefCounted
## The brush: paints solid or one-way cells, terrain or weight into a grid; the right button erases.

const BrushStroke := preload("brush_stroke.gd")
const CellSpace := preload("cell_space.gd")
const ToolState := preload("tool_state.gd")

const PAINTS := Color("7fd1ff")
const ERASES := Color("ff9d6b")

var _state: ToolState = null
var _undo_redo: EditorUndoRedoManager = null
var _grid: PathForgeGrid = null
var _stroke: BrushStroke = null
var _stroke_button := MOUSE_BUTTON_NONE
var _hovered := Vector2i.MIN


func _init(state: ToolState, undo_redo: EditorUndoRedoManager) -> void:
	_state = state
	_undo_redo = undo_redo


## Whether a grid can be painted: its cells have to be saved in the scene.
static func can_paint(grid: PathForgeGrid) -> bool:
	return grid != null and grid.store_cells


## Begins anew on [param grid], which may be null.
func work_on(grid: PathForgeGrid) -> void:
	end_stroke()
	_grid = grid
	_hovered = Vector2i.MIN


func gui_input(event: InputEvent) -> bool:
	var mouse := event as InputEventMouse
	if mouse == null or not can_paint(_grid):
		return false
	var size := Vector2i(_state.brush_size, _state.brush_size)
	_hovered = CellSpace.anchor_at(_grid, mouse.position, size)
	var button := event as InputEventMouseButton
	if button == null:
		if _stroke != null:
			_stroke.go_to(_hovered)
		return _stroke != null
	if button.button_index not in [MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT]:
		return false
	if button.pressed and _stroke == null:
		_stroke_button = button.button_index
		_stroke = BrushStroke.new(_grid, _state, _stroke_button == MOUSE_BUTTON_RIGHT)
		_stroke.go_to(_hovered)
	elif not button.pressed and button.button_index == _stroke_button:
		end_stroke()
	return true


## Ends the stroke that is being made, if there is one.
func end_stroke() -> void:
	if _stroke != null and is_instance_valid(_grid):
		_stroke.commit(_undo_redo)
	_stroke = null
	_stroke_button = MOUSE_BUTTON_NONE


func draw(overlay: Control) -> void:
	if _hovered == Vector2i.MIN or not can_paint(_grid):
		return
	var cells := Rect2i(_hovered, Vector2i(_state.brush_size, _state.brush_size))
	var color := ERASES if _stroke_button == MOUSE_BUTTON_RIGHT else PAINTS
	CellSpace.draw_cells(overlay, CellSpace.to_screen(_grid), cells, color)
