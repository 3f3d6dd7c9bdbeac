extends TestSuite
## The lengths of paths over baked polygons: the truly shortest ones, and the paths of Godot's
## server, on a bake in one piece and on a bake in chunks.
##
## The server goes from polygon to polygon by the nearest point of each side, and only then pulls
## its path straight. So it can pass an obstacle or a room on the wrong side, on polygons of any
## kind.

const TileKit := preload("res://tiles/tile_kit.gd")
const NavigationKit := preload("res://tiles/navigation_kit.gd")
const SightLines := preload("res://tiles/sight_lines.gd")
## Tiles on a side of the map, and of a room with its wall.
const SIDE := 48
const ROOM := 12
const FURNITURE: PackedVector2Array = [
	Vector2(-5, -3), Vector2(4, -6), Vector2(6, 5), Vector2(-2, 6)
]
## Pairs of places that are tried on a map.
const PAIRS := 200
## The oracle keeps this much away from corners.
const ORACLE := 0.001

var _baker: PathForgeNavigationBaker = null
var _kit: TileKit = null
var _output: Node2D = null
var _random := RandomNumberGenerator.new()
## The map of the bake in one piece, the map of the chunks, and their shortest ways.
var _whole := RID()
var _chunks := RID()
var _whole_sight: SightLines = null
var _chunks_sight: SightLines = null


func before_each() -> void:
	_baker = add(PathForgeNavigationBaker.new())
	_output = add(Node2D.new())
	_kit = TileKit.new(3)
	_kit.navigate(0, [TileKit.BOX])
	_kit.collide(1, TileKit.BOX)
	_kit.navigate(2, [TileKit.BOX])
	_kit.collide(2, FURNITURE)
	_baker.agent_half_extents = Vector2(3, 5)
	_random.seed = 11


func after_each() -> void:
	for sight: SightLines in [_whole_sight, _chunks_sight] as Array[SightLines]:
		if sight != null:
			sight.free_all()
	_whole_sight = null
	_chunks_sight = null
	if _whole.is_valid():
		NavigationKit.free_map(_whole)
	_whole = RID()


func test_an_open_floor_is_straight() -> void:
	await _bake(func(_x: int, _y: int) -> int: return 0)
	for i: int in 20:
		var start := _place()
		var end := _place()
		var ratio := _way(_whole, start, end) / start.distance_to(end)
		check_near(ratio, 1.0, 0.001, "%s to %s" % [start, end])


func test_both_reach_the_same_places() -> void:
	await _bake(
		func(_x: int, _y: int) -> int:
			var dice := _random.randf()
			return 0 if dice < 0.6 else (1 if dice < 0.9 else 2)
	)
	var reached := 0
	for i: int in PAIRS:
		var start := _place()
		var end := _place()
		var wanted := _reaches(_whole, start, end)
		reached += 1 if wanted else 0
		check_eq(_reaches(_chunks, start, end), wanted, "%s to %s" % [start, end])
	check(reached > 20 and reached < PAIRS - 20, "%d pairs are connected" % reached)


## Rooms in a row that winds through the map, so that there is no other side to pass anything on,
## except at places where four chunks meet: a path near them is a little longer now and then.
func test_where_there_is_one_way_it_is_the_shortest() -> void:
	await _bake_and_look(_winding)
	var wholes := PackedFloat64Array()
	var chunks := PackedFloat64Array()
	for i: int in PAIRS:
		var start := _place()
		var end := _place()
		var shortest := _whole_sight.length(start, end)
		wholes.append(_way(_whole, start, end) / shortest)
		chunks.append(_way(_chunks, start, end) / shortest)
	_check_all_within(wholes, 0.001, "in one piece")
	_check_all_within(chunks, 0.03, "in chunks")
	check_near(_mean(chunks), 1.0, 0.001, "in chunks")


