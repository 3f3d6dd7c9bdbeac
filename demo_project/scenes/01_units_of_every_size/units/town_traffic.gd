class_name TownTraffic
extends Node
## Gives units their ways: stands that nobody else has, ways that the body fits through, new ones
## when the map changes, and a way out for a unit that something was built over.

## A way was asked for.
signal planned(unit: TownUnit, path: PathForgePath)

## A detour round parked units may be this many cells longer than the way through them.
const DETOUR_MAX := 14.0

var units: Array[TownUnit] = []
## Gates let nobody in while they move.
var gates: Array[TownGate] = []
## The cells where a wall is still flat: [code]func() -> Array[Vector2i][/code].
var foundations := Callable()

var _grid: PathForgeGrid
var _stands: TownStands
## A private copy of the map, to ask what would be if something were not where it is.
var _what_if: PathForgeGrid


func set_up(grid: PathForgeGrid) -> void:
	_grid = grid
	_stands = TownStands.new(grid)
	_what_if = PathForgeGrid.new()
	add_child(_what_if)
	_what_if.visible = false
	grid.cells_changed.connect(_on_cells_changed)


func add_unit(unit: TownUnit) -> void:
	units.append(unit)
	unit.ask = _permit
	unit.came_to_rest.connect(_on_came_to_rest.bind(unit))


## Sends [param group] to [param cell]; each gets its own stand near it, the biggest first.
func order(group: Array[TownUnit], cell: Vector2i) -> void:
	var sorted := group.duplicate()
	sorted.sort_custom(_goes_first.bind(cell))
	var taken: Array[Rect2i] = []
	for unit: TownUnit in units:
		if unit not in group:
			taken.append(unit.goal_cells())
	for unit: TownUnit in sorted:
		unit.wish = cell
		_send(unit, taken)
		taken.append(unit.goal_cells())


## The unit whose body is at [param point]; small ones, drawn on top, come first.
func unit_at(point: Vector2, margin := 0.0) -> TownUnit:
	var found: TownUnit = null
	for unit: TownUnit in units:
		if unit.body().grow(margin).has_point(point):
			if found == null or unit.body().get_area() < found.body().get_area():
				found = unit
	return found


## True when some unit is on [param cell], steps across it, or must to get off a building site.
func is_occupied(cell: Vector2i) -> bool:
	for unit: TownUnit in units:
		if unit.used_cells().has_point(cell) or unit.must_cross(cell):
			return true
	return false


## Finds a way for [param unit] to its wish, or as near as its body gets.
func _send(unit: TownUnit, taken: Array[Rect2i]) -> void:
	if unit.is_covered():
		_evict(unit)
		return
	var start := unit.planning_stand()
	var profile := unit.kind.profile
	var wanted := _wanted(unit)
	unit.outlook = _stands.outlook(wanted, profile, start)
	var best := _stands.nearest(wanted, profile, taken)
	var near := best
	var refusal: PathForgePath = null
	if best == Vector2i.MIN or not _grid.is_reachable(start, best, profile):
		near = _stands.nearest_reachable(wanted, profile, taken, start)
		refusal = null if best == Vector2i.MIN else _ask(_grid, unit, start, best)
	if near == Vector2i.MIN:
		unit.give_up(_ask(_grid, unit, start, wanted) if refusal == null else refusal)
		return
	var path := _ask(_grid, unit, start, near)
	if refusal != null:
		planned.emit(unit, refusal)
	if path.cells.is_empty():
		unit.give_up(path)
		return
	unit.follow(_round_parked(unit, path), refusal)


## A way out for a unit that a building or a gate covers: to the nearest stand that it fits and can
## walk to while what covers it is not up yet.
func _evict(unit: TownUnit) -> void:
	var start := unit.planning_stand()
	_copy_map()
	for cell: Vector2i in _cells_not_shut_yet():
		_open_for(unit, cell)
	var taken := _taken_without(unit)
	var stand := _stands.nearest_reachable(start, unit.kind.profile, taken, start, _what_if)
	if stand == Vector2i.MIN:
		unit.give_up(_ask(_grid, unit, start, start))
		return
	var path := _ask(_what_if, unit, start, stand)
	unit.follow(path, unit.refusal, true)


