extends TestSuite
## Laws for every class, on a [WholeStage]: whatever it refers to may be freed at any time, and
## whatever a script hears of, it may call all that there is. A panic fails the run.

enum Way { FREE, QUEUE_FREE, REMOVE }

## What may be said on a [WholeStage]: by the addon, of what its methods are given there.
const STAGE_ERRORS: Array[String] = [
	"ERROR: PathForge", "ERROR: ClearanceMap.", "ERROR: FlowField.", "ERROR: InfluenceMap."
]


func test_every_class_outlives_what_it_refers_to() -> void:
	time_limit_s = 600.0
	for part: String in STAGE_ERRORS:
		allow_errors(part)
	var stage := WholeStage.new()
	var places := stage.places()
	stage.root.free()
	for place: NodePath in places:
		for way: Way in Way.values():
			await _lose(place, way)
	check(places.size() > 20, "%d nodes" % places.size())


## Whatever a script hears of, it may call all that there is.
func test_everything_can_be_called_from_every_signal() -> void:
	time_limit_s = 600.0
	for part: String in STAGE_ERRORS:
		allow_errors(part)
	var stage := WholeStage.new()
	add(stage.root)
	stage.connect_all()
	for _round: int in 3:
		stage.walk()
		await physics_frames(2)
		stage.call_all(false)
		await frames(1)
	for node: Node in stage.root.get_children():
		stage.root.remove_child(node)
		stage.root.add_child(node)
	await frames(2)
	stage.call_all()
	stage.disconnect_all()
	check(stage.heard.size() > 20, "heard: %s" % str(stage.heard))
	stage.root.free()


func test_nodes_that_were_freed_are_given() -> void:
	for part: String in STAGE_ERRORS:
		allow_errors(part)
	var stage := WholeStage.new()
	add(stage.root)
	var given := 0
	for subject: Object in stage.subjects:
		for property: Dictionary in ClassDB.class_get_property_list(subject.get_class(), true):
			var freed := _freed(str(property["class_name"]))
			if (
				freed.is_empty()
				or (
					ClassDB
					. class_get_property_setter(subject.get_class(), str(property["name"]))
					. is_empty()
				)
			):
				continue
			var name: String = property["name"]
			var before: Object = subject.get(name)
			subject.set(name, freed[0])
			subject.call("set_" + name, freed[0])
			check_eq(subject.get(name), before, name + " is unchanged")
			subject.call("set_" + name, null)
			check_eq(subject.get(name), null, name + " is none")
			given += 1
		for method: Dictionary in ClassDB.class_get_method_list(subject.get_class(), true):
			given += _give_freed(stage, subject, method)
	check(given > 20, "%d" % given)
	await frames(2)
	stage.root.free()


## Everything on a stage meets everything else, then one node goes.
func _lose(place: NodePath, way: Way) -> void:
	var stage := WholeStage.new()
	add(stage.root)
	await physics_frames(2)
	stage.call_all(false)
	stage.walk()
	await physics_frames(2)
	stage.walk()
	var lost: Variant = stage.root.get_node(place)
	match way:
		Way.FREE:
			(lost as Node).free()
		Way.QUEUE_FREE:
			(lost as Node).queue_free()
		Way.REMOVE:
			(lost as Node).get_parent().remove_child(lost as Node)
	check(stage.call_all(false) > 200 or not is_instance_valid(stage.grid), "all were called")
	for _round: int in 2:
		stage.walk()
		await physics_frames(1)
		await frames(1)
	stage.call_all()
	await physics_frames(1)
	if is_instance_valid(lost):
		(lost as Node).free()
	stage.root.free()


## Gives a method nodes that were freed where it takes nodes. Returns whether it takes any.
func _give_freed(stage: WholeStage, subject: Object, method: Dictionary) -> int:
	var arguments := stage.arguments_of(subject, method)
	var described: Array = method["args"]
	var count := 0
	for index: int in described.size():
		var argument: Dictionary = described[index]
		var freed := _freed(str(argument["class_name"]))
		if not freed.is_empty():
			arguments[index] = freed[0]
			count = 1
	if count > 0:
		subject.callv(str(method["name"]), arguments)
	return count


## A node of a class that was freed; none for what is no node.
func _freed(class_wanted: String) -> Array:
	if not ClassDB.is_parent_class(class_wanted, "Node"):
		return []
	var node: Object = ClassDB.instantiate(class_wanted)
	var freed: Array = [node]
	node.free()
	return freed
