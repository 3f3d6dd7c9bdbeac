extends HouseSuite
## What moves on two floors: walkers on stairs and in lifts, obstacles, free places and crowds.


func test_a_walker_climbs_the_stairs_and_comes_back() -> void:
	grid.add_link(Vector2i(10, 8), Vector2i(35, 8))
	_hilly(upper_floor)
	for avoids: bool in [true, false]:
		var unit := _unit_at(Vector3(2.5, 0.0, 3.5))
		unit.agent.avoidance_enabled = avoids
		await physics_frames(2)
		var target := ground_floor.cell_to_global(Vector2i(38, 12))
		unit.agent.target_position = target
		check(await wait_until(unit.agent.is_navigation_finished, 20.0), "it arrives")
		check(unit.agent.is_target_reached(), "on the upper floor: %s" % [unit.told])
		check(_near(unit.position, target, 0.8), "%s, not %s" % [unit.position, target])
		check(unit.highest_step < 2.0 * unit.speed, "it walks: %f" % unit.highest_step)
		check_eq(ground_floor.floor_at(unit.position), upper_floor)
		unit.agent.target_position = Vector3(2.5, 0.0, 12.5)
		check(await wait_until(unit.agent.is_navigation_finished, 20.0), "and back")
		check(_near(unit.position, Vector3(2.5, 0.0, 12.5), 0.8), "%s" % unit.position)
		check_eq(unit.told, ["reached", "finished", "reached", "finished"] as Array[String])
		unit.free()


func test_a_lift_is_straight_up() -> void:
	grid.add_link(Vector2i(10, 8), Vector2i(31, 8))
	var unit := _unit_at(Vector3(10.5, 0.0, 4.5))
	var path: Array[Vector3] = []
	unit.agent.target_position = Vector3(10.5, STOREY, 12.5)
	while not unit.agent.is_navigation_finished() and path.size() < 900:
		path.append(unit.position)
		await physics_frames(1)
	check(unit.agent.is_target_reached(), "there: %s" % unit.position)
	var between := path.filter(func(at: Vector3) -> bool: return at.y > 0.05 and at.y < 2.95)
	check(between.size() > 30, "it takes its time: %d" % between.size())
	for at: Vector3 in between:
		check_near(at.x, 10.5, 0.1, "in the shaft")
		check_near(at.z, 8.5, 0.1, "in the shaft")


func test_edits_and_orders_on_the_stairs_wait_for_the_other_floor() -> void:
	grid.add_link(Vector2i(10, 8), Vector2i(35, 8))
	var unit := _unit_at(Vector3(9.5, 0.0, 8.5))
	unit.agent.target_position = Vector3(18.5, STOREY, 8.5)
	check(await wait_until(func() -> bool: return unit.position.y > 1.0), "on the stairs")
	grid.fill_solid_region(Rect2i(37, 4, 1, 10))
	unit.agent.target_position = Vector3(18.5, STOREY, 3.5)
	check(
		await wait_until(unit.agent.is_target_reached, 20.0), "round the wall: %s" % unit.position
	)
	check(_near(unit.position, Vector3(18.5, STOREY, 3.5), 0.8), "%s" % unit.position)


func test_no_stairs_is_no_way() -> void:
	var unit := _unit_at(Vector3(2.5, 0.0, 3.5))
	unit.agent.target_position = Vector3(5.5, STOREY, 3.5)
	check(await wait_until(unit.agent.is_navigation_finished, 20.0), "refused")
	check(not unit.agent.is_target_reached(), "%s" % [unit.told])
	check(not unit.agent.is_target_reachable(), "without stairs")
	unit.agent.target_position = Vector3(5.5, 0.0, 3.5)
	check(
		await wait_until(unit.agent.is_target_reached, 20.0), "below the target: %s" % [unit.told]
	)


func test_obstacles_and_free_places_are_on_the_floor_of_their_position() -> void:
	for height: float in [0.0, STOREY]:
		var tower := Node3D.new()
		var obstacle := PathForgeObstacle3D.new()
		obstacle.space = ground_floor
		obstacle.footprint = Vector2i(2, 2)
		tower.add_child(obstacle)
		tower.position = Vector3(5.0, height, 5.0)
		add(tower)
		await physics_frames(1)
		var first := Vector2i(4 if height == 0.0 else 25, 4)
		check_eq(obstacle.get_cells(), Rect2i(first, Vector2i(2, 2)), "at %f" % height)
		check(grid.is_point_solid(first) or not grid.can_stand(first), "blocked")
		tower.position.x = 20.0
		await physics_frames(1)
		check_eq(obstacle.get_cells().size.x, 1, "the part on the floor")
		tower.free()
	for height: float in [0.0, STOREY]:
		var places := upper_floor.find_free_places(Vector3(19.4, height, 5.5), 40)
		check_eq(places.size(), 40)
		for place: Vector3 in places:
			check_eq(place.y, height, "on its own floor: %s" % place)


