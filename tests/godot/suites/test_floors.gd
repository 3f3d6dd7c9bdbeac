extends TestSuite
## A house of two floors on one grid: positions, heights, clicks, walkers, crowds and imports on each,
## and stairs between them.

const SIZE := Vector2i(20, 16)
const STOREY := 3.0

var grid: PathForgeGrid
var ground_floor: PathForgeSpace3D
var upper_floor: PathForgeSpace3D


## A body that follows the ground of the floor that carries it, and climbs stairs by its velocity.
class Unit:
	extends Node3D
	var agent: PathForgeAgent3D = PathForgeAgent3D.new()
	var speed: float = 4.0
	var highest_step: float = 0.0
	var told: Array[String] = []

	func _init() -> void:
		add_child(agent)
		agent.target_reached.connect(told.append.bind("reached"))
		agent.navigation_finished.connect(told.append.bind("finished"))
		agent.navigation_failed.connect(told.append.bind("failed").unbind(1))

	func _physics_process(delta: float) -> void:
		var before := global_position
		var velocity := agent.get_next_velocity(speed)
		global_position += velocity * delta
		if is_zero_approx(velocity.y):
			var space := agent.get_effective_space()
			var on: PathForgeSpace3D = space.floor_at(global_position) if space else null
			if on:
				global_position = on.snap_to_ground(global_position)
		highest_step = maxf(highest_step, before.distance_to(global_position) / delta)


func before_each() -> void:
	grid = PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 41, 16)
	grid.cell_size = Vector2.ONE
	add(grid)
	grid.fill_solid_region(Rect2i(20, 0, 1, 16))
	ground_floor = _floor(Rect2i(Vector2i(0, 0), SIZE), 0.0)
	upper_floor = _floor(Rect2i(Vector2i(21, 0), SIZE), STOREY)


func _floor(region: Rect2i, height: float) -> PathForgeSpace3D:
	var made := PathForgeSpace3D.new()
	made.floor_region = region
	made.position.y = height
	grid.add_child(made)
	return made


func _unit_at(position: Vector3) -> Unit:
	var unit := Unit.new()
	unit.agent.space = ground_floor
	unit.position = position
	add(unit)
	return unit


func test_each_floor_lays_its_own_cells_at_its_node() -> void:
	check_eq(upper_floor.floor_region, Rect2i(21, 0, 20, 16))
	check_eq(ground_floor.cell_to_global(Vector2i(3, 4)), Vector3(3.5, 0.0, 4.5))
	check_eq(upper_floor.cell_to_global(Vector2i(24, 4)), Vector3(3.5, STOREY, 4.5))
	check_eq(ground_floor.cell_to_global(Vector2i(24, 4)), Vector3(3.5, STOREY, 4.5), "from any")
	check_eq(ground_floor.global_to_cell(Vector3(3.5, 0.0, 4.5)), Vector2i(3, 4))
	check_eq(upper_floor.global_to_cell(Vector3(3.5, 99.0, 4.5)), Vector2i(24, 4))
	var cells: Array[Vector2i] = [Vector2i(0, 0), Vector2i(19, 15), Vector2i(21, 0), Vector2i(40, 15)]
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
		[-5.0, ground_floor], [0.0, ground_floor], [2.4, ground_floor], [2.6, upper_floor],
		[3.0, upper_floor], [50.0, upper_floor],
	]:
		var height: float = row[0]
		check_eq(ground_floor.floor_at(Vector3(3.5, height, 4.5)), row[1], "at %f" % height)
	upper_floor.set_region_height(Rect2i(24, 4, 1, 1), 1.0)
	check_eq(ground_floor.floor_at(Vector3(3.5, 3.4, 4.5)), ground_floor, "below a hill of it")
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
		check(is_stairs or hilly[at].y < 1.0 == (hilly[at - 1].y < 1.0), "no steps but the stairs")


func _hilly(on: PathForgeSpace3D) -> void:
	var heights := PackedFloat32Array()
	for y: int in SIZE.y:
		for x: int in SIZE.x:
			heights.append(0.4 * sin(x * 0.7))
	on.set_height_data(heights)


