extends "lesson_user.gd"
## What each lesson has to show: a method a lesson, named as its file without the number. It uses
## the lesson as a reader would, and checks by positions how that ends.

## A cell below the map, where the label is.
const OUTSIDE := Vector2i(10, 21)


func path() -> void:
	var unit: Node2D = _lesson.get_node(^"Unit")
	await _until(_covers.bind(unit, Vector2i(35, 3)), "the unit is at its goal")
	await _runner.screenshot()
	await _click(Vector2i(10, 10))
	await _until(_covers.bind(unit, Vector2i(10, 10)), "the unit stands where the click was")
	await _click(Vector2i(20, 1))
	await _until(_rests.bind(unit), "it is as near as it gets")
	var gap := unit.position.distance_to(_grid.cell_to_local(Vector2i(20, 1)))
	_runner.check(gap < 96.0, "which is beside the wall: %.0f px" % gap)
	await _runner.screenshot("wall")


func clearance() -> void:
	await _point(Vector2i(1, 1))
	await _runner.screenshot()
	_shows("A square body of up to 7×7 cells", "room between the wall and the edge of the map")
	await _click(Vector2i(3, 3))
	_shows("No body fits", "a wall")
	await _point(Vector2i(1, 1))
	_shows("A square body of up to 2×2 cells", "a new wall leaves less room")
	await _click(OUTSIDE)
	_shows("No body fits", "outside the map")


func terrain() -> void:
	await _runner.frames(5)
	await _runner.screenshot()
	var ends: Array[Vector2i] = []
	for line: Line2D in _lesson.get_node(^"Lines").get_children():
		ends.append(_grid.local_to_cell(line.points[-1]))
	_runner.check(ends[0] == Vector2i(35, 8), "the walker gets there over the mud")
	_runner.check(ends[1].x < 28, "the barge stays on the water: %s" % ends[1])
	_runner.check(ends[2] == Vector2i(35, 8), "the frog gets there")
	_runner.check(_label().text.contains("Frog 2"), "costs are shown: %s" % _label().text)
	_runner.check(_label().text.count("as near") == 1, "the barge gets near: %s" % _label().text)
	await _click(Vector2i(20, 5))
	_runner.check(_label().text.contains("Walker 9.4 (as near"), "water: %s" % _label().text)
	await _runner.screenshot("water")


func walker() -> void:
	var body: Node2D = _lesson.get_node(^"Walker")
	await _runner.wait_for_work(_text_begins.bind("On the way"), "it walks")
	await _runner.seconds(1.0)
	await _runner.screenshot()
	await _until(_text_begins.bind("There."), "the walker reaches its target")
	_is_at(body, Vector2i(34, 3), 34.0)
	await _click(Vector2i(26, 5))
	await _until(_text_begins.bind("The walker cannot"), "a wall is answered")
	_is_at(body, Vector2i(34, 3), 34.0)
	await _runner.screenshot("wall")
	await _click(OUTSIDE)
	await _runner.seconds(0.5)
	_shows("The walker cannot", "outside the map")
	await _click(Vector2i(22, 10))
	await _until(_text_begins.bind("There."), "the walker goes back through the gap")
	_is_at(body, Vector2i(22, 10), 34.0)
	await _click(Vector2i(24, 10), MOUSE_BUTTON_RIGHT)
	_runner.check(_grid.is_point_solid(Vector2i(24, 10)), "a right click builds")
	await _click(Vector2i(22, 10), MOUSE_BUTTON_RIGHT)
	await _runner.seconds(1.0)
	await _runner.screenshot("built_over")
	var wall := Vector2i(20, 16)
	await _runner.tap(_on_screen(wall), 0.7)
	_runner.check(_grid.is_point_solid(wall), "a finger that rests builds a wall")
	var agent: PathForgeAgent2D = _lesson.find_child("PathForgeAgent2D")
	var target := agent.target_position
	_runner.check(not _grid.global_to_cell(target) == wall, "and is no target")
	await _runner.tap(_on_screen(Vector2i(34, 18)))
	_runner.check(
		_grid.global_to_cell(agent.target_position) == Vector2i(34, 18), "a tap is a target"
	)
	await _until(_text_begins.bind("On the way"), "the tap is obeyed")


