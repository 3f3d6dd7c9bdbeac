extends TestSuite
## Cells and heights from a GridMap: rules for items, several levels, moved and turned maps,
## updates, and bad input.

enum { SLAB, WALL, BLOCK, RAMP, BUSH, WATER, HOUSE, THIN }

var _grid: PathForgeGrid
var _space: PathForgeSpace3D
var _map: GridMap


func before_each() -> void:
	_grid = PathForgeGrid.new()
	add(_grid)
	_space = PathForgeSpace3D.new()
	_grid.add_child(_space)
	_map = GridMap.new()
	_map.cell_size = Vector3(2.0, 2.0, 2.0)
	_map.cell_center_y = false
	_map.mesh_library = _library()
	add(_map)


func _library() -> MeshLibrary:
	var library := MeshLibrary.new()
	_item(library, SLAB, "slab", _box(Vector3(2.0, 0.2, 2.0)), Vector3(0.0, -0.1, 0.0))
	_item(library, WALL, "wall", _box(Vector3(2.0, 2.0, 2.0)), Vector3(0.0, 1.0, 0.0))
	_item(library, BLOCK, "block", _box(Vector3(2.0, 2.0, 2.0)), Vector3(0.0, 1.0, 0.0))
	var ramp := ConvexPolygonShape3D.new()
	ramp.points = PackedVector3Array(
		[
			Vector3(-1, 0, -1),
			Vector3(-1, 0, 1),
			Vector3(1, 0, -1),
			Vector3(1, 0, 1),
			Vector3(1, 2, -1),
			Vector3(1, 2, 1)
		]
	)
	_item(library, RAMP, "ramp", ramp, Vector3.ZERO)
	library.create_item(BUSH)
	library.set_item_name(BUSH, "bush")
	library.create_item(WATER)
	library.set_item_name(WATER, "water")
	var surface := PlaneMesh.new()
	surface.size = Vector2(2.0, 2.0)
	library.set_item_mesh(WATER, surface)
	library.set_item_mesh_transform(WATER, Transform3D(Basis.IDENTITY, Vector3(0.0, 1.8, 0.0)))
	_item(library, HOUSE, "house", _box(Vector3(6.0, 4.0, 2.0)), Vector3(2.0, 2.0, 0.0))
	_item(library, THIN, "thin", _box(Vector3(0.2, 2.0, 2.0)), Vector3(-0.9, 1.0, 0.0))
	return library


func _box(size: Vector3) -> BoxShape3D:
	var shape := BoxShape3D.new()
	shape.size = size
	return shape


func _item(library: MeshLibrary, id: int, name: String, shape: Shape3D, at: Vector3) -> void:
	if id not in library.get_item_list():
		library.create_item(id)
	library.set_item_name(id, name)
	library.set_item_shapes(id, [shape, Transform3D(Basis.IDENTITY, at)])


func _floor(rect: Rect2i, item := SLAB, level := 0) -> void:
	for z: int in range(rect.position.y, rect.end.y):
		for x: int in range(rect.position.x, rect.end.x):
			_map.set_cell_item(Vector3i(x, level, z), item)


## The grid as text, a letter a cell: # solid, a digit the terrain.
func _drawn() -> String:
	var rows := PackedStringArray()
	for y: int in range(_grid.region.position.y, _grid.region.end.y):
		var row := ""
		for x: int in range(_grid.region.position.x, _grid.region.end.x):
			var cell := Vector2i(x, y)
			var terrain := _grid.get_point_terrain(cell)
			row += "#" if _grid.is_point_solid(cell) else ("." if terrain == 0 else str(terrain))
		rows.append(row)
	return "\n".join(rows)


func test_shapes_decide_without_rules() -> void:
	_floor(Rect2i(-1, 0, 4, 3))
	_map.set_cell_item(Vector3i(0, 0, 1), WALL)
	_map.set_cell_item(Vector3i(1, 0, 1), BUSH)
	_map.set_cell_item(Vector3i(2, 1, 1), WALL)
	_map.set_cell_item(Vector3i(2, 2, 2), WALL)
	_map.set_cell_item(Vector3i(2, 0, 0), GridMap.INVALID_CELL_ITEM)
	check_eq(_space.import_grid_map(_map), true)
	check_eq(_grid.region, Rect2i(-2, 0, 8, 6), "the map's used rectangle")
	# The wall and the bush took the slab's place; the wall of level 1 begins two metres higher.
	check_eq(_drawn(), "......##\n......##\n..####..\n..####..\n........\n........")


