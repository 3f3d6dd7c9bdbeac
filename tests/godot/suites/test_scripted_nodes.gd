extends TestSuite
## A script on a node never stops it: Godot calls a script's virtual methods instead of the
## class's own, so nodes need none.

const TileKit := preload("res://tiles/tile_kit.gd")
## Virtual methods that a script may have for good reasons.
const VIRTUALS: Array[String] = [
	"_process(_delta: float)",
	"_physics_process(_delta: float)",
	"_ready()",
	"_enter_tree()",
	"_exit_tree()",
	"_draw()",
	"_notification(_what: int)",
	"_input(_event: InputEvent)",
]

var _grid: PathForgeGrid = null


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, 20, 20)
	add(_grid)


func test_a_grid_answers_requests() -> void:
	# The only one in the tree, for the monitors.
	_grid.free()
	for virtuals: Array[String] in _sets():
		var grid: PathForgeGrid = _scripted("PathForgeGrid", virtuals)
		grid.region = Rect2i(0, 0, 9, 9)
		add(grid)
		for visit: int in 2:
			var answers: Array[PathForgePath] = []
			grid.request_path(Vector2i.ZERO, Vector2i(8, 8), null, 0, answers.append)
			var is_answered := await wait_until(func() -> bool: return not answers.is_empty())
			check(is_answered, "%s: no answer at visit %d" % [virtuals, visit])
			root.remove_child(grid)
			add(grid)
		var has_monitors := Performance.has_custom_monitor(&"PathForge/Memory bytes")
		check(has_monitors, "%s: there are no monitors" % [virtuals])
		grid.free()
		has_monitors = Performance.has_custom_monitor(&"PathForge/Memory bytes")
		check(not has_monitors, "%s: monitors are left" % [virtuals])


func test_a_grid_imports_before_its_script_is_ready() -> void:
	var kit := TileKit.new(3)
	kit.collide(0, TileKit.BOX)
	var layer: TileMapLayer = add(kit.layer("0222\n2222"))
	for virtuals: Array[String] in _sets():
		var grid: PathForgeGrid = _scripted("PathForgeGrid", virtuals)
		grid.source_layers = [layer]
		grid.import_on_ready = true
		var seen: Array[Rect2i] = []
		var note := func(region: Rect2i) -> void:
			# A handler may ask and edit.
			seen.append(region)
			if seen.size() == 1:
				grid.set_point_solid(Vector2i(3, 1))
		grid.cells_changed.connect(note)
		add(grid)
		check_eq(grid.region, Rect2i(0, 0, 4, 2), str(virtuals))
		check_eq(grid.get_solid_data().count(1), 2, str(virtuals))
		check(seen.size() >= 2, "%s: it announced %s" % [virtuals, seen])
		grid.free()


func test_a_script_sees_what_was_imported_when_it_is_ready() -> void:
	var kit := TileKit.new(3)
	kit.collide(0, TileKit.BOX)
	var script := GDScript.new()
	script.source_code = "extends PathForgeGrid\nvar solid := -1\nfunc _ready() -> void:\n"
	script.source_code += "\tsolid = get_solid_data().count(1)\n"
	script.reload()
	var grid: PathForgeGrid = script.new()
	grid.source_layers = [add(kit.layer("0222\n2220"))]
	grid.import_on_ready = true
	add(grid)
	check_eq(grid.get("solid"), 2)


func test_an_agent_walks() -> void:
	for virtuals: Array[String] in _sets():
		var body := Node2D.new()
		body.position = Vector2(40, 40)
		var agent: PathForgeAgent2D = _scripted("PathForgeAgent2D", virtuals)
		body.add_child(agent)
		# Before there is a grid, so that the agent has to ask for a path by itself.
		agent.target_position = Vector2(200, 200)
		_grid.add_child(body)
		var has_path := func() -> bool: return agent.get_current_path() != null
		check(await wait_until(has_path), "%s: no path" % [virtuals])
		for frame: int in 5:
			await physics_frames()
			body.position += agent.get_next_velocity(600.0) / 60.0
		check(body.position.x > 60.0, "%s: it is at %s" % [virtuals, body.position])
		body.free()


