extends TestSuite
## [method PathForgeSpace3D.import_navigation_regions] and [method
## PathForgeSpace3D.import_navigation_mesh]: cells and heights from what Godot's own navigation
## walks on in 3D.

const METHOD := "PathForgeSpace3D.import_navigation_regions: "
## Shares of a cell below this are too small to say whether they count.
const UNSURE := 1e-3

var _grid: PathForgeGrid = null
var _space: PathForgeSpace3D = null
var _random := RandomNumberGenerator.new()


func before_each() -> void:
	_random.seed = 55
	_grid = add(PathForgeGrid.new())
	_grid.cell_size = Vector2.ONE
	_space = PathForgeSpace3D.new()
	_grid.add_child(_space)


func test_cells_and_heights_equal_brute_force_however_nodes_lie() -> void:
	for turn: float in [0.0, 0.7, 2.9]:
		var region := _region(_hills(6))
		region.transform = Transform3D(
			Basis.from_euler(Vector3(0.0, turn, 0.0)), Vector3(3.3, 1.5, -4.1)
		)
		_space.transform = Transform3D(
			Basis.from_euler(Vector3(0.0, turn / 3.0, 0.0)), Vector3(-2.0, -5.0, 0.4)
		)
		_space.cell_size = Vector2(0.5, 0.4)
		_grid.region = Rect2i()
		check_eq(_space.import_navigation_regions([region]), true)
		var to_space := _space.global_transform.affine_inverse() * region.global_transform
		_compare(_triangles(region.navigation_mesh, to_space), "turned by %.1f" % turn)


## The cells, and the heights of those whose centre lies on a triangle, in cells and metres.
func _compare(triangles: Array[PackedVector3Array], label: String) -> void:
	var wrong: Array[Vector2i] = []
	var low: Array[Vector2i] = []
	var open := 0
	for y: int in range(_grid.region.position.y, _grid.region.end.y):
		for x: int in range(_grid.region.position.x, _grid.region.end.x):
			var cell := Vector2i(x, y)
			var share := 0.0
			var height := -INF
			for triangle: PackedVector3Array in triangles:
				share += _share(triangle, cell)
				height = maxf(height, _height_at(triangle, Vector2(cell) + Vector2(0.5, 0.5)))
			open += int(share > UNSURE)
			if (share > UNSURE) == _grid.is_point_solid(cell) and (share == 0.0 or share > UNSURE):
				wrong.append(cell)
			elif height > -INF and absf(_space.get_height(cell) - height) > 1e-3:
				low.append(cell)
	check(wrong.is_empty(), "%s: open or not: %s" % [label, wrong])
	check(low.is_empty(), "%s: heights: %s" % [label, low])
	check(open > 100, "%d cells" % open)


func test_whoever_the_server_leads_the_grid_leads() -> void:
	var complete := 0
	for level: int in 3:
		var region := _region(_baked(24))
		var map := _map_of(region.navigation_mesh)
		_grid.region = Rect2i()
		_space.cell_size = Vector2.ONE
		_space.cell_size = _space.propose_cell_size([region])
		check(_space.cell_size.x <= 0.25, "half of the radius or less: %s" % _space.cell_size)
		check_eq(_space.import_navigation_regions([region]), true)
		for pair: int in 40:
			var start := _place(map)
			var goal := _place(map)
			var way := NavigationServer3D.map_get_path(map, start, goal, true)
			var there := not way.is_empty() and way[-1].distance_to(goal) < 0.01
			var from := _space.global_to_cell(start)
			var path := _grid.find_path(from, _space.global_to_cell(goal))
			check(path.is_complete() or not there, "level %d: %s to %s" % [level, start, goal])
			complete += int(there)
			var ground := _space.snap_to_ground(start)
			check(absf(ground.y - start.y) < 0.3, "%.2f at %s" % [ground.y, start])
		NavigationServer3D.free_rid(NavigationServer3D.map_get_regions(map)[0])
		NavigationServer3D.free_rid(map)
	check(complete > 50, "%d pairs" % complete)