func test_rules_by_name() -> void:
	_floor(Rect2i(0, 0, 4, 1), BLOCK)
	_map.set_cell_item(Vector3i(1, 1, 0), BUSH)
	_map.set_cell_item(Vector3i(2, 0, 0), WATER)
	_map.set_cell_item(Vector3i(3, 1, 0), HOUSE)
	check_eq(_space.import_grid_map(_map), true)
	check_eq(_drawn(), "########\n########", "blocks are solid")
	var rules := PathForgeItemRules.new()
	rules.floor_items = ["bl?ck", "water"]
	rules.terrain_items = {"w*": 2}
	rules.weight_items = {"bush": 3.0}
	check_eq(_space.import_grid_map(_map, rules), true)
	check_eq(_drawn(), "....22##\n....22##")
	check_eq(_grid.get_point_weight_scale(Vector2i(2, 1)), 3.0, "a bush on the block")
	check_eq(_grid.get_point_weight_scale(Vector2i(1, 1)), 1.0)
	check_near(_space.get_height(Vector2i(0, 0)), 2.0, 1e-4, "on top of the block")
	check_near(_space.get_height(Vector2i(4, 0)), 1.8, 1e-4, "the mesh's surface")
	rules.solid_items = ["bush"]
	_space.import_grid_map(_map, rules)
	check_eq(_drawn(), "..##22##\n..##22##", "its place")
	rules.ignored_items = ["bush", "house"]
	_space.import_grid_map(_map, rules)
	check_eq(_drawn(), "....22..\n....22..", "ignored before all")


func test_the_topmost_floor_is_the_ground() -> void:
	_floor(Rect2i(0, 0, 3, 1))
	_floor(Rect2i(1, 0, 2, 1), SLAB, 2)
	_map.set_cell_item(Vector3i(2, 3, 0), WALL)
	_space.import_grid_map(_map)
	var heights := [0.0, 0.0, 4.0, 4.0, 4.0, 4.0]
	for x: int in 6:
		check_near(_space.get_height(Vector2i(x, 0)), heights[x], 1e-4, "column %d" % x)
	check_eq(_drawn(), ".#....\n.#....", "bodies walk below what begins two metres up")
	var rules := PathForgeItemRules.new()
	rules.body_height = 2.5
	_space.import_grid_map(_map, rules)
	check_eq(_drawn(), ".#..##\n.#..##")
	rules.highest_level = 1
	_space.import_grid_map(_map, rules)
	check_eq(_drawn(), "......\n......")
	check_near(_space.get_height(Vector2i(4, 0)), 0.0, 1e-4, "a level below")
	rules.highest_level = 32767
	rules.lowest_level = 2
	_space.import_grid_map(_map, rules)
	check_eq(_grid.region, Rect2i(2, 0, 4, 2), "a region that an import took is taken anew")


func test_a_ramp_leads_up_and_may_be_turned() -> void:
	var rules := PathForgeItemRules.new()
	rules.floor_items = ["ramp", "block"]
	for quarter: int in 4:
		_map.clear()
		var basis := Basis(Vector3.UP, quarter * PI / 2.0)
		var at := _map.get_orthogonal_index_from_basis(basis)
		_map.set_cell_item(Vector3i.ZERO, RAMP, at)
		_space.import_grid_map(_map, rules)
		for cell: Vector2i in [Vector2i(0, 0), Vector2i(1, 0), Vector2i(0, 1), Vector2i(1, 1)]:
			var centre := Vector3(cell.x - 0.5, 0.0, cell.y - 0.5)
			var along := (basis.inverse() * centre).x
			check_near(_space.get_height(cell), along + 1.0, 1e-4, "%d, %s" % [quarter, cell])
	check_eq(_drawn(), "..\n..")


func test_an_item_may_be_larger_than_its_place() -> void:
	_floor(Rect2i(0, 0, 5, 2))
	_map.set_cell_item(Vector3i(1, 0, 1), HOUSE)
	_map.set_cell_item(Vector3i(4, 0, 0), THIN)
	_space.import_grid_map(_map)
	# No slab lies below the house and below the thin wall, which have its place.
	check_eq(_drawn(), "........##\n........##\n..######..\n..######..")


