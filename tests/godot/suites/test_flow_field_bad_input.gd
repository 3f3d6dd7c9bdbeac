extends TestSuite
## [FlowField]: goals that lead nowhere, wrong values, and what happens under its feet.

var _grid: PathForgeGrid = null
var _field: FlowField = null
var _dead_ends := 0
var _updates := 0


func before_each() -> void:
	_dead_ends = 0
	_updates = 0
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, 20, 16)
	_grid.fill_solid_region(Rect2i(10, 0, 1, 15))
	add(_grid)
	_field = FlowField.new()
	_field.goals = [Vector2i(3, 3)]
	_field.goals_became_unreachable.connect(func() -> void: _dead_ends += 1)
	_field.field_changed.connect(func(_region: Rect2i) -> void: _updates += 1)
	add(_field)


func test_goals_that_lead_nowhere_are_said_once() -> void:
	await frames(3)
	check_eq(_dead_ends, 0)
	var far := Vector2i(2147483647, -2147483648)
	var cases: Array[Array] = [[], [Vector2i(10, 3)], [Vector2i(-1, 2), Vector2i(20, 2), far]]
	for number: int in cases.size():
		_field.goals = cases[number]
		await frames(4)
		check_eq(_dead_ends, number + 1, str(cases[number]))
		check_eq(_field.is_ready(), true)
		check_eq(_field.get_cost(Vector2i(3, 3)), INF)
		check_eq(_field.get_cost_data()[0], INF)
		check_eq(_field.get_direction(Vector2i(3, 3)), Vector2.ZERO)
		check_eq(_field.sample(Vector2(50, 50)), Vector2.ZERO)
		check_eq(_field.get_path_from(Vector2i(3, 3)).size(), 0)
	_grid.set_point_solid(Vector2i(1, 1))
	await frames(3)
	check_eq(_dead_ends, cases.size(), "nothing new")
	_field.goals = [Vector2i(3, 3)]
	await frames(3)
	check_eq(_field.get_cost(Vector2i(3, 3)), 0.0)
	_grid.set_point_solid(Vector2i(3, 3))
	await frames(3)
	check_eq(_dead_ends, cases.size() + 1, "walled in")


func test_a_goal_too_narrow_for_the_body() -> void:
	var profile := PathForgeProfile.new()
	profile.footprint = Vector2i(4, 4)
	_field.profile = profile
	_field.goals = [Vector2i(8, 3)]
	_field.rebuild()
	check_eq([_dead_ends, _field.get_cost(Vector2i(8, 3))], [1, INF])
	_field.goals = [Vector2i(6, 3)]
	_field.rebuild()
	check_eq([_dead_ends, _field.get_cost(Vector2i(6, 3))], [1, 0.0])


func test_cells_anywhere_are_answered() -> void:
	_field.rebuild()
	for cell: Vector2i in [Vector2i.MIN, Vector2i.MAX, Vector2i(-1, 0), Vector2i(0, 16)]:
		check_eq(_field.get_cost(cell), INF)
		check_eq(_field.get_direction(cell), Vector2.ZERO)
		check_eq(_field.get_next_cell(cell), Vector2i.MIN)
		check_eq(_field.get_path_from(cell).size(), 0)
		check_eq(_field.has_line_of_sight(cell), false)
	for position: Vector2 in [Vector2(NAN, NAN), Vector2(INF, 0), Vector2(-1e38, 1e38)]:
		check_eq(_field.sample(position), Vector2.ZERO)


func test_wrong_values_change_nothing() -> void:
	expect_errors(1, "FlowField.goal_mode: goal_mode 7 is not GOAL_EXACT")
	_field.goal_mode = 7
	expect_errors(2, "FlowField.max_cost:")
	_field.max_cost = -1.0
	_field.max_cost = NAN
	expect_errors(2, "FlowField.max_updates_per_second:")
	_field.max_updates_per_second = INF
	_field.max_updates_per_second = -0.5
	expect_errors(1, "FlowField.budget_usec: -1 is not at least 0")
	_field.budget_usec = -1
	expect_errors(1, "FlowField.goals: goals[1] is")
	_field.set("goals", [Vector2i.ZERO, "here"])
	check_eq(_field.goals, [Vector2i(3, 3)] as Array[Vector2i])
	check_eq([_field.goal_mode, _field.max_cost], [0, 0.0])
	check_eq([_field.max_updates_per_second, _field.budget_usec], [0.0, 2000])


