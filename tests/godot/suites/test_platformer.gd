extends TestSuite
## [PathForgePlatformer]: the source's cases, positions, and the edits of its grid.

const GAP := """
	..........
	..........
	..........
	###...####
	###...####
"""

var _grid: PathForgeGrid = null
var _node: PathForgePlatformer = null


func before_each() -> void:
	_grid = PathForgeGrid.new()
	add(_grid)
	_node = PathForgePlatformer.new()
	_node.grid = _grid
	add(_node)


func test_steps_run_parallel_to_cells() -> void:
	_grid.set_from_text(GAP)
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
	_grid.set_from_text(GAP)
	_grid.cell_size = Vector2(10, 20)
	var profile := _profile(2, 3, 3)
	var path := _node.find_path(Vector2i(0, 0), Vector2i(1, 0), profile)
	check_eq(path.positions[0], Vector2(10, 30))
	check_eq(_node.cell_to_global(Vector2i(0, 0), profile), Vector2(10, 30))
	check_eq(_node.global_to_cell(Vector2(10, 30), profile), Vector2i(0, 0))
	_grid.position = Vector2(100, 0)
	path = _node.find_path(Vector2i(0, 0), Vector2i(1, 0), profile)
	check_eq(path.get_global_positions()[0], Vector2(110, 30))


func test_a_higher_jump_crosses_what_a_lower_does_not() -> void:
	_grid.set_from_text(
		"............\n............\n............\n............\n............\n##.......###"
	)
	check_eq(_reaches(Vector2i(0, 4), Vector2i(11, 4), _profile(1, 1, 2)), false)
	check_eq(_reaches(Vector2i(0, 4), Vector2i(11, 4), _profile(1, 1, 4)), true)


func test_the_goal_is_met_by_any_part() -> void:
	_grid.set_from_text("........\n........\n.....#..\n########")
	var path := _node.find_path(Vector2i(0, 1), Vector2i(4, 1), _profile(3, 2, 0))
	check_eq(path.is_complete(), true)
	check_eq(path.cells[-1], Vector2i(2, 1), "shifted to the left")


func test_it_stands_half_over_an_edge() -> void:
	_grid.set_from_text("......\n......\n##....\n##....")
	check_eq(_node.is_on_ground(Vector2i(1, 1), _profile(2, 1, 3)), true)
	check_eq(_node.is_on_ground(Vector2i(2, 1), _profile(2, 1, 3)), false)


func test_a_body_on_an_edge_is_where_it_stands() -> void:
	_grid.set_from_text("......\n##....\n##....")
	_grid.cell_size = Vector2(10, 10)
	var one := _profile(1, 1, 3)
	check_eq(_node.global_to_cell(Vector2(15, 5), one), Vector2i(1, 0))
	check_eq(_node.global_to_cell(Vector2(22, 5), one), Vector2i(1, 0), "half over the edge")
	check_eq(_node.global_to_cell(Vector2(25, 5), one), Vector2i(2, 0), "beyond it")
	check_eq(_node.global_to_cell(Vector2(27, 5), one), Vector2i(2, 0))
	check_eq(_node.global_to_cell(Vector2(28, 5), _profile(2, 1, 3)), Vector2i(1, 0), "a wide one")
	check_eq(_node.global_to_cell(Vector2(INF, 5), one), Vector2i.MIN)
	check_eq(_node.global_to_cell(Vector2(NAN, 5), one), Vector2i.MIN)
	check_eq(_node.global_to_cell(Vector2(-1e30, 1e30), one).x < 0, true)


func test_one_way_platforms_let_through_from_below_and_on_purpose() -> void:
	_grid.set_from_text(".....\n.....\n.===.\n.....\n#####")
	var up := _node.find_path(Vector2i(2, 3), Vector2i(2, 1), _profile(1, 1, 3))
	check_eq(up.is_complete(), true)
	check_eq(up.cells, [Vector2i(2, 3), Vector2i(2, 2), Vector2i(2, 1)] as Array[Vector2i])
	var down := _node.find_path(Vector2i(2, 1), Vector2i(2, 3), _profile(1, 1, 3))
	check_eq(down.steps[1], PathForgePath.STEP_DROP)
	_grid.set_solid_data(_or(_grid.get_solid_data(), _grid.get_one_way_data()))
	up = _node.find_path(Vector2i(2, 3), Vector2i(2, 1), _profile(1, 1, 3))
	check_eq(up.cells.size() > 3, true, "around what is solid")


func test_a_wide_character_takes_another_way() -> void:
	_grid.set_from_text(
		"..........\n..........\n..........\n...####...\n..........\n...####...\n##########"
	)
	var small := _node.find_path(Vector2i(0, 5), Vector2i(9, 5), _profile(1, 1, 6))
	var large := _node.find_path(Vector2i(0, 4), Vector2i(8, 4), _profile(2, 2, 6))
	check_eq(small.cells.has(Vector2i(5, 4)), true, "through the tunnel")
	check_eq(large.is_complete(), true)
	check_eq(large.cells.has(Vector2i(5, 1)), true, "over the top")


