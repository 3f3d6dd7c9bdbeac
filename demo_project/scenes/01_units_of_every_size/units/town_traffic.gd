class_name TownTraffic
extends Node
## Gives units their ways: places that no other has, ways that the body fits through, new ones
## when the map changes, and a way out for a unit that something was built over.

## A way was asked for.
signal planned(unit: TownUnit, path: PathForgePath)

var units: Array[TownUnit] = []
var gates: Array[TownGate] = []
## The cells where a wall is still flat: [code]func() -> Array[Vector2i][/code].
var foundations := Callable()

var _grid: PathForgeGrid
var _stands: TownStands
var _right_of_way: TownRightOfWay
## A private copy of the map, to ask what would be if something were not where it is.
var _what_if: PathForgeGrid


func set_up(grid: PathForgeGrid) -> void:
	_grid = grid
	_stands = TownStands.new(grid)
	_what_if = PathForgeGrid.new()
	add_child(_what_if)
	_what_if.visible = false
	_right_of_way = TownRightOfWay.new(grid, _stands, _what_if)
	_right_of_way.units = units
	_right_of_way.gates = gates
	_right_of_way.resume = _send_on
	grid.cells_changed.connect(_on_cells_changed)


func _process(_delta: float) -> void:
	_right_of_way.settle()


func add_unit(unit: TownUnit) -> void:
	units.append(unit)
	var same := units.filter(func(other: TownUnit) -> bool: return other.kind == unit.kind)
	unit.number = same.size()
	unit.ask = _right_of_way.permit
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
		unit.yields = 0
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
	var wanted := unit.wanted()
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
	unit.follow(_right_of_way.round_parked(unit, path), refusal)


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


func _ask(map: PathForgeGrid, unit: TownUnit, start: Vector2i, goal: Vector2i) -> PathForgePath:
	var path := map.find_path(start, goal, unit.kind.profile)
	if start != goal:
		planned.emit(unit, path)
	return path


func _goes_first(a: TownUnit, b: TownUnit, cell: Vector2i) -> bool:
	if a.kind != b.kind:
		return TownRightOfWay.goes_before(a, b)
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


## Everyone on the way looks again: what was open may be shut, and what was shut may be open.
func _on_cells_changed(_region: Rect2i) -> void:
	for unit: TownUnit in units:
		if unit.is_covered():
			_evict(unit)
		elif unit.aside_for != null or unit.stopped_by != null:
			_send_on(unit)
		elif unit.wish != Vector2i.MIN:
			_look_again(unit)
		elif unit.state == TownUnit.State.LEAVING:
			unit.wish = unit.goal
			_send_on(unit)


## A new way to the same goal when that is still good, else a new goal.
func _look_again(unit: TownUnit) -> void:
	var start := unit.planning_stand()
	var is_same := unit.refusal == null
	if not is_same:
		is_same = unit.outlook == _stands.outlook(unit.wanted(), unit.kind.profile, start)
	if is_same and unit.is_at_rest():
		return
	if is_same and unit.fits(unit.goal):
		var path := _ask(_grid, unit, start, unit.goal)
		if path.is_complete():
			unit.follow(_right_of_way.round_parked(unit, path), unit.refusal)
			return
	_send_on(unit)


func _on_came_to_rest(was_leaving: bool, unit: TownUnit) -> void:
	if unit.is_covered():
		_evict(unit)
	elif was_leaving and unit.wish != Vector2i.MIN:
		_send_on(unit)
	elif unit.state == TownUnit.State.IDLE:
		unit.wish = Vector2i.MIN
	for other: TownUnit in units:
		if other.stopped_by != null:
			_send_on(other)


## Finds the way to its wish anew.
func _send_on(unit: TownUnit) -> void:
	_send(unit, _taken_without(unit))
