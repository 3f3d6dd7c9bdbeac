class_name HillsPeople
extends MultiMeshInstance3D
## Three thousand people who walk from place to place: the one at its place sets out for another.
## Each has the colour of the place to which it walks.

const COUNT := 3000
## Metres a second.
const SPEED := 2.6
const SPEEDS_APART := 0.8
## Half as wide as one is, in metres.
const RADIUS := 0.3
const COLORS: PackedColorArray = [
	DemoPalette.SCOUT,
	DemoPalette.TANK,
	DemoPalette.HAULER,
	Color("b48cf2"),
	Color("79c7f2"),
	DemoPalette.BARGE,
]

## If true, one that has arrived sets out for another place; else it stays.
var are_streaming := true:
	set(value):
		are_streaming = value
		if value:
			_set_out(_at_rest())
## How many walk to each place, or are there.
var bound_for: PackedInt32Array = [0, 0, 0, 0, 0, 0]

var _crowd: PathForgeCrowd
var _cells: Array[Vector2i] = []
## The number of its place, by id.
var _place_of: Dictionary[int, int] = {}
var _random := RandomNumberGenerator.new()


func set_up(crowd: PathForgeCrowd, grid: PathForgeGrid) -> void:
	_crowd = crowd
	_cells.assign(HillsLand.PLACES.values())
	_random.seed = HillsLand.SEED
	multimesh = MultiMesh.new()
	multimesh.transform_format = MultiMesh.TRANSFORM_3D
	multimesh.use_colors = true
	multimesh.mesh = _figure()
	material_override = HillsMesh.paint()
	crowd.multimesh = multimesh
	crowd.agents_arrived.connect(_on_agents_arrived)
	_add_people(grid)


## Whether an agent is one of them.
func has(id: int) -> bool:
	return id in _place_of


## The number of the place to which one walks.
func place_of(id: int) -> int:
	return _place_of[id]


## Anywhere from where there is a path to all places.
func _add_people(grid: PathForgeGrid) -> void:
	var profile := PathForgeProfile.new()
	var positions := PackedVector2Array()
	var taken: Dictionary[Vector2i, bool] = {}
	while positions.size() < COUNT:
		var cell := Vector2i(
			_random.randi_range(1, HillsLand.SIZE.x - 2),
			_random.randi_range(1, HillsLand.SIZE.y - 2)
		)
		if cell not in taken and grid.is_reachable(cell, _cells[0], profile):
			taken[cell] = true
			positions.append(grid.cell_to_local(cell))
	var groups: Array[PackedInt32Array] = [[], [], [], [], [], []]
	var ids := _crowd.add_agents(positions, profile, SPEED, RADIUS)
	for id: int in ids:
		var place := _random.randi_range(0, _cells.size() - 1)
		_place_of[id] = place
		groups[place].append(id)
		var speed := SPEED + _random.randf_range(-0.5, 0.5) * SPEEDS_APART
		_crowd.set_agent_speed([id], speed)
	_send(groups)


func _on_agents_arrived(ids: PackedInt32Array) -> void:
	if are_streaming:
		_set_out(ids)


## Each of them to another place than that where it is.
func _set_out(ids: PackedInt32Array) -> void:
	var groups: Array[PackedInt32Array] = [[], [], [], [], [], []]
	for id: int in ids:
		if not has(id):
			continue  # A unit.
		var place := _place_of[id]
		bound_for[place] -= 1
		place = (place + _random.randi_range(1, _cells.size() - 1)) % _cells.size()
		_place_of[id] = place
		groups[place].append(id)
	_send(groups)


func _send(groups: Array[PackedInt32Array]) -> void:
	for place: int in groups.size():
		if not groups[place].is_empty():
			_crowd.set_agent_colors(groups[place], COLORS[place])
			_crowd.assign_goal(groups[place], _cells[place])
			bound_for[place] += groups[place].size()


func _at_rest() -> PackedInt32Array:
	var found := PackedInt32Array()
	for id: int in _place_of:
		if _crowd.get_state(id) == PathForgeCrowd.STATE_ARRIVED:
			found.append(id)
	return found


## A metre wide, with its feet at the origin.
static func _figure() -> ArrayMesh:
	var mesh := HillsMesh.new()
	mesh.cone(Vector3.ZERO, Vector2(0.5, 0.26), 1.75, Color.WHITE, 6)
	mesh.cone(Vector3(0, 1.75, 0), Vector2(0.24, 0.36), 0.3, Color("f1d3b3"), 6)
	mesh.cone(Vector3(0, 2.05, 0), Vector2(0.36, 0.14), 0.42, Color("f1d3b3"), 6)
	return mesh.commit()
