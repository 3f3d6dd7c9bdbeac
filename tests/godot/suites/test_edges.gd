extends TestSuite
## Edges between cells of [PathForgeGrid]: set, read, drawn, saved, and heeded by whatever walks.

const L := 1 << SIDE_LEFT
const T := 1 << SIDE_TOP
const R := 1 << SIDE_RIGHT
const B := 1 << SIDE_BOTTOM
const NOT_A_SIDE := " is not SIDE_LEFT, SIDE_TOP, SIDE_RIGHT or SIDE_BOTTOM"

var _grid: PathForgeGrid = null
var _changes: Array[Rect2i] = []


func before_each() -> void:
	_grid = add(PathForgeGrid.new())
	_grid.region = Rect2i(-2, -1, 4, 3)
	_changes = []
	_grid.cells_changed.connect(func(region: Rect2i) -> void: _changes.append(region))


func test_edges_are_set_and_read() -> void:
	var cell := Vector2i(0, 0)
	_grid.set_edge_blocked(cell, SIDE_RIGHT)
	_grid.set_edge_blocked(cell, SIDE_RIGHT)
	check_eq(_changes, [Rect2i(0, 0, 2, 1)] as Array[Rect2i], "once, with both cells")
	check_eq(_grid.is_edge_blocked(cell, SIDE_RIGHT), true)
	check_eq(_grid.is_edge_blocked(cell, SIDE_LEFT), false)
	check_eq(_grid.is_edge_blocked(Vector2i(1, 0), SIDE_LEFT), true, "both share it")
	check_eq(_grid.is_point_solid(cell), false)
	_grid.set_edge_blocked(Vector2i(1, 0), SIDE_LEFT, false)
	check_eq(_grid.is_edge_blocked(cell, SIDE_RIGHT), false)
	_grid.set_edge_blocked(cell, SIDE_TOP, true, true)
	check_eq(_grid.is_edge_blocked(cell, SIDE_TOP), true)
	check_eq(_grid.is_edge_blocked(Vector2i(0, -1), SIDE_BOTTOM), false, "one way only")
	check_eq(_grid.get_edge_data(), PackedByteArray([0, 0, 0, 0, 0, 0, T, 0, 0, 0, 0, 0]))
	_grid.set_edge_blocked(Vector2i(-2, 0), SIDE_LEFT)
	check_eq(_grid.is_edge_blocked(Vector2i(-2, 0), SIDE_LEFT), true, "at the rim")
	check_eq(_changes.size(), 4, str(_changes))


func test_regions_outlines_and_bulk() -> void:
	_grid.fill_edge_region(Rect2i(-1, 0, 9, 1), SIDE_TOP)
	check_eq(_grid.get_edge_data(), PackedByteArray([0, B, B, B, 0, T, T, T, 0, 0, 0, 0]))
	_grid.fill_edge_region(_grid.region, SIDE_TOP, false)
	check_eq(_grid.get_edge_data().count(0), 12)
	_grid.fill_edge_outline(Rect2i(-1, 0, 2, 1))
	var fence := PackedByteArray([0, B, B, 0, R, L | T | B, T | R | B, L, 0, T, T, 0])
	check_eq(_grid.get_edge_data(), fence)
	_grid.fill_edge_outline(Rect2i(-1, 0, 2, 1), false)
	check_eq(_grid.get_edge_data().count(0), 12)
	_grid.fill_edge_outline(Rect2i(-1, 0, 2, 1), true, true)
	var pen := PackedByteArray([0, 0, 0, 0, 0, L | T | B, T | R | B, 0, 0, 0, 0, 0])
	check_eq(_grid.get_edge_data(), pen)
	check_eq(_grid.is_reachable(Vector2i(1, 1), Vector2i(0, 0)), true, "in, ")
	check_eq(_grid.is_reachable(Vector2i(0, 0), Vector2i(1, 1)), false, "and not out")
	_grid.set_edge_data(fence)
	check_eq(_grid.get_edge_data(), fence)
	_changes.clear()
	_grid.set_edge_data(fence)
	check_eq(_changes, [] as Array[Rect2i], "nothing changed")
	_grid.fill_edge_region(Rect2i(), SIDE_TOP)
	_grid.fill_edge_outline(Rect2i(0, 0, 0, 3))
	_grid.fill_edge_outline(Rect2i(50, 50, 3, 3))
	check_eq(_changes, [] as Array[Rect2i], "no cells")
	_grid.begin_edit()
	_grid.set_edge_blocked(Vector2i(-2, -1), SIDE_RIGHT)
	_grid.set_edge_blocked(Vector2i(1, 1), SIDE_TOP)
	_grid.end_edit()
	check_eq(_changes, [Rect2i(-2, -1, 4, 3)] as Array[Rect2i])
	_grid.clear()
	_grid.region = Rect2i(-2, -1, 4, 3)
	check_eq(_grid.get_edge_data().count(0), 12)