## The same way, or one round the units that are parked on it when that is not much longer.
func _round_parked(unit: TownUnit, path: PathForgePath) -> PathForgePath:
	var parked: Array[Rect2i] = []
	for other: TownUnit in units:
		if other != unit and other.is_at_rest():
			parked.append(other.goal_cells())
	if not _touches_any(path.cells, unit.kind.footprint(), parked):
		return path
	_copy_map()
	for area: Rect2i in parked:
		_what_if.fill_solid_region(area, true)
	var detour := _what_if.find_path(path.cells[0], path.cells[-1], unit.kind.profile)
	var is_worth_it := detour.is_complete() and detour.cost <= path.cost + DETOUR_MAX
	return detour if is_worth_it else path


func _ask(map: PathForgeGrid, unit: TownUnit, start: Vector2i, goal: Vector2i) -> PathForgePath:
	var path := map.find_path(start, goal, unit.kind.profile)
	planned.emit(unit, path)
	return path


## Whether a unit may step onto a stand now.
func _permit(unit: TownUnit, stand: Vector2i) -> TownUnit.Permit:
	var area := Rect2i(stand, unit.kind.footprint())
	for gate: TownGate in gates:
		if gate.is_moving() and gate.cells.intersects(area):
			if not gate.cells.intersects(unit.used_cells()):
				return TownUnit.Permit.GATE_MOVES
	for other: TownUnit in units:
		if other == unit or other.is_at_rest() or not _goes_before(other, unit):
			continue
		var theirs := other.used_cells()
		if theirs.intersects(area) and not theirs.intersects(unit.used_cells()):
			return TownUnit.Permit.GIVE_WAY
	return TownUnit.Permit.GO


## Bigger units go before smaller ones; among equals, the older.
func _goes_before(a: TownUnit, b: TownUnit) -> bool:
	var more := a.kind.footprint().x * a.kind.footprint().y
	var less := b.kind.footprint().x * b.kind.footprint().y
	return a.get_index() < b.get_index() if more == less else more > less


func _goes_first(a: TownUnit, b: TownUnit, cell: Vector2i) -> bool:
	if a.kind != b.kind:
		return _goes_before(a, b)
	return (a.stand - cell).length_squared() < (b.stand - cell).length_squared()


func _taken_without(unit: TownUnit) -> Array[Rect2i]:
	var taken: Array[Rect2i] = []
	for other: TownUnit in units:
		if other != unit:
			taken.append(other.goal_cells())
	return taken


func _copy_map() -> void:
	_what_if.from_bytes(_grid.to_bytes())


func _cells_not_shut_yet() -> Array[Vector2i]:
	var cells: Array[Vector2i] = foundations.call()
	for gate: TownGate in gates:
		if gate.is_waiting():
			cells.append_array(gate.all_cells())
	return cells


func _open_for(unit: TownUnit, cell: Vector2i) -> void:
	_what_if.set_point_solid(cell, false)
	if not unit.kind.profile.capability & (1 << _what_if.get_point_terrain(cell)):
		_what_if.set_point_terrain(cell, TownMap.FORD)


func _touches_any(cells: Array[Vector2i], footprint: Vector2i, areas: Array[Rect2i]) -> bool:
	for area: Rect2i in areas:
		for cell: Vector2i in cells:
			if area.intersects(Rect2i(cell, footprint)):
				return true
	return false


## Everyone on the way looks again: what was open may be shut, and what was shut may be open.
func _on_cells_changed(_region: Rect2i) -> void:
	for unit: TownUnit in units:
		if unit.is_covered():
			_evict(unit)
		elif unit.wish != Vector2i.MIN:
			_look_again(unit)
		elif unit.state == TownUnit.State.LEAVING:
			unit.wish = unit.goal
			_send(unit, _taken_without(unit))


## A new way to the same goal when that is still good, else a new goal.
func _look_again(unit: TownUnit) -> void:
	var start := unit.planning_stand()
	var is_same := unit.refusal == null
	if not is_same:
		is_same = unit.outlook == _stands.outlook(_wanted(unit), unit.kind.profile, start)
	if is_same and unit.is_at_rest():
		return
	if is_same and unit.fits(unit.goal):
		var path := _ask(_grid, unit, start, unit.goal)
		if path.is_complete():
			unit.follow(_round_parked(unit, path), unit.refusal)
			return
	_send(unit, _taken_without(unit))


## The stand that has the unit's middle on its wish.
func _wanted(unit: TownUnit) -> Vector2i:
	return unit.wish - (unit.kind.footprint() - Vector2i.ONE) / 2


func _on_came_to_rest(was_leaving: bool, unit: TownUnit) -> void:
	if unit.is_covered():
		_evict(unit)
	elif was_leaving and unit.wish != Vector2i.MIN:
		_send(unit, _taken_without(unit))
	elif unit.state == TownUnit.State.IDLE:
		unit.wish = Vector2i.MIN
