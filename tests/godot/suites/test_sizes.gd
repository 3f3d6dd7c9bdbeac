extends TestSuite
## Units of every size on one map: the picture of the source, a wall with a narrow and a wide gap.

## The wall is column 9: one gap of one cell in row 1, one of three cells in rows 8 to 10.
const WALL := """
	.........#..........
	....................
	.........#..........
	.........#..........
	.........#..........
	.........#..........
	.........#..........
	.........#..........
	....................
	....................
	....................
	.........#..........
	"""
const WALL_X := 9

var _grid: PathForgeGrid = null


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.set_from_text(WALL)
	add(_grid)


func test_one_cell_goes_through_the_narrow_gap() -> void:
	var path := _path(Vector2i.ONE)
	check_eq(path.is_complete(), true)
	check(Vector2i(WALL_X, 1) in path.cells, "through the narrow gap: %s" % [path.cells])


func test_three_by_three_goes_through_the_wide_gap() -> void:
	var path := _path(Vector2i(3, 3))
	check_eq(path.is_complete(), true)
	check(Vector2i(WALL_X, 8) in path.cells, "through the wide gap: %s" % [path.cells])
	_check_no_wall_is_clipped(path, Vector2i(3, 3))


func test_every_size_takes_what_it_fits() -> void:
	for size: Vector2i in [Vector2i(2, 2), Vector2i(4, 2), Vector2i(1, 3), Vector2i(4, 1)]:
		var path := _path(size)
		check_eq(path.is_complete(), true, str(size))
		_check_no_wall_is_clipped(path, size)
		var narrow := size.y == 1
		check_eq(
			path.cells.any(func(cell: Vector2i) -> bool: return cell.y > 4), not narrow, str(size)
		)


func test_a_body_that_fits_nowhere_is_told_so() -> void:
	var path := _path(Vector2i(1, 4))
	check_eq(path.status, PathForgePath.STATUS_UNREACHABLE)
	check_eq(path.reason, PathForgePath.REASON_DISCONNECTED)


func test_doors_open_and_close() -> void:
	_grid.fill_solid_region(Rect2i(WALL_X, 8, 1, 3))
	check_eq(_path(Vector2i(3, 3)).reason, PathForgePath.REASON_DISCONNECTED)
	check_eq(_path(Vector2i.ONE).is_complete(), true)
	_grid.set_point_solid(Vector2i(WALL_X, 1))
	check_eq(_path(Vector2i.ONE).reason, PathForgePath.REASON_DISCONNECTED)
	_grid.fill_solid_region(Rect2i(WALL_X, 8, 1, 3), false)
	check_eq(_path(Vector2i(3, 3)).is_complete(), true)
	check_eq(_path(Vector2i.ONE).is_complete(), true)


func test_water_is_for_boats() -> void:
	_grid.fill_terrain_region(Rect2i(WALL_X, 0, 1, 12), 1)
	var walker := _profile(Vector2i.ONE)
	walker.terrain_mask = 1
	var boat := _profile(Vector2i.ONE)
	boat.terrain_mask = 3
	var start := Vector2i(2, 1)
	check_eq(_grid.is_reachable(start, Vector2i(15, 1), walker), false)
	check_eq(_grid.is_reachable(start, Vector2i(15, 1), boat), true)


func test_the_best_way_with_every_footprint_is_a_legal_way() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 3
	for edit: int in 80:
		_grid.set_point_solid(
			Vector2i(random.randi_range(0, 19), random.randi_range(0, 11)), edit % 3 == 0
		)
		var size := Vector2i(random.randi_range(1, 4), random.randi_range(1, 3))
		var path := _grid.find_path(
			Vector2i(1, 1), Vector2i(15, 8), _profile(size), PathForgeGrid.GOAL_NEAREST
		)
		_check_no_wall_is_clipped(path, size)


func _path(size: Vector2i) -> PathForgePath:
	return _grid.find_path(Vector2i(3, 1), Vector2i(14, 1), _profile(size))


func _profile(size: Vector2i) -> PathForgeProfile:
	var profile := PathForgeProfile.new()
	profile.footprint = size
	return profile


## The body stands on open cells at every step and, when it steps diagonally, on both sides.
func _check_no_wall_is_clipped(path: PathForgePath, size: Vector2i) -> void:
	var wrong: Array[Vector2i] = []
	var last := Vector2i.MIN
	for cell: Vector2i in path.cells:
		var places: Array[Vector2i] = [cell]
		if last != Vector2i.MIN and last.x != cell.x and last.y != cell.y:
			places.append_array([Vector2i(last.x, cell.y), Vector2i(cell.x, last.y)])
		for place: Vector2i in places:
			for data: Dictionary in _grid.get_point_data_in_region(Rect2i(place, size)):
				if data["solid"]:
					wrong.append(place)
			if not _grid.region.encloses(Rect2i(place, size)):
				wrong.append(place)
		last = cell
	check(wrong.is_empty(), "%s clips a wall at %s" % [size, wrong])
