extends TestSuite
## [method PathForgeGrid.find_path] and its relatives, [PathForgePath] and [PathForgeProfile].

const ROOM := """
	..........
	..........
	....##....
	....##....
	..........
	..........
	"""

var _grid: PathForgeGrid = null


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.set_from_text(ROOM)
	add(_grid)


func test_a_complete_path() -> void:
	var path := _grid.find_path(Vector2i(3, 2), Vector2i(6, 2))
	check_eq(path.status, PathForgePath.STATUS_COMPLETE)
	check_eq(path.reason, PathForgePath.REASON_NONE)
	check_eq(path.is_complete(), true)
	check_eq(path.cells.size(), 6)
	check_eq(path.get_cell_count(), 6)
	check_eq(path.cells[0], Vector2i(3, 2))
	check_eq(path.cells[-1], Vector2i(6, 2))
	check_near(path.cost, 5.0, 0.001, "one up, three along, one down: it does not cut corners")
	check_eq(path.engine, "jps")
	check(path.expanded > 0, "it has expanded nodes")
	check(path.search_usec >= 0, "it took time")
	check(path.describe().begins_with("complete"), path.describe())
	check_eq(typeof(path.cells), TYPE_ARRAY)
	check_eq(path.cells.get_typed_builtin(), TYPE_VECTOR2I)
	check_eq(typeof(path.positions), TYPE_PACKED_VECTOR2_ARRAY)


func test_positions_are_centres_of_the_footprint() -> void:
	_grid.position = Vector2(1000, 0)
	_grid.scale = Vector2(2, 2)
	var profile := _body(2, 1)
	var path := _grid.find_path(Vector2i(0, 0), Vector2i(2, 0), profile)
	check_eq(path.positions, PackedVector2Array([Vector2(16, 8), Vector2(32, 8), Vector2(48, 8)]))
	var there := path.get_global_positions()
	check_eq(there[2], Vector2(1096, 16))
	_grid.position = Vector2.ZERO
	check_eq(path.get_global_positions(), there, "as the grid was when it was asked")


func test_start_on_goal() -> void:
	var path := _grid.find_path(Vector2i(1, 1), Vector2i(1, 1))
	check_eq(path.status, PathForgePath.STATUS_COMPLETE)
	check_eq(path.cells, [Vector2i(1, 1)] as Array[Vector2i])
	check_eq(path.get_cell_count(), 1)
	check_eq(path.cost, 0.0)
	check_eq(path.engine, "none")


func test_every_reason() -> void:
	_grid.set_point_terrain(Vector2i(0, 5), 2)
	var walker := _body(1, 1)
	walker.terrain_mask = 1
	var tank := _body(2, 2)
	_expect_refusal(
		Vector2i(-1, 0), Vector2i(99, 0), null, PathForgePath.REASON_START_OUT_OF_BOUNDS
	)
	_expect_refusal(Vector2i(4, 2), Vector2i(99, 0), null, PathForgePath.REASON_START_SOLID)
	_expect_refusal(Vector2i(0, 0), Vector2i(0, 99), null, PathForgePath.REASON_GOAL_OUT_OF_BOUNDS)
	_expect_refusal(Vector2i(0, 0), Vector2i(5, 3), null, PathForgePath.REASON_GOAL_SOLID)
	_expect_refusal(Vector2i(0, 5), Vector2i(5, 3), walker, PathForgePath.REASON_START_TERRAIN)
	_expect_refusal(Vector2i(0, 0), Vector2i(0, 5), walker, PathForgePath.REASON_GOAL_TERRAIN)
	_expect_refusal(Vector2i(3, 2), Vector2i(5, 3), tank, PathForgePath.REASON_START_CLEARANCE)
	_expect_refusal(Vector2i(0, 0), Vector2i(9, 0), tank, PathForgePath.REASON_GOAL_CLEARANCE)
	_grid.fill_solid_region(Rect2i(4, 0, 1, 6))
	_expect_refusal(Vector2i(0, 0), Vector2i(9, 0), null, PathForgePath.REASON_DISCONNECTED)
	_grid.clear()
	_expect_refusal(Vector2i(0, 0), Vector2i(9, 0), null, PathForgePath.REASON_EMPTY_GRID)


