extends TestSuite
## Floors inside cells of [PathForgeGrid]: set, read, saved, and imported from tile polygons.

const TileKit := preload("res://tiles/tile_kit.gd")
const NONE := Vector2.ZERO
const FLIP_H := TileSetAtlasSource.TRANSFORM_FLIP_H
const FLIP_V := TileSetAtlasSource.TRANSFORM_FLIP_V
const TRANSPOSE := TileSetAtlasSource.TRANSFORM_TRANSPOSE
## A slope of 45° in a tile of 16 px, up to the right.
const SLOPE: PackedVector2Array = [Vector2(-8, 8), Vector2(8, -8), Vector2(8, 8)]

var _grid: PathForgeGrid = null
var _kit: TileKit = null


func before_each() -> void:
	_grid = add(PathForgeGrid.new())
	_grid.region = Rect2i(-2, -1, 4, 3)
	_kit = TileKit.new(4)


func test_floors_are_set_and_read() -> void:
	var changes: Array[Rect2i] = []
	_grid.cells_changed.connect(func(region: Rect2i) -> void: changes.append(region))
	var cell := Vector2i(1, 0)
	_grid.set_point_floor(cell, 0.0, 1.0)
	_grid.set_point_floor(cell, 0.0, 1.0)
	check_eq(_grid.get_point_floor(cell), Vector2(0, 1))
	check_eq(_grid.get_point_floor(Vector2i(0, 0)), NONE)
	check_eq(_grid.is_point_solid(cell), false, "to other paths the cell is open")
	_grid.set_point_solid(cell)
	check_eq(_grid.get_point_floor(cell), Vector2(0, 1), "it stays")
	_grid.set_point_floor(cell, 10.0 / 64.0, 10.0 / 64.0)
	check_eq(_grid.get_point_floor(cell), Vector2(0.15625, 0.15625))
	_grid.set_point_floor(cell, 0.0, 0.0)
	check_eq(_grid.get_point_floor(cell), NONE)
	check_eq(changes, _rects(Rect2i(1, 0, 1, 1), 4))
	_grid.set_point_floor(cell, 1.0, 1.0)
	check_eq(_grid.get_point_floor(cell), Vector2.ONE)
	_grid.clear()
	_grid.region = Rect2i(-2, -1, 4, 3)
	check_eq(_grid.get_point_floor(cell), NONE)


func test_what_makes_no_sense_is_an_error() -> void:
	var cell := Vector2i(1, 0)
	_grid.set_point_floor(cell, 0.25, 0.5)
	var before := _grid.state_hash()
	var method := "PathForgeGrid.set_point_floor: "
	expect_errors(1, method + "left -0.1 is not within 0 and 1")
	_grid.set_point_floor(cell, -0.1, 0.5)
	expect_errors(1, method + "right 1.5 is not within 0 and 1")
	_grid.set_point_floor(cell, 0.5, 1.5)
	expect_errors(1, method + "left NaN is not within 0 and 1")
	_grid.set_point_floor(cell, NAN, 0.5)
	expect_errors(1, method + "right inf is not within 0 and 1")
	_grid.set_point_floor(cell, 0.5, INF)
	expect_errors(1, method + "cell (9, 0) is outside the region")
	_grid.set_point_floor(Vector2i(9, 0), 0.5, 0.5)
	expect_errors(1, "PathForgeGrid.get_point_floor: cell (9, 0) is outside the region")
	check_eq(_grid.get_point_floor(Vector2i(9, 0)), NONE)
	check_eq(_grid.state_hash(), before)


func test_they_are_kept_saved_and_copied() -> void:
	var cell := Vector2i(0, 1)
	_grid.set_point_floor(cell, 0.25, 0.5)
	_grid.region = Rect2i(-3, -1, 6, 3)
	check_eq(_grid.get_point_floor(cell), Vector2(0.25, 0.5), "the region keeps them")
	var hash_before := _grid.state_hash()
	var copy: PathForgeGrid = add(PathForgeGrid.new())
	check_eq(copy.from_bytes(_grid.to_bytes()), true)
	check_eq([copy.get_point_floor(cell), copy.state_hash()], [Vector2(0.25, 0.5), hash_before])
	var part := _grid.copy_cells(_grid.region)
	_grid.set_point_floor(cell, 0.0, 0.0)
	check(_grid.state_hash() != hash_before, "a floor counts")
	_grid.paste_cells(part)
	check_eq([_grid.get_point_floor(cell), _grid.state_hash()], [Vector2(0.25, 0.5), hash_before])
	var scene := PackedScene.new()
	check_eq(scene.pack(_grid), OK)
	var loaded: PathForgeGrid = add(scene.instantiate())
	check_eq(loaded.get_point_floor(cell), Vector2(0.25, 0.5))


