class_name TownSelection
extends Node2D
## The pointer: a click selects a unit or works a gate, a left drag selects all that it frames. A
## right click sends what is selected, and so does a tap on the ground.

signal selection_changed
## Send what is selected to [param cell].
signal order_given(cell: Vector2i)
## Why an order is not obeyed to the letter, in words.
signal refused(why: String)

## Pixels of the screen that the pointer may stray in a click.
const CLICK_SLOP := 5.0

var selected: Array[TownUnit] = []
## Off while another tool has the left button.
var is_enabled := true:
	set(value):
		is_enabled = value
		_is_pressed = false
		_is_dragging = false
		queue_redraw()

var _units: TownUnits
var _gates: Array[TownGate] = []
var _grid: PathForgeGrid
var _is_pressed := false
var _is_dragging := false
var _start := Vector2.ZERO
var _end := Vector2.ZERO
var _ping := Vector2.ZERO
var _ping_age := 1.0
## The gate that a click would work.
var _hovered: TownGate


func set_up(grid: PathForgeGrid, units: TownUnits, gates: Array[TownGate]) -> void:
	_grid = grid
	_units = units
	_gates = gates


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button != null and button.button_index == MOUSE_BUTTON_LEFT:
		if is_enabled and button.pressed:
			_begin()
		elif is_enabled:
			_finish(button)
	elif button != null and button.button_index == MOUSE_BUTTON_RIGHT and button.pressed:
		_give_order()
	elif event is InputEventMouseMotion and _is_pressed:
		_stretch()
	elif event is InputEventKey:
		_use_key(event)


func _process(delta: float) -> void:
	var pointed := _pointed_gate()
	if pointed != _hovered:
		_hovered = pointed
		queue_redraw()
	if _ping_age < 1.0:
		_ping_age = minf(_ping_age + delta * 1.8, 1.0)
		queue_redraw()


func _draw() -> void:
	if _hovered != null:
		var size := Vector2(_hovered.cells.size) * _grid.cell_size
		var area := Rect2(_hovered.position, size).grow(2.0)
		draw_rect(area, DemoPalette.TEXT, false, 1.5)
	if _is_dragging:
		var band := Rect2(_start, _end - _start).abs()
		draw_rect(band, Color(DemoPalette.ACCENT, 0.12))
		draw_rect(band, DemoPalette.ACCENT, false, 1.5)
	if _ping_age < 1.0:
		var tint := Color(DemoPalette.ACCENT, 1.0 - _ping_age)
		draw_arc(_ping, 4.0 + 12.0 * _ping_age, 0.0, TAU, 24, tint, 2.0, true)
		draw_circle(_ping, 3.0 * (1.0 - _ping_age), tint, true, -1.0, true)


## Selects exactly [param units].
func select(units: Array[TownUnit]) -> void:
	for unit: TownUnit in selected:
		unit.is_selected = false
	selected = units
	for unit: TownUnit in selected:
		unit.is_selected = true
	selection_changed.emit()


func _begin() -> void:
	_is_pressed = true
	_is_dragging = false
	_start = get_local_mouse_position()
	_end = _start


func _stretch() -> void:
	_end = get_local_mouse_position()
	var zoom := get_viewport_transform().get_scale().x
	if (_end - _start).length() * zoom > CLICK_SLOP:
		_is_dragging = true
	queue_redraw()


func _finish(button: InputEventMouseButton) -> void:
	if not _is_pressed:
		return
	_is_pressed = false
	var chosen: Array[TownUnit] = []
	if _is_dragging:
		_is_dragging = false
		queue_redraw()
		var band := Rect2(_start, _end - _start).abs()
		for unit: TownUnit in _units.all:
			if band.intersects(unit.body().grow(-3.0)):
				chosen.append(unit)
	else:
		var unit := _units.unit_at(_start, 2.0)
		if unit == null and _work_gate(_start):
			return
		if unit == null and DemoTools.is_touch(button) and not selected.is_empty():
			_give_order()
			return
		if unit != null:
			chosen.append(unit)
	if button.shift_pressed:
		chosen = _toggled(chosen)
	select(chosen)


## What is selected, with [param units] added, or taken out when all of them are in it.
func _toggled(units: Array[TownUnit]) -> Array[TownUnit]:
	var result := selected.duplicate()
	var all_in := units.all(func(unit: TownUnit) -> bool: return unit in selected)
	for unit: TownUnit in units:
		if all_in:
			result.erase(unit)
		elif unit not in result:
			result.append(unit)
	return result


func _give_order() -> void:
	var cell := _grid.local_to_cell(get_local_mouse_position())
	if selected.is_empty():
		refused.emit("Select units first: click one, or drag a frame round some.")
		return
	if not _grid.is_in_boundsv(cell):
		refused.emit("The map ends here.")
		return
	if _grid.is_point_solid(cell):
		refused.emit("That is solid: they go as near as they fit.")
	_ping = get_local_mouse_position()
	_ping_age = 0.0
	order_given.emit(cell)


func _work_gate(point: Vector2) -> bool:
	var gate := _gate_near(point, 0.0)
	if gate != null:
		gate.toggle()
	return gate != null


func _use_key(event: InputEvent) -> void:
	if event.is_action_pressed(&"demo_door"):
		var gate := _gate_near(get_local_mouse_position(), INF)
		if gate != null:
			gate.toggle()
	elif event.is_action_pressed(&"demo_select_all"):
		select(_units.all.duplicate())
	for number: int in range(1, 5):
		if event.is_action_pressed(StringName("demo_kind_%d" % number)):
			_select_kind(number - 1)


func _select_kind(place: int) -> void:
	var kinds: Array[TownUnitKind] = []
	for unit: TownUnit in _units.all:
		if unit.kind not in kinds:
			kinds.append(unit.kind)
	if place < kinds.size():
		select(_units.all.filter(func(unit: TownUnit) -> bool: return unit.kind == kinds[place]))


func _pointed_gate() -> TownGate:
	if not is_enabled or _is_dragging or get_viewport().gui_get_hovered_control() != null:
		return null
	var point := get_local_mouse_position()
	return null if _units.unit_at(point, 2.0) != null else _gate_near(point, 0.0)


## The gate at a point, or the nearest one within [param distance] pixels of it.
func _gate_near(point: Vector2, distance: float) -> TownGate:
	var nearest: TownGate = null
	var least := distance
	for gate: TownGate in _gates:
		var area := Rect2(Vector2(gate.cells.position), Vector2(gate.cells.size))
		area = Rect2(area.position * _grid.cell_size, area.size * _grid.cell_size)
		var away := point.distance_to(point.clamp(area.position, area.end))
		if away <= least:
			least = away
			nearest = gate
	return nearest
