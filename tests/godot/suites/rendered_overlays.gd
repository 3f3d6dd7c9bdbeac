extends TestSuite
## Nodes draw what they are asked to, also when a script on them has a [code]_draw[/code].

const CLASSES: Array[String] = [
	"PathForgeGrid",
	"ClearanceMap",
	"FlowField",
	"InfluenceMap",
	"PathForgeAgent2D",
	"PathForgeCrowd",
	"PathForgePlatformer",
	"PathForgeNavigationBaker",
]


func before_each() -> void:
	RenderingServer.set_default_clear_color(Color.BLACK)


func test_overlays_are_drawn_whatever_a_script_draws() -> void:
	for kind: String in CLASSES:
		var plain := await _drawn_by(ClassDB.instantiate(kind), true)
		check(plain > 40, "%s draws %d pixels" % [kind, plain])
		var script := GDScript.new()
		script.source_code = "extends %s\n\n\nfunc _draw() -> void:\n\tpass\n" % kind
		script.reload()
		var scripted := await _drawn_by(script.new(), true)
		check_near(scripted, plain, plain * 0.2, "%s with a script" % kind)
		check_eq(await _drawn_by(ClassDB.instantiate(kind), false), 0, "%s, off" % kind)


func test_chosen_agents_of_a_crowd_are_drawn_with_their_place_and_a_label() -> void:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 30, 20)
	var crowd := PathForgeCrowd.new()
	crowd.auto_step = false
	grid.add_child(crowd)
	add(grid)
	var places := PackedVector2Array([Vector2(100, 100), Vector2(400, 200)])
	var ids := crowd.add_agents(places)
	crowd.assign_formation(
		ids, Vector2i(20, 10), PackedVector2Array([Vector2(300, 40), Vector2(340, 60)])
	)
	for tick: int in 20:
		crowd.step(1.0 / 60.0)
	crowd.debug_enabled = true
	var bodies := await _lit()
	crowd.debug_agents = PackedInt32Array([ids[0], -5, 4711, ids[0]])
	var chosen := await _lit()
	check(chosen > bodies + 300, "%d pixels, %d before" % [chosen, bodies])
	crowd.debug_enabled = false
	check_eq(await _lit(), 0, "off")


func test_overlays_lie_on_the_ground_of_a_space() -> void:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(-2, 3, 12, 8)
	grid.position = Vector2(50, 70)
	var space := PathForgeSpace3D.new()
	space.cell_size = Vector2(2.0, 1.5)
	grid.add_child(space)
	var crowd := PathForgeCrowd.new()
	crowd.auto_step = false
	grid.add_child(crowd)
	add(grid)
	space.transform = Transform3D(Basis(Vector3.UP, 0.4), Vector3(3, 1, -2))
	space.set_region_height(Rect2i(2, 3, 3, 8), 2.0)
	var camera := Camera3D.new()
	add(camera)
	var eye := space.cell_to_global(Vector2i(4, 7)) + Vector3(0, 22, 9)
	camera.look_at_from_position(eye, eye - Vector3(0, 22, 9))
	var walls: Array[Vector2i] = [Vector2i(-1, 4), Vector2i(3, 6), Vector2i(9, 10)]
	for wall: Vector2i in walls:
		grid.set_point_solid(wall)
	grid.debug_enabled = true
	check(await _lit() > 300, "on the screen")
	space.debug_enabled = true
	check(await _lit() > 300, "on the ground")
	for wall: Vector2i in walls:
		check(_seen_at(camera, space.cell_to_global(wall)) != Color.BLACK, "%s is solid" % wall)
		var beside := space.cell_to_global(wall + Vector2i.UP)
		check_eq(_seen_at(camera, beside), Color.BLACK, "not beside %s" % wall)
	space.set_region_height(grid.region, 4.0)
	grid.set_point_solid(walls[0], false)
	grid.set_point_solid(Vector2i(6, 5))
	await _lit()
	check_eq(_seen_at(camera, space.cell_to_global(walls[0])), Color.BLACK, "open by now")
	check(_seen_at(camera, space.cell_to_global(Vector2i(6, 5))) != Color.BLACK, "higher by now")
	grid.debug_enabled = false
	check_eq(await _lit(), 0, "the grid's is off")
	crowd.add_agents([grid.cell_to_local(Vector2i(5, 8))])
	crowd.debug_enabled = true
	check(await _lit() > 20, "a body")
	crowd.debug_enabled = false
	grid.debug_enabled = true
	camera.rotate_x(PI)
	check_eq(await _lit(), 0, "nothing of it is on the screen")
	space.debug_enabled = false
	check(await _lit() > 300, "on the screen again")
	check_eq(space.get_child_count(true), 0, "nothing is left behind")
	space.debug_enabled = true
	await _lit()
	grid.remove_child(space)
	check(await _lit() > 300, "the space has left")
	space.grid = grid
	add(space)
	check_eq(await _lit(), 0, "and has come back")
	grid.free()
	await frames(3)
	space.free()
	camera.free()


