class_name TownRightOfWay
extends RefCounted
## Who goes first where units meet. A unit steps only onto cells that no other one has. Whoever is
## parked in the way steps aside; of units that wait for each other, the lowest in rank does, and
## goes on when the other has passed.

## A unit waits this long before another one makes way, in seconds.
const PATIENCE := 0.2
## A detour may be this many cells longer than waiting for a parked unit to make way.
const DETOUR_MAX := 14.0
## So many of its next stands have to be clear before a unit that stepped aside goes on.
const LOOK_AHEAD := 10
## After it has made way so often on one journey, a unit stays where it is.
const YIELDS_MAX := 12

var units: Array[TownUnit] = []
## Gates let none in while they move.
var gates: Array[TownGate] = []
## Sends a unit on to where it was sent: [code]func(unit: TownUnit)[/code].
var resume := Callable()

var _grid: PathForgeGrid
var _stands: TownStands
var _what_if: PathForgeGrid


func _init(grid: PathForgeGrid, stands: TownStands, what_if: PathForgeGrid) -> void:
	_grid = grid
	_stands = stands
	_what_if = what_if


## Whether a unit may step onto a stand now.
func permit(unit: TownUnit, stand: Vector2i) -> TownUnit.Permit:
	var area := unit.used_cells().merge(Rect2i(stand, unit.kind.footprint()))
	unit.waits_for = null
	for gate: TownGate in gates:
		if gate.is_moving() and gate.cells.intersects(area):
			if not gate.cells.intersects(unit.used_cells()):
				return TownUnit.Permit.GATE_MOVES
	for other: TownUnit in units:
		var theirs := other.used_cells()
		if other != unit and theirs.intersects(area) and not theirs.intersects(unit.used_cells()):
			unit.waits_for = other
			return TownUnit.Permit.GIVE_WAY
	return TownUnit.Permit.GO


## Lets those go on that can, and ends what none gets out of by waiting.
func settle() -> void:
	for unit: TownUnit in units:
		if unit.is_aside():
			if _has_passed(unit.aside_for, unit):
				resume.call(unit)
		elif unit.waits_for != null and unit.waited > PATIENCE:
			_untangle(unit)


## The same way, or one round the units that are parked on it when that is not much longer.
func round_parked(unit: TownUnit, path: PathForgePath) -> PathForgePath:
	var parked: Array[Rect2i] = []
	for other: TownUnit in units:
		if other != unit and other.is_at_rest():
			parked.append(other.used_cells())
	if not _touches_any(_swept(unit, path.cells), parked):
		return path
	_copy_map(parked)
	var detour := _what_if.find_path(path.cells[0], path.cells[-1], unit.kind.profile)
	var is_worth_it := detour.is_complete() and detour.cost <= path.cost + DETOUR_MAX
	return detour if is_worth_it else path


## Whoever leaves a building site goes first, then bigger units; among equals, the older.
static func goes_before(a: TownUnit, b: TownUnit) -> bool:
	if (a.state == TownUnit.State.LEAVING) != (b.state == TownUnit.State.LEAVING):
		return a.state == TownUnit.State.LEAVING
	var more := a.kind.footprint().x * a.kind.footprint().y
	var less := b.kind.footprint().x * b.kind.footprint().y
	return a.get_index() < b.get_index() if more == less else more > less


func _untangle(unit: TownUnit) -> void:
	if unit.waits_for.is_at_rest():
		_get_past(unit, unit.waits_for)
		return
	var ring: Array[TownUnit] = [unit]
	var next := unit.waits_for
	while next != null and next not in ring:
		ring.append(next)
		next = next.aside_for if next.is_aside() else next.waits_for
	if next != unit:
		return  # One ahead moves, or is in a ring without this one.
	var lowest := 0
	for place: int in ring.size():
		if goes_before(ring[lowest], ring[place]):
			lowest = place
	_get_past(ring[lowest - 1], ring[lowest])