func test_what_makes_no_sense_is_an_error() -> void:
	_grid.set_edge_blocked(Vector2i.ZERO, SIDE_TOP)
	var before := _grid.state_hash()
	expect_errors(1, "PathForgeGrid.set_edge_blocked: side 7" + NOT_A_SIDE)
	_grid.call("set_edge_blocked", Vector2i.ZERO, 7)
	expect_errors(1, "PathForgeGrid.set_edge_blocked: side -1" + NOT_A_SIDE)
	_grid.call("set_edge_blocked", Vector2i.ZERO, -1)
	expect_errors(1, "PathForgeGrid.set_edge_blocked: cell (9, 0) is outside the region")
	_grid.set_edge_blocked(Vector2i(9, 0), SIDE_TOP)
	expect_errors(1, "PathForgeGrid.is_edge_blocked: side 4" + NOT_A_SIDE)
	check_eq(_grid.call("is_edge_blocked", Vector2i.ZERO, 4), false)
	expect_errors(1, "PathForgeGrid.is_edge_blocked: cell (9, 0) is outside the region")
	check_eq(_grid.is_edge_blocked(Vector2i(9, 0), SIDE_TOP), false)
	expect_errors(1, "PathForgeGrid.fill_edge_region: side 4" + NOT_A_SIDE)
	_grid.call("fill_edge_region", Rect2i(0, 0, 1, 1), 4)
	expect_errors(1, "PathForgeGrid.fill_edge_region: region [position (0, 0), size (-1, 1)]")
	_grid.fill_edge_region(Rect2i(0, 0, -1, 1), SIDE_TOP)
	expect_errors(1, "PathForgeGrid.fill_edge_outline: region [position (0, 0), size (-1, 1)]")
	_grid.fill_edge_outline(Rect2i(0, 0, -1, 1))
	expect_errors(1, "PathForgeGrid.set_edge_data: the array has 3 elements, the region has 12")
	_grid.set_edge_data(PackedByteArray([0, 0, 0]))
	expect_errors(1, "PathForgeGrid.set_edge_data: edges 16 are not within 0 and 15")
	_grid.set_edge_data(PackedByteArray([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16]))
	check_eq(_grid.state_hash(), before)


func test_they_are_kept_saved_and_copied() -> void:
	var cell := Vector2i(0, 0)
	_grid.set_edge_blocked(cell, SIDE_RIGHT)
	_grid.set_edge_blocked(cell, SIDE_TOP, true, true)
	_grid.set_point_solid(cell)
	_grid.set_point_solid(cell, false)
	_grid.region = Rect2i(-3, -1, 6, 3)
	var data := _grid.get_edge_data()
	check_eq([data[9], data[10], data.count(0)], [T | R, L, 16], "the region keeps them")
	var hash_before := _grid.state_hash()
	var copy: PathForgeGrid = add(PathForgeGrid.new())
	check_eq(copy.from_bytes(_grid.to_bytes()), true)
	check_eq([copy.get_edge_data(), copy.state_hash()], [data, hash_before])
	var part := _grid.copy_cells(Rect2i(0, 0, 1, 1))
	_grid.set_edge_data(PackedByteArray(range(18).map(func(_place: int) -> int: return 0)))
	check(_grid.state_hash() != hash_before, "an edge counts")
	check_eq(_grid.paste_cells(part), true)
	check_eq(_grid.is_edge_blocked(cell, SIDE_RIGHT), true)
	check_eq(_grid.is_edge_blocked(Vector2i(1, 0), SIDE_LEFT), true, "its fence is a fence again")
	check_eq(_grid.from_bytes(copy.to_bytes()), true)
	check_eq(_grid.state_hash(), hash_before)
	var scene := PackedScene.new()
	check_eq(scene.pack(_grid), OK)
	var loaded: PathForgeGrid = add(scene.instantiate())
	check_eq(loaded.get_edge_data(), data)