func test_thin_walls_count_by_area() -> void:
	_map.cell_size = Vector3(2.0, 1.0, 2.0)
	_floor(Rect2i(0, 0, 2, 1), SLAB, -1)
	_map.set_cell_item(Vector3i(1, 0, 0), THIN)
	var rules := PathForgeItemRules.new()
	_space.import_grid_map(_map, rules)
	check_eq(_drawn(), "....\n....", "no centre is covered")
	rules.coverage = PathForgeTileRules.COVERAGE_AREA
	rules.coverage_area = 0.0
	_space.import_grid_map(_map, rules)
	check_eq(_drawn(), "..#.\n..#.")
	rules.coverage_area = 0.5
	_space.import_grid_map(_map, rules)
	check_eq(_drawn(), "....\n....")


func test_shapes_of_every_kind() -> void:
	var sphere := SphereShape3D.new()
	sphere.radius = 1.0
	var cylinder := CylinderShape3D.new()
	cylinder.radius = 1.0
	cylinder.height = 2.0
	var capsule := CapsuleShape3D.new()
	capsule.radius = 1.0
	capsule.height = 4.0
	var soup := BoxMesh.new()
	soup.size = Vector3(2.0, 2.0, 2.0)
	var shapes: Array[Shape3D] = [
		sphere, cylinder, capsule, soup.create_trimesh_shape(), soup.create_convex_shape()
	]
	var tops: Array[float] = [1.0, 1.0, 2.0, 1.0, 1.0]
	var rules := PathForgeItemRules.new()
	rules.floor_items = ["any"]
	_map.cell_size = Vector3.ONE * 3.0
	_space.cell_size = Vector2.ONE * 3.0
	_map.set_cell_item(Vector3i.ZERO, 20)
	for n: int in shapes.size():
		_item(_map.mesh_library, 20, "any", shapes[n], Vector3.ZERO)
		check_eq(_space.import_grid_map(_map, rules), true, "shape %d" % n)
		check_near(_space.get_height(Vector2i.ZERO), tops[n], 0.02, "shape %d" % n)


## Every cell of a map of random items is what a look at the collision boxes says.
func test_cells_equal_brute_force() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 7
	var rules := PathForgeItemRules.new()
	rules.floor_items = ["block", "slab"]
	for turn: int in 4:
		_map.clear()
		_map.transform = Transform3D(Basis(Vector3.UP, turn * PI / 2.0), Vector3(4.0, 1.5, -2.0))
		_space.transform = Transform3D(Basis(Vector3.UP, PI / 2.0), Vector3(-3.0, 0.5, 8.0))
		for _n: int in 150:
			var at := Vector3i(
				random.randi_range(-4, 4), random.randi_range(0, 2), random.randi_range(-4, 4)
			)
			var item: int = [SLAB, WALL, BLOCK, HOUSE, THIN][random.randi_range(0, 4)]
			var quarter := Basis(Vector3.UP, random.randi_range(0, 3) * PI / 2.0)
			_map.set_cell_item(at, item, _map.get_orthogonal_index_from_basis(quarter))
		_grid.region = Rect2i(-30, -30, 60, 60)
		_space.import_grid_map(_map, rules)
		var boxes := _boxes()
		var grounds: Dictionary[Vector2i, float] = {}
		var solid: Dictionary[Vector2i, bool] = {}
		var wrong := 0
		var floors := 0
		for y: int in range(-30, 30):
			for x: int in range(-30, 30):
				var centre := _space.global_transform * Vector3(x + 0.5, 0.0, y + 0.5)
				var ground := -INF
				for box: Array in boxes:
					if box[1] and _is_over(box[0], centre):
						ground = maxf(ground, (box[0] as AABB).end.y)
				var is_solid := ground == -INF
				for box: Array in boxes:
					var bounds: AABB = box[0]
					if not box[1] and _is_over(bounds, centre):
						var is_in := (
							bounds.position.y < ground + 2.0 and bounds.end.y > ground + 0.4
						)
						is_solid = is_solid or is_in
				grounds[Vector2i(x, y)] = ground
				solid[Vector2i(x, y)] = is_solid
		for cell: Vector2i in grounds:
			if absi(cell.x) < 29 and absi(cell.y) < 29:
				var ground := grounds[cell]
				var is_solid := solid[cell]
				for side: Vector2i in [Vector2i.LEFT, Vector2i.RIGHT, Vector2i.UP, Vector2i.DOWN]:
					is_solid = is_solid or grounds[cell + side] > ground + 0.4001
				wrong += int(_grid.is_point_solid(cell) != is_solid)
				if ground > -INF:
					floors += 1
					wrong += int(absf(_space.get_height(cell) - (ground - 0.5)) > 1e-3)
		check_eq(wrong, 0, "turn %d" % turn)
		check(floors > 100, "%d cells have a floor" % floors)


