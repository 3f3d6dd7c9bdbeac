@tool
extends EditorPlugin
## PathForge in the editor: its toolbar over the 2D view, its inspector buttons, a way to its help,
## a word when its library is missing, and exported games without all this.
##
## The nodes come from the extension and work whether this plugin is enabled or not. What
## [method _enter_tree] adds, [method _exit_tree] removes.

const ExportPlugin := preload("editor/export_plugin.gd")
const MissingLibrary := preload("editor/missing_library.gd")
const PluginPart := preload("editor/plugin_part.gd")

const HELP_ITEM := "PathForge Help"
const MAIN_CLASS := &"PathForgeGrid"
## Names the extension's classes, so it is loaded only when they are there.
const TOOLS := "res://addons/pathforge/editor/editor_tools.gd"

var _export := ExportPlugin.new()
var _tools: PluginPart = null


func _enter_tree() -> void:
	add_tool_menu_item(HELP_ITEM, _on_help_pressed)
	add_export_plugin(_export)
	if ClassDB.class_exists(MAIN_CLASS):
		_tools = (load(TOOLS) as GDScript).new(self)
		_tools.start()
		set_force_draw_over_forwarding_enabled()
	else:
		push_warning(MissingLibrary.reason())


func _exit_tree() -> void:
	if _tools != null:
		_tools.stop()
		_tools = null
	remove_export_plugin(_export)
	remove_tool_menu_item(HELP_ITEM)


func _handles(object: Object) -> bool:
	return _tools != null and _tools.handles(object)


func _make_visible(visible: bool) -> void:
	if _tools != null and not visible:
		_tools.lay_down_brush()


func _forward_canvas_gui_input(event: InputEvent) -> bool:
	return _tools != null and _tools.gui_input(event)


func _forward_canvas_force_draw_over_viewport(overlay: Control) -> void:
	if _tools != null:
		_tools.draw(overlay)


func _on_help_pressed() -> void:
	EditorInterface.set_main_screen_editor("Script")
	EditorInterface.get_script_editor().goto_help("class_name:" + MAIN_CLASS)
