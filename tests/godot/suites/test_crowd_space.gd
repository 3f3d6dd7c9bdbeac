extends CrowdSuite
## A crowd in 3D: agents on the ground of a space, drawn there, moving nodes and picked by rays.

var _space: PathForgeSpace3D


func before_each() -> void:
	super()
	_space = PathForgeSpace3D.new()
	_space.cell_size = Vector2(2.0, 2.0)
	grid.add_child(_space)
	crowd.space = _space


## A hill that rises by half a metre a cell to the right.
func _rise() -> void:
	var heights := PackedFloat32Array()
	for y: int in grid.region.size.y:
		for x: int in grid.region.size.x:
			heights.append(x * 0.5)
	_space.set_height_data(heights)


func _on_ground(id: int) -> Vector3:
	return _space.to_space(crowd.get_agent_position(id))


func _check_near(got: Vector3, want: Vector3, message: String) -> void:
	check(got.distance_to(want) < 1e-3, "%s: %s, not %s" % [message, got, want])


func test_agents_walk_the_same_with_a_space_and_without() -> void:
	_rise()
	var other := PathForgeCrowd.new()
	other.auto_step = false
	grid.add_child(other)
	var hashes: Array[int] = []
	for each: PathForgeCrowd in [crowd, other]:
		var cells: Array[Vector2i] = []
		for index: int in 40:
			cells.append(Vector2i(index % 8 - 3, 4 + index / 8))
		var ids := each.add_agents(centers(cells), body_of(1), 64.0)
		each.assign_goal(ids, Vector2i(30, 13))
		if each == crowd:
			each.multimesh = _multimesh()
			each.bind_node(ids[0], add(Node3D.new()), true)
		for tick: int in 300:
			each.step(STEP)
			if each == crowd and tick % 100 == 50:
				each.find_agents_along_ray(Vector3(0, 50, 0), Vector3.DOWN)
		hashes.append(each.state_hash())
	check_eq(hashes[0], hashes[1], "bit for bit")


func _multimesh() -> MultiMesh:
	var multimesh := MultiMesh.new()
	multimesh.transform_format = MultiMesh.TRANSFORM_3D
	multimesh.use_colors = true
	return multimesh


## Without a display, the engine keeps the buffer alone: rows of a basis, each with its part of the
## origin.
func _instance(multimesh: MultiMesh, at: int) -> Transform3D:
	var b := multimesh.buffer.slice(at * 16, at * 16 + 12)
	return Transform3D(
		Vector3(b[0], b[4], b[8]),
		Vector3(b[1], b[5], b[9]),
		Vector3(b[2], b[6], b[10]),
		Vector3(b[3], b[7], b[11])
	)


func test_instances_stand_on_the_ground_and_look_where_they_walk() -> void:
	_rise()
	var multimesh := _multimesh()
	crowd.multimesh = multimesh
	var ids := squad(3)
	var colors: Array[Color] = [Color.RED, Color.GREEN, Color.BLUE]
	for at: int in 3:
		crowd.set_agent_colors([ids[at]], colors[at])
	crowd.assign_goal(ids, Vector2i(8, 4))
	run(0.5)
	await frames(2)
	check(multimesh.mesh != null, "a mesh of its own")
	check(absf(multimesh.mesh.get_aabb().position.y) < 1e-3, "with its feet on the ground")
	check_eq(multimesh.visible_instance_count, 3)
	for at: int in 3:
		var shown := _instance(multimesh, at)
		var rest := multimesh.buffer.slice(at * 16 + 12, at * 16 + 16)
		var id := colors.find(Color(rest[0], rest[1], rest[2], rest[3]))
		_check_near(shown.origin, _on_ground(ids[id]), "on the ground")
		# A disc of 0.8 cells of two metres, and upright.
		check_near(shown.basis.get_scale().x, 1.6, 1e-3)
		check_near(shown.basis.y.dot(Vector3.UP), 1.6, 1e-3)
		check_near(shown.basis.determinant(), 1.6 ** 3, 1e-2)
		var velocity := crowd.get_velocities()[id]
		var ahead := Vector3(velocity.x, 0.0, velocity.y).normalized()
		_check_near((-shown.basis.z).normalized(), ahead, "it looks where it walks")
		check(multimesh.custom_aabb.has_point(shown.origin), "within the bounds")
	var before := _instance(multimesh, 0).basis
	crowd.stop(ids)
	run(2.0)
	await frames(2)
	var turned := before.z.angle_to(_instance(multimesh, 0).basis.z)
	check(turned < 1.0, "at rest it looks there still")