func squad() -> void:
	await _runner.seconds(3.0)
	await _runner.screenshot()
	await _until(_text_begins.bind("All nine"), "nine of nine are at their places")
	_squad_is_at(Vector2i(32, 9))
	await _runner.screenshot("arrived")
	await _click(Vector2i(20, 3))
	_shows("No unit can", "a wall")
	await _click(OUTSIDE)
	_shows("No unit can", "outside the map")
	_squad_is_at(Vector2i(32, 9))
	await _click(Vector2i(6, 9))
	_shows("Nine walkers", "an order")
	await _until(_text_begins.bind("All nine"), "nine of nine are back")
	_squad_is_at(Vector2i(6, 9))
	await _runner.screenshot("back")


func crowd() -> void:
	var swarm: PathForgeCrowd = _lesson.get_node(^"PathForgeCrowd")
	await _runner.seconds(4.0)
	await _runner.screenshot()
	var arrived := func() -> float: return swarm.get_state_counts()[PathForgeCrowd.STATE_ARRIVED]
	await _runner.wait_for_progress(_text_begins.bind("400 of 400"), arrived, "all have arrived")
	_crowd_is_at(swarm, Vector2i(60, 20), 230.0)
	await _runner.screenshot("arrived")
	await _click(Vector2i(40, 5))
	_shows("No unit can", "a wall")
	await _click(Vector2i(60, 24))
	_shows("On their way", "a new goal")
	await _runner.wait_for_progress(_text_begins.bind("400 of 400"), arrived, "all are there")
	_crowd_is_at(swarm, Vector2i(60, 24), 230.0)
	await _runner.screenshot("again")


func danger() -> void:
	await _runner.seconds(0.5)
	await _runner.screenshot()
	var scout: Line2D = _lesson.get_node(^"Scout")
	var veteran: Line2D = _lesson.get_node(^"Veteran")
	var tower: Node2D = _lesson.get_node(^"Tower")
	_runner.check(_nearest(veteran, tower) < 64.0, "the veteran passes the tower")
	_runner.check(_nearest(scout, tower) > 128.0, "the scout goes around it")
	await _runner.drag(_on_screen(Vector2i(20, 10)), _on_screen(Vector2i(20, 2)))
	await _runner.seconds(0.5)
	_runner.check(scout.points == veteran.points, "far from the path it is no danger")
	await _runner.drag_fingers([_on_screen(Vector2i(20, 2))], [_on_screen(Vector2i(20, 10))])
	_runner.check(_grid.local_to_cell(tower.position) == Vector2i(20, 10), "a finger drags it")


func flow_field() -> void:
	var field: FlowField = _grid.get_node(^"FlowField")
	await _runner.seconds(4.0)
	await _runner.screenshot()
	await _until(_unit_is_near.bind(Vector2i(37, 4)), "the first are at the goal")
	await _until(
		func() -> bool: return _extent_of(_positions()).x > 900.0, "units at the goal start again"
	)
	await _runner.screenshot("later")
	await _click(Vector2i(29, 3))
	_runner.check(field.goals == [Vector2i(37, 4)], "a wall is no goal: %s" % [field.goals])
	var before := _positions()
	await _runner.seconds(0.5)
	_runner.check(_positions() != before, "they walk on")
	await _click(Vector2i(15, 2))
	await _until(_unit_is_near.bind(Vector2i(15, 2)), "the first are at the next goal")
	await _runner.seconds(3.0)
	await _runner.screenshot("next")