func test_a_bridge_is_walked_over_and_nothing_falls_off_it() -> void:
	# A road along z below a bridge along x, which begins and ends on ramps.
	var mesh := _mesh(
		[
			_quad(Rect2(0, 0, 12, 7), 0.0, 0.0),
			_quad(Rect2(1, 3, 4, 1), 0.0, 3.0),
			_quad(Rect2(5, 3, 2, 1), 3.0, 3.0),
			_quad(Rect2(7, 3, 4, 1), 3.0, 0.0)
		]
	)
	expect_warnings(1, "PathForgeSpace3D.import_navigation_mesh: polygons lie above each other, at")
	check_eq(_space.import_navigation_mesh(mesh), true)
	check_eq(_grid.region, Rect2i(0, 0, 12, 7))
	check_near(_space.get_height(Vector2i(6, 3)), 3.0)
	var path := _grid.find_path(Vector2i(0, 3), Vector2i(11, 3))
	check_eq(path.cells.size(), 12, "straight over it")
	for x: int in range(3, 9):
		for y: int in [2, 4]:
			check(_grid.is_point_solid(Vector2i(x, y)), "(%d, %d) is below its side" % [x, y])
	check_eq(_grid.is_reachable(Vector2i(6, 1), Vector2i(6, 5)), true, "round its end")
	_grid.region = Rect2i()
	check_eq(_space.import_navigation_mesh(mesh, Transform3D.IDENTITY, -1.0, 0.5), true)
	check_eq(_grid.is_point_solid(Vector2i(6, 3)), false, "without the bridge: no second warning")
	check_near(_space.get_height(Vector2i(6, 3)), 0.0)
	_grid.region = Rect2i()
	check_eq(_space.import_navigation_mesh(mesh, Transform3D.IDENTITY, 1.0, 9.0), true)
	check_eq(_grid.region, Rect2i(2, 3, 8, 1), "the bridge alone")


func test_weights_regions_and_nodes_that_are_off() -> void:
	var first := _region(_mesh([_quad(Rect2(0, 0, 2, 2), 1.0, 1.0)]))
	var second := _region(_mesh([_quad(Rect2(0, 0, 2, 1), 0.0, 0.0)]))
	second.position = Vector3(2, 1, 0)
	second.travel_cost = 3.0
	var off := _region(_mesh([_quad(Rect2(0, 0, 90, 90), 0.0, 0.0)]))
	off.enabled = false
	check_eq(_space.import_navigation_regions([first, second, off]), true)
	check_eq(_grid.region, Rect2i(0, 0, 4, 2))
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 0, 0, 0, 0, 0, 1, 1]))
	check_eq(_grid.get_point_weight_scale(Vector2i(1, 0)), 1.0)
	check_eq(_grid.get_point_weight_scale(Vector2i(3, 0)), 3.0)
	check_eq(_space.get_height_data().count(1.0), 8, "solid cells are as high as open ones")
	_grid.region = Rect2i(3, 0, 2, 1)
	_grid.fill_terrain_region(_grid.region, 4)
	check_eq(_space.import_navigation_regions([first, second]), true)
	check_eq(_grid.region, Rect2i(3, 0, 2, 1), "one that was set is kept")
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 1]))
	check_eq(_grid.get_point_terrain(Vector2i(3, 0)), 4, "terrains stay")
	_grid.region = Rect2i(30, 0, 2, 1)
	expect_warnings(1, METHOD + "no polygon overlaps a cell of the region (30, 0, 2, 1)")
	check_eq(_space.import_navigation_regions([first]), true)
	check_eq(_grid.get_solid_data(), PackedByteArray([1, 1]))


