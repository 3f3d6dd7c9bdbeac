class_name JumpPlaces
extends RefCounted
## Who stands where in the end: each as near to where all were sent as it gets without standing in
## another one.

## So far from there a place is looked for, in cells.
const REACH := Vector2i(12, 5)

var _grid: PathForgeGrid
var _platformer: PathForgePlatformer
var _creatures: Array[JumpCreature] = []
## Steps from a cell, near ones first.
var _steps: Array[Vector2i] = []


func _init(
	grid: PathForgeGrid, platformer: PathForgePlatformer, creatures: Array[JumpCreature]
) -> void:
	_grid = grid
	_platformer = platformer
	_creatures = creatures
	for y: int in range(-REACH.y, REACH.y + 1):
		for x: int in range(-REACH.x, REACH.x + 1):
			_steps.append(Vector2i(x, y))
	_steps.sort_custom(
		func(a: Vector2i, b: Vector2i) -> bool: return a.length_squared() < b.length_squared()
	)


## The way of [param creature] to the cell [param wish], or to the nearest one where it gets a place
## that no other one has or goes to. Without such a cell it is the way to the wish.
func path_for(creature: JumpCreature, wish: Vector2i) -> PathForgePath:
	var start := creature.cell_now()
	var first := _path(creature, start, wish)
	if not first.is_complete() or _is_free(creature, first):
		return first
	for step: Vector2i in _steps:
		if _is_ground(wish + step):
			var path := _path(creature, start, wish + step)
			if path.is_complete() and _is_free(creature, path):
				return path
	return first


## The way to where the creature's centre is nearest to the centre of [param cell].
func _path(creature: JumpCreature, start: Vector2i, cell: Vector2i) -> PathForgePath:
	var goal := _platformer.local_to_cell(_grid.cell_to_local(cell), creature.profile)
	return _platformer.find_path(start, goal, creature.profile)


func _is_free(creature: JumpCreature, path: PathForgePath) -> bool:
	var place := creature.cells_at(path.cells[-1])
	return not _creatures.any(
		func(other: JumpCreature) -> bool:
			return other != creature and other.kept_place().intersects(place)
	)


func _is_ground(cell: Vector2i) -> bool:
	var below := cell + Vector2i.DOWN
	if not _grid.region.has_point(cell) or not _grid.region.has_point(below):
		return false
	var is_floor := _grid.is_point_solid(below) or _grid.is_point_one_way(below)
	return is_floor and not _grid.is_point_solid(cell)