func test_paths_go_round_a_fence_and_through_its_gate() -> void:
	_grid.region = Rect2i(0, 0, 12, 10)
	_grid.fill_edge_region(Rect2i(0, 5, 10, 1), SIDE_TOP)
	var start := Vector2i(2, 4)
	var goal := Vector2i(2, 5)
	check_near(_grid.find_path(start, goal).cost, 17.0, 0.0001, "round its end")
	var big := PathForgeProfile.new()
	big.footprint = Vector2i(2, 2)
	var round_it := _grid.find_path(Vector2i(2, 3), goal, big)
	check_near(round_it.cost, 8.0 + 2.0 + 8.0)
	for cell: Vector2i in round_it.cells:
		check(cell.y != 4 or cell.x >= 10, "stands across the fence at %s" % cell)
	_grid.set_edge_blocked(Vector2i(4, 5), SIDE_TOP, false)
	check_near(_grid.find_path(start, goal).cost, 5.0, 0.0001, "through the gate")
	check_near(_grid.find_path(Vector2i(2, 3), goal, big).cost, 18.0, 0.0001, "of one cell")
	_grid.set_edge_blocked(Vector2i(5, 4), SIDE_BOTTOM, false)
	check(_grid.find_path(Vector2i(2, 3), goal, big).cost < 9.0, "of two")
	check_eq(_grid.get_clearance(Vector2i(3, 4)), 1, "a square of 2 would stand across")
	check_eq(_grid.can_stand(Vector2i(3, 4), big), false)
	check_eq(_grid.can_stand(Vector2i(4, 4), big), true, "in the gate")


func test_a_ledge_is_jumped_down_and_not_climbed() -> void:
	_grid.region = Rect2i(0, 0, 6, 6)
	_grid.fill_edge_region(Rect2i(0, 3, 6, 1), SIDE_TOP, true, true)
	var above := Vector2i(1, 1)
	var below := Vector2i(1, 4)
	check_near(_grid.find_path(above, below).cost, 3.0)
	var path := _grid.find_path(below, above)
	check_eq(path.status, PathForgePath.STATUS_UNREACHABLE)
	check_eq(path.reason, PathForgePath.REASON_DISCONNECTED)
	check_eq(_grid.is_reachable(above, below), true)
	check_eq(_grid.is_reachable(below, above), false)
	var big := PathForgeProfile.new()
	big.footprint = Vector2i(2, 2)
	check_eq(_grid.find_path(above, below, big).is_complete(), true)
	check_eq(_grid.is_reachable(below, above, big), false)
	check_eq(_grid.can_stand(Vector2i(1, 2), big), true, "across a ledge")
	_grid.set_edge_blocked(Vector2i(5, 3), SIDE_TOP, false)
	check_near(_grid.find_path(below, above).cost, 9.0 + 2.0 * (sqrt(2.0) - 1.0), 0.001)


