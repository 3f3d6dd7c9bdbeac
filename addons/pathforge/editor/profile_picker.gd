@tool
extends OptionButton
## The body whose paths are shown: one of any size that may enter every terrain, or a profile of the
## edited scene or of a file. Nothing that is picked here is written anywhere.

const SceneNodes := preload("scene_nodes.gd")
const ToolState := preload("tool_state.gd")

const ANYBODY := "Any Terrain"
const LOAD := "Load Profile…"

var _state: ToolState = null


## Lists what there is to pick for [param state].
func set_up(state: ToolState) -> void:
	_state = state
	get_popup().about_to_popup.connect(_list)
	item_selected.connect(_on_item_selected)
	_state.changed.connect(_show_profile)
	_list()


## The profiles among the properties of the edited scene's nodes, each once, in the scene's order.
static func profiles_in_scene() -> Array[PathForgeProfile]:
	var found: Array[PathForgeProfile] = []
	for node: Node in SceneNodes.all():
		for property: Dictionary in node.get_property_list():
			if (property["usage"] as int) & PROPERTY_USAGE_STORAGE:
				_collect(node.get(property["name"] as StringName), found)
	return found


static func _collect(value: Variant, found: Array[PathForgeProfile]) -> void:
	if value is PathForgeProfile and value not in found:
		found.append(value)
	elif value is Array and not (value as Array).is_empty():
		for element: Variant in value as Array:
			_collect(element, found)
	elif value is Dictionary:
		_collect((value as Dictionary).values(), found)


## What a profile is called, and its size.
static func title_of(profile: PathForgeProfile) -> String:
	var title := profile.resource_name
	if title.is_empty() and is_in_file(profile):
		title = profile.resource_path.get_file().get_basename().capitalize()
	if title.is_empty():
		title = "Profile"
	return "%s %d×%d" % [title, profile.footprint.x, profile.footprint.y]


## Whether a profile has a file of its own, and so belongs to no scene.
static func is_in_file(profile: PathForgeProfile) -> bool:
	return (
		profile.resource_path.get_file().get_extension() != "" and "::" not in profile.resource_path
	)


func _list() -> void:
	clear()
	add_item(ANYBODY)
	var profiles := profiles_in_scene()
	if _state.profile != null and _state.profile not in profiles:
		profiles.append(_state.profile)
	for profile: PathForgeProfile in profiles:
		add_item(title_of(profile))
		set_item_metadata(-1, profile)
	add_separator()
	add_item(LOAD)
	_select_profile()


func _show_profile() -> void:
	if not _select_profile():
		_list()


## Selects the item of the profile that is in use, under its present name, if there is one.
func _select_profile() -> bool:
	for item: int in item_count:
		if get_item_metadata(item) == _state.profile and not is_item_separator(item):
			if _state.profile != null:
				set_item_text(item, title_of(_state.profile))
			select(item)
			return true
	return false


func _on_item_selected(item: int) -> void:
	if item == item_count - 1:
		_select_profile()
		EditorInterface.popup_quick_open(
			_on_file_picked, [&"PathForgeProfile"] as Array[StringName]
		)
	else:
		_state.profile = get_item_metadata(item) as PathForgeProfile


func _on_file_picked(path: String) -> void:
	var profile := load(path) as PathForgeProfile if not path.is_empty() else null
	if profile != null:
		_state.profile = profile
