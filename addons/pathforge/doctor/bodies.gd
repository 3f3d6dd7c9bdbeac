@tool
extends RefCounted
## The profiles for which the map doctor looks at a scene, each kind of body once.

const ANY_OBSTACLE := 0xFFFFFFFF

## The profiles that the scene and the user name. A body without a profile is in it as a new one.
var profiles: Array[PathForgeProfile] = []

var _root: Node = null


func _init(root: Node, extra: Array) -> void:
	_root = root
	for node: Node in nodes(root):
		for property: Dictionary in node.get_property_list():
			var usage: int = property["usage"]
			if usage & (PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_SCRIPT_VARIABLE):
				_collect(node.get(property["name"] as StringName))
		if is_agent(node) and node.get(&"profile") == null:
			_add(PathForgeProfile.new())
	for profile: PathForgeProfile in extra:
		_add(profile)
	if profiles.is_empty():
		profiles.append(PathForgeProfile.new())


## The nodes of a scene, its root first.
static func nodes(root: Node) -> Array[Node]:
	var found: Array[Node] = [root]
	found.append_array(root.find_children("*", "", true, false))
	return found


static func is_agent(node: Node) -> bool:
	return node is PathForgeAgent2D or node is PathForgeAgent3D


## The profiles, one for each kind of body on [param grid]. Obstacles are open to them, since an
## obstacle may move away.
func on(grid: PathForgeGrid) -> Array[PathForgeProfile]:
	var present := _terrains_of(grid)
	var found: Dictionary[Array, PathForgeProfile] = {}
	for profile: PathForgeProfile in profiles:
		var key := [
			profile.footprint,
			profile.terrain_mask & present,
			profile.diagonal_mode,
			profile.step_height,
			profile.slope_limit_degrees,
		]
		if key not in found:
			found[key] = without_obstacles(profile)
	return found.values()


## Profiles of one cell, one for each set of terrains that bodies may enter on [param grid]. The
## first may enter every terrain.
func capabilities_on(grid: PathForgeGrid) -> Array[PathForgeProfile]:
	var present := _terrains_of(grid)
	var found: Dictionary[int, PathForgeProfile] = {}
	for profile: PathForgeProfile in [PathForgeProfile.new()] + profiles:
		var mask := profile.terrain_mask & present
		if mask not in found:
			found[mask] = without_obstacles(profile)
			found[mask].footprint = Vector2i.ONE
	return found.values()


## A copy of [param profile] to which all obstacles are open.
static func without_obstacles(profile: PathForgeProfile) -> PathForgeProfile:
	var copy: PathForgeProfile = profile.duplicate()
	if copy.resource_name.is_empty() and profile.resource_path.get_extension() == "tres":
		copy.resource_name = profile.resource_path.get_file().get_basename().capitalize()
	copy.ignored_obstacle_layers = ANY_OBSTACLE
	return copy


## What a body is called: its profile's name and its footprint.
static func title_of(profile: PathForgeProfile) -> String:
	var size := "%d×%d" % [profile.footprint.x, profile.footprint.y]
	var title := profile.resource_name
	if title.is_empty() and profile.resource_path.get_extension() == "tres":
		title = profile.resource_path.get_file().get_basename().capitalize()
	return "a %s body" % size if title.is_empty() else "%s (%s)" % [title, size]


## The terrains that [param profile] may enter, of those on the grid, in words.
static func terrains_in_words(profile: PathForgeProfile, grid: PathForgeGrid) -> String:
	var names := PackedStringArray()
	var present := _terrains_of(grid)
	for id: int in 32:
		if present & profile.terrain_mask & (1 << id):
			var is_named := id < grid.terrain_names.size() and grid.terrain_names[id] != ""
			names.append(grid.terrain_names[id] if is_named else "terrain %d" % id)
	return ", ".join(names)


## The terrains on a grid, as a mask.
static func _terrains_of(grid: PathForgeGrid) -> int:
	var data := grid.get_terrain_data()
	var mask := 0
	for id: int in 32:
		if data.has(id):
			mask |= 1 << id
	return mask


func _add(profile: PathForgeProfile) -> void:
	if profile not in profiles:
		profiles.append(profile)


func _collect(value: Variant) -> void:
	if value is PathForgeProfile:
		_add(value as PathForgeProfile)
	elif value is Array:
		var array := value as Array
		# A typed array of numbers has no profiles, and may be long.
		if array.get_typed_builtin() in [TYPE_NIL, TYPE_OBJECT]:
			for element: Variant in array.slice(0, 1000):
				if element is PathForgeProfile:
					_add(element as PathForgeProfile)
	elif value is Dictionary:
		_collect((value as Dictionary).values())