func why_not() -> void:
	await _runner.frames(5)
	await _runner.screenshot()
	_runner.check(_label().text.length() > 40, "the label says why: %s" % _label().text)
	_runner.check(_label().get_global_rect().end.y <= 720.0, "the first answer is not cut off")
	await _click(Vector2i(20, 3))
	await _runner.screenshot("wall")
	_runner.check(_label().text.contains("solid"), "a wall: %s" % _label().text)
	await _click(Vector2i(32, 9))
	await _click(Vector2i(20, 8), MOUSE_BUTTON_RIGHT)
	_runner.check(not _grid.is_point_solid(Vector2i(20, 8)), "a right click opens the wall")
	_runner.check(_label().text.contains("cost"), "now it says what the path costs")
	await _runner.screenshot("opened")


func requests() -> void:
	await _runner.wait_for_work(_text_begins.bind("500 of 500"), "all requests are answered")
	await _runner.screenshot()
	await _click(Vector2i(100, 50))
	await _click(Vector2i(60, 30))
	await _runner.wait_for_work(_text_begins.bind("500 of 500"), "the last click counts")
	await _runner.frames(20)
	var paths: Array[PackedVector2Array] = _lesson.get(&"paths")
	_runner.check(paths.size() == 500, "each path once: %d" % paths.size())
	var end := _grid.cell_to_local(Vector2i(60, 30))
	var at_goal := paths.filter(func(way: PackedVector2Array) -> bool: return way[-1] == end)
	_runner.check(at_goal.size() == 500, "all lead to the last click: %d" % at_goal.size())
	await _click(Vector2i(10, 3))
	_shows("No unit can", "a wall")
	await _runner.screenshot("wall")


func huge_map() -> void:
	var fast: Line2D = _grid.get_node(^"ByClusters")
	var best: Line2D = _grid.get_node(^"ByCells")
	await _runner.wait_for_work(
		func() -> bool: return best.points.size() > 1000, "both paths are there"
	)
	await _runner.frames(2)
	await _runner.screenshot()
	_shows("By clusters, orange: cost", "figures of both searches are shown")
	var usec := func(search: String) -> int:
		return _label().text.get_slice(search, 1).get_slice(" in ", 1).to_int()
	var times := [usec.call("By clusters"), usec.call("Cell by cell")]
	_runner.check(times[0] * 2 < times[1], "clusters win: %s µs" % [times])
	await _runner.click(Vector2(1000, 300))
	for line: Line2D in [fast, best]:
		var end := line.to_global(line.points[-1])
		_runner.check(end.distance_to(Vector2(1000, 300)) < 24.0, "a click is the goal: %s" % end)
	await _runner.screenshot("goal")


func building() -> void:
	var ghost: ColorRect = _lesson.get_node(^"Ghost")
	await _click(Vector2i(12, 9))
	_runner.check(not _grid.is_point_solid(Vector2i(12, 9)), "a tower in the gap is refused")
	_shows("A tower here would cut", "a tower in the gap")
	_runner.check(ghost.color.r > 0.9, "the ghost is red there")
	await _runner.screenshot()
	await _click(Vector2i(12, 3))
	_shows("There is no room", "a tower on a wall")
	_runner.check(ghost.color.r > 0.9, "and on a wall")
	await _click(Vector2i(20, 9))
	_shows("Built", "one behind the gap")
	_runner.check(_grid.is_point_solid(Vector2i(20, 9)), "it is built")
	await _point(Vector2i(24, 9))
	_runner.check(ghost.color.r < 0.9, "where there is room the ghost is green")
	await _runner.screenshot("built")
	await _click(OUTSIDE)
	_shows("There is no room", "outside the map")