func test_slopes_and_how_tiles_are_turned() -> void:
	_kit.collide(0, SLOPE)
	var layer: TileMapLayer = add(_kit.layer("0"))
	var cases: Dictionary[int, Vector2] = {
		0: Vector2(0, 1),
		FLIP_H: Vector2(1, 0),
		TRANSPOSE: Vector2(0, 1),
		TRANSPOSE | FLIP_H: Vector2(1, 0),
		FLIP_V: NONE,
		FLIP_H | FLIP_V: NONE,
	}
	for flags: int in cases:
		layer.set_cell(Vector2i.ZERO, 0, Vector2i.ZERO, flags)
		check_eq(_floors(layer, {}), [cases[flags]], "flags %d" % flags)
		check_eq(_grid.is_point_solid(Vector2i.ZERO), true, "as without floors")
	layer.set_cell(Vector2i.ZERO, 0, Vector2i.ZERO)
	var quarters := [NONE, Vector2(0, 1), Vector2(0, 1), NONE]
	check_eq(_floors(layer, {"cells_per_tile": 2}), quarters)
	check_eq(_grid.get_solid_data()[3], 1, "the full quarter")


func test_a_layer_that_collides_with_nothing_has_no_walls() -> void:
	_kit.collide(0, SLOPE)
	var layer: TileMapLayer = add(_kit.layer("0"))
	layer.collision_enabled = false
	check_eq(_floors(layer, {}), [NONE])
	check_eq(_grid.is_point_solid(Vector2i.ZERO), false)


func test_gentle_slopes_over_two_tiles() -> void:
	_kit.collide(0, PackedVector2Array([Vector2(-8, 8), Vector2(8, 0), Vector2(8, 8)]))
	_kit.collide(
		1, PackedVector2Array([Vector2(-8, 0), Vector2(8, -8), Vector2(8, 8), Vector2(-8, 8)])
	)
	# The same hill as the polygon of one tile that hangs over the next.
	_kit.collide(2, PackedVector2Array([Vector2(-8, 8), Vector2(24, -8), Vector2(24, 8)]))
	var halves := [Vector2(0, 0.5), Vector2(0.5, 1)]
	check_eq(_floors(add(_kit.layer("01")), {}), halves)
	check_eq(_floors(add(_kit.layer("23")), {}), halves)


func test_grass_and_slabs() -> void:
	_kit = TileKit.new(3, Vector2i(64, 64))
	for tile: int in 2:
		var top := 32.0 - [10.0, 54.0][tile] as float
		_kit.collide(
			tile,
			PackedVector2Array(
				[Vector2(-32, top), Vector2(32, top), Vector2(32, 32), Vector2(-32, 32)]
			)
		)
	var box := PackedVector2Array(
		[Vector2(-32, -32), Vector2(32, -32), Vector2(32, 32), Vector2(-32, 32)]
	)
	_kit.collide(2, box)
	var layer: TileMapLayer = add(_kit.layer("012"))
	var heights := [Vector2.ONE * 10.0 / 64.0, Vector2.ONE * 54.0 / 64.0, NONE]
	check_eq(_floors(layer, {}), heights)
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 1, 1]), "by their centres")
	var rules := PathForgeTileRules.side_view()
	rules.headroom_cells = 0
	rules.region_mode = PathForgeTileRules.REGION_TAKE
	_grid.import_tile_map_layers([layer], rules)
	check_eq(_grid.get_solid_data(), PackedByteArray([1, 1, 1]), "by any part of them")
	check_eq(_grid.get_point_floor(Vector2i.ZERO), heights[0])
	# Cells of half a tile: what is 54 px high is a full cell, and 22 px of the next.
	check_eq(
		_floors(layer, {"cells_per_tile": 2}).slice(0, 6),
		[NONE, NONE, Vector2.ONE * 22.0 / 32.0, Vector2.ONE * 22.0 / 32.0, NONE, NONE]
	)
	check_eq(_grid.get_point_floor(Vector2i(1, 1)), Vector2.ONE * 10.0 / 32.0)
	check_eq(_grid.get_point_floor(Vector2i(2, 1)), NONE)


func test_other_shapes_have_no_floors() -> void:
	var left := [Vector2(-8, -8), Vector2(0, -8), Vector2(0, 8), Vector2(-8, 8)]
	_kit.collide(0, PackedVector2Array(left))
	_kit.collide(1, PackedVector2Array([Vector2(-8, 8), Vector2(0, -8), Vector2(8, 8)]))
	# Two halves that fill a slab together, and a layer that counts twice.
	var low := [Vector2(-8, 0), Vector2(0, 0), Vector2(0, 8), Vector2(-8, 8)]
	_kit.collide(2, PackedVector2Array(low))
	for point: int in 4:
		low[point].x += 8
	_kit.collide(2, PackedVector2Array(low))
	_kit.collide(2, PackedVector2Array(low))
	var layer: TileMapLayer = add(_kit.layer("0123"))
	check_eq(_floors(layer, {}), [NONE, NONE, Vector2.ONE / 2.0, NONE])
	_floors(layer, {"cells_per_tile": 2})
	check_eq(Array(_grid.get_solid_data().slice(0, 2)), [1, 0])


