extends TestSuite
## Direct answers equal those of the declared methods: typed and untyped, with defaults left out,
## with arguments to convert, of objects that come and go, and while handlers run.


func test_objects_that_come_and_go() -> void:
	for n: int in 300:
		var grid := PathForgeGrid.new()
		grid.region = Rect2i(0, 0, 4, 4)
		var is_odd := n % 2 == 1
		check_eq(grid.is_point_solid(Vector2i(1, 1)), false, "a new grid at an old place is empty")
		grid.set_point_solid(Vector2i(1, 1), is_odd)
		grid.set_point_weight_scale(Vector2i(2, 2), n + 1)
		check_eq(grid.is_point_solid(Vector2i(1, 1)), is_odd)
		check_eq(grid.get_point_weight_scale(Vector2i(2, 2)), float(n + 1))
		grid.free()


func test_objects_of_several_classes_that_take_turns_at_an_address() -> void:
	for n: int in 300:
		var grid := PathForgeGrid.new()
		grid.region = Rect2i(0, 0, 2, 2)
		grid.set_point_solid(Vector2i(1, 1))
		check_eq(grid.is_point_solid(Vector2i(1, 1)), true, "a grid")
		grid.free()
		var flat := PathForgeAgent2D.new()
		check_eq(flat.target_position, Vector2.ZERO, "a 2D agent")
		check_eq(flat.is_navigation_finished(), true)
		flat.free()
		var upright := PathForgeAgent3D.new()
		check_eq(upright.target_position, Vector3.ZERO, "a 3D agent")
		check_eq(upright.is_navigation_finished(), true)
		upright.free()


func test_calls_by_name_and_with_defaults() -> void:
	var grid: Variant = _grid()
	grid.set_point_solid(Vector2i(1, 0))
	check_eq(grid.is_point_solid(Vector2i(1, 0)), true)
	grid.call(&"set_point_solid", Vector2i(1, 0), false)
	check_eq(grid.callv(&"is_point_solid", [Vector2i(1, 0)]), false)
	# Whole numbers for fractions, as everywhere in Godot.
	grid.set_point_weight_scale(Vector2i(2, 2), 3)
	check_eq(grid.get_point_weight_scale(Vector2i(2, 2)), 3.0)
	grid.set_point_terrain(Vector2i(2, 2), 4)
	check_eq(grid.get_point_terrain(Vector2i(2, 2)), 4)
	check_eq(grid.get_id_path(Vector2i(0, 0), Vector2i(2, 0)).size(), 3)
	check_eq(grid.get_id_path(Vector2i(0, 0), Vector2i(2, 0), true).size(), 3)
	check_eq(grid.local_to_cell(Vector2(40, 20)), Vector2i(2, 1))
	check_eq(grid.cell_to_local(Vector2i(2, 1)), Vector2(40, 24))
	var typed: PathForgeGrid = grid
	var wide := a_body(Vector2i(2, 1))
	for body: PathForgeProfile in [null, a_body(Vector2i.ONE), wide]:
		var place := Vector2(48, 24) if body == wide else Vector2(40, 24)
		check_eq(grid.cell_to_local(Vector2i(2, 1), body), place, "by name, %s" % body)
		check_eq(typed.cell_to_local(Vector2i(2, 1), body), place, "typed, %s" % body)
		check_eq(grid.local_to_cell(place, body), Vector2i(2, 1))
		check_eq(typed.local_to_cell(place, body), Vector2i(2, 1))
	var path := typed.get_id_path(Vector2i.ZERO, Vector2i.ONE)
	check(path.is_same_typed([] as Array[Vector2i]), "a typed array")
	check_eq(typed.is_in_boundsv(Vector2i(7, 7)), true)
	check_eq(typed.is_in_boundsv(Vector2i(8, 7)), false)


func test_what_is_wrong_is_told_by_the_declared_verb() -> void:
	var grid := _grid()
	expect_errors(1, "PathForgeGrid.is_point_solid")
	check_eq(grid.is_point_solid(Vector2i(99, 0)), false)
	expect_errors(1, "PathForgeGrid.set_point_solid")
	grid.set_point_solid(Vector2i(0, -1))
	expect_errors(1, "PathForgeGrid.set_point_weight_scale")
	grid.set_point_weight_scale(Vector2i(0, 0), NAN)
	expect_errors(1, "PathForgeGrid.set_point_terrain")
	grid.set_point_terrain(Vector2i(0, 0), 32)
	expect_errors(1, "PathForgeGrid.get_id_path")
	check_eq(grid.get_id_path(Vector2i(99, 0), Vector2i(0, 0)), [] as Array[Vector2i])
	check_eq(grid.local_to_cell(Vector2(NAN, 0)), Vector2i.MIN)


func test_handlers_edit_and_ask() -> void:
	var grid := _grid()
	var heard: Array[Rect2i] = []
	var handler := func(region: Rect2i) -> void:
		heard.append(region)
		check_eq(grid.is_point_solid(region.position), true)
		if heard.size() == 1:
			grid.set_point_solid(Vector2i(5, 5))
	grid.cells_changed.connect(handler)
	grid.set_point_solid(Vector2i(4, 4))
	check_eq(heard, [Rect2i(4, 4, 1, 1), Rect2i(5, 5, 1, 1)] as Array[Rect2i])


func test_subclasses_and_threads() -> void:
	var script := GDScript.new()
	script.source_code = """extends PathForgeGrid
func twice(cell: Vector2i) -> bool:
	return is_point_solid(cell)
"""
	script.reload()
	var grid: PathForgeGrid = script.new()
	grid.region = Rect2i(0, 0, 64, 64)
	var work := func(row: int) -> void:
		for x: int in 64:
			grid.set_point_solid(Vector2i(x, row), x % 2 == 0)
	var group := WorkerThreadPool.add_group_task(work, 64)
	WorkerThreadPool.wait_for_group_task_completion(group)
	var count := 0
	for y: int in 64:
		for x: int in 64:
			count += int(grid.is_point_solid(Vector2i(x, y)))
	check_eq(count, 32 * 64)
	check_eq(grid.call(&"twice", Vector2i(2, 2)), true)
	grid.free()


func test_fields_and_agents() -> void:
	var grid := _grid()
	var field := FlowField.new()
	grid.add_child(field)
	field.goals = [Vector2i(7, 0)]
	field.rebuild()
	check_eq(field.get_cost(Vector2i(0, 0)), 7.0)
	check_eq((field as Variant).get_direction(Vector2i(0, 0)), Vector2.RIGHT)
	check_eq(field.sample(Vector2(8, 8)), Vector2.RIGHT)
	check_eq(field.get_cost(Vector2i(0, 99)), INF)
	var agent := PathForgeAgent2D.new()
	check_eq(agent.target_position, Vector2.ZERO)
	check_eq(agent.is_navigation_finished(), true)
	agent.free()


func _grid() -> PathForgeGrid:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 8, 8)
	return add(grid)