func tile_map() -> void:
	await _runner.frames(5)
	await _runner.screenshot()
	var line: Line2D = _lesson.get_node(^"Path")
	var cells := line.points.size()
	_runner.check(cells > 36, "the path leads around the walls")
	await _click(Vector2i(12, 10))
	await _runner.wait_for_work(
		func() -> bool: return not _grid.is_point_solid(Vector2i(12, 10)),
		"an erased tile opens its cell"
	)
	_runner.check(line.points.size() < cells, "and the path is shorter")
	await _click(Vector2i(37, 10))
	await _runner.wait_for_work(
		func() -> bool: return _grid.is_point_solid(Vector2i(37, 10)), "a tile shuts its cell"
	)
	_shows("The walls leave no way", "a wall on the goal")
	await _click(OUTSIDE)
	_shows("The map ends", "outside the map")


func platformer() -> void:
	var jumper: CharacterBody2D = _lesson.get_node(^"Jumper")
	await _runner.seconds(1.0)
	await _runner.screenshot()
	await _until(_stands_at.bind(jumper, Vector2i(34, 5)), "the character is on the upper ledge")
	await _click(Vector2i(3, 19))
	_shows("The character cannot", "deep in the ground")
	await _runner.screenshot("wall")
	await _click(Vector2i(5, 4))
	await _runner.seconds(1.5)
	await _click(Vector2i(16, 4))
	await _until(_stands_at.bind(jumper, Vector2i(16, 10)), "a click in the air: the ground below")
	await _click(Vector2i(5, 9))
	await _until(_stands_at.bind(jumper, Vector2i(5, 9)), "the character is on the platform")
	_shows("The boxes", "what the boxes are")


func navigation_polygons() -> void:
	await _runner.seconds(0.5)
	await _runner.screenshot()
	var line: Line2D = _lesson.get_node(^"Path")
	_runner.check(line.points.size() > 3, "the path leads around the walls")
	_runner.check(line.points[-1].distance_to(Vector2(1180, 100)) < 2.0, "and to its goal")
	_shows("The polygons", "a way through")
	for y: int in 4:
		await _click(Vector2i(12, y))
	await _runner.seconds(0.5)
	_shows("The walls leave no way", "a shut wall")
	await _runner.screenshot("shut")


func saving() -> void:
	await _runner.key(KEY_S)
	_shows("Saved", "S saves")
	var saved := _grid.state_hash()
	await _click(Vector2i(3, 3))
	_runner.check(_grid.state_hash() != saved, "a wall changes the hash")
	await _runner.key(KEY_L)
	_shows("Loaded", "L loads")
	_runner.check(_grid.state_hash() == saved, "the map is what was saved")
	await _runner.screenshot()


func doors() -> void:
	var body: Node2D = _lesson.get_node(^"Walker")
	await _runner.seconds(1.0)
	await _runner.screenshot()
	await _until(func() -> bool: return body.position.x > 1050.0, "the open door is used")
	await _click(Vector2i(30, 2))
	await _until(func() -> bool: return body.position.x < 600.0, "the lower door is used")
	_runner.check(body.position.y > 320.0, "as the upper one is shut: %s" % body.position)
	await _click(Vector2i(30, 15))
	await _runner.screenshot("shut")
	await _until(func() -> bool: return body.position.x < 200.0, "it is back")
	await _runner.seconds(2.0)
	_runner.check(body.position.x < 560.0, "shut doors hold it: %s" % body.position)
	await _click(Vector2i(30, 2))
	await _until(func() -> bool: return body.position.x > 1050.0, "an opened door is used")


func turn_based() -> void:
	var knight: Node2D = _lesson.get_node(^"Knight")
	await _runner.frames(5)
	await _runner.screenshot()
	var reach: Dictionary = _lesson.get(&"reach")
	_runner.check(reach.size() > 50 and not reach.has(Vector2i(9, 9)), "enemies are not entered")
	for refused: Vector2 in [Vector2(9.5, 9.5), Vector2(30.5, 3.5), Vector2(3.5, 21.0)]:
		await _runner.click(refused * 32.0)
		_shows("The knight does not get there", "a click on %s" % refused)
	_runner.check(_lesson.get(&"cell") == Vector2i(12, 10), "the knight stays")
	await _runner.screenshot("refused")
	await _runner.click(Vector2(15.5, 10.5) * 32.0)
	_shows("Moved", "a click on blue")
	await _runner.frames(6)
	_runner.check(knight.position != Vector2(15.5, 10.5) * 32.0, "it walks there")
	await _runner.screenshot("walking")
	await _until(
		func() -> bool: return knight.position == Vector2(15.5, 10.5) * 32.0, "the knight is there"
	)
	_runner.check(_lesson.get(&"cell") == Vector2i(15, 10), "the knight has moved")
	await _runner.frames(3)
	await _runner.screenshot("moved")


