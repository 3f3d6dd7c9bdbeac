class_name TownTour
extends DemoTour
## Traffic in the town: units of every size cross it, a gate opens, the bridge is raised, and a wall
## rises across the road.

const BRIDGE := Vector2i(33, 9)
const GATE := Vector2i(21, 12)
## Right across the road to the bridge.
const WALL: Array[Vector2i] = [Vector2i(27, 8), Vector2i(27, 9), Vector2i(27, 10)]
## Places of units in the map's file.
const SCOUT := 0
const FAR_SCOUT := 3
const TANK := 5
const FAR_TANK := 7
const HAULER := 9
const SHUT_IN := 10
const BARGE := 12
const UPPER_BARGE := 14

var _units: Array[TownUnit] = []
var _gates: Array[TownGate] = []
var _builder: TownBuilder
var _selection: TownSelection
var _map: TownMap


func set_up(
	map: TownMap,
	units: TownUnits,
	gates: Array[TownGate],
	builder: TownBuilder,
	selection: TownSelection
) -> void:
	_map = map
	_units = units.all
	_gates = gates
	_builder = builder
	_selection = selection
	add_step(9.0, "One map, four sizes: each takes the best way that it fits through.", _set_out)
	add_step(9.0, "A gate opens for the hauler that is shut in.", _open_gate)
	add_step(
		12.0, "The bridge rises for a barge. The ford is too narrow for a hauler.", _raise_bridge
	)
	add_step(10.0, "It comes down, and those to whom it is nearer turn back to it.", _lower_bridge)
	add_step(11.0, "A wall across the road: every way that led there is found anew.", _build_wall)
	add_step(9.0, "The wall is gone, and so is the detour.", _tear_down)
	add_step(14.0, "All go home.", _go_home)


func _set_out() -> void:
	_set_gate(GATE, false)
	for place: int in _map.units.size():
		if _map.units[place].goal != Vector2i.MIN:
			_send(place, _map.units[place].goal)
	_select(HAULER)


func _open_gate() -> void:
	_set_gate(GATE, true)
	_send(SHUT_IN, Vector2i(21, 5))
	_select(SHUT_IN)


func _raise_bridge() -> void:
	_set_gate(BRIDGE, true)
	var is_north := _units[UPPER_BARGE].stand().y < BRIDGE.y
	_send(UPPER_BARGE, Vector2i(34, 23) if is_north else _home(UPPER_BARGE))
	_send(TANK, Vector2i(23, 9))
	_send(SCOUT, Vector2i(16, 9))
	_send(HAULER, Vector2i(10, 9))
	_select(HAULER)


func _lower_bridge() -> void:
	_set_gate(BRIDGE, false)


func _build_wall() -> void:
	_send(FAR_TANK, Vector2i(22, 9))
	_send(FAR_SCOUT, Vector2i(14, 6))
	_send(SHUT_IN, Vector2i(43, 9))
	_select(FAR_TANK)
	_builder.work(WALL, true)


func _tear_down() -> void:
	_builder.work(WALL, false)


func _go_home() -> void:
	for place: int in _map.units.size():
		if place != UPPER_BARGE:  # The bridge is in its way.
			_send(place, _home(place))


## The middle of where a unit is at the start.
func _home(place: int) -> Vector2i:
	var size := _units[place].kind.footprint()
	return _map.units[place].cell + (size - Vector2i.ONE) / 2


func _send(place: int, cell: Vector2i) -> void:
	_units[place].send(cell)


func _select(place: int) -> void:
	_selection.select([_units[place]])


func _set_gate(cell: Vector2i, is_open: bool) -> void:
	for gate: TownGate in _gates:
		if gate.cells.has_point(cell) and gate.is_open != is_open:
			gate.toggle()
