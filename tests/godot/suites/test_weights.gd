extends TestSuite
## Weights count as they are read: multiples of 1/70 within limits, of which one warning tells.

const LIMITS := "multiples of 1/70 from 1/70 to 660"


func test_what_is_read_is_what_counts() -> void:
	var pairs: Array[Array] = [
		[2000.0, 1000.0],
		[1200.0, 900.0],
		[700.0, 650.0],
		[100000.0, 936.0],
		[0.012, 0.004],
		[0.0, 0.01],
		[0.1, 0.093],
		[1.0, 0.994],
		[255.0, 127.0],
		[3.0, 2.99],
	]
	expect_warnings(6, LIMITS)
	for pair: Array in pairs:
		var grid := _lanes(pair[0], pair[1])
		var path := grid.find_path(Vector2i(0, 0), Vector2i(12, 0))
		var told := _cost(grid, path.cells)
		var upper: Array[Vector2i] = []
		var lower: Array[Vector2i] = [Vector2i(0, 0), Vector2i(0, 1)]
		for x: int in 13:
			upper.append(Vector2i(x, 0))
			lower.append(Vector2i(x, 2))
		lower.append_array([Vector2i(12, 1), Vector2i(12, 0)] as Array[Vector2i])
		check_near(told, minf(_cost(grid, upper), _cost(grid, lower)), 0.001, str(pair))
		check_near(path.cost, told, 0.001, "%s: the cost" % [pair])


func test_cells_keep_multiples() -> void:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(-1, 2, 4, 1)
	add(grid)
	var at := Vector2i(-1, 2)
	for weight: float in [1.0 / 70.0, 0.3, 0.994, 1.0, 1.25, 2.5, 99.99, 660.0]:
		grid.set_point_weight_scale(at, weight)
		check_near(grid.get_point_weight_scale(at), roundf(weight * 70.0) / 70.0, 0.00003)
		grid.fill_weight_scale_region(Rect2i(at, Vector2i.ONE), weight)
		check_near(grid.get_weight_data()[0], roundf(weight * 70.0) / 70.0, 0.00003)
	expect_warnings(1, "set_weight_data: at (1, 2), the weight 2000 counts as 660: weights are")
	grid.set_weight_data([1.0, 2.0, 2000.0, 0.0])
	check_eq(grid.get_weight_data()[2], 660.0)
	grid.set_point_weight_scale(at, 0.0)
	check_near(grid.get_point_weight_scale(at), 1.0 / 70.0, 0.00001, "told once for a grid")


func test_costs_and_imports_tell_their_limits() -> void:
	var profile := PathForgeProfile.new()
	expect_warnings(1, "PathForgeProfile.terrain_costs: [1] is 2000; a step costs")
	profile.terrain_costs = [1.0, 2000.0]
	var image := Image.create(1, 1, false, Image.FORMAT_RGBA8)
	image.fill(Color.RED)
	var rules := PathForgeTileRules.new()
	rules.weight_colors = {Color.RED: 700.0}
	var grid: PathForgeGrid = add(PathForgeGrid.new())
	expect_warnings(1, "set_from_image: rules.weight_colors[")
	grid.set_from_image(image, rules)
	check_eq(grid.get_weight_data(), PackedFloat32Array([660.0]))


## A short lane above and one around it, of which the ends cost what the cells between them do.
func _lanes(upper: float, lower: float) -> PathForgeGrid:
	var grid: PathForgeGrid = add(PathForgeGrid.new())
	grid.region = Rect2i(0, 0, 13, 3)
	grid.diagonal_mode = PathForgeGrid.DIAGONAL_MODE_NEVER
	grid.fill_solid_region(Rect2i(1, 1, 11, 1))
	grid.fill_weight_scale_region(Rect2i(0, 0, 13, 1), upper)
	grid.fill_weight_scale_region(Rect2i(0, 2, 13, 1), lower)
	grid.set_point_weight_scale(Vector2i(0, 1), lower)
	grid.set_point_weight_scale(Vector2i(12, 1), lower)
	grid.set_point_weight_scale(Vector2i(12, 0), 1.0)
	return grid


func _cost(grid: PathForgeGrid, cells: Array[Vector2i]) -> float:
	var cost := 0.0
	for index: int in range(1, cells.size()):
		cost += grid.get_point_weight_scale(cells[index])
	return cost
