extends TestSuite
## A grid in 3D: cells and positions there and back, heights, slopes, clicks, and bad input.

var _grid: PathForgeGrid
var _space: PathForgeSpace3D


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(-4, -2, 24, 16)
	add(_grid)
	_space = PathForgeSpace3D.new()
	_space.cell_size = Vector2(2.0, 1.5)
	_grid.add_child(_space)


func _barge() -> PathForgeProfile:
	var profile := PathForgeProfile.new()
	profile.footprint = Vector2i(4, 2)
	return profile


## A hill that rises by `rise` metres a cell to the right.
func _rise(rise: float) -> void:
	var heights := PackedFloat32Array()
	for y: int in _grid.region.size.y:
		for x: int in _grid.region.size.x:
			heights.append(x * rise)
	_space.set_height_data(heights)


func _flat_error() -> String:
	return "the node is scaled by zero"


func test_cells_and_positions_lead_to_each_other_however_the_node_lies() -> void:
	_rise(0.75)
	var turned := Basis.from_euler(Vector3(0.4, 1.9, -0.3))
	for basis: Basis in [
		Basis.IDENTITY,
		turned,
		turned.scaled(Vector3(3.0, 0.5, 1.25)),
		Basis.from_scale(Vector3(1.0, -1.0, 1.0)),
	]:
		_space.transform = Transform3D(basis, Vector3(40.0, -3.0, 12.5))
		for profile: PathForgeProfile in [null, _barge()]:
			var cells: Array[Vector2i] = [
				Vector2i(-4, -2), Vector2i(0, 0), Vector2i(19, 13), Vector2i(-90, 70)
			]
			var positions := _space.cells_to_global(cells, profile)
			check_eq(_space.global_to_cells(positions, profile), cells, "all at once")
			for at: int in cells.size():
				check_eq(_space.cell_to_global(cells[at], profile), positions[at], "one by one")
				check_eq(_space.global_to_cell(positions[at], profile), cells[at], "and back")
		var plane := _grid.cells_to_local([Vector2i(3, 4), Vector2i(7, 1)])
		var there := _space.to_space_batch(plane)
		check(there[0].distance_to(_space.cell_to_global(Vector2i(3, 4))) < 1e-4, "as its cell")
		check_eq(_space.to_space(plane[1]), there[1], "one by one")
		var back := _space.to_plane_batch(there)
		for at: int in plane.size():
			check(back[at].distance_to(plane[at]) < 1e-2, "the grid's own space")
			check_eq(_space.to_plane(there[at]), back[at], "one by one")


func test_a_node_outside_the_tree_lies_below_its_parents() -> void:
	var parent := Node3D.new()
	parent.position = Vector3(10.0, 2.0, 0.0)
	var space := PathForgeSpace3D.new()
	space.position = Vector3(0.0, 0.0, 5.0)
	parent.add_child(space)
	check_eq(space.cell_to_global(Vector2i.ZERO), Vector3(10.5, 2.0, 5.5))
	parent.free()


func test_isometric_grids_have_the_same_cells_in_space() -> void:
	_grid.cell_shape = PathForgeGrid.CELL_SHAPE_ISOMETRIC_RIGHT
	var position := _space.to_space(_grid.cell_to_local(Vector2i(5, 3)))
	check(position.distance_to(_space.cell_to_global(Vector2i(5, 3))) < 1e-4, "the same place")


func test_heights_are_bilinear_between_centres() -> void:
	check_eq(_space.get_height(Vector2i(3, 3)), 0.0, "flat at first")
	_rise(2.0)
	check_eq(_space.get_height(Vector2i(-4, 5)), 0.0)
	check_eq(_space.get_height(Vector2i(0, 5)), 8.0)
	check_eq(_space.get_height(Vector2i(500, 500)), 46.0, "that of the nearest cell")
	check_eq(_space.snap_to_ground(Vector3(2.0, 99.0, 3.0)), Vector3(2.0, 9.0, 3.0))
	var heights := _space.get_height_data()
	check_eq(heights.size(), _grid.region.get_area())
	_space.set_height_data(heights)
	check_eq(_space.get_height_data(), heights, "read and written")
	_space.set_region_height(Rect2i(0, 0, 2, 99), -1.0)
	check_eq(_space.get_height(Vector2i(1, 13)), -1.0)
	check_eq(_space.get_height(Vector2i(2, 13)), 12.0)
	_grid.region = Rect2i(-6, -2, 30, 16)
	_space.set_region_height(Rect2i(23, 0, 1, 1), 3.0)
	check_eq(_space.get_height(Vector2i(-6, 0)), 0.0, "a region that grows keeps heights")
	check_eq(_space.get_height(Vector2i(2, 0)), 12.0)