func test_bodies_that_are_longer_than_wide_do_not_turn() -> void:
	crowd.multimesh = _multimesh()
	var ids := crowd.add_agents(
		[grid.cell_to_local(Vector2i(4, 4), a_body(Vector2i(4, 2)))], a_body(Vector2i(4, 2)), 64.0
	)
	crowd.assign_goal(ids, Vector2i(4, 12))
	run(0.5)
	await frames(2)
	var shown := _instance(crowd.multimesh, 0).basis
	check(shown.x.x > shown.z.z and shown.z.z > 0.0, "%s" % shown)
	check_near(shown.x.z, 0.0)
	check_near(shown.x.x - shown.z.z, 4.0, 1e-3, "two cells of two metres longer")


func test_agents_move_nodes_of_space() -> void:
	_rise()
	_space.transform = Transform3D(Basis.from_euler(Vector3(0.2, 1.1, -0.1)), Vector3(5, 7, -3))
	var ids := squad(2)
	var nodes: Array[Node3D] = [Node3D.new(), Node3D.new()]
	for node: Node3D in nodes:
		node.scale = Vector3(2.0, 3.0, 2.0)
		add(node)
	check_eq(crowd.bind_nodes(ids, nodes, true), 2)
	crowd.assign_goal(ids, Vector2i(8, 4))
	run(0.5)
	var up := _space.global_basis.y
	for at: int in 2:
		_check_near(nodes[at].global_position, _on_ground(ids[at]), "it is where its agent is")
		_check_near(nodes[at].scale, Vector3(2.0, 3.0, 2.0), "as large as before")
		check_near(nodes[at].global_basis.y.angle_to(up), 0.0, 1e-2, "upright")
		var place := crowd.get_agent_position(ids[at])
		var velocity := crowd.get_velocities()[at]
		var ahead := _space.to_space(place + velocity) - _space.to_space(place)
		ahead -= up * ahead.dot(up)
		check_near((-nodes[at].global_basis.z).angle_to(ahead), 0.0, 1e-2, "it looks ahead")
	nodes[0].free()
	nodes[1].get_parent().remove_child(nodes[1])
	run(0.1)
	add(nodes[1])
	run(0.1)
	_check_near(nodes[1].global_position, _on_ground(ids[1]), "back in the tree")
	# Freed, a space moves nothing any more, and the agents walk on.
	var place := crowd.get_agent_position(ids[1])
	var last := nodes[1].global_position
	_space.free()
	run(0.5)
	check_eq(nodes[1].global_position, last)
	check(crowd.get_agent_position(ids[1]).distance_to(place) > 5.0, "it walks")
	check_eq(crowd.space, null)


func test_what_cannot_be_moved_is_an_error() -> void:
	var ids := squad(1)
	var above := Node3D.new()
	add(above)
	_space.reparent(above)
	expect_errors(1, "PathForgeCrowd.bind_node: node is %s" % above.name)
	expect_errors(1, "PathForgeCrowd.bind_node: node is %s, the crowd's own space" % _space.name)
	check(not crowd.bind_node(ids[0], above) and not crowd.bind_node(ids[0], _space), "the map")
	expect_errors(1, "PathForgeCrowd.bind_node: node is a Timer, not a Node2D or a Node3D")
	check(not crowd.bind_node(ids[0], add(Timer.new())), "no place")
	crowd.space = null
	expect_errors(1, "PathForgeCrowd.bind_nodes: nodes[0] is a Node3D, and the crowd has no space")
	check_eq(crowd.bind_nodes(ids, [above]), 0)


func test_rays_find_agents() -> void:
	_rise()
	_space.transform = Transform3D(Basis.from_euler(Vector3(0.1, 0.4, 0.2)), Vector3(1, 2, 3))
	var cells: Array[Vector2i] = [Vector2i(2, 4), Vector2i(6, 4), Vector2i(10, 4), Vector2i(6, 9)]
	var ids := crowd.add_agents(centers(cells), body_of(1), 64.0)
	var up := _space.global_basis.y
	for id: int in ids:
		var eye := _on_ground(id) + up * 40.0 + Vector3(3.0, 0.0, 5.0)
		var found := crowd.find_agents_along_ray(eye, eye.direction_to(_on_ground(id)))
		check_eq(found, PackedInt32Array([id]), "the one that it is aimed at")
		found = crowd.find_agents_along_ray(eye, eye.direction_to(_on_ground(id) + up * 1.9))
		check_eq(found, PackedInt32Array([id]), "its head")
		eye = _on_ground(id) + up * 4.0 + _space.global_basis.z * 30.0
		found = crowd.find_agents_along_ray(eye, (_on_ground(id) + up * 1.9 - eye) * 40.0, 0.5)
		check_eq(found, PackedInt32Array(), "not as high, and the length counts for nothing")
	# Down the slope, over the feet of three.
	var from := _on_ground(ids[2]) + (_on_ground(ids[2]) - _on_ground(ids[0])) + up
	var row := PackedInt32Array([ids[2], ids[1], ids[0]])
	check_eq(crowd.find_agents_along_ray(from, _on_ground(ids[0]) + up - from), row, "near first")
	_space.set_region_height(Rect2i(4, 2, 1, 24), 30.0)
	row = PackedInt32Array([ids[2], ids[1]])
	check_eq(crowd.find_agents_along_ray(from, _on_ground(ids[0]) + up - from), row, "a wall")


