extends RefCounted
## Uses the scene as a player would, while [TownWatch] looks for units that touch what is shut, and
## looks whenever all have come to rest that none rests in another.

const DemoChecks := preload("../demo_checks.gd")
const DemoPlayer := preload("../demo_player.gd")
const TownWatch := preload("town_watch.gd")

## How fast time runs while nothing is looked at but whether all arrive.
const HURRY := 8
## So many times, all units are sent to one cell.
const ORDERS := 8
## So near to where it began, in pixels, a unit is at home.
const AT_HOME := 40.0
## So much of the smaller half width two that rest may lie over each other.
const OVERLAP_MAX := 0.02

var _runner: DemoPlayer
var _grid: PathForgeGrid
var _units: TownUnits
var _walls: TownWalls
var _selection: TownSelection


func play(runner: DemoPlayer) -> void:
	_runner = runner
	var scene := runner.scene()
	_grid = scene.get_node(^"Grid")
	_units = scene.get_node(^"Units")
	_walls = scene.get_node(^"Walls")
	_selection = scene.get_node(^"Selection")
	var watch := TownWatch.new(runner)
	await _life()
	await _orders()
	await DemoChecks.new(runner).tools(scene.find_child("Tools", true, false) as DemoTools)
	await _fingers()
	await _gates()
	await _walls_in_the_way()
	await _a_building_on_a_unit()
	await _overlays()
	await _all_through_each_other()
	watch.end()
	await _all_into_the_river()
	await _all_to_one_cell_after_another()


func _life() -> void:
	await _runner.seconds(1.6)
	await _runner.screenshot()
	var under_way := _units.all.filter(func(unit: TownUnit) -> bool: return not unit.is_at_rest())
	_runner.check(under_way.size() >= 3, "units are under way when the scene starts")
	for unit: TownUnit in under_way:
		_runner.check(unit.refusal == null, "each has a way to where it was sent")
	var tour: TownTour = _runner.scene().get_node(^"Tour")
	tour.step_ended.connect(_check_tour.bind(tour))
	await DemoChecks.new(_runner).tour(7)
	tour.step_ended.disconnect(_check_tour)


## What the tour's captions say is so when their step ends: none is held up, the hauler that was
## shut in is out, the barge is past the bridge, and in the end all are at home.
func _check_tour(step: int, tour: TownTour) -> void:
	_check_places("after step %d of the tour" % (step + 1))
	match step:
		1:
			_is_near(TownTour.SHUT_IN, TownTour.YARD)
		2:
			_is_near(TownTour.UPPER_BARGE, TownTour.DOWNSTREAM)
		4:
			_is_near(TownTour.HAULER, tour.home(TownTour.HAULER))
			_is_near(TownTour.FAR_TANK, TownTour.BEHIND_THE_WALL)
		6:
			for place: int in _units.all.size():
				if place != TownTour.UPPER_BARGE:
					_is_near(place, tour.home(place))


func _is_near(place: int, cell: Vector2i) -> void:
	var unit := _units.all[place]
	var away := unit.position.distance_to(_grid.cell_to_local(cell))
	var what := "%s is %.0f px from where the tour sent it, %s" % [unit.title(), away, cell]
	_runner.check(away <= AT_HOME, what)


