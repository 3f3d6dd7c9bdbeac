extends TestSuite
## Requests: tickets, order, callbacks, cancelling, edits meanwhile, the tree, and bad input.

const MAP: String = """
..........
.########.
.#......#.
.#.####.#.
.#.#....#.
.#.######.
.#........
.########.
..........
"""

var _grid: PathForgeGrid
var _tickets: Array[int] = []
var _paths: Array[PathForgePath] = []


func before_each() -> void:
	_tickets.clear()
	_paths.clear()
	_grid = PathForgeGrid.new()
	_grid.set_from_text(MAP)
	_grid.path_answered.connect(_on_path_answered)


func _on_path_answered(ticket: int, path: PathForgePath) -> void:
	_tickets.append(ticket)
	_paths.append(path)


func _answered(count: int) -> bool:
	return await wait_until(func() -> bool: return _tickets.size() >= count)


func test_a_path_comes_on_a_later_frame() -> void:
	add(_grid)
	var ticket: int = _grid.request_path(Vector2i(0, 0), Vector2i(9, 8))
	check(ticket > 0, "a ticket")
	check_eq(open_requests(), 1, "one is open")
	check(_tickets.is_empty(), "not in this call")
	check(await _answered(1), "it comes")
	check_eq(_tickets, [ticket], "once")
	var direct: PathForgePath = _grid.find_path(Vector2i(0, 0), Vector2i(9, 8))
	check_eq(_paths[0].cells, direct.cells, "the same path")
	check_eq(_paths[0].positions, direct.positions, "the same positions")
	check_eq(open_requests(), 0, "none is open")


func test_answers_come_in_order_failures_too() -> void:
	add(_grid)
	var wanted: Array[int] = []
	for x: int in 10:
		wanted.append(_grid.request_path(Vector2i(0, 0), Vector2i(x, 1)))
		wanted.append(_grid.request_path(Vector2i(0, 0), Vector2i(x, 99)))
	check(await _answered(20), "all come")
	check_eq(_tickets, wanted, "in order")
	check_eq(_paths[0].status, PathForgePath.STATUS_COMPLETE, "reached")
	check_eq(_paths[2].reason, PathForgePath.REASON_GOAL_SOLID, "a wall")
	check_eq(_paths[1].reason, PathForgePath.REASON_GOAL_OUT_OF_BOUNDS, "outside")


func test_callbacks_take_a_path_or_ticket_and_path() -> void:
	add(_grid)
	var got: Array = []
	var one: Callable = func(path: PathForgePath) -> void: got.append(path.status)
	var two: Callable = func(ticket: int, path: PathForgePath) -> void:
		got.append([ticket, path.status])
	_grid.request_path(Vector2i(0, 0), Vector2i(9, 8), null, PathForgeGrid.GOAL_EXACT, one)
	var ticket: int = _grid.request_path(Vector2i(0, 0), Vector2i(1, 1), null, 0, two)
	check(await _answered(2), "both come")
	check_eq(got, [0, [ticket, PathForgePath.STATUS_UNREACHABLE]], "each as it likes")


func test_a_cancelled_request_is_answered_as_cancelled() -> void:
	add(_grid)
	var first: int = _grid.request_path(Vector2i(0, 0), Vector2i(9, 8))
	var second: int = _grid.request_path(Vector2i(0, 0), Vector2i(9, 8))
	check(_grid.cancel_request(first), "it was pending")
	check(not _grid.cancel_request(first), "not any more")
	check(not _grid.cancel_request(99), "no such ticket")
	check(not _grid.cancel_request(-1), "no ticket at all")
	check(await _answered(2), "both are answered")
	check_eq(_tickets, [first, second], "in order, once each")
	check_eq(_paths[0].status, PathForgePath.STATUS_CANCELLED, "cancelled")
	check_eq(_paths[0].reason, PathForgePath.REASON_CANCELLED, "and says so")
	check(_paths[1].is_complete(), "the other is not")
	check(not _grid.cancel_request(second), "it is answered")


func test_an_edit_meanwhile_leaves_no_path_through_the_wall() -> void:
	add(_grid)
	_grid.request_path(Vector2i(0, 0), Vector2i(9, 8))
	await frames(1)
	_grid.set_point_solid(Vector2i(0, 4))
	_grid.set_point_solid(Vector2i(9, 4))
	check(await _answered(1), "it comes")
	if _paths[0].status == PathForgePath.STATUS_COMPLETE:
		check(not Vector2i(0, 4) in _paths[0].cells, "not through the new wall")
		check(not Vector2i(9, 4) in _paths[0].cells, "nor through the other")
	else:
		check_eq(_paths[0].reason, PathForgePath.REASON_DISCONNECTED, "there is no way now")


