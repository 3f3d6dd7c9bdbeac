extends RefCounted
## Looks at the map from far and near, lets all ask at once, by both engines, builds on the path of
## a traveller, blows a hole into a mountain and lets a bridge fall.

const DemoChecks := preload("../demo_checks.gd")
const DemoPlayer := preload("../demo_player.gd")

var _runner: DemoPlayer
var _grid: PathForgeGrid
var _camera: WorldCamera
var _panel: WorldPanel
var _edits: WorldEdits
var _travellers: WorldTravellers
var _meter: RequestMeter


func play(runner: DemoPlayer) -> void:
	_runner = runner
	var scene := runner.scene()
	await runner.seconds(0.7)
	await runner.screenshot("loading")
	_panel = scene.find_child("Panel", true, false)
	runner.check(_panel.burst.disabled, "no path can be asked for before the map is made")
	await runner.click(Vector2(400, 300))
	_told("still being made", "a click while it is")
	var is_there := func() -> bool: return scene.get(&"grid") != null
	await runner.wait_for_work(is_there, "the map is made")
	await DemoChecks.new(runner).tools(scene.find_child("Tools", true, false) as DemoTools)
	_grid = scene.get(&"grid")
	_camera = scene.get_node(^"Camera")
	_edits = scene.get_node(^"Edits")
	_travellers = scene.get_node(^"Travellers")
	_meter = scene.get_node(^"Meter")
	await _first_answers()
	await _all_at_once()
	await _on_and_on()
	await _flat()
	await _look_around()
	await _order()
	await _wall()
	await _hole()
	await _bridge()
	await _refused()
	await _check_all()


func _first_answers() -> void:
	_runner.check(_grid.region.size == Vector2i(4096, 4096), "4096² cells")
	_runner.check(_travellers.travellers.size() == 100, "a hundred travellers")
	await _wait_for_all("the first hundred answers")
	_runner.check(_meter.refused == 0, "every town can be reached")
	await _runner.seconds(2.0)
	await _runner.screenshot()


func _all_at_once() -> void:
	var before := _travellers.travellers[0].goal
	await _runner.key(KEY_SPACE)
	_runner.check(_travellers.travellers[0].goal != before, "all have another goal")
	await _wait_for_all("a hundred answers")
	_runner.check(_meter.mean_cells > 1000.0, "which are long ways")
	await _times_agree("after all have asked at once")


func _on_and_on() -> void:
	await _runner.click(_panel.asking.get_global_rect().get_center())
	var many := func() -> bool: return _meter.answers > 110
	await _runner.wait_for_work(many, "they ask on and on")
	await _runner.click(_panel.asking.get_global_rect().get_center())
	await _times_agree("while they ask on and on")
	await _quiet("and stop")


func _flat() -> void:
	await _runner.key(KEY_F)
	_runner.check(_panel.engines[1].button_pressed, "F switches to the flat engine")
	var some := func() -> bool: return _meter.answered > 0
	await _runner.wait_for_work(some, "which answers too")
	await _runner.seconds(1.0)
	await _runner.screenshot("flat")
	await _runner.click(_panel.engines[0].get_global_rect().get_center())
	_runner.check(not _panel.engines[1].button_pressed, "a click switches back")
	await _wait_for_all("clusters answer after the flat engine")
	await _times_agree("after both engines")


func _look_around() -> void:
	var zoom := _camera.zoom.x
	var middle := Vector2(500, 380)
	await _runner.wheel(middle, MOUSE_BUTTON_WHEEL_UP, 6)
	_runner.check(_camera.zoom.x > zoom * 4.0, "the wheel comes near")
	await _runner.seconds(0.5)
	await _runner.screenshot("near")
	var before := _camera.position
	await _runner.drag(middle, middle + Vector2(120, 40))
	_runner.check(_camera.position.x < before.x - 50.0, "a drag moves the map")
	before = _camera.position
	await _runner.hold_key(KEY_D, 0.3)
	_runner.check(_camera.position.x > before.x, "and so does D")
	var traveller := _travellers.travellers[0]
	var small := _panel.mini_map.get_global_rect()
	var part := traveller.place / WorldMaker.SIDE
	await _runner.click(small.position + small.size * part)
	_runner.check(_camera.seen().has_point(traveller.place), "a click on the small map goes there")
	await _runner.click(_on_screen(traveller.place))
	_runner.check(_travellers.chosen != null, "a click follows a traveller")
	await _runner.wheel(_on_screen(traveller.place), MOUSE_BUTTON_WHEEL_UP, 9)
	await _runner.seconds(1.5)
	_runner.check(_camera.seen().has_point(_travellers.chosen.place), "who stays in view")
	await _runner.screenshot("cells")


