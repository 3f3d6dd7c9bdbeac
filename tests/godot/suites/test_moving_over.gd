extends TestSuite
## The pages on moving over from NavigationAgent2D and NavigationAgent3D. Each member of Godot's
## classes has a row, and what a row names exists. Members of the same name are compared by two
## bodies side by side, one with each agent.

const PAGES: Dictionary[String, String] = {
	"2D": "../../docs/moving_from_navigationagent2d.md",
	"3D": "../../docs/moving_from_navigationagent3d.md",
}
## What the tests below compare, by the names that rows may call the same.
const COMPARED: Array[String] = [
	"target_desired_distance",
	"path_max_distance",
	"debug_enabled",
	"get_current_navigation_path",
	"get_current_navigation_path_index",
	"get_path_length",
	"target_position",
	"is_navigation_finished",
	"avoidance_layers",
	"set_avoidance_layer_value",
	"get_avoidance_layer_value",
	"avoidance_mask",
	"set_avoidance_mask_value",
	"get_avoidance_mask_value",
]
## The Godot whose members the pages name. An older one has fewer, and a newer one may have more.
const PAGES_ARE_OF: int = 0x040600
## Values of rows that are no members.
const WORDS: Array[String] = [
	"true",
	"false",
	"null",
	"details",
	"position",
	"index",
	"speed",
	"use_collision",
	"link_entry_position",
	"link_exit_position",
	"link_id",
	"type",
	"rid",
]


## A body with one of both agents, and what its signals have told.
class Walker:
	extends RefCounted
	var body: Node
	var agent: Node
	var told: Array[String] = []

	func _init(dimensions: String, class_of_it: String) -> void:
		body = ClassDB.instantiate("Node" + dimensions)
		agent = ClassDB.instantiate(class_of_it + dimensions)
		agent.set("avoidance_enabled", false)
		body.add_child(agent)
		for one: String in ["path_changed", "target_reached", "navigation_finished"]:
			agent.connect(one, _tell.bind(one))
		agent.connect("waypoint_reached", _tell.bind("waypoint_reached").unbind(1))

	func ask(method: String) -> Variant:
		return agent.call(method)

	func has_path() -> bool:
		ask("get_next_path_position")
		return ask("get_current_navigation_path").size() > 0

	func is_finished() -> bool:
		return ask("is_navigation_finished")

	func place() -> Variant:
		return body.get("global_position")

	func put(at: Variant) -> void:
		body.set("global_position", at)

	func send(at: Variant) -> void:
		agent.set("target_position", at)

	func step(by: float) -> void:
		# The navigation server's agent looks for its path when it is asked.
		var next: Variant = ask("get_next_path_position")
		if not is_finished():
			put(place().move_toward(next, by))

	## Signals without waypoints, each of several in a row once: a path may come in two parts.
	func heard() -> Array[String]:
		var each: Array[String] = []
		for one: String in told:
			if one != "waypoint_reached" and (each.is_empty() or each.back() != one):
				each.append(one)
		told.clear()
		return each

	func _tell(what: String) -> void:
		told.append(what)


func test_every_member_of_the_agents_has_a_row() -> void:
	for dimensions: String in PAGES:
		var of := "NavigationAgent" + dimensions
		var members := _members(of)
		check(members.size() >= 50, "%s has %d members" % [of, members.size()])
		_check_rows(dimensions, of, members)


func test_every_function_of_the_servers_has_a_row() -> void:
	for dimensions: String in PAGES:
		var of := "NavigationServer" + dimensions
		var members := _members(of)
		check(members.size() >= 130, "%s has %d members" % [of, members.size()])
		_check_rows(dimensions, of, members)


