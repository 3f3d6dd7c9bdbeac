extends TestSuite
## How paths are searched: over cells, or over clusters of the map.

const SIDE: int = 300


## Rooms with doors of one, two and three cells, a swamp and a lake.
func _grid() -> PathForgeGrid:
	var grid: PathForgeGrid = PathForgeGrid.new()
	grid.region = Rect2i(-20, 10, SIDE, SIDE)
	add(grid)
	var rng: RandomNumberGenerator = RandomNumberGenerator.new()
	rng.seed = 5
	for line: int in range(0, SIDE, 25):
		grid.fill_solid_region(Rect2i(-20 + line, 10, 1, SIDE))
		grid.fill_solid_region(Rect2i(-20, 10 + line, SIDE, 1))
	for y: int in range(0, SIDE, 25):
		for x: int in range(0, SIDE, 25):
			var door: int = rng.randi_range(1, 3)
			var at: int = rng.randi_range(2, 20)
			grid.fill_solid_region(Rect2i(-20 + x, 10 + y + at, 1, door), false)
			grid.fill_solid_region(Rect2i(-20 + x + at, 10 + y, door, 1), false)
	grid.fill_terrain_region(Rect2i(60, 60, 70, 40), 1)
	grid.fill_weight_scale_region(Rect2i(100, 150, 50, 60), 3.0)
	return grid


func _profile(side: int, mode: int) -> PathForgeProfile:
	var profile: PathForgeProfile = PathForgeProfile.new()
	profile.footprint = Vector2i(side, side)
	profile.terrain_costs = [1.0, 4.0]
	profile.search_mode = mode
	return profile


func test_paths_over_clusters_are_whole_and_nearly_cheapest() -> void:
	var grid: PathForgeGrid = _grid()
	var rng: RandomNumberGenerator = RandomNumberGenerator.new()
	rng.seed = 9
	var over_clusters: int = 0
	for side: int in [1, 2, 3]:
		var optimal: PathForgeProfile = _profile(side, PathForgeProfile.SEARCH_OPTIMAL)
		var clustered: PathForgeProfile = _profile(side, PathForgeProfile.SEARCH_HIERARCHICAL)
		for trip: int in 25:
			var ends: Array[Vector2i] = []
			for end: int in 2:
				var cell: Vector2i = Vector2i(rng.randi_range(-20, 270), rng.randi_range(10, 300))
				ends.append(grid.find_nearest_fit(cell, optimal))
			var best: PathForgePath = grid.find_path(ends[0], ends[1], optimal)
			var found: PathForgePath = grid.find_path(ends[0], ends[1], clustered)
			check_eq(found.status, best.status)
			check_eq(found.reason, best.reason)
			check_eq(best.engine == "haa", false)
			if not found.is_complete():
				continue
			over_clusters += int(found.engine == "haa")
			check(found.cost >= best.cost - 0.001, "cheaper than the cheapest path")
			check(found.cost <= 1.2 * best.cost + 0.001, "%s is dear" % found.cost)
			_check_steps(grid, found, ends, clustered)
	check(over_clusters > 20, "only %d paths over clusters" % over_clusters)


func _check_steps(
	grid: PathForgeGrid, path: PathForgePath, ends: Array[Vector2i], profile: PathForgeProfile
) -> void:
	var cells: Array[Vector2i] = path.cells
	check_eq(cells[0], ends[0])
	check_eq(cells[-1], ends[1])
	check_eq(path.positions.size(), cells.size())
	for n: int in cells.size():
		if not grid.can_stand(cells[n], profile):
			fail("the body does not fit at %s" % cells[n])
		if (
			n > 0
			and maxi(absi(cells[n].x - cells[n - 1].x), absi(cells[n].y - cells[n - 1].y)) != 1
		):
			fail("a jump at %s" % cells[n])


func test_doors_that_close_and_open_are_seen() -> void:
	var grid: PathForgeGrid = PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 200, 200)
	add(grid)
	grid.fill_solid_region(Rect2i(100, 0, 1, 200))
	grid.set_point_solid(Vector2i(100, 150), false)
	var profile: PathForgeProfile = _profile(1, PathForgeProfile.SEARCH_HIERARCHICAL)
	var path: PathForgePath = grid.find_path(Vector2i(3, 3), Vector2i(190, 3), profile)
	check_eq(path.engine, "haa")
	check(path.cells.has(Vector2i(100, 150)), "not through the door")
	check(path.expanded > 0, "nothing was expanded")
	grid.set_point_solid(Vector2i(100, 150))
	path = grid.find_path(Vector2i(3, 3), Vector2i(190, 3), profile)
	check_eq(path.status, PathForgePath.STATUS_UNREACHABLE)
	check_eq(path.reason, PathForgePath.REASON_DISCONNECTED)
	check_eq(path.engine, "none")
	grid.set_point_solid(Vector2i(100, 20), false)
	path = grid.find_path(Vector2i(3, 3), Vector2i(190, 3), profile)
	check(path.cells.has(Vector2i(100, 20)), "not through the new door")


func test_neighbours_and_limits() -> void:
	var grid: PathForgeGrid = PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 200, 200)
	add(grid)
	var profile: PathForgeProfile = PathForgeProfile.new()
	profile.search_mode = PathForgeProfile.SEARCH_HIERARCHICAL
	check_eq(grid.find_path(Vector2i(3, 3), Vector2i(30, 20), profile).engine, "jps")
	check_eq(grid.find_path(Vector2i(3, 3), Vector2i(190, 20), profile).engine, "haa")
	check_eq(grid.find_path(Vector2i(3, 3), Vector2i(3, 3), profile).cost, 0.0)
	profile.max_expansions = 3
	var path: PathForgePath = grid.find_path(Vector2i(3, 3), Vector2i(190, 20), profile)
	check_eq(path.status, PathForgePath.STATUS_LIMIT)
	check_eq(path.cells.size(), 0)
