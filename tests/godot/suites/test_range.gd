extends TestSuite
## Movement ranges, several goals, buildings that would block, and the widest body for a trip.

const MAP: String = """
.....#.....
.....#.....
...........
.....#.....
.....#.....
.....#.....
"""

var _grid: PathForgeGrid


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.set_from_text(MAP)
	add(_grid)


func test_a_range_holds_the_cells_within_the_cost() -> void:
	var range_cells: Dictionary[Vector2i, float] = _grid.get_reachable_cells(Vector2i(0, 0), 1.5)
	check_eq(range_cells.size(), 4, "the cell, two beside it and one across")
	check_eq(range_cells[Vector2i(0, 0)], 0.0, "the start costs nothing")
	check_eq(range_cells[Vector2i(1, 0)], 1.0, "a straight step")
	check_near(range_cells[Vector2i(1, 1)], sqrt(2.0), 0.001, "a diagonal step")
	_grid.set_point_weight_scale(Vector2i(1, 0), 3.0)
	check(not _grid.get_reachable_cells(Vector2i(0, 0), 2.5).has(Vector2i(1, 0)), "too dear now")
	check(_grid.get_reachable_cells(Vector2i(5, 0), 9.0).is_empty(), "the start is solid")
	check_eq(_grid.get_reachable_cells(Vector2i(0, 0), INF).size(), 61, "no limit")


func test_the_cheapest_of_several_goals_is_taken() -> void:
	var goals: Array[Vector2i] = [Vector2i(10, 0), Vector2i(5, 0), Vector2i(4, 5)]
	var path: PathForgePath = _grid.find_path_to_any(Vector2i(0, 5), goals)
	check(path.is_complete(), path.describe())
	check_eq(path.cells[-1], Vector2i(4, 5), "the near one")
	var solid: PathForgePath = _grid.find_path_to_any(Vector2i(0, 5), [Vector2i(5, 0)])
	check_eq(solid.reason, PathForgePath.REASON_GOAL_SOLID, "the first goal's reason")


func test_a_tower_in_the_only_gap_would_block() -> void:
	var starts: Array[Vector2i] = [Vector2i(0, 0)]
	var goals: Array[Vector2i] = [Vector2i(10, 5)]
	var before: int = _grid.state_hash()
	check(_grid.would_block(Rect2i(5, 2, 1, 1), starts, goals), "the gap")
	check(not _grid.would_block(Rect2i(2, 2, 1, 1), starts, goals), "open ground")
	check(_grid.would_block(Rect2i(0, 0, 1, 1), starts, goals), "on the start")
	check(not _grid.would_block(Rect2i(50, 50, 2, 2), starts, goals), "outside")
	check_eq(_grid.state_hash(), before, "nothing changed")