func test_crowds_are_drawn_on_their_floors() -> void:
	upper_floor.rotation.y = 0.3
	var crowd := PathForgeCrowd.new()
	grid.add_child(crowd)
	crowd.space = upper_floor
	var multimesh := MultiMesh.new()
	multimesh.transform_format = MultiMesh.TRANSFORM_3D
	crowd.multimesh = multimesh
	var plane := PackedVector2Array([Vector2(3.5, 4.5), Vector2(24.5, 4.5)])
	var ids := crowd.add_agents(plane)
	var nodes: Array[Node] = [add(Node3D.new()), add(Node3D.new())]
	crowd.bind_nodes(ids, nodes)
	await frames(3)
	await physics_frames(3)
	for at: int in 2:
		var wanted := ground_floor.to_space(plane[at])
		# Without a display, the engine keeps the buffer alone: three rows of four numbers.
		var row := multimesh.buffer.slice(at * 12, at * 12 + 12)
		var drawn := upper_floor.global_transform * Vector3(row[3], row[7], row[11])
		check(_near(drawn, wanted, 0.05), "%s, not %s" % [drawn, wanted])
		var node: Node3D = nodes[at]
		check(_near(node.position, wanted, 0.05), "%s, not %s" % [node.position, wanted])
	upper_floor.rotation.y = 0.0
	var from := Vector3(3.5, 20.0, 4.5)
	check_eq(crowd.find_agents_along_ray(from, Vector3.DOWN), PackedInt32Array([ids[1]]), "above")
	var below := crowd.find_agents_along_ray(from, Vector3.DOWN, 2.0, ground_floor)
	check_eq(below, PackedInt32Array([ids[0]]), "on the ground floor")
	check_eq(
		crowd.find_agents_along_ray(from, Vector3.DOWN, 2.0, upper_floor),
		PackedInt32Array([ids[1]])
	)


func test_floors_may_be_freed_and_moved_under_way() -> void:
	grid.add_link(Vector2i(10, 8), Vector2i(35, 8))
	var unit := _unit_at(Vector3(9.5, 0.0, 8.5))
	unit.agent.target_position = Vector3(18.5, STOREY, 8.5)
	check(await wait_until(func() -> bool: return unit.position.y > 1.0), "on the stairs")
	upper_floor.position.y = 4.0
	check(await wait_until(func() -> bool: return unit.position.y > 3.2), "it follows the floor")
	upper_floor.free()
	await physics_frames(30)
	check(unit.position.is_finite(), "%s" % unit.position)
	ground_floor.free()
	await physics_frames(5)
	check(unit.position.is_finite(), "%s" % unit.position)


## As physics holds a body on a ramp: x and z are the agent's, the height is the ramp's.
class OnRamp:
	extends Node3D
	var agent: PathForgeAgent3D = PathForgeAgent3D.new()
	var above: float = 0.0

	func _init() -> void:
		add_child(agent)

	func _physics_process(delta: float) -> void:
		var velocity := agent.get_next_velocity(4.0)
		global_position += Vector3(velocity.x, 0.0, velocity.z) * delta
		global_position.y = clampf((global_position.x - 10.5) / 4.0, 0.0, 1.0) * STOREY + above


func test_a_body_that_physics_holds_above_the_ground_takes_the_stairs() -> void:
	grid.add_link(Vector2i(10, 8), Vector2i(35, 8), 5.0)
	for above: float in [0.0, 0.05, 0.3, 0.9]:
		var body := OnRamp.new()
		body.agent.space = ground_floor
		body.above = above
		body.position = Vector3(8.5, above, 8.5)
		add(body)
		await physics_frames(2)
		body.agent.target_position = Vector3(17.5, STOREY, 8.5)
		check(await wait_until(body.agent.is_target_reached, 20.0), "up, %s above" % above)
		body.agent.target_position = Vector3(8.5, 0.0, 8.5)
		check(await wait_until(body.agent.is_target_reached, 20.0), "down, %s above" % above)
		body.free()
