class_name TownStands
extends RefCounted
## Finds stands for bodies near a spot that others have not taken.

## How far from the best stand a free one is looked for, in cells.
const REACH := 12

var _grid: PathForgeGrid
## Steps from a cell, near ones first.
var _steps: Array[Vector2i] = []


func _init(grid: PathForgeGrid) -> void:
	_grid = grid
	for y: int in range(-REACH, REACH + 1):
		for x: int in range(-REACH, REACH + 1):
			_steps.append(Vector2i(x, y))
	_steps.sort_custom(_is_nearer)


## The stand nearest to [param wanted] that fits and that no rectangle of [param taken] touches;
## [code]Vector2i.MIN[/code] when there is none.
func nearest(wanted: Vector2i, profile: PathForgeProfile, taken: Array[Rect2i]) -> Vector2i:
	var first := _grid.find_nearest_fit(wanted, profile)
	return _near(wanted, first, profile, taken, Vector2i.MIN, _grid)


## The same among the stands that a body at [param start] can reach on [param map].
func nearest_reachable(
	wanted: Vector2i,
	profile: PathForgeProfile,
	taken: Array[Rect2i],
	start: Vector2i,
	map: PathForgeGrid = _grid
) -> Vector2i:
	var way := map.find_path(start, wanted, profile, PathForgeGrid.GOAL_NEAREST)
	var first: Vector2i = Vector2i.MIN if way.cells.is_empty() else way.cells[-1]
	return _near(wanted, first, profile, taken, start, map)


## What the answers for a spot hang on, apart from what is taken: while it stays the same for a body
## at [param start], looking again finds nothing new.
func outlook(wanted: Vector2i, profile: PathForgeProfile, start: Vector2i) -> Array[Vector2i]:
	var way := _grid.find_path(start, wanted, profile, PathForgeGrid.GOAL_NEAREST)
	var last: Vector2i = Vector2i.MIN if way.cells.is_empty() else way.cells[-1]
	return [_grid.find_nearest_fit(wanted, profile), last]


## The first good stand round [param wanted], or round [param first] when that is far away.
func _near(
	wanted: Vector2i,
	first: Vector2i,
	profile: PathForgeProfile,
	taken: Array[Rect2i],
	start: Vector2i,
	map: PathForgeGrid
) -> Vector2i:
	if first == Vector2i.MIN or _is_good(first, profile, taken, start, map):
		return first
	var away := (first - wanted).abs()
	var middle := wanted if maxi(away.x, away.y) < REACH else first
	# Nothing that is nearer than the first is good for this body, whatever is taken.
	var least := maxf((first - middle).length() - profile.footprint.length(), 0.0)
	for step: Vector2i in _steps:
		if step.length_squared() < least * least:
			continue
		if _is_good(middle + step, profile, taken, start, map):
			return middle + step
	return Vector2i.MIN


func _is_good(
	cell: Vector2i,
	profile: PathForgeProfile,
	taken: Array[Rect2i],
	start: Vector2i,
	map: PathForgeGrid
) -> bool:
	if not _grid.can_stand(cell, profile):
		return false
	var body := Rect2i(cell, profile.footprint)
	for other: Rect2i in taken:
		if other.intersects(body):
			return false
	return start == Vector2i.MIN or map.is_reachable(start, cell, profile)


static func _is_nearer(a: Vector2i, b: Vector2i) -> bool:
	var near := a.length_squared() - b.length_squared()
	if near != 0:
		return near < 0
	return a.x < b.x if a.y == b.y else a.y < b.y
