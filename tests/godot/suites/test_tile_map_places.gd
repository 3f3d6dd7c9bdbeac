extends TestSuite
## [method PathForgeGrid.import_tile_map_layers]: turned tiles, tiles that reach over their cell,
## diamonds, scenes, and where the cells lie.

const TileKit := preload("res://tiles/tile_kit.gd")

var _grid: PathForgeGrid = null
var _kit: TileKit = null


func before_each() -> void:
	_grid = PathForgeGrid.new()
	add(_grid)
	_kit = TileKit.new(4)
	_kit.collide(0, TileKit.BOX)


func test_alternatives_and_turned_tiles() -> void:
	# The left third of tile 2 is solid, so where it lies after turning can be seen at 2×2 cells.
	_kit.collide(
		2, PackedVector2Array([Vector2(-8, -8), Vector2(-3, -8), Vector2(-3, 8), Vector2(-8, 8)])
	)
	var alternative := _kit.atlas.create_alternative_tile(Vector2i(2, 0))
	_kit.collide(2, TileKit.BOX, 0, alternative)
	var layer: TileMapLayer = add(_kit.layer("2"))
	var cases: Dictionary[int, Array] = {
		0: [1, 0, 1, 0],
		TileSetAtlasSource.TRANSFORM_FLIP_H: [0, 1, 0, 1],
		TileSetAtlasSource.TRANSFORM_FLIP_V: [1, 0, 1, 0],
		TileSetAtlasSource.TRANSFORM_TRANSPOSE: [1, 1, 0, 0],
		TileSetAtlasSource.TRANSFORM_TRANSPOSE | TileSetAtlasSource.TRANSFORM_FLIP_V: [0, 0, 1, 1],
		TileSetAtlasSource.TRANSFORM_FLIP_H | TileSetAtlasSource.TRANSFORM_FLIP_V: [0, 1, 0, 1],
		alternative: [1, 1, 1, 1],
		alternative | TileSetAtlasSource.TRANSFORM_FLIP_H: [1, 1, 1, 1],
	}
	for flags: int in cases:
		layer.set_cell(Vector2i.ZERO, 0, Vector2i(2, 0), flags)
		_grid.import_tile_map_layers([layer], TileKit.rules({"cells_per_tile": 2}))
		check_eq(Array(_grid.get_solid_data()), cases[flags], "flags %d" % flags)


func test_polygons_reach_over_their_cell() -> void:
	var wide := PackedVector2Array(
		[Vector2(-8, -8), Vector2(24, -8), Vector2(24, 24), Vector2(-8, 24)]
	)
	_kit.collide(3, wide)
	var layer: TileMapLayer = add(_kit.layer("322\n222\n222"))
	_grid.import_tile_map_layers([layer])
	check_eq(_grid.get_solid_data(), PackedByteArray([1, 1, 0, 1, 1, 0, 0, 0, 0]))
	layer.set_cell(Vector2i.ZERO, 0, Vector2i(2, 0))
	layer.set_cell(Vector2i.ONE, 0, Vector2i(3, 0))
	check(_grid.import_tile_map_cells(layer, [Vector2i.ZERO, Vector2i.ONE]), "read")
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 0, 0, 0, 1, 1, 0, 1, 1]))


func test_headroom_above_the_topmost_tile() -> void:
	var layer: TileMapLayer = add(_kit.layer("0.\n00", Vector2i(3, 5)))
	var found := _grid.import_tile_map_layers([layer], TileKit.rules({"headroom_cells": 2}))
	check(found, "tiles are read")
	check_eq(_grid.region, Rect2i(3, 3, 2, 4))
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 0, 0, 0, 1, 0, 1, 1]))
	_grid.import_tile_map_layers(
		[layer], TileKit.rules({"headroom_cells": 1, "region_mode": PathForgeTileRules.REGION_KEEP})
	)
	check_eq(_grid.region, Rect2i(3, 3, 2, 4), "kept")
	expect_errors(2, "rules.headroom_cells ")
	check_eq(_grid.import_tile_map_layers([layer], TileKit.rules({"headroom_cells": 65})), false)
	check_eq(_grid.import_tile_map_layers([layer], TileKit.rules({"headroom_cells": -1})), false)
	layer.clear()
	_grid.import_tile_map_layers(
		[layer], TileKit.rules({"headroom_cells": 2, "region_mode": PathForgeTileRules.REGION_TAKE})
	)
	check_eq(_grid.region, Rect2i(), "no tiles, no room")