func test_planks() -> void:
	for tile: int in 3:
		var top: float = [0.0, -8.0, 2.0][tile]
		var half: float = [8.0, 8.0, 6.0][tile]
		_kit.collide(
			tile,
			PackedVector2Array(
				[
					Vector2(-half, top),
					Vector2(half, top),
					Vector2(half, top + 2),
					Vector2(-half, top + 2)
				]
			)
		)
		_kit.data(tile).set_collision_polygon_one_way(0, 0, true)
	var layer: TileMapLayer = add(_kit.layer("012"))
	check_eq(_floors(layer, {}), [Vector2(0.5, 0.5), NONE, Vector2(0.375, 0.375)])
	check_eq(_grid.get_one_way_data(), PackedByteArray([1, 1, 1]))
	check_eq(_floors(layer, {"cells_per_tile": 2}).slice(0, 2), [NONE, NONE])
	check_eq(_grid.is_point_one_way(Vector2i(0, 1)), true, "its edge is that of the lower cell")
	check_eq(_grid.get_point_floor(Vector2i(0, 1)), NONE)


func test_what_is_painted_changes_floors() -> void:
	_kit.collide(0, SLOPE)
	_kit.collide(1, TileKit.BOX)
	var layer: TileMapLayer = add(_kit.layer("0131"))
	_grid.source_layers = [layer]
	check_eq(_floors(layer, {}), [Vector2(0, 1), NONE, NONE, NONE])
	layer.set_cell(Vector2i(2, 0), 0, Vector2i.ZERO, FLIP_H)
	layer.set_cell(Vector2i(0, 0), 0, Vector2i(3, 0))
	var is_there := func() -> bool: return _grid.get_point_floor(Vector2i(2, 0)) == Vector2(1, 0)
	await wait_until(is_there)
	check(is_there.call(), "followed")
	check_eq(_grid.get_point_floor(Vector2i(0, 0)), NONE)
	layer.erase_cell(Vector2i(2, 0))
	check_eq(_grid.import_tile_map_cells(layer, [Vector2i(2, 0)]), true)
	check_eq(_grid.get_point_floor(Vector2i(2, 0)), NONE)


func test_diamonds_have_no_floors() -> void:
	_kit = TileKit.new(1, Vector2i(32, 16))
	_kit.tile_set.tile_shape = TileSet.TILE_SHAPE_ISOMETRIC
	_kit.tile_set.tile_layout = TileSet.TILE_LAYOUT_DIAMOND_RIGHT
	_kit.collide(0, PackedVector2Array([Vector2(-16, 0), Vector2(0, 8), Vector2(16, 0)]))
	check_eq(_floors(add(_kit.layer("0")), {}), [NONE])


func test_tiles_that_fit_smaller_cells() -> void:
	var left := [Vector2(-8, -8), Vector2(0, -8), Vector2(0, 8), Vector2(-8, 8)]
	var third := [Vector2(-8, -8), Vector2(-4, -8), Vector2(-4, 8), Vector2(-8, 8)]
	_kit.collide(0, PackedVector2Array(left))
	_kit.collide(1, SLOPE)
	_kit.collide(2, PackedVector2Array(left))
	var method := "PathForgeGrid.import_tile_map_layers: "
	var layer: TileMapLayer = add(_kit.layer("0123"))
	var rules := PathForgeTileRules.side_view()
	expect_warnings(
		1,
		(
			method
			+ "2 kinds of tiles fill cells in parts that are no floors; with"
			+ " rules.cells_per_tile = 2, all of them fill whole cells or floors"
		)
	)
	check_eq(_grid.import_tile_map_layers([layer], rules), true)
	rules.cells_per_tile = 2
	check_eq(_grid.import_tile_map_layers([layer], rules), true, "no warning")
	check_eq(_grid.import_tile_map_layers([layer]), true, "none for maps from above")
	rules.cells_per_tile = 1
	_kit.collide(3, PackedVector2Array(third))
	expect_warnings(
		1, "3 kinds of tiles fill cells in parts that are no floors; with rules.cells_p"
	)
	check_eq(_grid.import_tile_map_layers([layer], rules), true)
	# A hump fits no cells, so nothing is said.
	_kit.collide(3, PackedVector2Array([Vector2(-8, 8), Vector2(-5, -7), Vector2(8, 8)]))
	_kit.collide(2, PackedVector2Array([Vector2(-8, 8), Vector2(7, -7), Vector2(8, 8)]))
	layer = add(_kit.layer("23"))
	check_eq(_grid.import_tile_map_layers([layer], rules), true)


## The floors of all cells, row by row, after an import.
func _floors(layer: TileMapLayer, values: Dictionary) -> Array:
	values["region_mode"] = PathForgeTileRules.REGION_TAKE
	check_eq(_grid.import_tile_map_layers([layer], TileKit.rules(values)), true)
	var floors := []
	for y: int in _grid.region.size.y:
		for x: int in _grid.region.size.x:
			floors.append(_grid.get_point_floor(_grid.region.position + Vector2i(x, y)))
	return floors


func _rects(rect: Rect2i, count: int) -> Array[Rect2i]:
	var rects: Array[Rect2i] = []
	for _rect: int in count:
		rects.append(rect)
	return rects
