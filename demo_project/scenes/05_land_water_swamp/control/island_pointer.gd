class_name IslandPointer
extends Node2D
## The pointer: a click selects a unit, or sends the selected one; a right click blows a bridge up,
## or builds it again. Below the pointer is seen where the selected body would stand.

signal unit_picked(unit: IslandUnit)
## The selected unit is to go to a cell.
signal order_given(cell: Vector2i)
signal bridge_picked(bridge: IslandBridge)

## Pixels round a unit or a bridge that count as it.
const SLOP := 3.0

## Who would be sent.
var selected: IslandUnit

var _grid: PathForgeGrid
var _units: Array[IslandUnit] = []
var _bridges: Array[IslandBridge] = []
## The cell below the pointer, where the selected unit would stand then, and whether it can.
var _cell := Vector2i.MIN
var _stand := Vector2i.MIN
var _can_go := false
var _ping := Vector2.ZERO
var _ping_age := 1.0


func set_up(grid: PathForgeGrid, units: Array[IslandUnit], bridges: Array[IslandBridge]) -> void:
	_grid = grid
	_units = units
	_bridges = bridges


## The bridge nearest to the pointer.
func nearest_bridge() -> IslandBridge:
	var nearest: IslandBridge = null
	for bridge: IslandBridge in _bridges:
		if nearest == null or _distance(bridge) < _distance(nearest):
			nearest = bridge
	return nearest


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button == null or not button.pressed:
		return
	if button.button_index == MOUSE_BUTTON_RIGHT:
		var bridge := nearest_bridge()
		if _distance(bridge) <= SLOP:
			bridge_picked.emit(bridge)
	elif button.button_index == MOUSE_BUTTON_LEFT:
		_click()


func _click() -> void:
	var point := get_local_mouse_position()
	for unit: IslandUnit in _units:
		if unit.body().grow(SLOP).has_point(point):
			unit_picked.emit(unit)
			return
	var cell := _grid.local_to_cell(point)
	if _grid.is_in_boundsv(cell):
		_ping = point
		_ping_age = 0.0
		order_given.emit(cell)


func _process(delta: float) -> void:
	_ping_age = minf(_ping_age + delta * 1.8, 1.0)
	_look_below()
	queue_redraw()


## A stand is looked for when the pointer comes to another cell; whether it can be reached, the grid
## knows without a search.
func _look_below() -> void:
	var cell := _grid.local_to_cell(get_local_mouse_position())
	if get_viewport().gui_get_hovered_control() != null or not _grid.is_in_boundsv(cell):
		cell = Vector2i.MIN
	if cell != _cell and cell != Vector2i.MIN:
		_stand = selected.stand_for(cell)
	_cell = cell
	if _cell != Vector2i.MIN:
		_can_go = selected.can_reach(_stand)


func _draw() -> void:
	if _cell != Vector2i.MIN:
		_draw_stand()
	var hovered := nearest_bridge()
	if hovered != null and _distance(hovered) <= SLOP:
		draw_rect(_area(hovered).grow(5.0), DemoPalette.TEXT, false, 1.5)
	if _ping_age < 1.0:
		var tint := Color(DemoPalette.ACCENT, 1.0 - _ping_age)
		draw_arc(_ping, 4.0 + 12.0 * _ping_age, 0.0, TAU, 24, tint, 2.0, true)


func _draw_stand() -> void:
	var size := Vector2(selected.kind.profile.footprint) * _grid.cell_size
	var area := Rect2(Vector2(_stand) * _grid.cell_size, size).grow(-1.0)
	var tint := DemoPalette.TEXT if _can_go else DemoPalette.BAD
	draw_rect(area, Color(tint, 0.10))
	draw_rect(area, Color(tint, 0.55), false, 1.2)


func _distance(bridge: IslandBridge) -> float:
	var point := get_local_mouse_position()
	var area := _area(bridge)
	return point.distance_to(point.clamp(area.position, area.end))


func _area(bridge: IslandBridge) -> Rect2:
	var cells := bridge.cells
	return Rect2(Vector2(cells.position) * _grid.cell_size, Vector2(cells.size) * _grid.cell_size)
