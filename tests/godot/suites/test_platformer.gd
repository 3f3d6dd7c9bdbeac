extends TestSuite
## [PathForgePlatformer]: cells, the source's cases, the shared grid, storage, import.

const GAP := """
	..........
	..........
	..........
	###...####
	###...####
"""

var _node: PathForgePlatformer = null


func before_each() -> void:
	_node = PathForgePlatformer.new()
	add(_node)


func test_cells_are_set_and_read() -> void:
	_node.region = Rect2i(-2, -1, 4, 3)
	_node.set_point_solid(Vector2i(-2, 1))
	_node.set_point_one_way(Vector2i(1, 0))
	check_eq(_node.is_point_solid(Vector2i(-2, 1)), true)
	check_eq(_node.is_point_one_way(Vector2i(1, 0)), true)
	check_eq(_node.get_solid_data(), PackedByteArray([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]))
	check_eq(_node.get_one_way_data(), PackedByteArray([0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]))
	_node.set_solid_data(_node.get_one_way_data())
	check_eq(_node.is_point_solid(Vector2i(1, 0)), true)
	_node.region = Rect2i(0, 0, 2, 2)
	check_eq(_node.is_point_solid(Vector2i(1, 0)), true, "shared cells are kept")
	_node.set_point_solid(Vector2i(1, 0), false)
	check_eq(_node.is_point_solid(Vector2i(1, 0)), false)


func test_steps_run_parallel_to_cells() -> void:
	_node.set_from_text(GAP)
	var path := _node.find_path(Vector2i(0, 2), Vector2i(9, 2), _profile(1, 1, 3))
	check_eq(path.is_complete(), true)
	check_eq(path.engine, "platformer")
	check_eq(path.steps.size(), path.cells.size())
	check_eq(path.get_jump_values().size(), path.cells.size())
	check_eq(path.cells[0], Vector2i(0, 2))
	check_eq(path.cells[-1], Vector2i(9, 2))
	check_eq(path.steps[0], PathForgePath.STEP_WALK)
	check_eq(path.steps.has(PathForgePath.STEP_JUMP), true)
	check_eq(path.steps.count(PathForgePath.STEP_LAND), 1)
	var kinds: Array[int] = []
	for point: Dictionary in path.get_key_points():
		kinds.append(point["kind"])
		check_eq(point["cell"], path.cells[point["index"]])
	check_eq(kinds[0], PathForgePath.KEY_START)
	check_eq(kinds[-1], PathForgePath.KEY_GOAL)
	check_eq(kinds.has(PathForgePath.KEY_TAKE_OFF), true)
	check_eq(kinds.has(PathForgePath.KEY_LANDING), true)


func test_positions_are_centres() -> void:
	_node.set_from_text(GAP)
	_node.cell_size = Vector2(10, 20)
	var path := _node.find_path(Vector2i(0, 2), Vector2i(1, 2), _profile(2, 3, 3))
	check_eq(path.positions[0], Vector2(10, 30))
	check_eq(_node.body_center(Vector2i(0, 2), Vector2i(2, 3)), Vector2(10, 30))
	check_eq(_node.body_to_cell(Vector2(10, 30), Vector2i(2, 3)), Vector2i(0, 2))
	_node.position = Vector2(100, 0)
	path = _node.find_path(Vector2i(0, 2), Vector2i(1, 2), _profile(2, 3, 3))
	check_eq(path.get_global_positions()[0], Vector2(110, 30))


func test_a_higher_jump_crosses_what_a_lower_does_not() -> void:
	_node.set_from_text(
		"............\n............\n............\n............\n............\n##.......###"
	)
	check_eq(_reaches(Vector2i(0, 4), Vector2i(11, 4), _profile(1, 1, 2)), false)
	check_eq(_reaches(Vector2i(0, 4), Vector2i(11, 4), _profile(1, 1, 4)), true)


func test_the_goal_is_met_by_any_part() -> void:
	_node.set_from_text("........\n........\n.....#..\n########")
	var path := _node.find_path(Vector2i(0, 2), Vector2i(4, 2), _profile(3, 2, 0))
	check_eq(path.is_complete(), true)
	check_eq(path.cells[-1], Vector2i(2, 2), "shifted to the left")


func test_it_stands_half_over_an_edge() -> void:
	_node.set_from_text("......\n......\n##....\n##....")
	check_eq(_node.is_on_ground(Vector2i(1, 1), Vector2i(2, 1)), true)
	check_eq(_node.is_on_ground(Vector2i(2, 1), Vector2i(2, 1)), false)


func test_a_body_on_an_edge_is_where_it_stands() -> void:
	_node.set_from_text("......\n##....\n##....")
	_node.cell_size = Vector2(10, 10)
	check_eq(_node.body_to_cell(Vector2(15, 5), Vector2i.ONE), Vector2i(1, 0))
	check_eq(_node.body_to_cell(Vector2(22, 5), Vector2i.ONE), Vector2i(1, 0), "half over the edge")
	check_eq(_node.body_to_cell(Vector2(25, 5), Vector2i.ONE), Vector2i(2, 0), "beyond it")
	check_eq(_node.body_to_cell(Vector2(27, 5), Vector2i.ONE), Vector2i(2, 0))
	check_eq(_node.body_to_cell(Vector2(28, 5), Vector2i(2, 1)), Vector2i(1, 0), "a wide one")
	check_eq(_node.body_to_cell(Vector2(INF, 5), Vector2i.ONE), Vector2i.MIN)
	check_eq(_node.body_to_cell(Vector2(-1e30, 1e30), Vector2i.ONE).x < 0, true)


