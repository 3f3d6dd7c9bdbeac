extends TestSuite
## One grammar for scripts: every class, method, argument, property and signal of the addon follows
## the rules of [ScriptGrammar]. Each rule is broken here once to see that it holds.

const PAGE := "../../docs/reference/PathForgeGrid.md"


func test_every_member_follows_the_rules() -> void:
	var classes := _classes()
	check(classes.size() >= 15, "classes: %s" % [classes])
	for name: String in classes:
		var complaints := ScriptGrammar.complaints(ScriptGrammar.dump(name))
		check(complaints.is_empty(), "\n".join(complaints))


func test_every_exception_is_a_member() -> void:
	var lists: Array[Array] = [
		ScriptGrammar.LIKE_NAVIGATION_AGENT, ScriptGrammar.RECORDS, ScriptGrammar.OWN_SPACE
	]
	for list: Array in lists:
		for member: String in list:
			var owner := member.get_slice(".", 0)
			var name := member.get_slice(".", 1)
			var is_there := (
				ClassDB.class_has_method(owner, name, true)
				or ClassDB.class_has_signal(owner, name)
				or ClassDB.class_get_property_getter(owner, name) != &""
			)
			check(is_there, "%s is there" % member)


func test_a_body_is_one_argument() -> void:
	for part: String in ["footprint", "terrain_mask", "ignored_obstacle", "side", "size"]:
		_check_red(_method("reaches", [_value(part, TYPE_INT)]), "apart from a profile")
	var body := _object("profile", "PathForgeProfile")
	_check_red(_method("reaches", [body]), "`profile: PathForgeProfile = null`")
	_check_red(
		_method("reaches", [_object("body", "PathForgeProfile")], TYPE_BOOL, [null]),
		"`profile: PathForgeProfile = null`"
	)
	_check_green(_method("reaches", [body], TYPE_BOOL, [null]))
	var both := [body, _value("terrain_mask", TYPE_INT)]
	_check_red(_class([], both), "beside a profile")
	_check_red(_class([], [_object("body", "PathForgeProfile")]), "a body is called `profile`")


func test_there_is_one_map() -> void:
	for part: String in ["region", "cell_size", "offset"]:
		_check_red(_class([], [_value(part, TYPE_VECTOR2)]), "there is one map")
	_check_red(_method("set_point_wet", [_value("cell", TYPE_VECTOR2I)], TYPE_NIL), "one map")
	_check_red(_method("fill_wet_region", [_value("region", TYPE_RECT2I)], TYPE_NIL), "one map")
	_check_red(_class([], [_object("map", "PathForgeGrid")]), "the map is called `grid`")


func test_conversions_take_the_body() -> void:
	for name: String in ["cell_to_local", "cell_to_global", "local_to_cell", "local_to_cells"]:
		_check_red(_method(name, [_value("cell", TYPE_VECTOR2I)]), "takes no profile")


func test_answers_say_why() -> void:
	_check_red(_method("explain_it", [], TYPE_DICTIONARY), "untyped Dictionary")
	_check_red(_method("explain_it", [], TYPE_STRING), "PathForgeDiagnosis")
	_check_red(_method("find_path_home", [], TYPE_ARRAY), "PathForgePath")
	_check_red(_method("get_cells", [], TYPE_ARRAY), "untyped Array")
	_check_red(_method("remove_tree", [_value("id", TYPE_INT)], TYPE_NIL), "whether there was one")
	_check_red(_class([], [_value("rules", TYPE_DICTIONARY)]), "untyped Dictionary")
	_check_red(
		_class([], [], [_signal("rules_changed", [_value("r", TYPE_DICTIONARY)])]), "untyped"
	)


func test_signals_are_in_the_past_tense() -> void:
	_check_red(_class([], [], [_signal("path_ready", [])]), "past tense")
	_check_red(_class([], [], [_signal("goal_unreachable", [])]), "past tense")
	var region := _value("region", TYPE_RECT2I)
	_check_red(_class([], [], [_signal("field_updated", [region])]), "*_changed")
	_check_green(_class([], [], [_signal("field_changed", [region])]))