## A right click sends the traveller that is followed; to the sea it says why not.
func _order() -> void:
	var traveller := _travellers.chosen
	if traveller == null:
		return
	await _runner.key(KEY_HOME)
	await _runner.click(_on_screen(Vector2i(40, 40)), MOUSE_BUTTON_RIGHT)
	_told("cannot stand there", "an order into the sea")
	var town := _travellers.towns[0]
	if Vector2(town).distance_to(traveller.place) < 200.0:
		town = _travellers.towns[1]
	await _runner.click(_on_screen(town), MOUSE_BUTTON_RIGHT)
	var away := _grid.cell_to_local(traveller.goal).distance_to(town)
	_runner.check(away * _camera.zoom.x < 4.0, "it goes where the click was, %.0f cells off" % away)
	await _quiet("it has its way")
	_runner.check(not traveller.way.is_empty(), "there is a way")
	await _runner.screenshot("order")


## Requests are a part of all work, in whatever frames they were made.
func _times_agree(when: String) -> void:
	await _runner.seconds(0.5)
	var requests := _msec_of(WorldPanel.REQUESTS)
	var most := _msec_of(WorldPanel.MOST_REQUESTS)
	var all := _msec_of(WorldPanel.ALL_WORK)
	var are_ordered := most <= requests and requests <= all and all > 0.0
	_runner.check(are_ordered, "%.2f ≤ %.2f ≤ %.2f ms %s" % [most, requests, all, when])


func _msec_of(title: String) -> float:
	return _panel.figures.figure(title).replace(",", "").to_float()


## A wall right across the way of the one that is followed.
func _wall() -> void:
	var traveller := _travellers.chosen
	if traveller == null:
		return
	await _quiet("all have their ways")
	await _runner.key(KEY_HOME)
	await _runner.wheel(_on_screen(traveller.place), MOUSE_BUTTON_WHEEL_UP, 5)
	var place := PackedVector2Array()
	for other: Traveller in [traveller] + _travellers.travellers:
		place = _for_a_wall(other)
		if not place.is_empty():
			break
	_runner.check(not place.is_empty(), "a traveller has open ground ahead")
	if place.is_empty():
		return
	var ahead := place[0]
	var across := place[1]
	# Not under a panel.
	_camera.jump_to(ahead)
	await _runner.frames(2)
	var repaths := _travellers.repaths
	var start := _on_screen(ahead - across)
	await _runner.key(KEY_B)
	await _runner.drag(start, _on_screen(ahead + across), MOUSE_BUTTON_LEFT, 8)
	_runner.check(_grid.is_point_solid(Vector2i(ahead)), "with the tool a drag builds a wall")
	_runner.check(_travellers.repaths > repaths, "whose way is touched asks again")
	await _quiet("and gets an answer")
	_check_ways()
	await _times_agree("after edits")
	await _runner.screenshot("wall")


## A place on the way of [param traveller] where a wall can stand, and how far it goes to either
## side; or nothing.
func _for_a_wall(traveller: Traveller) -> PackedVector2Array:
	for distance: int in range(200, 600, 20):
		var ahead := _ahead(traveller, distance)
		var across := (_ahead(traveller, distance + 9.0) - ahead).normalized().orthogonal() * 70.0
		if across == Vector2.ZERO or _is_over_a_town(ahead - across, ahead + across):
			continue
		if _is_for_a_wall(ahead) and _is_for_a_wall(ahead - across):
			return [ahead, across]
	return []


## A wall over a town would shut off all who go there.
func _is_over_a_town(from: Vector2, to: Vector2) -> bool:
	for town: Vector2i in _travellers.towns:
		var nearest := Geometry2D.get_closest_point_to_segment(town, from, to)
		if nearest.distance_to(town) < 20.0:
			return true
	return false


func _is_for_a_wall(spot: Vector2) -> bool:
	var cell := Vector2i(spot)
	var is_water := _grid.get_point_terrain(cell) == WorldMaker.Terrain.WATER
	return not is_water and _edits.tool_for(cell) == WorldEdits.Tool.WALL


## Where a traveller will be after so many cells, unless the path ends before.
func _ahead(traveller: Traveller, distance: float) -> Vector2:
	var from := traveller.place
	for at: int in range(traveller.next, traveller.way.size()):
		var length := from.distance_to(traveller.way[at])
		if length >= distance:
			return from.move_toward(traveller.way[at], distance)
		distance -= length
		from = traveller.way[at]
	return from


func _hole() -> void:
	var rock := _find(func(cell: Vector2i) -> bool: return _grid.is_point_solid(cell))
	_camera.jump_to(rock, 3.0)
	await _runner.key(KEY_B)
	await _runner.click(_on_screen(rock))
	_runner.check(not _grid.is_point_solid(rock), "a click blows a hole into rock")


