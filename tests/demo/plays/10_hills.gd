extends RefCounted
## Uses the scene as a player would, and compares every figure and word that it shows with where
## people and units are, to the last one at rest.

const DemoChecks := preload("../demo_checks.gd")
const DemoPlayer := preload("../demo_player.gd")

## How fast time runs while nothing is looked at but whether all come to rest.
const HURRY := 8
## A body stands on the ground, within so many metres.
const ON_GROUND := 0.02
## A step's walk, in metres.
const DRAWN_OFF := 0.15
## All that share a place rest within so many metres of it.
const ROOM := 26.0
## Of 3,000 that rest so many pairs may lie over each other.
const OVERLAPS_MAX := 15

var _runner: DemoPlayer
var _checks: DemoChecks
var _scene: Node3D
var _grid: PathForgeGrid
var _space: PathForgeSpace3D
var _crowd: PathForgeCrowd
var _people: HillsPeople
var _units: HillsUnits
var _pointer: HillsPointer
var _marks: HillsMarks
var _panel: HillsPanel
var _camera: DemoOrbit


func play(runner: DemoPlayer) -> void:
	_runner = runner
	_checks = DemoChecks.new(runner)
	_scene = runner.scene()
	_grid = _scene.get("grid")
	_space = _scene.get("space")
	_crowd = _scene.get("crowd")
	_people = _scene.get("people")
	_units = _scene.get("units")
	_pointer = _scene.get("pointer")
	_marks = _scene.get("marks")
	_panel = _scene.get("panel")
	_camera = _scene.get_node(^"Orbit")
	_places_are_built()
	await _life()
	await _look()
	await _selection()
	await _gate()
	await _tower()
	await _why_not()
	await _rest()


## Something stands or grows at each place: none is bare grass.
func _places_are_built() -> void:
	for title: String in HillsLand.PLACES:
		var place: Vector2i = HillsLand.PLACES[title]
		var near := HillsSites.closed().filter(
			func(cells: Rect2i) -> bool: return cells.grow(14).has_point(place)
		)
		_runner.check(not near.is_empty(), "something is built at %s" % title)
		_runner.check(_grid.can_stand(place), "people can stand at %s" % title)
	var bay := 0
	for y: int in HillsLand.SIZE.y:
		bay += int(_space.get_height(Vector2i(HillsLand.SIZE.x - 1, y)) < HillsLand.WATER)
	_runner.check(bay > 20, "the harbour has water: %d m" % bay)


func _life() -> void:
	await _runner.seconds(2.5)
	await _runner.screenshot("far")
	await _checks.tools(_scene.find_child("Tools", true, false) as DemoTools)
	await _runner.wheel(_cell(Vector2i(78, 62)), MOUSE_BUTTON_WHEEL_UP, 4)
	await _runner.seconds(1.0)
	await _runner.screenshot()
	await _runner.key(KEY_HOME)
	_figures_are_true("at the start")
	_runner.check(_panel.number("On the way") > 2000, "people are on the way")
	_on_the_ground("at the start")


## The wheel comes nearer to what is under the pointer, a drag turns, and Home goes back.
func _look() -> void:
	var spot := Vector2(420, 330)
	var before := _camera.ground_at(spot)
	var away := _camera.distance
	await _runner.wheel(spot, MOUSE_BUTTON_WHEEL_UP, 9)
	_runner.check(_camera.distance < away * 0.4, "the wheel comes nearer")
	var strayed := _camera.ground_at(spot).distance_to(before)
	_runner.check(strayed < 3.0, "what is under the pointer stays there, within %.1f m" % strayed)
	await _runner.screenshot("near")
	var turn := _camera.turn
	await _runner.drag(spot, spot + Vector2(200, -40), MOUSE_BUTTON_MIDDLE)
	_runner.check(absf(_camera.turn - turn) > 0.8, "a drag with the middle button turns")
	await _runner.screenshot("turned")
	var apart := Vector2(40, 0)
	var near := _camera.distance
	await _runner.drag_fingers([spot - apart, spot + apart], [spot - apart * 3, spot + apart * 3])
	_runner.check(_camera.distance < near * 0.7, "two fingers come nearer")
	await _runner.key(KEY_HOME)
	_runner.check(is_equal_approx(_camera.distance, away), "Home shows the whole map")
	await _runner.wheel(_cell(Vector2i(66, 56)), MOUSE_BUTTON_WHEEL_UP, 6)


