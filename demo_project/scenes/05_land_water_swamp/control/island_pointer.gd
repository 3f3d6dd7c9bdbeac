class_name IslandPointer
extends Node2D
## The pointer: a click selects a unit, a drag what it frames, and Shift adds to what is selected; a
## right click sends it. With the tool for bridges a click blows one up or builds it again. Where
## the first selected body would stand is seen below the pointer.

signal units_picked(units: Array[IslandUnit])
## What is selected is to go to a cell.
signal order_given(cell: Vector2i)
signal bridge_picked(bridge: IslandBridge)
## Why a click is not obeyed, in words.
signal refused(why: String)

## The tools, by their places.
enum Tool { SELECT, BRIDGE }

## Pixels round a unit or a bridge that count as it.
const SLOP := 3.0
## Pixels of the screen that the pointer may stray in a click.
const CLICK_SLOP := 5.0

## What would be sent.
var selected: Array[IslandUnit] = []

var _tools: DemoTools
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


func set_up(
	tools: DemoTools, grid: PathForgeGrid, units: Array[IslandUnit], bridges: Array[IslandBridge]
) -> void:
	_tools = tools
	_grid = grid
	_units = units
	_bridges = bridges


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button != null and button.button_index == MOUSE_BUTTON_LEFT:
		if not button.pressed:
			if _start.is_finite():
				_finish(button)
		elif _tools.current == Tool.BRIDGE:
			_use_bridge()
		else:
			_start = get_local_mouse_position()
	elif button != null and button.button_index == MOUSE_BUTTON_RIGHT and button.pressed:
		_give_order(get_local_mouse_position())
	elif event is InputEventMouseMotion and _start.is_finite():
		var zoom := get_viewport_transform().get_scale().x
		var way := get_local_mouse_position() - _start
		_is_dragging = _is_dragging or way.length() * zoom > CLICK_SLOP


func _use_bridge() -> void:
	var bridge := _bridge_at_pointer()
	if bridge != null:
		bridge_picked.emit(bridge)
	else:
		refused.emit("There is no bridge. A click on one blows it up or builds it again.")


func _bridge_at_pointer() -> IslandBridge:
	for bridge: IslandBridge in _bridges:
		if _area(bridge).grow(SLOP).has_point(get_local_mouse_position()):
			return bridge
	return null


## Selects what the button has framed or met. A finger that met none sends what is selected.
func _finish(button: InputEventMouseButton) -> void:
	var some: Array[IslandUnit] = []
	if _is_dragging:
		var frame := _band()
		some = _units.filter(
			func(unit: IslandUnit) -> bool: return unit.body().grow(-SLOP).intersects(frame)
		)
		if some.is_empty():
			refused.emit("Nothing is in this frame.")
	else:
		some = _units_at(_start)
		if some.is_empty() and DemoTools.is_touch(button):
			_give_order(_start)
		elif some.is_empty():
			refused.emit("Nothing is there. A right click sends what is selected.")
	_start = Vector2.INF
	_is_dragging = false
	if some.is_empty():
		return
	if button.shift_pressed:
		for unit: IslandUnit in selected:
			if unit not in some:
				some.append(unit)
	units_picked.emit(some)


## One unit at most.
func _units_at(spot: Vector2) -> Array[IslandUnit]:
	for unit: IslandUnit in _units:
		if unit.body().grow(SLOP).has_point(spot):
			return [unit]
	return []


func _give_order(spot: Vector2) -> void:
	var cell := _grid.local_to_cell(spot)
	if _grid.is_in_boundsv(cell):
		_ping = spot
		_ping_age = 0.0
		order_given.emit(cell)
	else:
		refused.emit("The map ends here.")


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
	elif _tools.current == Tool.BRIDGE:
		var hovered := _bridge_at_pointer()
		if hovered != null:
			draw_rect(_area(hovered).grow(5.0), DemoPalette.TEXT, false, 1.5)
	elif _cell != Vector2i.MIN:
		_draw_stand()
	if _ping_age < 1.0:
		var tint := Color(DemoPalette.ACCENT, 1.0 - _ping_age)
		draw_arc(_ping, 4.0 + 12.0 * _ping_age, 0.0, TAU, 24, tint, 2.0, true)


func _draw_stand() -> void:
	var size := Vector2(selected[0].kind.profile.footprint) * _grid.cell_size
	var area := Rect2(Vector2(_stand) * _grid.cell_size, size).grow(-1.0)
	var tint := DemoPalette.TEXT if _can_go else DemoPalette.BAD
	draw_rect(area, Color(tint, 0.10))
	draw_rect(area, Color(tint, 0.55), false, 1.2)


func _area(bridge: IslandBridge) -> Rect2:
	var cells := bridge.cells
	return Rect2(Vector2(cells.position) * _grid.cell_size, Vector2(cells.size) * _grid.cell_size)