func test_changes_of_heights_are_told() -> void:
	var told: Array[Rect2i] = []
	_space.heights_changed.connect(func(region: Rect2i) -> void: told.append(region))
	_rise(1.0)
	_space.set_region_height(Rect2i(0, 0, 99, 2), 1.0)
	_space.set_region_height(Rect2i(99, 0, 99, 2), 1.0)
	check_eq(told, [_grid.region, Rect2i(0, 0, 20, 2)] as Array[Rect2i])


func test_a_handler_may_ask_and_edit() -> void:
	var seen: Array[float] = []
	var handler := func(_region: Rect2i) -> void:
		seen.append(_space.get_height(Vector2i.ZERO))
		if seen.size() < 3:
			_space.set_region_height(Rect2i(0, 0, 1, 1), seen[-1] + 1.0)
	_space.heights_changed.connect(handler)
	_rise(1.0)
	check_eq(seen, [4.0, 5.0, 6.0] as Array[float])


func test_heights_from_a_picture() -> void:
	var image := Image.create(24, 16, false, Image.FORMAT_RGB8)
	image.fill(Color.BLACK)
	image.fill_rect(Rect2i(12, 0, 12, 16), Color.WHITE)
	_space.import_heights_from_image(image, -2.0, 6.0)
	check_eq(_space.get_height(Vector2i(-4, 0)), -2.0, "black")
	check(absf(_space.get_height(Vector2i(19, 0)) - 6.0) < 1e-5, "white")
	image.resize(6, 4, Image.INTERPOLATE_NEAREST)
	_space.import_heights_from_image(image, 0.0, 1.0)
	check_eq(_space.get_height(Vector2i(-4, 0)), 0.0, "stretched")
	check(absf(_space.get_height(Vector2i(19, 13)) - 1.0) < 1e-5, "white again")


func test_heights_from_a_shape() -> void:
	var shape := HeightMapShape3D.new()
	shape.map_width = 9
	shape.map_depth = 5
	var data := PackedFloat32Array()
	for y: int in 5:
		for x: int in 9:
			data.append(x * 0.5 + y)
	shape.map_data = data
	var body := StaticBody3D.new()
	var node := CollisionShape3D.new()
	node.shape = shape
	body.add_child(node)
	body.position = Vector3(10.0, 3.0, 6.0)
	body.scale = Vector3(2.0, 2.0, 2.0)
	add(body)
	_space.set_region_height(_grid.region, -7.0)
	_space.import_heights_from_shape(node)
	# The shape reaches from (2, 2) to (18, 10): metres, two a sample.
	var centre := _space.cell_to_global(Vector2i(4, 3))
	var sample := (Vector2(centre.x, centre.z) - Vector2(2.0, 2.0)) / 2.0
	var expected := 3.0 + 2.0 * (sample.x * 0.5 + sample.y)
	check(absf(centre.y - expected) < 1e-4, "%f, not %f" % [centre.y, expected])
	check_eq(_space.get_height(Vector2i(15, 3)), -7.0, "beside the shape")