## A click, keys and a box select units, and a right click sends them.
func _selection() -> void:
	await _runner.click(_cell(Vector2i(60, 54)), MOUSE_BUTTON_RIGHT)
	_checks.told("Select units first", "an order to none")
	var rider := _units.all[4]
	await _runner.click(_on_screen(rider))
	_runner.check(_pointer.selected == [rider], "a click selects one unit")
	await _runner.frames(2)
	_runner.check(rider.title() in _panel.lines(), "the panel names it")
	await _runner.key(KEY_3)
	_runner.check(_pointer.selected.size() == 3, "3 selects the giants")
	var corner := _on_screen(rider).min(_on_screen(_units.all[5])) - Vector2(14, 20)
	var far := _on_screen(rider).max(_on_screen(_units.all[5])) + Vector2(14, 20)
	await _runner.drag(corner, far)
	_runner.check(rider in _pointer.selected, "a box selects what stands in it")
	for unit: HillsUnit in _pointer.selected:
		var at := _camera.unproject_position(unit.global_position)
		_runner.check(Rect2(corner, far - corner).has_point(at), "and nothing else")
	await _runner.click(_cell(Vector2i(70, 56)), MOUSE_BUTTON_RIGHT)
	await _runner.seconds(0.5)
	await _runner.screenshot("order")
	_runner.check("m to go" in _panel.lines(), "they are under way: %s" % _panel.lines())
	await _units_rest(_pointer.selected, "after an order")
	_runner.check("is there" in _panel.lines(), "they are there: %s" % _panel.lines())


## With the tool a click shuts a gate: its cells are closed at once, and its grating falls on no
## body.
func _gate() -> void:
	var gate := _pointer.gates[1]
	var is_used := func() -> bool: return not _units.is_clear(gate.cells)
	await _runner.wait_until(is_used, "people are in the gateway")
	var at := _camera.unproject_position(gate.position + Vector3.UP * 3.3)
	await _runner.click(at)
	_runner.check(gate.is_open, "without the tool a click works no gate")
	await _runner.key(KEY_D)
	await _runner.click(_cell(HillsLand.SQUARE.get_center()))
	_checks.told("There is no gate", "a click of the tool on the square")
	await _runner.click(at)
	_runner.check(not gate.is_open, "a click shuts the gate")
	_runner.check(_grid.is_point_solid(gate.cells.position), "its cells are closed")
	var is_shut := func() -> bool: return gate.is_down()
	await _runner.wait_until(is_shut, "the gateway is clear, and the grating falls")
	_runner.check(_units.is_clear(gate.cells), "on no body")
	await _runner.seconds(1.5)
	_runner.check(_units.is_clear(gate.cells), "and none comes through")
	await _runner.screenshot("gate_shut")
	await _runner.click(at)
	_runner.check(gate.is_open, "another click opens it")


## The tool builds a tower, which rises where no body is, and takes it away.
func _tower() -> void:
	var towers: Array[HillsTower] = _scene.get("towers")
	var before := towers.size()
	await _runner.key(KEY_T)
	var site := _cell(_person_in_the_square())
	await _runner.click(site)
	_runner.check(towers.size() == before + 1, "a click builds a tower")
	var tower: HillsTower = towers.back()
	var cells := tower.cells
	_runner.check(_grid.is_point_solid(cells.get_center()), "its site is closed")
	await _runner.wait_until(tower.is_rising, "its walls rise")
	_runner.check(_units.is_clear(cells), "on no body")
	await _runner.wait_until(tower.is_up, "up to its roof")
	_runner.check(_units.is_clear(cells), "and none comes in")
	await _runner.screenshot("tower")
	await _runner.click(site)
	_runner.check(towers.size() == before, "a click takes it away")
	_runner.check(_grid.can_stand(cells.position), "and its site is open")
	await _runner.click(_cell(HillsLand.GATES[1].get_center()))
	_checks.told("3×3 free cells", "a tower in a gate")
	await _runner.key(KEY_ESCAPE)
	await _runner.key(KEY_HOME)


