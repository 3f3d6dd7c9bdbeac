class_name WorldHand
extends Node2D
## The tool: builds walls, blows holes and makes bridges fall.

## Why a click is not obeyed, in words.
signal refused(why: String)

## The disc is so wide in cells at least, and on the screen in pixels.
const RADIUS := 5
const RADIUS_PX := 7.0
const RADIUS_MAX := 36
const BLAST_S := 0.45

## Whether it is in hand: the left button is its own then.
var is_in_hand := false

var _grid: PathForgeGrid
var _edits: WorldEdits
var _camera: WorldCamera
var _tool := WorldEdits.Tool.WALL
var _is_held := false
var _last := Vector2.ZERO
## Where something blew up, and how long ago.
var _blasts: Array[Vector3] = []


func set_up(grid: PathForgeGrid, edits: WorldEdits, camera: WorldCamera) -> void:
	_grid = grid
	_edits = edits
	_camera = camera


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button != null and button.button_index == MOUSE_BUTTON_LEFT:
		_is_held = is_in_hand and button.pressed and _begin(_camera.spot_at(button.position))
	var motion := event as InputEventMouseMotion
	if motion != null and _is_held and _tool != WorldEdits.Tool.FALL:
		var spot := _camera.spot_at(motion.position)
		while _last.distance_to(spot) > _radius():
			_last = _last.move_toward(spot, _radius())
			_apply(_last)


## Begins a stroke, and returns whether there is anything to do.
func _begin(spot: Vector2) -> bool:
	if _grid == null:
		refused.emit(WorldLoading.TOO_EARLY)
		return false
	var cell := Vector2i(spot.floor())
	if not _grid.region.has_point(cell):
		refused.emit("The map ends here.")
		return false
	_tool = _edits.tool_for(cell)
	_last = spot
	if not _apply(spot):
		refused.emit("Nothing can be built on water.")
	return true


func _apply(spot: Vector2) -> bool:
	var has_changed := _edits.apply(_tool, Vector2i(spot.floor()), _radius())
	if _tool != WorldEdits.Tool.WALL:
		_blasts.append(Vector3(spot.x, spot.y, 0.0))
	return has_changed


func _radius() -> int:
	return clampi(int(RADIUS_PX / _camera.zoom.x), RADIUS, RADIUS_MAX)


func _process(delta: float) -> void:
	if _blasts.is_empty():
		return
	for at: int in _blasts.size():
		_blasts[at].z += delta / BLAST_S
	_blasts = _blasts.filter(func(blast: Vector3) -> bool: return blast.z < 1.0)
	queue_redraw()


func _draw() -> void:
	for blast: Vector3 in _blasts:
		var spot := Vector2(blast.x, blast.y)
		var reach := maxf(_radius() * 1.6, 26.0 / _camera.zoom.x)
		var fade := 1.0 - blast.z
		DemoPalette.draw_disc(
			self, spot, reach * sqrt(blast.z), Color(DemoPalette.WARN, fade * 0.75)
		)
		DemoPalette.draw_disc(
			self, spot, reach * 0.6 * sqrt(blast.z), Color(DemoPalette.TEXT, fade * 0.8)
		)
