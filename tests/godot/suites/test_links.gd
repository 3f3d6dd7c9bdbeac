extends TestSuite
## Links of [PathForgeGrid]: added, read, changed, removed, saved and drawn.

const UNKNOWN := ": the map has no link 7"

var _grid: PathForgeGrid = null
var _changes: Array[Rect2i] = []


func before_each() -> void:
	_grid = add(PathForgeGrid.new())
	_grid.region = Rect2i(-2, -1, 30, 20)
	_changes = []
	_grid.cells_changed.connect(func(region: Rect2i) -> void: _changes.append(region))


func test_a_link_is_added_read_and_removed() -> void:
	var id := _grid.add_link(Vector2i(1, 2), Vector2i(9, 5))
	check_eq(id, 0)
	check_eq(_changes, [Rect2i(1, 2, 1, 1), Rect2i(9, 5, 1, 1)] as Array[Rect2i], "each end")
	check_eq([_grid.has_link(id), _grid.has_link(1), _grid.has_link(-1)], [true, false, false])
	check_eq(_grid.get_link_ids(), PackedInt32Array([0]))
	check_eq(_grid.get_link_start(id), Vector2i(1, 2))
	check_eq(_grid.get_link_end(id), Vector2i(9, 5))
	check_near(_grid.get_link_cost(id), 3.0 * 99.0 / 70.0 + 5.0, 0.0001, "the straight way")
	check_eq([_grid.is_link_enabled(id), _grid.is_link_bidirectional(id)], [true, true])
	check_eq(_grid.get_link_terrains(id), 0xFFFFFFFF)
	check_eq(_grid.get_link_max_footprint(id), Vector2i(64, 64))
	check_eq([_grid.get_link_capacity(id), _grid.get_link_seconds(id)], [0, -1.0])
	check_eq(_grid.get_link_tag(id), &"")
	check_eq(_grid.get_link_owner(id), null)
	var other := _grid.add_link(Vector2i(0, 0), Vector2i(1, 0), 2.5, false)
	check_eq([other, _grid.is_link_bidirectional(other)], [1, false])
	check_near(_grid.get_link_cost(other), 2.5)
	_changes.clear()
	check_eq(_grid.remove_link(id), true)
	check_eq(_changes, [Rect2i(1, 2, 1, 1), Rect2i(9, 5, 1, 1)] as Array[Rect2i])
	check_eq(_grid.remove_link(id), false, "it is gone")
	check_eq(_grid.get_link_ids(), PackedInt32Array([1]))
	check_eq(_grid.add_link(Vector2i(1, 2), Vector2i(9, 5)), 2, "never given again")


func test_every_member_is_set() -> void:
	var id := _grid.add_link(Vector2i(1, 2), Vector2i(9, 5))
	_changes.clear()
	_grid.set_link_enabled(id, false)
	check_eq(_changes.size(), 2, "both ends")
	_grid.set_link_enabled(id, false)
	check_eq(_changes.size(), 2, "nothing changed")
	_grid.set_link_bidirectional(id, false)
	_grid.set_link_cost(id, 12.0)
	_grid.set_link_terrains(id, 6)
	_grid.set_link_max_footprint(id, Vector2i(2, 3))
	_grid.set_link_capacity(id, 4)
	_grid.set_link_seconds(id, 2.5)
	_grid.set_link_tag(id, &"ferry")
	check_eq([_grid.is_link_enabled(id), _grid.is_link_bidirectional(id)], [false, false])
	check_near(_grid.get_link_cost(id), 12.0)
	check_eq(_grid.get_link_terrains(id), 6)
	check_eq(_grid.get_link_max_footprint(id), Vector2i(2, 3))
	check_eq([_grid.get_link_capacity(id), _grid.get_link_seconds(id)], [4, 2.5])
	check_eq(_grid.get_link_tag(id), &"ferry")
	_changes.clear()
	_grid.set_link_start(id, Vector2i(3, 3))
	check_eq(_changes.size(), 3, "where it was, where it is, and the other end")
	check(Rect2i(1, 2, 1, 1) in _changes and Rect2i(3, 3, 1, 1) in _changes, str(_changes))
	_grid.set_link_end(id, Vector2i(3, 7))
	check_eq(_grid.get_link_start(id), Vector2i(3, 3))
	check_eq(_grid.get_link_end(id), Vector2i(3, 7))
	check_near(_grid.get_link_cost(id), 12.0, 0.0001, "it keeps its cost")
	_grid.set_link_cost(id, -1.0)
	check_near(_grid.get_link_cost(id), 4.0)
	_grid.set_link_seconds(id, -1.0)
	check_eq(_grid.get_link_seconds(id), -1.0)
	_grid.set_link_cost(id, 1.0 / 70.0)
	check_near(_grid.get_link_cost(id), 1.0 / 70.0)
	_grid.set_link_cost(id, 100000.0)
	check_near(_grid.get_link_cost(id), 100000.0)


