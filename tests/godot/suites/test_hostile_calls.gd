extends TestSuite
## Every method and property of every class of the addon, with arguments that no careful caller
## passes. The classes are read from [ClassDB]: what is added tomorrow is covered tomorrow.
## Errors are what should come of it; a panic, a crash, a hang or a leak fails the run.

const CALLS_PER_METHOD := 24
const VALUES_PER_PROPERTY := 12


func test_every_method_survives() -> void:
	_allow_errors()
	var calls := 0
	for class_wanted: String in _classes():
		for method: Dictionary in ClassDB.class_get_method_list(class_wanted, true):
			calls += _call_method(class_wanted, method)
		await frames(2)
	check(calls > 100, "%d calls" % calls)


func test_every_property_survives() -> void:
	_allow_errors()
	var values := 0
	for class_wanted: String in _classes():
		values += _set_properties(class_wanted)
		await frames(2)
	check(values > 100, "%d values" % values)


func _allow_errors() -> void:
	for part: String in HostileValues.EXPECTED_ERRORS:
		allow_errors(part)


func _classes() -> Array[String]:
	var classes: Array[String] = []
	for class_found: String in ClassDB.get_class_list():
		var api := ClassDB.class_get_api_type(class_found)
		if api == ClassDB.API_EXTENSION and ClassDB.can_instantiate(class_found):
			classes.append(class_found)
	check(classes.has("PathForgeGrid"), "the addon's classes: %s" % str(classes))
	return classes


## Half of the calls go to an object outside the tree, half to an object beside a grid.
func _call_method(class_wanted: String, method: Dictionary) -> int:
	var method_name: String = method["name"]
	var flags: int = method["flags"]
	if flags & METHOD_FLAG_VIRTUAL or method_name.begins_with("_"):
		return 0
	var values := HostileValues.new(hash(class_wanted + method_name))
	for index: int in CALLS_PER_METHOD:
		var object := _fresh(class_wanted, index % 2 == 0)
		object.callv(method_name, values.arguments_of(method))
		_dispose(object)
	return CALLS_PER_METHOD


func _set_properties(class_wanted: String) -> int:
	var count := 0
	var values := HostileValues.new(hash(class_wanted))
	for property: Dictionary in ClassDB.class_get_property_list(class_wanted, true):
		var usage: int = property["usage"]
		if usage & (PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP | PROPERTY_USAGE_CATEGORY):
			continue
		var property_name: String = property["name"]
		for index: int in VALUES_PER_PROPERTY:
			var object := _fresh(class_wanted, index % 2 == 0)
			object.set(property_name, values.value_for(property))
			object.get(property_name)
			_dispose(object)
		count += VALUES_PER_PROPERTY
	return count


func _fresh(class_wanted: String, in_tree: bool) -> Object:
	var object: Object = ClassDB.instantiate(class_wanted)
	if object is PathForgeGrid:
		(object as PathForgeGrid).set_from_text("......\n.##...\n...~..\n......")
	if object is Node and in_tree:
		var place := Node2D.new()
		var grid := PathForgeGrid.new()
		grid.set_from_text("......\n.##...\n...~..\n......")
		place.add_child(grid)
		place.add_child(object as Node)
		add(place)
	return object


func _dispose(object: Object) -> void:
	if not object is Node:
		return
	var node := object as Node
	var place := node.get_parent()
	if place == null:
		node.free()
	else:
		place.free()
