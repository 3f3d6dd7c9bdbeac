extends TestSuite
## [method PathForgeGrid.import_tile_map_layers]: every rule.

const TileKit := preload("res://tiles/tile_kit.gd")

var _grid: PathForgeGrid = null
var _kit: TileKit = null


func before_each() -> void:
	_grid = PathForgeGrid.new()
	add(_grid)
	_kit = TileKit.new(4)
	_kit.collide(0, TileKit.BOX)
	_kit.collide(
		1, PackedVector2Array([Vector2(-8, 2), Vector2(8, 2), Vector2(8, 8), Vector2(-8, 8)])
	)


func test_a_layer_becomes_region_and_cells() -> void:
	var layer: TileMapLayer = add(_kit.layer("0.02\n2..0", Vector2i(-3, -5)))
	layer.position = Vector2(7, 9)
	var found := _grid.import_tile_map_layers([layer])
	check_eq(_grid.region, Rect2i(-3, -5, 4, 2))
	check_eq(_grid.get_solid_data(), PackedByteArray([1, 0, 1, 0, 0, 0, 0, 1]))
	check_eq(_grid.cell_size, Vector2(16, 16))
	check_eq(_grid.offset, Vector2(7, 9))
	check(found, "tiles are read")
	for cell: Vector2i in [Vector2i(-3, -5), Vector2i(0, -4)]:
		check_eq(_grid.cell_to_global(cell), layer.to_global(layer.map_to_local(cell)))


func test_coverage_is_a_threshold() -> void:
	# Tile 1 is solid in its lower 6 of 16 rows.
	var layer: TileMapLayer = add(_kit.layer("12"))
	_grid.import_tile_map_layers([layer])
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 0]), "the centre is free")
	var wanted: Dictionary[float, int] = {0.0: 1, 0.25: 1, 0.375: 1, 0.38: 0, 1.0: 0}
	for coverage: float in wanted:
		_grid.import_tile_map_layers([layer], _covering(coverage))
		check_eq(_grid.get_solid_data(), PackedByteArray([wanted[coverage], 0]), "%s" % coverage)
	_grid.import_tile_map_layers([layer], TileKit.rules({"cells_per_tile": 2}))
	check_eq(_grid.region, Rect2i(0, 0, 4, 2))
	check_eq(_grid.cell_size, Vector2(8, 8))
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 0, 0, 0, 1, 1, 0, 0]))
	_grid.import_tile_map_layers([layer], TileKit.rules({"cells_per_tile": 4}))
	check_eq(_grid.region, Rect2i(0, 0, 8, 4))
	check_eq(_grid.get_solid_data().slice(24), PackedByteArray([1, 1, 1, 1, 0, 0, 0, 0]))
	check_eq(_grid.get_solid_data().count(1), 8, "a centre on the edge counts")


func test_physics_layers_are_chosen() -> void:
	_kit = TileKit.new(3, Vector2i(16, 16), 2)
	_kit.collide(0, TileKit.BOX, 0)
	_kit.collide(1, TileKit.BOX, 1)
	var layer: TileMapLayer = add(_kit.layer("012"))
	var cases: Dictionary[int, Array] = {3: [1, 1, 0], 2: [0, 1, 0], 1: [1, 0, 0], 0: [0, 0, 0]}
	for physics_layers: int in cases:
		_grid.import_tile_map_layers([layer], TileKit.rules({"physics_layers": physics_layers}))
		check_eq(Array(_grid.get_solid_data()), cases[physics_layers], str(physics_layers))


