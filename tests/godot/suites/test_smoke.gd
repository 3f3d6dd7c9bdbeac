extends TestSuite
## Every class is made and used once: what is run first in a Godot, or on a platform, that is new.

const TileKit := preload("res://tiles/tile_kit.gd")
const MAP := """
	........
	...#....
	........
	########
"""
const START := Vector2i(0, 0)
const GOAL := Vector2i(7, 2)

var _grid: PathForgeGrid


func before_each() -> void:
	_grid = add(PathForgeGrid.new())
	_grid.set_from_text(MAP)


func test_every_class_has_a_test_here() -> void:
	var config := ConfigFile.new()
	check_eq(config.load("res://addons/pathforge/pathforge.gdextension"), OK)
	var source := (get_script() as GDScript).source_code
	for name: String in config.get_section_keys("icons"):
		check(ClassDB.class_exists(name), "%s is registered" % name)
		check(source.contains(name + ".new()") or source.contains(": %s =" % name), name)


func test_paths_and_reasons() -> void:
	var profile := PathForgeProfile.new()
	profile.footprint = Vector2i(2, 1)
	var path: PathForgePath = _grid.find_path(START, Vector2i(6, 2), profile)
	check(path.is_complete(), path.describe())
	check_eq(path.cells[0], START)
	var why: PathForgeDiagnosis = _grid.explain(START, Vector2i(3, 3))
	check(not why.text.is_empty(), "a reason")
	var crowd := PathForgeCrowd.new()
	var kept_off: PathForgeBlockage = crowd.get_blockage(0)
	check_eq(kept_off.ids.size(), 0, "there is no agent")
	crowd.free()
	var map := PathForgeMap.new()
	map.grid.set_from_text(MAP)
	check_eq(map.grid.state_hash(), _grid.state_hash())


func test_answers_come_from_workers() -> void:
	var answers: Array[int] = []
	_grid.path_answered.connect(
		func(ticket: int, _path: PathForgePath) -> void: answers.append(ticket)
	)
	var ticket := _grid.request_path(START, GOAL)
	check(await wait_until(func() -> bool: return answers == [ticket]), "it is answered")


func test_fields_and_maps() -> void:
	var field: FlowField = FlowField.new()
	field.grid = _grid
	add(field)
	field.goals = [GOAL]
	check(await wait_until(field.is_ready), "the field is made")
	check(field.get_cost(START) > 0.0, "it has costs")
	var danger: InfluenceMap = InfluenceMap.new()
	danger.grid = _grid
	add(danger)
	danger.add_stamp(GOAL, 8.0, 2.0)
	check_eq(danger.get_influence(GOAL), 8.0)
	var room: ClearanceMap = ClearanceMap.new()
	room.grid = _grid
	add(room)
	check(room.get_clearance(START) > 0.0, "there is room")


func test_a_grid_in_space() -> void:
	var space := PathForgeSpace3D.new()
	space.grid = _grid
	add(space)
	check_eq(space.global_to_cell(space.cell_to_global(GOAL)), GOAL)


func test_agents_and_obstacles() -> void:
	var obstacle := PathForgeObstacle2D.new()
	obstacle.grid = _grid
	obstacle.position = _grid.cell_to_local(Vector2i(5, 0))
	add(obstacle)
	await physics_frames(2)
	check(_grid.has_obstacle_at(Vector2i(5, 0)), "it blocks the cell below it")
	var body := Node2D.new()
	var agent := PathForgeAgent2D.new()
	agent.grid = _grid
	body.add_child(agent)
	body.position = _grid.cell_to_local(START)
	add(body)
	agent.target_position = _grid.cell_to_global(GOAL)
	var walks := func() -> bool: return agent.get_next_velocity(60.0) != Vector2.ZERO
	check(await wait_until(walks), "it walks")
	check(agent.is_target_reachable(), "it can get there")


func test_agents_in_3d() -> void:
	var space := PathForgeSpace3D.new()
	_grid.add_child(space)
	var body := Node3D.new()
	var agent := PathForgeAgent3D.new()
	agent.space = space
	body.add_child(agent)
	body.position = space.cell_to_global(START)
	add(body)
	agent.target_position = space.cell_to_global(GOAL)
	var walks := func() -> bool: return agent.get_next_velocity(3.0) != Vector3.ZERO
	check(await wait_until(walks), "it walks")
	check(agent.is_target_reachable(), "it can get there")
	var obstacle := PathForgeObstacle3D.new()
	obstacle.space = space
	obstacle.position = space.cell_to_global(Vector2i(5, 0))
	add(obstacle)
	check(_grid.has_obstacle_at(Vector2i(5, 0)), "it blocks the cell below it")


func test_links() -> void:
	var link := PathForgeLink2D.new()
	link.start_position = _grid.cell_to_local(START)
	link.end_position = _grid.cell_to_local(GOAL)
	link.cost = 1.0
	_grid.add_child(link)
	check_eq(_grid.find_path(START, GOAL).link_ids, PackedInt32Array([link.get_link_id()]))
	var space := PathForgeSpace3D.new()
	_grid.add_child(space)
	var link_3d := PathForgeLink3D.new()
	link_3d.start_position = space.cell_to_global(GOAL)
	link_3d.end_position = space.cell_to_global(START)
	space.add_child(link_3d)
	check_eq(_grid.get_link_owner(link_3d.get_link_id()), link_3d)


func test_crowds() -> void:
	var crowd := PathForgeCrowd.new()
	crowd.grid = _grid
	crowd.auto_step = false
	add(crowd)
	var ids := crowd.add_agents(PackedVector2Array([_grid.cell_to_local(START)]))
	crowd.assign_goal(ids, GOAL)
	for step: int in 60:
		crowd.step(1.0 / 60.0)
	check(crowd.get_positions()[0] != _grid.cell_to_local(START), "it walks")


func test_side_views() -> void:
	var platformer := PathForgePlatformer.new()
	platformer.grid = _grid
	add(platformer)
	var jumper := PathForgeJumpProfile.new()
	var path := platformer.find_path(Vector2i(0, 2), GOAL, jumper)
	check(path.is_complete(), path.describe())
	var follower := PathForgePlatformFollower.new()
	follower.follow(path)
	follower.step(platformer.cell_to_global(Vector2i(0, 2), jumper), Vector2.ZERO, true, 0.02)
	check(follower.is_following(), "it is under way")


func test_tiles_and_polygons() -> void:
	var kit := TileKit.new(2)
	kit.navigate(0, [TileKit.BOX])
	kit.collide(1, TileKit.BOX)
	var layer: TileMapLayer = add(kit.layer("000\n000\n001"))
	var rules := PathForgeTileRules.new()
	rules.empty_solid = true
	check(_grid.import_tile_map_layers([layer], rules), "tiles are read")
	check(_grid.is_point_solid(Vector2i(2, 2)), "a tile with a collision shape is solid")
	var map: GridMap = add(GridMap.new())
	map.mesh_library = MeshLibrary.new()
	map.mesh_library.create_item(0)
	map.mesh_library.set_item_name(0, "ground")
	map.set_cell_item(Vector3i.ZERO, 0)
	var item_rules := PathForgeItemRules.new()
	item_rules.floor_items = ["*"]
	var space := PathForgeSpace3D.new()
	_grid.add_child(space)
	space.cell_size = Vector2(2.0, 2.0)
	check_eq(space.import_grid_map(map, item_rules), true, "an item is read")
	var baker := PathForgeNavigationBaker.new()
	add(baker)
	baker.source_layers = [layer]
	check(baker.bake().get_polygon_count() > 0, "polygons")
