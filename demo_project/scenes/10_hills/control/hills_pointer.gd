class_name HillsPointer
extends Node2D
## The pointer: a click selects a unit, a drag all in a box, and a right click sends what is
## selected. With a tool a click works a gate, or builds a tower. Draws the box.

signal selection_changed
## Send what is selected to [param cell].
signal order_given(cell: Vector2i)
## A tower is to be built or taken away at a point of the screen.
signal tower_wanted(screen: Vector2)
## Why a click is not obeyed to the letter, in words.
signal refused(why: String)

## The tools, by their places.
enum Tool { SELECT, GATE, TOWER }

## Pixels of the screen that the pointer may stray in a click.
const CLICK_SLOP := 5.0

var selected: Array[HillsUnit] = []
var gates: Array[HillsGate] = []

var _tools: DemoTools
var _camera: DemoOrbit
var _grid: PathForgeGrid
var _space: PathForgeSpace3D
var _crowd: PathForgeCrowd
var _units: HillsUnits
var _people: HillsPeople
var _is_pressed := false
var _is_dragging := false
var _start := Vector2.ZERO
var _end := Vector2.ZERO


func set_up(
	tools: DemoTools,
	camera: DemoOrbit,
	crowd: PathForgeCrowd,
	units: HillsUnits,
	people: HillsPeople
) -> void:
	_tools = tools
	_camera = camera
	_crowd = crowd
	_grid = crowd.get_parent()
	_space = crowd.space
	_units = units
	_people = people


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	var motion := event as InputEventMouseMotion
	if button != null and button.button_index == MOUSE_BUTTON_LEFT:
		if button.pressed:
			_on_pressed(button.position)
		elif _is_pressed:
			_finish(button)
	elif button != null and button.button_index == MOUSE_BUTTON_RIGHT and button.pressed:
		_give_order(button.position)
	elif motion != null and _is_pressed:
		_end = motion.position
		_is_dragging = _is_dragging or _start.distance_to(_end) > CLICK_SLOP
		queue_redraw()
	elif event is InputEventKey:
		_use_key(event)


func _draw() -> void:
	if _is_dragging:
		var band := Rect2(_start, _end - _start).abs()
		draw_rect(band, Color(DemoPalette.ACCENT, 0.12))
		draw_rect(band, DemoPalette.ACCENT, false, 1.5)


## Selects exactly [param units].
func select(units: Array[HillsUnit]) -> void:
	for unit: HillsUnit in selected:
		unit.is_selected = false
	selected = units
	for unit: HillsUnit in selected:
		unit.is_selected = true
	selection_changed.emit()


## The unit at a point of the screen, the nearest one, or null.
func unit_at(screen: Vector2) -> HillsUnit:
	var from := _camera.project_ray_origin(screen)
	var ray := _camera.project_ray_normal(screen)
	for kind: StringName in HillsUnits.KINDS:
		# Bodies are of several heights, and each kind is asked for with its own.
		var met := _units.among(
			_crowd.find_agents_along_ray(from, ray, _units.of_kind(kind)[0].height)
		)
		for unit: HillsUnit in met:
			if unit.kind == kind:
				return unit
	return null


func gate_at(screen: Vector2) -> HillsGate:
	var from := _camera.project_ray_origin(screen)
	var ray := _camera.project_ray_normal(screen)
	var nearest: HillsGate = null
	for gate: HillsGate in gates:
		var hit: Variant = gate.box().intersects_ray(from, ray)
		var is_nearer := (
			nearest == null
			or gate.position.distance_to(from) < (nearest.position.distance_to(from))
		)
		if hit != null and is_nearer:
			nearest = gate
	return nearest


func _on_pressed(at: Vector2) -> void:
	match _tools.current:
		Tool.SELECT:
			_is_pressed = true
			_start = at
		Tool.GATE:
			var gate := gate_at(at)
			if gate != null:
				gate.toggle()
			else:
				refused.emit("There is no gate. A click on one opens or shuts it.")
		Tool.TOWER:
			tower_wanted.emit(at)


## Selects what was framed or clicked. A finger that met nothing sends what is selected.
func _finish(button: InputEventMouseButton) -> void:
	var at := button.position
	_is_pressed = false
	queue_redraw()
	var chosen: Array[HillsUnit] = []
	if _is_dragging:
		_is_dragging = false
		var band := Rect2(_start, at - _start).abs()
		chosen = _units.among(_crowd.find_agents_on_screen(_camera, band))
	else:
		var unit := unit_at(at)
		if unit != null:
			chosen.append(unit)
		elif not selected.is_empty() and DemoTools.is_touch(button):
			_give_order(at)
			return
		elif _ask_person(at):
			return
	if button.shift_pressed:
		var others := selected.filter(func(unit: HillsUnit) -> bool: return unit not in chosen)
		chosen = others + chosen
	select(chosen)


func _give_order(at: Vector2) -> void:
	var hit := _camera.ground_at(at)
	if selected.is_empty():
		refused.emit("Select units first: click one, or drag a box round some.")
	elif not hit.is_finite():
		refused.emit("The land ends here.")
	else:
		var cell := _space.global_to_cell(hit)
		if _grid.is_point_solid(cell):
			refused.emit("Nothing can stand there: they go as near as they get.")
		order_given.emit(cell)


func _use_key(event: InputEvent) -> void:
	if event.is_action_pressed(&"demo_select_all"):
		select(_units.all.duplicate())
	for number: int in HillsUnits.KINDS.size():
		if event.is_action_pressed(StringName("demo_kind_%d" % (number + 1))):
			select(_units.of_kind(HillsUnits.KINDS[number]))


## Says where one of the people goes.
func _ask_person(screen: Vector2) -> bool:
	var from := _camera.project_ray_origin(screen)
	var ray := _camera.project_ray_normal(screen)
	for id: int in _crowd.find_agents_along_ray(from, ray, 1.5):
		if _people.has(id):
			refused.emit(_people.describe(id))
			return true
	return false
