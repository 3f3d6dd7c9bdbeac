extends TestSuite
## Objects that are gone, and values that GDScript cannot check when it compiles.


func test_orders_leave_out_a_led_unit_that_was_freed() -> void:
	var grid := _small_grid()
	grid.region = Rect2i(0, 0, 60, 40)
	add(grid)
	var crowd := PathForgeCrowd.new()
	grid.add_child(crowd)
	var ids := PackedInt32Array()
	var bodies: Array[Node2D] = []
	for index: int in 4:
		var body := CharacterBody2D.new()
		body.position = Vector2(40 + 40 * index, 80)
		body.add_child(PathForgeAgent2D.new())
		add(body)
		bodies.append(body)
		ids.append(_agent_of(body).get_agent_id())
	check_eq(crowd.assign_goal(ids, Vector2i(50, 30)), 4)
	await _walk(bodies, 10)
	bodies[1].queue_free()
	# It is freed at the end of this physics frame; the squad is sent on in the drawn frame after it.
	await frames(1)
	check(not is_instance_valid(bodies[1]), "it was freed")
	bodies.remove_at(1)
	check_eq(crowd.assign_march(ids, Vector2i(5, 35)), 3)
	check_eq(crowd.stop(ids), 3)
	check_eq(crowd.set_agent_priority(ids, 0.7), 3)
	check_eq(crowd.assign_goal(ids, Vector2i(5, 35)), 3)
	await _walk(bodies, 30)
	for body: Node2D in bodies:
		check(_agent_of(body).get_next_velocity(60.0).y > 10.0, "down to the new goal")


func test_orders_need_a_grid() -> void:
	var grid := _small_grid()
	var crowd := PathForgeCrowd.new()
	var field := FlowField.new()
	for node: Node in [grid, crowd, field]:
		add(node)
	var ids := crowd.add_agents([Vector2(24, 24)])
	var path := grid.find_path(Vector2i.ONE, Vector2i(3, 3))
	grid.free()
	var orders: Dictionary[String, Array] = {
		"assign_goal": [ids, Vector2i.ZERO],
		"assign_march": [ids, Vector2i.ZERO],
		"assign_formation": [ids, Vector2i.ZERO, PackedVector2Array([Vector2(8, 8)])],
		"assign_path": [ids, path],
		"assign_field": [ids, field],
	}
	for order: String in orders:
		expect_errors(1, "PathForgeCrowd.%s: there is no grid" % order)
		check_eq(crowd.callv(order, orders[order]), 0, order)
	check_eq(crowd.stop(ids), 1)


func test_an_overlay_outlives_the_grid_of_its_space() -> void:
	var grids: Array[PathForgeGrid] = [_small_grid(), _small_grid()]
	for grid: PathForgeGrid in grids:
		grid.debug_enabled = true
		add(grid)
	var space := PathForgeSpace3D.new()
	add(space)
	space.grid = grids[0]
	space.debug_enabled = true
	await frames(3)
	check_eq(space.get_child_count(true), 2, "a picture and what it lies on")
	var first := space.get_child(0, true)
	grids[0].queue_free()
	space.grid = grids[1]
	await frames(3)
	check_eq(space.get_child_count(true), 2, "of the other grid")
	check_ne(space.get_child(0, true), first, "a new one")
	grids[1].free()
	await frames(3)
	check_eq(space.get_child_count(true), 0, "none without a grid")


func test_a_clearance_map_outlives_its_grid() -> void:
	var grid := _small_grid()
	var map := ClearanceMap.new()
	map.debug_enabled = true
	add(map)
	map.grid = grid
	check_eq(map.get_clearance(Vector2i.ZERO), 4)
	await frames(2)
	grid.free()
	await frames(2)
	check_eq(map.grid, null)
	expect_errors(1, "ClearanceMap.get_clearance: there is no grid")
	check_eq(map.get_clearance(Vector2i.ZERO), 0)


func test_paths_and_textures_outlive_their_grid() -> void:
	var grid := _small_grid()
	grid.position = Vector2(100, 0)
	var path := grid.find_path(Vector2i.ZERO, Vector2i(3, 0))
	var map := ClearanceMap.new()
	map.grid = grid
	var texture := map.get_clearance_texture()
	map.free()
	grid.free()
	check_eq(path.cells.size(), 4)
	check_eq(path.positions[0], Vector2(8, 8))
	check_eq(path.get_global_positions()[0], Vector2(108, 8))
	check_eq(texture.get_size(), Vector2(4, 4))


func test_a_freed_node_in_a_variable_of_its_class() -> void:
	var grid := _small_grid()
	var crowd := PathForgeCrowd.new()
	var agent := PathForgeAgent2D.new()
	agent.crowd = crowd
	agent.grid = grid
	grid.free()
	crowd.free()
	expect_errors(2, "PathForgeAgent2D.crowd: the node was freed")
	expect_errors(1, "PathForgeAgent2D.grid: the node was freed")
	# As GDScript calls them where it knows the types: with what the variable points to.
	agent.crowd = crowd
	agent.set_crowd(crowd)
	agent.set_grid(grid)
	check_eq(agent.crowd, null)
	agent.free()


func test_values_of_the_wrong_type() -> void:
	var grid := _small_grid()
	var before := grid.state_hash()
	expect_errors(13, "godot-rust function call failed: PathForgeGrid::set_")
	for wrong: Variant in ["text", null, 3.5, {}, Vector2(1, 1)]:
		grid.set("region", wrong)
		grid.set("cell_size", wrong)
		grid.set("diagonal_mode", wrong)
	check_eq(grid.state_hash(), before)
	check(grid.cell_size.x > 0.0, "the cell size is still one")
	grid.free()


func test_a_profile_of_another_class() -> void:
	var grid := _small_grid()
	var profile := PathForgeProfile.new()
	profile.set_script(GDScript.new())
	check_eq(grid.find_path(Vector2i.ZERO, Vector2i.ONE, profile).is_complete(), true)
	grid.free()


func _small_grid() -> PathForgeGrid:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 4, 4)
	return grid


func _agent_of(body: Node2D) -> PathForgeAgent2D:
	return body.get_child(0)


func _walk(bodies: Array[Node2D], count: int) -> void:
	for _frame: int in count:
		await physics_frames()
		for body: Node2D in bodies:
			body.position += _agent_of(body).get_next_velocity(60.0) / 60.0