func test_heights_by_rays() -> void:
	var body := StaticBody3D.new()
	var node := CollisionShape3D.new()
	var box := BoxShape3D.new()
	box.size = Vector3(8.0, 2.0, 6.0)
	node.shape = box
	body.add_child(node)
	body.position = Vector3(8.0, 1.0, 6.0)
	add(body)
	_space.set_region_height(_grid.region, -1.0)
	await physics_frames(2)
	var told: Array[Rect2i] = []
	_space.heights_changed.connect(func(region: Rect2i) -> void: told.append(region))
	_space.scan_heights(-10.0, 30.0)
	check(_space.get_scan_progress() < 1.0, "it has not begun")
	check(await wait_until(func() -> bool: return not told.is_empty(), 10.0), "they are told")
	check_eq(_space.get_scan_progress(), 1.0)
	for cell: Vector2i in [Vector2i(2, 2), Vector2i(5, 5), Vector2i(3, 4)]:
		check(absf(_space.get_height(cell) - 2.0) < 1e-3, "%s is on the box" % cell)
	for cell: Vector2i in [Vector2i(1, 2), Vector2i(6, 5), Vector2i(3, 6), Vector2i(-4, -2)]:
		check_eq(_space.get_height(cell), -1.0, "%s is beside it" % cell)
	body.position.y = 5.0
	await physics_frames(2)
	told.clear()
	_space.scan_heights(-10.0, 30.0, 1, Rect2i(3, 3, 2, 2))
	check(await wait_until(func() -> bool: return not told.is_empty(), 10.0), "a part")
	check_eq(told, [Rect2i(3, 3, 2, 2)] as Array[Rect2i])
	check(absf(_space.get_height(Vector2i(3, 4)) - 6.0) < 1e-3, "higher by now")
	check(absf(_space.get_height(Vector2i(2, 2)) - 2.0) < 1e-3, "not asked for")
	told.clear()
	_space.scan_heights(-10.0, 30.0, 1 << 7)
	check(await wait_until(func() -> bool: return not told.is_empty(), 10.0), "another layer")
	check(absf(_space.get_height(Vector2i(3, 4)) - 6.0) < 1e-3, "no ray finds ground there")


func test_steep_cells_are_closed() -> void:
	_rise(0.0)
	# A plateau of 3×2 cells, a metre up: 26.6° along x, 33.7° along z.
	_space.set_region_height(Rect2i(4, 4, 3, 2), 1.0)
	check_near(_space.get_slope_degrees(Vector2i(4, 3)), 33.69, 0.01, "along z")
	check_near(_space.get_slope_degrees(Vector2i(3, 4)), 26.57, 0.01, "along x")
	check_eq(_space.get_slope_degrees(Vector2i(3, 3)), 0.0, "the corner is flat")
	check_eq(_space.get_slope_degrees(Vector2i(-999, 3)), 0.0, "and what lies outside")
	check_eq(_space.close_steep_cells(34.0), 0)
	check_eq(_space.close_steep_cells(30.0), 12, "both sides of its two long edges")
	check(_grid.is_point_solid(Vector2i(4, 3)) and _grid.is_point_solid(Vector2i(4, 4)), "both")
	check(not _grid.is_point_solid(Vector2i(3, 4)), "along x it is less steep")
	var cell := Vector2i(3, 3)
	check(not _grid.is_point_solid(cell), "the corner")


