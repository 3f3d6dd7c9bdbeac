extends TestSuite
## Edges of [PathForgeGrid] from the custom data of tiles: turned, painted, removed.

const TileKit := preload("res://tiles/tile_kit.gd")
const L := 1 << SIDE_LEFT
const T := 1 << SIDE_TOP
const R := 1 << SIDE_RIGHT
const B := 1 << SIDE_BOTTOM
const FLIP_H := TileSetAtlasSource.TRANSFORM_FLIP_H
const FLIP_V := TileSetAtlasSource.TRANSFORM_FLIP_V
const TRANSPOSE := TileSetAtlasSource.TRANSFORM_TRANSPOSE

var _grid: PathForgeGrid = null
var _kit: TileKit = null


func before_each() -> void:
	_grid = add(PathForgeGrid.new())
	_kit = TileKit.new(4)


func test_tiles_have_edges() -> void:
	_kit.add_custom("edges", TYPE_STRING)
	_kit.add_custom("one_way_edges", TYPE_STRING)
	_kit.data(0).set_custom_data("edges", "right")
	_kit.data(1).set_custom_data("one_way_edges", "left, top")
	_kit.data(2).set_custom_data("edges", "all")
	check_eq(_edges(add(_kit.layer("031\n333"))), [R, L, L | T, 0, 0, 0])
	check_eq(_edges(add(_kit.layer("333\n323\n333"))), [0, B, 0, R, 15, L, 0, T, 0])
	check_eq(_edges(add(_kit.layer("20"))), [15, L | R], "either tile says so")
	check_eq(_edges(add(_kit.layer("2."))), [15])


func test_numbers_are_bits_of_sides() -> void:
	_kit.add_custom("edges", TYPE_INT)
	_kit.data(0).set_custom_data("edges", T | R)
	check_eq(_edges(add(_kit.layer("3\n0"))), [B, T | R])
	_kit.data(0).set_custom_data("edges", 16)
	var wanted := ", not a number from 0 to 15 with a bit for each side, or sides such as"
	expect_errors(1, "tile (0, 0) of source 0: its custom data edges is 16" + wanted)
	check_eq(_grid.import_tile_map_layers([add(_kit.layer("0"))]), false)


func test_other_names_and_wrong_values() -> void:
	_kit.add_custom("fences", TYPE_STRING)
	_kit.data(0).set_custom_data("fences", "bottom")
	var layer: TileMapLayer = add(_kit.layer("0\n3"))
	check_eq(_edges(layer, {"custom_edges": "fences"}), [B, T])
	_kit.data(0).set_custom_data("fences", "up")
	expect_errors(1, "its custom data fences is up, not a number from 0 to 15")
	check_eq(_import(layer, {"custom_edges": "fences"}), false)
	expect_errors(1, "rules: no tile set has a custom data layer walls")
	check_eq(_import(layer, {"custom_one_way_edges": "walls"}), false)


func test_how_tiles_are_turned() -> void:
	_kit.add_custom("edges", TYPE_STRING)
	_kit.data(0).set_custom_data("edges", "left top")
	var layer: TileMapLayer = add(_kit.layer("0"))
	var cases: Dictionary[int, int] = {
		0: L | T,
		FLIP_H: R | T,
		FLIP_V: L | B,
		FLIP_H | FLIP_V: R | B,
		TRANSPOSE: L | T,
		TRANSPOSE | FLIP_H: R | T,
	}
	for flags: int in cases:
		layer.set_cell(Vector2i.ZERO, 0, Vector2i.ZERO, flags)
		check_eq(_edges(layer), [cases[flags]], "flags %d" % flags)
	_kit.data(0).set_custom_data("edges", "left")
	var quarters: Dictionary[int, int] = {
		TRANSPOSE: T, TRANSPOSE | FLIP_H: T, TRANSPOSE | FLIP_V: B, FLIP_H: R
	}
	for flags: int in quarters:
		layer.set_cell(Vector2i.ZERO, 0, Vector2i.ZERO, flags)
		check_eq(_edges(layer), [quarters[flags]], "flags %d" % flags)


func test_they_lie_at_the_rim_of_a_tile_of_several_cells() -> void:
	_kit.add_custom("edges", TYPE_STRING)
	_kit.data(0).set_custom_data("edges", "right top")
	var rows := [T, T | R, L, 0, 0, R, L, 0]
	check_eq(_edges(add(_kit.layer("03")), {"cells_per_tile": 2}), rows)