func test_the_starts_that_a_tower_cuts_off_are_named() -> void:
	var starts: Array[Vector2i] = [Vector2i(0, 0), Vector2i(8, 1), Vector2i(2, 4), Vector2i(5, 0)]
	var goals: Array[Vector2i] = [Vector2i(10, 5)]
	var gap := Rect2i(5, 2, 1, 1)
	var diagnosis := _grid.explain_block(gap, starts, goals)
	check_eq(
		diagnosis.cut_off, PackedInt32Array([0, 2]), "a solid start and one beyond do not count"
	)
	check_eq(diagnosis.cells, [Vector2i(0, 0), Vector2i(2, 4)] as Array[Vector2i])
	check_eq(diagnosis.reason, PathForgePath.REASON_DISCONNECTED)
	check_eq(
		diagnosis.text, "Closing the 1x1 cells at (5, 2) cuts off 2 of 4 starts: (0, 0), (2, 4)."
	)
	starts = [Vector2i(4, 2), Vector2i(0, 0), Vector2i(4, 2), Vector2i(0, 0)]
	diagnosis = _grid.explain_block(Rect2i(4, 2, 2, 1), starts, goals)
	check_eq(diagnosis.cells, [Vector2i(0, 0), Vector2i(4, 2)] as Array[Vector2i], "each once")
	check_eq(diagnosis.cut_off, PackedInt32Array([0, 1, 2, 3]), "all that were asked about")
	check_eq(
		diagnosis.text,
		(
			"The start (4, 2) is on the 2x1 cells at (4, 2). "
			+ "Closing the 2x1 cells at (4, 2) cuts off 2 of 4 starts: (0, 0)."
		)
	)
	diagnosis = _grid.explain_block(Rect2i(4, 2, 1, 1), [Vector2i(4, 2), Vector2i(10, 4)], goals)
	check_eq(diagnosis.reason, PathForgePath.REASON_START_SOLID, "occupied, and none is sealed")
	check_eq(diagnosis.cells, [Vector2i(4, 2)] as Array[Vector2i])
	starts = [Vector2i(0, 0), Vector2i(8, 1), Vector2i(2, 4), Vector2i(5, 0)]
	diagnosis = _grid.explain_block(Rect2i(2, 2, 1, 1), starts, goals)
	check(diagnosis.cut_off.is_empty() and diagnosis.cells.is_empty(), "open ground")
	check_eq(diagnosis.status, PathForgePath.STATUS_COMPLETE)
	check_eq(diagnosis.text, "Closing the 1x1 cells at (2, 2) cuts off none of 4 starts.")
	var places := _grid.cells_to_local([Vector2i(1, 1), Vector2i(8, 4)])
	check(_grid.would_block(gap, _grid.local_to_cells(places), goals), "starts from positions")
	expect_errors(1, "PathForgeGrid.explain_block: starts[0] (300, 3) lies outside the region")
	diagnosis = _grid.explain_block(gap, [Vector2i(300, 3)], goals)
	check_eq(diagnosis.status, PathForgePath.STATUS_INVALID)


func test_the_widest_body_is_stopped_by_the_gap() -> void:
	var widest := _grid.explain_largest_footprint(Vector2i(0, 1), Vector2i(8, 1))
	check_eq(widest.largest_side, 1, "the gap is one cell wide")
	check_eq(widest.bottleneck, Vector2i(4, 2), "before the gap, where 2×2 would not fit")
	_grid.fill_solid_region(Rect2i(5, 2, 1, 3), false)
	widest = _grid.explain_largest_footprint(Vector2i(0, 1), Vector2i(8, 1))
	check_eq(widest.largest_side, 3, "a gap of three")
	widest = _grid.explain_largest_footprint(Vector2i(5, 0), Vector2i(8, 1))
	check_eq([widest.largest_side, widest.bottleneck], [0, Vector2i.MIN], "a solid start")
	check_eq(widest.reason, PathForgePath.REASON_START_SOLID, "which it says")
	check_eq(widest.text, "Not even a body of one cell can go from (5, 0) to (8, 1).")


func test_bad_arguments_are_refused() -> void:
	expect_errors(1, "PathForgeGrid.get_reachable_cells: max_cost NaN")
	check(_grid.get_reachable_cells(Vector2i(0, 0), NAN).is_empty(), "not a number")
	expect_errors(1, "PathForgeGrid.get_reachable_cells: max_cost -1")
	check(_grid.get_reachable_cells(Vector2i(0, 0), -1.0).is_empty(), "negative")
	expect_errors(1, "PathForgeGrid.get_reachable_cells: start (-9, 0) lies outside the region")
	check(_grid.get_reachable_cells(Vector2i(-9, 0), 5.0).is_empty(), "outside")
	expect_errors(
		1, "PathForgeGrid.explain_largest_footprint: goal (160, 90) lies outside the region"
	)
	check_eq(
		_grid.explain_largest_footprint(Vector2i.ZERO, Vector2i(160, 90)).largest_side, 0, "pixels"
	)
	expect_errors(1, "PathForgeGrid.find_path_to_any: goals[0]")
	var words: Array = ["here"]
	var path: PathForgePath = _grid.find_path_to_any(Vector2i(0, 0), words)
	check_eq(path.status, PathForgePath.STATUS_INVALID, "a string is no cell")
	expect_errors(1, "PathForgeGrid.would_block: region")
	check(not _grid.would_block(Rect2i(0, 0, -3, 2), [], []), "a negative size")
