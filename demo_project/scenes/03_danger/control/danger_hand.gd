class_name DangerHand
extends Node2D
## The mouse: the left button drags towers, the right one builds them and takes them away.

## A tower is to be built with its top-left cell here.
signal tower_wanted(cell: Vector2i)
## Why a click is not obeyed, in words.
signal refused(why: String)

var _grid: PathForgeGrid
var _towers: Node2D
var _held: DangerTower
var _grip := Vector2.ZERO
var _body := DangerTower.make_body()


func set_up(grid: PathForgeGrid, towers: Node2D) -> void:
	_grid = grid
	_towers = towers


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button != null and button.button_index == MOUSE_BUTTON_LEFT:
		if button.pressed:
			_take(_tower_at(_pointer()))
			if _held == null:
				refused.emit("There is no tower to drag. A right click builds one.")
		else:
			_take(null)
	elif button != null and button.button_index == MOUSE_BUTTON_RIGHT and button.pressed:
		var tower := _tower_at(_pointer())
		if tower != null:
			if tower == _held:
				_take(null)
			tower.remove()
		else:
			tower_wanted.emit(_cell_for(_pointer()))
	elif event is InputEventMouseMotion and _held != null:
		_held.move_to(_cell_for(_pointer() - _grip))


func _take(tower: DangerTower) -> void:
	if _held != null:
		_held.is_held = false
	_held = tower
	if tower != null:
		tower.is_held = true
		_grip = _pointer() - tower.position


func _tower_at(point: Vector2) -> DangerTower:
	for tower: DangerTower in _towers.get_children():
		if tower.has_point(point):
			return tower
	return null


## The top-left cell of a tower whose middle is at a point.
func _cell_for(point: Vector2) -> Vector2i:
	return _grid.local_to_cell(point, _body)


func _pointer() -> Vector2:
	return _grid.get_local_mouse_position()
