class_name DemoEntry
extends RefCounted
## A line of the menu: a lesson, which is shown with its code, or a showcase, with its picture.

const LESSONS := "res://lessons"
const SHOWCASES := "res://scenes"

var title := ""
var summary := ""
var details := ""
## The scene that it starts.
var file := ""
## A showcase's picture.
var thumbnail: Texture2D
## A lesson's script.
var code := ""


## Returns the number that its file's name begins with.
func number() -> int:
	return file.get_file().get_slice("_", 0).to_int()


## Returns all lessons, in order.
static func lessons() -> Array[DemoEntry]:
	var found: Array[DemoEntry] = []
	for name: String in ResourceLoader.list_directory(LESSONS):
		if name.get_extension() == "tscn":
			found.append(_lesson(LESSONS.path_join(name)))
	return found


## Returns all showcases, in order.
static func showcases() -> Array[DemoEntry]:
	var found: Array[DemoEntry] = []
	for folder: String in ResourceLoader.list_directory(SHOWCASES):
		var base := SHOWCASES.path_join(folder.trim_suffix("/"))
		var info_file := base.path_join("info.tres")
		if not folder[0].is_valid_int() or not ResourceLoader.exists(info_file):
			continue
		var info: DemoSceneInfo = load(info_file)
		var entry := DemoEntry.new()
		entry.title = info.title
		entry.summary = info.summary
		entry.details = info.details
		entry.thumbnail = info.thumbnail
		entry.file = base.path_join(base.get_file() + ".tscn")
		found.append(entry)
	return found


## The comment at the head of a lesson's script is its title, up to the first ":", "." or "?", and
## what it says of itself.
static func _lesson(scene: String) -> DemoEntry:
	var entry := DemoEntry.new()
	entry.file = scene
	var script: GDScript = load(scene.get_basename() + ".gd")
	entry.code = script.source_code
	for line: String in entry.code.split("\n"):
		if line.begins_with("## "):
			entry.summary = line.trim_prefix("## ")
			break
	var end := RegEx.create_from_string("[:.?]").search(entry.summary)
	if end != null:
		entry.title = entry.summary.left(end.get_start()) + ("?" if end.get_string() == "?" else "")
	return entry
