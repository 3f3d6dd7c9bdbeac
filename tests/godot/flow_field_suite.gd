class_name FlowFieldSuite
extends TestSuite
## What the suites of [FlowField] share: a grid with some walls, bodies, places, costs of paths.

var grid: PathForgeGrid = null
var random := RandomNumberGenerator.new()
var updates: Array[Rect2i] = []


func before_each() -> void:
	random.seed = 11
	updates = []
	grid = PathForgeGrid.new()
	grid.region = Rect2i(-4, 3, 33, 24)
	add(grid)
	for number: int in 90:
		grid.set_point_solid(any_cell())


func watched(goals: Array[Vector2i]) -> FlowField:
	var field := FlowField.new()
	field.goals = goals
	field.field_changed.connect(func(region: Rect2i) -> void: updates.append(region))
	add(field)
	return field


func field_to(profile: PathForgeProfile, goals: Array[Vector2i]) -> FlowField:
	var field := FlowField.new()
	field.grid = grid
	field.profile = profile
	field.goals = goals
	add(field)
	field.rebuild()
	return field


func body_of(footprint: Vector2i) -> PathForgeProfile:
	var profile := PathForgeProfile.new()
	profile.footprint = footprint
	return profile


func any_stands(profile: PathForgeProfile, count: int) -> Array[Vector2i]:
	var stands: Array[Vector2i] = []
	while stands.size() < count:
		stands.append(grid.find_nearest_fit(any_cell(), profile))
	return stands


func check_costs(field: FlowField, goal: Vector2i, profile: PathForgeProfile) -> void:
	var data := field.get_cost_data()
	check_eq(data.size(), grid.region.get_area())
	var wrong: Array[Vector2i] = []
	for index: int in data.size():
		var cell := cell_at(index)
		var wanted := path_cost(cell, goal, profile, PathForgeGrid.GOAL_EXACT)
		if field.get_cost(cell) != wanted or data[index] != f32(wanted):
			wrong.append(cell)
	check(wrong.is_empty(), "%d costs differ from paths: %s" % [wrong.size(), wrong.slice(0, 5)])


func check_some_costs(field: FlowField, goal: Vector2i) -> void:
	for number: int in 50:
		var cell := any_cell()
		check_eq(
			field.get_cost(cell), path_cost(cell, goal, null, PathForgeGrid.GOAL_EXACT), str(cell)
		)


func path_cost(start: Vector2i, goal: Vector2i, profile: PathForgeProfile, mode: int) -> float:
	return grid.find_path(start, goal, profile, mode).cost


func f32(value: float) -> float:
	return PackedFloat32Array([value])[0]


func way_length(way: Array[Vector2i]) -> float:
	var length := 0.0
	for index: int in range(1, way.size()):
		length += Vector2(way[index] - way[index - 1]).length()
	return length


func stand_at(position: Vector2, footprint: Vector2i) -> Vector2i:
	return grid.local_to_cell(position - Vector2(footprint - Vector2i.ONE) * 8.0)


func any_cell() -> Vector2i:
	return cell_at(random.randi_range(0, grid.region.get_area() - 1))


func cell_at(index: int) -> Vector2i:
	var width := grid.region.size.x
	@warning_ignore("integer_division")
	return grid.region.position + Vector2i(index % width, index / width)
