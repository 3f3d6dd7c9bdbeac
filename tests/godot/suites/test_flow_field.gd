extends FlowFieldSuite
## [FlowField]: costs, directions and samples.


func test_costs_are_those_of_paths_for_any_body() -> void:
	for cell: int in 120:
		grid.set_point_weight_scale(any_cell(), random.randf_range(0.0, 5.0))
		grid.set_point_terrain(any_cell(), random.randi_range(0, 2))
	for footprint: Vector2i in [Vector2i(1, 1), Vector2i(2, 2), Vector2i(4, 2), Vector2i(1, 3)]:
		for diagonal_mode: int in [-1, PathForgeGrid.DIAGONAL_MODE_ALWAYS]:
			var profile := body_of(footprint)
			profile.diagonal_mode = diagonal_mode
			profile.terrain_costs = [1.0, 2.5]
			profile.terrain_mask = 3
			var field := field_to(profile, any_stands(profile, 1))
			check_costs(field, field.goals[0], profile)
			field.free()


func test_the_nearest_of_many_goals_counts() -> void:
	var field := field_to(null, any_stands(null, 5))
	var data := field.get_cost_data()
	var wrong: Array[Vector2i] = []
	for index: int in data.size():
		var path := grid.find_path_to_any(cell_at(index), field.goals)
		if data[index] != f32(path.cost):
			wrong.append(cell_at(index))
	check(wrong.is_empty(), "wrong at %s" % [wrong])


func test_directions_lead_to_a_goal_at_the_cost_of_the_field() -> void:
	var profile := body_of(Vector2i(2, 1))
	var field := field_to(profile, any_stands(profile, 3))
	var directions := field.get_direction_data()
	check_eq(directions.size(), grid.region.get_area())
	for index: int in directions.size():
		var cell := cell_at(index)
		var way := field.get_path_from(cell)
		check_eq(directions[index], field.get_direction(cell), str(cell))
		if is_inf(field.get_cost(cell)):
			check_eq([way.size(), field.get_next_cell(cell)], [0, Vector2i.MIN], str(cell))
			check_eq(directions[index], Vector2.ZERO, str(cell))
			continue
		check(way[-1] in field.goals, "%s leads to a goal" % cell)
		check_eq(field.get_next_cell(cell), way[1] if way.size() > 1 else cell, str(cell))
		check_near(way_length(way), field.get_cost(cell), 0.02 * way.size(), str(cell))
		if way.size() > 1:
			var step := Vector2(way[1] - way[0]).normalized()
			check(directions[index].is_equal_approx(step), "the first step from %s" % cell)


func test_goal_modes() -> void:
	grid.fill_solid_region(grid.region, false)
	grid.region = Rect2i(0, 0, 20, 12)
	grid.fill_solid_region(Rect2i(8, 0, 4, 12))
	var profile := body_of(Vector2i(3, 2))
	var field := field_to(profile, [Vector2i(5, 5)])
	field.goal_mode = PathForgeGrid.GOAL_COVER
	field.rebuild()
	for cell: Vector2i in [Vector2i(3, 4), Vector2i(5, 5), Vector2i(4, 4)]:
		check_eq(field.get_cost(cell), 0.0, str(cell))
	check_eq(field.get_cost(Vector2i(0, 0)), path_cost(Vector2i.ZERO, Vector2i(5, 5), profile, 1))
	# In a wall, three cells from open ground on the left.
	field.goals = [Vector2i(9, 6)]
	field.rebuild()
	check_eq(field.get_cost(Vector2i(0, 0)), INF, "no body covers a wall")
	field.goal_mode = PathForgeGrid.GOAL_NEAREST
	field.rebuild()
	check_eq(field.get_cost(Vector2i(0, 0)), path_cost(Vector2i.ZERO, Vector2i(9, 6), profile, 2))
	check_eq(field.get_cost(Vector2i(5, 6)), 0.0)


func test_a_largest_cost_bounds_the_field() -> void:
	grid.fill_solid_region(grid.region, false)
	grid.region = Rect2i(0, 0, 40, 40)
	var field := field_to(null, [Vector2i(20, 20)])
	check_eq(field.get_cost(Vector2i(0, 20)), 20.0)
	field.max_cost = 10.0
	field.rebuild()
	check_eq(field.get_cost(Vector2i(10, 20)), 10.0)
	check_eq(field.get_cost(Vector2i(9, 20)), INF)
	check_eq(field.sample(grid.cell_to_local(Vector2i(2, 2))), Vector2.ZERO)


func test_samples_lead_to_the_goal_through_no_wall() -> void:
	for footprint: Vector2i in [Vector2i(1, 1), Vector2i(2, 2), Vector2i(3, 1)]:
		var profile := body_of(footprint)
		var field := field_to(profile, any_stands(profile, 2))
		for start: Vector2i in any_stands(profile, 12):
			if is_inf(field.get_cost(start)):
				continue
			var position := grid.cell_to_local(start, a_body(footprint))
			for step: int in 400:
				var direction := field.sample(position)
				if direction == Vector2.ZERO:
					break
				check_near(direction.length(), 1.0)
				position += direction * 4.0
				var stand := stand_at(position, footprint)
				if not check(
					grid.can_stand(stand, a_body(footprint)), "%s from %s" % [stand, start]
				):
					return
			check_eq(field.get_cost(stand_at(position, footprint)), 0.0, "from %s" % start)
		field.free()


func test_a_batch_samples_what_single_calls_sample() -> void:
	for shape: int in 3:
		grid.cell_shape = shape
		grid.cell_size = Vector2(32, 16)
		grid.offset = Vector2(7, -3)
		var field := field_to(body_of(Vector2i(2, 2)), any_stands(body_of(Vector2i(2, 2)), 2))
		var positions := PackedVector2Array([Vector2(NAN, 1), Vector2(INF, INF), Vector2(1e30, 0)])
		for number: int in 700:
			var corner := grid.cell_to_local(any_cell(), a_body(Vector2i(2, 2)))
			positions.append(corner + Vector2(random.randf() * 32.0, random.randf() * 16.0))
		var directions := field.sample_batch(positions)
		check_eq(directions.size(), positions.size())
		check_eq(directions.slice(0, 3), PackedVector2Array([Vector2(), Vector2(), Vector2()]))
		for index: int in positions.size():
			check_eq(directions[index], field.sample(positions[index]), str(positions[index]))
		for index: int in range(3, positions.size()):
			var length := directions[index].length()
			check(length == 0.0 or absf(length - 1.0) < 0.001, "a unit vector or none")
		field.free()


func test_who_sees_the_goal_walks_straight() -> void:
	grid.fill_solid_region(grid.region, false)
	grid.region = Rect2i(0, 0, 40, 30)
	grid.fill_solid_region(Rect2i(20, 0, 1, 25))
	var field := field_to(null, [Vector2i(10, 10)])
	check_eq(field.has_line_of_sight(Vector2i(3, 27)), true)
	check_eq(field.has_line_of_sight(Vector2i(30, 10)), false)
	check_eq(field.has_line_of_sight(Vector2i(99, 10)), false)
	var seen := grid.cell_to_local(Vector2i(3, 27))
	var straight := (grid.cell_to_local(Vector2i(10, 10)) - seen).normalized()
	check(field.sample(seen).is_equal_approx(straight), "straight at it")