func bound_nodes() -> void:
	var swarm: PathForgeCrowd = _grid.get_node(^"PathForgeCrowd")
	var units := _lesson.get_node(^"Units").get_children()
	var rounds: Array[Vector2i] = []
	swarm.group_arrived.connect(rounds.append.unbind(2))
	await _runner.seconds(3.0)
	await _runner.screenshot()
	var first: Node2D = units[0]
	var at := swarm.get_agent_position(0)
	_runner.check(first.position.distance_to(at) < 8.0, "a node is where its agent is")
	var near := units.filter(_is_near.bind(at, 100.0)).size()
	_runner.check(near > 2, "others walk beside it: %d" % near)
	await _runner.click(_runner.on_screen(_grid, at))
	await _runner.seconds(0.25)
	await _runner.screenshot("thrown")
	var left := units.filter(_is_near.bind(at, 60.0)).size()
	_runner.check(left <= 1, "the explosion leaves nothing there: %d" % left)
	_runner.check(_label().text.contains(" thrown back"), "it says so: %s" % _label().text)
	await _until(func() -> bool: return rounds.size() >= 2, "there and back, all of them")
	_runner.check(rounds[0] != rounds[1], "to two goals: %s" % [rounds])


func march() -> void:
	var swarm: PathForgeCrowd = _grid.get_node(^"PathForgeCrowd")
	await _runner.seconds(2.5)
	await _runner.screenshot()
	await _until(_text_begins.bind("All"), "the block is there")
	_runner.check(_extent(swarm).aspect() > 0.6 and _extent(swarm).aspect() < 1.6, "as a block")
	_crowd_is_at(swarm, Vector2i(33, 9), 160.0)
	await _runner.screenshot("block")
	await _click(Vector2i(20, 2))
	_shows("No unit can", "a wall")
	await _runner.key(KEY_SPACE)
	await _click(Vector2i(6, 9))
	await _until(_text_begins.bind("All"), "the column is back")
	_runner.check(_extent(swarm).aspect() > 4.0, "as a column: %s" % _extent(swarm))
	_crowd_is_at(swarm, Vector2i(6, 9), 420.0)
	await _runner.screenshot("column")
	# To corners, and to both sides of the wall: what the label says is so.
	for cell: Vector2i in [Vector2i(22, 2), Vector2i(18, 17), Vector2i(38, 18), Vector2i(1, 1)]:
		await _click(cell)
		await _until(
			func() -> bool: return not _text_begins("On"), "told of the march to %s" % cell
		)
		_shows("All are there", "all come to %s" % cell)
		var away := Array(swarm.get_states()).filter(
			func(state: int) -> bool: return state != PathForgeCrowd.STATE_ARRIVED
		)
		_runner.check(away.is_empty(), "%d are on their way to %s" % [away.size(), cell])
		_crowd_is_at(swarm, cell, 640.0)
	await _runner.screenshot("corner")


