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
const TOWN_SCOUT := 2
const TANK := 5
const FAR_TANK := 7
const HAULER := 9
const SHUT_IN := 10
const BARGE := 12
const UPPER_BARGE := 14
## Where they go.
const YARD := Vector2i(21, 5)
const DOWNSTREAM := Vector2i(33, 29)
const BEHIND_THE_WALL := Vector2i(13, 15)

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
	add_step(16.0, "One map, four sizes: each takes the best way that it fits through.", _set_out)
	add_step(9.0, "A gate opens for the hauler that is shut in.", _open_gate)
	add_step(
		14.0, "The bridge rises for a barge. The ford is too narrow for a hauler.", _raise_bridge
	)
	add_step(15.0, "It comes down, and the hauler that waited goes on.", _lower_bridge)
	add_step(17.0, "A wall across the road: the tank goes round by the south gate.", _build_wall)
	add_step(14.0, "The wall is gone: it goes back by the road.", _tear_down)
	add_step(8.0, "The last one goes home, and it begins again.", _go_home)


## All to the east, each to a place of its own, the barge to the west.
func _set_out() -> void:
	for place: int in _map.units.size():
		if _map.units[place].goal != Vector2i.MIN:
			_send(place, _map.units[place].goal)
	_select(HAULER)


func _open_gate() -> void:
	_set_gate(GATE, true)
	_send(TOWN_SCOUT, Vector2i(9, 15))
	_send(SHUT_IN, YARD)
	_select(SHUT_IN)


func _raise_bridge() -> void:
	_set_gate(BRIDGE, true)
	var is_north := _units[UPPER_BARGE].stand().y < BRIDGE.y
	_send(UPPER_BARGE, DOWNSTREAM if is_north else home(UPPER_BARGE))
	for place: int in [SHUT_IN, TANK, HAULER]:
		_send(place, home(place))
	_select(HAULER)


func _lower_bridge() -> void:
	_set_gate(BRIDGE, false)
	_set_gate(GATE, false)
	_send(TOWN_SCOUT, home(TOWN_SCOUT))


func _build_wall() -> void:
	_send(BARGE, home(BARGE))
	_send(FAR_TANK, BEHIND_THE_WALL)
	_select(FAR_TANK)
	_builder.work(WALL, true)


func _tear_down() -> void:
	_builder.work(WALL, false)
	_send(FAR_TANK, home(FAR_TANK))


func _go_home() -> void:
	_send(SCOUT, home(SCOUT))
	_select(SCOUT)


## The middle of where a unit is at the start.
func home(place: int) -> Vector2i:
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
