extends TestSuite
## One-way cells of [PathForgeGrid]: set, read, drawn, saved, copied, and open to all that walk.

var _grid: PathForgeGrid = null


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(-2, -1, 4, 3)
	add(_grid)


func test_cells_are_set_and_read() -> void:
	var changes: Array[Rect2i] = []
	_grid.cells_changed.connect(func(region: Rect2i) -> void: changes.append(region))
	_grid.set_point_one_way(Vector2i(1, 0))
	_grid.set_point_one_way(Vector2i(1, 0))
	check_eq(_grid.is_point_one_way(Vector2i(1, 0)), true)
	check_eq(_grid.is_point_solid(Vector2i(1, 0)), false)
	check_eq(_grid.get_one_way_data(), PackedByteArray([0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]))
	_grid.fill_one_way_region(Rect2i(-9, 1, 30, 30))
	check_eq(_grid.get_one_way_data().count(1), 5)
	_grid.set_point_one_way(Vector2i(1, 0), false)
	check_eq(_grid.is_point_one_way(Vector2i(1, 0)), false)
	_grid.set_one_way_data(PackedByteArray([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]))
	check_eq(_grid.get_one_way_data(), PackedByteArray([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]))
	check_eq(changes.size(), 4, str(changes))
	check_eq(changes[0], Rect2i(1, 0, 1, 1))


func test_paths_that_walk_do_not_see_them() -> void:
	_grid.set_from_text("...\n===\n...")
	check_eq(_grid.is_point_one_way(Vector2i(-1, 0)), true)
	var path := _grid.find_path(Vector2i(-1, -1), Vector2i(-1, 1))
	check_eq(path.cost, 2.0)


func test_they_are_kept_saved_and_copied() -> void:
	_grid.set_from_text("..=.\n..=.\n####")
	_grid.region = Rect2i(-3, -1, 6, 3)
	var data := _grid.get_one_way_data()
	check_eq(data.count(1), 2, "the region keeps them")
	var hash_before := _grid.state_hash()
	var bytes := _grid.to_bytes()
	var copy: PathForgeGrid = add(PathForgeGrid.new())
	check_eq(copy.from_bytes(bytes), true)
	check_eq([copy.get_one_way_data(), copy.state_hash()], [data, hash_before])
	var part := _grid.copy_cells(_grid.region)
	_grid.fill_one_way_region(_grid.region, false)
	check_eq(_grid.state_hash() != hash_before, true)
	_grid.paste_cells(part)
	check_eq([_grid.get_one_way_data(), _grid.state_hash()], [data, hash_before])
	var scene := PackedScene.new()
	check_eq(scene.pack(_grid), OK)
	var loaded := scene.instantiate() as PathForgeGrid
	add(loaded)
	check_eq(loaded.get_one_way_data(), data)


func test_what_makes_no_sense_is_an_error() -> void:
	expect_errors(1, "PathForgeGrid.set_point_one_way: cell (9, 0) is outside the region")
	_grid.set_point_one_way(Vector2i(9, 0))
	expect_errors(1, "PathForgeGrid.is_point_one_way: cell (9, 0) is outside the region")
	check_eq(_grid.is_point_one_way(Vector2i(9, 0)), false)
	expect_errors(1, "PathForgeGrid.fill_one_way_region: region [")
	_grid.fill_one_way_region(Rect2i(0, 0, -1, 2))
	expect_errors(1, "PathForgeGrid.set_one_way_data: the array has 3 elements")
	_grid.set_one_way_data(PackedByteArray([1, 2, 3]))
	check_eq(_grid.get_one_way_data().count(1), 0)