func test_slopes_equal_brute_force() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 3
	var heights := PackedFloat32Array()
	for cell: int in _grid.region.get_area():
		heights.append(random.randf_range(-1.0, 1.0))
		_grid.set_point_terrain(_cell(cell), random.randi_range(0, 2))
	_space.set_height_data(heights)
	var rises: Array[float] = []
	for at: int in heights.size():
		var rise := 0.0
		for side: Vector2i in [Vector2i.LEFT, Vector2i.RIGHT, Vector2i.UP, Vector2i.DOWN]:
			if _grid.region.has_point(_cell(at) + side):
				var other := heights[at + side.x + side.y * _grid.region.size.x]
				var length := (Vector2(side) * _space.cell_size).length()
				rise = maxf(rise, absf(other - heights[at]) / length)
		rises.append(rise)
	var edits: Array[Rect2i] = []
	_grid.cells_changed.connect(func(region: Rect2i) -> void: edits.append(region))
	_space.weigh_slopes(3.0)
	check_eq(edits.size(), 1, "one edit")
	var limits: Array[float] = [90.0, 20.0, 35.0]
	var closed := _space.close_steep_cells(20.0, 1) + _space.close_steep_cells(35.0, 2)
	var wrong := 0
	var steep := 0
	for at: int in heights.size():
		var weight := _grid.get_point_weight_scale(_cell(at))
		# Weights are multiples of 1/70.
		wrong += int(absf(weight - 1.0 - 2.0 * rises[at]) > 0.5 / 70.0 + 1e-4)
		var limit := limits[_grid.get_point_terrain(_cell(at))]
		var is_steep := rises[at] > tan(deg_to_rad(limit)) * 1.00001
		steep += int(is_steep)
		wrong += int(_grid.is_point_solid(_cell(at)) != is_steep)
	check_eq(wrong, 0)
	check_eq(closed, steep)
	check(steep > 20, "%d cells are too steep" % steep)
	_rise(0.0)
	_space.weigh_slopes(3.0)
	check_eq(_grid.get_weight_data().count(1.0), heights.size(), "flat")
	expect_errors(4, "PathForgeSpace3D.weigh_slopes: weight_at_45_degrees ")
	for weight: float in [0.5, NAN, INF, 1e300]:
		_space.weigh_slopes(weight)
	expect_errors(2, "PathForgeSpace3D.close_steep_cells: terrain_id ")
	check_eq(_space.close_steep_cells(1.0, 32) + _space.close_steep_cells(1.0, -2), 0)
	var lonely := PathForgeSpace3D.new()
	expect_errors(1, "PathForgeSpace3D.weigh_slopes: there is no grid")
	lonely.weigh_slopes(2.0)
	lonely.free()


## The cell of a place in data.
func _cell(at: int) -> Vector2i:
	var width := _grid.region.size.x
	return _grid.region.position + Vector2i(at % width, at / width)


func test_a_ray_finds_the_cell_below_the_mouse() -> void:
	_rise(1.0)
	_space.transform = Transform3D(Basis.from_euler(Vector3(0.1, 0.7, 0.0)), Vector3(5, 1, -3))
	for cell: Vector2i in [Vector2i(-4, -2), Vector2i(10, 6), Vector2i(19, 13)]:
		var goal := _space.cell_to_global(cell)
		var eye := goal + Vector3(-12.0, 60.0, 30.0)
		var hit := _space.intersect_ray(eye, eye.direction_to(goal))
		check(goal.distance_to(hit) < 0.01, "%s: %s" % [cell, hit])
		check_eq(_space.global_to_cell(hit), cell)
	check_eq(_space.intersect_ray(Vector3(0, 60, 0), Vector3.UP), Vector3.INF, "into the sky")
	check_eq(_space.intersect_ray(Vector3(900, 60, 0), Vector3.DOWN), Vector3.INF, "beside the map")
	check_eq(_space.intersect_ray(Vector3.ZERO, Vector3.ZERO), Vector3.INF, "nowhere")
	check_eq(_space.intersect_ray(Vector3(NAN, 0, 0), Vector3.DOWN), Vector3.INF, "no number")


func test_a_path_lies_on_the_ground() -> void:
	_rise(1.0)
	var profile := _barge()
	profile.smoothing = PathForgeProfile.SMOOTH_STRING_PULL
	var path := _grid.find_path(Vector2i(-4, 0), Vector2i(14, 5), profile)
	check_eq(path.positions.size(), 2, "straight")
	var points := _space.path_to_positions(path)
	check_eq(points.size(), 19, "a point a cell")
	check_eq(points[0], _space.cell_to_global(Vector2i(-4, 0), profile))
	check_eq(points[18], _space.cell_to_global(Vector2i(14, 5), profile))
	for point: Vector3 in points:
		check(point.distance_to(_space.snap_to_ground(point)) < 1e-4, "on the ground")
	_space.set_height_data(PackedFloat32Array())
	check_eq(_space.path_to_positions(_grid.find_path(Vector2i.ZERO, Vector2i(99, 0))).size(), 0)
	expect_errors(1, "PathForgeSpace3D.set_height_data: data has 0 heights")