func test_one_way_platforms_let_through_from_below_and_on_purpose() -> void:
	_node.set_from_text(".....\n.....\n.===.\n.....\n#####")
	var up := _node.find_path(Vector2i(2, 3), Vector2i(2, 1), _profile(1, 1, 3))
	check_eq(up.is_complete(), true)
	check_eq(up.cells, [Vector2i(2, 3), Vector2i(2, 2), Vector2i(2, 1)] as Array[Vector2i])
	var down := _node.find_path(Vector2i(2, 1), Vector2i(2, 3), _profile(1, 1, 3))
	check_eq(down.steps[1], PathForgePath.STEP_DROP)
	_node.set_solid_data(_or(_node.get_solid_data(), _node.get_one_way_data()))
	up = _node.find_path(Vector2i(2, 3), Vector2i(2, 1), _profile(1, 1, 3))
	check_eq(up.cells.size() > 3, true, "around what is solid")


func test_a_wide_character_takes_another_way() -> void:
	_node.set_from_text(
		"..........\n..........\n..........\n...####...\n..........\n...####...\n##########"
	)
	var small := _node.find_path(Vector2i(0, 5), Vector2i(9, 5), _profile(1, 1, 6))
	var large := _node.find_path(Vector2i(0, 5), Vector2i(8, 5), _profile(2, 2, 6))
	check_eq(small.cells.has(Vector2i(5, 4)), true, "through the tunnel")
	check_eq(large.is_complete(), true)
	check_eq(large.cells.has(Vector2i(5, 2)), true, "over the top")


func test_a_goal_in_the_air() -> void:
	_node.set_from_text("....\n....\n....\n####")
	var profile := _profile(1, 1, 1)
	check_eq(_reaches(Vector2i(0, 2), Vector2i(3, 0), profile), false)
	profile.goal_on_ground = true
	var path := _node.find_path(Vector2i(0, 2), Vector2i(3, 0), profile)
	check_eq(path.cells[-1], Vector2i(3, 2))


func test_physics_become_cells() -> void:
	var profile := PathForgeJumpProfile.new()
	profile.use_physics = true
	profile.gravity = 980.0
	profile.jump_speed = 400.0
	profile.run_speed = 80.0
	check_eq(profile.get_jump_height(Vector2(16, 16)), 5)
	check_eq(profile.get_air_run(Vector2(16, 16)), 3)
	check_eq(profile.get_jump_height(Vector2(32, 32)), 2)


func test_a_shared_grid_is_followed() -> void:
	var grid := PathForgeGrid.new()
	add(grid)
	grid.set_from_text("..........\n..........\n##########")
	_node.grid = grid
	var profile := _profile(1, 1, 1)
	check_eq(_node.region, grid.region)
	check_eq(_reaches(Vector2i(0, 1), Vector2i(9, 1), profile), true)
	grid.fill_solid_region(Rect2i(5, 0, 1, 2))
	check_eq(_reaches(Vector2i(0, 1), Vector2i(9, 1), profile), false)
	grid.begin_edit()
	grid.set_point_solid(Vector2i(5, 0), false)
	check_eq(_reaches(Vector2i(0, 1), Vector2i(9, 1), profile), true, "within an edit")
	grid.end_edit()
	_node.set_point_one_way(Vector2i(3, 0))
	_node.set_point_solid(Vector2i(5, 0))
	check_eq(grid.is_point_solid(Vector2i(5, 0)), true, "its cells are the grid's")
	grid.region = Rect2i(0, 0, 12, 3)
	check_eq(_node.get_solid_data().size(), 36)
	check_eq(_node.is_point_one_way(Vector2i(3, 0)), true, "one-way cells are kept")
	grid.set_from_text("............\n............\n############")
	check_eq(_node.get_solid_data(), grid.get_solid_data(), "a grid that was replaced")
	grid.cell_size = Vector2(8, 8)
	check_eq(_node.cell_size, Vector2(8, 8))


func test_own_cells_are_saved_with_the_scene() -> void:
	_node.set_from_text("..=..\n..=..\n#####")
	_node.region = Rect2i(-1, 0, 6, 3)
	var scene := PackedScene.new()
	check_eq(scene.pack(_node), OK)
	var copy := scene.instantiate() as PathForgePlatformer
	add(copy)
	check_eq(copy.region, Rect2i(-1, 0, 6, 3))
	check_eq(copy.get_solid_data(), _node.get_solid_data())
	check_eq(copy.get_one_way_data(), _node.get_one_way_data())


func _profile(w: int, h: int, height: int) -> PathForgeJumpProfile:
	var profile := PathForgeJumpProfile.new()
	profile.size = Vector2i(w, h)
	profile.max_jump_height = height
	return profile


func _reaches(start: Vector2i, goal: Vector2i, profile: PathForgeJumpProfile) -> bool:
	return _node.find_path(start, goal, profile).is_complete()


func _or(a: PackedByteArray, b: PackedByteArray) -> PackedByteArray:
	for index: int in a.size():
		a[index] = maxi(a[index], b[index])
	return a
