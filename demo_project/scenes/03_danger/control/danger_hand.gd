class_name DangerHand
extends Node2D
## The mouse: the left button selects a tower and drags it, or builds and removes with the tools for
## that. The right button sends the selected tower, and so does a tap on the ground.

## A tower is to be built with its top-left cell here.
signal tower_wanted(cell: Vector2i)
## Why a click is not obeyed, in words.
signal refused(why: String)

## What the left button does; the order is that of the scene's tools.
enum Work { SELECT, BUILD, REMOVE }

const NO_TOWER := "There is no tower here. B builds one."

## What has to fit where a tower is built.
@export var body: PathForgeProfile

var in_hand := Work.SELECT:
	set(value):
		in_hand = value
		_is_dragging = false

## The tower that a right click sends.
var selected: DangerTower:
	set(value):
		if selected != null:
			selected.is_selected = false
		selected = value
		if selected != null:
			selected.is_selected = true

var _grid: PathForgeGrid
var _towers: Node2D
var _is_dragging := false
var _grip := Vector2.ZERO


func set_up(grid: PathForgeGrid, towers: Node2D) -> void:
	_grid = grid
	_towers = towers


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button != null and button.button_index == MOUSE_BUTTON_LEFT:
		if button.pressed:
			_use(button)
		else:
			_is_dragging = false
	elif button != null and button.button_index == MOUSE_BUTTON_RIGHT and button.pressed:
		_send()
	elif event is InputEventMouseMotion and _is_dragging:
		selected.move_to(_cell_for(_pointer() - _grip))


func _use(button: InputEventMouseButton) -> void:
	var tower := _tower_at(_pointer())
	if in_hand == Work.BUILD:
		tower_wanted.emit(_cell_for(_pointer()))
	elif in_hand == Work.REMOVE:
		_remove(tower)
	elif tower == null and selected != null and DemoTools.is_touch(button):
		_send()
	else:
		_select(tower)


func _select(tower: DangerTower) -> void:
	if tower == null and selected == null:
		refused.emit(NO_TOWER)
	selected = tower
	_is_dragging = tower != null
	if tower != null:
		_grip = _pointer() - tower.position


func _remove(tower: DangerTower) -> void:
	if tower == null:
		refused.emit(NO_TOWER)
		return
	if tower == selected:
		selected = null
	tower.remove()


func _send() -> void:
	if selected == null:
		refused.emit("Select a tower first: click one.")
		return
	var why_not := selected.move_to(_cell_for(_pointer()))
	if not why_not.is_empty():
		refused.emit(why_not)


func _tower_at(point: Vector2) -> DangerTower:
	for tower: DangerTower in _towers.get_children():
		if tower.has_point(point):
			return tower
	return null


## The top-left cell of a tower whose middle is at a point.
func _cell_for(point: Vector2) -> Vector2i:
	return _grid.local_to_cell(point, body)


func _pointer() -> Vector2:
	return _grid.get_local_mouse_position()
