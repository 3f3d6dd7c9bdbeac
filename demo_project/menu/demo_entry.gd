class_name DemoEntry
extends RefCounted
## A line of the menu: a lesson or a showcase.

const LESSONS := "res://lessons"
const SHOWCASES := "res://scenes"

var title := ""
var summary := ""
var details := ""
## The scene that it starts.
var file := ""
## A picture of it.
var thumbnail: Texture2D
## The lesson's script, or that of the lesson with the code that the showcase is about.
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
		entry.code = lesson_code(info.lesson)
		found.append(entry)
	return found


## Returns the script of a lesson, whose name has no ending.
static func lesson_code(lesson: String) -> String:
	return (load(LESSONS.path_join(lesson + ".gd")) as GDScript).source_code


## The comment at the head of a lesson's script is its title, up to the first ":", "." or "?", and
## what it says of itself.
static func _lesson(scene: String) -> DemoEntry:
	var entry := DemoEntry.new()
	entry.file = scene
	entry.code = lesson_code(scene.get_file().get_basename())
	entry.thumbnail = load(scene.get_basename() + ".png")
	for line: String in entry.code.split("\n"):
		if line.begins_with("## "):
			entry.summary = line.trim_prefix("## ")
			break
	var end := RegEx.create_from_string("[:.?]").search(entry.summary)
	if end != null:
		entry.title = entry.summary.left(end.get_start()) + ("?" if end.get_string() == "?" else "")
	return entry