func test_names_have_units_and_ids_are_ints() -> void:
	for name: String in ["patience", "repath_interval", "wait_time", "budget", "delay"]:
		_check_red(_class([], [_value(name, TYPE_FLOAT)]), "a time without a unit")
	for name: String in ["patience_seconds", "budget_usec", "decay_per_second"]:
		_check_green(_class([], [_value(name, TYPE_FLOAT)]))
	_check_red(_method("go", [_value("max_distance", TYPE_FLOAT)]), "a length without a unit")
	_check_red(_method("go", [_value("radius", TYPE_FLOAT)]), "a length without a unit")
	_check_red(_class([], [_value("max_angle", TYPE_FLOAT)]), "an angle without a unit")
	_check_red(_class([], [_value("pause", TYPE_FLOAT, "0,9,1,suffix:s")]), "is in s")
	_check_red(_class([], [_value("reach", TYPE_INT, "0,9,1,suffix:cells")]), "is in cells")
	_check_red(_method("move", [_value("id", TYPE_VECTOR2I)]), "not an int")
	_check_red(_method("move", [_value("ids", TYPE_ARRAY)]), "not a PackedInt32Array")
	_check_red(_method("set_terrain_of", [_value("id", TYPE_INT)]), "`terrain_id`")


func test_verbs_of_astargrid2d_are_those_of_godot() -> void:
	var verbs := ScriptGrammar.astar_verbs()
	for verb: String in ["get_id_path", "set_point_solid", "get_point_data_in_region"]:
		check(verb in verbs, verb)
	var changed := ScriptGrammar.dump("PathForgeGrid")
	for method: Dictionary in changed["methods"]:
		if method["name"] == "is_point_solid":
			method["args"] = [_value("cell", TYPE_VECTOR2I)]
	_check_red(changed, "PathForgeGrid.is_point_solid is")


func test_verbs_of_astargrid2d_have_a_part_of_the_help() -> void:
	var path := ProjectSettings.globalize_path("res://").path_join(PAGE)
	var page := FileAccess.get_file_as_string(path)
	var row := page.get_slice("\n| [Verbs of AStarGrid2D](", 1).get_slice("\n", 0)
	var told: Array[String] = []
	for item: String in row.split("[`").slice(1):
		told.append(item.get_slice("`", 0))
	for verb: String in ScriptGrammar.astar_verbs():
		# Properties are set and maps are cleared with or without AStarGrid2D.
		var is_own := verb == "clear"
		check(verb in told or is_own, "%s is in a part of its own" % verb)


func test_every_constant_is_one_of_an_enumeration() -> void:
	for name: String in _classes():
		for constant: String in ClassDB.class_get_integer_constant_list(name, true):
			var of := ClassDB.class_get_integer_constant_enum(name, constant, true)
			check_ne(of, &"", "%s.%s" % [name, constant])
	check_eq(
		ClassDB.class_get_enum_constants("PathForgeProfile", "SearchMode"),
		PackedStringArray(["SEARCH_OPTIMAL", "SEARCH_HIERARCHICAL"])
	)
	var profile := PathForgeProfile.new()
	var mode: PathForgeProfile.SearchMode = profile.search_mode
	check_eq(mode, PathForgeProfile.SEARCH_OPTIMAL)


## The classes of the addon.
func _classes() -> Array[String]:
	var classes: Array[String] = []
	for name: String in ClassDB.get_class_list():
		if ClassDB.class_get_api_type(name) == ClassDB.API_EXTENSION:
			classes.append(name)
	return classes


func _check_red(broken: Dictionary, complaint: String) -> void:
	var told := "\n".join(ScriptGrammar.complaints(broken))
	check(told.contains(complaint), "%s is not told of %s: %s" % [complaint, broken, told])


func _check_green(right: Dictionary) -> void:
	check_eq(ScriptGrammar.complaints(right), [] as Array[String], str(right))


func _class(methods: Array, properties: Array = [], signals: Array = []) -> Dictionary:
	return {"class": "Made", "methods": methods, "properties": properties, "signals": signals}


func _method(
	name: String, arguments: Array, answer := TYPE_BOOL, defaults: Array = []
) -> Dictionary:
	var method := {
		"name": name,
		"args": arguments,
		"default_args": defaults,
		"return": _value("", answer),
	}
	return _class([method])


func _signal(name: String, arguments: Array) -> Dictionary:
	return {"name": name, "args": arguments}


func _value(name: String, type: int, hint := "") -> Dictionary:
	return {"name": name, "type": type, "class_name": &"", "hint_string": hint, "usage": 0}


func _object(name: String, class_of_it: String) -> Dictionary:
	var value := _value(name, TYPE_OBJECT)
	value["class_name"] = StringName(class_of_it)
	return value