func test_fields_requests_and_ranges_heed_them() -> void:
	_grid.region = Rect2i(0, 0, 8, 8)
	_grid.fill_edge_region(Rect2i(0, 4, 8, 1), SIDE_TOP)
	var field: FlowField = add(FlowField.new())
	field.grid = _grid
	field.goals = [Vector2i(0, 7)]
	field.rebuild()
	check_eq(field.get_cost(Vector2i(0, 4)), 3.0)
	check_eq(field.get_cost(Vector2i(0, 3)), INF)
	var reached := _grid.get_reachable_cells(Vector2i(0, 0), 100.0)
	check_eq(reached.size(), 32)
	_grid.set_edge_blocked(Vector2i(7, 4), SIDE_TOP, false)
	field.rebuild()
	check(is_finite(field.get_cost(Vector2i(0, 3))), "through the gate")
	check_eq(_grid.get_reachable_cells(Vector2i(0, 0), 100.0).size(), 64)
	var answers: Array[PathForgePath] = []
	_grid.path_answered.connect(
		func(_ticket: int, path: PathForgePath) -> void: answers.append(path)
	)
	_grid.request_path(Vector2i(0, 3), Vector2i(0, 4))
	await wait_until(func() -> bool: return answers.size() == 1)
	check_near(answers[0].cost, 15.0)


func test_drawings_have_edges() -> void:
	(
		_grid
		. set_from_text(
			"""
		+-+-+-+
		|. .|~|
		+ +v+ +
		|. #<.
		+^+.+-+
		|. .>=|
		+-+-+-+
		"""
		)
	)
	check_eq(_grid.region, Rect2i(-2, -1, 3, 3))
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 0, 0, 0, 1, 0, 0, 0, 0]))
	check_eq(_grid.get_terrain_data(), PackedByteArray([0, 0, 1, 0, 0, 0, 0, 0, 0]))
	check_eq(_grid.is_point_one_way(Vector2i(0, 1)), true)
	# A wall is in both cells, an arrow in the cell that it points to.
	var first := [L | T, T | R, L | T | R]
	var second := [L | B, R | T, B]
	var third := [L | B, B, L | T | R | B]
	check_eq(_grid.get_edge_data(), PackedByteArray(first + second + third))
	_grid.set_from_text("+-+\n|.|\n+ +\n|.\n+-+")
	check_eq(_grid.get_edge_data(), PackedByteArray([L | T | R, L | B]), "spaces at the end")
	var before := _grid.state_hash()
	var method := "PathForgeGrid.set_from_text: "
	expect_errors(1, method + "letter '-' in row 1, column 3 is not '+', which is at every")
	_grid.set_from_text("+---+\n|. .|\n+-+-+")
	expect_errors(1, method + "letter '-' in row 3, column 2 is not an edge beside a cell")
	_grid.set_from_text("\n\t+-+\n\t-.|\n\t+-+")
	expect_errors(1, method + "letter '|' in row 1, column 2 is not an edge above or below a cell")
	_grid.set_from_text("+|+\n|.|\n+-+")
	expect_errors(1, method + "letter '?' in row 2, column 2 means nothing")
	_grid.set_from_text("+-+\n|?|\n+-+")
	expect_errors(1, method + "letter ' ' in row 2, column 4 means nothing")
	_grid.set_from_text("+-+-+\n|.|\n+-+-+")
	expect_errors(1, method + "row 2 has 4 letters, the first has 3")
	_grid.set_from_text("+-+\n|.|.\n+-+")
	expect_errors(2, method + "a drawing with edges has rows and columns of edges around all")
	_grid.set_from_text("+-+\n|.|")
	_grid.set_from_text("+")
	check_eq(_grid.state_hash(), before)


func test_pictures_have_edges() -> void:
	var image := Image.create_empty(5, 3, false, Image.FORMAT_RGBA8)
	image.fill(Color.WHITE)
	image.set_pixel(3, 1, Color.BLACK)
	image.set_pixel(2, 1, Color.RED)
	image.set_pixel(0, 0, Color.RED)
	image.set_pixel(1, 0, Color.BLUE)
	var rules := PathForgeTileRules.new()
	rules.solid_colors = [Color.BLACK]
	rules.terrain_colors = {Color.WHITE: 0}
	rules.edge_colors = [Color.RED]
	_grid.set_from_image(image, rules)
	check_eq(_grid.region, Rect2i(-2, -1, 2, 1))
	check_eq(_grid.get_edge_data(), PackedByteArray([R, L]))
	check_eq(_grid.get_solid_data(), PackedByteArray([0, 1]))
	expect_errors(1, "PathForgeGrid.set_from_image: pixel (1, 1) is #0000ffff, which no rule names")
	image.set_pixel(1, 1, Color.BLUE)
	_grid.set_from_image(image, rules)
	expect_errors(
		1, "PathForgeGrid.set_from_image: an image with rules.edge_colors has odd numbers"
	)
	image.crop(4, 3)
	_grid.set_from_image(image, rules)
	check_eq(_grid.get_edge_data(), PackedByteArray([R, L]))