func crowd_on_hills() -> void:
	var swarm: PathForgeCrowd = _grid.get_node(^"PathForgeCrowd")
	var space: PathForgeSpace3D = _grid.get_node(^"PathForgeSpace3D")
	var camera := _runner.viewport().get_camera_3d()
	var arrived := func() -> bool:
		return swarm.get_state_counts()[PathForgeCrowd.STATE_ARRIVED] == 300
	await _runner.seconds(5.0)
	await _runner.screenshot()
	await _until(arrived, "all are there")
	_crowd_is_at(swarm, Vector2i(34, 15), 15.0)
	var first := space.to_space(swarm.get_agent_position(swarm.get_ids()[0]))
	await _runner.click(camera.unproject_position(first + Vector3.UP * 0.6))
	_shows("Agent ", "one is picked")
	await _runner.click(camera.unproject_position(space.cell_to_global(Vector2i(25, 4))))
	await _until(arrived, "all are there, too")
	await _runner.screenshot("there")
	await _runner.click(camera.unproject_position(space.cell_to_global(Vector2i(33, 18))))
	_shows("It is too steep", "nothing stands there")


func hills() -> void:
	var unit: Node3D = _lesson.get_node(^"Unit")
	var space: PathForgeSpace3D = _grid.get_node(^"PathForgeSpace3D")
	var tank: PathForgeProfile = _lesson.get(&"tank")
	var rests := func() -> bool: return (_lesson.get(&"route") as PackedVector3Array).is_empty()
	await _runner.seconds(2.0)
	await _runner.screenshot()
	for cell: Vector2i in [Vector2i(34, 15), Vector2i(25, 4), Vector2i(20, 3)]:
		var place := space.cell_to_global(cell)
		if cell != Vector2i(34, 15):
			var camera := _runner.viewport().get_camera_3d()
			await _runner.click(camera.unproject_position(place))
		await _until(rests, "the tank has come to rest at %s" % cell)
		var at := unit.global_position
		_runner.check(at.distance_to(space.snap_to_ground(at)) < 0.01, "on the ground: %s" % at)
		_runner.check(_grid.can_stand(space.global_to_cell(at, tank), tank), "where it fits")
		await _runner.frames(2)
		if _text_begins("There"):
			_runner.check(at.distance_to(place) < 1.6, "at %s, not at %s" % [place, at])
		else:
			_shows("It is too steep", "it says why")
			_runner.check(not _grid.can_stand(cell, tank), "nothing stands at %s" % cell)
	await _runner.screenshot("there")


func grid_map() -> void:
	var unit: Node3D = _lesson.get_node(^"Unit")
	var town: GridMap = _lesson.get_node(^"Town")
	var space: PathForgeSpace3D = _grid.get_node(^"PathForgeSpace3D")
	var camera := _runner.viewport().get_camera_3d()
	var tank: PathForgeProfile = _lesson.get(&"tank")
	await _runner.seconds(2.5)
	await _runner.screenshot()
	_shows("Click: build a wall, or clear what stands there. complete", "there is a way")
	for ramp: Vector3i in [Vector3i(15, 1, 4), Vector3i(15, 1, 1)]:
		var foot := Vector3(ramp.x * 2.0 - 1.0, 1.0, ramp.z * 2.0 + 1.0)
		await _runner.click(camera.unproject_position(foot))
		var place := Vector3i(ramp.x - 1, 1, ramp.z)
		var wall := town.mesh_library.find_item_by_name("wall")
		_runner.check(town.get_cell_item(place) == wall, "a wall stands at %s" % place)
		_runner.check(_grid.is_point_solid(Vector2i(place.x, place.z) * 2), "it closes its cells")
	_runner.check(
		not _text_begins("Click: build a wall, or clear what stands there. complete"), "shut"
	)
	var foot := Vector3(29.0, 1.0, 9.0)
	await _runner.click(camera.unproject_position(foot))
	_shows("Click: build a wall, or clear what stands there. complete", "the wall is gone")
	var goal := space.cell_to_global(Vector2i(36, 8), tank)
	var is_there := func() -> bool: return unit.position.distance_to(goal) < 0.5
	await _until(is_there, "the tank is on the hill")
	_runner.check(absf(unit.position.y - 2.0) < 0.01, "two metres up: %s" % unit.position)
	await _runner.screenshot("hill")