## Where one of the people is, with room for a tower.
func _person_in_the_square() -> Vector2i:
	var square := Rect2(HillsLand.SQUARE)
	for id: int in _crowd.find_agents_in_rect(Rect2(square.get_center(), square.size * 0.4)):
		var cell := _grid.local_to_cell(_crowd.get_agent_position(id))
		var site := PathForgeProfile.new()
		site.footprint = Vector2i.ONE * HillsTower.SIDE
		if _people.has(id) and _grid.can_stand(cell - Vector2i.ONE, site):
			return cell
	return Vector2i(66, 51)


## Units that are sent onto hills too steep to climb come near, and the panel says of all of them
## that it is too steep, where, and how much.
func _why_not() -> void:
	for peak: Vector4 in HillsLand.PEAKS.slice(0, 2):
		await _runner.key(KEY_3)
		await _to_a_peak(_units.of_kind(&"Giant"), peak)
	await _runner.key(KEY_A)
	await _to_a_peak(_units.all, HillsLand.PEAKS[0])
	await _runner.screenshot("why_not")
	await _runner.click(_cell(Vector2i(120, 60)), MOUSE_BUTTON_RIGHT)
	var is_fine := func() -> bool: return _panel.why().is_empty() and not _marks.is_shown()
	await _runner.wait_until(is_fine, "another goal, and nothing is said any more")


func _has_path(unit: HillsUnit, cell: Vector2i) -> bool:
	var mode := PathForgeGrid.GOAL_COVER
	return _grid.find_path(unit.stand(), cell, unit.profile, mode).is_complete()


func _to_a_peak(units: Array[HillsUnit], peak: Vector4) -> void:
	var top := Vector2i(int(peak.x), int(peak.y))
	await _runner.click(_cell(top), MOUSE_BUTTON_RIGHT)
	var barred := units.filter(func(unit: HillsUnit) -> bool: return not _has_path(unit, unit.wish))
	var are_refused := func() -> bool:
		return barred.all(func(unit: HillsUnit) -> bool: return unit.refusal != null)
	await _runner.wait_until(are_refused, "they know that there is no path to %s" % top)
	await _runner.seconds(0.5)
	var why := _panel.why()
	_runner.check("Too steep" in why, "the panel says why not to %s: %s" % [top, why])
	for unit: HillsUnit in units:
		if unit.kind == &"Giant":
			_runner.check(unit.title() in why, "and of which: %s" % why)
	var degrees := why.get_slice("steep: ", 1).to_int()
	_runner.check(degrees > HillsLand.STEEP_DEGREES, "it is steeper than the limit: %s" % why)
	_runner.check(_panel.is_why_whole(), "all of it can be read: %s" % why)
	var off := _marks.pinned()[0].distance_to(_space.cell_to_global(units[0].wish))
	_runner.check(_marks.is_shown() and off < 0.1, "a pin stands where they were sent")
	await _checks.has_room("while it says: %s" % why)


## With S all rest at the nearest place, and with S they go on.
func _rest() -> void:
	await _runner.key(KEY_S)
	_runner.check(_panel.stream.button_pressed, "S lets them rest")
	_runner.hurry(HURRY)
	await _runner.wait_for_progress(_all_rest, _resting, "all people come to rest")
	await _units_rest(_units.all, "at the end")
	_runner.hurry(1)
	await _runner.frames(3)
	_figures_are_true("at rest")
	_on_the_ground("at rest")
	_at_their_places()
	await _runner.screenshot("rest")
	await _runner.key(KEY_S)
	await _runner.seconds(1.0)
	_runner.check(_panel.number("On the way") > 1500, "with S they go on")
	_figures_are_true("when they go on")


func _resting() -> float:
	var counts := _panel.people_counts()
	return (
		counts[PathForgeCrowd.STATE_ARRIVED]
		+ counts[PathForgeCrowd.STATE_BLOCKED]
		+ counts[PathForgeCrowd.STATE_STUCK]
	)


func _all_rest() -> bool:
	return _resting() >= HillsPeople.COUNT