## The boxes of all items in the world, and which are floor.
func _boxes() -> Array[Array]:
	var all: Array[Array] = []
	for at: Vector3i in _map.get_used_cells():
		var item := _map.get_cell_item(at)
		var shapes := _map.mesh_library.get_item_shapes(item)
		var place := Transform3D(_map.get_cell_item_basis(at), _map.map_to_local(at))
		var to_world: Transform3D = _map.global_transform * place * (shapes[1] as Transform3D)
		var size := (shapes[0] as BoxShape3D).size
		all.append([to_world * AABB(-size / 2.0, size), item in [BLOCK, SLAB]])
	return all


func _is_over(box: AABB, point: Vector3) -> bool:
	var is_within_x := box.position.x < point.x and point.x < box.end.x
	return is_within_x and box.position.z < point.z and point.z < box.end.z


func test_an_update_tells_what_differs_alone() -> void:
	_floor(Rect2i(0, 0, 8, 8))
	_space.import_grid_map(_map)
	_grid.set_point_solid(Vector2i(1, 1))
	var edits: Array[Rect2i] = []
	var raised: Array[Rect2i] = []
	_grid.cells_changed.connect(func(region: Rect2i) -> void: edits.append(region))
	_space.heights_changed.connect(func(region: Rect2i) -> void: raised.append(region))
	check(_space.update_grid_map(_map), "nothing is new")
	check_eq(edits.size() + raised.size(), 0)
	_map.set_cell_item(Vector3i(3, 1, 2), WALL)
	_map.set_cell_item(Vector3i(3, 0, 2), WALL)
	_map.set_cell_item(Vector3i(6, 1, 6), SLAB)
	check(_space.update_grid_map(_map, [Vector3i(3, 0, 2), Vector3i(3, 1, 2)]), "two places")
	check_eq(edits, [Rect2i(6, 4, 2, 2)] as Array[Rect2i])
	check_eq(raised.size(), 0, "without a floor cells keep their heights")
	check(_space.update_grid_map(_map), "all places")
	check_eq(raised, [Rect2i(12, 12, 2, 2)] as Array[Rect2i])
	check_eq(edits.slice(1), [Rect2i(11, 11, 4, 4)] as Array[Rect2i], "round the step alone")
	check_near(_space.get_height(Vector2i(13, 13)), 2.0)
	check(_grid.is_point_solid(Vector2i(1, 1)), "what a script has closed stays")
	_map.set_cell_item(Vector3i(3, 0, 2), SLAB)
	_map.set_cell_item(Vector3i(3, 1, 2), GridMap.INVALID_CELL_ITEM)
	check(_space.update_grid_map(_map), "and back")
	check(not _grid.is_point_solid(Vector2i(6, 4)), "open")


func test_updates_equal_a_new_import() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 11
	var rules := PathForgeItemRules.new()
	rules.floor_items = ["slab", "block"]
	_grid.region = Rect2i(-4, -4, 24, 24)
	_floor(Rect2i(0, 0, 8, 8))
	_space.import_grid_map(_map, rules)
	for round: int in 30:
		var places: Array[Vector3i] = []
		for _n: int in random.randi_range(1, 5):
			var at := Vector3i(
				random.randi_range(0, 7), random.randi_range(0, 2), random.randi_range(0, 7)
			)
			_map.set_cell_item(at, random.randi_range(-1, 7))
			places.append(at)
		check(_space.update_grid_map(_map, places if round % 2 == 0 else []), "round %d" % round)
		var solid := _grid.get_solid_data()
		var heights := _space.get_height_data()
		_space.import_grid_map(_map, rules)
		check_eq(_grid.get_solid_data(), solid, "round %d" % round)
		check_eq(_space.get_height_data(), heights, "round %d" % round)