func test_a_limit_on_expansions() -> void:
	_grid.set_point_weight_scale(Vector2i(2, 2), 3.0)
	var profile := _body(1, 1)
	profile.max_expansions = 2
	var path := _grid.find_path(Vector2i(0, 0), Vector2i(9, 5), profile)
	check_eq(path.status, PathForgePath.STATUS_LIMIT)
	check_eq(path.reason, PathForgePath.REASON_LIMIT)
	check_eq(path.cells.size(), 0)
	check_eq(path.engine, "jps")


func test_goal_modes() -> void:
	var tank := _body(2, 2)
	var goal := Vector2i(9, 5)
	check_eq(_grid.find_path(Vector2i.ZERO, goal, tank).is_complete(), false)
	var covering := _grid.find_path(Vector2i.ZERO, goal, tank, PathForgeGrid.GOAL_COVER)
	check_eq(covering.status, PathForgePath.STATUS_COMPLETE)
	check_eq(covering.cells[-1], Vector2i(8, 4))
	var inside := Vector2i(5, 3)
	var nearest := _grid.find_path(Vector2i.ZERO, inside, tank, PathForgeGrid.GOAL_NEAREST)
	check_eq(nearest.status, PathForgePath.STATUS_PARTIAL)
	check_eq(nearest.reason, PathForgePath.REASON_GOAL_SOLID)
	var cell := nearest.cells[-1]
	check(Rect2i(cell, Vector2i(2, 2)).grow(1).has_point(inside), "one cell away, at %s" % cell)


func test_find_paths_is_find_path_many_times() -> void:
	var starts: Array[Vector2i] = [Vector2i(0, 0), Vector2i(4, 2), Vector2i(9, 5), Vector2i(0, 5)]
	var goals: Array[Vector2i] = [Vector2i(9, 0), Vector2i(0, 0), Vector2i(9, 5), Vector2i(99, 9)]
	var profile := _body(1, 2)
	var paths := _grid.find_paths(starts, goals, profile, PathForgeGrid.GOAL_COVER)
	check_eq(paths.size(), 4)
	check_eq(paths.get_typed_class_name(), &"PathForgePath")
	for n: int in 4:
		var one := _grid.find_path(starts[n], goals[n], profile, PathForgeGrid.GOAL_COVER)
		check_eq(paths[n].status, one.status)
		check_eq(paths[n].cells, one.cells)
		check_eq(paths[n].cost, one.cost)
	check_eq(_grid.find_paths(starts, [Vector2i(9, 0)]).size(), 4, "one goal for all, untyped")
	check_eq(_grid.find_paths([], []).size(), 0)


func test_is_reachable_agrees_with_find_path() -> void:
	for profile: PathForgeProfile in [null, _body(1, 1), _body(3, 3), _body(4, 1)]:
		for y: int in 6:
			for x: int in 10:
				var goal := Vector2i(x, y)
				var found := _grid.find_path(Vector2i.ZERO, goal, profile).is_complete()
				check_eq(_grid.is_reachable(Vector2i.ZERO, goal, profile), found, str(goal))


func test_terrain_costs_and_weights() -> void:
	_grid.fill_terrain_region(Rect2i(0, 1, 10, 1), 1)
	var profile := _body(1, 1)
	profile.terrain_costs = [1.0, 3.0]
	check_near(_grid.find_path(Vector2i.ZERO, Vector2i(0, 1), profile).cost, 3.0)
	_grid.set_point_weight_scale(Vector2i(0, 1), 2.0)
	check_near(_grid.find_path(Vector2i.ZERO, Vector2i(0, 1), profile).cost, 6.0)
	check_near(_grid.find_path(Vector2i.ZERO, Vector2i(0, 1)).cost, 2.0)
	var pair := _body(1, 2)
	pair.terrain_costs = [1.0, 3.0]
	check_near(_grid.find_path(Vector2i(1, 4), Vector2i(1, 3), pair).cost, 1.0)
	check_near(_grid.find_path(Vector2i(1, 2), Vector2i(1, 1), pair).cost, 3.0, 0.001, "the worst")


func test_the_profile_overrules_the_diagonal_mode() -> void:
	var profile := _body(1, 1)
	check_eq(profile.diagonal_mode, -1)
	profile.diagonal_mode = PathForgeGrid.DIAGONAL_MODE_NEVER
	check_near(_grid.find_path(Vector2i.ZERO, Vector2i(1, 1), profile).cost, 2.0)
	check_near(_grid.find_path(Vector2i.ZERO, Vector2i(1, 1)).cost, sqrt(2.0), 0.001)


