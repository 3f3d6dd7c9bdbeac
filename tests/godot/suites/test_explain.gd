extends TestSuite
## explain(): every property, for a refusal of each kind and for a path, with the map drawn in text.

var _grid: PathForgeGrid


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.terrain_names = ["land", "water"]
	add(_grid)


func _profile(side: int, terrain_mask: int = 0xFFFFFFFF) -> PathForgeProfile:
	var profile: PathForgeProfile = PathForgeProfile.new()
	profile.footprint = Vector2i(side, side)
	profile.terrain_mask = terrain_mask
	return profile


func test_two_regions_and_the_way_between_them() -> void:
	(
		_grid
		. set_from_text(
			"""
		...##....
		...##....
		..###....
		"""
		)
	)
	var why := _grid.explain(Vector2i(0, 0), Vector2i(8, 2))
	check_eq(why.status, PathForgePath.STATUS_UNREACHABLE, "status")
	check_eq(why.reason, PathForgePath.REASON_DISCONNECTED, "reason")
	check_eq(why.gap_steps, 3, "steps between them")
	check_eq(why.gap_start, Vector2i(2, 0), "from here")
	check_eq(why.gap_goal, Vector2i(5, 0), "to there")
	check_eq(why.cells, [Vector2i(3, 0), Vector2i(4, 0)] as Array[Vector2i], "the wall")
	check_eq(why.cost, INF, "no path, no cost")
	check("3 steps" in why.text, why.text)


func test_a_body_that_is_too_large() -> void:
	(
		_grid
		. set_from_text(
			"""
		.....#.....
		.....#.....
		...........
		.....#.....
		"""
		)
	)
	var why := _grid.explain(Vector2i(0, 0), Vector2i(8, 0), _profile(2))
	check_eq(why.reason, PathForgePath.REASON_DISCONNECTED, "it fits at both ends")
	check_eq(why.largest_side, 1, "a body of one cell could go")
	check_eq(why.bottleneck, Vector2i(4, 2), "here a wider one stops")
	why = _grid.explain(Vector2i(4, 0), Vector2i(8, 0), _profile(2))
	check_eq(why.reason, PathForgePath.REASON_START_CLEARANCE, "it does not fit")
	check_eq(why.cell, Vector2i(4, 0), "here")
	check_eq(why.clearance, 1, "so much room")
	check_eq(why.needed, Vector2i(2, 2), "and it needs this")
	check_eq(why.cells, [Vector2i(5, 0), Vector2i(5, 1)] as Array[Vector2i], "what closes it")


func test_terrain_that_bars_the_way() -> void:
	_grid.set_from_text("..~~..")
	var why := _grid.explain(Vector2i(0, 0), Vector2i(5, 0), _profile(1, 1))
	check_eq(why.barring_terrains, PackedInt32Array([1]), "water")
	check(why.text.begins_with("In the way is water, between (1, 0) and (4, 0)"), why.text)


func test_the_edit_that_closed_the_last_way() -> void:
	_grid.region = Rect2i(0, 0, 40, 30)
	_grid.fill_solid_region(Rect2i(20, 0, 1, 29))
	_grid.fill_solid_region(Rect2i(20, 29, 1, 1))
	_grid.set_point_solid(Vector2i(3, 3))
	var why := _grid.explain(Vector2i(0, 0), Vector2i(39, 0))
	check(why.closed_by.has_point(Vector2i(20, 29)), str(why.closed_by))


func test_what_makes_the_map_is_no_edit_of_it() -> void:
	_grid.region = Rect2i(0, 0, 9, 4)
	var solid: PackedByteArray = []
	solid.resize(36)
	for y: int in 4:
		solid[y * 9 + 4] = 1
	_grid.set_solid_data(solid)
	var why := _grid.explain(Vector2i(0, 0), Vector2i(8, 0))
	check_eq(why.closed_by, Rect2i(), "the wall was always there")
	_grid.set_point_solid(Vector2i(4, 2), false)
	_grid.set_point_solid(Vector2i(4, 2))
	why = _grid.explain(Vector2i(0, 0), Vector2i(8, 0))
	check_eq(why.closed_by, Rect2i(4, 2, 1, 1), "its gap was not")


func test_what_a_path_costs_and_what_its_detour_avoids() -> void:
	(
		_grid
		. set_from_text(
			"""
		.......
		.#####.
		.~~~~~.
		"""
		)
	)
	var boots: PathForgeProfile = _profile(1)
	boots.terrain_costs = [1.0, 9.0]
	var why := _grid.explain(Vector2i(0, 2), Vector2i(6, 2), boots)
	check_eq(why.reason, PathForgePath.REASON_NONE, "there is a path")
	check_eq(why.cost, 10.0, "around")
	check_eq(why.cost_distance, 10.0, "all of it for distance")
	check_eq(why.shortest.cost_distance, 6.0, "longer than straight through")
	check_eq(why.shortest.cost, 46.0, "and cheaper")
	check_eq(why.shortest.cost_terrain, 40.0, "which would cost this for terrain")
	check_eq(why.shortest.cells.size(), 5, "on these cells")
	check_eq(why.cells.size(), 11, "the path's cells")
	_grid.set_point_weight_scale(Vector2i(3, 0), 2.0)
	why = _grid.explain(Vector2i(0, 0), Vector2i(6, 0))
	check_eq(why.cost_weight, 1.0, "a slow cell")
	check_eq(why.shortest, null, "no shorter way")


