extends TestSuite
## What a kind of body needs is made in the background: order, edits meanwhile, the tree, freeing.

const SIDE: int = 400

var _grid: PathForgeGrid
var _caravan: PathForgeProfile
var _prepared: Array[PathForgeProfile] = []


func before_each() -> void:
	_prepared.clear()
	_grid = _map()
	_grid.profile_prepared.connect(_on_profile_prepared)
	_caravan = PathForgeProfile.new()
	_caravan.footprint = Vector2i(2, 2)
	_caravan.search_mode = PathForgeProfile.SEARCH_HIERARCHICAL


func _map() -> PathForgeGrid:
	var grid: PathForgeGrid = PathForgeGrid.new()
	grid.region = Rect2i(0, 0, SIDE, SIDE)
	for x: int in range(20, SIDE, 20):
		grid.fill_solid_region(Rect2i(x, 0, 1, SIDE))
		grid.fill_solid_region(Rect2i(x, (x * 37) % (SIDE - 6), 1, 4), false)
	return grid


func _on_profile_prepared(profile: PathForgeProfile) -> void:
	_prepared.append(profile)


func _comes(count: int) -> bool:
	return await wait_until(func() -> bool: return _prepared.size() >= count)


func test_a_profile_is_prepared_on_a_later_frame() -> void:
	add(_grid)
	_grid.prepare_profile(_caravan)
	check(_prepared.is_empty(), "not in this call")
	check_eq(open_preparations(), 1, "one is open")
	check(await _comes(1), "it comes")
	check_eq(open_preparations(), 0, "none is open")
	await frames(3)
	check_eq(_prepared, [_caravan], "once")
	var path: PathForgePath = _grid.find_path(Vector2i(1, 1), Vector2i(390, 390), _caravan)
	check_eq(path.engine, "haa", "over clusters")
	var other: PathForgeGrid = _map()
	var same: PathForgePath = other.find_path(Vector2i(1, 1), Vector2i(390, 390), _caravan)
	check_eq(path.cells, same.cells, "as without")
	other.free()


func test_many_come_in_order_without_a_profile_too() -> void:
	add(_grid)
	var walker: PathForgeProfile = PathForgeProfile.new()
	_grid.prepare_profile(_caravan)
	_grid.prepare_profile()
	_grid.prepare_profile(walker)
	check_eq(open_preparations(), 3, "three are open")
	check(await _comes(3), "all come")
	check_eq(_prepared, [_caravan, null, walker], "in order")


func test_it_waits_for_the_tree() -> void:
	_grid.prepare_profile(_caravan)
	await frames(5)
	check(_prepared.is_empty(), "it waits")
	add(_grid)
	check(await _comes(1), "it comes")


func test_paths_and_edits_go_on_meanwhile() -> void:
	add(_grid)
	_grid.prepare_profile(_caravan)
	for frame: int in 10:
		_grid.set_point_solid(Vector2i(7 + 30 * frame, 11 + 17 * frame))
		var path: PathForgePath = _grid.find_path(Vector2i(1, 1), Vector2i(390, 390), _caravan)
		check(path.is_complete(), "there is a way")
		await frames(1)
	check(await _comes(1), "it comes all the same")


func test_an_empty_grid_is_prepared() -> void:
	_grid.region = Rect2i()
	add(_grid)
	_grid.prepare_profile(_caravan)
	check(await _comes(1), "it comes")


func test_the_grid_may_be_freed_while_it_works_and_by_the_handler() -> void:
	add(_grid)
	_grid.prepare_profile(_caravan)
	await frames(1)
	_grid.free()
	var other: PathForgeGrid = _map()
	var free_it: Callable = func(_profile: PathForgeProfile) -> void: other.queue_free()
	other.profile_prepared.connect(free_it)
	add(other)
	other.prepare_profile(_caravan)
	var id: int = other.get_instance_id()
	check(await wait_until(func() -> bool: return not is_instance_id_valid(id)), "it is gone")


func _weigh(grid: PathForgeGrid) -> void:
	for at: int in range(0, SIDE, 20):
		for across: int in range(0, SIDE, 20):
			var weight: float = 1.0 + (at * 7 + across * 3) % 8
			grid.fill_weight_scale_region(Rect2i(at, across, 20, 20), weight)


func test_paths_over_weights_cost_what_they_would_unprepared() -> void:
	var other: PathForgeGrid = _map()
	var body: PathForgeProfile = PathForgeProfile.new()
	body.footprint = Vector2i(2, 2)
	for grid: PathForgeGrid in [_grid, other]:
		_weigh(grid)
	add(_grid)
	_grid.prepare_profile(body)
	check(await _comes(1), "it comes")
	var less: int = 0
	for order: int in 24:
		# Walls and mud, of which landmarks lose nothing; then roads and fallen walls.
		var at: Rect2i = Rect2i(3 + order * 37 % 380, 5 + order * 53 % 380, 12, 9)
		for grid: PathForgeGrid in [_grid, other]:
			if order % 2 == 0:
				grid.fill_solid_region(at, order < 16)
			else:
				grid.fill_weight_scale_region(at, 9.0 if order < 16 else 1.0)
		var from: Vector2i = Vector2i(1, 1 + order * 16)
		var to: Vector2i = Vector2i(397, 397 - order * 16)
		var path: PathForgePath = _grid.find_path(from, to, body)
		var same: PathForgePath = other.find_path(from, to, body)
		check_eq(path.cost, same.cost, "order %d" % order)
		check_eq(path.status, same.status, "order %d" % order)
		less += 1 if order < 16 and path.expanded * 2 < same.expanded else 0
	check_eq(less, 16, "landmarks lead straight after walls and mud")
	other.free()
