extends TestSuite
## First steps of requests over clusters: they come before the rest of any path of their frame, once
## at most, hold on the map as it is, and every ticket is answered once all the same.

const SIDE: int = 260
const COUNT: int = 16

var _grid: PathForgeGrid
var _profile: PathForgeProfile
## The first steps of each ticket, and the answers.
var _begun: Dictionary[int, PathForgePath] = {}
var _found: Dictionary[int, PathForgePath] = {}
var _events: Array[String] = []


func before_each() -> void:
	_begun.clear()
	_found.clear()
	_events.clear()
	_profile = PathForgeProfile.new()
	_profile.search_mode = PathForgeProfile.SEARCH_HIERARCHICAL
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, SIDE, SIDE)
	for y: int in range(20, SIDE, 20):
		_grid.fill_solid_region(Rect2i((y / 20) % 2, y, SIDE - 1, 1))
	_grid.request_budget_usec = 1_000_000
	_grid.path_answered.connect(_on_path_answered)


func _on_path_begun(ticket: int, path: PathForgePath) -> void:
	check(not _begun.has(ticket), "ticket %d once" % ticket)
	check(not _found.has(ticket), "before the whole")
	check_eq(path.status, PathForgePath.STATUS_BEGUN, "it says what it is")
	check(not path.is_complete(), "it does not lead there")
	_check_is_open(path)
	_begun[ticket] = path
	_events.append("begun")


func _on_path_answered(ticket: int, path: PathForgePath) -> void:
	check(not _found.has(ticket), "ticket %d once" % ticket)
	_check_is_open(path)
	_found[ticket] = path
	_events.append("found")


func _check_is_open(path: PathForgePath) -> void:
	for cell: Vector2i in path.cells:
		if _grid.is_point_solid(cell):
			check(false, "%s is solid" % cell)
			return


func _ask() -> Array[int]:
	var tickets: Array[int] = []
	for n: int in COUNT:
		var x: int = (n + _found.size()) % SIDE
		tickets.append(
			_grid.request_path(Vector2i(x, 0), Vector2i(SIDE - 1 - n, SIDE - 1), _profile)
		)
	return tickets


func _answered(count: int) -> bool:
	return await wait_until(func() -> bool: return _found.size() >= count)


func test_first_steps_come_before_the_rest_of_any_path() -> void:
	_grid.path_begun.connect(_on_path_begun)
	add(_grid)
	var tickets: Array[int] = []
	# A fast machine has few whole as soon as their first steps.
	while _begun.is_empty() and tickets.size() < COUNT * 32:
		for _time: int in maxi(1, tickets.size() / COUNT):
			tickets.append_array(_ask())
		check(await _answered(tickets.size()), "all are answered")
	check_eq(_found.keys(), tickets, "in order")
	check(not _begun.is_empty(), "some have begun before")
	if OS.get_processor_count() <= 2 and tickets.size() == COUNT:
		# More workers than one may be at the last first steps and at the first whole path.
		var first_found: int = _events.find("found")
		check_eq(first_found, _events.count("begun"), "all first steps before any whole path")
	for ticket: int in _begun:
		var steps: PathForgePath = _begun[ticket]
		var whole: PathForgePath = _found[ticket]
		check(steps.cells.size() > 1 and steps.cells.size() < whole.cells.size(), "a part of it")
		check_eq(
			steps.cells, whole.cells.slice(0, steps.cells.size()), "the whole begins with them"
		)
		check(steps.cost > 0.0 and steps.cost < whole.cost, "and with what they cost")
		check_eq(steps.engine, "haa", "over clusters")
		check(steps.describe().begins_with("begun: "), steps.describe())


func test_edits_and_cancels_between_first_steps_and_the_whole() -> void:
	var state: Dictionary = {"cancelled": 0}
	var handler: Callable = func(ticket: int, path: PathForgePath) -> void:
		_on_path_begun(ticket, path)
		if state["cancelled"] == 0:
			check(_grid.cancel_request(ticket), "it is pending")
			state["cancelled"] = ticket
			# A wall across everybody's first steps, and another gap to go on through.
			_grid.fill_solid_region(Rect2i(SIDE / 2, 0, 1, 20))
			_grid.set_point_solid(Vector2i(3, 20), false)
	_grid.path_begun.connect(handler)
	add(_grid)
	var tickets: Array[int] = _ask()
	check(await _answered(COUNT), "all are answered")
	check_eq(_found.keys(), tickets, "in order, once each")
	for ticket: int in tickets:
		if ticket == state["cancelled"]:
			check_eq(_found[ticket].status, PathForgePath.STATUS_CANCELLED, "as it was told")
		else:
			check(_found[ticket].is_complete(), "on the map as it is")


func test_a_handler_may_free_the_grid() -> void:
	var handler: Callable = func(ticket: int, _path: PathForgePath) -> void:
		_begun[ticket] = _path
		if _begun.size() == 1:
			_grid.queue_free()
	_grid.path_begun.connect(handler)
	add(_grid)
	for _time: int in 8:
		_ask()
	check(await wait_until(func() -> bool: return not is_instance_valid(_grid)), "it is gone")
	check(_begun.size() >= 1, "after it was told")


func test_other_searches_have_no_first_steps() -> void:
	_grid.path_begun.connect(_on_path_begun)
	add(_grid)
	_grid.request_path(Vector2i(0, 0), Vector2i(9, 9), _profile)
	_profile.search_mode = PathForgeProfile.SEARCH_AUTO
	_grid.request_path(Vector2i(0, 0), Vector2i(0, SIDE - 1), _profile)
	_profile.search_mode = PathForgeProfile.SEARCH_HIERARCHICAL
	_grid.request_path(Vector2i(0, 0), Vector2i(0, 20), _profile)
	check(await _answered(3), "all are answered")
	check(_begun.is_empty(), "at once and whole")
