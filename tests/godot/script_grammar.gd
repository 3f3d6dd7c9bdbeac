class_name ScriptGrammar
extends RefCounted
## The grammar of the script API: rules for every member of a class, over what Godot's own class
## database says of it. A member that breaks a rule makes one complaint, which names it.
##
## A rule has few exceptions, each with its reason. They are lists of "Class.member".

## The verbs of AStarGrid2D keep its names, types and shapes, so that a game can change over.
const ASTAR := "AStarGrid2D"
## So do these of NavigationAgent2D and NavigationAgent3D.
const LIKE_NAVIGATION_AGENT: Array[String] = [
	"PathForgeAgent2D.waypoint_reached",
	"PathForgeAgent2D.link_reached",
	"PathForgeAgent2D.link_left",
	"PathForgeAgent3D.waypoint_reached",
	"PathForgeAgent3D.link_reached",
	"PathForgeAgent3D.link_left",
]
## Lists of records with keys of their own, which are read whole.
const RECORDS: Array[String] = [
	"PathForgePath.get_key_points",
]
## Lengths in the grid's own space, which need no unit in their names.
const OWN_SPACE: Array[String] = [
	"PathForgeCrowd.add_agents",
	"PathForgeCrowd.find_agents_in_radius",
	"PathForgeCrowd.find_nearest_agent",
	"PathForgeCrowd.set_agent_radius",
	"PathForgeAgent2D.path_desired_distance",
	"PathForgeAgent2D.path_max_distance",
	"PathForgeAgent2D.radius",
	"PathForgeAgent2D.target_desired_distance",
	"PathForgeAgent3D.path_desired_distance",
	"PathForgeAgent3D.path_max_distance",
	"PathForgeAgent3D.radius",
	"PathForgeAgent3D.target_desired_distance",
	"PathForgeObstacle2D.radius",
	"PathForgeObstacle3D.radius",
]
## Sizes that are counted in cells by what they are, as costs are.
const IN_CELLS: Array[String] = [
	"region", "footprint", "max_footprint", "max_clearance", "cost", "max_cost"
]
## The classes that describe a body, which walks or jumps.
const PROFILES: Array[StringName] = [&"PathForgeProfile", &"PathForgeJumpProfile"]
## A body that a method takes apart from a profile: what no argument may be called.
const PARTS_OF_A_BODY: Array[String] = [
	"footprint", "terrain_mask", "obstacle", "ignored_obstacle", "ignored_obstacles", "side", "size"
]
## What belongs to the one map.
## A grid's cells have a size in pixels, and one in metres where they are laid out in space.
const SIZES_IN_SPACE: Array[String] = ["PathForgeSpace3D.cell_size"]
const PARTS_OF_THE_MAP: Array[String] = [
	"region", "cell_size", "offset", "cell_shape", "store_cells"
]
const PAST: Array[String] = ["begun", "gave", "stuck", "became", "left"]
const TIMES: Array[String] = [
	"time",
	"interval",
	"patience",
	"timeout",
	"delay",
	"duration",
	"budget",
	"wait",
	"seconds",
	"sec"
]
const UNITS: Dictionary[String, String] = {
	"s": "_seconds", "µs": "_usec", "°": "_degrees", "MiB": "_mib"
}


## What Godot knows of a class: its methods without those of properties, its properties and signals.
static func dump(name: String) -> Dictionary:
	var properties: Array[Dictionary] = []
	var accessors: Array[StringName] = []
	for property: Dictionary in ClassDB.class_get_property_list(name, true):
		var usage: int = property["usage"]
		if usage & (PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP | PROPERTY_USAGE_CATEGORY):
			continue
		var own: String = property["name"]
		accessors.append(ClassDB.class_get_property_getter(name, own))
		accessors.append(ClassDB.class_get_property_setter(name, own))
		if not own.begins_with("_"):
			properties.append(property)
	var methods: Array[Dictionary] = []
	for method: Dictionary in ClassDB.class_get_method_list(name, true):
		var own: String = method["name"]
		if not own.begins_with("_") and own not in accessors:
			methods.append(method)
	return {
		"class": name,
		"methods": methods,
		"properties": properties,
		"signals": ClassDB.class_get_signal_list(name, true),
	}


