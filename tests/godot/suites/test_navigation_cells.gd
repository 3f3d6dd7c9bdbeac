extends TestSuite
## What navigation polygons connect stays connected in the cells that are imported from them, in the
## proposed size; what cells join besides is told.

const NavigationKit := preload("res://tiles/navigation_kit.gd")
const RADIUS := 7.0
const SIDE := 480.0

var _grid: PathForgeGrid = null
var _random := RandomNumberGenerator.new()


func before_each() -> void:
	_random.seed = 31
	_grid = add(PathForgeGrid.new())


func test_whoever_the_server_leads_the_grid_leads_on_about_as_long() -> void:
	var profile := PathForgeProfile.new()
	profile.smoothing = PathForgeProfile.SMOOTH_STRING_PULL
	var ratios: PackedFloat64Array = []
	for level: int in 6:
		var region := _region(_baked(_walls(40), RADIUS))
		var map := NavigationKit.map_of(region.navigation_polygon)
		_grid.region = Rect2i()
		_grid.cell_size = Vector2(16, 16)
		_grid.cell_size = _grid.propose_cell_size([region])
		check(_grid.cell_size.x <= 2.0, "cells of %s px" % _grid.cell_size)
		check_eq(_grid.import_navigation_regions([region]), true)
		for pair: int in 100:
			var start := _place(map)
			var goal := _place(map)
			var way := NavigationServer2D.map_get_path(map, start, goal, true)
			var there := way[-1].distance_to(goal) < 0.01
			var from := _grid.local_to_cell(start)
			var path := _grid.find_path(from, _grid.local_to_cell(goal), profile)
			check(path.is_complete() or not there, "level %d: %s to %s" % [level, start, goal])
			if there and start.distance_to(goal) > 40.0:
				var length := NavigationKit.length(path.positions)
				ratios.append(length / NavigationKit.length(way))
		NavigationKit.free_map(map)
	var sum := 0.0
	for ratio: float in ratios:
		sum += ratio
	check(ratios.size() > 200, "%d pairs" % ratios.size())
	check(sum / ratios.size() < 1.05, "%.4f times as long" % (sum / ratios.size()))


func test_a_passage_thinner_than_a_cell_is_open() -> void:
	var polygon := NavigationPolygon.new()
	polygon.vertices = [
		Vector2(0, 0),
		Vector2(40, 0),
		Vector2(40, 36.2),
		Vector2(40, 36.3),
		Vector2(0, 40),
		Vector2(97, 60),
		Vector2(97, 60.1),
		Vector2(140, 50),
		Vector2(140, 90)
	]
	polygon.add_polygon([0, 1, 2, 3, 4])
	polygon.add_polygon([3, 2, 5, 6])
	polygon.add_polygon([5, 7, 8, 6])
	check_eq(_grid.import_navigation_polygon(polygon), true)
	check_eq(_grid.find_path(Vector2i(0, 0), Vector2i(8, 4)).is_complete(), true)


func test_islands_that_cells_join_are_told_with_their_places() -> void:
	expect_warnings(
		1,
		(
			"PathForgeGrid.import_navigation_regions: cells join polygons that are apart, at (1, 0),"
			+ " (3, 0), (5, 0), (7, 0), (9, 0) and 2 more; see propose_cell_size"
		)
	)
	var boxes: Array[Rect2] = []
	for i: int in 8:
		boxes.append(Rect2(32 * i, 0, 30, 16))
	var region := _region(_polygon(boxes))
	check_eq(_grid.import_navigation_regions([region]), true)
	check_eq(_grid.is_reachable(Vector2i(0, 0), Vector2i(15, 0)), true)
	_grid.region = Rect2i()
	_grid.cell_size = Vector2(2, 2)
	check_eq(_grid.import_navigation_regions([region]), true, "no second warning")
	check_eq(_grid.is_reachable(Vector2i(0, 0), Vector2i(16, 0)), false)


func test_the_proposed_size_is_half_of_the_radius_and_keeps_islands_apart() -> void:
	var region := _region(_polygon([Rect2(0, 0, 30, 30), Rect2(33, 0, 30, 30)]))
	region.navigation_polygon.agent_radius = 9.0
	check_eq(_grid.propose_cell_size([region]), Vector2(2, 2), "the gap is 3 px")
	region.navigation_polygon = _polygon([Rect2(0, 0, 30, 30)])
	for pair: Array in [[0.0, 16], [32.0, 16], [31.9, 8], [4.0, 2], [3.0, 1]]:
		region.navigation_polygon.agent_radius = pair[0]
		check_eq(_grid.propose_cell_size([region]), Vector2.ONE * pair[1], str(pair))
	region.scale = Vector2(2, 4)
	check_eq(_grid.propose_cell_size([region]), Vector2(2, 2), "3 px, twice as large")
	_grid.cell_shape = PathForgeGrid.CELL_SHAPE_ISOMETRIC_DOWN
	_grid.cell_size = Vector2(32, 16)
	check_eq(_grid.propose_cell_size([region]), Vector2(2, 1))
	check_eq(_grid.cell_size, Vector2(32, 16), "nothing has changed")
	check_eq(_grid.region, Rect2i())


func test_islands_that_no_size_keeps_apart() -> void:
	var region := _region(_polygon([Rect2(0, 0, 30, 30), Rect2(30.02, 0, 30, 30)]))
	region.navigation_polygon.agent_radius = 8.0
	check_eq(_grid.propose_cell_size([region]), Vector2(4, 4))


