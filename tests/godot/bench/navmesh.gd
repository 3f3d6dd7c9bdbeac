extends SceneTree
## Measures baking and importing tile maps: [code]-s bench/navmesh.gd -- FOLDER ROUNDS[/code].
## Prints one line of JSON a result, in milliseconds.

const TileKit: GDScript = preload("res://tiles/tile_kit.gd")
const Merge: GDScript = preload("res://bench/merge_by_hand.gd")
const FURNITURE: int = 5

var _rounds: int = 3
var _random: RandomNumberGenerator = RandomNumberGenerator.new()


func _initialize() -> void:
	_rounds = OS.get_cmdline_user_args()[1].to_int()
	# Nodes are in the tree from the first frame on.
	await process_frame
	_measure_all()
	quit()


func _measure_all() -> void:
	for side: int in [64, 256]:
		_measure_bakes(side)
	_measure_grid()
	_measure_import()


## Tile 0 is floor, tile 1 wall, the others furniture on floor.
func _make_kit() -> TileKit:
	var kit: TileKit = TileKit.new(2 + FURNITURE)
	_random.seed = 7
	kit.navigate(0, [TileKit.BOX])
	kit.collide(1, TileKit.BOX)
	for tile: int in range(2, 2 + FURNITURE):
		kit.navigate(tile, [TileKit.BOX])
		var polygon: PackedVector2Array = PackedVector2Array()
		var corners: int = tile + 1
		for corner: int in corners:
			polygon.append(Vector2.from_angle(TAU * (corner + 0.3) / corners) * Vector2(7, 6))
		kit.collide(tile, polygon)
	return kit


## Rooms of 16 tiles with doors.
func _level(kit: TileKit, side: int) -> TileMapLayer:
	var layer: TileMapLayer = TileMapLayer.new()
	layer.enabled = false
	layer.tile_set = kit.tile_set
	for y: int in side:
		for x: int in side:
			var wall: bool = (x % 16 == 0 and y % 16 != 8) or (y % 16 == 0 and x % 16 != 8)
			var tile: int = 1 if wall else 0
			if not wall and _random.randf() < 0.06:
				tile = _random.randi_range(2, 1 + FURNITURE)
			layer.set_cell(Vector2i(x, y), 0, Vector2i(tile, 0))
	root.add_child(layer)
	return layer


func _measure_bakes(side: int) -> void:
	var kit: TileKit = _make_kit()
	var layer: TileMapLayer = _level(kit, side)
	var baker: PathForgeNavigationBaker = PathForgeNavigationBaker.new()
	root.add_child(baker)
	baker.source_layers = [layer]
	baker.agent_half_extents = Vector2(4, 4)
	_tell("%d² tiles, box" % side, _rounds_of(baker.bake))
	baker.corner = PathForgeNavigationBaker.CORNER_ROUND
	_tell("%d² tiles, round" % side, _rounds_of(baker.bake))
	baker.corner = PathForgeNavigationBaker.CORNER_BOX
	if side == 64:
		var floor_polygons: Array[PackedVector2Array] = []
		var colliders: Array[PackedVector2Array] = []
		for cell: Vector2i in layer.get_used_cells():
			var to_cell: Transform2D = Transform2D(0.0, layer.map_to_local(cell))
			var tile: TileData = layer.get_cell_tile_data(cell)
			if tile.get_navigation_polygon(0) != null:
				floor_polygons.append(to_cell * tile.get_navigation_polygon(0).get_outline(0))
			if tile.get_collision_polygons_count(0) > 0:
				colliders.append(to_cell * tile.get_collision_polygon_points(0, 0))
		_tell("64² tiles, the engine's server", [_server(floor_polygons, colliders)])
		_tell("64² tiles, by hand in GDScript", [Merge.time(floor_polygons, colliders, 4.0)])
	else:
		_measure_chunks(baker, layer)
	baker.free()
	layer.free()


func _server(
	floor_polygons: Array[PackedVector2Array], colliders: Array[PackedVector2Array]
) -> float:
	var source: NavigationMeshSourceGeometryData2D = NavigationMeshSourceGeometryData2D.new()
	source.set_traversable_outlines(floor_polygons)
	source.set_obstruction_outlines(colliders)
	var polygon: NavigationPolygon = NavigationPolygon.new()
	polygon.agent_radius = 4.0
	var start: int = Time.get_ticks_usec()
	NavigationServer2D.bake_from_source_geometry_data(polygon, source)
	return (Time.get_ticks_usec() - start) / 1000.0