func test_an_obstacle_follows_its_body() -> void:
	for virtuals: Array[String] in _sets():
		var body := Node2D.new()
		body.position = Vector2(40, 40)
		var obstacle: PathForgeObstacle2D = _scripted("PathForgeObstacle2D", virtuals)
		body.add_child(obstacle)
		_grid.add_child(body)
		check(_grid.has_obstacle_at(Vector2i(2, 2)), "%s: there at once" % [virtuals])
		body.position = Vector2(136, 136)
		await frames(2)
		check(not _grid.has_obstacle_at(Vector2i(2, 2)), "%s: it has left" % [virtuals])
		check(_grid.has_obstacle_at(Vector2i(8, 8)), "%s: it has followed" % [virtuals])
		_grid.remove_child(body)
		check(not _grid.has_obstacle_at(Vector2i(8, 8)), "%s: gone with its body" % [virtuals])
		_grid.add_child(body)
		check(_grid.has_obstacle_at(Vector2i(8, 8)), "%s: and back" % [virtuals])
		body.free()
		check(not _grid.has_obstacle_at(Vector2i(8, 8)), "%s: freed" % [virtuals])


func test_a_crowd_walks_and_is_shown() -> void:
	for virtuals: Array[String] in _sets():
		var crowd: PathForgeCrowd = _scripted("PathForgeCrowd", virtuals)
		crowd.multimesh = MultiMesh.new()
		_grid.add_child(crowd)
		var ids := crowd.add_agents(PackedVector2Array([Vector2(24, 24)]), null, 900.0)
		crowd.assign_goal(ids, Vector2i(15, 15))
		await physics_frames(12)
		await frames(2)
		var position := crowd.get_agent_position(ids[0])
		check(position.x > 60.0, "%s: it is at %s" % [virtuals, position])
		check_eq(crowd.multimesh.visible_instance_count, 1, str(virtuals))
		crowd.free()


func test_a_field_leads() -> void:
	for virtuals: Array[String] in _sets():
		var field: FlowField = _scripted("FlowField", virtuals)
		field.goals = [Vector2i(15, 1)]
		_grid.add_child(field)
		await frames(4)
		check_eq(field.sample(Vector2(24, 24)), Vector2.RIGHT, str(virtuals))
		field.free()


func test_an_influence_follows_its_node() -> void:
	for virtuals: Array[String] in _sets():
		var map: InfluenceMap = _scripted("InfluenceMap", virtuals)
		_grid.add_child(map)
		var tower := Node2D.new()
		tower.position = Vector2(40, 40)
		_grid.add_child(tower)
		map.attach_stamp(tower, 5.0, 2.0)
		tower.position = Vector2(136, 136)
		await frames(3)
		check_eq(map.get_influence(Vector2i(8, 8)), 5.0, str(virtuals))
		tower.free()
		map.free()


func test_a_clearance_map_tells_of_edits() -> void:
	for virtuals: Array[String] in _sets():
		var map: ClearanceMap = _scripted("ClearanceMap", virtuals)
		_grid.add_child(map)
		var regions: Array[Rect2i] = []
		map.clearance_changed.connect(func(region: Rect2i) -> void: regions.append(region))
		check_eq(map.get_clearance(Vector2i(3, 3)), 17, str(virtuals))
		_grid.set_point_solid(Vector2i(4, 4))
		check_eq(map.get_clearance(Vector2i(3, 3)), 1, str(virtuals))
		check_eq(regions.size(), 1, str(virtuals))
		_grid.set_point_solid(Vector2i(4, 4), false)
		map.free()


func test_a_baker_hands_out_its_bake() -> void:
	for virtuals: Array[String] in _sets():
		var baker: PathForgeNavigationBaker = _scripted("PathForgeNavigationBaker", virtuals)
		var parent: Node2D = add(Node2D.new())
		baker.output_parent = parent
		baker.bake_on_ready = true
		_grid.add_child(baker)
		check(baker.get_region_count() > 0, "%s: nothing was baked on ready" % [virtuals])
		var polygons: Array[NavigationPolygon] = []
		baker.bake_finished.connect(
			func(polygon: NavigationPolygon) -> void: polygons.append(polygon)
		)
		baker.bake_async()
		var is_done := await wait_until(func() -> bool: return not polygons.is_empty())
		check(is_done, "%s: bake_async did not finish" % [virtuals])
		baker.free()
		parent.free()