func test_a_goal_in_the_air() -> void:
	_grid.set_from_text("....\n....\n....\n####")
	var profile := _profile(1, 1, 1)
	check_eq(_reaches(Vector2i(0, 2), Vector2i(3, 0), profile), false)
	profile.goal_on_ground = true
	var path := _node.find_path(Vector2i(0, 2), Vector2i(3, 0), profile)
	check_eq(path.cells[-1], Vector2i(3, 2))


func test_jumps_by_physics_are_told_in_cells() -> void:
	var profile := PathForgeJumpProfile.new()
	profile.use_physics = true
	profile.gravity = 980.0
	profile.jump_speed = 400.0
	profile.run_speed = 80.0
	check_near(profile.get_jump_height(Vector2(16, 16)), 5.1, 0.01)
	check_near(profile.get_air_run(Vector2(16, 16)), 4.08, 0.01)
	check_near(profile.get_jump_height(Vector2(32, 32)), 2.55, 0.01)


func test_edits_of_the_grid_count() -> void:
	_grid.set_from_text("..........\n..........\n##########")
	var profile := _profile(1, 1, 1)
	check_eq(_reaches(Vector2i(0, 1), Vector2i(9, 1), profile), true)
	_grid.fill_solid_region(Rect2i(5, 0, 1, 2))
	check_eq(_reaches(Vector2i(0, 1), Vector2i(9, 1), profile), false)
	_grid.begin_edit()
	_grid.set_point_solid(Vector2i(5, 0), false)
	check_eq(_reaches(Vector2i(0, 1), Vector2i(9, 1), profile), true, "within an edit")
	_grid.end_edit()
	var crate := _grid.add_obstacle(Rect2i(5, 0, 1, 1))
	check_eq(_reaches(Vector2i(0, 1), Vector2i(9, 1), profile), false, "an obstacle blocks")
	_grid.remove_obstacle(crate)
	_grid.fill_terrain_region(_grid.region, 7)
	check_eq(_reaches(Vector2i(0, 1), Vector2i(9, 1), profile), true, "terrain means nothing")
	_grid.set_point_one_way(Vector2i(2, 1))
	check_eq(_node.is_on_ground(Vector2i(2, 0), profile), true)
	_grid.set_point_one_way(Vector2i(2, 1), false)
	check_eq(_node.is_on_ground(Vector2i(2, 0), profile), false)
	_grid.region = Rect2i(0, 0, 12, 3)
	check_eq(_node.can_stand(Vector2i(11, 2)), true)
	_grid.set_from_text("............\n...#........\n############")
	check_eq(_node.can_stand(Vector2i(3, 1)), false, "a map that was replaced")
	var other: PathForgeGrid = add(PathForgeGrid.new())
	other.set_from_text("...\n###")
	_node.grid = other
	check_eq(_node.can_stand(Vector2i(3, 0)), false, "another grid")
	check_eq(_node.is_on_ground(Vector2i(2, 0)), true)


func test_the_nearest_grid_is_taken() -> void:
	_grid.set_from_text("...\n###")
	var node: PathForgePlatformer = add(PathForgePlatformer.new())
	check_eq(node.is_on_ground(Vector2i(1, 0)), true)
	check_eq(node.grid, null)


func test_a_click_on_the_ground_means_above_it() -> void:
	_grid.set_from_text("......\n......\n......\n......\n######")
	_grid.cell_size = Vector2(10, 10)
	_grid.position = Vector2(500, 0)
	for cells: Vector2i in [Vector2i(1, 1), Vector2i(1, 2), Vector2i(2, 3), Vector2i(3, 4)]:
		var profile := _profile(cells.x, cells.y, 3)
		var place := _node.global_to_cell(Vector2(530, 38), profile)
		check_eq(place.y, 4 - cells.y, "%s" % cells)
		var center := _node.cell_to_global(place, profile)
		check_eq(_node.global_to_cell(center, profile), place)
	var one := _profile(1, 1, 3)
	check_eq(_node.global_to_cell(Vector2(530, 45), one), Vector2i(3, 3), "in the ground")


func test_a_click_beside_a_wall_means_a_place_beside_it() -> void:
	_grid.set_from_text("#......#\n#......#\n########")
	_grid.cell_size = Vector2(10, 10)
	var wide := _profile(3, 2, 3)
	check_eq(_node.global_to_cell(Vector2(12, 15), wide), Vector2i(1, 0), "beside the left wall")
	check_eq(_node.global_to_cell(Vector2(68, 15), wide), Vector2i(4, 0), "beside the right one")
	check_eq(_node.global_to_cell(Vector2(35, 2), wide), Vector2i(2, 0), "in the topmost row")


func _profile(w: int, h: int, height: int) -> PathForgeJumpProfile:
	var profile := PathForgeJumpProfile.new()
	profile.footprint = Vector2i(w, h)
	profile.max_jump_height_cells = height
	return profile


func _reaches(start: Vector2i, goal: Vector2i, profile: PathForgeJumpProfile) -> bool:
	return _node.find_path(start, goal, profile).is_complete()


func _or(a: PackedByteArray, b: PackedByteArray) -> PackedByteArray:
	for index: int in a.size():
		a[index] = maxi(a[index], b[index])
	return a
