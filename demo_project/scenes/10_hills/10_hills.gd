extends Node3D
## A town on hills by a river, in 3D: three thousand people walk from place to place, and units of
## three sizes go among them where they are sent.

const TOWER := preload("land/hills_tower.tscn")
const TOWERS: Array[Vector2i] = [Vector2i(88, 44), Vector2i(88, 68)]
## Seconds between two looks whether a reason still holds.
const LOOK := 0.25

var towers: Array[HillsTower] = []

## Those of the selected units that have no path.
var _refused: Array[HillsUnit] = []
var _looked := 0.0
var _has_changed := true

@onready var grid: PathForgeGrid = $Grid
@onready var space: PathForgeSpace3D = $Grid/Space
@onready var crowd: PathForgeCrowd = $Grid/Crowd
@onready var people: HillsPeople = $Grid/Space/People
@onready var units: HillsUnits = $Units
@onready var pointer: HillsPointer = $Pointer
@onready var marks: HillsMarks = $Marks
@onready var panel: HillsPanel = $Panel

@onready var _frame: DemoFrame = $DemoFrame
@onready var _camera: DemoOrbit = $Orbit
@onready var _ground: HillsGround = $Ground


func _ready() -> void:
	var land := HillsLand.new()
	land.lay_out(grid, space)
	_ground.show_land(land, grid, space)
	for cell: Vector2i in TOWERS:
		_build(cell)
	units.set_up(grid, space, crowd)
	people.set_up(crowd, grid, units)
	marks.set_up(space)
	var tools := _frame.add_tools("Select")
	tools.add_tool("Gate", KEY_D, ["Click|open or shut a gate", "Right click|send"])
	tools.add_tool("Tower", KEY_T, ["Click|build or take away", "Right click|send"])
	pointer.set_up(tools, _camera, crowd, units, people)
	for cells: Rect2i in HillsLand.GATES:
		_add_gate(cells)
	pointer.refused.connect(_frame.tell)
	pointer.order_given.connect(_on_order_given)
	pointer.tower_wanted.connect(_use_tower)
	pointer.selection_changed.connect(func() -> void: _has_changed = true)
	grid.cells_changed.connect(func(_cells: Rect2i) -> void: _has_changed = true)
	panel.reparent(_frame.side_column())
	panel.set_up(crowd, people, units, pointer)
	panel.stream.toggled.connect(func(is_on: bool) -> void: people.are_streaming = not is_on)
	_camera.use_frame(_frame)
	units.set_out()


func _process(delta: float) -> void:
	_looked += delta
	if _looked >= LOOK:
		_looked = 0.0
		_look_why_not()


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed or key.echo:
		return
	if key.keycode == KEY_S:
		panel.stream.button_pressed = not panel.stream.button_pressed


func _add_gate(cells: Rect2i) -> void:
	var gate := HillsGate.new()
	add_child(gate)
	gate.set_up(grid, units, cells, space.get_height(Rect2i(cells).get_center()))
	pointer.gates.append(gate)


func _on_order_given(cell: Vector2i) -> void:
	marks.ping(space.cell_to_global(cell))
	_has_changed = true
	for unit: HillsUnit in pointer.selected:
		unit.send(cell)


## Builds a tower where the pointer is, or takes the one away that is there.
func _use_tower(screen: Vector2) -> void:
	var from := _camera.project_ray_origin(screen)
	var ray := _camera.project_ray_normal(screen)
	for tower: HillsTower in towers:
		if tower.box().intersects_ray(from, ray) != null:
			grid.fill_solid_region(tower.cells, false)
			towers.erase(tower)
			tower.queue_free()
			return
	var hit := _camera.ground_at(screen)
	if not hit.is_finite():
		_frame.tell("The land ends here.")
		return
	var corner := space.global_to_cell(hit) - Vector2i.ONE
	if not _is_site(corner):
		_frame.tell("A tower needs 3×3 free cells, off bridges and gates.")
		return
	_build(corner)


func _is_site(corner: Vector2i) -> bool:
	var cells := Rect2i(corner, Vector2i.ONE * HillsTower.SIDE)
	for kept: Rect2i in _ground.decks() + HillsLand.GATES:
		if kept.intersects(cells):
			return false
	var profile := PathForgeProfile.new()
	profile.footprint = cells.size
	return grid.can_stand(corner, profile)


func _build(corner: Vector2i) -> void:
	var tower: HillsTower = TOWER.instantiate()
	add_child(tower)
	var cells := Rect2i(corner, Vector2i.ONE * HillsTower.SIDE)
	tower.set_up(grid, units, cells, space.cell_to_global(corner + Vector2i.ONE))
	towers.append(tower)


## Says of the selected units that do not get where they were sent why that is, and marks where that
## was and what is in the way.
func _look_why_not() -> void:
	var refused := pointer.selected.filter(
		func(unit: HillsUnit) -> bool: return unit.refusal != null
	)
	if refused == _refused and not _has_changed:
		return
	_has_changed = false
	_refused = refused
	var reasons := DemoReasons.new()
	var cells: Array[Vector2i] = []
	var goals: Array[Vector2i] = []
	for unit: HillsUnit in refused:
		var answer := grid.explain(unit.stand(), unit.wish, unit.profile, PathForgeGrid.GOAL_COVER)
		reasons.add(unit.title(), _in_words(answer))
		cells.append_array(answer.cells)
		if unit.wish not in goals:
			goals.append(unit.wish)
	panel.show_why(reasons.text())
	marks.show_cells(cells, goals)


## The grid only knows that a steep cell is solid; the space knows how steep it is.
func _in_words(answer: PathForgeDiagnosis) -> String:
	var steepest := Vector2i.MIN
	var most := HillsLand.STEEP_DEGREES
	for cell: Vector2i in answer.cells:
		var slope := space.get_slope_degrees(cell)
		if slope <= HillsLand.STEEP_DEGREES and grid.is_point_solid(cell):
			return answer.text
		if slope > most:
			steepest = cell
			most = slope
	if steepest == Vector2i.MIN:
		return answer.text
	return (
		"Too steep: %d° at %s, and nothing climbs more than %d°."
		% [roundi(most), steepest, HillsLand.STEEP_DEGREES]
	)