## What is wrong with a class, one line for each member and rule.
static func complaints(of: Dictionary) -> Array[String]:
	var all: Array[String] = []
	for method: Dictionary in of["methods"]:
		all.append_array(_of_method(of, method))
	for property: Dictionary in of["properties"]:
		all.append_array(_of_property(of, property))
	for one: Dictionary in of["signals"]:
		all.append_array(_of_signal(of, one))
	return all


## The methods that a grid shares with AStarGrid2D.
static func astar_verbs() -> Array[String]:
	var verbs: Array[String] = []
	for method: Dictionary in dump("PathForgeGrid")["methods"]:
		if ClassDB.class_has_method(ASTAR, str(method["name"]), true):
			verbs.append(str(method["name"]))
	return verbs


static func _of_method(of: Dictionary, method: Dictionary) -> Array[String]:
	var name := "%s.%s" % [of["class"], method["name"]]
	if _is_astar_verb(of, method):
		return _unlike_astar(name, method)
	var all: Array[String] = []
	var arguments: Array = method["args"]
	var defaults: Array = method["default_args"]
	var takes_profile := false
	for at: int in arguments.size():
		var argument: Dictionary = arguments[at]
		var own: String = argument["name"]
		# A side of a cell is none of a body.
		if own in PARTS_OF_A_BODY and argument["class_name"] != &"Side":
			all.append("%s takes %s apart from a profile" % [name, own])
		if argument["class_name"] in PROFILES:
			takes_profile = true
			var left_out := at - (arguments.size() - defaults.size())
			if own != "profile" or left_out < 0 or defaults[left_out] != null:
				all.append("%s: a body is `profile: %s = null`" % [name, argument["class_name"]])
		all.append_array(_of_value("%s: %s" % [name, own], own, argument, name))
	if _is_conversion(str(method["name"])) and not takes_profile:
		all.append("%s converts between positions and cells and takes no profile" % name)
	if of["class"] != "PathForgeGrid" and _edits_cells(str(method["name"])):
		all.append("%s edits cells: there is one map, the grid" % name)
	var answer: Dictionary = method["return"]
	if name not in RECORDS:
		all.append_array(_of_shape(name, answer))
	all.append_array(_of_answer(name, str(method["name"]), answer))
	return all


static func _of_property(of: Dictionary, property: Dictionary) -> Array[String]:
	var own: String = property["name"]
	var name := "%s.%s" % [of["class"], own]
	var all: Array[String] = []
	var names: Array = (of["properties"] as Array).map(
		func(each: Dictionary) -> String: return each["name"]
	)
	if own in ["footprint", "terrain_mask"] and "profile" in names:
		all.append("%s is beside a profile, which has it" % name)
	var is_of_the_map := own in PARTS_OF_THE_MAP and name not in SIZES_IN_SPACE
	if of["class"] != "PathForgeGrid" and is_of_the_map:
		all.append("%s is the grid's: there is one map" % name)
	if property["class_name"] == &"PathForgeGrid" and own != "grid":
		all.append("%s: the map is called `grid`" % name)
	if property["class_name"] in PROFILES and own != "profile":
		all.append("%s: a body is called `profile`" % name)
	if of["class"] == "PathForgeGrid" and ClassDB.class_get_property_setter(ASTAR, own) != &"":
		return all
	all.append_array(_of_shape(name, property))
	all.append_array(_of_value(name, own, property, name))
	var hint: String = property["hint_string"]
	var suffix := hint.get_slice("suffix:", 1) if hint.contains("suffix:") else ""
	if UNITS.has(suffix) and not own.ends_with(UNITS[suffix]):
		all.append("%s is in %s, which its name does not say" % [name, suffix])
	if suffix == "cells" and own not in IN_CELLS and not own.ends_with("_cells"):
		all.append("%s is in cells, which its name does not say" % name)
	return all


static func _of_signal(of: Dictionary, one: Dictionary) -> Array[String]:
	var own: String = one["name"]
	var name := "%s.%s" % [of["class"], own]
	var all: Array[String] = []
	var is_past := false
	for word: String in own.split("_"):
		is_past = is_past or word.ends_with("ed") or word in PAST
	if not is_past:
		all.append("%s is not in the past tense" % name)
	for argument: Dictionary in one["args"]:
		if argument["type"] == TYPE_RECT2I and not own.ends_with("_changed"):
			all.append("%s is about data: it is called *_changed" % name)
		if name not in LIKE_NAVIGATION_AGENT:
			all.append_array(_of_shape("%s: %s" % [name, argument["name"]], argument))
	return all


