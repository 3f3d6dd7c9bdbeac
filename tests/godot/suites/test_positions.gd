extends TestSuite
## The position closest to a point or a line at which a body fits, and random ones, on a grid and in
## space, beside the navigation server's answers on the same floor.

const ROOM := """
########
#......#
#......#
#....#.#
########
"""

var _grid: PathForgeGrid
var _space: PathForgeSpace3D


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.set_from_text(ROOM)
	add(_grid)
	_space = PathForgeSpace3D.new()
	_grid.add_child(_space)


func test_the_closest_position_on_a_grid() -> void:
	check_eq(_grid.get_closest_point(Vector2(61.25, 33.7)), Vector2(61.25, 33.7), "where it fits")
	check_eq(_grid.get_closest_point(Vector2(61.25, 3.0)), Vector2(61.25, 24.0), "out of a wall")
	check_eq(_grid.get_closest_point(Vector2(-50, -50)), Vector2(24, 24), "from outside")
	var wide := a_body(Vector2i(2, 2))
	check_eq(_grid.get_closest_point(Vector2(120, 50), wide), Vector2(96, 32), "a wide body")
	check_eq(_grid.get_closest_point(Vector2(75, 50), wide), Vector2(64, 48), "beside the pillar")
	check_eq(_grid.get_closest_point(Vector2.ZERO, a_body(Vector2i(9, 1))), Vector2.INF)
	var across := _grid.get_closest_point_to_segment(Vector2(0, 40), Vector2(200, 40))
	check_eq(across, Vector2(24, 40), "the first on a line")
	var above := _grid.get_closest_point_to_segment(Vector2(50, -9), Vector2(70, -4))
	check_eq(above, Vector2(70, 24), "beside a line")
	check_eq(_grid.get_closest_point_to_segment(Vector2.ONE, Vector2.ONE), Vector2(24, 24))


func test_distances_are_those_of_the_cells_shape() -> void:
	_grid.cell_size = Vector2(64, 4)
	_grid.fill_solid_region(_grid.region)
	_grid.set_point_solid(Vector2i(1, 1), false)
	_grid.set_point_solid(Vector2i(2, 4), false)
	check_eq(_grid.get_closest_point(Vector2(140, 6)), Vector2(160, 18), "wide cells")
	_grid.cell_shape = PathForgeGrid.CELL_SHAPE_ISOMETRIC_DOWN
	for cell: Vector2i in [Vector2i(1, 1), Vector2i(2, 4)]:
		var center := _grid.cell_to_local(cell)
		check_eq(_grid.get_closest_point(center + Vector2(1, 1)), center, "a diamond")


func test_random_positions() -> void:
	var rng := RandomNumberGenerator.new()
	var seen: Dictionary[Vector2, int] = {}
	rng.seed = 7
	for _draw: int in 400:
		var at := _grid.get_random_point(null, rng)
		check(_grid.can_stand(_grid.local_to_cell(at)), "%s is open" % at)
		seen[at] = seen.get(at, 0) + 1
	check_eq(seen.size(), 17, "every open cell comes up")
	rng.seed = 7
	var first := _grid.get_random_point(null, rng)
	var second := _grid.get_random_point(null, rng)
	rng.seed = 7
	check_eq(_grid.get_random_point(null, rng), first, "the same seed")
	rng.seed = 7
	check_eq(_space.get_random_point(null, rng), _space.to_space(first), "the same in space")
	check_eq(_space.get_random_point(null, rng), _space.to_space(second))
	var wide := a_body(Vector2i(3, 3))
	for _draw: int in 20:
		check(_grid.can_stand(_grid.local_to_cell(_grid.get_random_point(wide), wide), wide), "3×3")
	check_eq(_grid.get_random_point(a_body(Vector2i(9, 9))), Vector2.INF, "nowhere")
	check_eq(_space.get_random_point(a_body(Vector2i(9, 9))), Vector3.INF, "nowhere in space")


func test_positions_in_space_lie_on_the_ground() -> void:
	_space.transform = Transform3D(Basis.from_euler(Vector3(0.1, 0.7, 0.0)), Vector3(5, 1, -3))
	_space.set_region_height(Rect2i(4, 0, 4, 5), 3.0)
	for cell: Vector2i in [Vector2i(1, 1), Vector2i(6, 2)]:
		var center := _space.cell_to_global(cell)
		var up := _space.global_basis.y
		check(_space.get_closest_point(center + up * 9.0).distance_to(center) < 1e-4, "above")
		check(_space.get_closest_point(center - up * 2.0).distance_to(center) < 1e-4, "below")
		var eye := center + up * 20.0 + Vector3(3, 0, 4)
		var hit := _space.get_closest_point_to_segment(eye, center + (center - eye) * 0.1)
		check(hit.distance_to(center) < 0.02, "a click at %s meets %s" % [center, hit])
	# A click into a wall, and one beside the map.
	var wall := _space.cell_to_global(Vector2i(3, 0))
	var beside := _space.get_closest_point_to_segment(
		wall + Vector3(0, 9, 0), wall - Vector3(0, 9, 0)
	)
	check_eq(_space.global_to_cell(beside), Vector2i(3, 1), "out of a wall")
	var far := _space.to_global(Vector3(3.5, 0, -9))
	var off := _space.get_closest_point_to_segment(far + Vector3(0, 9, 0), far - Vector3(0, 9, 0))
	check_eq(_space.global_to_cell(off).y, 1, "from beside the map")
	check_eq(_space.get_closest_point(Vector3.ZERO, a_body(Vector2i(9, 9))), Vector3.INF)