func test_no_size_is_proposed_for_what_cannot_be_imported() -> void:
	var method := "PathForgeGrid.propose_cell_size: "
	expect_errors(1, method + "no region is enabled")
	expect_errors(1, method + "regions[0] is 5, not a NavigationRegion2D")
	expect_errors(1, method + "regions[0]: there is no NavigationPolygon")
	check_eq(_grid.propose_cell_size([]), Vector2.ZERO)
	check_eq(_grid.propose_cell_size([5]), Vector2.ZERO)
	check_eq(_grid.propose_cell_size([add(NavigationRegion2D.new())]), Vector2.ZERO)
	var region := _region(_polygon([Rect2(0, 0, 1e4, 1e4)]))
	region.navigation_polygon.agent_radius = 1e-3
	expect_errors(1, method)
	check_eq(_grid.propose_cell_size([region]), Vector2.ZERO, "more cells than there may be")


func test_a_polygon_that_is_not_convex_keeps_its_notch() -> void:
	var polygon := NavigationPolygon.new()
	polygon.vertices = [
		Vector2(0, 0),
		Vector2(16, 0),
		Vector2(16, 32),
		Vector2(48, 32),
		Vector2(48, 48),
		Vector2(0, 48),
	]
	polygon.add_polygon([0, 1, 2, 3, 4, 5])
	check_eq(_grid.import_navigation_polygon(polygon), true)
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 1, 1, 0, 1, 1, 0, 0, 0]))


## Bodies as large as the agent of the bake, among the walls themselves.
func test_bodies_that_fill_the_radius_get_through() -> void:
	var walls := _walls(14)
	for wall: PackedVector2Array in walls:
		var body := StaticBody2D.new()
		var shape := CollisionPolygon2D.new()
		shape.polygon = wall
		body.add_child(shape)
		_grid.add_child(body)
	var region := _region(_baked(walls, 8.0))
	var map := NavigationKit.map_of(region.navigation_polygon)
	_grid.cell_size = _grid.propose_cell_size([region])
	check_eq(_grid.cell_size, Vector2(4, 4))
	check_eq(_grid.import_navigation_regions([region]), true)
	var body := CharacterBody2D.new()
	var collision := CollisionShape2D.new()
	var circle := CircleShape2D.new()
	circle.radius = 8.0
	collision.shape = circle
	body.add_child(collision)
	var agent := PathForgeAgent2D.new()
	body.add_child(agent)
	body.position = _place(map)
	_grid.add_child(body)
	for trip: int in 12:
		var goal := _place(map)
		var start := _grid.local_to_cell(body.position)
		if not _grid.is_reachable(start, _grid.local_to_cell(goal)):
			continue
		agent.target_position = goal
		var frames := 0
		while frames < 900 and (frames < 30 or not agent.is_navigation_finished()):
			await physics_frames()
			frames += 1
			body.velocity = agent.get_next_velocity(115.0)
			body.move_and_slide()
		var off := body.position.distance_to(goal)
		check(
			off <= agent.target_desired_distance + 4.0,
			"trip %d: %.1f px off after %d frames" % [trip, off, frames]
		)
	NavigationKit.free_map(map)


func _walls(count: int) -> Array[PackedVector2Array]:
	var walls: Array[PackedVector2Array] = []
	for i: int in count:
		var at := Vector2(_random.randf(), _random.randf()) * SIDE
		var size := Vector2(_random.randf_range(20, 120), _random.randf_range(4, 30))
		var place := Transform2D(_random.randf() * TAU, at)
		walls.append(place * _box(Rect2(-size / 2.0, size)))
	return walls


func _baked(walls: Array[PackedVector2Array], radius: float) -> NavigationPolygon:
	var source := NavigationMeshSourceGeometryData2D.new()
	source.add_traversable_outline(_box(Rect2(0, 0, SIDE, SIDE)))
	for wall: PackedVector2Array in walls:
		source.add_obstruction_outline(wall)
	var polygon := NavigationPolygon.new()
	polygon.agent_radius = radius
	NavigationServer2D.bake_from_source_geometry_data(polygon, source)
	return polygon


func _polygon(rects: Array[Rect2]) -> NavigationPolygon:
	var polygon := NavigationPolygon.new()
	var vertices := PackedVector2Array()
	for rect: Rect2 in rects:
		vertices.append_array(_box(rect))
	polygon.vertices = vertices
	for at: int in rects.size():
		polygon.add_polygon(PackedInt32Array([4 * at, 4 * at + 1, 4 * at + 2, 4 * at + 3]))
	return polygon


func _region(polygon: NavigationPolygon) -> NavigationRegion2D:
	var region := NavigationRegion2D.new()
	region.navigation_polygon = polygon
	add(region)
	return region


func _place(map: RID) -> Vector2:
	for i: int in 1000:
		var place := Vector2(_random.randf(), _random.randf()) * SIDE
		if NavigationServer2D.map_get_closest_point(map, place).distance_to(place) < 0.001:
			return place
	fail("there is no place on the polygons")
	return Vector2.ZERO


func _box(rect: Rect2) -> PackedVector2Array:
	return [
		rect.position,
		Vector2(rect.end.x, rect.position.y),
		rect.end,
		Vector2(rect.position.x, rect.end.y)
	]
