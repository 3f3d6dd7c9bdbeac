class_name PaintBoard
extends Node2D
## A room of tiles, baked for one shape of body, with bodies of that shape that walk on it.

## Baked again: how many regions, and how long it took.
signal baked(regions: int, msec: float)

const TILE := 24.0
const COUNT := 4
## So long those who were sent wait for the last one, in seconds.
const TOGETHER := 15.0
## Pixels between two that were sent to one place.
const APART := 3.0

@export var walker_scene: PackedScene

var walkers: Array[PaintWalker] = []

var _size := Vector2i.ZERO

@onready var baker: PathForgeNavigationBaker = $Baker
@onready var floor_layer: TileMapLayer = $Floor
@onready var walls: TileMapLayer = $Walls
@onready var steps: PaintSteps = $Steps
@onready var _pits: PaintPits = $Pits
@onready var _regions: Node2D = $Regions
@onready var _bodies: Node2D = $Bodies


## Lays the tiles, bakes them, and puts the walkers in.
func set_up(rows: PackedStringArray, tiles: TileSet, number: int) -> void:
	_size = Vector2i(rows[0].length(), rows.size())
	for layer: TileMapLayer in [floor_layer, walls]:
		layer.tile_set = tiles
		layer.scale = Vector2.ONE * TILE / PaintTiles.SIZE
	for cell: Vector2i in cells():
		_lay(cell, rows[cell.y][cell.x])
	_pits.show_pits(floor_layer, Rect2i(Vector2i.ZERO, _size))
	for place: int in COUNT:
		var walker: PaintWalker = walker_scene.instantiate()
		_bodies.add_child(walker)
		walkers.append(walker)
		walker.set_up(number, walkers)
	baker.agent_half_extents = walkers[0].half
	baker.region_layers = 1 << number
	baker.chunk_tiles = 8
	baker.output_parent = _regions
	bake()


## Walkers appear as soon as the navigation map has taken over the board.
func _physics_process(_delta: float) -> void:
	var map := get_world_2d().navigation_map
	var spot := NavigationServer2D.map_get_random_point(map, baker.region_layers, true)
	if Rect2(Vector2.ONE, size()).has_point(to_local(spot)):
		for walker: PaintWalker in walkers:
			walker.appear()
		set_physics_process(false)


## The board's size in pixels.
func size() -> Vector2:
	return Vector2(_size) * TILE


## All cells, row by row.
func cells() -> Array[Vector2i]:
	var all: Array[Vector2i] = []
	for y: int in _size.y:
		for x: int in _size.x:
			all.append(Vector2i(x, y))
	return all


## Bakes everything.
func bake() -> void:
	var start := Time.get_ticks_usec()
	baker.bake()
	baked.emit(baker.get_region_count(), (Time.get_ticks_usec() - start) / 1000.0)


## The cell at a place in the board's own space, and whether it may be painted.
func cell_at(place: Vector2) -> Vector2i:
	return Vector2i((place / TILE).floor())


func can_paint(cell: Vector2i) -> bool:
	return Rect2i(Vector2i.ONE, _size - Vector2i(2, 2)).has_point(cell)


## Whether a walker stands on a cell.
func is_taken(cell: Vector2i) -> bool:
	var box := Rect2(Vector2(cell) * TILE, Vector2(TILE, TILE))
	for walker: PaintWalker in walkers:
		if walker.body().intersects(box):
			return true
	return false


## Puts something on a cell and bakes again what that changes. Returns whether anything changed.
func paint(cell: Vector2i, letter: String) -> bool:
	var before := _look(cell)
	_lay(cell, letter)
	if before == _look(cell):
		return false
	_pits.show_pits(floor_layer, Rect2i(Vector2i.ZERO, _size))
	steps.queue_redraw()
	var start := Time.get_ticks_usec()
	var regions := baker.rebake(Rect2i(cell, Vector2i.ONE))
	for walker: PaintWalker in walkers:
		walker.wait_for_map()
	baked.emit(regions, (Time.get_ticks_usec() - start) / 1000.0)
	return true


## Sends the selected walkers to a place in the board's own space, side by side. Returns how many
## cannot get there: they go as near as they get.
func send(place: Vector2) -> int:
	var taken: Array[Rect2] = []
	var short := 0
	for walker: PaintWalker in walkers:
		if not walker.is_selected:
			continue
		var end := end_of_way(walker, place)
		short += int(end.distance_to(place) > TILE)
		var spot := _free_spot(walker, end, taken)
		taken.append(walker.box_at(spot))
		walker.go_to(to_global(spot), TOGETHER)
	return short


## The nearest spot to a place that a walker gets to and that lies beside those before it.
func _free_spot(walker: PaintWalker, place: Vector2, taken: Array[Rect2]) -> Vector2:
	var spots: Array[Vector2] = []
	for y: int in range(-4, 5):
		for x: int in range(-4, 5):
			var step := walkers[0].half * 2.0 + Vector2.ONE * APART
			spots.append(place + Vector2(x, y) * step)
	spots.sort_custom(
		func(a: Vector2, b: Vector2) -> bool:
			return a.distance_squared_to(place) < b.distance_squared_to(place)
	)
	for spot: Vector2 in spots:
		if not taken.any(walker.box_at(spot).intersects):
			if end_of_way(walker, spot).distance_to(spot) < 1.0:
				return spot
	return walker.position


## Where a walker comes to when it is sent to a place.
func end_of_way(walker: PaintWalker, place: Vector2) -> Vector2:
	var map := get_world_2d().navigation_map
	var layers := walker.agent.navigation_layers
	var way := NavigationServer2D.map_get_path(
		map, walker.global_position, to_global(place), true, layers
	)
	return walker.position if way.is_empty() else to_local(way[-1])


func _lay(cell: Vector2i, letter: String) -> void:
	var worn := DemoPalette.grain(cell) > 0.6
	var floor_kind := PaintTiles.Kind.FLOOR_WORN if worn else PaintTiles.Kind.FLOOR
	floor_layer.erase_cell(cell)
	walls.erase_cell(cell)
	if letter != " " and letter != "#":
		floor_layer.set_cell(cell, 0, Vector2i(floor_kind, 0))
	if PaintTiles.LETTERS.has(letter):
		var flip := TileSetAtlasSource.TRANSFORM_FLIP_H if letter == "/" else 0
		walls.set_cell(cell, 0, Vector2i(PaintTiles.LETTERS[letter], 0), flip)
	_dress(cell)
	_dress(cell + Vector2i.UP)


## A wall shows its face where there is no wall below it.
func _dress(cell: Vector2i) -> void:
	if not _is_wall(cell):
		return
	var below := _is_wall(cell + Vector2i.DOWN)
	var look := PaintTiles.Kind.WALL_TOP if below else PaintTiles.Kind.WALL
	walls.set_cell(cell, 0, Vector2i(look, 0))


func _is_wall(cell: Vector2i) -> bool:
	return walls.get_cell_atlas_coords(cell).x in [PaintTiles.Kind.WALL, PaintTiles.Kind.WALL_TOP]


func _look(cell: Vector2i) -> Vector2i:
	return Vector2i(floor_layer.get_cell_atlas_coords(cell).x, walls.get_cell_atlas_coords(cell).x)
