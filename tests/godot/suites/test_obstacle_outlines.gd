extends TestSuite
## Obstacles by radius and vertices, as Godot's own have them, in 2D and in 3D: they cover the cells
## that the outline overlaps, which brute force says, too.

const NOTCHED: PackedVector2Array = [
	Vector2(-3, -2), Vector2(3, -2), Vector2(3, 2), Vector2(1, 2), Vector2(1, -1), Vector2(-3, 2)
]
## Shares of a cell below this are too small to say whether they count.
const UNSURE := 1e-3

var _grid: PathForgeGrid
var _space: PathForgeSpace3D
var _random := RandomNumberGenerator.new()


func before_each() -> void:
	_random.seed = 5
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, 20, 14)
	_grid.cell_size = Vector2(16, 16)
	add(_grid)
	_space = PathForgeSpace3D.new()
	_space.cell_size = Vector2(1.5, 0.75)
	_grid.add_child(_space)


func test_vertices_cover_the_cells_that_they_overlap() -> void:
	var flat: PathForgeObstacle2D = add(PathForgeObstacle2D.new())
	flat.grid = _grid
	flat.vertices = Transform2D(0.0, Vector2(12, 12), 0.0, Vector2.ZERO) * NOTCHED
	for step: int in 40:
		flat.position = _any_place() * 16.0
		flat.rotation = _random.randf() * TAU
		flat.scale = Vector2(_random.randf_range(0.2, 2.0), _random.randf_range(0.2, 2.0))
		flat.update_cells()
		var to_cells := Transform2D(0.0, Vector2.ONE / 16.0, 0.0, Vector2.ZERO)
		_compare(to_cells * (flat.transform * flat.vertices), "step %d" % step)
	flat.free()
	check_eq(_count(), 0, "freed")


func test_vertices_in_space_cover_the_cells_below_them() -> void:
	var solid: PathForgeObstacle3D = add(PathForgeObstacle3D.new())
	solid.space = _space
	var corners := PackedVector3Array()
	for corner: Vector2 in NOTCHED:
		corners.append(Vector3(corner.x, _random.randf(), corner.y))
	solid.vertices = corners
	check_eq(solid.vertices, corners, "as they were set")
	_space.transform = Transform3D(Basis.from_euler(Vector3(0.0, 0.4, 0.0)), Vector3(7, -2, 3))
	for step: int in 40:
		var place := _any_place() * _space.cell_size
		solid.position = _space.transform * Vector3(place.x, 30.0, place.y)
		solid.rotation.y = _random.randf() * TAU
		solid.update_cells()
		var outline := PackedVector2Array()
		for corner: Vector3 in corners:
			var local := _space.transform.affine_inverse() * (solid.transform * corner)
			outline.append(Vector2(local.x, local.z) / _space.cell_size)
		_compare(outline, "step %d" % step)


func test_a_radius_covers_a_circle() -> void:
	var flat: PathForgeObstacle2D = add(PathForgeObstacle2D.new())
	flat.grid = _grid
	for step: int in 40:
		flat.radius = _random.randf_range(2.0, 60.0)
		flat.position = _any_place() * 16.0
		flat.update_cells()
		var center := flat.position / 16.0
		var radius := flat.radius / 16.0
		var wrong: Array[Vector2i] = []
		for cell: Vector2i in _cells():
			var off := center.distance_to(center.clamp(Vector2(cell), Vector2(cell) + Vector2.ONE))
			if absf(off - radius) > radius * 0.01 and (off < radius) != _grid.has_obstacle_at(cell):
				wrong.append(cell)
		check(wrong.is_empty(), "step %d: %s" % [step, wrong])


func test_both_count_and_without_them_the_footprint() -> void:
	var flat: PathForgeObstacle2D = add(PathForgeObstacle2D.new())
	flat.grid = _grid
	flat.footprint = Vector2i(3, 1)
	flat.position = Vector2(160 + 8, 96 + 8)
	flat.update_cells()
	var id := flat.get_obstacle_id()
	check_eq(flat.get_cells(), Rect2i(9, 6, 3, 1), "the footprint")
	flat.radius = 7.0
	flat.update_cells()
	check_eq(flat.get_cells(), Rect2i(10, 6, 1, 1), "the circle instead")
	flat.vertices = [Vector2(25, 25), Vector2(39, 25), Vector2(39, 39)]
	flat.update_cells()
	check_eq(flat.get_cells(), Rect2i(10, 6, 3, 3), "around both")
	check_eq(_count(), 2, "the cell of the circle and that of the triangle")
	check_eq(flat.get_obstacle_id(), id, "one obstacle")
	check_eq(_grid.get_obstacles_at(Vector2i(12, 8)), PackedInt64Array([id]))
	check_eq(_grid.get_obstacles_at(Vector2i(11, 7)), PackedInt64Array(), "between them")
	var profile := PathForgeProfile.new()
	profile.ignored_obstacles = [id]
	check(_grid.can_stand(Vector2i(12, 8), profile), "its own")
	check(not _grid.can_stand(Vector2i(12, 8)), "in the way of others")
	flat.vertices = []
	flat.radius = 0.0
	flat.update_cells()
	check_eq(flat.get_cells(), Rect2i(9, 6, 3, 1), "the footprint again")