func walker_in_3d() -> void:
	var space: PathForgeSpace3D = _grid.get_node(^"PathForgeSpace3D")
	var units: Array[Node] = _lesson.get_node(^"Units").get_children()
	var agents := units.map(func(unit: Node) -> Node: return unit.get_node(^"PathForgeAgent3D"))
	var are_there := func() -> bool:
		return agents.all(
			func(agent: PathForgeAgent3D) -> bool: return agent.is_navigation_finished()
		)
	await _runner.seconds(3.5)
	await _runner.screenshot()
	await _until(are_there, "all have come to rest")
	await _says_how_far_the_tank_is(agents[0] as PathForgeAgent3D, "rests")
	await _runner.screenshot("there")
	var camera := _runner.viewport().get_camera_3d()
	var goals: Array[Vector2i] = [Vector2i(12, 5), Vector2i(25, 4)]
	for n: int in 2:
		var button := MOUSE_BUTTON_LEFT if n == 0 else MOUSE_BUTTON_RIGHT
		await _runner.click(camera.unproject_position(space.cell_to_global(goals[n])), button)
	await _runner.frames(2)
	_runner.check(not are_there.call(), "both are on their way")
	await _says_how_far_the_tank_is(agents[0] as PathForgeAgent3D, "walks")
	await _until(are_there, "all have come to rest again")
	await _says_how_far_the_tank_is(agents[0] as PathForgeAgent3D, "rests")
	for unit: Node3D in units:
		var at := unit.position
		var goal := space.cell_to_global(goals[0 if unit == units[0] else 1])
		_runner.check(at.distance_to(space.snap_to_ground(at)) < 0.01, "on the ground: %s" % at)
		_runner.check(at.distance_to(goal) < 4.0, "%s at %s, not at %s" % [unit.name, at, goal])
		var profile: PathForgeProfile = agents[units.find(unit)].profile
		_runner.check(_grid.can_stand(space.global_to_cell(at, profile), profile), "where it fits")
	await _runner.screenshot("back")
	await _runner.click(camera.unproject_position(space.cell_to_global(Vector2i(33, 18))))
	await _runner.frames(2)
	await _until(are_there, "where it is too steep, it comes as near as it gets")
	await _says_how_far_the_tank_is(agents[0] as PathForgeAgent3D, "rests")
	await _runner.screenshot("too_steep")
	# The squad stands where the tank is sent then.
	await _runner.click(camera.unproject_position(space.cell_to_global(Vector2i(25, 4))))
	await _runner.frames(2)
	await _until(are_there, "and where others stand, beside them")
	await _says_how_far_the_tank_is(agents[0] as PathForgeAgent3D, "rests")


## By its position: what is said of the tank is so, after each order.
func _says_how_far_the_tank_is(tank: PathForgeAgent3D, does: String) -> void:
	await _runner.frames(2)
	var body: Node3D = tank.get_parent()
	var away := body.global_position.distance_to(tank.target_position)
	var said := _label().text.get_slice("The tank ", 1)
	_runner.check(said.begins_with(does), "it %s: %s" % [does, _label().text])
	var told := said.get_slice(", ", 1).to_float()
	_runner.check(absf(told - away) < 1.0, "it is %.1f m away: %s" % [away, said])


func fences() -> void:
	var unit: Node2D = _lesson.get_node(^"Unit")
	await _until(_covers.bind(unit, Vector2i(10, 9)), "it gets into the field by the gate")
	await _runner.screenshot()
	await _click(Vector2i(34, 4))
	await _until(_covers.bind(unit, Vector2i(34, 4)), "over the ledge")
	await _click(Vector2i(2, 2), MOUSE_BUTTON_RIGHT)
	_shows("Click: go there", "it is where it was to go")
	await _click(Vector2i(10, 9))
	_shows("Blocked edges are in the way, the first between (18, 9)", "the gate is shut")
	await _runner.screenshot("shut")
	await _click(Vector2i(2, 2), MOUSE_BUTTON_RIGHT)
	_shows("Click: go there", "the gate is open")
	await _until(_covers.bind(unit, Vector2i(10, 9)), "round the ledge, as it is not climbed")