func test_islands_that_cells_join_are_told_and_cliffs_join_nothing() -> void:
	var gap := _region(
		_mesh([_quad(Rect2(0, 0, 3.3, 2), 0.0, 0.0), _quad(Rect2(3.6, 0, 3, 2), 0.1, 0.1)])
	)
	expect_warnings(1, METHOD + "cells join polygons that are apart, at (3, 0); see")
	check_eq(_space.import_navigation_regions([gap]), true)
	check_eq(_grid.is_reachable(Vector2i(0, 0), Vector2i(6, 0)), true)
	gap.navigation_mesh.agent_radius = 0.0
	check_eq(_space.propose_cell_size([gap]), Vector2(0.125, 0.125), "the gap is 0.3 metres")
	var cliff := _region(
		_mesh([_quad(Rect2(0, 0, 3, 2), 0.0, 0.0), _quad(Rect2(3, 0, 3, 2), 2.0, 2.0)])
	)
	cliff.navigation_mesh.agent_radius = 0.0
	_grid.region = Rect2i()
	check_eq(_space.import_navigation_regions([cliff]), true)
	check_eq(_grid.is_reachable(Vector2i(0, 0), Vector2i(5, 0)), false)
	check_eq(_grid.is_point_solid(Vector2i(2, 0)), true, "the lower cell at its foot")
	check_eq(_space.propose_cell_size([cliff]), Vector2.ONE, "nothing is joined")


func test_the_proposed_size_is_half_of_the_radius() -> void:
	var region := _region(_mesh([_quad(Rect2(0, 0, 8, 8), 0.0, 0.0)]))
	for pair: Array in [[0.0, 1.0], [2.0, 1.0], [1.9, 0.5], [0.5, 0.25], [0.4, 0.125]]:
		region.navigation_mesh.agent_radius = pair[0]
		check_eq(_space.propose_cell_size([region]), Vector2.ONE * pair[1], str(pair))
	region.navigation_mesh.agent_radius = 0.5
	region.scale = Vector3(2, 1, 4)
	check_eq(_space.propose_cell_size([region]), Vector2(0.5, 0.5), "one metre, twice as large")
	check_eq(_space.cell_size, Vector2.ONE, "nothing has changed")
	check_eq(_grid.region, Rect2i())


func test_a_polygon_that_is_not_convex_keeps_its_notch() -> void:
	var mesh := NavigationMesh.new()
	mesh.vertices = [
		Vector3(0, 1, 0),
		Vector3(1, 1, 0),
		Vector3(1, 1, 2),
		Vector3(3, 1, 2),
		Vector3(3, 1, 3),
		Vector3(0, 1, 3)
	]
	mesh.add_polygon([0, 1, 2, 3, 4, 5])
	check_eq(_space.import_navigation_mesh(mesh), true)
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 1, 1, 0, 1, 1, 0, 0, 0]))


func test_the_change_is_announced_once() -> void:
	var cells: Array[Rect2i] = []
	var heights: Array[Rect2i] = []
	_grid.cells_changed.connect(func(region: Rect2i) -> void: cells.append(region))
	_space.heights_changed.connect(func(region: Rect2i) -> void: heights.append(region))
	_space.import_navigation_mesh(_mesh([_quad(Rect2(0, 0, 2, 2), 1.0, 2.0)]))
	check_eq(cells, [Rect2i(0, 0, 2, 2)] as Array[Rect2i])
	check_eq(heights, [Rect2i(0, 0, 2, 2)] as Array[Rect2i])


