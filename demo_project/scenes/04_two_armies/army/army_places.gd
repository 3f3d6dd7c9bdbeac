class_name ArmyPlaces
extends RefCounted
## Tells whether a position is within a cell of a place of an army: a map of dots around its places.

## Dots of the map for each cell.
const FINE := 3

var _dot := 1.0
var _width := 0
var _dots: PackedByteArray
var _around: PackedInt32Array


func _init(grid: PathForgeGrid) -> void:
	_dot = grid.cell_size.x / FINE
	# A margin of a cell on each side: no disc around a place leaves the map.
	_width = (grid.region.size.x + 2) * FINE
	_dots.resize(_width * (grid.region.size.y + 2) * FINE)
	for y: int in range(-FINE, FINE + 1):
		for x: int in range(-FINE, FINE + 1):
			if Vector2(x, y).length() <= FINE:
				_around.append(y * _width + x)


func mark(places: Array[PackedVector2Array]) -> void:
	_dots.fill(0)
	for of_kind: PackedVector2Array in places:
		for place: Vector2 in of_kind:
			var middle := _index(place)
			for offset: int in _around:
				_dots[middle + offset] = 1


func has(position: Vector2) -> bool:
	return _dots[_index(position)] != 0


func _index(position: Vector2) -> int:
	var at := Vector2i(position / _dot) + Vector2i.ONE * FINE
	return at.y * _width + at.x
