extends HouseSuite
## A house of two floors on one grid: positions, heights, clicks and overlays, and bad input.


func test_each_floor_lays_its_own_cells_at_its_node() -> void:
	check_eq(upper_floor.floor_region, Rect2i(21, 0, 20, 16))
	check_eq(ground_floor.cell_to_global(Vector2i(3, 4)), Vector3(3.5, 0.0, 4.5))
	check_eq(upper_floor.cell_to_global(Vector2i(24, 4)), Vector3(3.5, STOREY, 4.5))
	check_eq(ground_floor.cell_to_global(Vector2i(24, 4)), Vector3(3.5, STOREY, 4.5), "from any")
	check_eq(ground_floor.global_to_cell(Vector3(3.5, 0.0, 4.5)), Vector2i(3, 4))
	check_eq(upper_floor.global_to_cell(Vector3(3.5, 99.0, 4.5)), Vector2i(24, 4))
	var cells: Array[Vector2i] = [
		Vector2i(0, 0), Vector2i(19, 15), Vector2i(21, 0), Vector2i(40, 15)
	]
	var positions := upper_floor.cells_to_global(cells)
	check_eq(positions[2], Vector3(0.5, STOREY, 0.5))
	for at: int in cells.size():
		var on: PathForgeSpace3D = ground_floor.floor_at(positions[at])
		check_eq(on, ground_floor if at < 2 else upper_floor, "%s" % cells[at])
		check_eq(on.global_to_cell(positions[at]), cells[at])
	for beside: Vector3 in [Vector3(-0.5, 0, 1), Vector3(20.5, 0, 1), Vector3(1, 0, 16.5)]:
		check_eq(ground_floor.global_to_cell(beside), Vector2i.MIN, "%s" % beside)
		check_eq(ground_floor.to_plane(beside), Vector2.INF)
		check_eq(ground_floor.floor_at(beside), null)
	check_eq(upper_floor.to_plane(Vector3(1.5, 0, 2.5)), Vector2(22.5, 2.5))
	check_eq(ground_floor.to_space(Vector2(22.5, 2.5)), Vector3(1.5, STOREY, 2.5))


func test_floors_may_be_moved_turned_and_scaled() -> void:
	upper_floor.transform = Transform3D(
		Basis.from_euler(Vector3(0.0, PI / 2.0, 0.0)).scaled(Vector3(2.0, 2.0, 2.0)),
		Vector3(100.0, -7.0, 5.0)
	)
	for cell: Vector2i in [Vector2i(21, 0), Vector2i(30, 9), Vector2i(40, 15)]:
		var there := ground_floor.cell_to_global(cell)
		check_eq(upper_floor.global_to_cell(there), cell)
		check_eq(ground_floor.floor_at(there), upper_floor)
	var corner := upper_floor.cell_to_global(Vector2i(21, 0))
	check(corner.distance_to(Vector3(101.0, -7.0, 4.0)) < 1e-4, "%s" % corner)


func test_the_height_says_which_floor() -> void:
	for row: Array in [
		[-5.0, ground_floor],
		[0.0, ground_floor],
		[2.2, ground_floor],
		[2.3, upper_floor],
		[3.0, upper_floor],
		[50.0, upper_floor],
	]:
		var height: float = row[0]
		check_eq(ground_floor.floor_at(Vector3(3.5, height, 4.5)), row[1], "at %f" % height)
	upper_floor.set_region_height(Rect2i(24, 4, 1, 1), 1.0)
	check_eq(ground_floor.floor_at(Vector3(3.5, 2.9, 4.5)), ground_floor, "below a hill of it")
	check_eq(upper_floor.snap_to_ground(Vector3(3.5, 9.0, 4.5)), Vector3(3.5, 4.0, 4.5))
	check_eq(ground_floor.snap_to_ground(Vector3(3.5, 9.0, 4.5)), Vector3(3.5, 0.0, 4.5))
	check_eq(ground_floor.get_height(Vector2i(24, 4)), 0.0)
	check_eq(upper_floor.get_height_data().size(), 20 * 16)
	expect_errors(1, "position")
	check_eq(ground_floor.floor_at(Vector3(NAN, 0, 0)), null)


func test_a_space_without_floor_region_is_as_before() -> void:
	upper_floor.floor_region = Rect2i()
	upper_floor.position = Vector3.ZERO
	check_eq(upper_floor.cell_to_global(Vector2i(24, 4)), Vector3(24.5, 0.0, 4.5))
	check_eq(upper_floor.global_to_cell(Vector3(-3.5, 0.0, 4.5)), Vector2i(-4, 4))
	check_eq(upper_floor.floor_at(Vector3(24.5, 0.0, 4.5)), upper_floor)
	check_eq(upper_floor.floor_at(Vector3(-3.5, 0.0, 4.5)), null)
	check_eq(ground_floor.floor_at(Vector3(3.5, 9.0, 4.5)), ground_floor, "no floor of the house")


