extends RefCounted
## Uses the scene as a player would, while [IslandWatch] looks whether every body is where it may
## be. Looks whether the legend and the reasons are what PathForge says.

const DemoChecks := preload("../demo_checks.gd")
const DemoPlayer := preload("../demo_player.gd")
const IslandWatch := preload("island_watch.gd")

## How fast time runs while nothing is looked at but whether all arrive.
const HURRY := 6
## So near to its goal, in pixels, one rests that shares it with others or made way for them.
const NEAR := 64.0

var _runner: DemoPlayer
var _grid: PathForgeGrid
var _panel: IslandPanel
var _units: Array[IslandUnit] = []
var _bridges: Array[IslandBridge] = []
var _watch: IslandWatch


func play(runner: DemoPlayer) -> void:
	_runner = runner
	var scene := runner.scene()
	_grid = scene.get_node(^"Grid")
	_panel = scene.find_child("Panel", true, false)
	_units = scene.get(&"units")
	_bridges = scene.get(&"bridges")
	_watch = IslandWatch.new(runner, _grid, _units)
	await _under_way()
	await _where_it_can_be()
	await _wide_bridge()
	await _both_bridges()
	await _boat_through()
	await _orders()
	await _reasons()
	await _tools()
	await _settle("at the end")
	await _runner.screenshot("end")
	await DemoChecks.new(_runner).look_closer(_cell(Vector2i(30, 18)))
	await _what_the_panel_says()
	_watch.end()


func _under_way() -> void:
	await _runner.seconds(2.2)
	var walking := _units.filter(func(unit: IslandUnit) -> bool: return unit.is_under_way())
	_runner.check(walking.size() >= 5, "units are under way when the scene starts")
	for unit: IslandUnit in _units:
		_runner.check(unit.why == null, "each has a path")
	await _runner.screenshot()
	await DemoChecks.new(_runner).tour(8)


## V lays the selected kind's regions over the map; a digit shows another kind's.
func _where_it_can_be() -> void:
	var reach: IslandReach = _runner.scene().get_node(^"Reach")
	await _runner.key(KEY_V)
	_runner.check(reach.kind == _selected().kind, "V shows where a hauler can be")
	_runner.check(reach.regions >= 1, "which the panel counts")
	await _runner.screenshot("reach_hauler")
	await _runner.key(KEY_2)
	_runner.check(_selected().kind.title == "Boat", "2 selects a boat")
	_runner.check(reach.regions > 1, "water is in parts: %d" % reach.regions)
	await _runner.screenshot("reach_boat")
	await _runner.click_on(_panel.kind_button(_kind("Boots")))
	_runner.check(_selected().kind.title == "Boots", "a click on the legend selects, too")
	await _runner.screenshot("reach_boots")
	await _runner.click_on(_panel.reach_button())
	_runner.check(reach.kind == null, "the button takes it away")


## Without its bridge the hauler cannot cross, and says so; boots take the footbridge.
func _wide_bridge() -> void:
	await _settle("before the bridge is blown up")
	var hauler := _unit("Hauler", 0)
	await _select(hauler)
	await _send(Vector2i(22, 9))
	await _until(
		func() -> bool: return hauler.way().size() > 1, "a right click sends the hauler back"
	)
	await _runner.seconds(0.6)
	await _use_bridge(Vector2i(31, 10))
	await _runner.screenshot("blast")
	_runner.check(not _bridges[0].stands, "with the tool a click blows the bridge up")
	await _until(func() -> bool: return hauler.why != null, "the hauler has no way")
	_runner.check("In the way is water" in hauler.refusal(), hauler.refusal())
	_runner.check("The edit of 5x4 cells" in hauler.refusal(), "which names the bridge")
	await _runner.screenshot("no_way")
	var boots := _unit("Boots", 0)
	await _select(boots)
	await _send(Vector2i(10, 9))
	await _until(
		func() -> bool: return _leads_over(boots, _bridges[1]), "boots take the footbridge"
	)
	await _runner.screenshot("footbridge")


## With neither bridge boots wade through the swamp, which costs more.
func _both_bridges() -> void:
	var boots := _selected()
	var before := boots.agent.get_current_path().cost
	await _use_bridge(_bridges[1].cells.get_center())
	await _until(func() -> bool: return not _bridges[1].stands, "so is the footbridge")
	await _until(func() -> bool: return _wades(boots), "boots have another way, through the swamp")
	_runner.check(boots.agent.get_current_path().cost > before, "which costs more")
	await _runner.screenshot("swamp")
	_runner.hurry(HURRY)
	var in_swamp := func() -> bool: return _terrain_under(boots) == IslandMap.SWAMP
	await _runner.wait_until(in_swamp, "boots come to the swamp")
	_runner.hurry(1)
	await _runner.screenshot("wading")
	await _runner.click_on(_panel.bridge_button(_bridges[0]))
	await _until(func() -> bool: return _bridges[0].stands, "a button builds the bridge again")
	var hauler := _unit("Hauler", 0)
	await _until(func() -> bool: return hauler.why == null, "and the hauler goes on")
	await _runner.screenshot("built_again")


