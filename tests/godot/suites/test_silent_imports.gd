extends TestSuite
## Imports that import nothing say so: one warning, with what was looked at.

const TileKit := preload("res://tiles/tile_kit.gd")

var _grid: PathForgeGrid
var _space: PathForgeSpace3D
var _kit: TileKit


func before_each() -> void:
	_grid = add(PathForgeGrid.new())
	_space = PathForgeSpace3D.new()
	_grid.add_child(_space)
	_kit = TileKit.new(3)


func test_a_scan_that_hits_nothing() -> void:
	_grid.region = Rect2i(0, 0, 6, 4)
	_space.set_region_height(_grid.region, 2.0)
	var body: StaticBody3D = add(StaticBody3D.new())
	var node := CollisionShape3D.new()
	var box := BoxShape3D.new()
	box.size = Vector3(2.0, 1.0, 2.0)
	node.shape = box
	body.add_child(node)
	await physics_frames(2)
	expect_warnings(
		1,
		(
			"PathForgeSpace3D.scan_heights: 24 of 24 rays hit nothing from height 30 down to -10 on the"
			+ " layers of collision_mask 4: all cells keep their heights"
		)
	)
	_space.scan_heights(-10.0, 30.0, 4)
	await _space.heights_changed
	check_eq(_space.get_height_data().count(2.0), 24)
	_space.scan_heights(-10.0, 30.0, 1)
	await _space.heights_changed
	check_eq(
		_space.get_height_data().count(2.0), 23, "one that hits the corner of a box: no warning"
	)


func test_tiles() -> void:
	var method := "PathForgeGrid.import_tile_map_layers: "
	var empty: TileMapLayer = add(_kit.layer(""))
	expect_warnings(1, method + "the layers have no tiles")
	check_eq(_grid.import_tile_map_layers([empty]), true)
	var bare: TileMapLayer = add(_kit.layer("012"))
	expect_warnings(
		1,
		method + "no tile has a collision polygon or custom data that count for a cell: all cells"
	)
	check_eq(_grid.import_tile_map_layers([bare]), true)
	expect_warnings(
		1,
		(
			method
			+ "no navigation polygon of navigation layer 0 counts for a cell: all cells are solid"
		)
	)
	check_eq(_grid.import_tile_map_layers([bare], TileKit.rules({"navigation": true})), true)
	_kit.navigate(1, [TileKit.BOX])
	var rules := PathForgeTileRules.new()
	rules.navigation = true
	check_eq(_grid.import_tile_map_layers([bare], rules), true, "no warning")
	check_eq(_grid.get_solid_data(), PackedByteArray([1, 0, 1]))
	var before := _grid.state_hash()
	expect_errors(1, method + "rules.navigation: no tile set has a navigation layer 2")
	rules.navigation_layer = 2
	check_eq(_grid.import_tile_map_layers([bare], rules), false)
	check_eq(_grid.state_hash(), before)


func test_layers_that_are_painted_later_say_nothing() -> void:
	expect_warnings(0, "the layers have no tiles")
	var layer: TileMapLayer = add(_kit.layer(""))
	var grid := PathForgeGrid.new()
	grid.source_layers = [layer]
	grid.import_on_ready = true
	add(grid)
	await frames(2)


func test_grid_maps() -> void:
	var method := "PathForgeSpace3D.import_grid_map: "
	var map: GridMap = add(GridMap.new())
	map.cell_size = Vector3.ONE
	map.mesh_library = MeshLibrary.new()
	map.mesh_library.create_item(0)
	map.mesh_library.set_item_name(0, "block")
	expect_warnings(1, method + "the map has no items on levels -32768 to 32767")
	check_eq(_space.import_grid_map(map), true)
	map.set_cell_item(Vector3i(2, 0, 3), 0)
	expect_warnings(
		1, method + "no item is a floor in the region; see rules.floor_items: all cells"
	)
	check_eq(_space.import_grid_map(map), true)
	var rules := PathForgeItemRules.new()
	rules.floor_items = ["block"]
	check_eq(_space.import_grid_map(map, rules), true, "no warning")
	rules.lowest_level = 5
	expect_warnings(1, method + "the map has no items on levels 5 to 32767")
	check_eq(_space.import_grid_map(map, rules), true)


func test_heights() -> void:
	_grid.region = Rect2i(0, 0, 6, 4)
	var image := Image.create(4, 4, false, Image.FORMAT_L8)
	expect_warnings(
		1,
		(
			"PathForgeSpace3D.import_heights_from_image: all pixels are as bright as each other: all cells"
			+ " get height -2"
		)
	)
	_space.import_heights_from_image(image, -2.0, 6.0)
	check_eq(_space.get_height(Vector2i(1, 1)), -2.0)
	image.set_pixel(1, 1, Color.WHITE)
	_space.import_heights_from_image(image, -2.0, 6.0)
	var node: CollisionShape3D = add(CollisionShape3D.new())
	node.shape = HeightMapShape3D.new()
	node.position.x = 100.0
	expect_warnings(
		1,
		"PathForgeSpace3D.import_heights_from_shape: no cell's centre lies above or below the shape"
	)
	_space.import_heights_from_shape(node)
	node.position.x = 1.0
	_space.import_heights_from_shape(node)