func test_a_baker_may_hold_its_regions_itself() -> void:
	var baker := PathForgeNavigationBaker.new()
	var entered: Array[int] = []
	# A handler may ask the baker.
	baker.child_entered_tree.connect(
		func(_region: Node) -> void: entered.append(baker.get_region_count())
	)
	_grid.add_child(baker)
	baker.output_parent = baker
	baker.bake()
	check(baker.get_region_count() > 0, "it has regions")
	check_eq(entered.size(), baker.get_region_count())
	check_eq(baker.get_child_count(), baker.get_region_count())


func test_a_platformer_finds_paths() -> void:
	for virtuals: Array[String] in _sets():
		var platformer: PathForgePlatformer = _scripted("PathForgePlatformer", virtuals)
		platformer.debug_enabled = true
		var grid: PathForgeGrid = add(PathForgeGrid.new())
		grid.set_from_text("....\n....\n####")
		grid.add_child(platformer)
		var profile := PathForgeJumpProfile.new()
		check(
			platformer.find_path(Vector2i(0, 1), Vector2i(3, 1), profile).is_complete(),
			str(virtuals)
		)
		await frames(2)
		grid.free()


func test_nodes_pause_as_their_process_mode_says() -> void:
	var obstacle := PathForgeObstacle2D.new()
	obstacle.position = Vector2(40, 40)
	_grid.add_child(obstacle)
	obstacle.process_mode = Node.PROCESS_MODE_DISABLED
	obstacle.position = Vector2(136, 136)
	await frames(3)
	check(_grid.has_obstacle_at(Vector2i(2, 2)), "disabled: where it was")
	obstacle.process_mode = Node.PROCESS_MODE_INHERIT
	await frames(2)
	check(_grid.has_obstacle_at(Vector2i(8, 8)), "enabled: it has followed")
	root.get_tree().paused = true
	obstacle.position = Vector2(40, 40)
	await frames(3)
	check(_grid.has_obstacle_at(Vector2i(8, 8)), "paused: where it was")
	obstacle.process_mode = Node.PROCESS_MODE_ALWAYS
	await frames(2)
	check(_grid.has_obstacle_at(Vector2i(2, 2)), "it processes while the game is paused")
	root.get_tree().paused = false


func test_a_duplicate_works_by_itself() -> void:
	var obstacle := PathForgeObstacle2D.new()
	obstacle.position = Vector2(40, 40)
	_grid.add_child(obstacle)
	var other: PathForgeObstacle2D = obstacle.duplicate()
	other.position = Vector2(136, 136)
	_grid.add_child(other)
	obstacle.free()
	other.position = Vector2(72, 72)
	await frames(2)
	check(_grid.has_obstacle_at(Vector2i(4, 4)), "it follows")
	check(not _grid.has_obstacle_at(Vector2i(8, 8)), "it has left")


func test_handlers_in_a_frame_may_free_and_move_nodes() -> void:
	var first := PathForgeObstacle2D.new()
	var second := PathForgeObstacle2D.new()
	var third := PathForgeObstacle2D.new()
	for obstacle: PathForgeObstacle2D in [first, second, third]:
		obstacle.position = Vector2(40, 40)
		_grid.add_child(obstacle)
	await frames(2)
	var elsewhere: Node2D = add(Node2D.new())
	var note := func(_region: Rect2i) -> void:
		second.free()
		_grid.remove_child(third)
		elsewhere.add_child(third)
	_grid.cells_changed.connect(note, CONNECT_ONE_SHOT)
	first.position = Vector2(136, 136)
	await frames(3)
	check(not is_instance_valid(second), "it was freed in the frame")
	check(_grid.has_obstacle_at(Vector2i(8, 8)), "the first has followed")
	third.free()
	check(
		not _grid.has_obstacle_at(Vector2i(2, 2)), "the third was found beside its grid, and freed"
	)


## No virtual, each alone, and all of them.
func _sets() -> Array[Array]:
	var none: Array[String] = []
	var sets: Array[Array] = [none]
	for virtual: String in VIRTUALS:
		var one: Array[String] = [virtual]
		sets.append(one)
	sets.append(VIRTUALS.duplicate())
	return sets


## A node of a class with a script that has these methods, which do nothing.
func _scripted(class_wanted: String, virtuals: Array[String]) -> Node:
	var script := GDScript.new()
	script.source_code = "extends %s\n" % class_wanted
	for virtual: String in virtuals:
		script.source_code += "\n\nfunc %s -> void:\n\tpass\n" % virtual
	script.reload()
	return script.new()