func test_scenes_are_counted() -> void:
	var packed := PackedScene.new()
	var node := Node2D.new()
	packed.pack(node)
	node.free()
	var scenes := TileSetScenesCollectionSource.new()
	var id := scenes.create_scene_tile(packed)
	_kit.tile_set.add_source(scenes, 1)
	var layer: TileMapLayer = add(_kit.layer("00"))
	layer.set_cell(Vector2i(2, 0), 1, Vector2i.ZERO, id)
	layer.set_cell(Vector2i(3, 0), 1, Vector2i.ZERO, id)
	var found := _grid.import_tile_map_layers([layer])
	check(found, "scenes do not count")
	check_eq(_grid.get_solid_data(), PackedByteArray([1, 1, 0, 0]))


func test_diamonds() -> void:
	for layout: int in [TileSet.TILE_LAYOUT_DIAMOND_RIGHT, TileSet.TILE_LAYOUT_DIAMOND_DOWN]:
		for axis: int in [TileSet.TILE_OFFSET_AXIS_HORIZONTAL, TileSet.TILE_OFFSET_AXIS_VERTICAL]:
			_kit = TileKit.new(3, Vector2i(32, 16))
			_kit.tile_set.tile_shape = TileSet.TILE_SHAPE_ISOMETRIC
			_kit.tile_set.tile_layout = layout as TileSet.TileLayout
			_kit.tile_set.tile_offset_axis = axis as TileSet.TileOffsetAxis
			_kit.collide(0, TileKit.DIAMOND)
			var layer: TileMapLayer = add(_kit.layer("020\n002", Vector2i(-1, 2)))
			layer.position = Vector2(5, -3)
			_grid.import_tile_map_layers(
				[layer],
				TileKit.rules({"coverage": PathForgeTileRules.COVERAGE_AREA, "coverage_area": 1.0})
			)
			check_eq(_grid.region, Rect2i(-1, 2, 3, 2))
			check_eq(_grid.get_solid_data(), PackedByteArray([1, 0, 1, 1, 1, 0]))
			for cell: Vector2i in [Vector2i(-1, 2), Vector2i(1, 3), Vector2i(9, -4)]:
				var want := layer.to_global(layer.map_to_local(cell))
				check(_grid.cell_to_global(cell).distance_to(want) < 0.01, "%s" % cell)
			_grid.import_tile_map_layers([layer], TileKit.rules({"cells_per_tile": 2}))
			check_eq(_grid.region, Rect2i(-2, 4, 6, 4))
			check_eq(_grid.get_solid_data().count(1), 16)
			check_eq(_grid.is_point_solid(Vector2i(0, 4)), false)


func test_layouts_without_rows_are_refused() -> void:
	var before := _grid.state_hash()
	expect_errors(6, "not square and not a diamond")
	for shape: int in [TileSet.TILE_SHAPE_HEXAGON, TileSet.TILE_SHAPE_HALF_OFFSET_SQUARE]:
		_kit.tile_set.tile_shape = shape as TileSet.TileShape
		check_eq(_grid.import_tile_map_layers([add(_kit.layer("0"))]), false)
	_kit.tile_set.tile_shape = TileSet.TILE_SHAPE_ISOMETRIC
	for layout: int in [
		TileSet.TILE_LAYOUT_STACKED,
		TileSet.TILE_LAYOUT_STACKED_OFFSET,
		TileSet.TILE_LAYOUT_STAIRS_RIGHT,
		TileSet.TILE_LAYOUT_STAIRS_DOWN
	]:
		_kit.tile_set.tile_layout = layout as TileSet.TileLayout
		check_eq(_grid.import_tile_map_layers([add(_kit.layer("0"))]), false)
	check_eq(_grid.state_hash(), before)