func test_smoothing_changes_positions_only() -> void:
	var profile := _body(1, 1)
	var plain := _grid.find_path(Vector2i(0, 0), Vector2i(9, 4), profile)
	profile.smoothing = PathForgeProfile.SMOOTH_STRING_PULL
	var pulled := _grid.find_path(Vector2i(0, 0), Vector2i(9, 4), profile)
	check_eq(pulled.cells, plain.cells)
	check_eq(pulled.cost, plain.cost)
	check(pulled.positions.size() < plain.positions.size(), "fewer positions")
	check_eq(pulled.positions[0], plain.positions[0])
	check_eq(pulled.positions[-1], plain.positions[-1])


func test_profile_defaults_and_change_signal() -> void:
	var profile := PathForgeProfile.new()
	check_eq(profile.footprint, Vector2i.ONE)
	check_eq(profile.terrain_mask, 0xFFFFFFFF)
	check_eq(profile.terrain_costs, PackedFloat32Array())
	check_eq(profile.search_mode, PathForgeProfile.SEARCH_OPTIMAL)
	check_eq(profile.max_expansions, 0)
	check_eq(profile.smoothing, PathForgeProfile.SMOOTH_NONE)
	check_eq(profile.outline, PathForgeProfile.OUTLINE_ROUND)
	check_eq(profile.influence_weights, PackedFloat32Array())
	check_eq(profile.ignored_obstacles, PackedInt32Array())
	check_eq(profile.ignored_obstacle_layers, 0)
	var counter := [0]
	profile.changed.connect(func() -> void: counter[0] += 1)
	profile.footprint = Vector2i(3, 2)
	profile.terrain_mask = 5
	profile.terrain_costs = [1.0, 2.0]
	profile.search_mode = PathForgeProfile.SEARCH_HIERARCHICAL
	profile.max_expansions = 100
	profile.influence_weights = [0.5]
	profile.ignored_obstacles = [4]
	profile.ignored_obstacle_layers = 6
	check_eq(counter[0], 8, "changed")
	var copy: PathForgeProfile = profile.duplicate()
	for property: String in ["footprint", "terrain_mask", "terrain_costs", "search_mode"]:
		check_eq(copy.get(property), profile.get(property), property)
	check_eq(copy.ignored_obstacles, PackedInt32Array([4]))
	check_eq(copy.ignored_obstacle_layers, 6)
	check_eq(copy.influence_weights, PackedFloat32Array([0.5]))


func test_a_profile_is_saved_and_loaded() -> void:
	var profile := _body(4, 2)
	profile.terrain_mask = 0x80000001
	profile.terrain_costs = [1.0, 2.5]
	check_eq(ResourceSaver.save(profile, "user://profile.tres"), OK)
	var loaded: PathForgeProfile = ResourceLoader.load(
		"user://profile.tres", "", ResourceLoader.CACHE_MODE_IGNORE
	)
	check_eq(loaded.footprint, Vector2i(4, 2))
	check_eq(loaded.terrain_mask, 0x80000001)
	check_eq(loaded.terrain_costs, PackedFloat32Array([1.0, 2.5]))
	DirAccess.remove_absolute("user://profile.tres")


func _body(w: int, h: int) -> PathForgeProfile:
	var profile := PathForgeProfile.new()
	profile.footprint = Vector2i(w, h)
	return profile


func _expect_refusal(
	start: Vector2i, goal: Vector2i, profile: PathForgeProfile, reason: int
) -> void:
	var path := _grid.find_path(start, goal, profile)
	var invalid: Array[int] = [
		PathForgePath.REASON_START_OUT_OF_BOUNDS,
		PathForgePath.REASON_GOAL_OUT_OF_BOUNDS,
		PathForgePath.REASON_EMPTY_GRID,
	]
	var status := (
		PathForgePath.STATUS_INVALID if reason in invalid else PathForgePath.STATUS_UNREACHABLE
	)
	check_eq(path.reason, reason, path.describe())
	check_eq(path.status, status, path.describe())
	check_eq(path.cost, INF)
	check_eq(path.cells.size() + path.positions.size() + path.get_cell_count(), 0)
	check_eq(_grid.is_reachable(start, goal, profile), false)