## What holds for arguments and properties alike: units, and what an id is.
static func _of_value(
	name: String, own: String, value: Dictionary, member: String
) -> Array[String]:
	var all: Array[String] = []
	var type: int = value["type"]
	var words := own.split("_")
	var last := words[-1]
	if (own == "id" or own.ends_with("_id")) and type != TYPE_INT:
		all.append("%s is not an int: an id always is" % name)
	if (own == "ids" or own.ends_with("_ids")) and type != TYPE_PACKED_INT32_ARRAY:
		all.append("%s is not a PackedInt32Array of ids" % name)
	# The id of a link is none of a terrain.
	var is_of_terrain := member.contains("terrain") and not member.contains("_link_")
	if own == "terrain" or (own == "id" and is_of_terrain):
		all.append("%s: a terrain's id is `terrain_id`" % name)
	if type not in [TYPE_INT, TYPE_FLOAT]:
		return all
	for word: String in words:
		if word in TIMES and last not in ["seconds", "second", "usec"]:
			all.append("%s is a time without a unit" % name)
		if word in ["angle", "rotation"] and last != "degrees":
			all.append("%s is an angle without a unit" % name)
		# What a distance costs is a cost.
		var is_length := word in ["radius", "distance"] and "cost" not in words
		if is_length and last != "cells" and member not in OWN_SPACE:
			all.append("%s is a length without a unit" % name)
	return all


## Dictionaries and arrays say what is in them; a Variant says nothing.
static func _of_shape(name: String, value: Dictionary) -> Array[String]:
	var type: int = value["type"]
	var usage: int = value["usage"]
	var hint: String = value["hint_string"]
	if type == TYPE_NIL and usage & PROPERTY_USAGE_NIL_IS_VARIANT:
		return ["%s is a Variant" % name]
	if type == TYPE_DICTIONARY and hint.is_empty():
		return ["%s is an untyped Dictionary" % name]
	if type == TYPE_ARRAY and (hint.is_empty() or hint == "Dictionary"):
		return ["%s is an untyped Array" % name]
	return []


## A question that can fail answers with an object that says why.
static func _of_answer(name: String, own: String, answer: Dictionary) -> Array[String]:
	var told := "%s%s" % [answer["class_name"], answer["hint_string"]]
	if own.begins_with("explain") and not told.contains("PathForgeDiagnosis"):
		return ["%s does not answer with a PathForgeDiagnosis" % name]
	if own.begins_with("find_path") and not told.contains("PathForgePath"):
		return ["%s does not answer with a PathForgePath" % name]
	if own.begins_with("remove_") and answer["type"] not in [TYPE_BOOL, TYPE_INT]:
		return ["%s does not say whether there was one" % name]
	return []


static func _is_astar_verb(of: Dictionary, method: Dictionary) -> bool:
	if of["class"] != "PathForgeGrid":
		return false
	return ClassDB.class_has_method(ASTAR, str(method["name"]), true)


## What a verb of AStarGrid2D has that Godot's own does not.
static func _unlike_astar(name: String, method: Dictionary) -> Array[String]:
	for theirs: Dictionary in ClassDB.class_get_method_list(ASTAR, true):
		if theirs["name"] == method["name"] and _signature(theirs) != _signature(method):
			return ["%s is %s, Godot's own %s" % [name, _signature(method), _signature(theirs)]]
	return []


static func _signature(method: Dictionary) -> Array:
	var told: Array = [(method["return"] as Dictionary)["type"]]
	for argument: Dictionary in method["args"]:
		told.append([argument["name"], argument["type"]])
	return told


static func _is_conversion(method: String) -> bool:
	for ending: String in ["_to_local", "_to_global", "_to_cell", "_to_cells"]:
		if method.ends_with(ending):
			return true
	return false


static func _edits_cells(method: String) -> bool:
	return method.begins_with("set_point_") or method.begins_with("fill_")