func test_it_follows_its_node_and_the_region() -> void:
	var flat: PathForgeObstacle2D = add(PathForgeObstacle2D.new())
	flat.grid = _grid
	flat.vertices = [Vector2(-8, -8), Vector2(24, -8), Vector2(24, 8), Vector2(-8, 8)]
	flat.position = Vector2(40, 40)
	await frames(2)
	check_eq(flat.get_cells(), Rect2i(2, 2, 2, 1))
	var told: Array[Rect2i] = []
	_grid.cells_changed.connect(func(region: Rect2i) -> void: told.append(region))
	await frames(3)
	check(told.is_empty(), "at rest it changes nothing")
	flat.rotation = PI / 2.0
	await frames(2)
	check_eq(flat.get_cells(), Rect2i(2, 2, 1, 2), "turned")
	flat.position = Vector2(19 * 16 + 8, 8)
	flat.rotation = 0.0
	await frames(2)
	check_eq(flat.get_cells(), Rect2i(19, 0, 1, 1), "cut off by the region")
	_grid.region = Rect2i(0, 0, 30, 14)
	await frames(2)
	check_eq(flat.get_cells(), Rect2i(19, 0, 2, 1), "which has grown")
	flat.position = Vector2(1e9, 0)
	await frames(2)
	check_eq(_count(), 0, "far away")


func test_bad_values_are_refused() -> void:
	var flat: PathForgeObstacle2D = add(PathForgeObstacle2D.new())
	flat.grid = _grid
	flat.vertices = NOTCHED
	flat.radius = 3.0
	expect_errors(3, "PathForgeObstacle2D.radius")
	for bad: float in [-1.0, NAN, INF]:
		flat.radius = bad
	check_eq(flat.radius, 3.0)
	expect_errors(1, "PathForgeObstacle2D.vertices: 2 vertices have no area")
	flat.vertices = [Vector2.ZERO, Vector2.ONE]
	expect_errors(1, "PathForgeObstacle2D.vertices: [1] is (NaN, 0, 0), not finite")
	flat.vertices = [Vector2.ZERO, Vector2(NAN, 0), Vector2.ONE]
	expect_errors(1, "PathForgeObstacle2D.vertices: 4 vertices have no area")
	flat.vertices = [Vector2(0, 0), Vector2(9, 9), Vector2(9, 0), Vector2(0, 9)]
	check_eq(flat.vertices, NOTCHED, "as they were")
	var solid: PathForgeObstacle3D = add(PathForgeObstacle3D.new())
	solid.space = _space
	expect_errors(1, "PathForgeObstacle3D.vertices: 3 vertices have no area")
	solid.vertices = [Vector3.ZERO, Vector3.UP, Vector3(1, 2, 0)]
	check_eq(solid.vertices.size(), 0)


func _compare(outline: PackedVector2Array, label: String) -> void:
	var wrong: Array[Vector2i] = []
	if Geometry2D.is_polygon_clockwise(outline):
		outline.reverse()
	for cell: Vector2i in _cells():
		var at := Vector2(cell)
		var square := PackedVector2Array(
			[at, at + Vector2.DOWN, at + Vector2.ONE, at + Vector2.RIGHT]
		)
		if Geometry2D.is_polygon_clockwise(square):
			square.reverse()
		var share := 0.0
		for part: PackedVector2Array in Geometry2D.intersect_polygons(outline, square):
			var area := 0.0
			for k: int in part.size():
				area += (part[k] - at).cross(part[(k + 1) % part.size()] - at) / 2.0
			share += absf(area)
		var is_sure := share == 0.0 or share > UNSURE
		if is_sure and (share > UNSURE) != _grid.has_obstacle_at(cell):
			wrong.append(cell)
	check(wrong.is_empty(), "%s: %s" % [label, wrong])


func _any_place() -> Vector2:
	return Vector2(_random.randf_range(-2.0, 22.0), _random.randf_range(-2.0, 16.0))


func _cells() -> Array[Vector2i]:
	var cells: Array[Vector2i] = []
	for y: int in _grid.region.size.y:
		for x: int in _grid.region.size.x:
			cells.append(Vector2i(x, y))
	return cells


func _count() -> int:
	var count := 0
	for cell: Vector2i in _cells():
		count += int(_grid.has_obstacle_at(cell))
	return count
