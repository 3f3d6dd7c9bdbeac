extends TestSuite
## Parts of a map are copied and pasted.


func _map() -> PathForgeGrid:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(-4, -2, 20, 12)
	grid.fill_solid_region(Rect2i(0, 0, 3, 3))
	grid.fill_terrain_region(Rect2i(2, 2, 4, 4), 5)
	grid.fill_weight_scale_region(Rect2i(3, 3, 2, 2), 2.5)
	add(grid)
	return grid


func test_a_paste_takes_edits_back() -> void:
	var grid := _map()
	var first := grid.state_hash()
	var place := Rect2i(-1, -1, 9, 9)
	var before := grid.copy_cells(place)
	grid.fill_solid_region(Rect2i(1, 1, 5, 1), false)
	grid.fill_terrain_region(Rect2i(0, 0, 2, 2), 9)
	grid.fill_weight_scale_region(Rect2i(4, 4, 3, 3), 7.0)
	check_ne(grid.state_hash(), first, "the map was edited")
	var regions: Array[Rect2i] = []
	grid.cells_changed.connect(func(region: Rect2i) -> void: regions.append(region))
	check(grid.paste_cells(before), "the bytes are read")
	check_eq(grid.state_hash(), first, "the map is as before")
	check_eq(regions, [Rect2i(0, 0, 7, 7)] as Array[Rect2i], "one signal with what changed")
	grid.paste_cells(before)
	check_eq(regions.size(), 1, "a paste that changes nothing says nothing")


func test_a_part_lands_elsewhere_and_is_cut_at_the_border() -> void:
	var grid := _map()
	var part := grid.copy_cells(Rect2i(0, 0, 6, 6))
	check(grid.paste_cells(part, Vector2i(12, 6)), "the bytes are read")
	check(grid.is_point_solid(Vector2i(12, 6)), "solid cells")
	check_eq(grid.get_point_terrain(Vector2i(15, 9)), 5, "terrain")
	check_near(grid.get_point_weight_scale(Vector2i(15, 9)), 2.5, 0.0, "weight")
	var other := PathForgeGrid.new()
	other.region = Rect2i(0, 0, 4, 4)
	add(other)
	check(other.paste_cells(grid.to_bytes()), "a whole map is a part too")
	check_eq(other.region, Rect2i(0, 0, 4, 4), "the region stays")
	check(other.is_point_solid(Vector2i(2, 2)), "what both share is there")
	check(other.paste_cells(part, Vector2i(100, 100)), "outside, nothing lands")


func test_bad_parts_change_nothing() -> void:
	var grid := _map()
	var first := grid.state_hash()
	expect_errors(1, "PathForgeGrid.copy_cells: region")
	check_eq(grid.copy_cells(Rect2i(0, 0, -1, 4)), PackedByteArray())
	expect_errors(3, "PathForgeGrid.paste_cells:")
	check(not grid.paste_cells(PackedByteArray()), "no bytes")
	check(not grid.paste_cells(PackedByteArray([1, 2, 3, 4, 5])), "other bytes")
	var part := grid.copy_cells(Rect2i(0, 0, 2, 2))
	check(not grid.paste_cells(part, Vector2i.MAX), "no map can be there")
	check_eq(grid.state_hash(), first, "nothing changed")
	check(grid.paste_cells(grid.copy_cells(Rect2i(500, 0, 2, 2))), "an empty part is one")


func test_tool_views_draw_without_errors() -> void:
	var grid := _map()
	for view: int in [1, 2, 3, 4, 5, 0]:
		for side: int in [1, 2, 7, 64]:
			grid.call("_set_tool_view", view, _body(Vector2i(side, maxi(side - 1, 1))))
			await frames(2)
	grid.region = Rect2i(0, 0, 5000, 3000)
	for view: int in [4, 5]:
		grid.scale = Vector2(0.005, 0.005)
		grid.call("_set_tool_view", view, _body(Vector2i(3, 3)))
		await frames(2)
	expect_errors(1, "there is no view 6")
	grid.call("_set_tool_view", 6)
	grid.call("_set_tool_view", 4, null)
	await frames(2)


func _body(footprint: Vector2i) -> PathForgeProfile:
	var profile := PathForgeProfile.new()
	profile.footprint = footprint
	return profile
