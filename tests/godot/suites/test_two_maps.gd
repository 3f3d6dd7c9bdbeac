extends TestSuite
## Two maps in one scene, one for the ground and one for the air. A node works on the map beside it
## in the tree, or on the map that was set, and neither map sees what is on the other.

const SPEED := 6.0

var _level: Node3D
var _sky: Node3D
var _ground: PathForgeSpace3D
var _air: PathForgeSpace3D


func before_each() -> void:
	_level = add(Node3D.new())
	_ground = _map_below(_level)
	# A wall with a gate at its end.
	var grid: PathForgeGrid = _ground.get_parent()
	grid.fill_solid_region(Rect2i(12, 0, 1, 11))
	_sky = Node3D.new()
	_level.add_child(_sky)
	_air = _map_below(_sky)
	_air.position.y = 20.0


func test_walkers_and_flyers_go_by_their_own_maps() -> void:
	var tank := _body_below(_level, _ground)
	var plane := _body_below(_sky, _air)
	var given := _body_below(_level, _air)
	var agent: PathForgeAgent3D = given.get_child(0)
	agent.space = _air
	given.global_position = _air.cell_to_global(Vector2i(1, 5))
	var bodies: Array[CharacterBody3D] = [tank, plane, given]
	for body: CharacterBody3D in bodies:
		_agent(body).target_position = Vector3(21.5, 0, body.position.z)
	var is_there := func() -> bool:
		return bodies.all(
			func(body: CharacterBody3D) -> bool: return _agent(body).is_navigation_finished()
		)
	var turned := 0.0
	for frame: int in 900:
		await physics_frames(1)
		for body: CharacterBody3D in bodies:
			body.velocity = _agent(body).get_next_velocity(SPEED)
			body.move_and_slide()
			var space := _ground if body == tank else _air
			body.global_position = space.snap_to_ground(body.global_position)
		turned = maxf(turned, absf(plane.global_position.z - 1.5))
		if frame > 30 and is_there.call():
			break
	for body: CharacterBody3D in bodies:
		check(_agent(body).is_navigation_finished(), "%s is there" % body.global_position)
	check(_agent(tank).get_path_length() > 24.0, "%.1f m" % _agent(tank).get_path_length())
	check(_agent(plane).get_path_length() < 21.0, "%.1f m" % _agent(plane).get_path_length())
	check_eq([tank.position.y, plane.position.y, given.position.y], [0.0, 20.0, 20.0])
	check(turned < 0.5, "straight over the tank and the wall: %.1f m aside" % turned)


func test_obstacles_crowds_and_fields_are_on_one_map() -> void:
	var crate := PathForgeObstacle3D.new()
	var balloon := PathForgeObstacle3D.new()
	crate.position = Vector3(3.5, 0, 3.5)
	balloon.position = Vector3(5.5, 0, 5.5)
	_level.add_child(crate)
	_sky.add_child(balloon)
	var other := PathForgeObstacle3D.new()
	other.space = _air
	other.position = Vector3(7.5, 0, 7.5)
	_level.add_child(other)
	var ground: PathForgeGrid = _ground.get_parent()
	var air: PathForgeGrid = _air.get_parent()
	for cell: Vector2i in [Vector2i(3, 3), Vector2i(5, 5), Vector2i(7, 7)]:
		check_eq(ground.has_obstacle_at(cell), cell.x == 3, "ground %s" % cell)
		check_eq(air.has_obstacle_at(cell), cell.x != 3, "air %s" % cell)
	var field := FlowField.new()
	field.goals = [Vector2i(20, 1)]
	air.add_child(field)
	field.rebuild()
	check_eq(field.get_cost(Vector2i(10, 1)), 10.0, "straight over the wall")


func test_a_node_that_changes_maps_goes_by_the_new_one() -> void:
	var crate := PathForgeObstacle3D.new()
	crate.position = Vector3(3.5, 0, 3.5)
	_level.add_child(crate)
	var ground: PathForgeGrid = _ground.get_parent()
	var air: PathForgeGrid = _air.get_parent()
	crate.space = _air
	await frames(2)
	check_eq(ground.has_obstacle_at(Vector2i(3, 3)), false, "it was lifted")
	check_eq(air.has_obstacle_at(Vector2i(3, 3)), true)
	crate.space = null
	await frames(2)
	check_eq(ground.has_obstacle_at(Vector2i(3, 3)), true, "and is back")


func _map_below(parent: Node) -> PathForgeSpace3D:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 24, 12)
	grid.cell_size = Vector2.ONE
	var space := PathForgeSpace3D.new()
	grid.add_child(space)
	parent.add_child(grid)
	return space


func _body_below(parent: Node3D, space: PathForgeSpace3D) -> CharacterBody3D:
	var body := CharacterBody3D.new()
	body.motion_mode = CharacterBody3D.MOTION_MODE_FLOATING
	body.add_child(PathForgeAgent3D.new())
	parent.add_child(body)
	body.global_position = space.cell_to_global(Vector2i(1, 1))
	return body


func _agent(body: CharacterBody3D) -> PathForgeAgent3D:
	return body.get_child(0)
