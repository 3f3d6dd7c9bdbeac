extends TestSuite
## What a node found by itself can be asked, and the property keeps what was set.


func test_every_class_that_finds_its_map_says_which_counts() -> void:
	var found: Array[String] = []
	for name: String in ClassDB.get_class_list():
		if ClassDB.class_get_api_type(name) != ClassDB.API_EXTENSION:
			continue
		for link: String in ["grid", "space", "crowd"]:
			var is_set := ClassDB.class_get_property_setter(name, link) != &""
			# A crowd is in no space unless it is given one.
			if is_set and not (name == "PathForgeCrowd" and link == "space"):
				found.append(name)
				var method := "get_effective_" + link
				check(ClassDB.class_has_method(name, method), "%s.%s" % [name, method])
	check(found.size() >= 10, str(found))


func test_nodes_say_what_they_found() -> void:
	var level: Node2D = add(Node2D.new())
	var classes: Array[String] = [
		"PathForgeAgent2D",
		"PathForgeObstacle2D",
		"PathForgeLink2D",
		"PathForgeCrowd",
		"PathForgePlatformer",
		"PathForgeNavigationBaker",
		"FlowField",
		"InfluenceMap",
		"ClearanceMap",
	]
	var nodes: Array[Node] = []
	for name: String in classes:
		var node: Node = ClassDB.instantiate(name)
		level.add_child(node)
		nodes.append(node)
		check_eq(node.call("get_effective_grid"), null, "%s without a grid" % name)
	var grid := PathForgeGrid.new()
	level.add_child(grid)
	var other := PathForgeGrid.new()
	add(other)
	for node: Node in nodes:
		check_eq(node.call("get_effective_grid"), grid, "%s finds it" % node.get_class())
		check_eq(node.get("grid"), null, "%s: none was set" % node.get_class())
		node.set("grid", other)
		check_eq(
			node.call("get_effective_grid"), other, "%s: the one that is set" % node.get_class()
		)
	other.free()
	for node: Node in nodes:
		check_eq(node.call("get_effective_grid"), grid, "%s: it is gone" % node.get_class())
		if node is PathForgeCrowd:
			continue
		node.get_parent().remove_child(node)
		check_eq(node.call("get_effective_grid"), null, "%s: nowhere" % node.get_class())
		node.free()


func test_nodes_of_space_say_what_they_found() -> void:
	var level: Node3D = add(Node3D.new())
	var space := PathForgeSpace3D.new()
	var agent := PathForgeAgent3D.new()
	var obstacle := PathForgeObstacle3D.new()
	var link := PathForgeLink3D.new()
	var body := Node3D.new()
	body.add_child(agent)
	body.add_child(obstacle)
	body.add_child(link)
	level.add_child(body)
	for node: Node in [agent, obstacle, link]:
		check_eq(node.call("get_effective_space"), null, "without a space")
		check_eq(node.call("get_effective_grid"), null, "without a space")
	check_eq(agent.get_effective_crowd(), null)
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 30, 30)
	grid.cell_size = Vector2.ONE
	grid.add_child(space)
	level.add_child(grid)
	check_eq(space.get_effective_grid(), grid)
	check_eq(space.grid, null)
	for node: Node in [agent, obstacle, link]:
		check_eq(node.call("get_effective_space"), space)
		check_eq(node.call("get_effective_grid"), grid)
		check_eq(node.get("space"), null, "none was set")
	check_eq(agent.get_effective_crowd(), null, "it is made when a velocity is asked for")
	agent.get_next_velocity(3.0)
	var crowd := agent.get_effective_crowd()
	check(crowd != null and crowd.get_parent() == grid, "the grid's own")
	check_eq(crowd.get_effective_grid(), grid)
	check_eq(agent.crowd, null)
	var named := PathForgeCrowd.new()
	grid.add_child(named)
	agent.crowd = named
	check_eq(agent.get_effective_crowd(), named)
