extends TestSuite
## Typed arrays and dictionaries as arguments and properties: help shows the type of the elements,
## scripts may give untyped ones. The members are read from [ClassDB].

const CELL := Vector2i(1, 1)

var _grid: PathForgeGrid = null
## Elements that fit, by the type of the element.
var _fitting: Dictionary[String, Variant] = {
	"Vector2i": CELL,
	"Vector3i": Vector3i(1, 1, 1),
	"Color": Color.RED,
	"PackedVector2Array": PackedVector2Array([Vector2(0, 0), Vector2(64, 0), Vector2(64, 64)]),
}


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, 9, 9)
	add(_grid)


func test_untyped_arrays_will_do() -> void:
	var cells: Array = [CELL]
	var untyped: Variant = _grid
	var places: PackedVector2Array = [Vector2(24, 24)]
	check_eq(_grid.cells_to_local(cells), places)
	check_eq(untyped.cells_to_local([CELL]), places)
	check_eq(_grid.callv(&"cells_to_local", [cells]), places)
	var reachable := _grid.get_reachable_cells(CELL, 1.0).keys()
	check_eq(_grid.cells_to_local(reachable).size(), reachable.size())
	var space := PathForgeSpace3D.new()
	add(space)
	space.grid = _grid
	check_eq(space.cells_to_global(cells).size(), 1)
	var field: Variant = FlowField.new()
	_grid.add_child(field as FlowField)
	field.goals = [CELL]
	check_eq(field.goals, cells)


func test_a_wrong_element_is_told_by_its_place() -> void:
	var untyped: Variant = _grid
	expect_errors(3, "PathForgeGrid.cells_to_local: cells[1] is Vector3, not a Vector2i")
	check_eq(untyped.cells_to_local([CELL, Vector3.ONE]), PackedVector2Array())
	check_eq(_grid.callv(&"cells_to_local", [[CELL, Vector3.ONE]]), PackedVector2Array())
	var mixed: Array = [CELL, Vector3.ONE]
	check_eq(_grid.cells_to_local(mixed), PackedVector2Array())
	expect_errors(1, "PathForgeGrid.cells_to_local: cells[0] is Vector2, not a Vector2i")
	check_eq(untyped.cells_to_local([Vector2.ONE] as Array[Vector2]), PackedVector2Array())
	var rules: Variant = PathForgeTileRules.new()
	rules.solid_colors = [Color.RED]
	expect_errors(1, "PathForgeTileRules.solid_colors: [1] is String, not a Color")
	rules.solid_colors = [Color.RED, "red"]
	check_eq(rules.solid_colors, [Color.RED])
	check((rules as PathForgeTileRules).solid_colors.is_typed(), "scripts get a typed array")


func test_untyped_dictionaries_will_do() -> void:
	var rules: Variant = PathForgeTileRules.new()
	var weights: Dictionary = {Color.RED: 3}
	rules.weight_colors = weights
	check_eq(rules.weight_colors, {Color.RED: 3.0})
	var kept: Dictionary[Color, float] = rules.weight_colors
	kept[Color.BLUE] = 2.0
	check_eq((rules.weight_colors as Dictionary).size(), 2, "the rules' own, as for any resource")
	expect_errors(
		1, "PathForgeTileRules.weight_colors: [(1.0, 0.0, 0.0, 1.0)] is String, not a float"
	)
	rules.weight_colors = {Color.RED: "much"}
	expect_errors(1, "PathForgeTileRules.terrain_colors: the key red is String, not a Color")
	rules.terrain_colors = {"red": 1}
	var items: Variant = PathForgeItemRules.new()
	items.terrain_items = {&"water": 1}
	check_eq(items.terrain_items, {"water": 1})


## Every method and property that shows a typed array: an array whose elements fit, one with a wrong
## element, and one of another type never stop the script that calls.
func test_no_member_stops_its_caller() -> void:
	for part: String in HostileValues.EXPECTED_ERRORS:
		if not part.begins_with("Error calling") and not part.begins_with("godot-rust"):
			allow_errors(part)
	var seen: Array[String] = []
	for class_found: String in ClassDB.get_class_list():
		if ClassDB.class_get_api_type(class_found) != ClassDB.API_EXTENSION:
			continue
		if not ClassDB.can_instantiate(class_found):
			continue
		for method: Dictionary in ClassDB.class_get_method_list(class_found, true):
			_call_with_arrays(class_found, method, seen)
	for member: String in [
		"PathForgeGrid.cells_to_local",
		"PathForgeGrid.find_paths",
		"PathForgeSpace3D.cells_to_global",
		"PathForgeSpace3D.update_grid_map",
		"PathForgeNavigationBaker.bake_from_polygons",
		"PathForgeTileRules.set_solid_colors",
		"FlowField.set_goals",
	]:
		check(member in seen, "%s has a typed array: %s" % [member, seen])


func _call_with_arrays(class_found: String, method: Dictionary, seen: Array[String]) -> void:
	var method_name: String = method["name"]
	var arguments: Array = method["args"]
	for place: int in arguments.size():
		var argument: Dictionary = arguments[place]
		if argument["type"] != TYPE_ARRAY or argument["hint"] != PROPERTY_HINT_ARRAY_TYPE:
			continue
		var element: String = argument["hint_string"]
		seen.append("%s.%s" % [class_found, method_name])
		var fitting: Variant = _fitting.get(element)
		var arrays: Array[Array] = [
			[fitting], [fitting, RefCounted.new()], [Basis.IDENTITY] as Array[Basis], []
		]
		for array: Array in arrays:
			var object: Object = ClassDB.instantiate(class_found)
			var given: Array = []
			for other: Dictionary in arguments:
				var type: Variant.Type = other["type"]
				given.append(array if type == TYPE_ARRAY else type_convert(null, type))
			var label := "%s.%s(%s)" % [class_found, method_name, array]
			check(_is_over(object, method_name, given), "%s comes back" % label)
			if object is Node:
				(object as Node).free()


## A call with an argument that the binding refuses ends this function, too, and the answer is
## [code]false[/code].
func _is_over(object: Object, method: String, arguments: Array) -> bool:
	object.callv(method, arguments)
	return true