## The page may not name what is nowhere: members of the addon, of Godot, and classes.
func test_what_rows_name_is_there() -> void:
	var known: Dictionary[String, bool] = {}
	for word: String in WORDS:
		known[word] = true
	for name: String in ClassDB.get_class_list():
		known[name] = true
		if ClassDB.class_get_api_type(name) == ClassDB.API_EXTENSION or name.begins_with("Nav"):
			for member: String in _members(name, true):
				known[member] = true
			for constant: String in ClassDB.class_get_integer_constant_list(name, true):
				known[constant] = true
	for engine_class: String in ["Object", "Node", "Node2D", "Node3D", "RandomNumberGenerator"]:
		for member: String in _members(engine_class, true):
			known[member] = true
	var code := RegEx.create_from_string("`(?:\\w+\\.)?([A-Za-z_]\\w*)(?:\\(|`)")
	for dimensions: String in PAGES:
		for of: String in ["NavigationAgent", "NavigationServer"]:
			for row: Array in _rows(dimensions, of + dimensions):
				for found: RegExMatch in code.search_all(str(row[1])):
					var word := found.get_string(1)
					check(known.has(word), "%s: `%s` is there" % [row[0], word])


## A row that says no more than "the same" is held by the tests below.
func test_what_is_called_the_same_is_compared() -> void:
	for dimensions: String in PAGES:
		var count := 0
		for row: Array in _rows(dimensions, "NavigationAgent" + dimensions):
			if str(row[1]).begins_with("the same"):
				for name: String in row[0]:
					count += 1
					check(name in COMPARED, "%s: %s is compared" % [dimensions, name])
		check(count > 3, "%s: %d members are the same" % [dimensions, count])


## What a script that extended Godot's agent may have had as a name of its own.
func test_names_that_collide_are_listed() -> void:
	for dimensions: String in PAGES:
		var theirs := _members("NavigationAgent" + dimensions, true)
		var text := (
			_page(dimensions)
			. get_slice("\n## Names that your scripts may have\n", 1)
			. get_slice("\n## ", 0)
		)
		for name: String in _members("PathForgeAgent" + dimensions):
			if name not in theirs:
				check("`%s`" % name in text, "%s: %s is listed" % [dimensions, name])


func test_defaults_that_are_the_same() -> void:
	for dimensions: String in PAGES:
		var theirs: Node = ClassDB.instantiate("NavigationAgent" + dimensions)
		var ours: Node = ClassDB.instantiate("PathForgeAgent" + dimensions)
		for row: Array in _rows(dimensions, "NavigationAgent" + dimensions):
			if str(row[1]) == "the same":
				for name: String in row[0]:
					check_eq(ours.get(name), theirs.get(name), "%s.%s" % [dimensions, name])
		theirs.free()
		ours.free()


func test_layers_and_masks_are_the_same() -> void:
	for dimensions: String in PAGES:
		var sides: Array[Node] = []
		for of: String in ["NavigationAgent", "PathForgeAgent"]:
			sides.append(ClassDB.instantiate(of + dimensions))
		for of: String in ["avoidance_layer", "avoidance_mask"]:
			var property := of if of == "avoidance_mask" else "avoidance_layers"
			check_eq(sides[1].get(property), sides[0].get(property), property)
			for bits: int in [0, 6, (1 << 32) - 1]:
				for change: Array in [[1, true], [3, false], [32, false], [32, true]]:
					for side: Node in sides:
						side.set(property, bits)
						side.callv("set_%s_value" % of, change)
					check_eq(sides[1].get(property), sides[0].get(property), str(bits, change))
					for layer: int in range(1, 33):
						var values := sides.map(
							func(side: Node) -> bool: return side.call("get_%s_value" % of, layer)
						)
						check_eq(values[1], values[0], "%s %d of %d" % [of, layer, bits])
		for side: Node in sides:
			side.free()


## Before the first target, on the way, at the goal, sent on under way, and beside a wall.
func test_both_agents_side_by_side() -> void:
	for dimensions: String in PAGES:
		await _compare(dimensions)