func test_the_region_may_be_kept() -> void:
	_grid.region = Rect2i(-1, 0, 4, 2)
	_grid.offset = Vector2(32, 0)
	_grid.fill_solid_region(_grid.region)
	var layer: TileMapLayer = add(_kit.layer("2020\n...0", Vector2i(1, 0)))
	_grid.import_tile_map_layers(
		[layer], TileKit.rules({"region_mode": PathForgeTileRules.REGION_KEEP})
	)
	check_eq(_grid.region, Rect2i(-1, 0, 4, 2))
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 1, 0, 1, 0, 0, 0, 1]))
	_grid.cell_size = Vector2(8, 8)
	layer.scale = Vector2(1, 2)
	_grid.import_tile_map_layers(
		[layer], TileKit.rules({"region_mode": PathForgeTileRules.REGION_KEEP})
	)
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 1, 1, 0, 0, 1, 1, 0]), "2 × 4 cells")


func test_a_region_that_was_set_is_kept() -> void:
	_grid.region = Rect2i(-1, 0, 3, 2)
	var layer: TileMapLayer = add(_kit.layer("0000"))
	layer.scale = Vector2(2, 2)
	_grid.import_tile_map_layers([layer])
	check_eq(_grid.region, Rect2i(-1, 0, 3, 2))
	check_eq(_grid.cell_size, Vector2(32, 32), "a cell is a tile")
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 1, 1, 0, 0, 0]))
	_grid.import_tile_map_layers([layer])
	check_eq(_grid.region, Rect2i(-1, 0, 3, 2), "again")
	_grid.import_tile_map_layers(
		[layer], TileKit.rules({"region_mode": PathForgeTileRules.REGION_TAKE})
	)
	check_eq(_grid.region, Rect2i(0, 0, 4, 1))
	layer.set_cell(Vector2i(5, 0), 0, Vector2i.ZERO)
	_grid.import_tile_map_layers([layer])
	check_eq(_grid.region, Rect2i(0, 0, 6, 1), "one from an import grows")


func test_what_does_not_fit_is_refused() -> void:
	_grid.region = Rect2i(0, 0, 4, 4)
	var before := _grid.state_hash()
	var layer: TileMapLayer = add(_kit.layer("0"))
	layer.position = Vector2(3, 0)
	expect_errors(3, "do not lie on the grid's cells")
	_grid.import_tile_map_layers(
		[layer], TileKit.rules({"region_mode": PathForgeTileRules.REGION_KEEP})
	)
	layer.position = Vector2.ZERO
	_grid.cell_size = Vector2(12, 12)
	_grid.import_tile_map_layers(
		[layer], TileKit.rules({"region_mode": PathForgeTileRules.REGION_KEEP})
	)
	_grid.cell_shape = PathForgeGrid.CELL_SHAPE_ISOMETRIC_DOWN
	_grid.import_tile_map_layers(
		[layer], TileKit.rules({"region_mode": PathForgeTileRules.REGION_KEEP})
	)
	expect_errors(1, "turned, mirrored or skewed")
	layer.rotation = 0.5
	_grid.import_tile_map_layers([layer])
	expect_errors(1, "no region to keep")
	var empty: PathForgeGrid = add(PathForgeGrid.new())
	empty.import_tile_map_layers(
		[layer], TileKit.rules({"region_mode": PathForgeTileRules.REGION_KEEP})
	)
	check_eq(_grid.state_hash(), before)


func test_a_turned_grid_fits_a_layer_that_turns_with_it() -> void:
	var parent: Node2D = add(Node2D.new())
	parent.rotation = 0.7
	parent.scale = Vector2(2, 2)
	var layer := _kit.layer("0.\n.0")
	parent.add_child(layer)
	_grid.reparent(parent, false)
	_grid.import_tile_map_layers([layer])
	check_eq(_grid.get_solid_data(), PackedByteArray([1, 0, 0, 1]))
	check(
		_grid.cell_to_global(Vector2i(1, 1)).distance_to(layer.to_global(Vector2(24, 24))) < 0.01,
		""
	)


func test_an_empty_layer_is_an_empty_region() -> void:
	_grid.region = Rect2i(0, 0, 4, 4)
	var found := _grid.import_tile_map_layers(
		[add(_kit.layer(""))], TileKit.rules({"region_mode": PathForgeTileRules.REGION_TAKE})
	)
	check(found, "no tiles")
	check_eq(_grid.region, Rect2i())


func test_outside_the_tree() -> void:
	var grid := PathForgeGrid.new()
	var layer := _kit.layer("02")
	grid.import_tile_map_layers([layer])
	check_eq(grid.get_solid_data(), PackedByteArray([1, 0]))
	layer.free()
	grid.free()