func test_a_path_over_floors_lies_on_each() -> void:
	grid.add_link(Vector2i(10, 8), Vector2i(35, 8))
	var path := grid.find_path(Vector2i(2, 8), Vector2i(38, 8))
	check(path.is_complete(), "by the stairs")
	for on: PathForgeSpace3D in [ground_floor, upper_floor]:
		var positions := on.path_to_positions(path)
		check_eq(positions[0], Vector3(2.5, 0.0, 8.5))
		check_eq(positions[-1], Vector3(17.5, STOREY, 8.5))
		check(positions.has(Vector3(10.5, 0.0, 8.5)), "up from here: %s" % positions)
		check(positions.has(Vector3(14.5, STOREY, 8.5)), "to here: %s" % positions)
	_hilly(upper_floor)
	var hilly := ground_floor.path_to_positions(path)
	check(hilly.size() > 4, "over hills: %s" % hilly)
	for at: int in range(1, hilly.size()):
		var is_stairs := hilly[at - 1] == Vector3(10.5, 0.0, 8.5)
		var is_level := (hilly[at].y < 1.0) == (hilly[at - 1].y < 1.0)
		check(is_stairs or is_level, "no steps but the stairs")


func test_clicks_meet_the_upper_floor_or_the_one_that_is_asked() -> void:
	var from := Vector3(5.5, 20.0, 5.5)
	check(_near(ground_floor.intersect_ray(from, Vector3.DOWN), Vector3(5.5, STOREY, 5.5)), "upper")
	check(_near(upper_floor.intersect_ray(from, Vector3.DOWN), Vector3(5.5, STOREY, 5.5)), "upper")
	var hit := ground_floor.intersect_ray(from, Vector3.DOWN, true)
	check(_near(hit, Vector3(5.5, 0.0, 5.5)), "only the ground floor: %s" % hit)
	check_eq(ground_floor.floor_at(hit), ground_floor)
	check(
		_near(upper_floor.intersect_ray(from, Vector3.DOWN, true), Vector3(5.5, STOREY, 5.5)), "own"
	)
	check_eq(ground_floor.intersect_ray(Vector3(-5, 20, 5), Vector3.DOWN), Vector3.INF)
	# From the side, below the upper floor.
	hit = upper_floor.intersect_ray(Vector3(-2.0, 2.0, 5.5), Vector3(1.0, -0.4, 0.0))
	check(_near(hit, Vector3(3.0, 0.0, 5.5)), "%s" % hit)
	var closest := upper_floor.get_closest_point(Vector3(-4.0, 9.0, 5.5))
	check(_near(closest, Vector3(0.5, STOREY, 5.5)), "%s" % closest)
	grid.fill_solid_region(upper_floor.floor_region)
	check_eq(upper_floor.get_closest_point(Vector3(4.0, 0.0, 5.5)), Vector3.INF, "not below")


func test_heights_close_steps_on_each_floor() -> void:
	var cart := PathForgeProfile.new()
	cart.step_height = 0.5
	for on: PathForgeSpace3D in [ground_floor, upper_floor]:
		var first := on.floor_region.position
		on.set_region_height(Rect2i(first + Vector2i(5, 0), Vector2i(1, 16)), 2.0)
		await physics_frames(1)
		var far := first + Vector2i(12, 3)
		check(not grid.find_path(first, far, cart).is_complete(), "over a wall of %s" % first)
		check(grid.find_path(first, far).is_complete(), "for a goat")
	ground_floor.set_region_height(ground_floor.floor_region, 0.0)
	check(grid.find_path(Vector2i(0, 0), Vector2i(12, 3), cart).is_complete(), "flat again")
	check(not grid.find_path(Vector2i(21, 0), Vector2i(33, 3), cart).is_complete(), "not there")
	upper_floor.free()
	check(grid.find_path(Vector2i(21, 0), Vector2i(33, 3), cart).is_complete(), "freed")


func test_overlays_show_each_floor() -> void:
	grid.debug_enabled = true
	for on: PathForgeSpace3D in [ground_floor, upper_floor]:
		on.debug_enabled = true
	await frames(3)
	var meshes: Array[MeshInstance3D] = []
	for on: PathForgeSpace3D in [ground_floor, upper_floor]:
		for child: Node in on.get_children(true):
			if child is MeshInstance3D:
				meshes.append(child)
	check_eq(meshes.size(), 2, "one each")
	for at: int in meshes.size():
		var box := meshes[at].global_transform * meshes[at].get_aabb()
		check(_near(box.position, Vector3(0.0, at * STOREY, 0.0), 0.1), "%s" % box)
		check(_near(box.end, Vector3(20.0, at * STOREY, 16.0), 0.1), "%s" % box)
	ground_floor.debug_enabled = false
	await frames(3)
	upper_floor.free()
	await frames(3)


func test_bad_regions_are_told() -> void:
	expect_errors(2, "floor_region")
	ground_floor.floor_region = Rect2i(0, 0, -4, 4)
	ground_floor.floor_region = Rect2i(0, 0, 1 << 30, 4)
	check_eq(ground_floor.floor_region, Rect2i(0, 0, 20, 16), "kept")
	expect_errors(1, "storey_height")
	ground_floor.storey_height = -1.0
	expect_warnings(1, "shares cells")
	upper_floor.floor_region = Rect2i(19, 0, 20, 16)
	await physics_frames(3)
	upper_floor.floor_region = Rect2i(21, 0, 20, 16)
	await physics_frames(2)
	expect_warnings(2, "outside the grid's region")
	upper_floor.floor_region = Rect2i(30, 0, 20, 16)
	await physics_frames(3)
	check_eq(upper_floor.get_height_data().size(), 11 * 16, "what is inside")
	upper_floor.floor_region = Rect2i(100, 0, 20, 16)
	await physics_frames(3)
	check_eq(upper_floor.get_height_data().size(), 0)
	expect_errors(1, "has no cells in the grid's region")
	check(not upper_floor.import_navigation_mesh(_quad(0.0)), "nowhere")