func test_one_way_polygons() -> void:
	_kit.data(0).set_collision_polygon_one_way(0, 0, true)
	var layer: TileMapLayer = add(_kit.layer("02"))
	# What they are for: one-way or solid.
	var cases: Dictionary[int, Array] = {
		PathForgeTileRules.ONE_WAY_CELLS: [true, false],
		PathForgeTileRules.ONE_WAY_SOLID: [false, true],
		PathForgeTileRules.ONE_WAY_IGNORED: [false, false],
	}
	for one_way: int in cases:
		_grid.import_tile_map_layers([layer], TileKit.rules({"one_way": one_way}))
		var found := [_grid.is_point_one_way(Vector2i.ZERO), _grid.is_point_solid(Vector2i.ZERO)]
		check_eq(found, cases[one_way], "%d" % one_way)
	_grid.import_tile_map_layers([layer])
	check_eq(_grid.get_one_way_data(), PackedByteArray([1, 0]), "without rules")
	layer.erase_cell(Vector2i.ZERO)
	_grid.import_tile_map_layers([layer])
	check_eq(_grid.get_one_way_data().count(1), 0, "another import clears them")


func test_navigation_polygons_are_floor() -> void:
	_kit.navigate(2, [TileKit.BOX])
	var half := PackedVector2Array([Vector2(-8, -8), Vector2(0, -8), Vector2(0, 8), Vector2(-8, 8)])
	_kit.navigate(3, [half])
	var layer: TileMapLayer = add(_kit.layer("230\n.21"))
	_grid.import_tile_map_layers([layer], TileKit.rules({"navigation": true}))
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 0, 1, 1, 0, 1]), "on the edge counts")
	var wide := _covering(0.75)
	wide.navigation = true
	_grid.import_tile_map_layers([layer], wide)
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 1, 1, 1, 0, 1]))
	_grid.import_tile_map_layers([layer], TileKit.rules({"navigation": false}))
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 0, 1, 0, 0, 0]))


func test_a_hole_in_a_navigation_polygon_is_no_floor() -> void:
	var hole := PackedVector2Array([Vector2(-2, -2), Vector2(-2, 2), Vector2(2, 2), Vector2(2, -2)])
	var polygon := NavigationPolygon.new()
	polygon.vertices = TileKit.BOX + hole
	for corners: Array in [[0, 1, 7, 4], [1, 2, 6, 7], [2, 3, 5, 6], [3, 0, 4, 5]]:
		polygon.add_polygon(PackedInt32Array(corners))
	polygon.add_outline(TileKit.BOX)
	polygon.add_outline(hole)
	_kit.data(2).set_navigation_polygon(0, polygon)
	_grid.import_tile_map_layers([add(_kit.layer("2"))], TileKit.rules({"navigation": true}))
	check_eq(_grid.is_point_solid(Vector2i.ZERO), true)
	_grid.import_tile_map_layers(
		[_grid.get_parent().get_child(1)], TileKit.rules({"navigation": true, "cells_per_tile": 2})
	)
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 0, 0, 0]), "beside the hole")


func test_custom_data_by_name() -> void:
	_kit = TileKit.new(4)
	_kit.add_custom("solid", TYPE_BOOL)
	_kit.add_custom("terrain", TYPE_INT)
	_kit.add_custom("weight", TYPE_FLOAT)
	_kit.add_custom("kind", TYPE_STRING)
	_kit.data(0).set_custom_data("solid", true)
	_kit.data(1).set_custom_data("terrain", 3)
	_kit.data(2).set_custom_data("weight", 2.5)
	_kit.data(3).set_custom_data("kind", "water")
	_kit.add_custom("one_way", TYPE_BOOL)
	_kit.data(3).set_custom_data("one_way", true)
	var layer: TileMapLayer = add(_kit.layer("0123"))
	_grid.import_tile_map_layers([layer])
	check_eq(_grid.get_solid_data(), PackedByteArray([1, 0, 0, 0]))
	check_eq(_grid.get_terrain_data(), PackedByteArray([0, 3, 0, 0]))
	check_eq(_grid.get_weight_data(), PackedFloat32Array([1, 1, 2.5, 1]))
	check_eq(_grid.get_one_way_data(), PackedByteArray([0, 0, 0, 1]))
	_grid.terrain_names = ["land", "mud", "water"]
	_grid.import_tile_map_layers(
		[layer], TileKit.rules({"custom_terrain": "kind", "custom_solid": "", "custom_weight": ""})
	)
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 0, 0, 0]))
	check_eq(_grid.get_terrain_data(), PackedByteArray([0, 0, 0, 2]))
	check_eq(_grid.get_weight_data(), PackedFloat32Array([1, 1, 1, 1]))
	_grid.import_tile_map_layers([layer], TileKit.rules({"custom_terrain": ""}))
	check_eq(_grid.get_terrain_data(), PackedByteArray([0, 0, 0, 0]))


