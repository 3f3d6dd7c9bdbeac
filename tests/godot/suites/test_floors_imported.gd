extends HouseSuite
## One scan, one map of items and one navigation mesh fill two floors.


func test_scans_measure_the_ground_of_the_storey() -> void:
	for height: float in [-0.1, STOREY - 0.1]:
		_slab(Vector3(10.0, height, 8.0), Vector3(20.0, 0.2, 16.0))
	_slab(Vector3(4.0, 0.25, 4.0), Vector3(4.0, 0.5, 4.0))
	await physics_frames(2)
	for on: PathForgeSpace3D in [ground_floor, upper_floor]:
		on.storey_height = STOREY
		on.set_region_height(on.floor_region, 0.3)
		on.scan_heights(-10.0, 40.0)
	check(await wait_until(_are_scanned, 10.0), "scanned")
	check_near(ground_floor.get_height(Vector2i(12, 12)), 0.0, 1e-3)
	check_near(ground_floor.get_height(Vector2i(4, 4)), 0.5, 1e-3, "a podium")
	check_near(upper_floor.get_height(Vector2i(25, 4)), 0.0, 1e-3)
	expect_errors(1, "is within the storey")
	ground_floor.scan_heights(10.0, 20.0)


func _are_scanned() -> bool:
	return ground_floor.get_scan_progress() == 1.0 and upper_floor.get_scan_progress() == 1.0


func _slab(at: Vector3, size: Vector3) -> void:
	var body := StaticBody3D.new()
	var node := CollisionShape3D.new()
	var box := BoxShape3D.new()
	box.size = size
	node.shape = box
	body.add_child(node)
	body.position = at
	add(body)


func test_navigation_meshes_of_two_levels_become_floors() -> void:
	var mesh := _quad(0.0)
	var upper := _quad(STOREY).vertices
	for at: int in upper.size():
		upper[at] += Vector3(4, 0, 4)
	mesh.vertices = mesh.vertices + upper
	mesh.add_polygon(PackedInt32Array([4, 5, 6, 7]))
	var region := NavigationRegion3D.new()
	region.navigation_mesh = mesh
	add(region)
	for on: PathForgeSpace3D in [ground_floor, upper_floor]:
		on.storey_height = STOREY
		check(on.import_navigation_regions([region]), "imported")
	var open: Array[Vector2i] = []
	for y: int in 16:
		for x: int in 41:
			if not grid.is_point_solid(Vector2i(x, y)):
				open.append(Vector2i(x, y))
	check_eq(open.size(), 2 * 64, "both, each in its own cells")
	check(open.has(Vector2i(0, 0)) and not open.has(Vector2i(21, 0)), "the ground floor")
	check(open.has(Vector2i(32, 11)) and not open.has(Vector2i(11, 11)), "the upper floor")
	check_near(upper_floor.get_height(Vector2i(28, 7)), 0.0, 1e-4)


func test_a_grid_map_of_two_levels_becomes_floors() -> void:
	var library := MeshLibrary.new()
	library.create_item(0)
	library.set_item_name(0, "slab")
	var box := BoxShape3D.new()
	box.size = Vector3(1.0, 0.2, 1.0)
	library.set_item_shapes(0, [box, Transform3D(Basis.IDENTITY, Vector3(0, -0.1, 0))])
	library.create_item(1)
	library.set_item_name(1, "wall")
	var wall := BoxShape3D.new()
	wall.size = Vector3(1.0, 2.0, 1.0)
	library.set_item_shapes(1, [wall, Transform3D(Basis.IDENTITY, Vector3(0, 1.0, 0))])
	var map := GridMap.new()
	map.mesh_library = library
	map.cell_size = Vector3.ONE
	map.cell_center_y = false
	for level: int in [0, 3]:
		for x: int in 10:
			for z: int in 8:
				map.set_cell_item(Vector3i(x + level, level, z), 0)
	map.set_cell_item(Vector3i(2, 1, 2), 1)
	map.set_cell_item(Vector3i(5, 4, 2), 1)
	add(map)
	var rules := PathForgeItemRules.new()
	rules.floor_items = ["slab"]
	for on: PathForgeSpace3D in [ground_floor, upper_floor]:
		on.storey_height = STOREY
		check(on.import_grid_map(map, rules), "imported")
	check(not grid.is_point_solid(Vector2i(0, 0)), "a slab")
	check(grid.is_point_solid(Vector2i(2, 2)), "a wall")
	check(grid.is_point_solid(Vector2i(11, 2)), "no slab, though one above")
	check(grid.is_point_solid(Vector2i(21, 0)), "no slab, though one below")
	check(not grid.is_point_solid(Vector2i(24, 0)), "a slab above")
	check(grid.is_point_solid(Vector2i(26, 2)), "a wall above")
	check(not grid.is_point_solid(Vector2i(23 + 6, 2)), "none")
	check_near(upper_floor.get_height(Vector2i(24, 0)), 0.0, 1e-3)
	map.set_cell_item(Vector3i(6, 4, 5), 1)
	check(upper_floor.update_grid_map(map, [Vector3i(6, 4, 5)]), "updated")
	check(grid.is_point_solid(Vector2i(27, 5)), "built upstairs")
	check(not grid.is_point_solid(Vector2i(6, 5)), "not below")
