@tool
extends EditorPlugin
## PathForge in the editor: a way to its help, and a word when its library is missing.
##
## The nodes come from the extension and work whether this plugin is enabled or not.

const HELP_ITEM := "PathForge Help"
const MAIN_CLASS := &"PathForgeGrid"


func _enter_tree() -> void:
	add_tool_menu_item(HELP_ITEM, _on_help_pressed)
	if not ClassDB.class_exists(MAIN_CLASS):
		push_warning(
			(
				"PathForge's library for this platform is not in res://addons/pathforge/bin. "
				+ "In a clone, build it with `cargo xtask build --release`."
			)
		)


func _exit_tree() -> void:
	remove_tool_menu_item(HELP_ITEM)


func _on_help_pressed() -> void:
	EditorInterface.set_main_screen_editor("Script")
	EditorInterface.get_script_editor().goto_help("class_name:" + MAIN_CLASS)
