extends HouseSuite
## Where floors meet: ramps that are a part of two floors, and clicks through holes. Bodies a little
## below the ground of the map, and bodies that are put elsewhere on their way.

const STAIRS_FROM := Vector2i(10, 8)
const STAIRS_TO := Vector2i(35, 8)


## Walks as physics lets it: in the plane as its agent says, and as high as `height` says.
class Walker:
	extends Node3D
	var agent: PathForgeAgent3D = PathForgeAgent3D.new()
	var height: Callable
	var entered: int = 0
	var finished: int = 0

	func _init() -> void:
		add_child(agent)
		agent.link_reached.connect(func(_details: Dictionary) -> void: entered += 1)
		agent.navigation_finished.connect(func() -> void: finished += 1)

	func _physics_process(delta: float) -> void:
		var velocity := agent.get_next_velocity(4.0)
		global_position += Vector3(velocity.x, 0.0, velocity.z) * delta
		global_position.y = height.call(global_position.x, entered > 0)


func _walker(from: Vector3, height: Callable) -> Walker:
	var walker := Walker.new()
	walker.agent.space = ground_floor
	walker.position = from
	walker.height = height
	add(walker)
	return walker


## The ground floor has a ramp up to its cells at x 12, and the upper floor begins there.
func _build_ramp() -> void:
	for x: int in range(6, 12):
		ground_floor.set_region_height(Rect2i(x, 0, 1, SIZE.y), STOREY * (x - 5) / 7.0)
	grid.fill_solid_region(Rect2i(12, 0, 8, SIZE.y))
	grid.fill_solid_region(Rect2i(21, 0, 12, SIZE.y))


func test_floors_are_joined_where_a_ramp_goes_on() -> void:
	_build_ramp()
	check_eq(ground_floor.join_floors(0.1), PackedInt32Array(), "too high a step")
	var seams := ground_floor.join_floors(0.5)
	check_eq(seams.size(), 2 * SIZE.y, "a link for each row, up and down")
	check_eq(upper_floor.join_floors(0.5), seams, "the same from any floor, once")
	check_eq(grid.get_link_ids().size(), seams.size())
	check_eq(grid.get_link_tag(seams[0]), &"seam")
	check_eq(grid.get_link_cost(seams[0]), 1.0)
	var unit := _unit_at(Vector3(1.5, 0.0, 8.5))
	unit.agent.target_position = Vector3(18.5, STOREY, 8.5)
	check(await wait_until(func() -> bool: return unit.agent.is_target_reached()), "up the ramp")
	check(absf(unit.global_position.y - STOREY) < 0.01, "%s" % unit.global_position)
	unit.agent.target_position = Vector3(1.5, 0.0, 2.5)
	check(await wait_until(func() -> bool: return unit.agent.is_target_reached()), "and down")
	check(absf(unit.global_position.y) < 0.01, "%s" % unit.global_position)


func test_seams_are_for_one_size_of_body() -> void:
	_build_ramp()
	var large: PathForgeProfile = PathForgeProfile.new()
	large.footprint = Vector2i(2, 2)
	ground_floor.join_floors(0.5)
	var from := Vector2i(1, 8)
	var goal := Vector2i(37, 8)
	check(not grid.find_path(from, goal, large).is_complete(), "too large for those of one cell")
	var seams := ground_floor.join_floors(0.5, large)
	check_eq(grid.get_link_cost(seams[0]), 2.0)
	check(grid.find_path(from, goal, large).is_complete(), "over its own")
	check(grid.find_path(goal, from, large).is_complete(), "and back")


func test_bad_joins_are_told() -> void:
	expect_errors(2, "step_height")
	check_eq(ground_floor.join_floors(-1.0), PackedInt32Array())
	check_eq(ground_floor.join_floors(NAN), PackedInt32Array())
	var alone: PathForgeSpace3D = PathForgeSpace3D.new()
	alone.grid = grid
	add(alone)
	check_eq(alone.join_floors(1.0), PackedInt32Array(), "no floor")
	check_eq(ground_floor.join_floors(1.0), PackedInt32Array(), "floors that do not meet")
	check_eq(grid.get_link_ids().size(), 0)


## As where a baked mesh lies above the colliders.
func test_bodies_below_the_ground_of_the_map_come_off_stairs() -> void:
	grid.add_link(STAIRS_FROM, STAIRS_TO, 5.0)
	for below: float in [0.0, 0.3, 0.6]:
		var on_stairs := func(x: float, has_entered: bool) -> float:
			var climb := clampf((x - 10.5) / 4.0, 0.0, 1.0) if has_entered else 0.0
			return climb * (STOREY - below)
		var walker := _walker(Vector3(2.5, 0.0, 8.5), on_stairs)
		walker.agent.target_position = Vector3(18.5, STOREY, 8.5)
		var is_there := func() -> bool: return walker.finished > 0
		check(await wait_until(is_there, 20.0), "it arrives, %.1f m below" % below)
		check_eq(walker.entered, 1, "%.1f m below" % below)
		check(walker.global_position.x > 17.0, "%s" % walker.global_position)
		walker.free()


