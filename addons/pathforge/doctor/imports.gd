@tool
extends RefCounted
## Compares a grid with the tiles of its source layers. Finds cells that differ from what an import
## makes of them now, and open cells that a collision polygon crosses from side to side.

const Finding := preload("finding.gd")

## Tiles up to which polygons are looked at.
const TILES_MAX := 65536
## How much of a cell's side a polygon has to cross to bar it.
const CROSSED := 0.99

var _grid: PathForgeGrid = null
var _layers: Array[TileMapLayer] = []
var _rules: PathForgeTileRules = null


func _init(grid: PathForgeGrid) -> void:
	_grid = grid
	_rules = grid.import_rules if grid.import_rules != null else PathForgeTileRules.new()
	for layer: Variant in grid.source_layers:
		if is_instance_valid(layer):
			_layers.append(layer as TileMapLayer)


func find() -> Array[Finding]:
	if _layers.is_empty():
		return []
	var found := _differences()
	# Slopes are floors of side views, and edges are walls of their own.
	if _grid.cell_shape == PathForgeGrid.CELL_SHAPE_SQUARE and not _rules.navigation:
		found.append_array(_crossed())
	return found


func _differences() -> Array[Finding]:
	var fresh := PathForgeGrid.new()
	fresh.region = _grid.region
	fresh.terrain_names = _grid.terrain_names
	fresh.cell_size = _grid.cell_size
	fresh.cell_shape = _grid.cell_shape
	fresh.offset = _grid.offset
	fresh.import_on_ready = false
	_grid.get_tree().root.add_child(fresh)
	fresh.global_transform = _grid.global_transform
	var found: Array[Finding] = []
	if not fresh.import_tile_map_layers(_layers, _rules):
		found.append(_finding("Its source layers cannot be imported; the output says why.", true))
	elif fresh.region != _grid.region:
		var words := "Its region is %s; an import makes it %s now."
		found.append(_finding(words % [_grid.region, fresh.region], true))
	else:
		found = _compare(_grid.get_solid_data(), fresh.get_solid_data())
	fresh.free()
	return found


func _compare(have: PackedByteArray, want: PackedByteArray) -> Array[Finding]:
	var open: Array[Vector2i] = []
	var closed: Array[Vector2i] = []
	if have != want:
		for index: int in have.size():
			if have[index] == want[index]:
				continue
			var columns := _grid.region.size.x
			@warning_ignore("integer_division")
			var cell := _grid.region.position + Vector2i(index % columns, index / columns)
			(closed if have[index] else open).append(cell)
	# A grid that imports by itself follows its tiles: then a script or the brush made the difference.
	var is_stale := not _grid.import_on_ready
	var why := (
		"Import the layers again, or turn on Import On Ready."
		if is_stale
		else "A script or the brush has changed them after the import."
	)
	var found: Array[Finding] = []
	for cells: Array[Vector2i] in [open, closed] as Array[Array]:
		if cells.is_empty():
			continue
		var words := (
			"open, and their tiles are closed"
			if cells == open
			else "closed, and their tiles are open"
		)
		var text := "%s: %s. %s" % [words, Finding.list(cells), why]
		var finding := _finding("%s %s" % [_are(cells.size()), text], is_stale)
		finding.cell = cells[0]
		found.append(finding)
	return found


## Open cells that a polygon crosses, such as thin walls.
func _crossed() -> Array[Finding]:
	var crossed: Dictionary[Vector2i, bool] = {}
	var looked_at := 0
	for layer: TileMapLayer in _layers:
		if layer.tile_set == null:
			continue
		var to_grid := _grid.global_transform.affine_inverse() * layer.global_transform
		for tile: Vector2i in layer.get_used_cells():
			looked_at += 1
			var data := layer.get_cell_tile_data(tile)
			if data == null or looked_at > TILES_MAX:
				continue
			var place := to_grid * Transform2D(0.0, layer.map_to_local(tile))
			for polygon: PackedVector2Array in _polygons_of(layer, tile, data):
				_cross(place * polygon, crossed)
	if crossed.is_empty():
		return []
	var cells := crossed.keys()
	var words := (
		"%s open, and a collision polygon of their tiles crosses them: %s. "
		+ "Thin walls need Coverage, Cells Per Tile or edges."
	)
	var finding := _finding(words % [_are(cells.size()), Finding.list(cells)], true)
	finding.cell = cells[0]
	return [finding]


func _cross(polygon: PackedVector2Array, crossed: Dictionary[Vector2i, bool]) -> void:
	var low := polygon[0]
	var high := polygon[0]
	for point: Vector2 in polygon:
		low = low.min(point)
		high = high.max(point)
	var first := _grid.local_to_cell(low)
	var last := _grid.local_to_cell(high)
	for y: int in range(first.y, last.y + 1):
		for x: int in range(first.x, last.x + 1):
			var cell := Vector2i(x, y)
			if cell not in crossed and _is_plain_open(cell) and _crosses(polygon, cell):
				crossed[cell] = true


func _is_plain_open(cell: Vector2i) -> bool:
	if not _grid.is_in_boundsv(cell) or _grid.is_point_solid(cell):
		return false
	if _grid.is_point_one_way(cell) or _grid.get_point_floor(cell) != Vector2.ZERO:
		return false
	for side: Side in [SIDE_LEFT, SIDE_TOP, SIDE_RIGHT, SIDE_BOTTOM] as Array[Side]:
		if _grid.is_edge_blocked(cell, side):
			return false
	return true


func _crosses(polygon: PackedVector2Array, cell: Vector2i) -> bool:
	var size := _grid.cell_size
	var corner := _grid.cell_to_local(cell) - size / 2.0
	var square: PackedVector2Array = [
		corner, corner + Vector2(size.x, 0), corner + size, corner + Vector2(0, size.y)
	]
	for part: PackedVector2Array in Geometry2D.intersect_polygons(polygon, square):
		var low := part[0]
		var high := part[0]
		for point: Vector2 in part:
			low = low.min(point)
			high = high.max(point)
		var share := (high - low) / size
		if maxf(share.x, share.y) >= CROSSED and minf(share.x, share.y) > 0.01:
			return true
	return false


## The collision polygons of a tile that count, around its centre, as its alternative turns them.
func _polygons_of(layer: TileMapLayer, tile: Vector2i, data: TileData) -> Array[PackedVector2Array]:
	var flags := layer.get_cell_alternative_tile(tile)
	var turn := Transform2D.IDENTITY
	if flags & TileSetAtlasSource.TRANSFORM_TRANSPOSE:
		turn = Transform2D(Vector2.DOWN, Vector2.RIGHT, Vector2.ZERO)
	if flags & TileSetAtlasSource.TRANSFORM_FLIP_H:
		turn = Transform2D.FLIP_X * turn
	if flags & TileSetAtlasSource.TRANSFORM_FLIP_V:
		turn = Transform2D.FLIP_Y * turn
	var polygons: Array[PackedVector2Array] = []
	for physics: int in layer.tile_set.get_physics_layers_count():
		if not _rules.physics_layers & (1 << mini(physics, 31)):
			continue
		for index: int in data.get_collision_polygons_count(physics):
			var points := data.get_collision_polygon_points(physics, index)
			if points.size() > 2 and not data.is_collision_polygon_one_way(physics, index):
				polygons.append(turn * points)
	return polygons


static func _are(number: int) -> String:
	return "%s %s" % [Finding.count(number, "cell"), "is" if number == 1 else "are"]


func _finding(text: String, is_fault: bool) -> Finding:
	return Finding.new(Finding.Kind.IMPORT, text, Vector2i.MIN, is_fault)
