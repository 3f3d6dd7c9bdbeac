extends FlowFieldSuite
## [FlowField]: how it follows its grid, its goals and its target.


func test_it_follows_its_grid_and_says_where() -> void:
	grid.fill_solid_region(grid.region, false)
	grid.region = Rect2i(0, 0, 300, 300)
	var field := watched([Vector2i(3, 3)])
	await wait_until(field.is_ready)
	check_eq(updates, [grid.region] as Array[Rect2i], "the first field")
	grid.fill_solid_region(Rect2i(200, 40, 3, 3))
	await frames(3)
	check_eq(updates.size(), 2, "one update for one edit")
	check(updates[1].encloses(Rect2i(200, 40, 3, 3)), "it holds the wall")
	check(updates[1].get_area() < 1000, "and little else: %s" % updates[1])
	check_some_costs(field, Vector2i(3, 3))
	grid.set_point_solid(Vector2i(201, 41), true)
	await frames(3)
	check_eq(updates.size(), 2, "no cell has changed")
	grid.fill_solid_region(Rect2i(200, 40, 3, 3), false)
	await frames(3)
	check_eq(updates.size(), 3)
	check_some_costs(field, Vector2i(3, 3))


func test_repaired_equals_rebuilt() -> void:
	var profile := body_of(Vector2i(2, 2))
	var field := watched(any_stands(profile, 3))
	field.profile = profile
	field.budget_usec = 0
	var other := FlowField.new()
	other.grid = grid
	other.auto_update = false
	other.profile = profile
	add(other)
	for edit: int in 40:
		var rect := Rect2i(any_cell(), Vector2i(random.randi_range(1, 3), 2))
		grid.fill_solid_region(rect, edit % 2 == 0)
		if edit % 5 == 0:
			field.goals = field.goals.slice(1) + any_stands(profile, 1)
		await frames(2)
		other.goals = field.goals
		other.rebuild()
		check_eq(field.get_cost_data(), other.get_cost_data(), "edit %d" % edit)
		check_eq(field.get_direction_data(), other.get_direction_data(), "edit %d" % edit)


func test_a_build_in_steps_leaves_the_old_field_in_use() -> void:
	grid.fill_solid_region(grid.region, false)
	grid.region = Rect2i(0, 0, 700, 700)
	var field := watched([Vector2i(3, 3)])
	field.budget_usec = 300
	check(await wait_until(field.is_ready), "it gets there")
	field.goals = [Vector2i(690, 690)]
	await frames(1)
	var waited := 0
	var limit := Limit.new(30.0)
	while field.get_cost(Vector2i(690, 690)) > 0.0 and not limit.is_over():
		check_eq(field.get_cost(Vector2i(3, 3)), 0.0, "whole, or swapped")
		waited += 1
		await frames(1)
	check(waited > 1, "not in one frame")
	check_eq(updates.size(), 2)
	check_some_costs(field, Vector2i(690, 690))


func test_updates_have_a_largest_rate_and_an_off_switch() -> void:
	grid.fill_solid_region(grid.region, false)
	var field := watched([Vector2i(3, 5)])
	await frames(3)
	field.max_updates_per_second = 2.0
	var begun := Time.get_ticks_msec()
	var count := updates.size()
	for edit: int in 30:
		grid.set_point_solid(Vector2i(5 + edit % 2, 7), edit % 4 < 2)
		await frames(1)
	var seconds := (Time.get_ticks_msec() - begun) / 1000.0
	check(
		updates.size() - count <= 1 + ceili(seconds * 2.0), "%d in %f s" % [updates.size(), seconds]
	)
	field.max_updates_per_second = 0.0
	field.auto_update = false
	await frames(2)
	count = updates.size()
	grid.fill_solid_region(Rect2i(10, 10, 2, 2))
	field.goals = [Vector2i(6, 6)]
	await frames(3)
	check_eq(updates.size(), count, "off")
	field.rebuild()
	check_eq([updates.size(), field.get_cost(Vector2i(6, 6))], [count + 1, 0.0], "by hand")


func test_a_build_on_another_thread_leaves_the_old_field_in_use() -> void:
	grid.fill_solid_region(grid.region, false)
	grid.region = Rect2i(0, 0, 500, 500)
	var field := watched([Vector2i(3, 3)])
	field.threaded = true
	field.goals = [Vector2i(3, 3)]
	var is_there := func() -> bool: return field.get_cost(Vector2i(3, 3)) == 0.0
	check(await wait_until(is_there), "the first field")
	field.goals = [Vector2i(490, 490)]
	await frames(1)
	# Edits of the map while it is built.
	var waited := 0
	var limit := Limit.new(30.0)
	while field.get_cost(Vector2i(490, 490)) > 0.0 and not limit.is_over():
		check_eq(field.get_cost(Vector2i(3, 3)), 0.0, "whole, or swapped")
		grid.set_point_solid(Vector2i(100 + waited % 50, 90), true)
		waited += 1
		await frames(1)
	check(not limit.is_over(), "it gets there")
	var behind_the_wall := Vector2i(120, 85)
	var cost := path_cost(behind_the_wall, Vector2i(490, 490), null, PathForgeGrid.GOAL_EXACT)
	var is_repaired := func() -> bool: return field.get_cost(behind_the_wall) == cost
	check(await wait_until(is_repaired), "it follows the last edits")
	check_some_costs(field, Vector2i(490, 490))
	field.max_cost = 20.0
	var far := func() -> bool: return field.get_cost(Vector2i(400, 400)) == INF
	check(await wait_until(far), "it keeps to its largest cost")
	check(field.get_cost(Vector2i(485, 490)) < 20.0, "and to what is near")


func test_a_field_freed_while_it_is_built_elsewhere() -> void:
	grid.fill_solid_region(grid.region, false)
	grid.region = Rect2i(0, 0, 600, 600)
	for _round: int in 5:
		var field := FlowField.new()
		field.grid = grid
		field.threaded = true
		field.goals = [Vector2i(300, 300)]
		add(field)
		await frames(1)
		field.goals = [Vector2i(1, 1)]
		field.profile = body_of(Vector2i(2, 2))
		await frames(1)
		field.free()
	var last := watched([Vector2i(3, 3)])
	last.threaded = true
	await frames(1)
	last.rebuild()
	check_eq(last.get_cost(Vector2i(3, 3)), 0.0, "at once, whatever is under way")
	grid.region = Rect2i(0, 0, 50, 50)
	var is_small := func() -> bool: return last.get_cost_data().size() == 2500
	check(await wait_until(is_small), "the grid has another size")
	check_some_costs(last, Vector2i(3, 3))
