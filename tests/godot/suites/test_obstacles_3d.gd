extends TestSuite
## Obstacles as nodes of 3D: they block the cells below them, wherever the space lies, and the cells
## that one of 2D blocks.

const NO_SPACE := "there is no space; set `space`, or put the node below a PathForgeSpace3D"
const NO_GRID := "there is no grid; set `grid`, or put the node below a PathForgeGrid"

var grid: PathForgeGrid
var space: PathForgeSpace3D


func before_each() -> void:
	grid = PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 20, 12)
	grid.cell_size = Vector2.ONE
	add(grid)
	space = PathForgeSpace3D.new()
	grid.add_child(space)


func _obstacle_at(position: Vector3, size := Vector2i.ONE) -> PathForgeObstacle3D:
	var obstacle := PathForgeObstacle3D.new()
	obstacle.footprint = size
	obstacle.position = position
	add(obstacle)
	return obstacle


func _blocked() -> Array[Vector2i]:
	var blocked: Array[Vector2i] = []
	for y: int in grid.region.size.y:
		for x: int in grid.region.size.x:
			if grid.has_obstacle_at(Vector2i(x, y)):
				blocked.append(Vector2i(x, y))
	return blocked


func test_it_blocks_the_cells_below_it_and_follows_its_node() -> void:
	var obstacle := _obstacle_at(Vector3(4.5, 30.0, 2.5))
	check_eq(_blocked(), [Vector2i(4, 2)] as Array[Vector2i], "when it is there, however high")
	check_eq(obstacle.get_cells(), Rect2i(4, 2, 1, 1))
	check_eq(grid.get_obstacle(obstacle.get_obstacle_id()), Rect2i(4, 2, 1, 1), "on the grid")
	obstacle.position.x = 9.5
	await frames(2)
	check_eq(_blocked(), [Vector2i(9, 2)] as Array[Vector2i], "in the next frame")
	obstacle.position.z = 5.5
	obstacle.update_cells()
	check_eq(_blocked(), [Vector2i(9, 5)] as Array[Vector2i], "or at once")
	obstacle.position = Vector3(10.0, 0.0, 5.5)
	obstacle.update_cells()
	check_eq(obstacle.get_cells(), Rect2i(9, 5, 2, 1), "every cell that it touches")
	obstacle.enabled = false
	obstacle.update_cells()
	check_eq(_blocked(), [] as Array[Vector2i], "off")
	check_eq(obstacle.get_obstacle_id(), -1)
	obstacle.enabled = true
	obstacle.obstacle_layers = 2
	obstacle.update_cells()
	var profile := PathForgeProfile.new()
	profile.ignored_obstacle_layers = 2
	check(grid.can_stand(Vector2i(9, 5), profile), "on its layer")
	check(not grid.can_stand(Vector2i(9, 5)), "in the way of others")
	obstacle.free()
	check_eq(_blocked(), [] as Array[Vector2i], "freed")


func test_it_covers_what_one_of_2d_covers() -> void:
	var plane := PathForgeGrid.new()
	plane.region = grid.region
	plane.cell_size = Vector2(2.0, 0.5)
	add(plane)
	space.cell_size = plane.cell_size
	var sizes: Array[Vector2i] = [Vector2i.ONE, Vector2i(3, 1), Vector2i(2, 4)]
	for size: Vector2i in sizes:
		var flat := PathForgeObstacle2D.new()
		flat.grid = plane
		flat.footprint = size
		add(flat)
		var solid := _obstacle_at(Vector3.ZERO, size)
		solid.space = space
		for step: int in 60:
			flat.position = Vector2(step * 0.71, step * 0.093)
			solid.position = Vector3(flat.position.x, sin(step), flat.position.y)
			flat.update_cells()
			solid.update_cells()
			check_eq(solid.get_cells(), flat.get_cells(), "%s at %s" % [size, flat.position])
		flat.free()
		solid.free()


func test_a_space_may_be_moved_turned_and_scaled() -> void:
	var obstacle := _obstacle_at(Vector3.ZERO, Vector2i(2, 1))
	var profile := PathForgeProfile.new()
	profile.footprint = Vector2i(2, 1)
	for basis: Basis in [
		Basis.from_euler(Vector3(0.0, 1.2, 0.0)),
		Basis.from_euler(Vector3(0.4, 1.9, -0.3)).scaled(Vector3(3.0, 0.5, 1.25)),
		Basis.from_scale(Vector3(1.0, -1.0, 1.0)),
	]:
		space.transform = Transform3D(basis, Vector3(40.0, -3.0, 12.5))
		obstacle.position = space.cell_to_global(Vector2i(7, 3), profile)
		obstacle.update_cells()
		check_eq(obstacle.get_cells(), Rect2i(7, 3, 2, 1), "on its cells")
	space.transform = Transform3D.IDENTITY
	obstacle.position = Vector3(5.0, 0.0, 5.5)
	obstacle.update_cells()
	space.position.x = -3.0
	await frames(2)
	check_eq(obstacle.get_cells(), Rect2i(7, 5, 2, 1), "the space has moved below it")
	space.scale = Vector3(1.0, 0.0, 1.0)
	await frames(2)
	check_eq(_blocked(), [] as Array[Vector2i], "flattened to nothing: there are no cells")
	space.scale = Vector3.ONE
	await frames(2)
	check_eq(obstacle.get_cells(), Rect2i(7, 5, 2, 1), "and back")