func _bridge() -> void:
	var bridge := _find(_edits.is_bridge)
	_camera.jump_to(bridge, 5.0)
	await _runner.seconds(0.5)
	await _runner.screenshot("bridge")
	await _runner.click(_on_screen(bridge))
	await _runner.frames(4)
	await _runner.screenshot("fall")
	_runner.check(
		_grid.get_point_terrain(bridge) == WorldMaker.Terrain.WATER, "a bridge falls into the river"
	)
	await _quiet("who wanted to cross it goes around")
	_check_ways()


## What cannot be done is told in words.
func _refused() -> void:
	await _runner.key(KEY_HOME)
	await _runner.frames(2)
	var sea := Vector2i(40, 40)
	_travellers.choose(null)
	await _runner.click(_on_screen(sea))
	_told("built on water", "a wall in the sea")
	await _runner.screenshot("refused")
	await _runner.click(_on_screen(Vector2i(-200, 2000)))
	_told("The map ends here", "a wall beside the map")
	await _runner.key(KEY_ESCAPE)
	await _runner.click(_on_screen(sea))
	_told("No traveller is there", "a click on the sea")
	await _runner.click(_on_screen(sea), MOUSE_BUTTON_RIGHT)
	_told("Choose a traveller first", "an order to none")


func _told(words: String, when: String) -> void:
	DemoChecks.new(_runner).told(words, when)


## All ways are open when all is answered, and the panel says what the meter counted.
func _check_all() -> void:
	await _quiet("all have their ways in the end")
	_check_ways()
	await _runner.seconds(0.4)
	var cells := _panel.figures.number("Cells a path")
	_runner.check(absf(cells - _meter.mean_cells) < 100.0, "the panel says how long ways are")
	# A wall can shut a traveller in, or off from a town; then the panel says so.
	var said := _panel.figures.figure("All answered")
	var count := "%d refused" % _meter.refused
	_runner.check(said.ends_with(count) or _meter.refused == 0, "the panel says: %s" % count)
	var why := "%d were refused, the last one so: %s" % [_meter.refused, _meter.last_refusal]
	_runner.check(_meter.refused <= 5, why)
	_are_where_they_were_sent()
	for strip: int in _travellers.travellers.size():
		var is_drawn := (
			(_travellers.get_node(^"Ways").get_child(strip) as TravellerWay).mesh != null
		)
		var has_way := not _travellers.travellers[strip].way.is_empty()
		_runner.check(has_way or not is_drawn, "who is refused has no way on the map")


## By position: a traveller at the end of its way is in the town that it went to.
func _are_where_they_were_sent() -> void:
	for traveller: Traveller in _travellers.travellers:
		# Whose rest is over has another town already, and asks for the way in the next frame.
		var rests := traveller.has_arrived() and traveller.ticket == 0 and traveller.rest_s >= 0.0
		if rests and not traveller.way.is_empty():
			var goal := _grid.cell_to_local(traveller.goal, traveller.kind.profile)
			var away := traveller.place.distance_to(goal)
			_runner.check(away < 1.0, "a traveller rests %.1f cells from its town" % away)


## No path leads over a cell that is closed.
func _check_ways() -> void:
	for traveller: Traveller in _travellers.travellers:
		var profile := traveller.kind.profile
		for at: int in range(traveller.next, traveller.way.size()):
			var corner := traveller.way[at] - Vector2.ONE * (traveller.kind.side - 1) * 0.5
			var cell := _grid.local_to_cell(corner)
			if not _grid.can_stand(cell, profile):
				_runner.check(false, "the way of %s is open at %s" % [profile.footprint, cell])
				return


## The first cell from the middle of the map outwards for which that holds.
func _find(holds: Callable) -> Vector2i:
	for ring: int in range(0, 1500, 2):
		for step: int in range(-ring, ring + 1, 2):
			for side: Vector2i in [Vector2i(step, ring), Vector2i(ring, step)]:
				var cell := Vector2i(2048, 2048) + side
				if holds.call(cell):
					return cell
	return Vector2i(2048, 2048)


func _wait_for_all(what: String) -> void:
	var are_all := func() -> bool: return _meter.last_msec >= 0.0
	await _runner.wait_for_work(are_all, what)


## Waits until every request is answered.
func _quiet(what: String) -> void:
	var is_quiet := func() -> bool:
		return Performance.get_custom_monitor(&"PathForge/Open requests") == 0.0
	await _runner.wait_for_work(is_quiet, what)


func _on_screen(point: Vector2) -> Vector2:
	return _runner.on_screen(_grid, point)
