extends SceneTree
## The map doctor on the command line: runs a scene for some frames and says what is wrong with its
## grids. The exit code is 0 if there is nothing to mend, 1 if there is, 2 if it could not look.

const MissingLibrary := preload("editor/missing_library.gd")

const USAGE := (
	"usage: godot --headless -s addons/pathforge/doctor.gd -- "
	+ "SCENE.tscn [--profile=PROFILE.tres ...]"
)
## These name the extension's classes, so they are loaded only when they are there.
const DOCTOR := "res://addons/pathforge/doctor/map_doctor.gd"
const REPORT := "res://addons/pathforge/doctor/report.gd"
const MAIN_CLASS := &"PathForgeGrid"
## Frames that the scene runs for.
const FRAMES := 30
## A scene that takes longer until the end of its frames is given up.
const SECONDS_MAX := 120
const COULD_NOT_LOOK := 2

var _path := ""
var _profiles: Array = []
var _is_running := true
var _watch := Thread.new()


func _initialize() -> void:
	_watch.start(_give_up_in_time)
	_run()


## A scene that quits by itself ends the run before the doctor has looked.
func _finalize() -> void:
	if _is_running:
		_fail("the scene quit before it could be looked at")
	_watch.wait_to_finish()


func _run() -> void:
	if not ClassDB.class_exists(MAIN_CLASS):
		_fail(MissingLibrary.reason())
		return
	if not _read_arguments():
		return
	var scene := _instantiate()
	if scene == null:
		return
	root.add_child(scene)
	current_scene = scene
	for _frame: int in FRAMES:
		await process_frame
	if not is_instance_valid(scene) or not scene.is_inside_tree():
		_fail("%s left the tree before it could be looked at" % _path)
		return
	_look_at(scene)
	if _is_running:
		_fail("an error in the doctor itself; the output has it")


func _look_at(scene: Node) -> void:
	var doctor: RefCounted = (load(DOCTOR) as GDScript).new(scene, _profiles)
	if doctor == null:
		return
	if (doctor.get(&"grids") as Array).is_empty():
		_fail("%s has no %s" % [_path, MAIN_CLASS])
		return
	print("Map doctor: %s" % _path)
	print((load(REPORT) as GDScript).call(&"of", doctor) as String)
	if not doctor.call(&"has_cells"):
		_fail("no grid of %s has cells after %d frames" % [_path, FRAMES])
		return
	_is_running = false
	quit(1 if (doctor.call(&"fault_count") as int) > 0 else 0)


func _read_arguments() -> bool:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--profile="):
			var file := _in_project(argument.trim_prefix("--profile="))
			var profile: Resource = load(file) if ResourceLoader.exists(file) else null
			if profile == null or not profile.is_class("PathForgeProfile"):
				_fail("%s is no PathForgeProfile" % file)
				return false
			_profiles.append(profile)
		elif argument.begins_with("-") or not _path.is_empty():
			_fail("%s is not expected\n%s" % [argument, USAGE])
			return false
		else:
			_path = _in_project(argument)
	if _path.is_empty():
		_fail("no scene is named\n%s" % USAGE)
	return not _path.is_empty()


func _instantiate() -> Node:
	if not ResourceLoader.exists(_path):
		_fail("%s is not there\n%s" % [_path, USAGE])
		return null
	var broken := _broken_script(_path)
	if not broken.is_empty():
		_fail("%s does not load: the scene would run without it" % broken)
		return null
	var packed := load(_path) as PackedScene
	if packed == null or not packed.can_instantiate():
		_fail("%s is no scene\n%s" % [_path, USAGE])
		return null
	var scene := packed.instantiate()
	if scene == null:
		_fail("%s cannot be instantiated" % _path)
	return scene


## A script of the scene or of a scene in it that has errors; an empty string if there is none.
func _broken_script(path: String, seen: Array[String] = []) -> String:
	seen.append(path)
	for entry: String in ResourceLoader.get_dependencies(path):
		var file := entry.get_slice("::", 2) if "::" in entry else entry
		var broken := ""
		if file.get_extension() == "gd":
			var script := load(file) as GDScript
			broken = file if script == null or not script.can_instantiate() else ""
		elif file.get_extension() in ["tscn", "scn"] and file not in seen:
			broken = _broken_script(file, seen)
		if not broken.is_empty():
			return broken
	return ""


## A path as the project names it: [code]level.tscn[/code] is [code]res://level.tscn[/code].
func _in_project(path: String) -> String:
	var local := ProjectSettings.localize_path(path)
	return local if "://" in local or local.is_absolute_path() else "res://".path_join(local)


func _fail(why: String) -> void:
	_is_running = false
	printerr("Map doctor: %s" % why)
	quit(COULD_NOT_LOOK)


## On a thread of its own, since a script that never returns stops all else.
func _give_up_in_time() -> void:
	var end := Time.get_ticks_msec() + SECONDS_MAX * 1000
	while _is_running:
		if Time.get_ticks_msec() > end:
			OS.crash("Map doctor: the scene takes longer than %d seconds" % SECONDS_MAX)
		OS.delay_msec(50)
