class_name HillsUnits
extends Node3D
## All units. Where each starts and is sent at first stands in its node.

## From the smallest to the largest.
const KINDS: Array[StringName] = [&"Rider", &"Wagon", &"Giant"]
## In metres. An outline is smaller than a footprint, which may reach a little into what is closed.
const SLACK := 0.15

var all: Array[HillsUnit] = []

var _crowd: PathForgeCrowd


func set_up(grid: PathForgeGrid, space: PathForgeSpace3D, crowd: PathForgeCrowd) -> void:
	_crowd = crowd
	all.assign(get_children())
	for unit: HillsUnit in all:
		unit.set_up(grid, space)
		unit.global_position = space.cell_to_global(
			grid.find_nearest_fit(unit.cell, unit.profile), unit.profile
		)


## They go where they are sent at first.
func set_out() -> void:
	for unit: HillsUnit in all:
		if unit.first_goal != Vector2i.ZERO:
			unit.send(unit.first_goal)


func of_kind(kind: StringName) -> Array[HillsUnit]:
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
