extends WalkerSuite3D
## Walkers in 3D: over hills and round walls, in squads and among others, wherever the space lies. A
## law: they take the same cells as walkers of 2D, bit for bit.


## One of the two kinds of bodies that the law compares, moved by arithmetic alone.
class Flat:
	extends Node2D
	var agent: PathForgeAgent2D = PathForgeAgent2D.new()

	func _init() -> void:
		add_child(agent)

	func _physics_process(delta: float) -> void:
		position += agent.get_next_velocity(3.0) * delta


## The other.
class Solid:
	extends Node3D
	var agent: PathForgeAgent3D = PathForgeAgent3D.new()

	func _init() -> void:
		add_child(agent)

	func _physics_process(delta: float) -> void:
		position += agent.get_next_velocity(3.0) * delta


func _gate(on: PathForgeGrid, height: int) -> void:
	on.fill_solid_region(Rect2i(20, 0, 2, 24), true)
	on.fill_solid_region(Rect2i(20, 12 - height / 2, 2, height), false)


func _fits(unit: Unit) -> bool:
	var cell := space.global_to_cell(unit.global_position, unit.agent.profile)
	return grid.can_stand(cell, unit.agent.profile)


func test_walkers_of_2d_and_3d_take_the_same_cells_bit_for_bit() -> void:
	_hills()
	var plane := _new_grid()
	var flats: Array[Flat] = []
	var solids: Array[Solid] = []
	var crowds: Array[PathForgeCrowd] = []
	for on: PathForgeGrid in [plane, grid]:
		_gate(on, 4)
		on.request_budget_usec = 1_000_000
		crowds.append(PathForgeCrowd.new())
		on.add_child(crowds[-1])
	for index: int in 16:
		var profile := _square(1 + index % 2)
		var at := Vector2i(2 + index % 4 * 4, 4 + index / 4 * 4)
		var flat := Flat.new()
		flat.agent.grid = plane
		flat.position = plane.cell_to_local(at, profile)
		var solid := Solid.new()
		solid.agent.space = space
		solid.position = Vector3(flat.position.x, 7.0, flat.position.y)
		for agent: Node in [flat.agent, solid.agent]:
			agent.set("profile", profile)
			agent.set("path_desired_distance", 1.25)
			agent.set("target_desired_distance", 0.6)
			agent.set("path_max_distance", 6.0)
			# Otherwise each looks for a better path at a time of its own.
			agent.set("repath_seconds", 0.0)
		flats.append(flat)
		solids.append(solid)
		add(flat)
		add(solid)
	for index: int in 16:
		var target := Vector2(36.3 - index % 4 * 2.2, 3.7 + index / 4 * 5.1)
		flats[index].agent.target_position = target
		solids[index].agent.target_position = Vector3(target.x, -40.0, target.y)
	var moved := 0
	for frame: int in 900:
		if frame == 120:
			plane.fill_solid_region(Rect2i(26, 2, 1, 14), true)
			grid.fill_solid_region(Rect2i(26, 2, 1, 14), true)
		if frame == 500:
			_send(crowds[0], flats)
			_send(crowds[1], solids)
		await physics_frames(1)
		await _answered(crowds, flats + solids)
		for index: int in 16:
			var flat := flats[index]
			var solid := solids[index]
			check_eq(
				plane.local_to_cell(flat.position, flat.agent.profile),
				space.global_to_cell(solid.position, flat.agent.profile),
				"the cell of %d in frame %d" % [index, frame]
			)
			moved += int(flat.agent.get_next_velocity(3.0) != Vector2.ZERO)
			var place := Vector2(solid.position.x, solid.position.z)
			if flat.position != place:
				fail("frame %d, %d: %s, not %s" % [frame, index, place, flat.position])
				return
	check(moved > 16 * 300, "they walked: %d" % moved)
	check_eq(solids[3].position.y, 7.0, "neither up nor down")
	check(flats[0].position.x < 20.0, "the squad has come back: %s" % flats[0].position)


func _send(crowd: PathForgeCrowd, bodies: Array) -> void:
	var ids := PackedInt32Array()
	for body: Node in bodies:
		var id: int = body.get("agent").call("get_agent_id")
		ids.append(id)
	crowd.assign_goal(ids, Vector2i(8, 12))


## Holds all bodies until all grids have answered all requests: how many frames that takes is not
## part of what agents do.
func _answered(crowds: Array[PathForgeCrowd], bodies: Array) -> void:
	var is_asked := func() -> bool: return open_requests() > 0
	if not is_asked.call():
		return
	for crowd: PathForgeCrowd in crowds:
		crowd.auto_step = false
	for body: Node in bodies:
		body.set_physics_process(false)
	while is_asked.call():
		await physics_frames(1)
	for crowd: PathForgeCrowd in crowds:
		crowd.auto_step = true
	for body: Node in bodies:
		body.set_physics_process(true)