## A frame round some, a click beside them, and each goes to a place of its own.
func _orders() -> void:
	await _runner.click(_cell_on_screen(Vector2i(25, 30)))
	_runner.check(_selection.selected.is_empty(), "a click on the ground selects none")
	await _runner.click(_cell_on_screen(Vector2i(8, 9)), MOUSE_BUTTON_RIGHT)
	DemoChecks.new(_runner).told("Select units first", "an order to none")
	await _settle("after the traffic")
	await _runner.click(_screen(_of_kind(&"Scout")[1]))
	_runner.check(_selection.selected.size() == 1, "a click selects one unit")
	await _runner.key(KEY_1)
	_runner.check(_selection.selected.size() == 5, "1 selects the scouts")
	await _runner.drag(_cell_on_screen(Vector2i(40, 10)), _cell_on_screen(Vector2i(49, 26)))
	_runner.check(_selection.selected.size() >= 3, "a drag selects what it frames")
	await _runner.click(_cell_on_screen(Vector2i(44, 23)), MOUSE_BUTTON_RIGHT)
	await _runner.seconds(1.2)
	await _runner.screenshot("orders")
	await _settle("after an order to a group")
	await _runner.screenshot("formation")
	await _runner.click(_cell_on_screen(Vector2i(40, 14)), MOUSE_BUTTON_RIGHT)
	DemoChecks.new(_runner).told("as near as they fit", "an order onto a wall")
	await _runner.screenshot("onto_a_wall")
	await _runner.click(_cell_on_screen(Vector2i(44, 23)), MOUSE_BUTTON_RIGHT)
	await _settle("where they were")


## A tap selects, a tap on the ground sends, and so does a finger that rests.
func _fingers() -> void:
	var scout := _first(&"Scout")
	await _runner.tap(_screen(scout))
	_runner.check(_selection.selected == [scout], "a tap selects")
	await _runner.tap(_cell_on_screen(Vector2i(24, 8)))
	_runner.check(_selection.selected == [scout], "a tap on the ground lets go of none")
	_runner.check(scout.wish == Vector2i(24, 8), "and sends")
	await _runner.tap(_cell_on_screen(Vector2i(22, 9)), 0.7)
	_runner.check(scout.wish == Vector2i(22, 9), "a finger that rests sends, too")
	await _runner.key(KEY_B)
	await _runner.tap(_cell_on_screen(Vector2i(30, 7)))
	_runner.check(_grid.is_point_solid(Vector2i(30, 7)), "with a tool, a tap builds")
	await _runner.key(KEY_X)
	await _runner.tap(_cell_on_screen(Vector2i(30, 7)))
	_runner.check(not _grid.is_point_solid(Vector2i(30, 7)), "or tears down")
	await _runner.key(KEY_ESCAPE)
	await _settle("after the fingers")


## Hauler and barge want the same six columns of water: the bridge serves one of them.
func _gates() -> void:
	var bridge := _gate_at(Vector2i(33, 9))
	var hauler := _first(&"Hauler")
	await _select(hauler)
	await _runner.click(_cell_on_screen(Vector2i(33, 4)))
	await _runner.click(_cell_on_screen(Vector2i(33, 9)))
	_runner.check(bridge.is_open, "a click on the bridge raises it")
	await _select(hauler)
	await _runner.click(_cell_on_screen(Vector2i(10, 9)), MOUSE_BUTTON_RIGHT)
	await _runner.seconds(0.6)
	_runner.check(hauler.refusal != null, "a hauler cannot cross a raised bridge, and knows why")
	await _runner.screenshot("bridge_raised")
	await _runner.click(_cell_on_screen(Vector2i(33, 9)))
	await _runner.seconds(0.5)
	_runner.check(hauler.refusal == null, "it goes on once the bridge is down")
	var gate := _gate_at(Vector2i(21, 12))
	await _runner.move(_cell_on_screen(Vector2i(21, 11)))
	await _runner.key(KEY_D)
	_runner.check(gate.is_open, "D works the nearest gate")
	await _runner.seconds(1.0)
	await _runner.screenshot("gate_open")
	await _settle("after the bridge")


