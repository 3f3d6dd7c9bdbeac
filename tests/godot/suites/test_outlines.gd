extends NodeSuite
## Bodies keep clear by their outlines: of agents of a crowd and of nodes, where they move and
## where they rest.

const ROOM: float = 0.1


func _body(footprint: Vector2i, outline: int) -> PathForgeProfile:
	var profile: PathForgeProfile = PathForgeProfile.new()
	profile.footprint = footprint
	profile.outline = outline
	return profile


func _crowd() -> PathForgeCrowd:
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	crowd.auto_step = false
	grid.add_child(crowd)
	return crowd


## How far two boxes of [param side] cells are in each other, in cells: the lesser of both axes.
func _box_overlap(a: Vector2, b: Vector2, side: int) -> float:
	var apart: Vector2 = (a - b).abs() / CELL
	return side - 2.0 * ROOM - maxf(apart.x, apart.y)


func test_boxes_rest_side_by_side() -> void:
	for side: int in [1, 2]:
		var crowd: PathForgeCrowd = _crowd()
		var profile: PathForgeProfile = _body(Vector2i.ONE * side, PathForgeProfile.OUTLINE_BOX)
		var positions: PackedVector2Array = PackedVector2Array()
		for n: int in 12:
			positions.append(grid.cell_to_local(Vector2i(1 + n % 4 * 2, 2 + n / 4 * 3), profile))
		var ids: PackedInt32Array = crowd.add_agents(positions, profile, 64.0)
		check_eq(crowd.assign_goal(ids, Vector2i(28, 12)), 12, "all are sent")
		for tick: int in 60 * 30:
			crowd.step(1.0 / 60.0)
		check_eq(crowd.get_state_counts()[PathForgeCrowd.STATE_ARRIVED], 12, "all are there")
		var at: PackedVector2Array = crowd.get_positions()
		var deepest: float = -INF
		for a: int in at.size():
			for b: int in a:
				deepest = maxf(deepest, _box_overlap(at[a], at[b], side))
		# Corners are rounded: two may lie in each other's corners by a few hundredths of a cell.
		check(deepest < 0.1 * side, "side %d: %s cells in each other" % [side, deepest])
		crowd.free()


## A basin beside a lane of two cells, and in it a node of 4×2 that rests.
func test_a_moored_node_takes_no_more_room_than_it_has() -> void:
	grid.fill_solid_region(grid.region)
	grid.fill_solid_region(Rect2i(0, 10, 40, 2), false)
	grid.fill_solid_region(Rect2i(18, 8, 4, 2), false)
	var barge: Unit = unit_at(Vector2i(18, 8), 1)
	var profile: PathForgeProfile = _body(Vector2i(4, 2), PathForgeProfile.OUTLINE_ROUND)
	barge.agent.profile = profile
	barge.position = grid.cell_to_local(Vector2i(18, 8), profile)
	var moored: Vector2 = barge.position
	var cart: Unit = unit_at(Vector2i(2, 10), 2)
	await physics_frames(3)
	cart.agent.target_position = grid.cell_to_global(Vector2i(36, 10))
	var begun: int = Engine.get_physics_frames()
	check(await wait_until(cart.agent.is_navigation_finished, 12.0), "the cart passes the barge")
	var seconds: float = (Engine.get_physics_frames() - begun) / 60.0
	check(seconds < 34.0 * CELL / cart.speed + 1.0, "without a stop: %s s" % seconds)
	check_near(barge.position.distance_to(moored), 0.0, 0.5, "the barge lies still")


func test_a_multimesh_shows_outlines() -> void:
	var crowd: PathForgeCrowd = _crowd()
	crowd.multimesh = MultiMesh.new()
	crowd.multimesh.mesh = QuadMesh.new()
	var profile: PathForgeProfile = _body(Vector2i(4, 2), PathForgeProfile.OUTLINE_ROUND)
	var at: Vector2 = grid.cell_to_local(Vector2i(10, 10), profile)
	crowd.add_agents(PackedVector2Array([at]), profile, 64.0)
	crowd.step(1.0 / 60.0)
	await frames(2)
	# One agent fills the bounds of all.
	var shown: Vector3 = crowd.multimesh.custom_aabb.size / CELL
	check_near(shown.x, 4.0 - 2.0 * ROOM, 0.01, "as long as it is")
	check_near(shown.y, 2.0 - 2.0 * ROOM, 0.01, "as wide as it is")


func test_agents_follow_an_edited_outline_and_saved_ones_keep_it() -> void:
	var crowd: PathForgeCrowd = _crowd()
	var profile: PathForgeProfile = _body(Vector2i(2, 2), PathForgeProfile.OUTLINE_ROUND)
	# Two discs that touch at their corners: as boxes they lie in each other.
	var positions: PackedVector2Array = PackedVector2Array([Vector2(160, 160), Vector2(181, 181)])
	crowd.add_agents(positions, profile, 64.0)
	for tick: int in 60:
		crowd.step(1.0 / 60.0)
	check(crowd.get_positions()[1].distance_to(positions[1]) < 0.5, "discs stay")
	profile.outline = PathForgeProfile.OUTLINE_BOX
	var bytes: PackedByteArray = PackedByteArray()
	for tick: int in 120:
		crowd.step(1.0 / 60.0)
		if tick == 1:
			bytes = crowd.to_bytes()
	var at: PackedVector2Array = crowd.get_positions()
	check(_box_overlap(at[0], at[1], 2) < 0.1, "boxes part: %s" % at)
	var hash: int = crowd.state_hash()
	check(crowd.from_bytes(bytes), "they are read")
	for tick: int in 118:
		crowd.step(1.0 / 60.0)
	check_eq(crowd.state_hash(), hash, "and go on as they did")