func _compare(dimensions: String) -> void:
	var theirs := Walker.new(dimensions, "NavigationAgent")
	var ours := Walker.new(dimensions, "PathForgeAgent")
	var world := await _world(dimensions)
	ours.agent.set("goal_mode", PathForgeGrid.GOAL_NEAREST)
	ours.agent.set("grid" if dimensions == "2D" else "space", world)
	var sides: Array[Walker] = [theirs, ours]
	for side: Walker in sides:
		add(side.body)
		side.put(_at(dimensions, 2.5, 2.5))
	await physics_frames(2)
	_check_before_a_target(dimensions, theirs, ours)

	# A way without a bend, from its first step to its end.
	for side: Walker in sides:
		side.send(_at(dimensions, 12.5, 7.5))
		check_eq(side.agent.get("target_position"), _at(dimensions, 12.5, 7.5), "what was set")
		check_eq(side.is_finished(), false, "%s: under way at once" % dimensions)
	await _until(sides, func(side: Walker) -> bool: return side.has_path())
	for method: String in [
		"get_current_navigation_path",
		"get_current_navigation_path_index",
		"get_path_length",
		"get_final_position",
		"get_next_path_position",
		"distance_to_target",
		"is_target_reachable",
		"is_target_reached",
	]:
		_check_both(dimensions, "under way", method, sides)
	await _walk(dimensions, sides)
	_check_waypoints(theirs, ours)
	_check_heard(
		dimensions, sides, ["path_changed", "target_reached", "navigation_finished"], "a way"
	)
	for side: Walker in sides:
		var far: float = side.ask("distance_to_target")
		var wanted: float = side.agent.get("target_desired_distance")
		check(far <= wanted and far > wanted - _step(dimensions) * 1.5, "%s of %s" % [far, wanted])
		check_eq(side.ask("is_target_reached"), true, "%s: reached" % dimensions)
		side.put(_at(dimensions, 12.5, 7.5))
	check_near(theirs.ask("get_path_length"), ours.ask("get_path_length"), 0.01, "at the goal")
	await physics_frames(3)
	_check_heard(dimensions, sides, [], "at rest")

	# The same target again is an order, too.
	for side: Walker in sides:
		side.send(_at(dimensions, 12.5, 7.5))
	await _walk(dimensions, sides)
	for side: Walker in sides:
		var heard := side.heard()
		heard.erase("path_changed")
		check_eq(heard, ["target_reached", "navigation_finished"] as Array[String], "again")

	# Beyond the wall neither is at the target, and both end as near as they come.
	for side: Walker in sides:
		side.send(_at(dimensions, 30.5, 7.5))
	await _walk(dimensions, sides)
	_check_heard(dimensions, sides, ["path_changed", "navigation_finished"], "beyond the wall")
	for side: Walker in sides:
		check_eq(side.ask("is_target_reached"), false, "%s: not reached" % dimensions)
		check_eq(side.ask("is_target_reachable"), false, "%s: not reachable" % dimensions)

	# Sent on under way: nothing is told of the first target.
	for side: Walker in sides:
		side.send(_at(dimensions, 2.5, 2.5))
	await _walk(dimensions, sides, 15)
	for side: Walker in sides:
		side.send(_at(dimensions, 4.5, 17.5))
	await _walk(dimensions, sides)
	_check_heard(
		dimensions, sides, ["path_changed", "target_reached", "navigation_finished"], "sent on"
	)

	# A little off the path the path stays, and farther off another one comes.
	for side: Walker in sides:
		side.send(_at(dimensions, 17.5, 17.5))
	await _walk(dimensions, sides, 20)
	_check_heard(dimensions, sides, ["path_changed"], "along a side")
	for aside: float in [0.5, 1.5]:
		await _push(dimensions, sides, aside)
		await _walk(dimensions, sides, 12)
		var wanted: Array[String] = []
		if aside > 1.0:
			wanted.append("path_changed")
		_check_heard(dimensions, sides, wanted, "%s of path_max_distance aside" % aside)
	for side: Walker in sides:
		side.body.queue_free()
	await frames(2)