func test_bodies_of_two_sizes_walk_over_hills_and_round_a_wall() -> void:
	_hills()
	grid.fill_solid_region(Rect2i(20, 0, 2, 20), true)
	var units: Array[Unit] = [_unit_at(Vector2i(5, 3)), _unit_at(Vector2i(5, 8), 2)]
	for unit: Unit in units:
		unit.agent.target_position = Vector3(32.5, 99.0, 4.5 + 6.0 * units.find(unit))
		check_eq(unit.agent.distance_to_target() > 90.0, true, "as the crow flies, up too")
	var lowest := INF
	var highest := -INF
	for frame: int in 1200:
		await physics_frames(1)
		for unit: Unit in units:
			check(_fits(unit), "in frame %d at %s" % [frame, unit.position])
			lowest = minf(lowest, unit.position.y)
			highest = maxf(highest, unit.position.y)
		if _all_finished(units):
			break
	for unit: Unit in units:
		check_eq(unit.told, ["reached", "finished"] as Array[String], "once, in order")
		check(unit.agent.is_target_reached(), "it is there")
		var off := unit.position - unit.agent.target_position
		check(Vector2(off.x, off.z).length() <= 0.65, "at the target: %s" % unit.position)
	check(highest - lowest > 2.0, "up and down: %f to %f" % [lowest, highest])


## A body as the guide has it where the ground is of colliders.
class Faller:
	extends CharacterBody3D
	var agent: PathForgeAgent3D = PathForgeAgent3D.new()

	func _init() -> void:
		var feet := CollisionShape3D.new()
		feet.shape = SphereShape3D.new()
		(feet.shape as SphereShape3D).radius = 0.35
		feet.position.y = 0.35
		add_child(feet)
		add_child(agent)

	func _physics_process(delta: float) -> void:
		var walk := agent.get_next_velocity(4.0)
		velocity = Vector3(walk.x, velocity.y - 9.8 * delta, walk.z)
		move_and_slide()


func test_a_body_with_gravity_walks_up_and_down_a_slope_of_colliders() -> void:
	var heights := PackedFloat32Array()
	for cell: int in 40 * 24:
		heights.append(cell % 40 * 0.3)
	space.set_height_data(heights)
	var slope: StaticBody3D = add(StaticBody3D.new())
	var shape := CollisionShape3D.new()
	var boundary := WorldBoundaryShape3D.new()
	var normal := Vector3(-0.3, 1.0, 0.0).normalized()
	boundary.plane = Plane(normal, Vector3(0.5, 0.0, 0.0))
	shape.shape = boundary
	slope.add_child(shape)
	var body := Faller.new()
	body.agent.space = space
	body.position = space.cell_to_global(Vector2i(4, 4)) + Vector3.UP
	add(body)
	for goal: Vector2i in [Vector2i(30, 14), Vector2i(6, 18)]:
		body.agent.target_position = space.cell_to_global(goal)
		await physics_frames(60)
		for frame: int in 900:
			await physics_frames(1)
			var above := body.position.y - space.snap_to_ground(body.position).y
			check(absf(above) < 0.2, "on the ground: %f above it at %s" % [above, body.position])
			if body.agent.is_navigation_finished():
				break
		check(body.agent.is_target_reached(), "there, at %s" % body.position)


func test_it_has_the_habits_of_a_navigation_agent() -> void:
	_hills()
	grid.fill_solid_region(Rect2i(10, 2, 1, 22), true)
	var body: Node3D = add(Node3D.new())
	var agent := PathForgeAgent3D.new()
	body.add_child(agent)
	body.position = Vector3(4.5, 3.0, 12.5)
	agent.space = space
	var velocities: Array[Vector3] = []
	var waypoints: Array[Dictionary] = []
	agent.velocity_computed.connect(velocities.append)
	agent.waypoint_reached.connect(waypoints.append)
	check(agent.is_navigation_finished(), "nothing to do yet")
	check_eq(agent.get_next_path_position(), space.snap_to_ground(body.position), "where it is")
	check_eq(agent.get_final_position(), body.position, "where it is")
	var target := Vector3(16.5, 0.0, 12.5)
	agent.target_position = target
	check_eq(agent.target_position, target, "as it was set")
	check(agent.is_target_reachable(), "the grid says so")
	check(await wait_until(func() -> bool: return agent.get_path_length() > 0.0), "a path")
	var route := agent.get_current_navigation_path()
	for position: Vector3 in route:
		var ground := space.snap_to_ground(position)
		check(position.distance_to(ground) < 1e-4, "on the ground: %s" % position)
	check_eq(agent.get_final_position(), route[-1], "its end")
	check(agent.get_final_position().distance_to(space.snap_to_ground(target)) < 1e-4, "the target")
	check(agent.get_path_length() > 20.0, "round the wall: %f" % agent.get_path_length())
	check(agent.get_current_path().is_complete(), "its path")
	while not agent.is_navigation_finished():
		await physics_frames(1)
		var next := agent.get_next_path_position()
		check(next.distance_to(space.snap_to_ground(next)) < 1e-4, "on the ground: %s" % next)
		body.position = body.position.move_toward(next, 0.1)
	check(agent.is_target_reached(), "there")
	check(not waypoints.is_empty(), "told of positions on its way")
	var first: Vector3 = waypoints[0]["position"]
	check(first.distance_to(space.snap_to_ground(first)) < 1e-4, "in 3D, on the ground")
	check_eq(velocities.size(), 0, "no velocity was asked for")
	check_eq(agent.get_next_velocity(2.0), velocities[0], "told as it is returned")


