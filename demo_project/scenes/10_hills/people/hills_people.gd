class_name HillsPeople
extends MultiMeshInstance3D
## A crowd of three thousand that walks from place to place: one at its place sets out for another.
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
## Where one goes from each place, by number: round the land, over each bridge one way, and through
## the town from side to side.
const NEXT: Array[Array] = [[4, 4, 4, 1], [0, 0, 2], [0, 0, 1], [1], [3, 5], [2]]
## Where those go first that begin west of the river, and those east of it.
const FIRST: Array[Array] = [[4, 4, 0, 1, 2], [3, 5, 4, 1, 2]]

## If true, a person that has arrived sets out for another place; else all rest at the nearest one.
var are_streaming := true:
	set(value):
		are_streaming = value
		if value:
			_set_out(_crowd.get_ids())
		else:
			_rest()
## How many walk to each place, or are there.
var bound_for: PackedInt32Array = [0, 0, 0, 0, 0, 0]

var _crowd: PathForgeCrowd
var _cells: Array[Vector2i] = []
## The number of its place, by id.
var _place_of: Dictionary[int, int] = {}
var _random := RandomNumberGenerator.new()


func set_up(crowd: PathForgeCrowd, grid: PathForgeGrid, units: HillsUnits) -> void:
	_crowd = crowd
	_cells.assign(HillsLand.PLACES.values())
	_random.seed = HillsLand.SEED
	multimesh = MultiMesh.new()
	multimesh.transform_format = MultiMesh.TRANSFORM_3D
	multimesh.use_colors = true
	multimesh.mesh = _figure()
	material_override = DemoMesh.paint()
	crowd.multimesh = multimesh
	crowd.agents_arrived.connect(_on_agents_arrived)
	_add_people(grid, units)


## Whether an agent is one of them.
func has(id: int) -> bool:
	return id in _place_of


## The number of the place to which one walks.
func place_of(id: int) -> int:
	return _place_of[id]


## In words, where one goes and what it does.
func describe(id: int) -> String:
	var title: String = HillsLand.PLACES.keys()[_place_of[id]]
	match _crowd.get_state(id):
		PathForgeCrowd.STATE_ARRIVED:
			return "At its place: %s." % title
		PathForgeCrowd.STATE_WAITING:
			return "Waits for others on the way to: %s." % title
		PathForgeCrowd.STATE_STUCK, PathForgeCrowd.STATE_BLOCKED:
			return "Others keep it from: %s." % title
	return "Walks to: %s." % title


## Anywhere from where there is a path to all places.
func _add_people(grid: PathForgeGrid, units: HillsUnits) -> void:
	var profile := PathForgeProfile.new()
	var positions := PackedVector2Array()
	var taken: Dictionary[Vector2i, bool] = {}
	for unit: HillsUnit in units.all:
		var body := Rect2i(unit.stand(), unit.profile.footprint)
		for place: int in body.get_area():
			taken[body.position + Vector2i(place % body.size.x, place / body.size.x)] = true
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
	for number: int in ids.size():
		var id := ids[number]
		var side := int(positions[number].x > HillsLand.river(positions[number].y))
		var place: int = FIRST[side][_random.randi_range(0, FIRST[side].size() - 1)]
		groups[place].append(id)
		var speed := SPEED + _random.randf_range(-0.5, 0.5) * SPEEDS_APART
		_crowd.set_agent_speed([id], speed)
	_send(groups)


func _after(place: int) -> int:
	return NEXT[place][_random.randi_range(0, NEXT[place].size() - 1)]


func _nearest_place(position: Vector2) -> int:
	var nearest := 0
	for place: int in _cells.size():
		var away := position.distance_to(_cells[place])
		if away < position.distance_to(_cells[nearest]):
			nearest = place
	return nearest


func _on_agents_arrived(ids: PackedInt32Array) -> void:
	if are_streaming:
		_set_out(ids)


## Each of them goes to a place that follows the one where it is, or to which it walked.
func _set_out(ids: PackedInt32Array) -> void:
	var groups: Array[PackedInt32Array] = [[], [], [], [], [], []]
	for id: int in ids:
		if has(id):  # Else it is a unit.
			groups[_after(_place_of[id])].append(id)
	_send(groups)


## Each goes to the place nearest to it, and stays there.
func _rest() -> void:
	var groups: Array[PackedInt32Array] = [[], [], [], [], [], []]
	var ids := _crowd.get_ids()
	var positions := _crowd.get_positions()
	for number: int in ids.size():
		if has(ids[number]):
			groups[_nearest_place(positions[number])].append(ids[number])
	_send(groups)


func _send(groups: Array[PackedInt32Array]) -> void:
	for place: int in groups.size():
		for id: int in groups[place]:
			if has(id):
				bound_for[_place_of[id]] -= 1
			_place_of[id] = place
		bound_for[place] += groups[place].size()
		if not groups[place].is_empty():
			_crowd.set_agent_colors(groups[place], COLORS[place])
			_crowd.assign_goal(groups[place], _cells[place])


## A metre wide, with its feet at the origin.
static func _figure() -> ArrayMesh:
	var mesh := DemoMesh.new()
	mesh.cone(Vector3.ZERO, Vector2(0.5, 0.26), 1.75, Color.WHITE, 6)
	mesh.cone(Vector3(0, 1.75, 0), Vector2(0.24, 0.36), 0.3, Color("f1d3b3"), 6)
	mesh.cone(Vector3(0, 2.05, 0), Vector2(0.36, 0.14), 0.42, Color("f1d3b3"), 6)
	return mesh.commit()