func test_painting_changes_only_what_tiles_say() -> void:
	_kit.add_custom("edges", TYPE_STRING)
	_kit.data(0).set_custom_data("edges", "right")
	var layer: TileMapLayer = add(_kit.layer("3333\n3333"))
	_grid.source_layers = [layer]
	check_eq(_edges(layer), [0, 0, 0, 0, 0, 0, 0, 0])
	# What a game has set beside the tile stays: a wall, and an edge of its own.
	_grid.set_point_solid(Vector2i(2, 0))
	_grid.set_edge_blocked(Vector2i(2, 0), SIDE_BOTTOM)
	layer.set_cell(Vector2i(1, 0), 0, Vector2i.ZERO)
	await wait_until(_grid.is_edge_blocked.bind(Vector2i(1, 0), SIDE_RIGHT))
	check_eq(_data(), [0, R, L | B, 0, 0, 0, T, 0], "followed")
	check_eq(_grid.is_point_solid(Vector2i(2, 0)), true)
	layer.erase_cell(Vector2i(1, 0))
	check_eq(_grid.import_tile_map_cells(layer, [Vector2i(1, 0)]), true)
	check_eq(_data(), [0, 0, B, 0, 0, 0, T, 0], "opened")
	check_eq(_grid.is_point_solid(Vector2i(2, 0)), true)
	# Two tiles block one edge: it opens with the second.
	_kit.data(1).set_custom_data("edges", "left")
	layer.set_cell(Vector2i(0, 1), 0, Vector2i(0, 0))
	layer.set_cell(Vector2i(1, 1), 0, Vector2i(1, 0))
	check_eq(_grid.import_tile_map_layers([layer]), true)
	check_eq(_data(), [0, 0, 0, 0, R, L, 0, 0])
	layer.set_cell(Vector2i(0, 1), 0, Vector2i(3, 0))
	check_eq(_grid.import_tile_map_cells(layer, [Vector2i(0, 1)]), true)
	check_eq(_data(), [0, 0, 0, 0, R, L, 0, 0])
	layer.set_cell(Vector2i(1, 1), 0, Vector2i(3, 0))
	check_eq(_grid.import_tile_map_cells(layer, [Vector2i(1, 1)]), true)
	check_eq(_data(), [0, 0, 0, 0, 0, 0, 0, 0])


func test_single_tiles_without_an_import_before() -> void:
	_kit.add_custom("edges", TYPE_STRING)
	_kit.data(0).set_custom_data("edges", "all")
	var layer: TileMapLayer = add(_kit.layer("333\n303\n333"))
	_grid.region = Rect2i(0, 0, 3, 3)
	_grid.cell_size = Vector2(16, 16)
	_grid.set_point_solid(Vector2i(0, 1))
	check_eq(_grid.import_tile_map_cells(layer, [Vector2i(1, 1)]), true)
	check_eq(_data(), [0, B, 0, R, 15, L, 0, T, 0])
	check_eq(_grid.is_point_solid(Vector2i(0, 1)), true, "as it was")


func test_the_topmost_tile_hides_them() -> void:
	_kit.add_custom("edges", TYPE_STRING)
	_kit.data(0).set_custom_data("edges", "right")
	var below: TileMapLayer = add(_kit.layer("303"))
	var above: TileMapLayer = add(_kit.layer(".3."))
	check_eq(_edges(below, {}, above), [0, R, L])
	check_eq(_edges(below, {"topmost": true}, above), [0, 0, 0])


func test_items_of_a_region_that_is_kept() -> void:
	_kit.add_custom("edges", TYPE_STRING)
	_kit.data(0).set_custom_data("edges", "left")
	_grid.region = Rect2i(0, 0, 2, 1)
	_grid.cell_size = Vector2(16, 16)
	var layer: TileMapLayer = add(_kit.layer("330"))
	check_eq(_import(layer, {"region_mode": PathForgeTileRules.REGION_KEEP}), true)
	check_eq(_data(), [0, R], "a tile beyond the region")


func test_diamonds_have_edges_of_their_cells() -> void:
	_kit = TileKit.new(1, Vector2i(32, 16))
	_kit.tile_set.tile_shape = TileSet.TILE_SHAPE_ISOMETRIC
	_kit.tile_set.tile_layout = TileSet.TILE_LAYOUT_DIAMOND_DOWN
	_kit.add_custom("edges", TYPE_STRING)
	_kit.data(0).set_custom_data("edges", "left")
	var layer: TileMapLayer = add(_kit.layer("0"))
	check_eq(_edges(layer), [L])
	layer.set_cell(Vector2i.ZERO, 0, Vector2i.ZERO, FLIP_H)
	check_eq(_edges(layer), [T], "x to the lower right becomes y to the lower left")


## The edges of all cells, row by row, after an import.
func _edges(layer: TileMapLayer, values := {}, above: TileMapLayer = null) -> Array:
	values["region_mode"] = PathForgeTileRules.REGION_TAKE
	check_eq(_import(layer, values, above), true)
	return _data()


func _import(layer: TileMapLayer, values: Dictionary, above: TileMapLayer = null) -> bool:
	var layers: Array[TileMapLayer] = [layer]
	if above != null:
		layers.append(above)
	return _grid.import_tile_map_layers(layers, TileKit.rules(values))


func _data() -> Array:
	return Array(_grid.get_edge_data())
