class_name TownStands
extends RefCounted
## Finds stands for bodies near a spot that others have not taken.

var _grid: PathForgeGrid
## Steps from a cell, near ones first.
var _steps: Array[Vector2i] = []


func _init(grid: PathForgeGrid) -> void:
	_grid = grid
	var reach := maxi(grid.region.size.x, grid.region.size.y)
	for y: int in range(-reach, reach + 1):
		for x: int in range(-reach, reach + 1):
			_steps.append(Vector2i(x, y))
	_steps.sort_custom(_is_nearer)


## The stand nearest to [param wanted] that fits, that no rectangle of [param taken] touches and
## that a body at [param start] can reach on [param map]; [code]Vector2i.MIN[/code] when there is
## none. Without a start it need not be reachable.
func nearest(
	wanted: Vector2i,
	profile: PathForgeProfile,
	taken: Array[Rect2i],
	start := Vector2i.MIN,
	map: PathForgeGrid = _grid
) -> Vector2i:
	var first := _grid.find_nearest_fit(wanted, profile)
	if first == Vector2i.MIN or _is_good(first, profile, taken, start, map):
		return first
	for step: Vector2i in _steps:
		if _is_good(wanted + step, profile, taken, start, map):
			return wanted + step
	return Vector2i.MIN


func _is_good(
	cell: Vector2i,
	profile: PathForgeProfile,
	taken: Array[Rect2i],
	start: Vector2i,
	map: PathForgeGrid
) -> bool:
	var body := Rect2i(cell, profile.footprint)
	if not _grid.region.encloses(body):
		return false
	if not _grid.fits(cell, profile.footprint, profile.capability):
		return false
	for other: Rect2i in taken:
		if other.intersects(body):
			return false
	return start == Vector2i.MIN or map.is_reachable(start, cell, profile)


static func _is_nearer(a: Vector2i, b: Vector2i) -> bool:
	var near := a.length_squared() - b.length_squared()
	if near != 0:
		return near < 0
	return a.x < b.x if a.y == b.y else a.y < b.y