func test_an_obstacle_is_named() -> void:
	_grid.set_from_text("....")
	_grid.add_obstacle(Rect2i(3, 0, 1, 1))
	var why := _grid.explain(Vector2i(0, 0), Vector2i(3, 0))
	check(why.text.begins_with("The goal (3, 0) is under an obstacle."), why.text)


func test_a_unit_in_the_only_door_is_named() -> void:
	_grid.set_from_text("..#..\n.....\n..#..")
	_grid.add_obstacle(Rect2i(2, 1, 1, 1))
	var why := _grid.explain(Vector2i(0, 0), Vector2i(4, 2))
	check_eq(why.barring_cells, [Vector2i(2, 1)] as Array[Vector2i])
	check_eq(why.cells, [Vector2i(2, 1)] as Array[Vector2i])
	check(why.text.begins_with("An obstacle is in the way, at (2, 1)."), why.text)
	var goals: Array[Vector2i] = [Vector2i(4, 0), Vector2i(4, 1), Vector2i(2, 0)]
	why = _grid.explain_to_any(Vector2i(0, 0), goals)
	check(why.text.contains(" (4, 0), (4, 1): An obstacle is in the way"), why.text)
	check(why.text.contains(" (2, 0): The goal (2, 0) is solid."), why.text)


func test_the_overlay_takes_every_answer() -> void:
	_grid.debug_enabled = true
	_grid.region = Rect2i(0, 0, 12, 6)
	_grid.fill_solid_region(Rect2i(5, 0, 1, 6))
	for goal: Vector2i in [Vector2i(9, 3), Vector2i(5, 1), Vector2i(3, 3), Vector2i(99, 0)]:
		check(not _grid.explain(Vector2i(1, 1), goal).text.is_empty(), "words")
		await frames(2)


func test_goals_that_are_to_be_covered() -> void:
	(
		_grid
		. set_from_text(
			"""
		...#...
		...#.#.
		...#.#.
		...####
		"""
		)
	)
	var goal: Vector2i = Vector2i(4, 2)
	for mode: int in [PathForgeGrid.GOAL_COVER, PathForgeGrid.GOAL_NEAREST]:
		var why := _grid.explain(Vector2i(0, 0), goal, _profile(2), mode)
		check_eq(why.reason, PathForgePath.REASON_GOAL_CLEARANCE, "no stand covers it")
		check(why.text.begins_with("The body fits nowhere over the goal (4, 2)"), why.text)
		check_eq([why.cell, why.clearance], [goal, 1], "where, and what fits there")
		check(Vector2i(3, 1) in why.cells and not goal in why.cells, "what closes it")
		var is_near: bool = mode == PathForgeGrid.GOAL_NEAREST
		check_eq(why.nearest, Vector2i(1, 1) if is_near else Vector2i.MIN, "where it can come")
		check_eq(why.nearest_distance_cells, 2.0 if is_near else 0.0, "and how near that is")
		check_eq(why.cost < INF, is_near, "what that costs")
	expect_errors(1, "PathForgeGrid.explain: goal_mode 7")
	var nothing := _grid.explain(Vector2i(0, 0), goal, null, 7)
	check_eq(nothing.status, PathForgePath.STATUS_INVALID, "a mode that does not exist")
	check(nothing.text.begins_with("goal_mode 7 is not"), nothing.text)


func test_several_goals() -> void:
	_grid.set_from_text("..#.#.#")
	var goals: Array[Vector2i] = [Vector2i(2, 0), Vector2i(3, 0)]
	var why := _grid.explain_to_any(Vector2i(0, 0), goals)
	check_eq(why.reason, PathForgePath.REASON_GOAL_SOLID, "of the first")
	check_eq(why.goal, Vector2i.MIN, "no goal")
	var reasons := why.goals.map(func(each: PathForgeDiagnosis) -> int: return each.reason)
	var expected: Array[int] = [PathForgePath.REASON_GOAL_SOLID, PathForgePath.REASON_DISCONNECTED]
	check_eq(reasons, expected, "of each")
	check(why.text.begins_with("The body can get to none of 2 goals. (2, 0): The goal"), why.text)
	check(why.text.contains("comes within 2 steps of each other"), why.text)
	goals.append(Vector2i(1, 0))
	why = _grid.explain_to_any(Vector2i(0, 0), goals)
	check_eq([why.goal, why.goals, why.cost], [Vector2i(1, 0), [], 1.0], "the one there is")
	expect_errors(1, "PathForgeGrid.explain_to_any: goals is empty")
	check_eq(_grid.explain_to_any(Vector2i(0, 0), []).text, "goals is empty")


func test_an_answer_is_read_only_and_typed() -> void:
	_grid.region = Rect2i(0, 0, 4, 4)
	var why := _grid.explain(Vector2i.ZERO, Vector2i(3, 3))
	for property: Dictionary in ClassDB.class_get_property_list("PathForgeDiagnosis", true):
		var name: String = property["name"]
		var before: Variant = why.get(name)
		var is_absent: bool = property["type"] == TYPE_OBJECT and before == null
		check(is_absent or typeof(before) == property["type"], name)
		check_eq(ClassDB.class_get_property_setter("PathForgeDiagnosis", name), &"", name)
	check(str(why).contains("PathForgeDiagnosis: The path costs"), str(why))