func test_a_map_that_grows_shrinks_or_moves() -> void:
	_floor(Rect2i(0, 0, 4, 2))
	_space.import_grid_map(_map)
	_map.set_cell_item(Vector3i(4, 0, 0), SLAB)
	check(_space.update_grid_map(_map), "it grows")
	check_eq(_grid.region, Rect2i(0, 0, 10, 4), "a region that was taken grows with it")
	_map.clear()
	_map.set_cell_item(Vector3i(1, 0, 1), SLAB)
	check(_space.update_grid_map(_map), "it shrinks")
	check_eq(_drawn().count("."), 4, "one place is left")
	_map.position.x = 2.0
	check(_space.update_grid_map(_map), "it moves")
	check_eq(_grid.region, Rect2i(4, 2, 2, 2))
	check_eq(_drawn(), "..\n..")
	_map.clear()
	check_eq(_space.import_grid_map(_map), true, "an empty map")
	check_eq(_grid.region.get_area(), 0)
	_grid.region = Rect2i(0, 0, 3, 3)
	_space.import_grid_map(_map)
	check_eq(_drawn(), "###\n###\n###", "a region that was set is kept, without any floor")
	var rules := PathForgeItemRules.new()
	rules.empty_solid = false
	_space.import_grid_map(_map, rules)
	check_eq(_drawn(), "...\n...\n...")


func test_handlers_see_cells_and_heights_together() -> void:
	_floor(Rect2i(0, 0, 2, 2), BLOCK)
	var rules := PathForgeItemRules.new()
	rules.floor_items = ["block"]
	var seen: Array[float] = []
	var handler := func(_region: Rect2i) -> void: seen.append(_space.get_height(Vector2i.ZERO))
	_grid.region = Rect2i(0, 0, 4, 4)
	_grid.fill_solid_region(_grid.region)
	_grid.cells_changed.connect(handler)
	_space.import_grid_map(_map, rules)
	check_eq(seen, [2.0] as Array[float])
	_grid.cells_changed.connect(func(_region: Rect2i) -> void: _space.queue_free())
	_map.set_cell_item(Vector3i(0, 1, 0), BLOCK)
	check(_space.update_grid_map(_map), "a handler that frees the space")