func test_what_cannot_be_imported_changes_nothing() -> void:
	_grid.set_from_text("..#")
	var before := _grid.state_hash()
	var good := _region(_mesh([_quad(Rect2(0, 0, 2, 2), 0.0, 0.0)]))
	var broken := _region(good.navigation_mesh)
	broken.travel_cost = NAN
	var off := _region(good.navigation_mesh)
	off.enabled = false
	expect_errors(2, METHOD + "no region is enabled")
	expect_errors(1, METHOD + "regions[0] is 5, not a NavigationRegion3D")
	expect_errors(1, METHOD + "regions[1] is <null>, not a NavigationRegion3D")
	expect_errors(1, METHOD + "regions[0]: there is no NavigationMesh")
	expect_errors(1, METHOD + "regions[0]: travel_cost")
	expect_errors(1, METHOD + "lowest 2.0 is not below highest 2.0".replace(".0", ""))
	expect_errors(1, METHOD + "no polygon has an area between lowest 4 and highest inf")
	check_eq(_space.import_navigation_regions([]), false)
	check_eq(_space.import_navigation_regions([5]), false)
	check_eq(_space.import_navigation_regions([good, null]), false)
	check_eq(_space.import_navigation_regions([add(NavigationRegion3D.new())]), false)
	check_eq(_space.import_navigation_regions([off]), false)
	check_eq(_space.import_navigation_regions([broken]), false)
	check_eq(_space.import_navigation_regions([good], 2.0, 2.0), false)
	check_eq(_space.import_navigation_regions([good], 4.0), false)
	var method := "PathForgeSpace3D.import_navigation_mesh: "
	expect_errors(1, method + "there is no NavigationMesh")
	expect_errors(1, method + "the NavigationMesh has no polygons; bake it first")
	expect_errors(1, method + "vertex 0 of the NavigationMesh does not lie at a finite place")
	expect_errors(1, method + "polygon 0 of the NavigationMesh names a vertex that it has not")
	check_eq(_space.import_navigation_mesh(null), false)
	check_eq(_space.import_navigation_mesh(NavigationMesh.new()), false)
	var far := Transform3D(Basis.IDENTITY, Vector3(INF, 0, 0))
	check_eq(_space.import_navigation_mesh(good.navigation_mesh, far), false)
	var torn := NavigationMesh.new()
	torn.vertices = PackedVector3Array([Vector3.ZERO, Vector3.ONE])
	torn.add_polygon(PackedInt32Array([0, 1, 7]))
	check_eq(_space.import_navigation_mesh(torn), false)
	expect_errors(1, "PathForgeSpace3D.propose_cell_size: no region is enabled")
	check_eq(_space.propose_cell_size([]), Vector2.ZERO)
	_space.scale = Vector3(1, 0, 1)
	expect_errors(1, METHOD + "the node is scaled by zero")
	check_eq(_space.import_navigation_regions([good]), false)
	_space.scale = Vector3.ONE
	check_eq(_grid.state_hash(), before)
	check_eq(_space.get_height_data().count(0.0), 3)
	_grid.region = Rect2i()
	expect_errors(1, METHOD)
	good.scale = Vector3(1e7, 1, 1)
	check_eq(_space.import_navigation_regions([good]), false, "more cells than there may be")
	check_eq(_grid.region, Rect2i())


## A hilly floor of quads of two metres, of which some are missing.
func _hills(side: int) -> NavigationMesh:
	var mesh := NavigationMesh.new()
	var vertices := PackedVector3Array()
	for z: int in side + 1:
		for x: int in side + 1:
			vertices.append(Vector3(2 * x, 0.6 * sin(x * 1.3) + 0.5 * cos(z * 0.9), 2 * z))
	mesh.vertices = vertices
	for z: int in side:
		for x: int in side:
			if _random.randf() < 0.8:
				var at := z * (side + 1) + x
				mesh.add_polygon(PackedInt32Array([at, at + 1, at + side + 2, at + side + 1]))
	return mesh


## A bake of ground with boxes on it, some of which are low enough for a step.
func _baked(side: int) -> NavigationMesh:
	var source := NavigationMeshSourceGeometryData3D.new()
	source.add_faces(
		_box_faces(Vector3(side, 1.0, side), Vector3(side, -1.0, side) / 2.0), Transform3D()
	)
	for i: int in side:
		var size := Vector3(
			_random.randf_range(0.5, 6.0),
			_random.randf_range(0.2, 2.5),
			_random.randf_range(0.5, 2.0)
		)
		var at := Vector3(_random.randf() * side, size.y / 2.0, _random.randf() * side)
		var place := Transform3D(Basis.from_euler(Vector3(0.0, _random.randf() * TAU, 0.0)), at)
		source.add_faces(_box_faces(size, Vector3.ZERO), place)
	var mesh := NavigationMesh.new()
	mesh.agent_radius = 0.5
	NavigationServer3D.bake_from_source_geometry_data(mesh, source)
	return mesh


func _box_faces(size: Vector3, at: Vector3) -> PackedVector3Array:
	var box := BoxMesh.new()
	box.size = size
	return Transform3D(Basis.IDENTITY, at) * box.get_faces()


