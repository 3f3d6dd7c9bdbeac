class_name HillsUnits
extends Node3D
## All units, where they start, and where they are sent at first.

## Kinds by their places in [method HillsUnitKind.all], cells, and where they go; (0, 0) stays.
const START: Array[Array] = [
	[0, Vector2i(44, 52), Vector2i(120, 66)],
	[0, Vector2i(46, 52), Vector2i(122, 65)],
	[0, Vector2i(44, 54), Vector2i(120, 68)],
	[0, Vector2i(46, 54), Vector2i(122, 67)],
	[0, Vector2i(62, 60), Vector2i.ZERO],
	[0, Vector2i(64, 60), Vector2i.ZERO],
	[1, Vector2i(120, 56), Vector2i(52, 57)],
	[1, Vector2i(124, 58), Vector2i(55, 58)],
	[1, Vector2i(48, 62), Vector2i.ZERO],
	[1, Vector2i(52, 62), Vector2i.ZERO],
	[2, Vector2i(12, 60), Vector2i(53, 50)],
	[2, Vector2i(72, 94), Vector2i.ZERO],
	[2, Vector2i(120, 22), Vector2i(86, 24)],
]

## In metres. An outline is smaller than a footprint, which may reach a little into what is closed.
const SLACK := 0.15

var all: Array[HillsUnit] = []
var kinds := HillsUnitKind.all()

var _crowd: PathForgeCrowd


func set_up(grid: PathForgeGrid, space: PathForgeSpace3D, crowd: PathForgeCrowd) -> void:
	_crowd = crowd
	for line: Array in START:
		var kind_place: int = line[0]
		var cell: Vector2i = line[1]
		var unit := HillsUnit.new()
		var kind := kinds[kind_place]
		unit.set_up(grid, space, kind)
		add_child(unit)
		unit.global_position = space.cell_to_global(
			grid.find_nearest_fit(cell, kind.profile), kind.profile
		)
		all.append(unit)
		unit.number = of_kind(kind).size()


## They go where they are sent at first.
func set_out() -> void:
	for place: int in START.size():
		var goal: Vector2i = START[place][2]
		if goal != Vector2i.ZERO:
			all[place].send(goal)


func of_kind(kind: HillsUnitKind) -> Array[HillsUnit]:
	return all.filter(func(unit: HillsUnit) -> bool: return unit.kind == kind)


## The units among these agents, in their order.
func among(ids: PackedInt32Array) -> Array[HillsUnit]:
	var found: Array[HillsUnit] = []
	for id: int in ids:
		for unit: HillsUnit in all:
			if unit.agent.get_agent_id() == id:
				found.append(unit)
	return found


## Whether no body reaches into some cells, by more than [constant SLACK].
func is_clear(cells: Rect2i) -> bool:
	var area := Rect2(cells)
	if not _crowd.find_agents_in_rect(area.grow(HillsPeople.RADIUS - SLACK)).is_empty():
		return false
	return not all.any(
		func(unit: HillsUnit) -> bool: return unit.body().grow(-SLACK).intersects(area)
	)