func test_clicks_meet_the_upper_floor_or_the_one_that_is_asked() -> void:
	var from := Vector3(5.5, 20.0, 5.5)
	check(_near(ground_floor.intersect_ray(from, Vector3.DOWN), Vector3(5.5, STOREY, 5.5)), "upper")
	check(_near(upper_floor.intersect_ray(from, Vector3.DOWN), Vector3(5.5, STOREY, 5.5)), "upper")
	var hit := ground_floor.intersect_ray(from, Vector3.DOWN, true)
	check(_near(hit, Vector3(5.5, 0.0, 5.5)), "only the ground floor: %s" % hit)
	check_eq(ground_floor.floor_at(hit), ground_floor)
	check(_near(upper_floor.intersect_ray(from, Vector3.DOWN, true), Vector3(5.5, STOREY, 5.5)), "own")
	check_eq(ground_floor.intersect_ray(Vector3(-5, 20, 5), Vector3.DOWN), Vector3.INF)
	# From the side, below the upper floor.
	hit = upper_floor.intersect_ray(Vector3(-2.0, 2.0, 5.5), Vector3(1.0, -0.4, 0.0))
	check(_near(hit, Vector3(3.0, 0.0, 5.5)), "%s" % hit)
	var closest := upper_floor.get_closest_point(Vector3(-4.0, 9.0, 5.5))
	check(_near(closest, Vector3(0.5, STOREY, 5.5)), "%s" % closest)
	grid.fill_solid_region(upper_floor.floor_region)
	check_eq(upper_floor.get_closest_point(Vector3(4.0, 0.0, 5.5)), Vector3.INF, "not below")


func _near(a: Vector3, b: Vector3, tolerance := 1e-3) -> bool:
	return a.distance_to(b) <= tolerance


func test_a_walker_climbs_the_stairs_and_comes_back() -> void:
	grid.add_link(Vector2i(10, 8), Vector2i(35, 8))
	_hilly(upper_floor)
	for avoids: bool in [true, false]:
		var unit := _unit_at(Vector3(2.5, 0.0, 3.5))
		unit.agent.avoidance_enabled = avoids
		await physics_frames(2)
		var target := ground_floor.cell_to_global(Vector2i(38, 12))
		unit.agent.target_position = target
		check(await wait_until(unit.agent.is_navigation_finished, 20.0), "it arrives")
		check(unit.agent.is_target_reached(), "on the upper floor: %s" % [unit.told])
		check(_near(unit.position, target, 0.8), "%s, not %s" % [unit.position, target])
		check(unit.highest_step < 2.0 * unit.speed, "it walks: %f" % unit.highest_step)
		check_eq(ground_floor.floor_at(unit.position), upper_floor)
		unit.agent.target_position = Vector3(2.5, 0.0, 12.5)
		check(await wait_until(unit.agent.is_navigation_finished, 20.0), "and back")
		check(_near(unit.position, Vector3(2.5, 0.0, 12.5), 0.8), "%s" % unit.position)
		check_eq(unit.told, ["reached", "finished", "reached", "finished"] as Array[String])
		unit.free()


func test_a_lift_is_straight_up() -> void:
	grid.add_link(Vector2i(10, 8), Vector2i(31, 8))
	var unit := _unit_at(Vector3(10.5, 0.0, 4.5))
	var path: Array[Vector3] = []
	unit.agent.target_position = Vector3(10.5, STOREY, 12.5)
	while not unit.agent.is_navigation_finished() and path.size() < 900:
		path.append(unit.position)
		await physics_frames(1)
	check(unit.agent.is_target_reached(), "there: %s" % unit.position)
	var between := path.filter(func(at: Vector3) -> bool: return at.y > 0.05 and at.y < 2.95)
	check(between.size() > 30, "it takes its time: %d" % between.size())
	for at: Vector3 in between:
		check_near(at.x, 10.5, 0.1, "in the shaft")
		check_near(at.z, 8.5, 0.1, "in the shaft")


func test_edits_and_orders_on_the_stairs_wait_for_the_other_floor() -> void:
	grid.add_link(Vector2i(10, 8), Vector2i(35, 8))
	var unit := _unit_at(Vector3(9.5, 0.0, 8.5))
	unit.agent.target_position = Vector3(18.5, STOREY, 8.5)
	check(await wait_until(func() -> bool: return unit.position.y > 1.0), "on the stairs")
	grid.fill_solid_region(Rect2i(37, 4, 1, 10))
	unit.agent.target_position = Vector3(18.5, STOREY, 3.5)
	check(await wait_until(unit.agent.is_target_reached, 20.0), "round the wall: %s" % unit.position)
	check(_near(unit.position, Vector3(18.5, STOREY, 3.5), 0.8), "%s" % unit.position)


func test_no_stairs_is_no_way() -> void:
	var unit := _unit_at(Vector3(2.5, 0.0, 3.5))
	unit.agent.target_position = Vector3(5.5, STOREY, 3.5)
	check(await wait_until(unit.agent.is_navigation_finished, 20.0), "refused")
	check(not unit.agent.is_target_reached(), "%s" % [unit.told])
	check(not unit.agent.is_target_reachable(), "without stairs")
	unit.agent.target_position = Vector3(5.5, 0.0, 3.5)
	check(await wait_until(unit.agent.is_target_reached, 20.0), "below the target: %s" % [unit.told])