func test_rays_that_find_nothing() -> void:
	squad(5)
	for ray: Array in [
		[Vector3(0, 40, 0), Vector3.UP],
		[Vector3(0, 40, 0), Vector3.ZERO],
		[Vector3(NAN, 40, 0), Vector3.DOWN],
		[Vector3(0, 40, 0), Vector3(0, -INF, 0)],
		[Vector3(1e30, 40, 0), Vector3.DOWN],
	]:
		var from: Vector3 = ray[0]
		var direction: Vector3 = ray[1]
		check_eq(crowd.find_agents_along_ray(from, direction).size(), 0, str(ray))
	expect_errors(2, "PathForgeCrowd.find_agents_along_ray: height ")
	crowd.find_agents_along_ray(Vector3.UP, Vector3.DOWN, -1.0)
	crowd.find_agents_along_ray(Vector3.UP, Vector3.DOWN, NAN)
	_space.scale = Vector3(1, 0, 1)
	expect_errors(1, "PathForgeCrowd.find_agents_along_ray: the node is scaled by zero")
	crowd.find_agents_along_ray(Vector3.UP, Vector3.DOWN)
	crowd.space = null
	expect_errors(1, "PathForgeCrowd.find_agents_along_ray: the crowd has no space")
	crowd.find_agents_along_ray(Vector3.UP, Vector3.DOWN)


func test_a_box_on_the_screen_finds_what_the_camera_shows_there() -> void:
	_rise()
	_space.transform = Transform3D(Basis.from_euler(Vector3(0.1, 0.4, 0.2)), Vector3(1, 2, 3))
	var cells: Array[Vector2i] = []
	for index: int in 60:
		cells.append(Vector2i(index % 10 * 4 - 4 + index % 2, index / 10 * 4 + 2))
	var ids := crowd.add_agents(centers(cells), body_of(1), 64.0)
	var camera := Camera3D.new()
	camera.h_offset = 0.5
	add(camera)
	var middle := _space.cell_to_global(Vector2i(14, 12))
	var seen := 0
	for projection: Camera3D.ProjectionType in [
		Camera3D.PROJECTION_PERSPECTIVE, Camera3D.PROJECTION_ORTHOGONAL
	]:
		camera.projection = projection
		camera.size = 30.0
		for from: Vector3 in [Vector3(5, 30, 40), Vector3(-20, 9, 3)]:
			camera.look_at_from_position(middle + from, middle)
			var size := camera.get_viewport().get_visible_rect().size
			for rect: Rect2 in [
				Rect2(Vector2.ZERO, size),
				Rect2(size * 0.7, -size * 0.3),
				Rect2(size * 0.5, Vector2(400, 60)),
			]:
				var wanted := PackedInt32Array()
				for id: int in ids:
					var at := _on_ground(id)
					var place := camera.unproject_position(at)
					if not camera.is_position_behind(at) and rect.abs().has_point(place):
						wanted.append(id)
				check_eq(crowd.find_agents_on_screen(camera, rect), wanted, str(rect))
				seen += wanted.size()
	check(seen > 100, "%d were in a box" % seen)
	expect_errors(1, "PathForgeCrowd.find_agents_on_screen: camera is null")
	crowd.find_agents_on_screen(null, Rect2())
	expect_errors(1, "PathForgeCrowd.find_agents_on_screen: rect ")
	crowd.find_agents_on_screen(camera, Rect2(0, NAN, 1, 1))
	root.remove_child(camera)
	expect_errors(1, "PathForgeCrowd.find_agents_on_screen: camera is not in the scene tree")
	crowd.find_agents_on_screen(camera, Rect2(0, 0, 1, 1))
	root.add_child(camera)
	crowd.space = null
	expect_errors(1, "PathForgeCrowd.find_agents_on_screen: the crowd has no space")
	crowd.find_agents_on_screen(camera, Rect2(0, 0, 1, 1))


func test_a_multimesh_of_the_plane_is_told_once() -> void:
	expect_warnings(1, "The multimesh has 2D transforms and the crowd a Space.")
	crowd.multimesh = MultiMesh.new()
	crowd.multimesh.transform_format = MultiMesh.TRANSFORM_2D
	squad(2)
	run(0.1)
	await frames(3)
	check_eq(crowd.multimesh.instance_count, 0)
	crowd.space = null
	await frames(2)
	check(crowd.multimesh.instance_count >= 2, "without a space it is right")
