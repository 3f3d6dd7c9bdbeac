extends NodeSuite
## Bodies that weights slow are as long on their way as it costs: agents of a crowd, and nodes
## with and without avoidance.

const SPEED: float = 160.0


func before_each() -> void:
	super()
	grid.fill_weight_scale_region(Rect2i(10, 0, 10, 24), 4.0)


func _slow_body(side: int) -> PathForgeProfile:
	var profile: PathForgeProfile = PathForgeProfile.new()
	profile.footprint = Vector2i(side, side)
	profile.slowed_by_weight = true
	return profile


## Seconds of the scene until [param is_there] answers true.
func _seconds_until(is_there: Callable) -> float:
	var begun: int = Engine.get_physics_frames()
	check(await wait_until(is_there, 20.0), "it gets there")
	return (Engine.get_physics_frames() - begun) / 60.0


func _crowd_with(profile: PathForgeProfile) -> PathForgeCrowd:
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	grid.add_child(crowd)
	var at: Vector2 = grid.cell_to_local(Vector2i(3, 10), profile)
	check_eq(crowd.add_agents(PackedVector2Array([at]), profile, SPEED).size(), 1, "one agent")
	check_eq(crowd.assign_goal(PackedInt32Array([0]), Vector2i(27, 10)), 1, "it is sent")
	return crowd


func _has_arrived(crowd: PathForgeCrowd) -> bool:
	return crowd.get_state_counts()[PathForgeCrowd.STATE_ARRIVED] == 1


func test_an_agent_is_as_long_on_its_way_as_it_costs() -> void:
	for side: int in [1, 2]:
		var profile: PathForgeProfile = _slow_body(side)
		var crowd: PathForgeCrowd = _crowd_with(profile)
		var cost: float = grid.find_path(Vector2i(3, 10), Vector2i(27, 10), profile).cost
		var seconds: float = await _seconds_until(_has_arrived.bind(crowd))
		check_near(seconds, cost * CELL / SPEED, 0.6, "as its path costs")
		crowd.free()


func test_a_node_too_with_and_without_avoidance() -> void:
	for is_avoiding: bool in [true, false]:
		var unit: Unit = unit_at(Vector2i(3, 10), 1)
		unit.speed = SPEED
		unit.agent.avoidance_enabled = is_avoiding
		unit.agent.profile = _slow_body(1)
		unit.agent.target_position = grid.cell_to_global(Vector2i(27, 10))
		var seconds: float = await _seconds_until(unit.agent.is_navigation_finished)
		check_near(seconds, (14.0 + 40.0) * CELL / SPEED, 0.6, "avoidance %s" % is_avoiding)
		unit.free()


func test_a_profile_that_changes_counts_from_the_next_step() -> void:
	var profile: PathForgeProfile = _slow_body(1)
	profile.slowed_by_weight = false
	var crowd: PathForgeCrowd = _crowd_with(profile)
	check(await wait_until(_is_beyond.bind(crowd, 11.5), 10.0), "it is in the mud")
	profile.slowed_by_weight = true
	await physics_frames(10)
	var slow: float = await _way_of(crowd, 30)
	check_near(slow, SPEED / 4.0 / 2.0, 4.0, "a quarter as fast")
	var other: PathForgeCrowd = PathForgeCrowd.new()
	grid.add_child(other)
	check(other.from_bytes(crowd.to_bytes()), "saved and read")
	check_near(await _way_of(other, 30), SPEED / 4.0 / 2.0, 4.0, "slowed as before")
	grid.fill_weight_scale_region(Rect2i(10, 0, 10, 24), 2.0)
	await physics_frames(10)
	check_near(await _way_of(crowd, 15), SPEED / 8.0, 4.0, "half as fast on drier ground")
	grid.fill_weight_scale_region(Rect2i(10, 0, 10, 24), 4.0)
	profile.terrain_costs = PackedFloat32Array([0.25])
	await physics_frames(10)
	check_near(await _way_of(crowd, 15), SPEED / 4.0, 4.0, "at its speed where a step costs one")
	profile.terrain_costs = PackedFloat32Array([0.0])
	await physics_frames(10)
	check(await _way_of(crowd, 6) < SPEED / 8.0, "never faster")


func _is_beyond(crowd: PathForgeCrowd, column: float) -> bool:
	return crowd.get_agent_position(0).x > column * CELL


## How far the agent comes in some physics frames.
func _way_of(crowd: PathForgeCrowd, frames: int) -> float:
	var before: Vector2 = crowd.get_agent_position(0)
	await physics_frames(frames)
	return crowd.get_agent_position(0).distance_to(before)


func test_ground_that_slows_is_no_jam() -> void:
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	grid.add_child(crowd)
	var ids: PackedInt32Array = crowd.add_agents(_block_of(25), _slow_body(1), SPEED)
	var map: InfluenceMap = InfluenceMap.new()
	grid.add_child(map)
	crowd.congestion_map = map
	crowd.assign_goal(ids, Vector2i(27, 10))
	check(await wait_until(_is_beyond.bind(crowd, 12.0), 10.0), "they are in the mud")
	for _n: int in 20:
		await physics_frames(6)
		check_eq(map.get_stamp_count(), 0, "walking as fast as they can")


## So many places in five columns of cells.
func _block_of(count: int) -> PackedVector2Array:
	var places: PackedVector2Array = []
	for index: int in count:
		places.append(Vector2(2.5 + index % 5, 8.5 + index / 5) * CELL)
	return places


func test_a_march_through_mud_stays_together() -> void:
	var profile: PathForgeProfile = _slow_body(1)
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	grid.add_child(crowd)
	var ids: PackedInt32Array = crowd.add_agents(_block_of(10), profile, SPEED)
	check_eq(crowd.assign_march(ids, Vector2i(27, 10)), 10, "all are sent")
	var lengths: Array[float] = []
	var begun: int = Engine.get_physics_frames()
	var has_arrived := func() -> bool:
		var columns: Array = Array(ids).map(
			func(id: int) -> float: return crowd.get_agent_position(id).x / CELL
		)
		lengths.append(columns.max() - columns.min())
		return crowd.get_state_counts()[PathForgeCrowd.STATE_ARRIVED] == 10
	check(await wait_until(has_arrived, 30.0), "all arrive: %s" % [crowd.get_state_counts()])
	var seconds: float = (Engine.get_physics_frames() - begun) / 60.0
	check_near(seconds, (14.0 + 40.0) * CELL / SPEED, 2.5, "as its path costs, and to its shape")
	check(lengths.max() < 5.0, "in shape on %f columns" % lengths.max())