func test_obstacles_and_free_places_are_on_the_floor_of_their_position() -> void:
	for height: float in [0.0, STOREY]:
		var tower := Node3D.new()
		var obstacle := PathForgeObstacle3D.new()
		obstacle.space = ground_floor
		obstacle.footprint = Vector2i(2, 2)
		tower.add_child(obstacle)
		tower.position = Vector3(5.0, height, 5.0)
		add(tower)
		await physics_frames(1)
		var first := Vector2i(4 if height == 0.0 else 25, 4)
		check_eq(obstacle.get_cells(), Rect2i(first, Vector2i(2, 2)), "at %f" % height)
		check(grid.is_point_solid(first) or not grid.can_stand(first), "blocked")
		tower.position.x = 20.0
		await physics_frames(1)
		check_eq(obstacle.get_cells().size.x, 1, "the part on the floor")
		tower.free()
	for height: float in [0.0, STOREY]:
		var places := upper_floor.find_free_places(Vector3(19.4, height, 5.5), 40)
		check_eq(places.size(), 40)
		for place: Vector3 in places:
			check_eq(place.y, height, "on its own floor: %s" % place)


func test_crowds_are_drawn_on_their_floors() -> void:
	upper_floor.rotation.y = 0.3
	var crowd := PathForgeCrowd.new()
	grid.add_child(crowd)
	crowd.space = upper_floor
	var multimesh := MultiMesh.new()
	multimesh.transform_format = MultiMesh.TRANSFORM_3D
	crowd.multimesh = multimesh
	var plane := PackedVector2Array([Vector2(3.5, 4.5), Vector2(24.5, 4.5)])
	var ids := crowd.add_agents(plane)
	var nodes: Array[Node] = [add(Node3D.new()), add(Node3D.new())]
	crowd.bind_nodes(ids, nodes)
	await frames(3)
	await physics_frames(3)
	for at: int in 2:
		var wanted := ground_floor.to_space(plane[at])
		# Without a display, the engine keeps the buffer alone: three rows of four numbers.
		var row := multimesh.buffer.slice(at * 12, at * 12 + 12)
		var drawn := upper_floor.global_transform * Vector3(row[3], row[7], row[11])
		check(_near(drawn, wanted, 0.05), "%s, not %s" % [drawn, wanted])
		var node: Node3D = nodes[at]
		check(_near(node.position, wanted, 0.05), "%s, not %s" % [node.position, wanted])
	upper_floor.rotation.y = 0.0
	var from := Vector3(3.5, 20.0, 4.5)
	check_eq(crowd.find_agents_along_ray(from, Vector3.DOWN), PackedInt32Array([ids[1]]), "above")
	var below := crowd.find_agents_along_ray(from, Vector3.DOWN, 2.0, ground_floor)
	check_eq(below, PackedInt32Array([ids[0]]), "on the ground floor")
	check_eq(crowd.find_agents_along_ray(from, Vector3.DOWN, 2.0, upper_floor), PackedInt32Array([ids[1]]))


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
	expect_warnings(1, "outside the grid's region")
	upper_floor.floor_region = Rect2i(30, 0, 20, 16)
	await physics_frames(3)
	check_eq(upper_floor.get_height_data().size(), 11 * 16, "what is inside")
	upper_floor.floor_region = Rect2i(100, 0, 20, 16)
	await physics_frames(3)
	check_eq(upper_floor.get_height_data().size(), 0)
	expect_errors(1, "has no cells in the grid's region")
	check(not upper_floor.import_navigation_mesh(_quad(0.0)), "nowhere")


func test_floors_may_be_freed_and_moved_under_way() -> void:
	grid.add_link(Vector2i(10, 8), Vector2i(35, 8))
	var unit := _unit_at(Vector3(9.5, 0.0, 8.5))
	unit.agent.target_position = Vector3(18.5, STOREY, 8.5)
	check(await wait_until(func() -> bool: return unit.position.y > 1.0), "on the stairs")
	upper_floor.position.y = 4.0
	check(await wait_until(func() -> bool: return unit.position.y > 3.2), "it follows the floor")
	upper_floor.free()
	await physics_frames(30)
	check(unit.position.is_finite(), "%s" % unit.position)
	ground_floor.free()
	await physics_frames(5)
	check(unit.position.is_finite(), "%s" % unit.position)


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


func _quad(height: float) -> NavigationMesh:
	var mesh := NavigationMesh.new()
	mesh.agent_radius = 0.0
	mesh.vertices = PackedVector3Array(
		[
			Vector3(0, height, 0), Vector3(8, height, 0), Vector3(8, height, 8),
			Vector3(0, height, 8),
		]
	)
	mesh.add_polygon(PackedInt32Array([0, 1, 2, 3]))
	return mesh


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
