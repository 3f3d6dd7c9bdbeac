extends TestSuite
## What threads may not do is an error, never a wait: every method of every class is called on a
## thread while the main thread runs frames. A hang of the main thread ends by the time limit of the
## whole run.

const REFUSAL := "only the main thread may call it"
const ROUNDS := 6

var _grid: PathForgeGrid = null
var _crowd: PathForgeCrowd = null
var _agent: PathForgeAgent2D = null
var _objects: Array[Object] = []
var _stop := false


func before_each() -> void:
	_stop = false
	_objects.clear()
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, 60, 60)
	add(_grid)
	_crowd = PathForgeCrowd.new()
	var space := PathForgeSpace3D.new()
	var field := FlowField.new()
	field.goals = [Vector2i(20, 20)]
	var nodes: Array[Node] = [
		_crowd,
		space,
		field,
		InfluenceMap.new(),
		ClearanceMap.new(),
		PathForgePlatformer.new(),
		PathForgeNavigationBaker.new(),
		PathForgeLink2D.new(),
	]
	for node: Node in nodes:
		_grid.add_child(node)
	_grid.influences = [nodes[3] as InfluenceMap]
	var body := Node2D.new()
	_agent = PathForgeAgent2D.new()
	_agent.crowd = _crowd
	body.add_child(_agent)
	body.add_child(PathForgeObstacle2D.new())
	add(body)
	_agent.target_position = Vector2(900, 900)
	var body_3d := Node3D.new()
	var agent_3d := PathForgeAgent3D.new()
	agent_3d.space = space
	body_3d.add_child(agent_3d)
	body_3d.add_child(PathForgeObstacle3D.new())
	add(body_3d)
	var link_3d := PathForgeLink3D.new()
	space.add_child(link_3d)
	var ids := _crowd.add_agents([Vector2(50, 50), Vector2(300, 300)])
	_crowd.assign_goal(ids, Vector2i(50, 50))
	_objects.assign(nodes)
	_objects.append_array(
		[_agent, body.get_child(1), agent_3d, body_3d.get_child(1), link_3d] as Array[Object]
	)
	await frames(3)


func test_a_thread_that_asks_an_agent() -> void:
	allow_errors(REFUSAL)
	for asked: Array in [[_agent, "get_blockage", []], [_crowd, "get_blockage", [0]]]:
		await _beside_frames(_ask.bind(asked))
		_stop = false


func test_methods_of_nodes_are_refused() -> void:
	var calls: Array[Array] = []
	for object: Object in _objects:
		for method: Dictionary in _methods(object.get_class()):
			calls.append([object, method])
	check(calls.size() > 300, "%d methods" % calls.size())
	expect_errors(calls.size(), REFUSAL)
	for answer: Array in await _beside_frames(_call_each.bind(calls)):
		check(answer[1], "%s: an answer of its type" % [answer[0]])


func test_properties_of_a_grid_are_refused() -> void:
	var calls: Array[Array] = []
	for property: Dictionary in ClassDB.class_get_property_list("PathForgeGrid", true):
		var property_name: StringName = property["name"]
		for accessor: StringName in [
			ClassDB.class_get_property_getter("PathForgeGrid", property_name),
			ClassDB.class_get_property_setter("PathForgeGrid", property_name),
		]:
			for method: Dictionary in _methods("PathForgeGrid", true):
				if method["name"] == accessor:
					calls.append([_grid, method])
	check(calls.size() > 30, "%d accessors" % calls.size())
	expect_errors(calls.size(), REFUSAL)
	await _beside_frames(_call_each.bind(calls))


func test_everything_else_is_over_some_time() -> void:
	for part: String in HostileValues.EXPECTED_ERRORS:
		allow_errors(part)
	var profile := PathForgeProfile.new()
	var ask := func() -> void: _grid.find_path(Vector2i.ZERO, Vector2i.ONE, profile)
	profile.changed.connect(ask)
	_agent.profile = profile
	var objects: Array[Object] = [
		_grid,
		profile,
		_grid.find_path(Vector2i.ZERO, Vector2i(9, 9), profile),
		_grid.explain(Vector2i.ZERO, Vector2i(9, 9)),
		_crowd.get_blockage(0),
		PathForgePlatformFollower.new(),
		PathForgeJumpProfile.new(),
	]
	var calls: Array[Array] = []
	for object: Object in objects:
		for method: Dictionary in _methods(object.get_class()):
			# A profile's own values stay what the main thread makes them.
			if not (object == profile and str(method["name"]).begins_with("set_")):
				calls.append([object, method])
	var work := func() -> void:
		for _round: int in ROUNDS:
			_call_each(calls)
			for _query: int in 500:
				_grid.find_path(Vector2i.ZERO, Vector2i(9, 9), profile)
	await _beside_frames(work, profile)
	# The handler holds the profile that holds it.
	profile.changed.disconnect(ask)


func test_nodes_outside_the_tree_are_free() -> void:
	var thread := Thread.new()
	var work := func() -> int:
		var map := PathForgeMap.new()
		map.grid.region = Rect2i(0, 0, 9, 9)
		var crowd := PathForgeCrowd.new()
		crowd.grid = map.grid
		crowd.add_agents([Vector2(24, 24)])
		var count := crowd.get_agent_count()
		crowd.free()
		return count
	thread.start(work)
	check_eq(thread.wait_to_finish(), 1)


## What [param work] returns on a thread, while the main thread runs frames in which everything
## works.
func _beside_frames(work: Callable, profile: PathForgeProfile = null) -> Variant:
	var thread := Thread.new()
	thread.start(work)
	var limit := Limit.new(60.0)
	var count := 0
	while thread.is_alive() and not limit.is_over():
		_agent.get_next_velocity(50.0)
		if profile != null:
			profile.footprint = Vector2i.ONE + profile.footprint % 2
		await frames()
		count += 1
		_stop = count > 60
	if not check(not thread.is_alive(), "the thread comes back"):
		return []
	return thread.wait_to_finish()


func _ask(asked: Array) -> void:
	var object: Object = asked[0]
	while not _stop:
		object.callv(asked[1], asked[2])
		OS.delay_msec(1)


func _call_each(calls: Array[Array]) -> Array[Array]:
	var answers: Array[Array] = []
	for call: Array in calls:
		var object: Object = call[0]
		var method: Dictionary = call[1]
		var arguments: Array = []
		for argument: Dictionary in method["args"]:
			var type: Variant.Type = argument["type"]
			arguments.append(type_convert(null, type))
		var answer: Variant = object.callv(method["name"], arguments)
		var wanted: int = method["return"]["type"]
		var fits := typeof(answer) == wanted or wanted == TYPE_OBJECT and answer == null
		answers.append(["%s.%s" % [object.get_class(), method["name"]], fits])
	return answers


## The methods that scripts call; with [param accessors] also those of stored properties.
func _methods(class_wanted: String, accessors := false) -> Array[Dictionary]:
	var methods: Array[Dictionary] = []
	for method: Dictionary in ClassDB.class_get_method_list(class_wanted, true):
		var flags: int = method["flags"]
		var is_hidden := str(method["name"]).begins_with("_") and not accessors
		if not is_hidden and not flags & (METHOD_FLAG_VIRTUAL | METHOD_FLAG_STATIC):
			methods.append(method)
	return methods
