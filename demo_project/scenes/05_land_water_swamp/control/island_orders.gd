class_name IslandOrders
extends RefCounted
## Where a unit goes that is sent to a cell: a stand over the cell, or the nearest one to it that
## no other unit has been sent to.

## So far from the cell a stand is looked for, in cells.
const REACH := 5

var _grid: PathForgeGrid
var _units: Array[IslandUnit] = []


func _init(grid: PathForgeGrid, units: Array[IslandUnit]) -> void:
	_grid = grid
	_units = units


func send(unit: IslandUnit, cell: Vector2i) -> void:
	unit.hold_ground(false)
	unit.send(stand_for(unit, cell))


## The free stand nearest to the one with its middle over [param cell], among those that the body
## can get to; that one itself where it can get to none over the cell, so that the unit can say why
## not.
func stand_for(unit: IslandUnit, cell: Vector2i) -> Vector2i:
	var asker := unit.asker()
	var footprint := asker.footprint
	var middle := cell - (footprint - Vector2i.ONE) / 2
	var start := unit.stand()
	var best := Vector2i.MIN
	var can_cover := false
	for y: int in range(-REACH, REACH + 1):
		for x: int in range(-REACH, REACH + 1):
			var stand := middle + Vector2i(x, y)
			if not _grid.is_reachable(start, stand, asker):
				continue
			can_cover = can_cover or Rect2i(stand, footprint).has_point(cell)
			var is_nearer := (
				best == Vector2i.MIN
				or (stand - middle).length_squared() < (best - middle).length_squared()
			)
			if is_nearer and _is_free(unit, stand):
				best = stand
	return best if can_cover and best != Vector2i.MIN else middle


func _is_free(unit: IslandUnit, stand: Vector2i) -> bool:
	var area := Rect2i(stand, unit.kind.profile.footprint)
	for other: IslandUnit in _units:
		if other != unit and area.intersects(Rect2i(other.goal, other.kind.profile.footprint)):
			return false
	return true