func test_bad_input_changes_nothing() -> void:
	_floor(Rect2i(0, 0, 2, 2))
	_space.import_grid_map(_map)
	var before := _drawn()
	var bad := func(part: String) -> void:
		expect_errors(1, "PathForgeSpace3D.import_grid_map: " + part)
		check_eq(_space.import_grid_map(_map), false, part)
	expect_errors(1, "PathForgeSpace3D.import_grid_map: map is null")
	check_eq(_space.import_grid_map(null), false)
	expect_errors(1, "PathForgeSpace3D.import_grid_map: map is a Node3D, not a GridMap")
	var other := Node3D.new()
	check_eq(_space.import_grid_map(other), false)
	other.free()
	expect_errors(1, "PathForgeSpace3D.update_grid_map: map was freed")
	var freed := GridMap.new()
	freed.free()
	check(not _space.update_grid_map(freed), "freed")
	expect_errors(1, "PathForgeSpace3D.update_grid_map: places[1] is float, not a Vector3i")
	var mixed: Array = [Vector3i.ZERO, 1.5]
	check(not _space.update_grid_map(_map, mixed), "a number")
	expect_errors(1, "PathForgeSpace3D.update_grid_map: (40000, 0, 0) is no place of a map")
	check(not _space.update_grid_map(_map, [Vector3i(40000, 0, 0)]), "far away")
	expect_errors(1, "PathForgeSpace3D.update_grid_map: map is not the last imported map")
	var another: GridMap = add(GridMap.new())
	check(not _space.update_grid_map(another), "another map")
	check(_space.update_grid_map(_map), "the first is still known")
	var library := _map.mesh_library
	_map.mesh_library = null
	bad.call("the map has no mesh library")
	_map.mesh_library = library
	_map.cell_size = Vector3(1.5, 1.0, 2.0)
	bad.call("the map does not lie on the space's cells: a place of it takes 1.500 × 2.000 cells")
	_map.cell_size = Vector3.ONE * 2.0
	_map.position.x = 0.5
	bad.call("the map does not lie on the space's cells: ")
	_map.position = Vector3.ZERO
	_map.rotation = Vector3(0.0, 0.3, 0.0)
	bad.call("the map does not lie on the space's cells: ")
	_map.rotation = Vector3(0.3, 0.0, 0.0)
	bad.call("the map is tilted against the space")
	_map.rotation = Vector3.ZERO
	_map.scale = Vector3(1.0, 0.0, 1.0)
	bad.call("the map is scaled by zero, or not finite")
	_map.transform = Transform3D(Basis.IDENTITY, Vector3(NAN, 0.0, 0.0))
	bad.call("the map is scaled by zero, or not finite")
	_map.transform = Transform3D.IDENTITY
	_map.set_cell_item(Vector3i(0, 1, 0), 20)
	_item(library, 20, "edge", WorldBoundaryShape3D.new(), Vector3.ZERO)
	bad.call('item 20 "edge": its collision shape is a WorldBoundaryShape3D, which cannot be read')
	_item(library, 20, "huge", _box(Vector3(9000.0, 1.0, 9000.0)), Vector3.ZERO)
	bad.call('item 20 "huge": it covers 9000 × 9000 cells, at most 65536 can be read')
	_item(library, 20, "nan", _box(Vector3.ONE), Vector3(NAN, 0.0, 0.0))
	bad.call('item 20 "nan": it is not finite')
	library.remove_item(20)
	check_eq(_drawn(), before, "as it was")
	check(_space.import_grid_map(_map), "an item that the library has no more does not count")
	_space.scale = Vector3.ZERO
	expect_errors(1, "PathForgeSpace3D.import_grid_map: the node is scaled by zero")
	check_eq(_space.import_grid_map(_map), false)
	var lonely := PathForgeSpace3D.new()
	expect_errors(1, "PathForgeSpace3D.import_grid_map: there is no grid")
	check_eq(lonely.import_grid_map(_map), false)
	lonely.free()


func test_bad_rules_change_nothing() -> void:
	_floor(Rect2i(0, 0, 2, 2))
	_space.import_grid_map(_map)
	var before := _drawn()
	var bad := func(set_up: Callable, part: String) -> void:
		var rules := PathForgeItemRules.new()
		set_up.call(rules)
		expect_errors(1, "PathForgeSpace3D.import_grid_map: rules." + part)
		check_eq(_space.import_grid_map(_map, rules), false, part)
	bad.call(func(r: PathForgeItemRules) -> void: r.step_height = NAN, "step_height NaN is not")
	bad.call(func(r: PathForgeItemRules) -> void: r.step_height = -1.0, "step_height -1 is not")
	bad.call(
		func(r: PathForgeItemRules) -> void: r.body_height = 0.1, "body_height 0.1 is not above"
	)
	bad.call(
		func(r: PathForgeItemRules) -> void: r.coverage = 2, "coverage 2 is not within 0 and 1"
	)
	bad.call(
		func(r: PathForgeItemRules) -> void:
			r.coverage = 1
			r.coverage_area = 1.5,
		"coverage_area 1.5 is not within 0 and 1"
	)
	bad.call(func(r: PathForgeItemRules) -> void: r.lowest_level = 40000, "lowest_level 40000 is")
	bad.call(
		func(r: PathForgeItemRules) -> void:
			r.lowest_level = 2
			r.highest_level = 1,
		"lowest_level 2 is above rules.highest_level 1"
	)
	bad.call(
		func(r: PathForgeItemRules) -> void: r.terrain_items = {"slab": 32},
		"terrain_items[slab] 32 is not within 0 and 31"
	)
	bad.call(
		func(r: PathForgeItemRules) -> void: r.weight_items = {"slab": INF},
		"weight_items[slab] inf is not a finite number"
	)
	bad.call(
		func(r: PathForgeItemRules) -> void: r.floor_items = ["slap"],
		"floor_items: no item of the mesh library has the name slap; it has: slab, wall, block"
	)
	check_eq(_drawn(), before, "as it was")