func _measure_chunks(baker: PathForgeNavigationBaker, layer: TileMapLayer) -> void:
	var output: Node2D = Node2D.new()
	root.add_child(output)
	baker.output_parent = output
	_tell("256² tiles, whole and 256 chunks", _rounds_of(baker.bake))
	var map: RID = output.get_world_2d().navigation_map
	NavigationServer2D.map_set_use_async_iterations(map, false)
	for region: NavigationRegion2D in output.get_children():
		NavigationServer2D.region_set_use_async_iterations(region.get_rid(), false)
	NavigationServer2D.map_force_update(map)
	var ours: Array[float] = []
	var sync: Array[float] = []
	for edit: int in 60:
		# Inside of a chunk, so that it changes one.
		var chunk: Vector2i = Vector2i(_random.randi_range(1, 14), _random.randi_range(1, 14)) * 16
		var cell: Vector2i = (
			chunk + Vector2i(_random.randi_range(3, 12), _random.randi_range(3, 12))
		)
		layer.set_cell(cell, 0, Vector2i(edit % 7, 0))
		var start: int = Time.get_ticks_usec()
		baker.rebake(Rect2i(cell, Vector2i.ONE))
		ours.append((Time.get_ticks_usec() - start) / 1000.0)
		start = Time.get_ticks_usec()
		NavigationServer2D.map_force_update(map)
		sync.append((Time.get_ticks_usec() - start) / 1000.0)
	_tell("one painted chunk of 16² in 256², ours", ours)
	_tell("the server's sync after it", sync)
	output.free()


func _measure_grid() -> void:
	var grid: PathForgeGrid = PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 512, 512)
	for room: int in range(0, 512, 16):
		grid.fill_solid_region(Rect2i(room, 0, 1, 512))
		grid.fill_solid_region(Rect2i(0, room, 512, 1))
	for door: int in range(8, 512, 16):
		grid.fill_solid_region(Rect2i(door, 0, 1, 512), false)
		grid.fill_solid_region(Rect2i(0, door, 512, 1), false)
	var baker: PathForgeNavigationBaker = PathForgeNavigationBaker.new()
	baker.grid = grid
	baker.agent_half_extents = Vector2(4, 4)
	_tell("512² cells of a grid", _rounds_of(baker.bake))
	baker.free()
	grid.free()


func _measure_import() -> void:
	var kit: TileKit = _make_kit()
	var layer: TileMapLayer = _level(kit, 512)
	var grid: PathForgeGrid = PathForgeGrid.new()
	root.add_child(grid)
	_tell("import of 512² tiles", _rounds_of(grid.import_tile_map_layers.bind([layer])))
	grid.source_layers = [layer]
	grid.import_tile_map_layers([layer])
	var times: Array[float] = []
	var changed: Array[float] = []
	for edit: int in 200:
		var cell: Vector2i = Vector2i(_random.randi_range(1, 510), _random.randi_range(1, 510))
		layer.set_cell(cell, 0, Vector2i(edit % 7, 0))
		var start: int = Time.get_ticks_usec()
		if edit % 20 == 0:
			layer.changed.emit()
			grid.notification(Node.NOTIFICATION_PROCESS)
			changed.append((Time.get_ticks_usec() - start) / 1000.0)
		else:
			grid.import_tile_map_cells(layer, [cell])
			times.append((Time.get_ticks_usec() - start) / 1000.0)
	_tell("one named tile of 512²", times)
	_tell("512² tiles compared after a change", changed)
	grid.free()
	layer.free()


func _rounds_of(work: Callable) -> Array[float]:
	var times: Array[float] = []
	for round_number: int in _rounds * 2 + 2:
		var start: int = Time.get_ticks_usec()
		work.call()
		if round_number > 0:
			times.append((Time.get_ticks_usec() - start) / 1000.0)
	return times


func _tell(what: String, msec: Array[float]) -> void:
	print("BENCH ", JSON.stringify({"name": what, "msec": msec, "agree": true}))