func test_a_space_may_be_moved_turned_and_scaled_even_under_way() -> void:
	grid.fill_solid_region(Rect2i(10, 0, 1, 20), true)
	space.cell_size = Vector2(2.0, 2.0)
	_hills()
	var turned := Basis.from_euler(Vector3(0.0, 2.1, 0.0))
	space.transform = Transform3D(turned.scaled(Vector3.ONE * 1.5), Vector3(-30.0, 8.0, 100.0))
	var unit := _unit_at(Vector2i(4, 4), 2)
	unit.speed = 15.0
	unit.agent.target_desired_distance = 1.8
	unit.agent.path_desired_distance = 3.6
	unit.agent.path_max_distance = 18.0
	unit.agent.target_position = space.cell_to_global(Vector2i(16, 4), unit.agent.profile)
	for frame: int in 1200:
		await physics_frames(1)
		check(_fits(unit), "in frame %d at %s" % [frame, unit.position])
		if unit.agent.is_navigation_finished():
			break
	check(unit.agent.is_target_reached(), "there, at %s" % unit.position)
	# The target is global: it lies in another cell when the space has moved under it.
	unit.agent.target_position = space.cell_to_global(Vector2i(4, 14), unit.agent.profile)
	await physics_frames(30)
	space.position += turned * Vector3(6.0, 0.0, 0.0)
	unit.told.clear()
	check(await wait_until(unit.agent.is_navigation_finished, 20.0), "it goes on")
	var off := unit.position - unit.agent.target_position
	check(Vector2(off.x, off.z).length() < 2.0, "there: %s from it" % off)


func test_a_tilted_space_is_walked_on_along_its_plane() -> void:
	space.transform = Transform3D(Basis.from_euler(Vector3(0.0, 0.0, PI / 2.0)), Vector3(5, 6, 7))
	var unit := _unit_at(Vector2i(4, 4))
	unit.agent.target_position = space.cell_to_global(Vector2i(14, 9))
	check(await wait_until(unit.agent.is_navigation_finished), "it walks up a wall")
	check(unit.agent.is_target_reached(), "there, at %s" % unit.position)
	check_near(unit.position.x, 5.0, 1e-3, "on the wall")


func test_a_squad_gets_a_place_for_each_with_walkers_of_2d_among_them() -> void:
	_gate(grid, 4)
	var crowd := PathForgeCrowd.new()
	grid.add_child(crowd)
	var units: Array[Unit] = []
	var ids := PackedInt32Array()
	for index: int in 8:
		units.append(_unit_at(Vector2i(3 + index % 4 * 3, 8 + index / 4 * 4), 1 + index % 2))
		ids.append(units[index].agent.get_agent_id())
	var flat := Flat.new()
	flat.agent.grid = grid
	flat.position = Vector2(2.5, 2.5)
	add(flat)
	ids.append(flat.agent.get_agent_id())
	check(not ids.has(-1), "each has a number: %s" % ids)
	check_eq(crowd.get_agent_count(), 9, "all in the grid's crowd")
	check_eq(crowd.get_agent_position(ids[5]), space.to_plane(units[5].position), "where it is")
	check_eq(crowd.assign_goal(ids, Vector2i(32, 12)), 9, "all are sent")
	check(not units[0].agent.is_navigation_finished(), "on its way")
	check(await wait_until(_all_finished.bind(units), 30.0), "all are there")
	for unit: Unit in units:
		check_eq(unit.told, ["reached", "finished"] as Array[String], "told in order, once")
		check(unit.position.x > 22.0, "through the gate")
		for other: Unit in units:
			var radii := (
				0.8 * (unit.agent.profile.footprint.x + other.agent.profile.footprint.x) / 2.0
			)
			var gap := unit.position.distance_to(other.position) - radii
			check(other == unit or gap > -0.1, "clear of each other: %f" % gap)
	check(await wait_until(flat.agent.is_target_reached), "the one of 2D, too")
	check_eq(crowd.set_agent_radius(ids, 0.3), 9)
	check_near(units[0].agent.radius, 0.3, 1e-6, "metres, for cells of one metre")
	_hills()
	await physics_frames(2)
	var put := crowd.set_agent_position(ids[0], Vector2(5.5, 5.5))
	check_eq(put, Vector2(5.5, 5.5), "there is room")
	check(units[0].position.distance_to(space.to_space(put)) < 1e-3, "the body is there")
	check_near(units[0].position.x, 5.5, 1e-4)


