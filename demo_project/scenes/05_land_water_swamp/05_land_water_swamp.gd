extends Node2D
## An island with a river, a swamp and bridges. Bodies differ in size and in where they may go, and
## each takes the best path that is left.

const MAP_FILE := "res://scenes/05_land_water_swamp/map.txt"
const UNITS: Dictionary[StringName, PackedScene] = {
	&"boots": preload("units/boots.tscn"),
	&"boat": preload("units/boat.tscn"),
	&"hover": preload("units/hover.tscn"),
	&"hauler": preload("units/hauler.tscn"),
}

var units: Array[IslandUnit] = []
var bridges: Array[IslandBridge] = []
## Never none: the first of them says what the pointer and the regions are about.
var selected: Array[IslandUnit] = []

@onready var grid: PathForgeGrid = $Grid
@onready var reach: IslandReach = $Reach

@onready var _frame: DemoFrame = $DemoFrame
@onready var _camera: DemoCamera = $Camera
@onready var _pointer: IslandPointer = $Pointer
@onready var _panel: IslandPanel = $Panel


func _ready() -> void:
	var map := IslandMap.new(MAP_FILE)
	_make_grid(map)
	_draw_map(map)
	_make_bridges(map)
	_make_units(map)
	_connect_tools()
	_begin_tour(map)


func _process(_delta: float) -> void:
	_panel.show_units(selected)
	_panel.show_bridges()


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed or key.echo:
		return
	match key.keycode:
		KEY_1, KEY_2, KEY_3, KEY_4:
			_pick_kind(_panel.kinds[key.keycode - KEY_1])
		KEY_V:
			_show_reach(reach.kind == null)


## All that PathForge needs to know: who is in which cell's way.
func _make_grid(map: IslandMap) -> void:
	grid.region = Rect2i(Vector2i.ZERO, map.size)
	grid.terrain_names = IslandMap.TERRAIN_NAMES
	grid.set_terrain_data(map.terrain_data())
	grid.set_solid_data(map.solid_data())
	reach.set_up(grid)


func _draw_map(map: IslandMap) -> void:
	var cell_px := grid.cell_size.x
	($Ground as IslandGround).show_map(map, cell_px)
	($Waves as IslandWaves).show_map(map, cell_px)
	($Props as IslandProps).show_map(map, cell_px)
	_camera.content = Rect2(Vector2.ZERO, Vector2(map.size) * grid.cell_size)
	_camera.use_frame(_frame)


func _make_bridges(map: IslandMap) -> void:
	bridges.assign($Bridges.get_children())
	var areas := map.rectangles("=")
	for place: int in bridges.size():
		var bridge := bridges[place]
		bridge.set_up(grid, areas[place])
		bridge.is_held = _is_held
		bridge.changed.connect(_on_bridge_changed)


func _make_units(map: IslandMap) -> void:
	for line: DrawnMap.UnitLine in map.units:
		var unit: IslandUnit = UNITS[line.kind].instantiate()
		$Units.add_child(unit)
		unit.set_up(grid, line.cell)
		units.append(unit)
	($Ways as IslandWays).set_up(grid, units)


func _connect_tools() -> void:
	var tools := _frame.add_tools("Select")
	tools.add_tool("Bridge", KEY_B, ["Click|blow up, build again", "Right click|send"])
	_pointer.set_up(tools, grid, units, bridges)
	_pointer.units_picked.connect(select)
	_pointer.order_given.connect(_on_order_given)
	_pointer.refused.connect(_frame.tell)
	_pointer.bridge_picked.connect(_on_bridge_picked)
	_panel.reparent(_frame.side_column())
	_panel.set_up(bridges)
	_panel.kind_picked.connect(_pick_kind)
	_panel.reach_toggled.connect(_show_reach)
	_panel.bridge_pressed.connect(_on_bridge_picked)
	_pick_kind(_panel.kinds[-1])


func _begin_tour(map: IslandMap) -> void:
	var tour: IslandTour = $Tour
	tour.set_up(map, units, bridges)
	tour.unit_chosen.connect(func(unit: IslandUnit) -> void: select([unit]))
	tour.reach_wanted.connect(_show_reach)


func select(some: Array[IslandUnit]) -> void:
	for unit: IslandUnit in selected:
		unit.is_selected = false
	selected = some
	_pointer.selected = some
	for unit: IslandUnit in selected:
		unit.is_selected = true
	_show_reach(reach.kind != null)


## Selects a unit of a kind; once more, the next one.
func _pick_kind(kind: IslandKind) -> void:
	var same := units.filter(func(unit: IslandUnit) -> bool: return unit.kind == kind)
	var at := -1 if selected.is_empty() else same.find(selected[0])
	select([same[(at + 1) % same.size()]])


func _show_reach(is_on: bool) -> void:
	reach.kind = selected[0].kind if is_on else null
	_panel.show_reach(reach.kind, reach.regions)


## All go to a cell, and what cannot get there says so.
func _on_order_given(cell: Vector2i) -> void:
	if grid.is_point_solid(cell):
		_frame.tell("That is solid: nothing can stand there.")
		return
	var shut_out := 0
	for unit: IslandUnit in selected:
		unit.send(cell)
		shut_out += int(not unit.can_reach(unit.goal))
	if shut_out == selected.size():
		_frame.tell("There is no way there. The panel says why.")
	elif shut_out > 0:
		_frame.tell("%d of %d have no way there. The panel says why." % [shut_out, selected.size()])


func _on_bridge_picked(bridge: IslandBridge) -> void:
	bridge.toggle()


## Whether a body lies over some of these cells that may not be on [param terrain].
func _is_held(cells: Rect2i, terrain: int) -> bool:
	var area := Rect2(Vector2(cells.position), Vector2(cells.size))
	area = Rect2(area.position * grid.cell_size, area.size * grid.cell_size)
	for unit: IslandUnit in units:
		if not unit.kind.enters(terrain) and unit.body().grow(-0.5).intersects(area):
			return true
	return false


## Agents look for another way by themselves when theirs is cut, when there was none, and when a
## better one may have come. Units without a way say anew why.
func _on_bridge_changed() -> void:
	for unit: IslandUnit in units:
		unit.explain_again()
	_show_reach(reach.kind != null)