func test_requests_wait_for_the_tree() -> void:
	_grid.request_path(Vector2i(0, 0), Vector2i(9, 8))
	await frames(5)
	check(_tickets.is_empty(), "not in the tree")
	add(_grid)
	check(await _answered(1), "in the tree")
	_grid.request_path(Vector2i(0, 0), Vector2i(9, 8))
	root.remove_child(_grid)
	await frames(5)
	check_eq(_tickets.size(), 1, "out again")
	root.add_child(_grid)
	check(await _answered(2), "and in again")


func test_freeing_the_grid_ends_requests_without_signals() -> void:
	add(_grid)
	var got: Array = []
	var note: Callable = func(path: PathForgePath) -> void: got.append(path)
	for x: int in 50:
		_grid.request_path(Vector2i(0, 0), Vector2i(9, 8), null, 0, note)
	await frames(1)
	_grid.path_answered.disconnect(_on_path_answered)
	got.clear()
	_grid.free()
	await frames(5)
	check(got.is_empty() and _tickets.size() <= 50, "nothing comes from a grid that is gone")


func test_handlers_may_ask_edit_cancel_and_free() -> void:
	add(_grid)
	var state: Dictionary = {"asked": 0, "cancelled": 0}
	var last: int = _grid.request_path(Vector2i(0, 0), Vector2i(5, 8))
	for x: int in 3:
		last = _grid.request_path(Vector2i(0, 0), Vector2i(x, 8))
	var handler: Callable = func(ticket: int, _path: PathForgePath) -> void:
		if ticket == 1:
			state["asked"] = _grid.request_path(Vector2i(0, 0), Vector2i(9, 0))
			_grid.set_point_solid(Vector2i(4, 4))
			state["cancelled"] = int(_grid.cancel_request(last))
		elif ticket == state["asked"]:
			_grid.queue_free()
	_grid.path_answered.connect(handler)
	check(await _answered(5), "all are answered")
	check_eq(state["cancelled"], 1, "a handler may cancel")
	check_eq(_paths[3].status, PathForgePath.STATUS_CANCELLED, "what it cancelled is")
	await frames(2)
	check(not is_instance_valid(_grid), "a handler may free the grid at the end of the frame")


func test_a_callback_may_free_the_grid() -> void:
	add(_grid)
	var free_it: Callable = func(_path: PathForgePath) -> void: _grid.free()
	for x: int in 5:
		_grid.request_path(Vector2i(0, 0), Vector2i(x, 0), null, 0, free_it)
	check(await _answered(1), "the first comes")
	await frames(3)
	check_eq(_tickets, [1], "and no other")
	check(not is_instance_valid(_grid), "it is gone")


func test_a_budget_of_nothing_hands_out_one_a_frame() -> void:
	add(_grid)
	_grid.request_budget_usec = 0
	for x: int in 5:
		_grid.request_path(Vector2i(0, 0), Vector2i(x, 0))
	await frames(1)
	var came: Array[int] = [_tickets.size()]
	OS.delay_msec(50)
	var next: Callable = func() -> bool:
		check(_tickets.size() <= came[0] + 1, "one a frame")
		came[0] = _tickets.size()
		return came[0] == 5
	check(await wait_until(next), "all of them")


func test_bad_arguments_are_refused() -> void:
	add(_grid)
	expect_errors(1, "PathForgeGrid.request_path: goal_mode 7")
	check_eq(_grid.request_path(Vector2i.ZERO, Vector2i.ZERO, null, 7), 0, "no ticket")
	expect_errors(1, "PathForgeGrid.request_budget_usec: -1")
	_grid.request_budget_usec = -1
	check_eq(_grid.request_budget_usec, 400, "unchanged")
	var dead: Node = Node.new()
	_grid.request_path(Vector2i.ZERO, Vector2i.ZERO, null, 0, Callable(dead, "set_name"))
	dead.free()
	check(await _answered(1), "a callback that is gone is left out")
	_grid.region = Rect2i()
	_grid.request_path(Vector2i.ZERO, Vector2i.ZERO)
	check(await _answered(2), "an empty grid")
	check_eq(_paths[1].reason, PathForgePath.REASON_EMPTY_GRID, "answers too")