func test_two_keep_clear_of_each_other_and_of_a_number() -> void:
	grid.fill_solid_region(Rect2i(0, 0, 40, 9), true)
	grid.fill_solid_region(Rect2i(0, 14, 40, 10), true)
	var crowd := PathForgeCrowd.new()
	grid.add_child(crowd)
	crowd.add_agents(PackedVector2Array([Vector2(18.5, 11.5)]))
	var east := _unit_at(Vector2i(5, 11))
	var west := _unit_at(Vector2i(33, 11))
	east.agent.target_position = west.position
	west.agent.target_position = east.position
	var nearest := INF
	var nearest_number := INF
	for frame: int in 900:
		await physics_frames(1)
		nearest = minf(nearest, east.position.distance_to(west.position))
		var number := space.to_space(crowd.get_positions()[0])
		nearest_number = minf(nearest_number, east.position.distance_to(number))
		if _all_finished([east, west]):
			break
	check(east.agent.is_target_reached() and west.agent.is_target_reached(), "past each other")
	check(nearest > 0.7, "clear of each other: %f" % nearest)
	check(nearest_number > 0.7, "clear of the number: %f" % nearest_number)


func test_what_blocks_a_walker_is_named() -> void:
	_gate(grid, 2)
	var plug := _unit_at(Vector2i(20, 11), 2)
	plug.agent.priority = 1.0
	var crowd := PathForgeCrowd.new()
	grid.add_child(crowd)
	crowd.set_agent_paused(PackedInt32Array([plug.agent.get_agent_id()]), true)
	plug.speed = 0.0
	var unit := _unit_at(Vector2i(10, 11), 2)
	unit.agent.target_position = Vector3(32.0, 0.0, 12.0)
	check(await wait_until(unit.agent.is_blocked_by_others, 30.0), "it does not come through")
	var blockage := unit.agent.get_blockage()
	check_eq(blockage.nodes, [plug.agent] as Array[Node], blockage.text)
	for other: PathForgeAgent3D in blockage.nodes:
		check_eq(other.get_parent(), plug, "a node of 3D")


func test_the_nearest_space_counts() -> void:
	grid.name = "Far"
	var level: Node3D = add(Node3D.new())
	var squad := Node3D.new()
	level.add_child(squad)
	var body := Node3D.new()
	squad.add_child(body)
	var agent := PathForgeAgent3D.new()
	body.add_child(agent)
	check_eq(_ground_of(agent), grid, "beside the level, below its grid")
	for parent: Node in [level, squad, body]:
		var nearer := PathForgeSpace3D.new()
		var own := _new_grid()
		nearer.grid = own
		parent.add_child(nearer)
		check_eq(_ground_of(agent), own, "beside one, below %s" % parent)
		var second := PathForgeSpace3D.new()
		second.grid = grid
		parent.add_child(second)
		check_eq(_ground_of(agent), own, "the first of two")
	agent.space = space
	check_eq(_ground_of(agent), grid, "the one that it was given")


## The grid whose crowd the agent is in.
func _ground_of(agent: PathForgeAgent3D) -> PathForgeGrid:
	var parent := agent.get_parent()
	parent.remove_child(agent)
	parent.add_child(agent)
	var id := agent.get_agent_id()
	for on: Node in root.get_children():
		for child: Node in on.get_children(true):
			var crowd := child as PathForgeCrowd
			if crowd and crowd.get_agent_count() > 0:
				check(id >= 0, "it has a number")
				return on as PathForgeGrid
	return null


func test_a_walker_outside_the_tree_finds_the_same() -> void:
	var level := Node3D.new()
	var below := PathForgeGrid.new()
	below.region = Rect2i(0, 0, 8, 8)
	below.add_child(PathForgeSpace3D.new())
	level.add_child(below)
	var agent := PathForgeAgent3D.new()
	level.add_child(agent)
	agent.target_position = Vector3(3.5, 0.0, 3.5)
	check(agent.is_target_reachable(), "on the grid beside it")
	level.free()