func test_walkers_go_round_it_and_its_own_walks_through() -> void:
	grid.fill_solid_region(Rect2i(9, 0, 1, 12), true)
	grid.fill_solid_region(Rect2i(9, 5, 1, 2), false)
	var plug := _obstacle_at(Vector3(9.5, 0.0, 5.5))
	var body: CharacterBody3D = add(CharacterBody3D.new())
	body.motion_mode = CharacterBody3D.MOTION_MODE_FLOATING
	var agent := PathForgeAgent3D.new()
	var own := PathForgeObstacle3D.new()
	agent.add_child(own)
	body.add_child(agent)
	body.position = Vector3(3.5, 0.0, 5.5)
	agent.target_position = Vector3(15.5, 0.0, 5.5)
	var entered := false
	for frame: int in 1200:
		await physics_frames(1)
		body.velocity = agent.get_next_velocity(4.0)
		body.move_and_slide()
		var cell := space.global_to_cell(body.position)
		check(cell != Vector2i(9, 5), "not through the plug")
		entered = entered or cell == Vector2i(9, 6)
		if agent.is_navigation_finished():
			break
	check(agent.is_target_reached(), "it is there, at %s" % body.position)
	check(entered, "by the gap beside the plug")
	check(own.get_cells().has_point(Vector2i(15, 5)), "its obstacle came along")
	plug.position.z = 6.5
	plug.update_cells()
	check(grid.is_reachable(Vector2i(3, 5), Vector2i(12, 5)), "the plug has moved")


func test_freed_and_reparented() -> void:
	# Once for the space that is gone, and once for the next one.
	expect_warnings(2, NO_SPACE)
	var obstacle := _obstacle_at(Vector3(4.5, 0.0, 2.5))
	var elsewhere: Node3D = add(Node3D.new())
	elsewhere.position.x = 2.0
	obstacle.reparent(elsewhere, false)
	await frames(2)
	check_eq(_blocked(), [Vector2i(6, 2)] as Array[Vector2i], "below another parent")
	root.remove_child(elsewhere)
	check_eq(_blocked(), [] as Array[Vector2i], "out of the tree")
	root.add_child(elsewhere)
	check_eq(_blocked(), [Vector2i(6, 2)] as Array[Vector2i], "and back")
	space.free()
	await frames(2)
	check_eq(_blocked(), [] as Array[Vector2i], "without its space")
	space = PathForgeSpace3D.new()
	grid.add_child(space)
	await frames(2)
	check_eq(_blocked(), [Vector2i(6, 2)] as Array[Vector2i], "another one is found")
	grid.free()
	await frames(2)
	check_eq(obstacle.get_obstacle_id(), -1, "nothing is left to block")


func test_without_a_space_or_a_grid_it_says_so_once() -> void:
	expect_warnings(1, NO_SPACE)
	expect_warnings(1, NO_GRID)
	expect_warnings(1, "PathForgeObstacle3D (")
	expect_warnings(1, "PathForgeSpace3D (")
	grid.remove_child(space)
	var obstacle := _obstacle_at(Vector3(4.5, 0.0, 2.5))
	await frames(5)
	check_eq(obstacle.get_cells(), Rect2i(), "it blocks nothing")
	var level: Node3D = add(Node3D.new())
	var bare := PathForgeSpace3D.new()
	level.add_child(bare)
	root.remove_child(grid)
	obstacle.space = bare
	await frames(5)
	check_eq(obstacle.get_cells(), Rect2i(), "nor there")
	bare.grid = grid
	await frames(2)
	check_eq(obstacle.get_cells(), Rect2i(4, 2, 1, 1), "until there is a grid")
	bare.grid = null
	grid.add_child(space)
	root.add_child(grid)
	await frames(1)


func test_bad_values_are_refused() -> void:
	var obstacle := _obstacle_at(Vector3(4.5, 0.0, 2.5))
	expect_errors(3, "PathForgeObstacle3D.footprint")
	for bad: Vector2i in [Vector2i.ZERO, Vector2i(-1, 2), Vector2i(65, 1)]:
		obstacle.footprint = bad
	check_eq(obstacle.footprint, Vector2i.ONE)
	expect_errors(2, "PathForgeObstacle3D.obstacle_layers")
	obstacle.obstacle_layers = -1
	obstacle.obstacle_layers = 1 << 40
	obstacle.position = Vector3(NAN, 0.0, 0.0)
	obstacle.update_cells()
	check_eq(_blocked(), [] as Array[Vector2i], "it is nowhere")
	obstacle.position = Vector3(1e30, 0.0, -1e30)
	obstacle.update_cells()
	check_eq(_blocked(), [] as Array[Vector2i], "or far away")
	obstacle.position = Vector3(4.5, 0.0, 2.5)
	obstacle.update_cells()
	check_eq(_blocked(), [Vector2i(4, 2)] as Array[Vector2i], "and back")