## A wall across a tank's way, then torn down again.
func _walls_in_the_way() -> void:
	var tank := _first(&"Tank")
	await _select(tank)
	await _runner.click(_cell_on_screen(Vector2i(8, 10)), MOUSE_BUTTON_RIGHT)
	await _runner.seconds(0.5)
	var before := tank.stands()
	await _runner.key(KEY_B)
	var middle := before[mini(12, before.size() - 3)]
	var low := middle + Vector2i(-2, -2)
	await _runner.drag(_cell_on_screen(low), _cell_on_screen(middle + Vector2i(3, 3)))
	await _runner.screenshot("building")
	await _runner.click(_cell_on_screen(Vector2i(33, 9)))
	DemoChecks.new(_runner).told("stay free", "a wall on the bridge")
	_runner.check(_is_clear(tank), "the tank's new way goes round the new wall")
	_runner.check(_selection.selected == [tank], "building selects none")
	await _runner.key(KEY_X)
	await _runner.drag(_cell_on_screen(low), _cell_on_screen(middle + Vector2i(3, 3)))
	_runner.check(_is_open(low, middle + Vector2i(3, 3)), "the wall is torn down again")
	await _runner.click(_cell_on_screen(Vector2i(9, 10)), MOUSE_BUTTON_RIGHT)
	_runner.check(tank.wish == Vector2i(9, 10), "a right click sends with any tool")
	await _runner.key(KEY_ESCAPE)
	await _settle("after the wall")


## Shift and drag: a whole block over a parked tank. It walks out, and the walls rise behind it.
func _a_building_on_a_unit() -> void:
	var tank: TownUnit = _of_kind(&"Tank").back()
	await _select(tank)
	await _runner.click(_cell_on_screen(Vector2i(20, 16)), MOUSE_BUTTON_RIGHT)
	await _settle("before the building")
	await _runner.key(KEY_B)
	var stand := tank.stand()
	var start := _cell_on_screen(stand - Vector2i.ONE)
	var end := _cell_on_screen(stand + Vector2i(2, 2))
	await _runner.move(start)
	await _shift_drag(start, end)
	_runner.check(_grid.is_point_solid(stand), "the building is in the grid at once")
	_runner.check(tank.state() == TownUnit.State.LEAVING, "the covered tank is on its way out")
	await _runner.screenshot("covered")
	await _runner.key(KEY_ESCAPE)
	await _settle("after the building")
	_runner.check(tank.fits(tank.stand()), "the covered tank stands where it fits")
	_runner.check(not _walls.is_foundation(stand), "the walls are up behind it")
	await _runner.screenshot("walked_out")


func _overlays() -> void:
	await _runner.key(KEY_3)
	await _runner.click(_cell_on_screen(Vector2i(44, 9)), MOUSE_BUTTON_RIGHT)
	await _runner.seconds(0.8)
	await _runner.key(KEY_F)
	await _runner.seconds(0.2)
	await _runner.screenshot("footprints")
	await _runner.key(KEY_C)
	await _runner.seconds(0.3)
	await _runner.screenshot("clearance")
	await _runner.key(KEY_C)
	await _runner.key(KEY_F)
	await DemoChecks.new(_runner).look_closer(_cell_on_screen(Vector2i(20, 12)))
	await _settle("after the overlays")


## Two groups change places, then all units are sent to one spot, which barges cannot get to.
func _all_through_each_other() -> void:
	await _runner.drag(_cell_on_screen(Vector2i(0, 2)), _cell_on_screen(Vector2i(29, 24)))
	var west := _selection.selected.duplicate()
	await _runner.drag(_cell_on_screen(Vector2i(37, 2)), _cell_on_screen(Vector2i(49, 28)))
	_runner.check(west.size() > 3 and _selection.selected.size() > 1, "there are two groups")
	await _runner.click(_cell_on_screen(Vector2i(12, 9)), MOUSE_BUTTON_RIGHT)
	_selection.select(west)
	await _runner.click(_cell_on_screen(Vector2i(44, 9)), MOUSE_BUTTON_RIGHT)
	await _runner.seconds(2.0)
	await _runner.screenshot("crossing")
	await _settle("after they changed places", true)
	await _runner.key(KEY_A)
	_runner.check(_selection.selected.size() == _units.all.size(), "A selects all")
	await _runner.click(_cell_on_screen(Vector2i(44, 10)), MOUSE_BUTTON_RIGHT)
	await _settle("at the end", true)
	await _runner.frames(2)
	var panel: TownPanel = _runner.scene().find_child("Panel", true, false)
	for unit: TownUnit in _units.all:
		if unit.refusal != null:
			_runner.check(_is_named(unit, panel.reasons()), "%s is named" % unit.title())
	_runner.check("Barge" in panel.reasons(), "a barge cannot get there: %s" % panel.reasons())
	_counts_are_seen(panel, "at the end")
	_runner.check(panel.are_reasons_whole(), "all of %s can be read" % panel.reasons())
	await _runner.screenshot("all")