func test_what_makes_no_link_is_an_error() -> void:
	var at := Vector2i.ZERO
	var add_link := "PathForgeGrid.add_link: "
	var region := " is outside the region [position (-2, -1), size (30, 20)]"
	expect_errors(1, add_link + "cell (99, 0)" + region)
	check_eq(_grid.add_link(Vector2i(99, 0), at), -1)
	expect_errors(1, add_link + "cell (-3, 0)" + region)
	check_eq(_grid.add_link(at, Vector2i(-3, 0)), -1)
	expect_errors(1, add_link + "both ends are the cell (0, 0)")
	check_eq(_grid.add_link(at, at), -1)
	var limits := " is not -1 or within 1/70 and 100000 cells"
	for cost: float in [0.0, -2.0, 0.001, 100001.0, INF, -INF, NAN]:
		expect_errors(1, add_link + "cost %s%s" % [_rust(cost), limits])
		check_eq(_grid.add_link(at, Vector2i(5, 5), cost), -1)
	check_eq([_changes, _grid.get_link_ids().size()], [[] as Array[Rect2i], 0])


func _rust(number: float) -> String:
	if is_nan(number):
		return "NaN"
	return str(number) if is_inf(number) else str(number).trim_suffix(".0")


func test_what_a_link_cannot_be_is_an_error() -> void:
	var id := _grid.add_link(Vector2i(1, 2), Vector2i(9, 5))
	var before := _grid.state_hash()
	_changes.clear()
	expect_errors(1, "PathForgeGrid.set_link_start: both ends are the cell (9, 5)")
	_grid.set_link_start(id, Vector2i(9, 5))
	expect_errors(1, "PathForgeGrid.set_link_end: cell (0, 99) is outside the region")
	_grid.set_link_end(id, Vector2i(0, 99))
	expect_errors(1, "PathForgeGrid.set_link_cost: cost 0 is not -1 or within 1/70 and 100000")
	_grid.set_link_cost(id, 0.0)
	expect_errors(1, "PathForgeGrid.set_link_terrains: terrains -1 is not within 0 and 4294967295")
	_grid.set_link_terrains(id, -1)
	expect_errors(1, "PathForgeGrid.set_link_max_footprint: max_footprint: ")
	_grid.set_link_max_footprint(id, Vector2i(0, 65))
	expect_errors(1, "PathForgeGrid.set_link_capacity: capacity -1 is not within 0 and 4294967295")
	_grid.set_link_capacity(id, -1)
	for seconds: float in [-0.5, 601.0, INF, NAN]:
		var wanted := "seconds %s is not -1 or within 0 and 600" % _rust(seconds)
		expect_errors(1, "PathForgeGrid.set_link_seconds: " + wanted)
		_grid.set_link_seconds(id, seconds)
	expect_errors(1, "PathForgeGrid.set_link_tag: the tag has 256 bytes, at most 255 are kept")
	_grid.set_link_tag(id, StringName("x".repeat(256)))
	check_eq([_grid.state_hash(), _changes], [before, [] as Array[Rect2i]])
	_grid.set_link_tag(id, StringName("x".repeat(255)))
	check_eq(str(_grid.get_link_tag(id)).length(), 255)


func test_an_unknown_id_is_an_error() -> void:
	var setters: Dictionary[String, Variant] = {
		"set_link_enabled": true,
		"set_link_bidirectional": true,
		"set_link_start": Vector2i.ZERO,
		"set_link_end": Vector2i.ZERO,
		"set_link_cost": 1.0,
		"set_link_terrains": 1,
		"set_link_max_footprint": Vector2i.ONE,
		"set_link_capacity": 1,
		"set_link_seconds": 1.0,
		"set_link_tag": &"x",
	}
	for method: String in setters:
		expect_errors(1, "PathForgeGrid.%s%s" % [method, UNKNOWN])
		_grid.call(method, 7, setters[method])
	var getters: Dictionary[String, Variant] = {
		"is_link_enabled": false,
		"is_link_bidirectional": false,
		"get_link_start": Vector2i.MIN,
		"get_link_end": Vector2i.MIN,
		"get_link_cost": INF,
		"get_link_terrains": 0,
		"get_link_max_footprint": Vector2i.ZERO,
		"get_link_capacity": 0,
		"get_link_seconds": -1.0,
		"get_link_tag": &"",
	}
	for method: String in getters:
		expect_errors(1, "PathForgeGrid.%s%s" % [method, UNKNOWN])
		check_eq(_grid.call(method, 7), getters[method], method)
	check_eq(_grid.get_link_owner(7), null)
	check_eq(_grid.remove_link(-1), false)


