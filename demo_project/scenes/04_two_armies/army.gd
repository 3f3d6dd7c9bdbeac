class_name Army
extends RefCounted
## One side: foot, riders and giants, and the shapes that they stand in.

enum Shape { BLOCK, LINE, WEDGE }

## Foot, riders, giants: how many, how fast in pixels a second, and cells from one to the next.
const COUNTS: PackedInt32Array = [620, 60, 14]
const SPEEDS: PackedFloat32Array = [26.0, 32.0, 22.0]
const PITCHES: PackedFloat32Array = [1.9, 3.2, 4.6]
const RANKS: PackedInt32Array = [32, 20, 14]

var colour: Color
## Which way it looks: 1 to the right, −1 to the left.
var facing := 1
var ids: Array[PackedInt32Array] = []

var _crowd: PathForgeCrowd
var _grid: PathForgeGrid


func _init(crowd: PathForgeCrowd, grid: PathForgeGrid, of_colour: Color, looks: int) -> void:
	_crowd = crowd
	_grid = grid
	colour = of_colour
	facing = looks


## Puts everybody on the field around a place.
func muster(middle: Vector2, profiles: Array[PathForgeProfile]) -> void:
	for kind: int in 3:
		var places := PackedVector2Array()
		for place: Vector2 in places_for(kind, middle, Shape.BLOCK):
			var corner := place - _grid.cell_size * kind * 0.5
			if _grid.fits(_grid.local_to_cell(corner), profiles[kind].footprint):
				places.append(place)
		var added := _crowd.add_agents(places, profiles[kind], SPEEDS[kind])
		_crowd.set_agent_colors(added, colour.lightened(kind * 0.2))
		ids.append(added)


## Sends everybody to a place, to stand there in a shape.
func march(middle: Vector2, shape: Shape) -> void:
	for kind: int in 3:
		var places := places_for(kind, middle, shape)
		var sum := Vector2.ZERO
		for place: Vector2 in places:
			sum += place
		_crowd.assign_formation(ids[kind], _grid.local_to_cell(sum / places.size()), places)


func everybody() -> PackedInt32Array:
	return ids[0] + ids[1] + ids[2]


## Foot in front, riders behind, giants last.
func places_for(kind: int, middle: Vector2, shape: Shape) -> PackedVector2Array:
	var places := PackedVector2Array()
	var rank := RANKS[kind] + (RANKS[kind] / 3 if shape == Shape.LINE else 0)
	var behind: float = (
		[0.0, -35.0, -45.5][kind] + (7.0 if shape == Shape.LINE else 0.0) * signf(kind)
	)
	var cell := _grid.cell_size.x
	for place: int in ids[kind].size() if ids.size() > kind else COUNTS[kind]:
		var row := place / rank
		var column := place % rank - (rank - 1) * 0.5
		var back := row * PITCHES[kind] * 0.87
		if shape == Shape.WEDGE:
			back += absf(column) * PITCHES[kind] * 0.55 - 6.0
		var offset := Vector2((24.0 + behind - back) * facing, column * PITCHES[kind])
		places.append(middle + offset * cell)
	return places
