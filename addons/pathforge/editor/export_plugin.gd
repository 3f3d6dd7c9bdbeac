@tool
extends EditorExportPlugin
## Leaves out of exported games what only the editor uses.

const EDITOR_ONLY: Array[String] = [
	"res://addons/pathforge/doctor.gd",
	"res://addons/pathforge/doctor/",
	"res://addons/pathforge/editor/",
	"res://addons/pathforge/icons/",
	"res://addons/pathforge/plugin.gd",
]


func _get_name() -> String:
	return "PathForge"


func _export_file(path: String, _type: String, _features: PackedStringArray) -> void:
	for place: String in EDITOR_ONLY:
		if path.begins_with(place):
			skip()
			return
