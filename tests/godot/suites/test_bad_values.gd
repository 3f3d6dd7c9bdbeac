extends TestSuite
## Values that profiles, clearance maps and queries cannot take.

const HUGE := 2147483647

var _grid: PathForgeGrid = null


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.set_from_text("....\n.#~.\n....")
	add(_grid)


func test_footprints() -> void:
	var sizes: Array[Vector2i] = [
		Vector2i.ZERO, Vector2i(-1, 3), Vector2i(65, 1), Vector2i(1, HUGE), Vector2i.MIN
	]
	expect_errors(5, "PathForgeProfile.footprint: footprint ")
	var profile := PathForgeProfile.new()
	profile.footprint = Vector2i(2, 3)
	for size: Vector2i in sizes:
		profile.footprint = size
		check_eq(profile.footprint, Vector2i(2, 3), "unchanged")


func test_profile_values() -> void:
	var profile := PathForgeProfile.new()
	for property: String in [
		"terrain_mask", "diagonal_mode", "outline", "search_mode", "smoothing", "max_expansions"
	]:
		expect_errors(2, "PathForgeProfile.%s: " % property)
		var before: int = profile.get(property)
		profile.set(property, -2)
		profile.set(property, 1 << 40)
		check_eq(profile.get(property), before, property)
	expect_errors(3, "PathForgeProfile.terrain_costs: ")
	profile.terrain_costs = [1.0, NAN]
	profile.terrain_costs = [-1.0]
	var costs := PackedFloat32Array()
	costs.resize(33)
	profile.terrain_costs = costs
	expect_errors(1, "PathForgeProfile.influence_weights: ")
	profile.influence_weights = [INF]
	check_eq(profile.terrain_costs.size() + profile.influence_weights.size(), 0)
	expect_errors(1, "PathForgeGrid.terrain_names: ")
	var names := PackedStringArray()
	names.resize(33)
	_grid.terrain_names = names
	check_eq(_grid.terrain_names.size(), 0)


func test_arrays_of_cells() -> void:
	expect_errors(1, "PathForgeGrid.find_paths: starts[1] is ")
	expect_errors(1, "PathForgeGrid.find_paths: goals[0] is ")
	expect_errors(2, "PathForgeGrid.find_paths: goals has ")
	var mixed: Array = [Vector2i.ZERO, "x"]
	var nothing: Array = [null]
	check_eq(_grid.find_paths(mixed, [Vector2i.ZERO]).size(), 0)
	check_eq(_grid.find_paths([Vector2i.ZERO], nothing).size(), 0)
	check_eq(_grid.find_paths([Vector2i.ZERO], []).size(), 0)
	check_eq(
		(
			_grid
			. find_paths(
				[Vector2i.ZERO, Vector2i.ONE, Vector2i.ZERO], [Vector2i.ONE, Vector2i.ZERO]
			)
			. size()
		),
		0
	)


func test_numbers_that_are_none() -> void:
	expect_errors(1, "PathForgeGrid.find_nearest_fit: max_distance_cells is not a number")
	check_eq(_grid.find_nearest_fit(Vector2i.ZERO, null, NAN), Vector2i.MIN)
	check_eq(_grid.find_nearest_fit(Vector2i.ZERO, null, INF), Vector2i.ZERO)
	check_eq(_grid.find_nearest_fit(Vector2i.ZERO, null, -INF), Vector2i.ZERO)
	check_eq(_grid.local_to_cell(Vector2(NAN, NAN)), Vector2i.MIN)


func test_clearance_maps() -> void:
	var map := ClearanceMap.new()
	for method: String in ["get_clearance", "get_clearance_data", "get_clearance_texture"]:
		expect_errors(1, "ClearanceMap.%s: there is no grid" % method)
	check_eq(map.get_clearance(Vector2i.ZERO), 0)
	check_eq(map.get_clearance_data(), PackedByteArray())
	check_eq(map.get_clearance_texture(), null)
	map.grid = _grid
	check_eq(map.get_clearance(Vector2i.MIN), 0)
	expect_errors(2, "ClearanceMap.max_clearance: ")
	expect_errors(1, "ClearanceMap.metric: 2")
	map.max_clearance = 0
	map.max_clearance = 256
	map.metric = 2
	check_eq(map.max_clearance, 255)
	map.free()