## Pushes both aside by a share of path_max_distance, by a cell in a frame.
func _push(dimensions: String, sides: Array[Walker], share: float) -> void:
	var is_pushed := true
	var pushed := 0.0
	while is_pushed:
		pushed += _unit(dimensions)
		is_pushed = false
		await physics_frames()
		for side: Walker in sides:
			var most: float = side.agent.get("path_max_distance")
			if pushed <= most * share:
				is_pushed = true
				side.put(side.place() - _at(dimensions, 0.0, 1.0))
				side.ask("get_next_path_position")


## Here the two differ, as the pages say.
func _check_before_a_target(dimensions: String, theirs: Walker, ours: Walker) -> void:
	var zero: Variant = _at(dimensions, 0.0, 0.0)
	for method: String in [
		"is_navigation_finished",
		"is_target_reached",
		"get_path_length",
		"get_current_navigation_path_index",
		"get_next_path_position",
	]:
		_check_both(dimensions, "before a target", method, [theirs, ours])
	check_eq(theirs.agent.get("target_position"), zero)
	check_eq(ours.agent.get("target_position"), zero)
	check_eq(theirs.ask("get_final_position"), zero)
	check_eq(ours.ask("get_final_position"), ours.place())
	check_eq(theirs.ask("distance_to_target"), theirs.place().length())
	check_eq(ours.ask("distance_to_target"), 0.0)


## The ends of a way without a bend are waypoints of Godot's agent alone, which goes on telling its
## end where it has finished.
func _check_waypoints(theirs: Walker, ours: Walker) -> void:
	check("waypoint_reached" in theirs.told, "Godot's agent tells of the ends of a way")
	check("waypoint_reached" not in ours.told, "the ends of a way are no waypoints")
	check_eq(theirs.ask("get_next_path_position"), theirs.ask("get_final_position"))
	check_eq(ours.ask("get_next_path_position"), ours.place())


func _check_both(dimensions: String, when: String, method: String, sides: Array[Walker]) -> void:
	var theirs: Variant = sides[0].ask(method)
	var ours: Variant = sides[1].ask(method)
	var is_near := str(theirs) == str(ours)
	if theirs is float:
		is_near = absf(theirs - ours) < 0.01
	check(is_near, "%s, %s: %s is %s and %s" % [dimensions, when, method, theirs, ours])


func _check_heard(
	dimensions: String, sides: Array[Walker], wanted: Array[String], when: String
) -> void:
	for side: Walker in sides:
		check_eq(side.heard(), wanted, "%s, %s: %s" % [dimensions, when, side.agent.get_class()])


## Walks until both have finished, or for some frames.
func _walk(dimensions: String, sides: Array[Walker], count := 600) -> void:
	for _frame: int in count:
		OS.delay_usec(200)
		await physics_frames()
		for side: Walker in sides:
			side.step(_step(dimensions))
		if count == 600 and sides.all(func(side: Walker) -> bool: return side.is_finished()):
			break
	await physics_frames(2)


func _until(sides: Array[Walker], holds: Callable) -> void:
	await wait_until(func() -> bool: return sides.all(holds))