func test_edits_wait_for_their_end() -> void:
	_grid.begin_edit()
	var id := _grid.add_link(Vector2i(1, 2), Vector2i(9, 5))
	_grid.set_link_cost(id, 3.0)
	check_eq(_changes, [] as Array[Rect2i])
	_grid.end_edit()
	check_eq(_changes, [Rect2i(1, 2, 9, 4)] as Array[Rect2i], "once")


func test_a_handler_may_free_the_grid() -> void:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 5, 5)
	var freed := func(_region: Rect2i) -> void: grid.free.call_deferred()
	grid.cells_changed.connect(freed, CONNECT_ONE_SHOT)
	check_eq(grid.add_link(Vector2i.ZERO, Vector2i(4, 4)), 0)
	await frames(1)
	check(not is_instance_valid(grid), "it is gone")


func test_other_threads_edit_links() -> void:
	var thread := Thread.new()
	thread.start(
		func() -> int:
			for n: int in 50:
				_grid.add_link(Vector2i(0, n % 10), Vector2i(20, n % 7))
			return _grid.get_link_ids().size()
	)
	check_eq(thread.wait_to_finish(), 50)
	await frames(2)
	check_eq(_changes.size(), 1, "announced once, on the main thread")


func test_they_are_saved_and_counted_in_the_hash() -> void:
	var empty_hash := _grid.state_hash()
	var id := _grid.add_link(Vector2i(1, 2), Vector2i(9, 5), 4.0, false)
	_grid.set_link_tag(id, &"ladder")
	_grid.set_link_seconds(id, 1.5)
	var hash_before := _grid.state_hash()
	check_ne(hash_before, empty_hash, "a link counts")
	var copy: PathForgeGrid = add(PathForgeGrid.new())
	check_eq(copy.from_bytes(_grid.to_bytes()), true)
	check_eq([copy.state_hash(), copy.get_link_ids()], [hash_before, PackedInt32Array([id])])
	check_eq([copy.get_link_tag(id), copy.get_link_seconds(id)], [&"ladder", 1.5])
	check_eq(copy.is_link_bidirectional(id), false)
	_grid.remove_link(id)
	check_eq(_grid.from_bytes(copy.to_bytes()), true)
	check_eq(_grid.state_hash(), hash_before)
	var scene := PackedScene.new()
	check_eq(scene.pack(_grid), OK)
	var loaded: PathForgeGrid = add(scene.instantiate())
	check_eq(loaded.get_link_tag(id), &"ladder", "in a scene")


func test_they_stay_when_cells_change() -> void:
	var near := _grid.add_link(Vector2i(1, 2), Vector2i(3, 2))
	var far := _grid.add_link(Vector2i(1, 2), Vector2i(25, 2))
	_grid.fill_solid_region(_grid.region)
	_grid.fill_solid_region(_grid.region, false)
	_grid.set_from_text(".......\n".repeat(4))
	check_eq([_grid.has_link(near), _grid.has_link(far)], [true, false], "it reaches outside")
	_grid.region = Rect2i(-2, -1, 30, 20)
	check_eq(_grid.get_link_ids(), PackedInt32Array([near]))
	_grid.region = Rect2i(-2, -1, 5, 20)
	check_eq(_grid.get_link_ids(), PackedInt32Array())
	_grid.region = Rect2i(-2, -1, 30, 20)
	var next := _grid.add_link(Vector2i(1, 2), Vector2i(3, 2))
	check_eq(next, far + 1, "an id is never given again")
	_grid.clear()
	check_eq(_grid.get_link_ids(), PackedInt32Array())
	_grid.region = Rect2i(0, 0, 9, 9)
	check_eq(_grid.add_link(Vector2i(1, 2), Vector2i(3, 2)), next + 1)


func test_the_overlay_draws_links() -> void:
	_grid.debug_enabled = true
	_grid.add_link(Vector2i(1, 2), Vector2i(9, 5))
	_grid.add_link(Vector2i(1, 3), Vector2i(2, 3), 4.0, false)
	_grid.set_link_enabled(_grid.add_link(Vector2i(5, 5), Vector2i(25, 15)), false)
	await frames(2)
	_grid.fill_solid_region(Rect2i(10, -1, 1, 20))
	_grid.set_link_enabled(2, true)
	for smoothing: int in 2:
		var profile := a_body(Vector2i(2, 2))
		profile.smoothing = smoothing as PathForgeProfile.Smoothing
		check_eq(_grid.find_path(Vector2i(0, 0), Vector2i(20, 12), profile).link_ids.size(), 1)
		await frames(2)
	_grid.scale = Vector2(0.01, 0.01)
	await frames(2)
	_grid.scale = Vector2.ZERO
	await frames(2)
	check(true, "no error was printed")
