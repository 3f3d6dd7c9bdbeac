extends TestSuite
## How nodes find their grid, and what they say where there is none: once, when they need it.

const NO_GRID := "there is no grid; set `grid`, or put the node below a PathForgeGrid or something"


func test_an_agent_finds_the_grid_beside_its_body() -> void:
	var level: Node2D = add(Node2D.new())
	var grid := _grid_below(level)
	var agent := _agent_below(level)
	agent.target_position = Vector2(200, 200)
	var has_path := func() -> bool: return agent.get_current_path() != null
	check(await wait_until(has_path), "it has a path")
	check(agent.get_current_path().is_complete(), agent.get_current_path().describe())
	grid.free()


func test_the_nearest_grid_counts() -> void:
	var level: Node2D = add(Node2D.new())
	_grid_below(root).name = "Far"
	var squad := Node2D.new()
	level.add_child(squad)
	var body := Node2D.new()
	squad.add_child(body)
	var obstacle := PathForgeObstacle2D.new()
	body.add_child(obstacle)
	check_eq(_holder(obstacle), "Far", "a child of the root")
	_grid_below(level).name = "Second"
	check_eq(_holder(obstacle), "Second", "beside the squad")
	_grid_below(squad).name = "Third"
	check_eq(_holder(obstacle), "Third", "beside the body")
	_grid_below(squad).name = "Fourth"
	check_eq(_holder(obstacle), "Third", "the first of two")
	_grid_below(body).name = "Fifth"
	check_eq(_holder(obstacle), "Fifth", "beside the obstacle")


func test_a_node_outside_the_tree_finds_the_same() -> void:
	var level := Node2D.new()
	_grid_below(level)
	var body := Node2D.new()
	level.add_child(body)
	var field := FlowField.new()
	body.add_child(field)
	field.goals = [Vector2i(5, 5)]
	field.rebuild()
	check_eq(field.get_cost(Vector2i(5, 4)), 1.0)
	level.free()


func test_an_agent_without_a_grid_warns_once_and_fails() -> void:
	expect_warnings(1, NO_GRID)
	expect_warnings(1, "PathForgeAgent2D")
	var level: Node2D = add(Node2D.new())
	var agent := _agent_below(level)
	var refused: Array[PathForgePath] = []
	agent.navigation_failed.connect(refused.append)
	await frames(3)
	check(refused.is_empty(), "nothing is wrong before it has a target")
	agent.target_position = Vector2(200, 200)
	await frames(5)
	check_eq(refused.size(), 1)
	check_eq(refused[0].reason, PathForgePath.REASON_NO_GRID)
	check_eq(refused[0].status, PathForgePath.STATUS_INVALID)
	check(refused[0].describe().contains("there is no grid"), refused[0].describe())
	check(agent.is_navigation_finished(), "there is nothing to walk to")
	agent.target_position = Vector2(100, 100)
	await frames(5)
	check_eq(refused.size(), 2, "another target, another answer")
	_grid_below(level)
	var has_path := func() -> bool: return not agent.is_navigation_finished()
	check(await wait_until(has_path), "with a grid it goes on")
	check_eq(refused.size(), 2)


func test_an_agent_whose_grid_goes_says_so() -> void:
	expect_warnings(1, NO_GRID)
	var level: Node2D = add(Node2D.new())
	var grid := _grid_below(level)
	var agent := _agent_below(level)
	var refused: Array[PathForgePath] = []
	agent.navigation_failed.connect(refused.append)
	agent.target_position = Vector2(200, 200)
	var has_path := func() -> bool: return agent.get_current_path() != null
	check(await wait_until(has_path), "it has a path")
	grid.free()
	await frames(5)
	check_eq(refused.size(), 1)
	check(agent.is_navigation_finished(), "it has stopped")


func test_every_node_warns_once() -> void:
	expect_warnings(5, NO_GRID)
	for kind: String in ["Obstacle2D", "Crowd"]:
		expect_warnings(1, "PathForge%s (/root" % kind)
	for kind: String in ["FlowField", "InfluenceMap", "ClearanceMap"]:
		expect_warnings(1, "%s (/root" % kind)
	add(PathForgeObstacle2D.new())
	add(InfluenceMap.new())
	add(ClearanceMap.new())
	var field := FlowField.new()
	field.goals = [Vector2i(3, 3)]
	add(field)
	var grid := _grid_below(root)
	var crowd := PathForgeCrowd.new()
	crowd.grid = grid
	add(crowd)
	crowd.add_agents(PackedVector2Array([Vector2(24, 24)]))
	grid.free()
	await physics_frames(5)
	await frames(5)


func test_nodes_that_need_no_grid_are_silent() -> void:
	expect_warnings(0, NO_GRID)
	var off := PathForgeObstacle2D.new()
	off.enabled = false
	for node: Node in [off, PathForgeAgent2D.new(), FlowField.new(), PathForgeCrowd.new()]:
		add(node)
	# This one gets its grid in the frame in which it comes.
	var obstacle: PathForgeObstacle2D = add(PathForgeObstacle2D.new())
	_grid_below(root)
	await physics_frames(3)
	await frames(3)
	check(obstacle.get_obstacle_id() >= 0, "it has found the grid that came later")


func test_a_parent_in_3d_is_told_once() -> void:
	expect_warnings(1, "the parent is a CharacterBody3D")
	_grid_below(root)
	var body: CharacterBody3D = add(CharacterBody3D.new())
	var agent := PathForgeAgent2D.new()
	body.add_child(agent)
	agent.target_position = Vector2(9, 9)
	await frames(5)


func test_a_multimesh_in_3d_is_told_once() -> void:
	expect_warnings(1, "The multimesh has 3D transforms")
	var crowd := PathForgeCrowd.new()
	_grid_below(root).add_child(crowd)
	crowd.multimesh = MultiMesh.new()
	crowd.multimesh.transform_format = MultiMesh.TRANSFORM_3D
	crowd.add_agents(PackedVector2Array([Vector2(20, 20)]))
	await frames(5)
	check_eq(crowd.multimesh.instance_count, 0)


func _grid_below(parent: Node) -> PathForgeGrid:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 20, 20)
	parent.add_child(grid)
	return grid


func _agent_below(level: Node) -> PathForgeAgent2D:
	var body := CharacterBody2D.new()
	body.position = Vector2(40, 40)
	var agent := PathForgeAgent2D.new()
	body.add_child(agent)
	level.add_child(body)
	return agent


## The name of the grid that an obstacle stands on after it has come into the tree again.
func _holder(obstacle: PathForgeObstacle2D) -> String:
	var parent := obstacle.get_parent()
	parent.remove_child(obstacle)
	parent.add_child(obstacle)
	for grid: Node in root.find_children("*", "PathForgeGrid", true, false):
		if (grid as PathForgeGrid).has_obstacle_at(Vector2i.ZERO):
			return grid.name
	return ""
