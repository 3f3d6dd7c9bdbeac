extends CrowdSuite
## [PathForgeCrowd]: saving, and what cannot be.


func test_saving() -> void:
	var ids := squad(12)
	crowd.assign_goal(ids, Vector2i(28, 14))
	run(2.0)
	var bytes := crowd.to_bytes()
	var other := PathForgeCrowd.new()
	other.auto_step = false
	grid.add_child(other)
	check(other.from_bytes(bytes), "other.from_bytes(bytes)")
	check_eq(other.state_hash(), crowd.state_hash())
	for tick: int in 120:
		crowd.step(STEP)
		other.step(STEP)
	check_eq(other.state_hash(), crowd.state_hash())
	check_eq(other.get_positions(), crowd.get_positions())
	expect_errors(2, "PathForgeCrowd.from_bytes")
	check(not other.from_bytes(PackedByteArray()), "not other.from_bytes(PackedByteArray())")
	check(
		not other.from_bytes(bytes.slice(0, bytes.size() - 3)),
		"not other.from_bytes(bytes.slice(0, bytes.size() - 3))"
	)
	check_eq(other.state_hash(), crowd.state_hash())


func test_bad_arguments() -> void:
	var ids := squad(2)
	var hash_before := crowd.state_hash()
	expect_errors(3, "PathForgeCrowd.step")
	for delta: float in [-1.0, NAN, INF]:
		check(not crowd.step(delta), "not crowd.step(delta)")
	expect_errors(4, "PathForgeCrowd.add_agents")
	for speed_and_radius: Array in [[0.0, 0.0], [NAN, 5.0], [50.0, -1.0], [50.0, INF]]:
		var added := crowd.add_agents(
			centers([Vector2i(5, 5)]), null, speed_and_radius[0], speed_and_radius[1]
		)
		check_eq(added, PackedInt32Array([-1]))
	check_eq(crowd.add_agents([Vector2(NAN, 0), Vector2.INF]), PackedInt32Array([-1, -1]))
	expect_errors(1, "PathForgeCrowd.assign_goal")
	check_eq(crowd.assign_goal(ids, Vector2i(-5, 2)), 0)
	expect_errors(2, "is null")
	check_eq([crowd.assign_field(ids, null), crowd.assign_path(ids, null)], [0, 0])
	expect_errors(1, "PathForgeCrowd.assign_path: path has no cells")
	check_eq(crowd.assign_path(ids, grid.find_path(Vector2i(3, 4), Vector2i(15, 2))), 0)
	expect_errors(1, "PathForgeCrowd.max_agents: -1 is not at least 0")
	crowd.max_agents = -1
	check_eq(crowd.max_agents, 100_000, "unchanged")
	expect_errors(1, "PathForgeCrowd.assign_formation")
	check_eq(crowd.assign_formation(ids, Vector2i(3, 4), []), 0)
	expect_errors(1, "find_agents_in_rect")
	crowd.find_agents_in_rect(Rect2(NAN, 0, 1, 1))
	expect_errors(1, "find_agents_in_radius")
	crowd.find_agents_in_radius(Vector2.ZERO, -1.0)
	check_eq(crowd.state_hash(), hash_before)
	check(crowd.step(0.0), "crowd.step(0.0)")
	check_eq(crowd.assign_goal(ids, Vector2i(15, 2)), 2, "in a wall: as near as can be")
	run(10.0)
	check_eq(crowd.get_state_counts()[PathForgeCrowd.STATE_ARRIVED], 2)


func test_without_a_grid() -> void:
	grid.free()
	var lonely := PathForgeCrowd.new()
	add(lonely)
	expect_errors(2, "there is no grid")
	check(not lonely.step(STEP), "not lonely.step(STEP)")
	check_eq(lonely.add_agents([Vector2.ZERO]), PackedInt32Array([-1]))
	var other := PathForgeGrid.new()
	other.region = Rect2i(0, 0, 9, 9)
	lonely.grid = other
	lonely.assign_goal(lonely.add_agents([Vector2(8, 8)]), Vector2i(5, 5))
	check(lonely.step(STEP), "lonely.step(STEP)")
	other.free()
	await physics_frames(2)
	check_eq(lonely.get_agent_count(), 1)
