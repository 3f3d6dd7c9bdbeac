extends Node2D
## Scouts of 1×1 cells, tanks of 2×2, haulers of 3×3 and barges of 4×2 share one map, and each takes
## the best way that its body fits through.

const MAP_FILE := "res://scenes/01_units_of_every_size/map.txt"
const UNITS: Dictionary[StringName, PackedScene] = {
	&"scout": preload("units/scout.tscn"),
	&"tank": preload("units/tank.tscn"),
	&"hauler": preload("units/hauler.tscn"),
	&"barge": preload("units/barge.tscn"),
}

## What the mouse does with the tools for building and removing.
const BUILD_KEYS: PackedStringArray = ["Drag|raise walls", "Shift + drag|a whole block"]
const REMOVE_KEYS: PackedStringArray = ["Drag|tear down", "Shift + drag|a whole block"]
## What works with each of them.
const COMMON_KEYS: PackedStringArray = [
	"Right click|send", "1 – 4|kind", "A|all", "D|gate", "C|clearance", "F|footprints"
]

const KEPT_FREE := "Gates and the bridge stay free. They open and shut instead: D."

var gates: Array[TownGate] = []

@onready var grid: PathForgeGrid = $Grid
@onready var units: TownUnits = $Units
@onready var walls: TownWalls = $Walls
@onready var selection: TownSelection = $Selection
@onready var builder: TownBuilder = $Builder
@onready var clearance: TownClearance = $Clearance

@onready var _frame: DemoFrame = $DemoFrame
@onready var _camera: DemoCamera = $Camera
@onready var _panel: TownPanel = $Panel
@onready var _ways: TownWays = $Ways


func _ready() -> void:
	var map := TownMap.new(MAP_FILE)
	_make_grid(map)
	_draw_map(map)
	_make_gates(map)
	_make_units(map)
	_connect_tools()
	($Tour as TownTour).set_up(map, units, gates, builder, selection)


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed(&"demo_clearance"):
		_set_clearance(not clearance.visible)
	elif event.is_action_pressed(&"demo_footprints"):
		_set_footprints(not _ways.shows_footprints)


## The whole use of PathForge before the first query: a size, a text, and terrain for the ford.
func _make_grid(map: TownMap) -> void:
	grid.set_from_text(map.grid_text())
	for area: Rect2i in map.rectangles(","):
		grid.fill_terrain_region(area, TownMap.FORD)
	clearance.set_up(grid)


func _draw_map(map: TownMap) -> void:
	var ground: TownGround = $Ground
	var water: TownWater = $Water
	ground.show_map(map, grid.cell_size.x)
	water.show_map(map, grid.cell_size.x)
	walls.show_map(map, grid.cell_size.x)
	_ways.set_up(units.all, grid.cell_size.x)
	_camera.content = Rect2(Vector2.ZERO, Vector2(map.size) * grid.cell_size)
	_camera.use_frame(_frame)


func _make_gates(map: TownMap) -> void:
	for area: Rect2i in map.rectangles("Dd"):
		_add_gate(TownGate.new(), area, map.letter(area.position) == "d")
	for area: Rect2i in map.rectangles("="):
		_add_gate(TownBridge.new(), area, false)


func _add_gate(gate: TownGate, area: Rect2i, is_open: bool) -> void:
	$Gates.add_child(gate)
	gate.set_up(grid, area, is_open)
	gate.is_occupied = units.is_occupied
	gates.append(gate)
	builder.kept_free.append(area)


func _make_units(map: TownMap) -> void:
	units.set_up(grid)
	walls.is_occupied = units.is_occupied
	for line: DrawnMap.UnitLine in map.units:
		var unit: TownUnit = UNITS[line.kind].instantiate()
		units.add_unit(unit)
		unit.set_up(grid, line.cell)
		unit.planned.connect(_panel.show_query.bind(unit))
	selection.set_up(grid, units, gates)


func _connect_tools() -> void:
	builder.set_up(grid)
	builder.wall_changed.connect(walls.set_wall)
	selection.selection_changed.connect(_on_selection_changed)
	selection.order_given.connect(_on_order_given)
	selection.refused.connect(_frame.tell)
	builder.refused.connect(func(_cell: Vector2i) -> void: _frame.tell(KEPT_FREE))
	_panel.reparent(_frame.side_column())
	_panel.set_up(selection)
	var buttons := _panel.buttons()
	buttons[0].toggled.connect(_set_clearance)
	buttons[1].toggled.connect(_set_footprints)
	var tools := _frame.add_tools("Select")
	tools.add_tool("Build", KEY_B, BUILD_KEYS + COMMON_KEYS)
	tools.add_tool("Remove", KEY_X, REMOVE_KEYS + COMMON_KEYS)
	tools.changed.connect(_on_tool_changed)
	_on_selection_changed()


func _set_clearance(is_on: bool) -> void:
	clearance.visible = is_on
	_panel.buttons()[0].set_pressed_no_signal(is_on)


func _set_footprints(is_on: bool) -> void:
	_ways.shows_footprints = is_on
	_panel.buttons()[1].set_pressed_no_signal(is_on)


func _on_tool_changed(tool: int) -> void:
	selection.is_enabled = tool == 0
	builder.in_hand = tool as TownBuilder.Work


func _on_selection_changed() -> void:
	if not selection.selected.is_empty():
		clearance.show_for(selection.selected[0].kind.profile)


func _on_order_given(cell: Vector2i) -> void:
	for unit: TownUnit in selection.selected:
		unit.send(cell)