## Where the bridges were is water: a boat goes up the river.
func _boat_through() -> void:
	var boat := _unit("Boat", 1)
	await _select(boat)
	await _send(Vector2i(28, 14))
	await _until(func() -> bool: return boat.why != null, "the bridge stops a boat")
	await _settle("before the boat goes")
	await _use_bridge(Vector2i(31, 9))
	await _until(func() -> bool: return boat.way().size() > 1, "without it, it goes through")
	var in_gap := func() -> bool: return boat.body().intersects(_area(_bridges[0].cells))
	await _runner.key(KEY_B)
	await _runner.move(_cell(Vector2i(32, 9)))
	await _runner.wait_until(in_gap, "the boat comes to where the bridge was")
	Engine.time_scale = 0.2
	await _runner.press()
	await _runner.release()
	_runner.check(not _bridges[0].stands, "nothing is built onto a boat")
	Engine.time_scale = 1.0
	await _runner.screenshot("boat")
	await _runner.wait_until(
		func() -> bool: return _bridges[0].stands, "it is built when the boat is through"
	)
	await _runner.key(KEY_ESCAPE)


## What the tools say and do; a finger selects, and sends to the ground what is selected.
func _tools() -> void:
	var tools: DemoTools = _runner.scene().find_child("Tools", true, false)
	await DemoChecks.new(_runner).tools(tools)
	var boots := _unit("Boots", 0)
	await _runner.tap(_runner.on_screen(boots, Vector2.ZERO))
	_runner.check(_all_selected() == [boots], "a tap selects")
	await _runner.tap(_cell(Vector2i(18, 12)))
	_runner.check(boots.wish == Vector2i(18, 12), "a tap on the ground sends")
	await _runner.tap(_cell(Vector2i(16, 12)), 0.7)
	_runner.check(boots.wish == Vector2i(16, 12), "and so does a finger that rests")
	_runner.check(_all_selected() == [boots], "which stays selected")


## Two of a kind sent to one cell stand side by side; the sea is no place for boots.
func _orders() -> void:
	await _select(_unit("Hover", 0))
	await _shift_click(_unit("Hover", 1))
	_runner.check(_all_selected().size() == 2, "Shift adds to what is selected")
	await _send(Vector2i(50, 18))
	await _runner.screenshot("both")
	await _settle("after both were sent to one place")
	var apart := _unit("Hover", 0).position.distance_to(_unit("Hover", 1).position)
	_runner.check(apart > _unit("Hover", 0).radius() * 1.9, "two stand side by side")
	await _runner.drag(_cell(Vector2i(46, 14)), _cell(Vector2i(54, 22)))
	_runner.check(_all_selected().size() == 2, "a drag selects what it frames")
	await _runner.key(KEY_B)
	await _runner.click(_cell(Vector2i(8, 26)))
	DemoChecks.new(_runner).told("There is no bridge", "a click of the tool on a swamp")
	await _runner.key(KEY_ESCAPE)
	await _runner.click(_cell(Vector2i(8, 26)))
	DemoChecks.new(_runner).told("Nothing is there", "a click on a swamp")
	_runner.check(_all_selected().size() == 2, "it changes nothing")
	await _send(Vector2i(49, 7))
	DemoChecks.new(_runner).told("nothing can stand there", "a click on a house")
	await _runner.screenshot("house")
	var boots := _unit("Boots", 1)
	await _select(boots)
	await _send(Vector2i(38, 35))
	DemoChecks.new(_runner).told("There is no way", "a click on the sea")
	await _until(func() -> bool: return boots.why != null, "boots cannot swim")
	_runner.check("water, which the body may not enter" in boots.refusal(), boots.refusal())
	await _runner.frames(2)
	_runner.check(_panel.state_text() == boots.refusal(), "the panel says it in the same words")
	await _runner.screenshot("at_sea")


