extends TestSuite
## The bound on what a grid keeps for each kind of body.


func test_layers_are_forgotten_and_made_again() -> void:
	var grid: PathForgeGrid = PathForgeGrid.new()
	add(grid)
	check_eq(grid.layer_memory_mib, 512, "the default")
	grid.region = Rect2i(0, 0, 2048, 2048)
	grid.layer_memory_mib = 1
	for side: int in range(1, 6):
		check(
			grid.can_stand(Vector2i(2043, 2043), a_body(Vector2i(side, side))),
			"%d cells a side" % side
		)
	check(
		not grid.can_stand(Vector2i(2044, 2044), a_body(Vector2i(5, 5))),
		"five where there is room for four"
	)


func test_a_bound_below_one_is_refused() -> void:
	var grid: PathForgeGrid = PathForgeGrid.new()
	add(grid)
	for bad: int in [0, -5, 9223372036854775807]:
		expect_errors(1, "PathForgeGrid.layer_memory_mib: %d" % bad)
		grid.layer_memory_mib = bad
		check_eq(grid.layer_memory_mib, 512, "unchanged")
