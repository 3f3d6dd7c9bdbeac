extends TestSuite
## Imported cells beside what Godot's own physics says at their centres, on random levels.

const TileKit := preload("res://tiles/tile_kit.gd")
const LEVELS := 6
const SIDE := 12

var _random := RandomNumberGenerator.new()


func test_square_tiles() -> void:
	_random.seed = 3
	for level: int in LEVELS:
		await _compare(_kit(Vector2i(16, 16)), 1)


func test_finer_cells() -> void:
	_random.seed = 4
	for cells_per_tile: int in [2, 4]:
		await _compare(_kit(Vector2i(16, 16)), cells_per_tile)


func test_diamonds() -> void:
	_random.seed = 5
	for layout: int in [TileSet.TILE_LAYOUT_DIAMOND_RIGHT, TileSet.TILE_LAYOUT_DIAMOND_DOWN]:
		var kit := _kit(Vector2i(32, 16))
		kit.tile_set.tile_shape = TileSet.TILE_SHAPE_ISOMETRIC
		kit.tile_set.tile_layout = layout as TileSet.TileLayout
		await _compare(kit, 1)


## Six tiles: nothing, all of it, and polygons of three to seven corners around random places, some
## of which reach over the tile's edge.
func _kit(size: Vector2i) -> TileKit:
	var kit := TileKit.new(6, size)
	kit.collide(1, TileKit.BOX if size.x == size.y else TileKit.DIAMOND)
	for tile: int in range(2, 6):
		for polygon: int in _random.randi_range(1, 2):
			kit.collide(tile, _polygon(Vector2(size)))
	return kit


func _polygon(size: Vector2) -> PackedVector2Array:
	var polygon := PackedVector2Array()
	var corners := _random.randi_range(3, 7)
	var middle := Vector2(_random.randf_range(-0.4, 0.4), _random.randf_range(-0.4, 0.4)) * size
	for corner: int in corners:
		var angle := TAU * (corner + _random.randf_range(0.0, 0.7)) / corners
		polygon.append(middle + Vector2.from_angle(angle) * size * _random.randf_range(0.15, 0.7))
	return polygon


func _layer(kit: TileKit, at: Vector2i) -> TileMapLayer:
	var layer := TileMapLayer.new()
	layer.tile_set = kit.tile_set
	layer.physics_quadrant_size = 1
	for y: int in SIDE:
		for x: int in SIDE:
			if _random.randf() < 0.7:
				var flags := _random.randi_range(0, 7) << 12
				var tile := Vector2i(_random.randi_range(0, 5), 0)
				layer.set_cell(at + Vector2i(x, y), 0, tile, flags)
	return layer


func _compare(kit: TileKit, cells_per_tile: int) -> void:
	var home: Node2D = add(Node2D.new())
	var grid := PathForgeGrid.new()
	var layers: Array[TileMapLayer] = [_layer(kit, Vector2i(-5, -4)), _layer(kit, Vector2i(-2, 3))]
	home.add_child(grid)
	for layer: TileMapLayer in layers:
		layer.position = Vector2(100, 50)
		home.add_child(layer)
	grid.import_tile_map_layers(layers, TileKit.rules({"cells_per_tile": cells_per_tile}))
	await physics_frames(3)
	var space := home.get_world_2d().direct_space_state
	var query := PhysicsPointQueryParameters2D.new()
	var wrong: Array[Vector2i] = []
	var solid := 0
	for y: int in range(grid.region.position.y, grid.region.end.y):
		for x: int in range(grid.region.position.x, grid.region.end.x):
			var cell := Vector2i(x, y)
			query.position = grid.cell_to_global(cell)
			var is_hit := not space.intersect_point(query, 1).is_empty()
			solid += int(is_hit)
			if is_hit != grid.is_point_solid(cell) and not _is_close(space, query):
				wrong.append(cell)
	check_eq(wrong, [] as Array[Vector2i])
	check(solid > 20 and solid < grid.region.get_area() - 20, "%d solid cells" % solid)
	home.free()
	await physics_frames(1)


## Whether the centre lies on an edge, where rounding decides.
func _is_close(space: PhysicsDirectSpaceState2D, query: PhysicsPointQueryParameters2D) -> bool:
	var center := query.position
	var answers: Dictionary[bool, bool] = {}
	for offset: Vector2 in [
		Vector2(0.02, 0), Vector2(-0.02, 0), Vector2(0, 0.02), Vector2(0, -0.02)
	]:
		query.position = center + offset
		answers[space.intersect_point(query, 1).is_empty()] = true
	return answers.size() == 2