## Beyond the seam, the ground floor has closed cells as high as the end of the ramp.
func test_bodies_below_the_ground_of_the_map_pass_a_seam() -> void:
	_build_ramp()
	ground_floor.set_region_height(Rect2i(12, 0, 8, SIZE.y), STOREY * 6.0 / 7.0)
	ground_floor.join_floors(0.5)
	for below: float in [0.0, 0.2, 0.45]:
		var on_ramp := func(x: float, _has_entered: bool) -> float:
			return clampf((x - 5.5) / 7.0, 0.0, 1.0) * STOREY - below
		var walker := _walker(Vector3(2.5, 0.0, 8.5), on_ramp)
		walker.agent.target_position = Vector3(18.5, STOREY, 8.5)
		var is_there := func() -> bool: return walker.finished > 0
		check(await wait_until(is_there, 20.0), "it arrives, %.2f m below" % below)
		check_eq(walker.entered, 1, "%.2f m below" % below)
		walker.free()


func test_imports_of_two_floors_keep_each_link_once() -> void:
	var region := NavigationRegion3D.new()
	region.navigation_mesh = _quad(0.0)
	var above := NavigationRegion3D.new()
	above.navigation_mesh = _quad(STOREY)
	var stairs := NavigationLink3D.new()
	stairs.name = "Stairs"
	stairs.start_position = Vector3(2.5, 0.0, 2.5)
	stairs.end_position = Vector3(5.5, STOREY - 0.4, 2.5)  # A little below the ground.
	for node: Node in [region, above, stairs]:
		add(node)
	await frames(1)
	var regions: Array[NavigationRegion3D] = [region, above]
	for round: int in 2:
		check(ground_floor.import_navigation_regions(regions, -1.0, 2.0), "the ground floor")
		check(upper_floor.import_navigation_regions(regions, -1.0, 2.0), "the upper floor")
		check_eq(grid.get_link_ids(), PackedInt32Array([0]), "once, after round %d" % round)
	check_eq([grid.get_link_start(0), grid.get_link_end(0)], [Vector2i(2, 2), Vector2i(26, 2)])
	check_near(grid.get_link_cost(0), sqrt(18.0), 0.01)
	stairs.end_position.x = 6.5
	check(upper_floor.import_navigation_regions(regions, -1.0, 2.0), "moved")
	check_eq(grid.get_link_end(0), Vector2i(27, 2))


func test_a_body_that_is_put_elsewhere_leaves_its_link() -> void:
	grid.add_link(Vector2i(5, 3), Vector2i(12, 3))
	grid.fill_solid_region(Rect2i(6, 0, 6, SIZE.y))
	for stairs: bool in [false, true]:
		if stairs:
			grid.add_link(Vector2i(2, 8), Vector2i(23, 8), 5.0)
		var walker := _walker(
			Vector3(2.5, 0.0, 3.5), func(_x: float, _on: bool) -> float: return 0.0
		)
		walker.agent.target_position = (
			Vector3(2.5, STOREY, 12.5) if stairs else Vector3(15.5, 0.0, 3.5)
		)
		check(await wait_until(func() -> bool: return walker.entered > 0), "on its link")
		walker.global_position = Vector3(3.5, 0.0, 15.0)
		walker.agent.target_position = Vector3(1.5, 0.0, 13.5)
		var is_there := func() -> bool: return walker.agent.is_target_reached()
		check(await wait_until(is_there, 8.0), "to the new target: %s" % walker.global_position)
		check_eq(walker.agent.get_current_link(), -1)
		walker.free()


func test_a_click_goes_through_closed_cells_of_an_upper_floor() -> void:
	grid.fill_solid_region(Rect2i(21, 0, 10, SIZE.y))
	var below := ground_floor.intersect_ray(Vector3(4.5, 20.0, 4.5), Vector3.DOWN)
	check_eq(below, Vector3(4.5, 0.0, 4.5))
	grid.fill_solid_region(Rect2i(0, 0, 10, SIZE.y))
	var first := ground_floor.intersect_ray(Vector3(4.5, 20.0, 4.5), Vector3.DOWN)
	check_eq(first, Vector3(4.5, STOREY, 4.5), "the first, if all are closed")
