extends TestSuite
## [PathForgeNavigationBaker]: a tolerance makes about as few polygons as the engine.

const TileKit := preload("res://tiles/tile_kit.gd")
const NavigationKit := preload("res://tiles/navigation_kit.gd")
const SIDE := 40
const RADIUS := 5.0

var _baker: PathForgeNavigationBaker = null
var _random := RandomNumberGenerator.new()
var _floor: Array[PackedVector2Array] = []
var _colliders: Array[PackedVector2Array] = []


func before_each() -> void:
	_baker = add(PathForgeNavigationBaker.new())
	_baker.corner = PathForgeNavigationBaker.CORNER_ROUND
	_baker.agent_half_extents = Vector2(RADIUS, RADIUS)


func test_polygons_beside_the_engine() -> void:
	for level: int in 3:
		_make_level(level)
		var engine := _baked_by_engine()
		_baker.outline_tolerance = 0.0
		var exact := _baker.bake_from_polygons(_floor, _colliders)
		_baker.outline_tolerance = 0.42 * RADIUS
		var reduced := _baker.bake_from_polygons(_floor, _colliders)
		var counts: Array[int] = [
			engine.get_polygon_count(), exact.get_polygon_count(), reduced.get_polygon_count()
		]
		print("level %d: engine, exact, reduced: %s" % [level, counts])
		check(counts[2] <= counts[0] * 1.3, "level %d: %s" % [level, counts])
		check(counts[1] > counts[2] * 2, "level %d: %s" % [level, counts])
		var lost := NavigationKit.area_of(exact) - NavigationKit.area_of(reduced)
		check(lost > 0.0, "free space only shrinks: %f" % lost)
		_check_inside(reduced, exact)


func test_box_agents_and_grids_have_it_too() -> void:
	var grid: PathForgeGrid = add(PathForgeGrid.new())
	grid.set_from_text("......\n..##..\n.###..\n......")
	_baker.grid = grid
	_baker.corner = PathForgeNavigationBaker.CORNER_BOX
	_baker.agent_half_extents = Vector2(2, 2)
	var exact := NavigationKit.area_of(_baker.bake())
	_baker.outline_tolerance = 0.0
	check_near(NavigationKit.area_of(_baker.bake()), exact)
	_baker.outline_tolerance = 16.0
	check(NavigationKit.area_of(_baker.bake()) < exact, "the step is filled")


func test_bad_tolerances_change_nothing() -> void:
	_baker.outline_tolerance = 1.5
	expect_errors(4, "PathForgeNavigationBaker.outline_tolerance: tolerance")
	for bad: float in [NAN, INF, -1.0, 1025.0]:
		_baker.outline_tolerance = bad
	check_eq(_baker.outline_tolerance, 1.5)
	_baker.agent_half_extents = Vector2(3, 4)
	_baker.corner = PathForgeNavigationBaker.CORNER_BOX
	check_eq(_baker.outline_tolerance, 1.5, "other properties leave it")
	_baker.outline_tolerance = 1024.0
	check_eq(_baker.bake_from_polygons([]).get_polygon_count(), 0)


## Walls, blocks and, on the later levels, furniture of any shape.
func _make_level(level: int) -> void:
	_random.seed = 40 + level
	_floor.clear()
	_colliders.clear()
	_floor.append(_rect(0, 0, SIDE, SIDE))
	for _block: int in 45:
		var size := Vector2i(_random.randi_range(1, 4), _random.randi_range(1, 4))
		var at := Vector2i(_random.randi_range(0, SIDE - 4), _random.randi_range(0, SIDE - 4))
		_colliders.append(_rect(at.x, at.y, size.x, size.y))
	for _furniture: int in level * 12:
		var center := Vector2(_random.randf_range(16, 620), _random.randf_range(16, 620))
		var polygon := PackedVector2Array()
		var corners := _random.randi_range(3, 6)
		var turn := _random.randf() * TAU
		for corner: int in corners:
			polygon.append(center + Vector2.from_angle(turn + TAU * corner / corners) * 11.0)
		_colliders.append(polygon)


func _rect(x: int, y: int, w: int, h: int) -> PackedVector2Array:
	var at := Vector2(x, y) * 16.0
	var size := Vector2(w, h) * 16.0
	return [at, at + Vector2(size.x, 0), at + size, at + Vector2(0, size.y)]


func _baked_by_engine() -> NavigationPolygon:
	var source := NavigationMeshSourceGeometryData2D.new()
	source.set_traversable_outlines(_floor)
	source.set_obstruction_outlines(_colliders)
	var polygon := NavigationPolygon.new()
	polygon.agent_radius = RADIUS
	NavigationServer2D.bake_from_source_geometry_data(polygon, source)
	return polygon


## Every corner of the smaller polygon lies in the larger, or within rounding of it.
func _check_inside(smaller: NavigationPolygon, larger: NavigationPolygon) -> void:
	var map := NavigationKit.map_of(larger)
	var furthest := 0.0
	for corner: Vector2 in smaller.vertices:
		var nearest := NavigationServer2D.map_get_closest_point(map, corner)
		furthest = maxf(furthest, corner.distance_to(nearest))
	NavigationKit.free_map(map)
	check(furthest < 0.05, "%f px outside" % furthest)