## [param walker] gets past [param other]: round it, or the other one makes way. When there is no
## room for either, the walker goes as near as it gets.
func _get_past(walker: TownUnit, other: TownUnit) -> void:
	var is_parked := other.is_at_rest()
	if is_parked and _go_round(walker, other, DETOUR_MAX):
		return
	if _step_aside(other, walker) or _go_round(walker, other, INF):
		return
	if not is_parked and _step_aside(walker, other):
		return
	if not _stop_before(walker):
		walker.stay(other)


func _step_aside(unit: TownUnit, walker: TownUnit) -> bool:
	if unit.yields >= YIELDS_MAX or unit.state == TownUnit.State.LEAVING:
		return false
	var others: Array[Rect2i] = []
	var taken := _swept(walker, walker.way_ahead())
	for other: TownUnit in units:
		if other != unit:
			others.append(other.used_cells())
			taken.append(other.goal_cells())
	taken.append_array(others)
	_copy_map(others)
	var start := unit.planning_stand()
	var profile := unit.kind.profile
	var stand := _stands.nearest_reachable(start, profile, taken, start, _what_if)
	if stand == Vector2i.MIN:
		return false
	unit.step_aside(_what_if.find_path(start, stand, profile), walker)
	return true


func _go_round(walker: TownUnit, other: TownUnit, longer: float) -> bool:
	if walker.state == TownUnit.State.LEAVING:
		return false
	var solid: Array[Rect2i] = [other.used_cells()]
	for parked: TownUnit in units:
		if parked != walker and parked.is_at_rest():
			solid.append(parked.used_cells())
	_copy_map(solid)
	var start := walker.planning_stand()
	var detour := _what_if.find_path(start, walker.goal, walker.kind.profile)
	if not detour.is_complete() or detour.cost > walker.distance_ahead() + longer:
		return false
	walker.follow(detour, walker.refusal)
	return true


## Another goal, among those that [param walker] reaches past all who are parked.
func _stop_before(walker: TownUnit) -> bool:
	if walker.yields >= YIELDS_MAX or walker.wish == Vector2i.MIN:
		return false
	var solid: Array[Rect2i] = []
	var taken: Array[Rect2i] = []
	for other: TownUnit in units:
		if other != walker:
			taken.append(other.goal_cells())
			if other.is_at_rest():
				solid.append(other.used_cells())
	_copy_map(solid)
	var start := walker.planning_stand()
	var profile := walker.kind.profile
	var stand := _stands.nearest_reachable(walker.wanted(), profile, taken, start, _what_if)
	if stand == Vector2i.MIN:
		return false
	walker.yields += 1
	walker.follow(_what_if.find_path(start, stand, profile), walker.refusal)
	return true


## Whether [param walker] no longer wants what [param unit] needs for its next steps.
func _has_passed(walker: TownUnit, unit: TownUnit) -> bool:
	if walker.is_at_rest() or walker.aside_for == unit:
		return true
	var way := _grid.find_path(unit.stand, unit.wish, unit.kind.profile, PathForgeGrid.GOAL_NEAREST)
	var mine := _swept(unit, way.cells.slice(0, LOOK_AHEAD))
	return not _touches_any(_swept(walker, walker.way_ahead()), mine)


## What a unit covers on its way, step by step.
func _swept(unit: TownUnit, way: Array[Vector2i]) -> Array[Rect2i]:
	var areas: Array[Rect2i] = [unit.used_cells()]
	for place: int in way.size():
		var here := Rect2i(way[place], unit.kind.footprint())
		var before := Rect2i(way[maxi(place - 1, 0)], unit.kind.footprint())
		areas.append(here.merge(before))
	return areas


func _copy_map(solid: Array[Rect2i]) -> void:
	_what_if.from_bytes(_grid.to_bytes())
	for area: Rect2i in solid:
		_what_if.fill_solid_region(area, true)


func _touches_any(some: Array[Rect2i], others: Array[Rect2i]) -> bool:
	for area: Rect2i in some:
		if others.any(area.intersects):
			return true
	return false
