class_name ArmyFit
extends RefCounted
## Lays the places of a formation where its soldiers can stand. A place on rock, or on a place of
## the other army, falls back along its file to the first free cells.

## Files beside its own that a place may fall back in.
const FILES := 60

var _grid: PathForgeGrid
var _profiles: Array[PathForgeProfile] = []
var _radii: PackedFloat32Array
var _taken: PackedByteArray


func _init(
	grid: PathForgeGrid, profiles: Array[PathForgeProfile], radii: PackedFloat32Array
) -> void:
	_grid = grid
	_profiles = profiles
	_radii = radii
	_taken = grid.get_solid_data()


## Nothing else comes onto these places, by kind.
func take(places: Array[PackedVector2Array]) -> void:
	for kind: int in places.size():
		for place: Vector2 in places[kind]:
			_take(_cells(place, kind))


## The nearest places to [param places] that are free. [param back] points to the rear.
func fitted(places: Array[PackedVector2Array], back: Vector2i) -> Array[PackedVector2Array]:
	var result: Array[PackedVector2Array] = []
	var falling: Array[Vector2i] = []
	for kind: int in places.size():
		result.append(places[kind].duplicate())
		for number: int in places[kind].size():
			if not _is_free(_cells(places[kind][number], kind)):
				falling.append(Vector2i(kind, number))
	# Places that stay come first, so that no other falls back onto one of them.
	for kind: int in places.size():
		for number: int in places[kind].size():
			if Vector2i(kind, number) not in falling:
				_take(_cells(places[kind][number], kind))
	for which: Vector2i in falling:
		var place := _fallen_back(places[which.x][which.y], which.x, back)
		result[which.x][which.y] = place
		_take(_cells(place, which.x))
	return result


func _fallen_back(place: Vector2, kind: int, back: Vector2i) -> Vector2:
	var start := _grid.local_to_cell(place, _profiles[kind])
	for file: int in FILES * 2:
		var cell := start + Vector2i(0, (file + 1) / 2 * (1 if file % 2 == 1 else -1))
		while _grid.region.has_point(cell):
			var spot := _grid.cell_to_local(cell, _profiles[kind])
			if _is_free(_cells(spot, kind)):
				return spot
			cell += back
	return place


## The cells that a soldier's disc touches.
func _cells(place: Vector2, kind: int) -> Rect2i:
	var reach := Vector2.ONE * _radii[kind]
	var low := _grid.local_to_cell(place - reach)
	return Rect2i(low, _grid.local_to_cell(place + reach) - low + Vector2i.ONE)


func _is_free(cells: Rect2i) -> bool:
	if not _grid.region.encloses(cells):
		return false
	for y: int in range(cells.position.y, cells.end.y):
		for x: int in range(cells.position.x, cells.end.x):
			if _taken[y * _grid.region.size.x + x] != 0:
				return false
	return true


func _take(cells: Rect2i) -> void:
	var inside := cells.intersection(_grid.region)
	for y: int in range(inside.position.y, inside.end.y):
		for x: int in range(inside.position.x, inside.end.x):
			_taken[y * _grid.region.size.x + x] = 1