## Waits for units, and compares what is said of each with where it is.
func _units_rest(units: Array[HillsUnit], when: String) -> void:
	var are_resting := func() -> bool:
		return units.all(func(unit: HillsUnit) -> bool: return unit.is_at_rest())
	var so_far := func() -> float:
		return -units.reduce(
			func(sum: float, unit: HillsUnit) -> float: return sum + unit.metres_left(), 0.0
		)
	await _runner.wait_for_progress(are_resting, so_far, "units rest %s" % when)
	await _runner.frames(2)
	for unit: HillsUnit in units:
		var away := 0.0
		if unit.wish != Vector2i.MIN:
			var goal := _space.cell_to_global(unit.wish)
			away = Vector2(goal.x, goal.z).distance_to(unit.body().get_center())
		var what := "%s %s, %.1f m from its goal, %s" % [unit.title(), unit.activity(), away, when]
		if unit.activity() == "is there":
			_runner.check(away < HillsUnit.FAR + unit.side(), what)
		_runner.check(_grid.can_stand(unit.stand(), unit.profile), what)


## Figures add up, and count what the crowd's agents do and where they were sent.
func _figures_are_true(when: String) -> void:
	var places := PackedStringArray(HillsLand.PLACES.keys())
	_checks.sums_up(_panel, places, HillsPeople.COUNT, when)
	_checks.sums_up(_panel, HillsPanel.STATES, HillsPeople.COUNT, when)
	var counted: PackedInt32Array = [0, 0, 0, 0, 0, 0]
	for id: int in _crowd.get_ids():
		if _people.has(id):
			counted[_people.place_of(id)] += 1
	_runner.check(counted == _people.bound_for, "%s go to places, not %s" % [counted, when])


## People are drawn where they are, and all bodies stand on the ground, outside of walls.
func _on_the_ground(when: String) -> void:
	var positions := _crowd.get_positions()
	var ids := _crowd.get_ids()
	var inside := 0
	for place: int in ids.size():
		var cell := _grid.local_to_cell(positions[place])
		inside += int(_people.has(ids[place]) and _grid.is_point_solid(cell))
	_are_drawn_truly(when)
	_runner.check(inside == 0, "%d people are in closed cells %s" % [inside, when])
	for unit: HillsUnit in _units.all:
		var off := unit.global_position.distance_to(_space.snap_to_ground(unit.global_position))
		_runner.check(off < ON_GROUND, "%s is %.2f m off the ground %s" % [unit.title(), off, when])


## Each that is drawn stands on the ground where one of the people is, in the colour of the place to
## which that one goes.
func _are_drawn_truly(when: String) -> void:
	if DisplayServer.get_name() == "headless":
		return  # There a MultiMesh keeps nothing.
	var drawn := _people.multimesh
	var met: Dictionary[int, bool] = {}
	var wrong := 0
	for place: int in drawn.visible_instance_count:
		var at := drawn.get_instance_transform(place).origin
		var id := _crowd.find_nearest_agent(Vector2(at.x, at.z), DRAWN_OFF)
		if id < 0 or not _people.has(id):
			continue
		var ground := _space.snap_to_ground(at)
		var off := drawn.get_instance_color(place) - HillsPeople.COLORS[_people.place_of(id)]
		met[id] = true
		wrong += int(
			at.distance_to(ground) > ON_GROUND or Vector3(off.r, off.g, off.b).length() > 0.02
		)
	_runner.check(met.size() > HillsPeople.COUNT * 0.99, "%d are drawn %s" % [met.size(), when])
	_runner.check(wrong == 0, "%d are drawn off the ground or in a wrong colour %s" % [wrong, when])


## Those that are told as at their place are near it, and none lies over another.
func _at_their_places() -> void:
	var positions := _crowd.get_positions()
	var ids := _crowd.get_ids()
	var resting := PackedVector2Array()
	var radii := PackedFloat32Array()
	var farthest := 0.0
	for place: int in ids.size():
		if not _people.has(ids[place]):
			continue
		resting.append(positions[place])
		radii.append(HillsPeople.RADIUS)
		if _crowd.get_state(ids[place]) == PathForgeCrowd.STATE_ARRIVED:
			var goal: Vector2i = HillsLand.PLACES.values()[_people.place_of(ids[place])]
			farthest = maxf(farthest, positions[place].distance_to(_grid.cell_to_local(goal)))
	_runner.check(farthest < ROOM, "one is told as at its place %.1f m away from it" % farthest)
	_checks.discs_apart(resting, radii, "at rest", OVERLAPS_MAX)


func _cell(cell: Vector2i) -> Vector2:
	return _camera.unproject_position(_space.cell_to_global(cell))


func _on_screen(unit: HillsUnit) -> Vector2:
	var middle := unit.global_position + Vector3.UP * unit.height * 0.4
	return _camera.unproject_position(middle)
