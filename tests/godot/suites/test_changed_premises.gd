extends WalkSuite
## A law: the data that a route was planned with may change before the first path has come, under
## way or at rest. The body goes into no closed cell of its present grid from the next frame on, and
## ends at its target or is refused with a reason.

const START: Vector2 = Vector2(2.5, 4.5)
## The frame by which a body is at its target.
const REST: int = 160
const TARGET: Vector2 = Vector2(16.5, 4.5)
## Another floor, with its wall elsewhere.
const UPPER: String = """
....................
....................
............#.......
............#.......
............#.......
............#.......
............#.......
............#.......
............#.......
....................
"""


## What changes, by name: a change in 2D and 3D alike, unless its name says which.
func _changes() -> Dictionary[String, Callable]:
	return {
		"grid 2D": func(walk: Walk) -> void: walk.agent.set("grid", _upper(walk)),
		"space 3D": _other_space,
		"grid of the space 3D": func(walk: Walk) -> void: walk.space.grid = _upper(walk),
		"profile": func(walk: Walk) -> void: walk.agent.set("profile", _wide()),
		"no profile": func(walk: Walk) -> void: walk.agent.set("profile", null),
		"footprint": func(walk: Walk) -> void: walk.profile().footprint = Vector2i(3, 3),
		"terrain_mask": func(walk: Walk) -> void: walk.profile().terrain_mask = 1,
		"diagonal mode": func(walk: Walk) -> void: walk.grid.diagonal_mode = 1,
		"region": func(walk: Walk) -> void: walk.grid.region = Rect2i(0, 0, 14, 10),
		"cell size 2D": func(walk: Walk) -> void: walk.grid.cell_size = Vector2(28, 36),
		"cell size 3D": func(walk: Walk) -> void: walk.space.cell_size = Vector2(0.9, 1.1),
		"cell shape 2D": func(walk: Walk) -> void: walk.grid.cell_shape = 2,
		"goal mode": func(walk: Walk) -> void: walk.agent.set("goal_mode", 2),
		"crowd": _other_crowd,
		"no avoidance": func(walk: Walk) -> void: walk.agent.set("avoidance_enabled", false),
		"parent": _other_parent,
		"put elsewhere": func(walk: Walk) -> void: walk.put(Vector2(11.5, 6.5)),
		"put back": func(walk: Walk) -> void: walk.put(Vector2(1.5, 8.5)),
		"grid moved 2D": func(walk: Walk) -> void: walk.grid.position += Vector2(70, 33),
		"space moved 3D": func(walk: Walk) -> void: walk.space.position += Vector3(2.2, 0, 1.1),
	}


func test_whatever_a_route_was_planned_on_changes() -> void:
	var walks: Array[Walk] = []
	var changes: Array[Callable] = []
	var frames_before: Array[int] = []
	for name: String in _changes():
		for is_in_space: bool in [false, true]:
			if name.ends_with("2D" if is_in_space else "3D"):
				continue
			for phase: String in ["before the path", "under way", "at rest"]:
				var each := Walk.new("%s, %s" % [name, phase], is_in_space)
				add(each.level)
				each.put(START)
				each.send(TARGET)
				walks.append(each)
				changes.append(_changes()[name])
				frames_before.append(
					{"before the path": 0, "under way": 35, "at rest": REST}[phase]
				)
	for frame: int in REST + 240:
		for n: int in walks.size():
			if frame == frames_before[n]:
				check_eq(walks[n].is_finished(), frame == REST, walks[n].what)
				walks[n].told.clear()
				changes[n].call(walks[n])
		for each: Walk in walks:
			each.step()
		OS.delay_usec(500)
		await physics_frames(1)
		for n: int in walks.size():
			# The frame of the change is walked by what was found before it.
			if frame == frames_before[n]:
				walks[n].forget_cells()
			elif frame > frames_before[n]:
				walks[n].look()
	for each: Walk in walks:
		check_eq(each.entered, [] as Array[String], "%s: goes into no closed cell" % each.what)
		check(each.is_finished(), "%s: ends, at %s" % [each.what, each.place()])
		var is_there: bool = each.agent.call("is_target_reached")
		var reasons := each.told.filter(func(told: String) -> bool: return told.contains(" "))
		check(
			is_there or not reasons.is_empty(),
			"%s: is there or says why not: %s at %s" % [each.what, each.told, each.place()]
		)
		if not each.what.contains("at rest"):
			check_eq(each.told.count("finished"), 1, "%s: %s" % [each.what, each.told])


func test_one_that_was_put_elsewhere_goes_on_from_there() -> void:
	var walks: Array[Walk] = []
	for is_in_space: bool in [false, true]:
		var each := Walk.new("put ahead", is_in_space, UPPER)
		add(each.level)
		each.put(START)
		each.send(TARGET)
		walks.append(each)
	await walk(walks, 30)
	for each: Walk in walks:
		check(not each.is_finished() and each.place().x < 12.0, "%s: under way" % each.what)
		# Past the wall: the corners of its path lie behind it.
		each.put(Vector2(14.5, 2.5))
	var far: Array[float] = [INF, INF]
	for _frame: int in 200:
		for n: int in 2:
			var left := walks[n].place().distance_to(TARGET)
			check(left <= far[n] + 0.01, "%s goes back at %s" % [walks[n].what, walks[n].place()])
			far[n] = left
		await walk(walks, 1)
	for each: Walk in walks:
		check(each.agent.call("is_target_reached"), "%s: %s" % [each.what, each.place()])


## Units at rest that share a profile stay where they are when it is edited, and tell nothing.
func test_a_change_that_changes_nothing_is_not_told_at_rest() -> void:
	var walks: Array[Walk] = []
	for is_in_space: bool in [false, true]:
		var each := Walk.new("at rest", is_in_space)
		add(each.level)
		each.put(START)
		each.send(START + Vector2(3, 1))
		walks.append(each)
	await walk_to_ends(walks, 200)
	for each: Walk in walks:
		each.told.clear()
		each.profile().terrain_costs = PackedFloat32Array([2.0, 1.0])
	await walk(walks, 60)
	for each: Walk in walks:
		check_eq(each.told, [] as Array[String], each.what)
		check(each.is_finished() and each.agent.call("is_target_reached"), each.what)


func _upper(walk: Walk) -> PathForgeGrid:
	var made := walk.a_grid(UPPER, walk.space != null)
	walk.level.add_child(made)
	return made


func _other_space(walk: Walk) -> void:
	var made := PathForgeSpace3D.new()
	made.grid = _upper(walk)
	walk.level.add_child(made)
	walk.agent.set("space", made)


func _wide() -> PathForgeProfile:
	var profile := PathForgeProfile.new()
	profile.footprint = Vector2i(2, 2)
	return profile


func _other_crowd(walk: Walk) -> void:
	var crowd := PathForgeCrowd.new()
	walk.grid.add_child(crowd)
	walk.agent.set("crowd", crowd)


func _other_parent(walk: Walk) -> void:
	walk.agent.set("grid" if walk.space == null else "space", null)
	var parent: Node = _upper(walk)
	if walk.space != null:
		var below := PathForgeSpace3D.new()
		parent.add_child(below)
		parent = below
	walk.body.call("reparent", parent)