func test_an_explanation_names_the_edge() -> void:
	_grid.region = Rect2i(0, 0, 20, 12)
	_grid.fill_edge_region(Rect2i(0, 8, 20, 1), SIDE_TOP)
	var why := _grid.explain(Vector2i(12, 3), Vector2i(12, 10))
	check_eq(why.reason, PathForgePath.REASON_DISCONNECTED)
	check(
		why.text.begins_with("A blocked edge is in the way, between (12, 7) and (12, 8)."), why.text
	)
	check_eq(why.barring_edges, [Vector2i(12, 7), Vector2i(12, 8)] as Array[Vector2i])
	check_eq(why.cells, why.barring_edges)
	check_eq(why.gap_steps, 1)
	check(not why.text.contains("within 1 step"), why.text)
	var big := PathForgeProfile.new()
	big.footprint = Vector2i(2, 2)
	why = _grid.explain(Vector2i(12, 3), Vector2i(12, 9), big)
	check_eq(why.barring_edges.size(), 4, str(why.barring_edges))
	check(why.text.begins_with("Blocked edges are in the way, the first between ("), why.text)
	# Only the fence that cannot be passed is named.
	_grid.fill_edge_region(Rect2i(0, 5, 19, 1), SIDE_TOP)
	why = _grid.explain(Vector2i(12, 3), Vector2i(12, 10))
	check_eq(why.barring_edges, [Vector2i(12, 7), Vector2i(12, 8)] as Array[Vector2i])
	_grid.fill_edge_region(Rect2i(0, 8, 20, 1), SIDE_TOP, false)
	check_eq(_grid.explain(Vector2i(12, 3), Vector2i(12, 10)).barring_edges.size(), 0)
	_grid.fill_edge_region(Rect2i(0, 8, 20, 1), SIDE_TOP, true, true)
	why = _grid.explain(Vector2i(12, 10), Vector2i(12, 6))
	var one_way := "A one-way edge is in the way: it leads from (12, 7) to (12, 8) only."
	check(why.text.begins_with(one_way), why.text)
	check_eq(_grid.explain(Vector2i(12, 6), Vector2i(12, 10)).barring_edges.size(), 0)


func test_an_explanation_names_the_edit_that_closed_a_gate() -> void:
	_grid.region = Rect2i(0, 0, 20, 12)
	_grid.fill_edge_outline(Rect2i(4, 4, 6, 6))
	var gate := Vector2i(6, 4)
	_grid.set_edge_blocked(gate, SIDE_TOP, false)
	check_eq(_grid.is_reachable(Vector2i(0, 0), Vector2i(6, 6)), true)
	_grid.set_edge_blocked(Vector2i(15, 11), SIDE_TOP)
	_grid.set_edge_blocked(gate, SIDE_TOP)
	var why := _grid.explain(Vector2i(6, 0), Vector2i(6, 6))
	check_eq(why.closed_by, Rect2i(6, 3, 1, 2))
	check(why.text.begins_with("A blocked edge is in the way"), why.text)


func test_overlays_draw_them() -> void:
	for shape: int in 3:
		_grid.cell_shape = shape
		_grid.debug_enabled = true
		_grid.region = Rect2i(0, 0, 12, 10)
		_grid.fill_edge_outline(Rect2i(2, 2, 5, 5))
		_grid.fill_edge_region(Rect2i(0, 8, 12, 1), SIDE_LEFT, true, true)
		_grid.explain(Vector2i(0, 0), Vector2i(3, 3))
		await frames(2)
		for view: int in 6:
			_grid.call("_set_tool_view", view)
			await frames(2)
		_grid.call("_set_tool_view", 0)
	check(true, "no error was printed")
