extends TestSuite
## A grid that follows its layers while they are painted, single tiles, and bad input.

const TileKit := preload("res://tiles/tile_kit.gd")

var _grid: PathForgeGrid = null
var _kit: TileKit = null
var _changes: Array[Rect2i] = []


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_kit = TileKit.new(3)
	_kit.collide(0, TileKit.BOX)
	_changes = []
	_grid.cells_changed.connect(func(region: Rect2i) -> void: _changes.append(region))


func after_each() -> void:
	if is_instance_valid(_grid) and not _grid.is_inside_tree():
		_grid.free()


func test_it_imports_when_ready_and_follows() -> void:
	var layer: TileMapLayer = add(_kit.layer("0222\n2222\n2220"))
	_grid.source_layers = [layer]
	_grid.import_on_ready = true
	add(_grid)
	check_eq(_grid.region, Rect2i(0, 0, 4, 3))
	check_eq(_grid.get_solid_data().count(1), 2)
	await frames(2)
	_changes.clear()
	layer.set_cell(Vector2i(1, 1), 0, Vector2i.ZERO)
	layer.set_cell(Vector2i(2, 1), 0, Vector2i.ZERO)
	layer.set_cell(Vector2i(0, 2), 0, Vector2i(1, 0))
	# Layers are looked at by the clock, less often where a look takes long.
	await wait_until(func() -> bool: return not _changes.is_empty())
	check_eq(_changes, [Rect2i(1, 1, 2, 1)] as Array[Rect2i], "once, and only what changed")
	_changes.clear()
	layer.set_cell(Vector2i(1, 1), 0, Vector2i(1, 0))
	layer.set_cell(Vector2i(1, 1), 0, Vector2i(0, 0))
	await frames(2)
	check_eq(_changes, [] as Array[Rect2i], "nothing changed")


func test_what_a_game_has_set_stays_where_nothing_is_painted() -> void:
	var layer: TileMapLayer = add(_kit.layer("0222\n2222"))
	_grid.source_layers = [layer]
	add(_grid)
	_grid.import_tile_map_layers(_grid.source_layers)
	_grid.set_point_solid(Vector2i(3, 1))
	layer.set_cell(Vector2i(2, 0), 0, Vector2i.ZERO)
	await wait_until(_grid.is_point_solid.bind(Vector2i(2, 0)))
	check_eq(_grid.get_solid_data(), PackedByteArray([1, 0, 1, 0, 0, 0, 0, 1]))
	layer.set_cell(Vector2i(5, 0), 0, Vector2i.ZERO)
	await wait_until(func() -> bool: return _grid.region.size.x == 6)
	check_eq(_grid.region, Rect2i(0, 0, 6, 2), "it grows")
	check_eq(_grid.get_solid_data(), PackedByteArray([1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0]))
	_kit.collide(1, TileKit.BOX)
	layer.set_cell(Vector2i(5, 1), 0, Vector2i(1, 0))
	await wait_until(_grid.is_point_solid.bind(Vector2i(5, 1)))
	check(_grid.is_point_solid(Vector2i(5, 1)), "a tile set that changed is read again")


func test_cells_that_enter_the_region_are_as_their_tiles() -> void:
	var layer: TileMapLayer = add(_kit.layer("0222\n2202\n0220"))
	_grid.source_layers = [layer]
	add(_grid)
	_grid.import_tile_map_layers(_grid.source_layers)
	var all := _grid.get_solid_data()
	_grid.region = Rect2i(1, 1, 2, 1)
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 1]))
	_grid.set_point_solid(Vector2i(1, 1))
	_changes.clear()
	_grid.region = Rect2i(0, 0, 4, 3)
	check_eq(_changes, [Rect2i(0, 0, 4, 3)] as Array[Rect2i], "once")
	check(_grid.is_point_solid(Vector2i(1, 1)), "what a game has set in the region stays")
	_grid.set_point_solid(Vector2i(1, 1), false)
	check_eq(_grid.get_solid_data(), all)
	# Tiles that were painted outside of it, too, before and after the grid has looked at them.
	_grid.region = Rect2i(1, 1, 2, 1)
	layer.set_cell(Vector2i(3, 0), 0, Vector2i.ZERO)
	layer.set_cell(Vector2i(2, 1), 0, Vector2i(2, 0))
	await wait_until(func() -> bool: return not _grid.is_point_solid(Vector2i(2, 1)))
	_grid.region = Rect2i(0, 0, 4, 3)
	check(_grid.is_point_solid(Vector2i(3, 0)), "as its tile is")
	_grid.region = Rect2i(1, 1, 2, 1)
	layer.set_cell(Vector2i(1, 0), 0, Vector2i.ZERO)
	_grid.region = Rect2i(0, 0, 4, 3)
	await wait_until(_grid.is_point_solid.bind(Vector2i(1, 0)))
	check_eq(_grid.get_solid_data(), PackedByteArray([1, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1]))