## A floor in which the centre of a body of one cell may be, as cells and as polygons.
func test_the_navigation_server_answers_the_same() -> void:
	_grid.region = Rect2i(0, 0, 12, 12)
	_grid.fill_solid_region(_grid.region, false)
	_grid.fill_solid_region(Rect2i(6, 6, 6, 6))
	var polygon := NavigationPolygon.new()
	var low := 8.0
	var middle := 88.0
	var high := 184.0
	polygon.vertices = [
		Vector2(low, low),
		Vector2(high, low),
		Vector2(high, middle),
		Vector2(middle, middle),
		Vector2(low, middle),
		Vector2(middle, high),
		Vector2(low, high),
	]
	polygon.add_polygon([0, 1, 2, 3, 4])
	polygon.add_polygon([4, 3, 5, 6])
	var plane := NavigationRegion2D.new()
	plane.navigation_polygon = polygon
	add(plane)
	var mesh := NavigationMesh.new()
	var corners := PackedVector3Array()
	for corner: Vector2 in polygon.vertices:
		corners.append(Vector3(corner.x, 0.0, corner.y) / 16.0)
	mesh.vertices = corners
	mesh.add_polygon([3, 2, 1, 0, 4])
	mesh.add_polygon([6, 5, 3, 4])
	var ground := NavigationRegion3D.new()
	ground.navigation_mesh = mesh
	add(ground)
	var plane_map := plane.get_navigation_map()
	var ground_map := ground.get_navigation_map()
	var inside := Vector2(40, 40)
	await wait_until(
		func() -> bool:
			if NavigationServer3D.map_get_iteration_id(ground_map) == 0:
				return false
			var there := NavigationServer3D.map_get_closest_point(ground_map, Vector3(3, 0, 3))
			return (
				there.distance_to(Vector3(3, 0, 3)) < 0.1
				and NavigationServer2D.map_get_closest_point(plane_map, inside) == inside
			)
	)
	var random := RandomNumberGenerator.new()
	random.seed = 11
	for _question: int in 200:
		var at := Vector2(random.randf_range(-60, 260), random.randf_range(-60, 260))
		var theirs := NavigationServer2D.map_get_closest_point(plane_map, at)
		var ours := _grid.get_closest_point(at)
		check_near(at.distance_to(ours), at.distance_to(theirs), 0.01, "to %s" % at)
		var place := Vector3(at.x, random.randf_range(-3, 3), at.y) / 16.0
		var there := NavigationServer3D.map_get_closest_point(ground_map, place)
		var here := _space.get_closest_point(place)
		check_near(place.distance_to(here), place.distance_to(there), 0.01, "to %s" % place)
		# From above the floor to beside it or below it.
		var from := place + Vector3(random.randf_range(-9, 9), 9, random.randf_range(-9, 9))
		var to := place - Vector3(0, random.randf_range(-3, 6), 0)
		there = NavigationServer3D.map_get_closest_point_to_segment(ground_map, from, to)
		here = _space.get_closest_point_to_segment(from, to)
		if _space.intersect_ray(from, to - from) == Vector3.INF:
			var far := _distance(here, from, to)
			check(far < _distance(there, from, to) + 0.02, "to %s, %s" % [from, to])


func test_bad_input_answers_nowhere() -> void:
	expect_errors(1, "PathForgeGrid.get_closest_point: position ")
	expect_errors(1, "PathForgeGrid.get_closest_point_to_segment: from ")
	expect_errors(1, "PathForgeGrid.get_closest_point_to_segment: to ")
	check_eq(_grid.get_closest_point(Vector2(NAN, 0)), Vector2.INF)
	check_eq(_grid.get_closest_point_to_segment(Vector2.INF, Vector2.ONE), Vector2.INF)
	check_eq(_grid.get_closest_point_to_segment(Vector2.ONE, Vector2(0, NAN)), Vector2.INF)
	expect_errors(1, "PathForgeSpace3D.get_closest_point: position ")
	expect_errors(1, "PathForgeSpace3D.get_closest_point_to_segment: from ")
	check_eq(_space.get_closest_point(Vector3.INF), Vector3.INF)
	check_eq(_space.get_closest_point_to_segment(Vector3.INF, Vector3.ONE), Vector3.INF)
	var empty := PathForgeGrid.new()
	check_eq(empty.get_closest_point(Vector2.ONE), Vector2.INF, "without cells")
	check_eq(empty.get_closest_point_to_segment(Vector2.ONE, Vector2.ZERO), Vector2.INF)
	check_eq(empty.get_random_point(), Vector2.INF)
	empty.free()
	var lonely := PathForgeSpace3D.new()
	for method: String in ["get_closest_point", "get_random_point"]:
		expect_errors(1, "PathForgeSpace3D.%s: there is no grid" % method)
	check_eq(lonely.get_closest_point(Vector3.ONE), Vector3.INF)
	check_eq(lonely.get_random_point(), Vector3.INF)
	lonely.free()
	# Far beyond all cells there is still an answer.
	check_eq(_grid.get_closest_point(Vector2(-1e30, 24)).x, 24.0)


func _distance(at: Vector3, from: Vector3, to: Vector3) -> float:
	return at.distance_to(Geometry3D.get_closest_point_to_segment(at, from, to))
