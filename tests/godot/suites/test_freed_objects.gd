extends TestSuite
## Objects that are gone, and values that GDScript cannot check when it compiles.


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


func test_a_freed_grid_as_an_argument() -> void:
	var grid := _small_grid()
	var map := ClearanceMap.new()
	var values: Array = [grid]
	grid.free()
	expect_errors(1, "ClearanceMap::set_grid()")
	map.set("grid", values[0])
	check_eq(map.grid, null)
	map.free()


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