## Twelve units are refused for one reason: their names take the room of the rows.
func _all_into_the_river() -> void:
	await _runner.key(KEY_A)
	await _runner.click(_cell_on_screen(Vector2i(35, 14)), MOUSE_BUTTON_RIGHT)
	await _runner.seconds(0.5)
	var panel: TownPanel = _runner.scene().find_child("Panel", true, false)
	for unit: TownUnit in _units.all:
		if not "Barge" in unit.title():
			_runner.check(unit.refusal != null, "%s cannot enter the river" % unit.title())
			_runner.check(_is_named(unit, panel.reasons()), "%s is named" % unit.title())
	_runner.check(panel.are_reasons_whole(), "all of %s can be read" % panel.reasons())


## All units to cells all over the town: a unit that rests farther off than the room that all of
## them take is named, has a sign, and is not told as parked.
func _all_to_one_cell_after_another() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 33
	var panel: TownPanel = _runner.scene().find_child("Panel", true, false)
	var count := 0
	while count < ORDERS:
		var cell := Vector2i(random.randi_range(2, 47), random.randi_range(3, 28))
		if not _grid.can_stand(cell):
			continue
		count += 1
		await _runner.key(KEY_A)
		await _runner.click(_cell_on_screen(cell), MOUSE_BUTTON_RIGHT)
		await _settle("after all were sent to %s" % cell, true)
		await _runner.seconds(0.5)
		_counts_are_seen(panel, "sent to %s" % cell)
		for unit: TownUnit in _units.all:
			var what := "%s, sent to %s" % [unit.title(), cell]
			if unit.state() == TownUnit.State.HELD_UP:
				_runner.check(_is_named(unit, panel.reasons()), "%s is named" % what)
			elif unit.state() == TownUnit.State.PARKED:
				var off := unit.position.distance_to(_grid.cell_to_local(cell)) / _grid.cell_size.x
				# A way ends where the body covers the cell, its middle up to half a body beside it.
				var most := TownUnit.FAR + Vector2(unit.kind.footprint()).length() * 0.5
				_runner.check(off <= most, "%s is parked %.1f cells off" % [what, off])
		_runner.check(panel.are_reasons_whole(), "all of %s can be read" % panel.reasons())
		if "Held up" in panel.reasons():
			await _runner.screenshot("held_up")


## By position: the panel counts as parked those that rest where they were sent, and names as many
## that are held up or without a way as it counts.
func _counts_are_seen(panel: TownPanel, when: String) -> void:
	var counts := panel.counts()
	var sum := 0
	for words: String in counts:
		sum += counts[words]
	_runner.check(sum == _units.all.size(), "the panel accounts for %d units %s" % [sum, when])
	var parked := 0
	var named := 0
	# "Tank 1 by Scout 2": the scout is named for the tank.
	var reasons := RegEx.create_from_string(" by [^;.]*").sub(panel.reasons(), "", true)
	for unit: TownUnit in _units.all:
		var away := unit.position.distance_to(_grid.cell_to_local(unit.wish)) / _grid.cell_size.x
		var most := TownUnit.FAR + Vector2(unit.kind.footprint()).length() * 0.5
		var is_near := unit.wish == Vector2i.MIN or away <= most
		parked += int(is_near and unit.velocity.length() < 1.0 and unit.refusal == null)
		named += int(_is_named(unit, reasons))
	var said: int = counts.get("parked", 0)
	_runner.check(said <= parked, "%d are parked, %d are near %s" % [said, parked, when])
	said = counts.get("without a way", 0) + counts.get("held up", 0)
	_runner.check(said == named, "%d are counted, %d are named %s" % [said, named, when])


