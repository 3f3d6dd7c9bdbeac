extends TestSuite
## What a script can get wrong in a call is told by the call: callbacks, freed nodes, empty lists,
## positions given as cells.

var _grid: PathForgeGrid = null


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, 40, 22)
	add(_grid)


func test_callbacks_that_cannot_be_called_are_refused() -> void:
	expect_errors(4, "PathForgeGrid.request_path: callback")
	var none := func() -> void: pass
	var three := func(_a: int, _path: PathForgePath, _c: int) -> void: pass
	check_eq(_request(none), 0, "no argument")
	check_eq(_request(three), 0, "three arguments")
	check_eq(_request(_answered.bind([], "", 3)), 0, "all of its arguments are bound")
	check_eq(_request(Callable(self, "no_such_method")), 0, "no such method")
	check_eq(open_requests(), 0)


func test_a_callback_of_a_freed_object_is_refused() -> void:
	var node := Node2D.new()
	var callback := Callable(node, "set_position")
	node.free()
	expect_errors(1, "PathForgeGrid.request_path: callback")
	check_eq(_request(callback), 0)


func test_callbacks_with_one_or_two_arguments_are_called() -> void:
	var heard: Array = []
	var one := func(path: PathForgePath) -> void: heard.append(path.is_complete())
	var two := func(ticket: int, path: PathForgePath) -> void:
		heard.append([ticket, path.is_complete()])
	_request(one)
	var ticket := _request(two)
	_request(_answered.bind(heard, "unit 7"))
	_request(heard.append)
	var ended := func() -> void: heard.append("unbound")
	_request(ended.unbind(1))
	_request(Callable())
	await wait_until(func() -> bool: return heard.size() == 5 and open_requests() == 0)
	check_eq(heard.slice(0, 3), [true, [ticket, true], "unit 7"])
	check(heard[3] is PathForgePath, "a method of the engine's own")
	check_eq(heard[4], "unbound")


func test_a_callback_that_does_not_take_a_path_is_told_when_it_is_called() -> void:
	expect_errors(1, "does not take OBJECT, which its argument 1 is")
	expect_errors(1, "does not take INT, which its argument 1 is")
	var heard: Array = []
	# They capture nothing: Godot leaks the captures of a lambda whose argument does not fit.
	_request(func(path: int) -> void: print(path))
	_request(func(ticket: Array, path: PathForgePath) -> void: print(ticket, path))
	_request(func(path: PathForgePath) -> void: heard.append(path))
	await wait_until(func() -> bool: return open_requests() == 0)
	check_eq(heard.size(), 1)


func test_freed_nodes_as_arguments() -> void:
	var map := InfluenceMap.new()
	_grid.add_child(map)
	var crowd := PathForgeCrowd.new()
	_grid.add_child(crowd)
	var gone: Array[Node] = [Node2D.new(), FlowField.new(), TileMapLayer.new()]
	for node: Node in gone:
		node.free()
	expect_errors(1, "InfluenceMap.attach_stamp: node was freed")
	check_eq(map.call("attach_stamp", gone[0], 1.0, 2.0), -1)
	expect_errors(1, "PathForgeCrowd.assign_field: field was freed")
	check_eq(crowd.call("assign_field", PackedInt32Array([0]), gone[1]), 0)
	expect_errors(1, "PathForgeGrid.import_tile_map_layers: layers[0]")
	check_eq(_grid.call("import_tile_map_layers", [gone[2]]), false)
	expect_errors(1, "PathForgeGrid.import_tile_map_cells: layer was freed")
	check_eq(_grid.call("import_tile_map_cells", gone[2], []), false)


func test_a_script_goes_on_after_a_freed_argument() -> void:
	var map := InfluenceMap.new()
	_grid.add_child(map)
	var towers: Array[Node2D] = [Node2D.new()]
	towers[0].free()
	expect_errors(1, "InfluenceMap.attach_stamp: node was freed")
	check_eq(map.attach_stamp(towers[0], 1.0, 2.0), -1, "the call answers")
	check_eq(map.get_stamp_count(), 0)


