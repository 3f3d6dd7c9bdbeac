extends TestSuite
## A chase over a navigation region, and its port: hunters ask again and again for a path to a
## player who moves on. The original asks the navigation server, the port a grid that took its cells
## from the same region.
##
## Who is reached is compared exactly. Lengths differ: the port's paths run along cells and are
## pulled straight. The server's go by the nearest points of polygons and may pass a wall on its
## longer side. So the port's may be a few percent longer, and shorter by any amount.

const NavigationKit := preload("res://tiles/navigation_kit.gd")
const CELL := 16.0
const SIZE := Vector2i(40, 30)
const STEPS := 300

var _map := RID()
var _grid: PathForgeGrid = null
var _random := RandomNumberGenerator.new()


func before_each() -> void:
	_random.seed = 9
	var source := NavigationMeshSourceGeometryData2D.new()
	source.add_traversable_outline(_box(Rect2i(Vector2i.ZERO, SIZE)))
	for wall: Rect2i in [
		Rect2i(10, 0, 1, 22),
		Rect2i(11, 21, 9, 1),
		Rect2i(24, 8, 1, 22),
		Rect2i(16, 6, 4, 4),
		Rect2i(30, 12, 10, 1),
		Rect2i(30, 4, 2, 5),
		Rect2i(3, 10, 3, 3),
		# A room without a door.
		Rect2i(32, 20, 6, 1),
		Rect2i(32, 20, 1, 6),
		Rect2i(37, 20, 1, 6),
		Rect2i(32, 25, 6, 1),
	]:
		source.add_obstruction_outline(_box(wall))
	var polygon := NavigationPolygon.new()
	polygon.agent_radius = CELL / 2.0
	NavigationServer2D.bake_from_source_geometry_data(polygon, source)
	_map = NavigationKit.map_of(polygon)
	var region := NavigationRegion2D.new()
	region.enabled = true
	region.navigation_polygon = polygon
	add(region)
	_grid = add(PathForgeGrid.new())
	_grid.import_navigation_regions([region])


func after_each() -> void:
	NavigationKit.free_map(_map)


func test_the_hunt_takes_as_long() -> void:
	var hunter := PathForgeProfile.new()
	hunter.smoothing = PathForgeProfile.SMOOTH_STRING_PULL
	var sums := [0.0, 0.0]
	var reached := 0
	for _step: int in STEPS:
		var start := _open_cell()
		var goal := _open_cell()
		var way := NavigationServer2D.map_get_path(_map, _center(start), _center(goal), true)
		var path := _grid.find_path(start, goal, hunter, PathForgeGrid.GOAL_NEAREST)
		var there := way[-1].distance_to(_center(goal)) < 1.0
		check_eq(path.is_complete(), there, "%s to %s" % [start, goal])
		if not there:
			var miss := path.positions[-1].distance_to(_center(goal))
			var their_miss := way[-1].distance_to(_center(goal))
			check(miss <= their_miss + CELL / 2.0, "it misses by %f and %f" % [miss, their_miss])
			continue
		reached += 1
		var mine := NavigationKit.length(path.positions)
		var theirs := NavigationKit.length(way)
		sums[0] += mine
		sums[1] += theirs
		check(mine <= theirs * 1.09 + 0.1, "%s to %s: %f and %f" % [start, goal, mine, theirs])
		check(mine >= _center(start).distance_to(_center(goal)) - 0.1, "shorter than straight")
	check(reached > STEPS / 2 and reached < STEPS, "%d of %d are reached" % [reached, STEPS])
	var ratio: float = sums[0] / sums[1]
	check(ratio < 1.01, "all ways together are %.4f times as long" % ratio)


## A hunter as a game has it: it walks to a player who flees, and looks again ten times a second.
func test_an_agent_catches_a_player_who_runs() -> void:
	var body := Node2D.new()
	body.position = _center(Vector2i(2, 2))
	_grid.add_child(body)
	var agent := PathForgeAgent2D.new()
	agent.goal_mode = PathForgeGrid.GOAL_NEAREST
	body.add_child(agent)
	var player := _center(Vector2i(38, 2))
	var refuge := _center(Vector2i(38, 28))
	var caught := false
	for frame: int in 900:
		player = player.move_toward(refuge, 40.0 / 60.0)
		if frame % 6 == 0:
			agent.target_position = player
		await physics_frames()
		body.position += agent.get_next_velocity(240.0) / 60.0
		check(not _grid.is_point_solid(_grid.local_to_cell(body.position)), "it is inside a wall")
		caught = body.position.distance_to(player) < CELL
		if caught:
			break
	check(caught, "it stands at %s, the player at %s" % [body.position, player])


func _open_cell() -> Vector2i:
	var cell := Vector2i(_random.randi() % SIZE.x, _random.randi() % SIZE.y)
	while _grid.is_point_solid(cell):
		cell = Vector2i(_random.randi() % SIZE.x, _random.randi() % SIZE.y)
	return cell


func _center(cell: Vector2i) -> Vector2:
	return _grid.cell_to_local(cell)


func _box(cells: Rect2i) -> PackedVector2Array:
	var rect := Rect2(Vector2(cells.position) * CELL, Vector2(cells.size) * CELL)
	return [
		rect.position,
		Vector2(rect.end.x, rect.position.y),
		rect.end,
		Vector2(rect.position.x, rect.end.y)
	]