## Waits until all rest, or others keep them from that, and looks whether they are apart and where
## they were sent. Where groups change places, or all meet, some come not so far.
func _settle(when: String, they_cross := false) -> void:
	var is_resting := func(unit: TownUnit) -> bool:
		var is_blocked := unit.agent.is_blocked_by_others() and unit.velocity.length() < 1.0
		return unit.is_at_rest() or is_blocked
	var rest := func() -> bool: return _units.all.all(is_resting)
	var nearer := func() -> float:
		var left := 0.0
		for unit: TownUnit in _units.all:
			left += 0.0 if unit.is_at_rest() else 1.0 + unit.distance_ahead()
		return -left
	_runner.hurry(HURRY)
	await _runner.wait_for_progress(rest, nearer, "every unit comes to rest " + when)
	_runner.hurry(1)
	await _runner.frames(2)
	_check_apart("at rest " + when)
	if not they_cross:
		_check_places("at rest " + when)


## Each that has a way and rests is as near to where it was sent as all of them leave room there.
func _check_places(when: String) -> void:
	for unit: TownUnit in _units.all:
		var is_resting := unit.is_at_rest() or unit.agent.is_blocked_by_others()
		if not is_resting or unit.wish == Vector2i.MIN or unit.refusal != null:
			continue
		var area := 0.0
		for other: TownUnit in _units.all:
			area += other.outline().get_area() * 0.25 if other.wish == unit.wish else 0.0
		# Those that came later may have pushed it aside a little.
		var most := 3.0 * sqrt(area) + 4.0 * _grid.cell_size.x
		var away := unit.position.distance_to(_grid.cell_to_local(unit.wish))
		var what := "%s is %.0f px from where it was sent, of %.0f" % [unit.title(), away, most]
		_runner.check(away <= most, "%s %s" % [what, when])


func _check_apart(when: String) -> void:
	for unit: TownUnit in _units.all:
		for other: TownUnit in _units.all.slice(0, _units.all.find(unit)):
			var depth := TownWatch.overlap(unit, other)
			var what := "%s lies over %s by %.2f %s" % [unit.title(), other.title(), depth, when]
			_runner.check(depth <= OVERLAP_MAX, what)


## Whether words tell of a unit by its name, alone or among others of its kind.
func _is_named(unit: TownUnit, words: String) -> bool:
	var pattern := "%ss?(?: \\d+,)* %d\\b" % [unit.kind.title, unit.number]
	return RegEx.create_from_string(pattern).search(words) != null


func _is_open(low: Vector2i, high: Vector2i) -> bool:
	var count := 0
	for y: int in range(low.y, high.y + 1):
		for x: int in range(low.x, high.x + 1):
			count += int(_walls.is_built(Vector2i(x, y)))
	return count == 0


func _is_clear(unit: TownUnit) -> bool:
	return unit.stands().all(unit.fits)


func _gate_at(cell: Vector2i) -> TownGate:
	for gate: TownGate in _runner.scene().get(&"gates"):
		if gate.cells.has_point(cell):
			return gate
	return null


func _of_kind(title: StringName) -> Array[TownUnit]:
	return _units.all.filter(func(unit: TownUnit) -> bool: return unit.kind.title == String(title))


func _first(title: StringName) -> TownUnit:
	return _of_kind(title)[0]


func _select(unit: TownUnit) -> void:
	await _runner.click(_screen(unit))
	_runner.check(_selection.selected == [unit], "a click selects the %s" % unit.kind.title)


func _shift_drag(start: Vector2, end: Vector2) -> void:
	await _runner.move(start)
	await _runner.press(MOUSE_BUTTON_LEFT, true)
	for step: int in 8:
		await _runner.move(start.lerp(end, (step + 1) / 8.0))
	await _runner.release(MOUSE_BUTTON_LEFT, true)


func _screen(unit: TownUnit) -> Vector2:
	return _runner.on_screen(unit, Vector2.ZERO)


func _cell_on_screen(cell: Vector2i) -> Vector2:
	return _runner.cell_on_screen(_grid, cell)