## Here there are two sides of everything. The polygons allow the same ways, whether they are baked
## in chunks or not, and the server loses no more on chunks.
func test_among_rooms_and_furniture_chunks_lose_nothing() -> void:
	await _bake_and_look(_rooms)
	var allowed := PackedFloat64Array()
	var wholes := PackedFloat64Array()
	var chunks := PackedFloat64Array()
	for i: int in PAIRS:
		var start := _place()
		var end := _place()
		var shortest := _whole_sight.length(start, end)
		allowed.append(_chunks_sight.length(start, end) / shortest)
		wholes.append(_way(_whole, start, end) / shortest)
		chunks.append(_way(_chunks, start, end) / shortest)
	_check_all_within(allowed, ORACLE, "what chunks allow")
	var said := "in one piece %.4f, in chunks %.4f" % [_mean(wholes), _mean(chunks)]
	check(_mean(chunks) < _mean(wholes) + 0.005, said)
	check(_mean(wholes) > 1.005, "the server loses something without chunks, too: " + said)
	check(_mean(chunks) < 1.02, said)


## Bakes a level in both ways.
func _bake(tile_at: Callable) -> NavigationPolygon:
	var layer := _kit.layer("")
	for y: int in SIDE:
		for x: int in SIDE:
			layer.set_cell(Vector2i(x, y), 0, Vector2i(tile_at.call(x, y) as int, 0))
	_baker.source_layers = [add(layer)]
	_baker.output_parent = _output
	var polygon := _baker.bake()
	check_eq(_output.get_child_count(), 9, "chunks")
	_whole = NavigationKit.map_of(polygon)
	_chunks = _output.get_world_2d().navigation_map
	await physics_frames(3)
	NavigationServer2D.map_force_update(_chunks)
	return polygon


## Bakes a level in both ways, and finds out what sees what.
func _bake_and_look(tile_at: Callable) -> void:
	var polygon := await _bake(tile_at)
	_whole_sight = SightLines.new(NavigationKit.polygons_of(polygon))
	var pieces: Array[PackedVector2Array] = []
	for region: NavigationRegion2D in _output.get_children():
		pieces.append_array(NavigationKit.polygons_of(region.navigation_polygon))
	_chunks_sight = SightLines.new(pieces)
	# A side on a border that did not match would be a wall, and its ends corners.
	check_eq(_chunks_sight.corner_count(), _whole_sight.corner_count(), "corners")


## Rooms with doors of two tiles in all their walls, and some furniture.
func _rooms(x: int, y: int) -> int:
	var is_wall := (
		(x % ROOM == 0 and y % ROOM not in [5, 6]) or (y % ROOM == 0 and x % ROOM not in [5, 6])
	)
	return 1 if is_wall else (2 if _random.randf() < 0.04 else 0)


## Rows of rooms with doors between neighbours, each joined to the next row at one end.
func _winding(x: int, y: int) -> int:
	if y % ROOM == 0:
		var last := 1 if (y / ROOM) % 2 == 0 else SIDE / ROOM
		var column := x - (last - 1) * ROOM
		return 0 if y > 0 and column in [5, 6] else 1
	return 1 if x % ROOM == 0 and y % ROOM not in [5, 6] else 0


## A random place on the polygons.
func _place() -> Vector2:
	for i: int in 1000:
		var place := Vector2(_random.randf(), _random.randf()) * SIDE * 16.0
		if NavigationServer2D.map_get_closest_point(_whole, place).distance_to(place) < 0.001:
			return place
	fail("there is no place on the polygons")
	return Vector2.ZERO


func _way(map: RID, start: Vector2, end: Vector2) -> float:
	return NavigationKit.length(NavigationServer2D.map_get_path(map, start, end, true))


func _reaches(map: RID, start: Vector2, end: Vector2) -> bool:
	var path := NavigationServer2D.map_get_path(map, start, end, true)
	return path[-1].distance_to(end) < 0.5


func _check_all_within(ratios: PackedFloat64Array, tolerance: float, what: String) -> void:
	ratios.sort()
	var range_text := "%s: %.4f to %.4f" % [what, ratios[0], ratios[-1]]
	check(ratios[0] > 1.0 - maxf(tolerance, ORACLE) and ratios[-1] < 1.0 + tolerance, range_text)


func _mean(ratios: PackedFloat64Array) -> float:
	var sum := 0.0
	for ratio: float in ratios:
		sum += ratio
	return sum / ratios.size()