func ladder() -> void:
	var hauler: Node2D = _lesson.get_node(^"Hauler")
	var anna: Node2D = _lesson.get_node(^"Anna")
	await _until(func() -> bool: return anna.scale.x < 1.0, "a small body is on the ladder")
	await _runner.screenshot()
	_runner.check(_label().text.ends_with("is on the ladder."), "which is said: %s" % _label().text)
	await _until(_covers.bind(hauler, Vector2i(32, 5)), "the large one comes round the wall")
	_runner.check(anna.position.x > 704.0, "the small one over it: %s" % anna.position)
	await _click(Vector2i(2, 2), MOUSE_BUTTON_RIGHT)
	_shows("The ladder is gone", "the ladder is taken away")
	await _click(Vector2i(6, 5))
	await _until(_covers.bind(hauler, Vector2i(6, 5)), "the large one goes back")
	await _until(func() -> bool: return anna.position.x < 576.0, "so does the small one")
	_shows("The ladder is gone", "by the same way")


func portal() -> void:
	var crowd: PathForgeCrowd = _lesson.get_node(^"PathForgeCrowd")
	await _until(_text_begins.bind("20 of 60"), "agents go through the portal")
	await _runner.screenshot()
	var are_over := func() -> bool:
		for position: Vector2 in crowd.get_positions():
			if position.x < 960.0:
				return false
		return true
	await _until(are_over, "all are over")
	_shows("60 of 60 went through", "each by the portal")
	await _click(Vector2i(2, 2), MOUSE_BUTTON_RIGHT)
	_shows("The portal is shut", "it is shut")
	await _click(Vector2i(4, 14))
	var are_back := func() -> bool:
		for position: Vector2 in crowd.get_positions():
			if position.x > 320.0:
				return false
		return true
	await _until(are_back, "all walk back")
	_shows("A new goal. The portal is shut.", "and none went through")


func stairs() -> void:
	var upper: PathForgeSpace3D = _grid.get_node(^"Upper")
	var units: Array[Node] = _lesson.get_node(^"Units").get_children()
	var are_at := func(height: float) -> bool:
		return units.all(func(unit: Node3D) -> bool: return absf(unit.position.y - height) < 0.02)
	var is_on_stairs := func() -> bool:
		return units.any(
			func(unit: Node3D) -> bool: return unit.position.y > 1.0 and unit.position.y < 3.0
		)
	await _until(is_on_stairs, "they climb the stairs")
	await _runner.screenshot()
	await _until(are_at.bind(4.0), "all are upstairs")
	await _runner.seconds(3.0)
	for unit: Node3D in units:
		_runner.check(
			unit.position.distance_to(upper.cell_to_global(Vector2i(37, 3))) < 4.0, "there"
		)
	var camera := _runner.viewport().get_camera_3d()
	await _runner.click(camera.unproject_position(Vector3(3.5, 0.0, 9.5)))
	_shows("Click on a floor: all go there. Now to the lower floor", "a click on the lower floor")
	await _until(are_at.bind(0.0), "all are downstairs")
	await _runner.click(Vector2(40, 300), MOUSE_BUTTON_RIGHT)
	_shows("The stairs are shut", "no agent comes up any more")
	await _runner.click(camera.unproject_position(Vector3(33.5, 4.0, 3.5)))
	await _runner.seconds(5.0)
	_runner.check(are_at.call(0.0), "they stay below")
	await _runner.click(Vector2(40, 300), MOUSE_BUTTON_RIGHT)
	_shows("The stairs are open", "open again")
	await _until(are_at.bind(4.0), "and they come up by themselves")