## A floor of twenty by twenty cells for both, with nothing beyond.
func _world(dimensions: String) -> Node:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 40, 20)
	grid.fill_solid_region(Rect2i(20, 0, 20, 20))
	add(grid)
	if dimensions == "2D":
		var floor_2d := NavigationRegion2D.new()
		var polygon := NavigationPolygon.new()
		polygon.vertices = [Vector2(), Vector2(320, 0), Vector2(320, 320), Vector2(0, 320)]
		polygon.add_polygon([0, 1, 2, 3])
		floor_2d.navigation_polygon = polygon
		add(floor_2d)
		var map_2d := floor_2d.get_navigation_map()
		await wait_until(
			func() -> bool:
				if NavigationServer2D.map_get_iteration_id(map_2d) == 0:
					return false
				var at := NavigationServer2D.map_get_closest_point(map_2d, Vector2(40, 40))
				return at == Vector2(40, 40)
		)
		return grid
	var space := PathForgeSpace3D.new()
	grid.add_child(space)
	var floor_3d := NavigationRegion3D.new()
	var mesh := NavigationMesh.new()
	mesh.vertices = [Vector3(), Vector3(0, 0, 20), Vector3(20, 0, 20), Vector3(20, 0, 0)]
	mesh.add_polygon([0, 1, 2, 3])
	floor_3d.navigation_mesh = mesh
	add(floor_3d)
	var map_3d := floor_3d.get_navigation_map()
	await wait_until(
		func() -> bool:
			if NavigationServer3D.map_get_iteration_id(map_3d) == 0:
				return false
			var at := NavigationServer3D.map_get_closest_point(map_3d, Vector3(5, 0, 5))
			return at.distance_to(Vector3(5, 0, 5)) < 0.1
	)
	return space


func _unit(dimensions: String) -> float:
	return 16.0 if dimensions == "2D" else 1.0


func _step(dimensions: String) -> float:
	return _unit(dimensions) / 5.0


func _at(dimensions: String, x: float, y: float) -> Variant:
	return Vector2(x, y) * 16.0 if dimensions == "2D" else Vector3(x, 0.0, y)


func _check_rows(dimensions: String, of: String, members: Array[String]) -> void:
	var named: Array[String] = []
	for row: Array in _rows(dimensions, of):
		named.append_array(row[0] as Array[String])
	for member: String in members:
		var has_row := named.any(func(name: String) -> bool: return member.match(name))
		check(has_row, "%s.%s has a row" % [of, member])
	if Engine.get_version_info()["hex"] < PAGES_ARE_OF:
		return
	for name: String in named:
		var is_there := members.any(func(member: String) -> bool: return member.match(name))
		check(is_there, "%s.%s is there" % [of, name])


func _page(dimensions: String) -> String:
	var path := ProjectSettings.globalize_path("res://").path_join(PAGES[dimensions])
	return FileAccess.get_file_as_string(path)


## The rows of the table of a class: the names in the first cell, which may hold for several
## members as patterns do, and the second cell.
func _rows(dimensions: String, of: String) -> Array[Array]:
	var rows: Array[Array] = []
	var table := _page(dimensions).get_slice("\n| `%s` |" % of, 1).get_slice("\n\n", 0)
	var name := RegEx.create_from_string("`([\\w*]+)(?:\\([^`]*\\))?`")
	for line: String in table.split("\n").slice(2):
		var cells := line.trim_prefix("| ").trim_suffix(" |").split(" | ", true, 1)
		var names: Array[String] = []
		for found: RegExMatch in name.search_all(cells[0]):
			names.append(found.get_string(1))
		if cells.size() == 2:
			rows.append([names, cells[1]])
	check(rows.size() > 10, "%s: %d rows of %s" % [dimensions, rows.size(), of])
	return rows


## What a script sees of a class: its own methods, properties and signals, without inherited ones;
## [param all] with the methods that read and set properties.
func _members(of: String, all := false) -> Array[String]:
	var names: Array[String] = []
	var accessors: Array[String] = []
	for property: Dictionary in ClassDB.class_get_property_list(of, true):
		var usage: int = property["usage"]
		if usage & (PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP | PROPERTY_USAGE_CATEGORY):
			continue
		var own: String = property["name"]
		accessors.append(str(ClassDB.class_get_property_getter(of, own)))
		accessors.append(str(ClassDB.class_get_property_setter(of, own)))
		names.append(own)
	for method: Dictionary in ClassDB.class_get_method_list(of, true):
		var own: String = method["name"]
		if all or (own not in accessors and not own.begins_with("_")):
			names.append(own)
	for one: Dictionary in ClassDB.class_get_signal_list(of, true):
		names.append(str(one["name"]))
	return names
