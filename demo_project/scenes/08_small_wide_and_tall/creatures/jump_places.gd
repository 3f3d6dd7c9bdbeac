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


## The path of [param creature] to the ground cell [param wish]. When others have that place or go
## there, it leads to the nearest ground that is free. Where its body cannot stand over the wish, or
## does not get there, it is the refused path.
func path_for(creature: JumpCreature, wish: Vector2i) -> PathForgePath:
	var first: PathForgePath = null
	for anchor: Vector2i in _stands_over(creature, wish):
		var path := _path(creature, anchor, wish)
		if path != null and _is_free(creature, path):
			return path
		first = path if first == null else first
	if first == null:
		return _refused(creature, wish)
	for step: Vector2i in _steps:
		if not _is_ground(wish + step):
			continue
		for anchor: Vector2i in _stands_over(creature, wish + step):
			var path := _path(creature, anchor, wish + step)
			if path != null and _is_free(creature, path):
				return path
	return first


## Top-left cells at which a body has its feet on the ground cell [param cell], the one with its
## middle over it first.
func _stands_over(creature: JumpCreature, cell: Vector2i) -> Array[Vector2i]:
	var stands: Array[Vector2i] = []
	var size := creature.profile.footprint
	for column: int in size.x:
		# 2, 1, 3, 0, 4 for a width of five: from the middle outwards.
		var out := ceili(column * 0.5) * (1 if column % 2 == 0 else -1)
		var anchor := cell - Vector2i((size.x - 1) / 2 + out, size.y - 1)
		if _platformer.can_stand(anchor, creature.profile):
			stands.append(anchor)
	return stands


## The way to a stand; null unless it ends with the body over [param cell].
func _path(creature: JumpCreature, anchor: Vector2i, cell: Vector2i) -> PathForgePath:
	var path := _platformer.find_path(creature.cell_now(), anchor, creature.profile)
	var is_there := path.is_complete() and creature.cells_at(path.cells[-1]).has_point(cell)
	return path if is_there else null


## Says why a body does not come to a ground cell.
func _refused(creature: JumpCreature, cell: Vector2i) -> PathForgePath:
	var stands := _stands_over(creature, cell)
	var size := creature.profile.footprint
	var anchor := cell - Vector2i((size.x - 1) / 2, size.y - 1)
	return _platformer.find_path(
		creature.cell_now(), anchor if stands.is_empty() else stands[0], creature.profile
	)


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
