class_name TownUnits
extends Node2D
## All units of the town. Each finds its way by itself; this is for what looks at all of them.

## A unit on a building site keeps it flat this far around, in cells, so that it can leave.
const WAY_OUT := 3.0

var all: Array[TownUnit] = []

var _cell_size := Vector2.ONE


func set_up(grid: PathForgeGrid) -> void:
	_cell_size = grid.cell_size


func add_unit(unit: TownUnit) -> void:
	add_child(unit)
	all.append(unit)
	var same := all.filter(func(other: TownUnit) -> bool: return other.kind == unit.kind)
	unit.number = same.size()


## The unit whose body is at [param point]; small ones, drawn on top, come first.
func unit_at(point: Vector2, margin := 0.0) -> TownUnit:
	var found: TownUnit = null
	for unit: TownUnit in all:
		if unit.body().grow(margin).has_point(point):
			if found == null or unit.body().get_area() < found.body().get_area():
				found = unit
	return found


## True when some unit is on [param cell], or has to cross it to leave a building site.
func is_occupied(cell: Vector2i) -> bool:
	var area := Rect2(Vector2(cell) * _cell_size, _cell_size)
	for unit: TownUnit in all:
		var is_leaving := unit.state() == TownUnit.State.LEAVING
		var margin := WAY_OUT * _cell_size.x if is_leaving else -2.0
		if unit.body().grow(margin).intersects(area):
			return true
	return false