func test_things_of_other_classes_as_arguments() -> void:
	var map := InfluenceMap.new()
	_grid.add_child(map)
	expect_errors(1, "InfluenceMap.attach_stamp: node is a Resource, not a Node2D")
	check_eq(map.call("attach_stamp", Resource.new(), 1.0, 2.0), -1)
	expect_errors(1, "InfluenceMap.attach_stamp: node is (3, 4), not a Node2D")
	check_eq(map.call("attach_stamp", Vector2i(3, 4), 1.0, 2.0), -1)


func test_empty_goal_lists() -> void:
	expect_errors(1, "PathForgeGrid.find_path_to_any: goals is empty")
	var path := _grid.find_path_to_any(Vector2i.ZERO, [])
	check_eq(path.status, PathForgePath.STATUS_INVALID)
	expect_errors(1, "PathForgeGrid.explain_to_any: goals is empty")
	var nothing := _grid.explain_to_any(Vector2i.ZERO, [])
	check_eq([nothing.status, nothing.text], [PathForgePath.STATUS_INVALID, "goals is empty"])
	expect_errors(1, "PathForgeGrid.would_block: goals is empty")
	check_eq(_grid.would_block(Rect2i(2, 2, 1, 1), [Vector2i.ZERO], []), false)
	expect_errors(1, "PathForgeGrid.set_from_text: rows is empty")
	_grid.set_from_text("\n")
	check_eq(_grid.region.size, Vector2i(40, 22), "nothing has changed")


func test_positions_given_as_cells_are_named_with_the_region() -> void:
	var start := "the start (160, 160) lies outside the region (0, 0, 40, 22)"
	var goal := "the goal (320, 16) lies outside the region (0, 0, 40, 22)"
	var here := Vector2i(3, 3)
	check_has(_grid.find_path(Vector2i(160, 160), here), start)
	check_has(_grid.find_path(here, Vector2i(320, 16)), goal)
	check_has(_grid.find_path_to_any(here, [Vector2i(320, 16)]), goal)
	var answers: Array[PathForgePath] = []
	_grid.request_path(Vector2i(160, 160), here, null, 0, answers.append)
	await wait_until(func() -> bool: return not answers.is_empty())
	check_has(answers[0], start)
	var why: String = _grid.explain(Vector2i(160, 160), here).text
	check_eq(why, "The start (160, 160) lies outside the region (0, 0, 40, 22).")


func test_a_unit_with_an_obstacle_can_be_walled_in() -> void:
	_grid.fill_solid_region(Rect2i(10, 0, 1, 22))
	_grid.set_point_solid(Vector2i(10, 5), false)
	var tower := Rect2i(10, 5, 1, 1)
	var starts: Array[Vector2i] = [Vector2i(3, 3)]
	var goals: Array[Vector2i] = [Vector2i(18, 3)]
	check(_grid.would_block(tower, starts, goals), "without an obstacle")
	var obstacle := PathForgeObstacle2D.new()
	obstacle.position = _grid.cell_to_local(starts[0])
	_grid.add_child(obstacle)
	check(_grid.has_obstacle_at(starts[0]), "the obstacle is there")
	check(_grid.would_block(tower, starts, goals), "with the unit's own")
	check(not _grid.would_block(Rect2i(12, 5, 1, 1), starts, goals), "elsewhere")
	var crate := _grid.add_obstacle(Rect2i(10, 5, 1, 1))
	check(not _grid.would_block(tower, starts, goals), "an obstacle has closed the way before")
	_grid.remove_obstacle(crate)
	expect_errors(1, "would_block: starts[1] (300, 3) lies outside the region (0, 0, 40, 22)")
	check(not _grid.would_block(tower, [Vector2i(3, 3), Vector2i(300, 3)], goals), "a typo")
	expect_errors(1, "would_block: goals[0] (18, 300) lies outside the region (0, 0, 40, 22)")
	check(not _grid.would_block(tower, starts, [Vector2i(18, 300)]), "another")


func check_has(path: PathForgePath, part: String) -> void:
	check(path.describe().contains(part), path.describe())


func _request(callback: Callable) -> int:
	return _grid.request_path(Vector2i.ZERO, Vector2i(3, 3), null, 0, callback)


func _answered(_path: PathForgePath, heard: Array, who: String) -> void:
	heard.append(who)