func test_layers_that_were_not_imported_are_not_followed() -> void:
	var layer: TileMapLayer = add(_kit.layer("02"))
	_grid.source_layers = [layer]
	add(_grid)
	layer.set_cell(Vector2i.ZERO, 0, Vector2i.ZERO)
	await frames(2)
	check_eq(_grid.region, Rect2i())
	_grid.import_tile_map_layers([layer])
	_grid.source_layers = []
	layer.set_cell(Vector2i(1, 0), 0, Vector2i.ZERO)
	await frames(2)
	check_eq(_grid.get_solid_data(), PackedByteArray([1, 0]))


func test_single_tiles() -> void:
	add(_grid)
	var layer: TileMapLayer = add(_kit.layer("0222\n2222"))
	_grid.import_tile_map_layers([layer], TileKit.rules({"cells_per_tile": 2}))
	_changes.clear()
	layer.erase_cell(Vector2i.ZERO)
	layer.set_cell(Vector2i(3, 1), 0, Vector2i.ZERO)
	layer.set_cell(Vector2i(2, 1), 0, Vector2i.ZERO)
	check(_grid.import_tile_map_cells(layer, [Vector2i(3, 1)]), "read")
	check_eq(_changes, [Rect2i(6, 2, 2, 2)] as Array[Rect2i])
	check_eq(_grid.get_solid_data().count(1), 8)
	check(_grid.import_tile_map_cells(layer, [Vector2i.ZERO, Vector2i(2, 1)]), "read")
	check_eq(_grid.get_solid_data().count(1), 8)
	check(_grid.is_point_solid(Vector2i(4, 2)) and not _grid.is_point_solid(Vector2i.ZERO), "both")
	layer.set_cell(Vector2i(-1, 0), 0, Vector2i.ZERO)
	check(_grid.import_tile_map_cells(layer, [Vector2i(-1, 0)]), "outside of the used rectangle")
	check_eq(_grid.region, Rect2i(-2, 0, 10, 4))
	check_eq(_grid.get_solid_data().count(1), 12)


func test_single_tiles_of_cells_that_were_saved() -> void:
	add(_grid)
	var layer: TileMapLayer = add(_kit.layer("02\n22"))
	_grid.import_tile_map_layers([layer])
	var saved := _grid.to_bytes()
	var other: PathForgeGrid = add(PathForgeGrid.new())
	other.from_bytes(saved)
	layer.set_cell(Vector2i(1, 1), 0, Vector2i.ZERO)
	check(other.import_tile_map_cells(layer, [Vector2i(1, 1)]), "read")
	check_eq(other.get_solid_data(), PackedByteArray([1, 0, 0, 1]))
	expect_errors(1, "call import_tile_map_layers() first")
	var empty: PathForgeGrid = add(PathForgeGrid.new())
	check_eq(empty.import_tile_map_cells(layer, [Vector2i(1, 1)]), false)


