class_name Army
extends RefCounted
## One side: foot, riders and giants in the scene's crowd, and where they are sent.

## Foot, riders, giants: pixels a second.
const SPEEDS: PackedFloat32Array = [26.0, 32.0, 22.0]
## Cells that a disc is narrower than its body, at each side.
const SLACK := 0.1
## Cells that a formation keeps from the edge of the map.
const MARGIN := 3.0

## What it is called: by its colour.
var title := ""
var colour: Color
## Where its formation looks: 1 to the right, −1 to the left.
var facing := 1
var ids: Array[PackedInt32Array] = []
## The place of each, by kind, and the middle of them.
var places: Array[PackedVector2Array] = []
var mark := Vector2.ZERO

var _crowd: PathForgeCrowd
var _grid: PathForgeGrid
var _profiles: Array[PathForgeProfile] = []
var _near: ArmyPlaces


func _init(crowd: PathForgeCrowd, grid: PathForgeGrid, profiles: Array[PathForgeProfile]) -> void:
	_crowd = crowd
	_grid = grid
	_profiles = profiles
	_near = ArmyPlaces.new(grid)


## Puts all on the field around a place.
func muster(middle: Vector2) -> void:
	_take_places(middle, ArmyFormation.Shape.BLOCK, [])
	for kind: int in _profiles.size():
		ids.append(_crowd.add_agents(places[kind], _profiles[kind], SPEEDS[kind], radius(kind)))


## What its soldiers are tinted with.
func shade() -> Color:
	return colour.lightened(0.15)


## The radius of the disc that a soldier of a kind keeps clear, in pixels.
func radius(kind: int) -> float:
	return ((kind + 1) * 0.5 - SLACK) * _grid.cell_size.x


## Whether any of these agents is one of its soldiers.
func has_any(agents: PackedInt32Array) -> bool:
	for agent: int in agents:
		for of_kind: PackedInt32Array in ids:
			if of_kind.has(agent):
				return true
	return false


## Whether a position is within a cell of one of its places.
func is_in_place(position: Vector2) -> bool:
	return _near.has(position)


## Sends all to a place, to stand there in a shape, beside the places of another army.
func march(middle: Vector2, shape: ArmyFormation.Shape, others: Array[PackedVector2Array]) -> void:
	_take_places(middle, shape, others)
	for kind: int in ids.size():
		var sum := Vector2.ZERO
		for place: Vector2 in places[kind]:
			sum += place
		var cell := _grid.local_to_cell(sum / places[kind].size())
		_crowd.assign_formation(ids[kind], cell, places[kind])


## Lays a formation around a place, moved as far as it must be to lie on the map, and where its
## soldiers can stand.
func _take_places(
	middle: Vector2, shape: ArmyFormation.Shape, others: Array[PackedVector2Array]
) -> void:
	var cell := _grid.cell_size.x
	places = ArmyFormation.places(shape)
	var turned := Transform2D(0.0, Vector2(cell * facing, cell), 0.0, middle)
	var area := Rect2(middle, Vector2.ZERO)
	for kind: int in places.size():
		places[kind] = turned * places[kind]
		for place: Vector2 in places[kind]:
			area = area.expand(place)
	var field := Rect2(Vector2(_grid.region.position) * cell, Vector2(_grid.region.size) * cell)
	var room := field.grow(-MARGIN * cell)
	var inside := area.position.clamp(room.position, room.end - area.size)
	mark = middle + inside - area.position
	for kind: int in places.size():
		places[kind] = Transform2D(0.0, inside - area.position) * places[kind]
	var radii := PackedFloat32Array([radius(0), radius(1), radius(2)])
	var fit := ArmyFit.new(_grid, _profiles, radii)
	fit.take(others)
	places = fit.fitted(places, Vector2i(-facing, 0))
	_near.mark(places)