func test_an_untyped_array_of_cells_will_do() -> void:
	var cells: Array = [Vector2i(4, 4), Vector2i(5, 5)]
	_field.goals = cells
	check_eq(_field.goals, [Vector2i(4, 4), Vector2i(5, 5)] as Array[Vector2i])
	check_eq(_field.goals.get_typed_builtin(), TYPE_VECTOR2I)


func test_without_a_grid() -> void:
	_field.rebuild()
	_grid.free()
	check_eq(_field.is_ready(), false)
	check_eq(_field.sample(Vector2(20, 20)), Vector2.ZERO)
	check_eq(_field.get_direction(Vector2i(1, 1)), Vector2.ZERO)
	await frames(2)
	check_eq(_field.get_cost(Vector2i(3, 3)), INF)
	check_eq(_field.get_cost_data().size() + _field.get_direction_data().size(), 0)
	expect_errors(1, "there is no grid")
	_field.rebuild()
	var other := PathForgeGrid.new()
	other.region = Rect2i(0, 0, 9, 9)
	add(other)
	await frames(3)
	check_eq(_field.get_cost(Vector2i(3, 4)), 1.0, "another grid is found")


func test_the_grid_changes_its_size_under_the_field() -> void:
	await frames(3)
	for region: Rect2i in [
		Rect2i(-5, -5, 9, 9), Rect2i(), Rect2i(2, 2, 300, 200), Rect2i(3, 3, 1, 1)
	]:
		_grid.region = region
		check_eq(_field.sample(Vector2(NAN, 0)), Vector2.ZERO)
		_field.sample_batch(PackedVector2Array([Vector2(40, 40), Vector2(4000, 4000)]))
		await frames(20)
		check_eq(_field.get_cost_data().size(), region.get_area(), str(region))
		check_eq(_field.get_cost(Vector2i(3, 3)), 0.0 if region.has_area() else INF, str(region))


func test_a_grid_without_cells() -> void:
	var grid := PathForgeGrid.new()
	add(grid)
	_field.grid = grid
	_field.rebuild()
	check_eq([_field.is_ready(), _field.get_cost_data().size(), _dead_ends], [true, 0, 1])


func test_handlers_may_edit_ask_and_free() -> void:
	await frames(3)
	var once := func(_region: Rect2i) -> void:
		_grid.set_point_solid(Vector2i(7, 7))
		_field.goals = [Vector2i(5, 5)]
		_field.rebuild()
	_field.field_changed.connect(once, CONNECT_ONE_SHOT)
	_grid.set_point_solid(Vector2i(6, 6))
	await frames(3)
	check_eq(_field.get_cost(Vector2i(5, 5)), 0.0)
	_field.field_changed.connect(
		func(_region: Rect2i) -> void: _field.queue_free(), CONNECT_ONE_SHOT
	)
	_grid.set_point_solid(Vector2i(6, 6), false)
	await frames(3)
	check_eq(is_instance_valid(_field), false, "freed in its own signal")
	_field = FlowField.new()
	add(_field)
	_field.goals_became_unreachable.connect(func() -> void: _grid.free(), CONNECT_ONE_SHOT)
	await frames(3)
	check_eq(_field.is_ready(), false)


func test_rebuilt_while_the_grid_is_edited() -> void:
	_grid.cells_changed.connect(func(_region: Rect2i) -> void: _field.rebuild())
	_grid.fill_solid_region(Rect2i(0, 8, 10, 1))
	check_eq(_field.get_cost(Vector2i(3, 9)), INF)
	_grid.region = Rect2i(0, 0, 30, 30)
	check_eq(_field.get_cost_data().size(), 900)
	_grid.begin_edit()
	_grid.fill_solid_region(_grid.region, false)
	_grid.end_edit()
	check_eq(_field.get_cost(Vector2i(3, 9)), 6.0)


func test_a_profile_that_goes() -> void:
	_field.profile = PathForgeProfile.new()
	await frames(3)
	_field.profile = null
	await frames(2)
	check_eq(_field.get_cost(Vector2i(3, 3)), 0.0)
	_grid.global_position = Vector2(NAN, 0)
	await frames(2)
	check_eq(_field.is_ready(), true)
