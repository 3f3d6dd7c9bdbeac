extends TestSuite
## The overlays draw whatever the grid is, and nothing that is not asked for.


func test_overlays_draw_without_errors() -> void:
	for shape: int in 3:
		var grid := PathForgeGrid.new()
		grid.cell_shape = shape
		grid.debug_enabled = true
		var map := ClearanceMap.new()
		map.debug_enabled = true
		grid.add_child(map)
		add(grid)
		await frames(2)
		grid.region = Rect2i(-5, -5, 40, 30)
		grid.fill_solid_region(Rect2i(3, 3, 4, 9))
		grid.fill_terrain_region(Rect2i(9, 3, 4, 9), 7)
		grid.fill_weight_scale_region(Rect2i(3, 13, 9, 9), 5.0)
		var profile := PathForgeProfile.new()
		profile.footprint = Vector2i(3, 2)
		grid.find_path(Vector2i(-5, -5), Vector2i(30, 20), profile)
		await frames(2)
		grid.find_path(Vector2i(4, 4), Vector2i(30, 20), profile)
		await frames(2)
		grid.find_path(Vector2i(0, 0), Vector2i(0, 0))
		await frames(2)
		grid.scale = Vector2(0.001, 0.001)
		await frames(2)
		grid.scale = Vector2.ZERO
		await frames(2)
		grid.scale = Vector2(40, 40)
		grid.rotation = 1.0
		await frames(2)
		grid.position = Vector2(1e7, 1e7)
		await frames(2)
		grid.clear()
		await frames(2)
		grid.debug_enabled = false
		map.debug_enabled = false
		await frames(2)
		grid.free()
	check(true, "no error was printed")


func test_a_large_map_is_drawn_in_part() -> void:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 8192, 8192)
	grid.debug_enabled = true
	grid.scale = Vector2(0.002, 0.002)
	var map := ClearanceMap.new()
	map.debug_enabled = true
	map.max_clearance = 8
	grid.add_child(map)
	add(grid)
	await frames(3)
	var usec := await quickest_usec(20, 2_000_000)
	check(usec < 2_000_000, "20 frames in which nothing changes took %d µs" % usec)
	grid.free()


func test_overlays_are_off_in_a_game_unless_asked_for() -> void:
	var grid := PathForgeGrid.new()
	var map := ClearanceMap.new()
	check_eq(grid.debug_enabled, false)
	check_eq(map.debug_enabled, false)
	check_eq(grid.debug_in_editor, true)
	grid.free()
	map.free()
