@tool
extends RefCounted
## The probe: drag from A to B, see the path of a body, and read what it costs or why there is none;
## then the cells that show why are marked, too.
## It asks again when the map changes, so it can stay while tiles are painted.

const CellSpace := preload("cell_space.gd")
const ProbeLabel := preload("probe_label.gd")
const ProfilePicker := preload("profile_picker.gd")
const ToolState := preload("tool_state.gd")

const GOOD := Color("ffc247")
const BAD := Color("ff6b6b")
## Cells under a path up to which they are tinted one by one.
const SWEPT_MAX := 60000
## Cells that show a reason, as many as are marked.
const REASON_CELLS_MAX := 2000

var _state: ToolState = null
var _grid: PathForgeGrid = null
var _start := Vector2i.MIN
var _goal := Vector2i.MIN
var _hovered := Vector2i.MIN
var _is_dragging := false
var _is_stale := true
var _path: PathForgePath = null
## Why there is no path, once that was asked, and the cells that show it.
var _reason := ""
var _reason_cells: Array[Vector2i] = []
## The cells that the body covers on its way, as runs.
var _swept: Array[Rect2i] = []


func _init(state: ToolState) -> void:
	_state = state


## Begins anew on [param grid], which may be null.
func work_on(grid: PathForgeGrid) -> void:
	_grid = grid
	forget()


## Forgets both ends.
func forget() -> void:
	_start = Vector2i.MIN
	_goal = Vector2i.MIN
	_hovered = Vector2i.MIN
	_is_dragging = false
	_path = null
	_swept = []


## The map or the body is another one.
func ask_again() -> void:
	_is_stale = true


## What the last drag found, or null.
func find() -> PathForgePath:
	if _grid == null or _start == Vector2i.MIN or _goal == Vector2i.MIN:
		return null
	if _is_stale or _path == null:
		_is_stale = false
		_reason = ""
		_reason_cells = []
		# Unlike find_path, this leaves the path that the grid's own overlay shows alone.
		_path = _grid.find_paths([_start], [_goal], _state.body())[0]
		_swept = _runs_under(_path)
	return _path


func gui_input(event: InputEvent) -> bool:
	var button := event as InputEventMouseButton
	if button != null:
		return _button(button)
	var motion := event as InputEventMouseMotion
	if motion != null:
		var at := CellSpace.anchor_at(_grid, motion.position, _state.body_size())
		_hovered = at
		if _is_dragging and at != _goal:
			_goal = at
			ask_again()
		return _is_dragging
	var key := event as InputEventKey
	if key != null and key.keycode == KEY_ESCAPE and key.pressed and _start != Vector2i.MIN:
		forget()
		return true
	return false


func _button(button: InputEventMouseButton) -> bool:
	var at := CellSpace.anchor_at(_grid, button.position, _state.body_size())
	if button.button_index == MOUSE_BUTTON_LEFT:
		if button.pressed:
			_start = at
			_goal = at
			_is_dragging = true
			ask_again()
		elif not _is_dragging:
			return false
		else:
			_is_dragging = false
		return true
	if button.button_index == MOUSE_BUTTON_RIGHT and button.pressed:
		forget()
		return true
	return false


func draw(overlay: Control) -> void:
	var screen := CellSpace.to_screen(_grid)
	var size := _state.body_size()
	var path := find()
	if path == null:
		if _hovered != Vector2i.MIN:
			var fits := _grid.can_stand(_hovered, _state.body())
			var body := Rect2i(_hovered, size)
			CellSpace.draw_cells(overlay, screen, body, GOOD if fits else BAD, 0.12)
		return
	var color := GOOD if path.is_complete() else BAD
	for run: Rect2i in _swept:
		var corners := CellSpace.outline(screen, run).slice(0, 4)
		overlay.draw_colored_polygon(corners, Color(color, 0.2))
	var text := _text(path)
	for cell: Vector2i in _reason_cells:
		var corners := CellSpace.outline(screen, Rect2i(cell, Vector2i.ONE)).slice(0, 4)
		overlay.draw_colored_polygon(corners, Color(BAD, 0.45))
	CellSpace.draw_cells(overlay, screen, Rect2i(_start, size), color)
	CellSpace.draw_cells(overlay, screen, Rect2i(_goal, size), color)
	var half := Vector2(size) / 2.0
	var line := PackedVector2Array()
	for cell: Vector2i in path.cells:
		line.append(screen * (Vector2(cell) + half))
	if line.size() > 1:
		overlay.draw_polyline(line, Color(0, 0, 0, 0.55), 6.0, true)
		overlay.draw_polyline(line, color, 3.0, true)
	elif line.is_empty():
		var ends := [screen * (Vector2(_start) + half), screen * (Vector2(_goal) + half)]
		overlay.draw_dashed_line(ends[0] as Vector2, ends[1] as Vector2, color, 2.0, 8.0)
	var goal := CellSpace.outline(screen, Rect2i(_goal, size))
	var goal_width := absf(goal[1].x - goal[3].x)
	ProbeLabel.draw(overlay, text, screen * (Vector2(_goal) + half), goal_width / 2.0, color)


## Why there is no path. Explaining takes longer than finding, so it waits for the end of the drag.
func _why_not(path: PathForgePath) -> String:
	if _is_dragging:
		return path.describe()
	if _reason.is_empty():
		var diagnosis := _grid._explain_quietly(_start, _goal, _state.body())
		_reason = diagnosis.text
		_reason_cells = diagnosis.cells.slice(0, REASON_CELLS_MAX)
	return _reason


func _body_title() -> String:
	if _state.profile != null:
		return ProfilePicker.title_of(_state.profile)
	return "%d×%d body" % [_state.footprint.x, _state.footprint.y]


func _text(path: PathForgePath) -> String:
	var body := _body_title()
	if not path.is_complete():
		return "%s\n%s" % [body, _why_not(path)]
	var length := 0.0
	for at: int in path.cells.size() - 1:
		length += Vector2(path.cells[at + 1] - path.cells[at]).length()
	return (
		"%s\ncost %.2f, length %.2f cells, %d steps\n%d expanded in %d µs (%s)"
		% [
			body,
			path.cost,
			length,
			path.cells.size() - 1,
			path.expanded,
			path.search_usec,
			path.engine
		]
	)


## The cells under the body along [param path], each once, as runs of a row.
func _runs_under(path: PathForgePath) -> Array[Rect2i]:
	var runs: Array[Rect2i] = []
	var size := _state.body_size()
	if path.cells.size() * size.y > SWEPT_MAX:
		return runs
	var rows: Dictionary[int, PackedInt32Array] = {}
	for cell: Vector2i in path.cells:
		for y: int in range(cell.y, cell.y + size.y):
			var row: PackedInt32Array = rows.get(y, PackedInt32Array())
			row.append(cell.x)
			rows[y] = row
	for y: int in rows:
		var starts := rows[y]
		starts.sort()
		var run := Rect2i(starts[0], y, size.x, 1)
		for x: int in starts:
			if x > run.end.x:
				runs.append(run)
				run = Rect2i(x, y, size.x, 1)
			run.end = Vector2i(maxi(run.end.x, x + size.x), y + 1)
		runs.append(run)
	return runs
