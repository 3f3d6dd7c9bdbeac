@tool
extends RefCounted
## What a person does with the plugin, for tests: selecting, dragging, saving; and what they see.

enum View { OWN, NOTHING, SOLID, TERRAIN, ROOM, REGIONS }
enum Tool { NONE, PROBE, BRUSH }
enum Paint { SOLID, TERRAIN, WEIGHT }

const LEVEL := "res://editor/level.tscn"
const OTHER := "res://editor/other.tscn"
const ADDON := "res://addons/pathforge/"
const PLUGIN := "pathforge"
## How often the editor is asked whether it has come to something, until that counts as a failure.
const ATTEMPTS := 300

var _driver: EditorPlugin = null
var _failures: Array[String] = []
var _checks := 0


func _init(driver: EditorPlugin) -> void:
	_driver = driver


func names() -> Array[String]:
	var found: Array[String] = []
	for method: Dictionary in (get_script() as GDScript).get_script_method_list():
		var name: String = method["name"]
		if name.begins_with("test_"):
			found.append(name.trim_prefix("test_"))
	return found


func run(name: String) -> Array[String]:
	_failures = []
	_checks = 0
	await _open(LEVEL)
	await _turn(true)
	@warning_ignore("redundant_await")
	await call("test_" + name)
	await _turn(false)
	if _checks == 0:
		_failures.append("it checked nothing")
	return _failures


## The editor opens a scene later while it is busy with its own.
func _open(scene: String) -> void:
	for _attempt: int in ATTEMPTS:
		EditorInterface.open_scene_from_path(scene)
		await _frames(5)
		var root := EditorInterface.get_edited_scene_root()
		if root != null and root.scene_file_path == scene:
			return
	_failures.append("%s does not open" % scene)


func _turn(is_on: bool) -> void:
	if EditorInterface.is_plugin_enabled(PLUGIN) != is_on:
		EditorInterface.set_plugin_enabled(PLUGIN, is_on)
	await _frames(5)


## Every tool and view once, as quickly as a person never would.
func _use_everything() -> void:
	var grid := _grid()
	_select(grid)
	await _frames(2)
	var state := _state()
	for view: int in View.values():
		state.set(&"view", view)
		await _frames(1)
	state.set(&"tool", Tool.PROBE)
	_drag([Vector2i(2, 2), Vector2i(26, 2)], MOUSE_BUTTON_LEFT, Vector2i.ONE)
	await _frames(2)
	state.set(&"tool", Tool.BRUSH)
	_drag([Vector2i(2, 13), Vector2i(6, 14)], MOUSE_BUTTON_LEFT, Vector2i.ONE)
	await _frames(2)
	_history().undo()


func _drag(anchors: Array[Vector2i], button: MouseButton, size: Vector2i) -> void:
	var grid := _grid()
	var to_screen := grid.get_viewport_transform() * grid.get_global_transform()
	for at: int in anchors.size():
		var motion := InputEventMouseMotion.new()
		motion.position = to_screen * grid.cell_to_local(anchors[at], _body(size))
		_plugin()._forward_canvas_gui_input(motion)
		if at == 0:
			_press(motion.position, button, true)
	var last := to_screen * grid.cell_to_local(anchors[-1], _body(size))
	_press(last, button, false)


func _body(size: Vector2i) -> PathForgeProfile:
	var body := PathForgeProfile.new()
	body.footprint = size
	return body


func _press(position: Vector2, button: MouseButton, is_down: bool) -> void:
	var event := InputEventMouseButton.new()
	event.position = position
	event.button_index = button
	event.pressed = is_down
	_plugin()._forward_canvas_gui_input(event)


func _plugin() -> EditorPlugin:
	for node: Node in _driver.get_parent().find_children("*", "EditorPlugin", false, false):
		var script := node.get_script() as Script
		if script != null and script.resource_path == ADDON + "plugin.gd":
			return node
	return null


func _tools() -> Object:
	return _plugin().get(&"_tools")


func _state() -> Object:
	return _tools().get(&"state")


func _probed() -> PathForgePath:
	return (_tools().get(&"_probe") as Object).call(&"find")


func _probe_text() -> String:
	return (_tools().get(&"_probe") as Object).call(&"_text", _probed())


func _picker() -> OptionButton:
	for node: Node in _ours():
		if node is OptionButton:
			return node
	return null


func _item(button: OptionButton, text: String) -> int:
	for item: int in button.item_count:
		if button.get_item_text(item) == text:
			return item
	return -1


func _warning() -> Label:
	return (_tools().get(&"_toolbar") as Control).get(&"_overwritten")


## Checks that the sign beside a node comes to say something, or to be gone; the scene tree takes
## its time.
func _check_sign(node_name: String, wanted: String) -> void:
	for _attempt: int in ATTEMPTS:
		var text := _sign(node_name)
		if text.is_empty() if wanted.is_empty() else wanted in text:
			break
		await _driver.get_tree().create_timer(0.1).timeout
	var said := _sign(node_name)
	var is_right := said.is_empty() if wanted.is_empty() else wanted in said
	_check(is_right, "%s: wanted '%s', it says '%s'" % [node_name, wanted, said])


## What the scene tree's warning sign says beside a node; nothing when there is no sign.
func _sign(node_name: String) -> String:
	for tree: Tree in _driver.get_tree().root.find_children("*", "Tree", true, false):
		var item := tree.get_root()
		while item != null:
			if item.get_text(0) == node_name:
				for button: int in item.get_button_count(0):
					var text := item.get_button_tooltip_text(0, button)
					if "arning" in text:
						return text
			item = item.get_next_in_tree()
	return ""


func _grid() -> PathForgeGrid:
	return EditorInterface.get_edited_scene_root().get_node("Grid")


func _layer() -> TileMapLayer:
	return EditorInterface.get_edited_scene_root().get_node("Tiles")


func _select(node: Node) -> void:
	EditorInterface.get_selection().clear()
	EditorInterface.get_selection().add_node(node)
	EditorInterface.edit_node(node)


func _history() -> UndoRedo:
	var manager := EditorInterface.get_editor_undo_redo()
	return manager.get_history_undo_redo(manager.get_object_history_id(_grid()))


## The bytes of the level's file after the editor saved it.
func _saved_scene() -> PackedByteArray:
	if DisplayServer.get_name() == "headless":
		# The editor wants a thumbnail, and there is no picture to make it from.
		print('EXPECT_ERROR 1 Parameter "t" is null')
	EditorInterface.mark_scene_as_unsaved()
	EditorInterface.save_scene()
	return FileAccess.get_file_as_bytes(LEVEL)


func _frames(count: int) -> void:
	for _frame: int in count:
		await _driver.get_tree().process_frame


func _check(condition: bool, message: String) -> void:
	_checks += 1
	if not condition:
		_failures.append(message)


func _all_nodes() -> Array[Node]:
	return _driver.get_tree().root.find_children("*", "", true, false)


## Nodes of the editor that come from the addon.
func _ours() -> Array[Node]:
	return _all_nodes().filter(
		func(node: Node) -> bool:
			var script := node.get_script() as Script
			return script != null and script.resource_path.begins_with(ADDON)
	)


func _menu_items() -> int:
	var count := 0
	for menu: PopupMenu in _driver.get_tree().root.find_children("*", "PopupMenu", true, false):
		for item: int in menu.item_count:
			count += 1 if menu.get_item_text(item) == "PathForge Help" else 0
	return count


func _settings() -> Dictionary:
	var settings := {}
	for property: Dictionary in ProjectSettings.get_property_list():
		var name: String = property["name"]
		settings[name] = ProjectSettings.get_setting(name)
	return settings
