class_name PlaygroundBrush
extends Node2D
## The pointer: the left button uses the tool in hand, also while it is dragged, and the right one
## moves the goal. An outline shows the cell that the tool would change.

## Cells become what the tool makes of them.
signal painted(cells: Array[Vector2i])
signal start_moved(cell: Vector2i)
signal goal_moved(cell: Vector2i)
## Why a click is not obeyed, in words.
signal refused(why: String)

## The tools, by their places.
enum Tool { LOOK, WALL, MUD, WATER, ERASE, START, GOAL }

const COLORS: Dictionary[Tool, Color] = {
	Tool.WALL: DemoPalette.WALL_LIGHT,
	Tool.MUD: DemoPalette.BUILT_TOP,
	Tool.WATER: DemoPalette.WATER_LIGHT,
	Tool.ERASE: DemoPalette.BAD,
	Tool.START: DemoPalette.WARN,
	Tool.GOAL: DemoPalette.GOOD,
}
## Pixels of the screen that the pointer may stray in a click.
const CLICK_SLOP := 5.0
const BUTTONS: Array[MouseButton] = [MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT]
const NOWHERE := Vector2i.MIN

var _tools: DemoTools
var _grid: PathForgeGrid
## The last cell that the drag of a button has used.
var _last := NOWHERE
var _is_right := false
## Where on the screen the left button was pressed to look.
var _pressed_at := Vector2.INF
var _hovered := NOWHERE


func set_up(tools: DemoTools, grid: PathForgeGrid) -> void:
	_tools = tools
	_grid = grid


## A drag may end over the panel, which keeps the button's release to itself.
func _input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	var is_ours := button != null and button.button_index in BUTTONS
	if is_ours and not button.pressed:
		_last = NOWHERE


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	var motion := event as InputEventMouseMotion
	if button != null and button.button_index in BUTTONS:
		if button.button_index == MOUSE_BUTTON_LEFT and _tools.current == Tool.LOOK:
			_look(button)
		elif button.pressed:
			_press(button)
	elif motion != null and _last != NOWHERE:
		_drag()


## A drag moves the map, and the camera does that. A tap of a finger, which has no right button,
## moves the goal.
func _look(button: InputEventMouseButton) -> void:
	if button.pressed:
		_pressed_at = button.position
		return
	var is_click := _pressed_at.distance_to(button.position) < CLICK_SLOP
	_pressed_at = Vector2.INF
	var cell := _pointed()
	if not is_click:
		return
	if DemoTools.is_touch(button) and _grid.is_in_boundsv(cell):
		goal_moved.emit(cell)
	else:
		refused.emit("Take a tool to change the map. A right click moves the goal.")


func _press(button: InputEventMouseButton) -> void:
	var cell := _pointed()
	if _grid.is_in_boundsv(cell):
		_last = cell
		_is_right = button.button_index == MOUSE_BUTTON_RIGHT
		_use(cell)
	else:
		refused.emit("The map ends here.")


func _drag() -> void:
	var bounds := PlaygroundMap.SIZE - Vector2i.ONE
	var cell := _pointed().clamp(Vector2i.ZERO, bounds)
	if cell != _last:
		_use(cell)
		_last = cell


func _use(cell: Vector2i) -> void:
	if _is_right or _tools.current == Tool.GOAL:
		goal_moved.emit(cell)
	elif _tools.current == Tool.START:
		start_moved.emit(cell)
	elif _tools.current != Tool.LOOK:
		painted.emit(_line(_last, cell))


func _pointed() -> Vector2i:
	return _grid.local_to_cell(_grid.get_local_mouse_position())


## The cells from one to another, side by side, so that a fast drag leaves no gap.
static func _line(from: Vector2i, to: Vector2i) -> Array[Vector2i]:
	var cells: Array[Vector2i] = [from]
	while from != to:
		var way := to - from
		if absi(way.x) > absi(way.y):
			from.x += signi(way.x)
		else:
			from.y += signi(way.y)
		cells.append(from)
	return cells


func _process(_delta: float) -> void:
	var cell := _pointed()
	var is_over_panel := get_viewport().gui_get_hovered_control() != null
	if is_over_panel or _tools.current == Tool.LOOK or not _grid.is_in_boundsv(cell):
		cell = NOWHERE
	_hovered = cell
	queue_redraw()


func _draw() -> void:
	if _hovered == NOWHERE:
		return
	var area := Rect2(Vector2(_hovered) * _grid.cell_size, _grid.cell_size)
	var color: Color = COLORS[_tools.current as Tool]
	draw_rect(area, Color(color, 0.3))
	draw_rect(area.grow(0.5), color, false, 1.5)