## Of several that are refused each reason is told, of the cell that was clicked, also after a
## second and a third order.
func _reasons() -> void:
	var picked: Array[IslandUnit] = [
		_unit("Hauler", 0), _unit("Hauler", 1), _unit("Boots", 0), _unit("Boat", 0)
	]
	_runner.scene().call(&"select", picked)
	for cell: Vector2i in [Vector2i(38, 35), Vector2i(20, 27), Vector2i(3, 3)]:
		await _send(cell)
		var are_answered := func() -> bool:
			return picked.all(
				func(unit: IslandUnit) -> bool: return _is_refused(unit, cell) == (unit.why != null)
			)
		await _until(are_answered, "each knows whether there is a way to %s" % cell)
		await _runner.frames(2)
		var said := _panel.state_text()
		for unit: IslandUnit in picked:
			if _is_refused(unit, cell):
				var names_cell := str(cell) in unit.refusal() or "etween" in unit.refusal()
				_runner.check(names_cell, "it is about %s: %s" % [cell, unit.refusal()])
				var first := unit.refusal().get_slice(". ", 0)
				_runner.check(unit.kind.title in said and first in said, "%s in %s" % [first, said])
		await DemoChecks.new(_runner).has_room("while it says: %s" % said)
		await _runner.screenshot("reasons_%d" % cell.x)


func _is_refused(unit: IslandUnit, cell: Vector2i) -> bool:
	var mode := PathForgeGrid.GOAL_COVER
	return not _grid.find_path(unit.stand(), cell, unit.kind.profile, mode).is_complete()


## All are at rest and apart, and the panel says so of each, or why it is not where it was sent.
func _what_the_panel_says() -> void:
	var positions := PackedVector2Array()
	var radii := PackedFloat32Array()
	for unit: IslandUnit in _units:
		positions.append(unit.position)
		radii.append(unit.radius())
		_runner.scene().call(&"select", [unit] as Array[IslandUnit])
		await _runner.frames(2)
		var away := unit.position.distance_to(_grid.cell_to_local(unit.goal, unit.kind.profile))
		var is_there := away < NEAR or unit.why != null
		_runner.check(is_there, "a %s rests %.0f px from its goal" % [unit.kind.title, away])
		var words := "At rest" if unit.why == null else unit.refusal()
		_runner.check(_panel.state_text().begins_with(words), "the panel says: %s" % words)
		var is_along := absf(sin(unit.heading * 2.0)) < 0.1
		_runner.check(is_along, "a %s rests along its cells" % unit.kind.title)
	DemoChecks.new(_runner).discs_apart(positions, radii, "at the end")


func _until(condition: Callable, what: String) -> void:
	await _runner.wait_until(condition, what)


func _settle(when: String) -> void:
	var rest := func() -> bool:
		return not _units.any(func(unit: IslandUnit) -> bool: return unit.is_under_way())
	var nearer := func() -> float:
		var left := 0.0
		for unit: IslandUnit in _units:
			left += unit.agent.distance_to_target() if unit.is_under_way() else 0.0
		return -left
	_runner.hurry(HURRY)
	await _runner.wait_for_progress(rest, nearer, "all come to rest " + when)
	_runner.hurry(1)


func _selected() -> IslandUnit:
	return _all_selected()[0]


func _all_selected() -> Array[IslandUnit]:
	return _runner.scene().get(&"selected")


func _unit(title: String, number: int) -> IslandUnit:
	return _units.filter(func(unit: IslandUnit) -> bool: return unit.kind.title == title)[number]


func _kind(title: String) -> IslandKind:
	return _unit(title, 0).kind


func _select(unit: IslandUnit) -> void:
	await _runner.click(_runner.on_screen(unit, Vector2.ZERO))
	_runner.check(_all_selected() == [unit], "a click selects the %s" % unit.kind.title)


func _send(cell: Vector2i) -> void:
	await _runner.click(_cell(cell), MOUSE_BUTTON_RIGHT)


## With the tool in hand, which is laid aside again.
func _use_bridge(cell: Vector2i) -> void:
	await _runner.key(KEY_B)
	await _runner.click(_cell(cell))
	await _runner.key(KEY_ESCAPE)


func _shift_click(unit: IslandUnit) -> void:
	await _runner.move(_runner.on_screen(unit, Vector2.ZERO))
	await _runner.press(MOUSE_BUTTON_LEFT)
	await _runner.release(MOUSE_BUTTON_LEFT, true)


func _leads_over(unit: IslandUnit, bridge: IslandBridge) -> bool:
	var path := unit.agent.get_current_path()
	return path != null and path.cells.any(bridge.cells.has_point)


func _wades(unit: IslandUnit) -> bool:
	var path := unit.agent.get_current_path()
	return (
		path != null
		and path.cells.any(
			func(cell: Vector2i) -> bool: return _grid.get_point_terrain(cell) == IslandMap.SWAMP
		)
	)


func _terrain_under(unit: IslandUnit) -> int:
	return _grid.get_point_terrain(_grid.local_to_cell(unit.position))


func _area(cells: Rect2i) -> Rect2:
	return Rect2(Vector2(cells.position) * _grid.cell_size, Vector2(cells.size) * _grid.cell_size)


func _cell(cell: Vector2i) -> Vector2:
	return _runner.cell_on_screen(_grid, cell)
