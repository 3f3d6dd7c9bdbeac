class_name IslandPointer
extends Node2D
## The pointer: a click selects a unit, or sends what is selected; a drag selects what it frames;
## Shift adds to what is selected; a right click blows a bridge up, or builds it again. Where the
## first selected body would stand is seen below the pointer.

signal units_picked(units: Array[IslandUnit])
## What is selected is to go to a cell.
signal order_given(cell: Vector2i)
signal bridge_picked(bridge: IslandBridge)
## Why a click is not obeyed, in words.
signal refused(why: String)

## Pixels round a unit or a bridge that count as it.
const SLOP := 3.0
## Pixels of the screen that the pointer may stray in a click.
const CLICK_SLOP := 5.0

## What would be sent.
var selected: Array[IslandUnit] = []

var _grid: PathForgeGrid
var _units: Array[IslandUnit] = []
var _bridges: Array[IslandBridge] = []
## The cell below the pointer, where the selected unit would stand then, and whether it can.
var _cell := Vector2i.MIN
var _stand := Vector2i.MIN
var _can_go := false
var _ping := Vector2.ZERO
var _ping_age := 1.0
## Where the left button was pressed, and whether it has been dragged from there.
var _start := Vector2.INF
var _is_dragging := false


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
	if button != null and button.button_index == MOUSE_BUTTON_LEFT:
		if button.pressed:
			_start = get_local_mouse_position()
		elif _start.is_finite():
			_finish(button.shift_pressed)
	elif button != null and button.button_index == MOUSE_BUTTON_RIGHT and button.pressed:
		var bridge := nearest_bridge()
		if _distance(bridge) <= SLOP:
			bridge_picked.emit(bridge)
		else:
			refused.emit("There is no bridge. A right click on one blows it up or builds it.")
	elif event is InputEventMouseMotion and _start.is_finite():
		var zoom := get_viewport_transform().get_scale().x
		var way := get_local_mouse_position() - _start
		_is_dragging = _is_dragging or way.length() * zoom > CLICK_SLOP


func _finish(is_adding: bool) -> void:
	var some: Array[IslandUnit] = []
	if _is_dragging:
		var frame := _band()
		some = _units.filter(
			func(unit: IslandUnit) -> bool: return unit.body().grow(-SLOP).intersects(frame)
		)
		if some.is_empty():
			refused.emit("Nothing is in this frame.")
	else:
		some = _click()
	_start = Vector2.INF
	_is_dragging = false
	if some.is_empty():
		return
	if is_adding:
		for unit: IslandUnit in selected:
			if unit not in some:
				some.append(unit)
	units_picked.emit(some)


## The unit at the pointer. Without one it is an order.
func _click() -> Array[IslandUnit]:
	for unit: IslandUnit in _units:
		if unit.body().grow(SLOP).has_point(_start):
			return [unit]
	var cell := _grid.local_to_cell(_start)
	if _grid.is_in_boundsv(cell):
		_ping = _start
		_ping_age = 0.0
		order_given.emit(cell)
	else:
		refused.emit("The map ends here.")
	return []


func _band() -> Rect2:
	return Rect2(_start, get_local_mouse_position() - _start).abs()


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
		_stand = selected[0].stand_for(cell)
	_cell = cell
	if _cell != Vector2i.MIN:
		_can_go = selected[0].can_reach(_stand)


func _draw() -> void:
	if _is_dragging:
		draw_rect(_band(), Color(DemoPalette.ACCENT, 0.12))
		draw_rect(_band(), DemoPalette.ACCENT, false, 1.5)
	elif _cell != Vector2i.MIN:
		_draw_stand()
	var hovered := nearest_bridge()
	if hovered != null and _distance(hovered) <= SLOP:
		draw_rect(_area(hovered).grow(5.0), DemoPalette.TEXT, false, 1.5)
	if _ping_age < 1.0:
		var tint := Color(DemoPalette.ACCENT, 1.0 - _ping_age)
		draw_arc(_ping, 4.0 + 12.0 * _ping_age, 0.0, TAU, 24, tint, 2.0, true)


func _draw_stand() -> void:
	var size := Vector2(selected[0].kind.profile.footprint) * _grid.cell_size
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