func test_bad_input_changes_nothing() -> void:
	_rise(1.0)
	var before := _space.get_height_data()
	expect_errors(3, "PathForgeSpace3D.cell_size: ")
	for size: Vector2 in [Vector2.ZERO, Vector2(-1, 1), Vector2(NAN, 1)]:
		_space.cell_size = size
	check_eq(_space.cell_size, Vector2(2.0, 1.5))
	expect_errors(3, "PathForgeSpace3D.set_region_height: ")
	_space.set_region_height(Rect2i(0, 0, -1, 2), 1.0)
	_space.set_region_height(Rect2i(0, 0, 1, 2), NAN)
	_space.set_region_height(Rect2i(0, 0, 1, 2), 1e300)
	expect_errors(2, "PathForgeSpace3D.set_height_data: data")
	var heights := before.duplicate()
	heights[3] = INF
	_space.set_height_data(heights)
	_space.set_height_data(before.slice(1))
	expect_errors(3, "PathForgeSpace3D.import_heights_from_image: ")
	_space.import_heights_from_image(null, 0.0, 1.0)
	_space.import_heights_from_image(Image.new(), 0.0, 1.0)
	_space.import_heights_from_image(Image.create(1, 1, false, Image.FORMAT_L8), NAN, 1.0)
	expect_errors(3, "PathForgeSpace3D.import_heights_from_shape: ")
	_space.import_heights_from_shape(null)
	var node := CollisionShape3D.new()
	_space.import_heights_from_shape(node)
	add(node)
	_space.import_heights_from_shape(node)
	expect_errors(4, "PathForgeSpace3D.scan_heights: ")
	_space.scan_heights(1.0, 1.0)
	_space.scan_heights(NAN, 1.0)
	_space.scan_heights(0.0, 1.0, -1)
	_space.scan_heights(0.0, 1.0, 1, Rect2i(0, 0, -1, 1))
	expect_errors(2, "PathForgeSpace3D.close_steep_cells: slope_limit_degrees ")
	check_eq(_space.close_steep_cells(-1.0) + _space.close_steep_cells(NAN), 0)
	expect_errors(1, "PathForgeSpace3D.path_to_positions: path is null")
	check_eq(_space.path_to_positions(null).size(), 0)
	check_eq(_space.global_to_cell(Vector3(NAN, 0, 0)), Vector2i.MIN)
	check_eq(_space.global_to_cell(Vector3(0, 0, INF)), Vector2i.MIN)
	check_eq(_space.get_height_data(), before, "as it was")


func test_a_node_scaled_by_zero_and_one_without_a_grid_say_so() -> void:
	_space.scale = Vector3(1.0, 0.0, 1.0)
	expect_errors(1, "PathForgeSpace3D.global_to_cell: " + _flat_error())
	expect_errors(1, "PathForgeSpace3D.to_plane: " + _flat_error())
	expect_errors(1, "PathForgeSpace3D.snap_to_ground: " + _flat_error())
	check_eq(_space.global_to_cell(Vector3.ONE), Vector2i.MIN)
	check_eq(_space.to_plane(Vector3.ONE), Vector2.ZERO)
	check_eq(_space.snap_to_ground(Vector3.ONE), Vector3.ONE)
	var lonely := PathForgeSpace3D.new()
	expect_errors(1, "PathForgeSpace3D.get_height_data: there is no grid")
	expect_errors(1, "PathForgeSpace3D.to_space: there is no grid")
	expect_errors(1, "PathForgeSpace3D.scan_heights: the node is not in the scene tree")
	check_eq(lonely.get_height_data().size(), 0)
	check_eq(lonely.to_space(Vector2.ONE), Vector3.ZERO)
	lonely.scan_heights(0.0, 1.0)
	check_eq(lonely.cell_to_global(Vector2i(2, 1)), Vector3(2.5, 0.0, 1.5), "cells need none")
	lonely.free()


func test_a_scan_outlives_a_node_that_leaves_and_a_grid_that_is_freed() -> void:
	_space.scan_heights(-10.0, 30.0)
	root.remove_child(_grid)
	_grid.queue_free()
	await physics_frames(3)
	var other := PathForgeSpace3D.new()
	add(other)
	other.grid = PathForgeGrid.new()
	other.grid.region = Rect2i(0, 0, 300, 300)
	other.scan_heights(-10.0, 30.0)
	await physics_frames(1)
	other.grid.free()
	await physics_frames(30)
	check_eq(other.get_height(Vector2i.ZERO), 0.0)