func _map_of(mesh: NavigationMesh) -> RID:
	var map := NavigationServer3D.map_create()
	NavigationServer3D.map_set_active(map, true)
	NavigationServer3D.map_set_use_async_iterations(map, false)
	NavigationServer3D.map_set_cell_size(map, mesh.cell_size)
	NavigationServer3D.map_set_cell_height(map, mesh.cell_height)
	var region := NavigationServer3D.region_create()
	NavigationServer3D.region_set_use_async_iterations(region, false)
	NavigationServer3D.region_set_map(region, map)
	NavigationServer3D.region_set_navigation_mesh(region, mesh)
	NavigationServer3D.map_force_update(map)
	return map


func _place(map: RID) -> Vector3:
	for i: int in 1000:
		var above := Vector3(_random.randf() * 24.0, 0.0, _random.randf() * 24.0)
		var place := NavigationServer3D.map_get_closest_point(map, above)
		if Vector2(place.x - above.x, place.z - above.z).length() < 0.001:
			return place
	fail("there is no place on the polygons")
	return Vector3.ZERO


## The corners of a rectangle of x and z, whose left and right sides are so high.
func _quad(rect: Rect2, left: float, right: float) -> PackedVector3Array:
	return [
		Vector3(rect.position.x, left, rect.position.y),
		Vector3(rect.end.x, right, rect.position.y),
		Vector3(rect.end.x, right, rect.end.y),
		Vector3(rect.position.x, left, rect.end.y)
	]


func _mesh(quads: Array[PackedVector3Array]) -> NavigationMesh:
	var mesh := NavigationMesh.new()
	var vertices := PackedVector3Array()
	for quad: PackedVector3Array in quads:
		vertices.append_array(quad)
	mesh.vertices = vertices
	for at: int in quads.size():
		mesh.add_polygon(PackedInt32Array([4 * at, 4 * at + 1, 4 * at + 2, 4 * at + 3]))
	return mesh


func _region(mesh: NavigationMesh) -> NavigationRegion3D:
	var region := NavigationRegion3D.new()
	region.navigation_mesh = mesh
	add(region)
	return region


## The triangles of a mesh, x and z in cells.
func _triangles(mesh: NavigationMesh, to_space: Transform3D) -> Array[PackedVector3Array]:
	var triangles: Array[PackedVector3Array] = []
	var size := _space.cell_size
	for i: int in mesh.get_polygon_count():
		var corners := PackedVector3Array()
		for corner: int in mesh.get_polygon(i):
			var place := to_space * mesh.vertices[corner]
			corners.append(Vector3(place.x / size.x, place.y, place.z / size.y))
		for k: int in range(2, corners.size()):
			triangles.append(PackedVector3Array([corners[0], corners[k - 1], corners[k]]))
	return triangles


## How much of a cell lies in a triangle.
func _share(triangle: PackedVector3Array, cell: Vector2i) -> float:
	var at := Vector2(cell)
	var square := PackedVector2Array([at, at + Vector2.RIGHT, at + Vector2.ONE, at + Vector2.DOWN])
	var flat := PackedVector2Array()
	var bounds := Rect2(triangle[0].x, triangle[0].z, 0.0, 0.0)
	for corner: Vector3 in triangle:
		flat.append(Vector2(corner.x, corner.z))
		bounds = bounds.expand(flat[-1])
	if not bounds.intersects(Rect2(at, Vector2.ONE)):
		return 0.0
	if Geometry2D.is_polygon_clockwise(flat) != Geometry2D.is_polygon_clockwise(square):
		flat.reverse()
	var share := 0.0
	for part: PackedVector2Array in Geometry2D.intersect_polygons(flat, square):
		var area := 0.0
		for k: int in part.size():
			area += (part[k] - at).cross(part[(k + 1) % part.size()] - at) / 2.0
		share += absf(area)
	return share


## The height of a triangle at a point, −INF beside it.
func _height_at(triangle: PackedVector3Array, point: Vector2) -> float:
	var from := Vector3(point.x, 100.0, point.y)
	var hit: Variant = Geometry3D.ray_intersects_triangle(
		from, Vector3.DOWN, triangle[0], triangle[1], triangle[2]
	)
	if hit == null:
		return -INF
	var place: Vector3 = hit
	return place.y