func test_empty_strings_say_nothing() -> void:
	_kit = TileKit.new(3)
	_kit.add_custom("terrain", TYPE_STRING)
	_kit.add_custom("note", TYPE_STRING)
	_kit.data(0).set_custom_data("terrain", "water")
	_kit.data(2).set_custom_data("terrain", "land")
	_grid.terrain_names = ["land", "water"]
	var ground: TileMapLayer = add(_kit.layer("0001"))
	var above: TileMapLayer = add(_kit.layer("12", Vector2i(1, 0)))
	_grid.import_tile_map_layers([ground, above])
	check_eq(_grid.get_terrain_data(), PackedByteArray([1, 1, 1, 0]), "terrain 0 says nothing")
	_grid.import_tile_map_layers([ground, above], TileKit.rules({"topmost": true}))
	check_eq(_grid.get_terrain_data(), PackedByteArray([1, 0, 0, 0]))
	for what: String in ["custom_solid", "custom_one_way", "custom_weight"]:
		expect_errors(1, "tile (0, 0) of source 0: its custom data note is , not ")
		var found := _grid.import_tile_map_layers([ground], TileKit.rules({what: "note"}))
		check(not found, what)


func test_layers_lie_over_each_other() -> void:
	_kit.add_custom("terrain", TYPE_INT)
	_kit.data(0).set_custom_data("terrain", 1)
	_kit.data(2).set_custom_data("terrain", 2)
	var water: TileMapLayer = add(_kit.layer("000"))
	var bridge: TileMapLayer = add(_kit.layer("2", Vector2i(1, 0)))
	var decoration: TileMapLayer = add(_kit.layer("33", Vector2i(2, 0)))
	_grid.import_tile_map_layers([water, bridge, decoration])
	check_eq(_grid.region, Rect2i(0, 0, 4, 1))
	check_eq(_grid.get_solid_data(), PackedByteArray([1, 1, 1, 0]), "any layer")
	check_eq(
		_grid.get_terrain_data(), PackedByteArray([1, 2, 1, 0]), "the last that says something"
	)
	_grid.import_tile_map_layers([water, bridge, decoration], TileKit.rules({"topmost": true}))
	check_eq(_grid.get_solid_data(), PackedByteArray([1, 0, 0, 0]))
	check_eq(_grid.get_terrain_data(), PackedByteArray([1, 2, 0, 0]))
	_grid.import_tile_map_layers([bridge, water], TileKit.rules({"topmost": true}))
	check_eq(_grid.get_solid_data(), PackedByteArray([1, 1, 1]))
	var typed: Array[TileMapLayer] = [water, bridge]
	_grid.import_tile_map_layers(typed, TileKit.rules({"topmost": true, "empty_solid": true}))
	check_eq(_grid.get_solid_data(), PackedByteArray([1, 0, 1]))


func test_empty_cells_may_be_solid() -> void:
	_grid.import_tile_map_layers([add(_kit.layer("2.2"))], TileKit.rules({"empty_solid": true}))
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 1, 0]))


## Rules by which polygons have to cover [param share] of a cell.
func _covering(share: float) -> PathForgeTileRules:
	return TileKit.rules({"coverage": PathForgeTileRules.COVERAGE_AREA, "coverage_area": share})


func test_a_tile_map_of_an_older_project_is_told_the_way_to_its_layers() -> void:
	var grid: PathForgeGrid = PathForgeGrid.new()
	add(grid)
	var map: Node = ClassDB.instantiate("TileMap")
	add(map)
	expect_errors(1, "is a TileMap, not a TileMapLayer; its layers are its children")
	check_eq(grid.call("import_tile_map_layers", [map]), false, "a map is no layer")