func test_the_route_of_a_walker_in_3d_lies_on_the_ground() -> void:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 12, 8)
	grid.cell_size = Vector2.ONE
	var space := PathForgeSpace3D.new()
	grid.add_child(space)
	add(grid)
	space.set_region_height(Rect2i(5, 0, 3, 8), 2.0)
	var camera := Camera3D.new()
	add(camera)
	camera.look_at_from_position(Vector3(6, 14, 10), Vector3(6, 0, 4))
	var body: Node3D = add(Node3D.new())
	body.position = space.cell_to_global(Vector2i(1, 4))
	var agent := PathForgeAgent3D.new()
	agent.space = space
	agent.debug_path_width = 0.5
	body.add_child(agent)
	agent.target_position = space.cell_to_global(Vector2i(10, 4))
	await wait_until(func() -> bool: return agent.get_current_path() != null)
	check_eq(await _lit(), 0, "nothing before it is asked for")
	agent.debug_enabled = true
	check(await _lit() > 300, "the route")
	for x: int in range(2, 10):
		var place := space.cell_to_global(Vector2i(x, 4))
		check(_seen_at(camera, place).r > 0.5, "up and down the hill, at %s" % place)
		var below := Vector3(place.x, 0.0, place.z)
		if place.y > 1.5:
			check_eq(_seen_at(camera, below), Color.BLACK, "not below it, at %s" % below)
	agent.debug_enabled = false
	check_eq(await _lit(), 0, "off")
	agent.debug_enabled = true
	check(await _lit() > 300, "on again")
	body.remove_child(agent)
	check_eq(await _lit(), 0, "out of the tree")
	body.add_child(agent)
	check(await _lit() > 300, "and back")
	agent.stop()
	check_eq(await _lit(), 0, "there is no way any more")
	body.free()
	camera.free()
	grid.free()


func _seen_at(camera: Camera3D, place: Vector3) -> Color:
	var image := root.get_viewport().get_texture().get_image()
	return image.get_pixelv(Vector2i(camera.unproject_position(place)))


## How many pixels are not black.
func _lit() -> int:
	await frames(4)
	await RenderingServer.frame_post_draw
	var image := root.get_viewport().get_texture().get_image()
	image.convert(Image.FORMAT_L8)
	var pixels := image.get_data()
	return pixels.size() - pixels.count(0)


## How many pixels the node draws on a map of its own, with its overlay on or off.
func _drawn_by(node: Node2D, is_on: bool) -> int:
	var grid := node as PathForgeGrid
	if grid == null:
		grid = PathForgeGrid.new()
		grid.add_child(node)
	grid.region = Rect2i(0, 0, 30, 20)
	grid.fill_solid_region(Rect2i(9, 4, 3, 12))
	node.set("debug_enabled", is_on)
	_fill(node)
	add(grid)
	if node is PathForgeAgent2D:
		var agent: PathForgeAgent2D = node
		agent.target_position = Vector2(400, 200)
		await wait_until(func() -> bool: return agent.get_current_path() != null)
	elif node is PathForgeNavigationBaker:
		(node as PathForgeNavigationBaker).bake()
	elif node is PathForgePlatformer:
		(node as PathForgePlatformer).find_path(Vector2i(9, 3), Vector2i(11, 3))
	var lit := await _lit()
	grid.free()
	return lit


## Gives it something to show.
func _fill(node: Node2D) -> void:
	if node is FlowField:
		(node as FlowField).goals = [Vector2i(20, 10)]
	elif node is InfluenceMap:
		(node as InfluenceMap).add_stamp(Vector2i(20, 10), 8.0, 6.0)
	elif node is PathForgeAgent2D:
		node.position = Vector2(40, 40)
	elif node is PathForgeCrowd:
		(node as PathForgeCrowd).add_agents(PackedVector2Array([Vector2(40, 40), Vector2(72, 40)]))
