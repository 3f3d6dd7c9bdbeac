extends CrowdSuite
## [PathForgeCrowd]: jams that an [InfluenceMap] is told about.

var _map: InfluenceMap


func before_each() -> void:
	super()
	_map = InfluenceMap.new()
	grid.add_child(_map)
	grid.influences = [_map]


func test_a_jam_is_told_and_forgotten() -> void:
	check_eq(crowd.congestion_map, null)
	crowd.congestion_map = _map
	crowd.congestion_strength = 8.0
	check_eq(crowd.congestion_map, _map)
	_jam()
	check(_map.get_stamp_count() > 0, "the jam is told")
	var door := Vector2i(13, 13)
	check(_map.get_influence(door) > 1.0, "before the door: %f" % _map.get_influence(door))
	check_eq(_map.get_influence(Vector2i(30, 20)), 0.0)
	crowd.stop(crowd.get_ids())
	run(1.2)
	check_eq(_map.get_stamp_count(), 0, "who rests is no jam")
	check_eq(_map.get_influence(door), 0.0)


func test_fields_lead_around_a_jam() -> void:
	# A second door, a little farther.
	grid.fill_solid_region(Rect2i(15, 20, 1, 3), false)
	var body := PathForgeProfile.new()
	body.influence_weights = PackedFloat32Array([1.0])
	var before := grid.find_path(Vector2i(8, 15), Vector2i(20, 15), body)
	crowd.congestion_map = _map
	crowd.congestion_strength = 20.0
	grid.fill_solid_region(Rect2i(15, 20, 1, 3))
	_jam()
	grid.fill_solid_region(Rect2i(15, 20, 1, 3), false)
	var after := grid.find_path(Vector2i(8, 15), Vector2i(20, 15), body)
	check(
		before.cells.any(func(cell: Vector2i) -> bool: return cell == Vector2i(15, 14)), "at first"
	)
	check(
		after.cells.all(func(cell: Vector2i) -> bool: return cell.x != 15 or cell.y >= 20),
		"around the jam: %s" % [after.cells]
	)


func test_another_map_and_none() -> void:
	crowd.congestion_map = _map
	_jam()
	var other := InfluenceMap.new()
	grid.add_child(other)
	crowd.congestion_map = other
	run(0.6)
	check_eq(_map.get_stamp_count(), 0, "taken back")
	check(other.get_stamp_count() > 0, "told to the other")
	other.free()
	run(0.6)
	check_eq(crowd.congestion_map, null)
	expect_errors(2, "PathForgeCrowd.congestion_strength")
	crowd.congestion_strength = -1.0
	crowd.congestion_strength = NAN
	check_eq(crowd.congestion_strength, 4.0)


func test_a_crowd_that_leaves_takes_its_jams_back() -> void:
	crowd.congestion_map = _map
	_jam()
	check(_map.get_stamp_count() > 0, "told")
	var counts: Array[int] = []
	var handler := func(_region: Rect2i) -> void: counts.append(crowd.get_agent_count())
	_map.influence_changed.connect(handler)
	grid.remove_child(crowd)
	check_eq(_map.get_stamp_count(), 0, "taken back")
	check(counts.has(50), "listeners can ask the crowd: %s" % [counts])
	_map.influence_changed.disconnect(handler)
	grid.add_child(crowd)
	_jam()
	check(_map.get_stamp_count() > 0, "told again")
	crowd.free()
	check_eq(_map.get_stamp_count(), 0, "taken back when it is freed")


func _jam() -> void:
	# No agent can go on: the door is shut once they are there.
	crowd.assign_goal(squad(50), Vector2i(28, 14))
	run(5.0)
	grid.fill_solid_region(Rect2i(16, 12, 1, 3))
	run(1.0)
	grid.fill_solid_region(Rect2i(16, 12, 1, 3), false)
	run(0.1)