func test_missing_and_freed_layers() -> void:
	add(_grid)
	_grid.region = Rect2i(0, 0, 2, 2)
	var before := _grid.state_hash()
	expect_errors(1, "layer is null")
	check_eq(_grid.import_tile_map_cells(null, []), false)
	expect_errors(1, "has no tile set")
	check_eq(_grid.import_tile_map_layers([add(TileMapLayer.new())]), false)
	expect_errors(3, "layers[0] is")
	check_eq(_grid.import_tile_map_layers([7]), false)
	check_eq(_grid.import_tile_map_layers([null]), false)
	check_eq(_grid.import_tile_map_layers([_grid]), false)
	var freed := _kit.layer("0")
	var layers: Array = [freed]
	freed.free()
	expect_errors(1, "or was freed")
	check_eq(_grid.import_tile_map_layers(layers), false)
	expect_errors(1, "there is no layer")
	check_eq(_grid.import_tile_map_layers([]), false)
	check_eq(_grid.state_hash(), before)


func test_a_source_layer_that_is_freed() -> void:
	var layer: TileMapLayer = add(_kit.layer("02"))
	var other: TileMapLayer = add(_kit.layer("..0"))
	_grid.source_layers = [layer, null, other]
	add(_grid)
	_grid.import_tile_map_layers([layer, other])
	layer.set_cell(Vector2i(1, 0), 0, Vector2i.ZERO)
	layer.free()
	await frames(2)
	other.set_cell(Vector2i(3, 0), 0, Vector2i.ZERO)
	await frames(2)
	check_eq(_grid.get_solid_data(), PackedByteArray([1, 0, 1]), "as it was")
	_grid.free()
	other.set_cell(Vector2i(4, 0), 0, Vector2i.ZERO)
	await frames(2)


func test_bad_rules() -> void:
	add(_grid)
	_grid.region = Rect2i(0, 0, 2, 2)
	var before := _grid.state_hash()
	var layer: TileMapLayer = add(_kit.layer("02"))
	var wrong: Array[Dictionary] = [
		{"physics_layers": -1},
		{"physics_layers": 1 << 32},
		{"coverage": 2},
		{"coverage": PathForgeTileRules.COVERAGE_AREA, "coverage_area": 1.5},
		{"coverage": PathForgeTileRules.COVERAGE_AREA, "coverage_area": NAN},
		{"one_way": 3},
		{"navigation_layer": -1},
		{"region_mode": -1},
		{"cells_per_tile": 0},
		{"cells_per_tile": 17},
		{"headroom_cells": 65},
	]
	expect_errors(wrong.size(), "PathForgeGrid.import_tile_map_layers: rules.")
	for values: Dictionary in wrong:
		check_eq(_grid.import_tile_map_layers([layer], TileKit.rules(values)), false, str(values))
	expect_errors(1, "rules: no tile set has a custom data layer no_such_layer")
	var unknown := TileKit.rules({"custom_solid": "no_such_layer"})
	check_eq(_grid.import_tile_map_layers([layer], unknown), false)
	check_eq(_grid.state_hash(), before)


func test_bad_custom_data() -> void:
	add(_grid)
	_kit.add_custom("terrain", TYPE_INT)
	_kit.add_custom("weight", TYPE_FLOAT)
	var layer: TileMapLayer = add(_kit.layer("02"))
	expect_errors(3, "tile (2, 0) of source 0: its custom data")
	for bad: Array in [["terrain", 32], ["weight", -1.0], ["weight", NAN]]:
		_kit.data(2).set_custom_data("terrain", 0)
		_kit.data(2).set_custom_data("weight", 0.0)
		_kit.data(2).set_custom_data(bad[0], bad[1])
		check_eq(_grid.import_tile_map_layers([layer]), false)
	check_eq(_grid.region, Rect2i())


func test_tiles_that_the_tile_set_lost() -> void:
	add(_grid)
	var layer: TileMapLayer = add(_kit.layer("012"))
	_kit.atlas.remove_tile(Vector2i(2, 0))
	layer.set_cell(Vector2i(3, 0), 9, Vector2i.ZERO)
	layer.set_cell(Vector2i(4, 0), 0, Vector2i.ZERO, 77)
	_grid.import_tile_map_layers([layer])
	check_eq(_grid.get_solid_data().count(1), 1)
