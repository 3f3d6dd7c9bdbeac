extends SceneTree
## Plays one demo scene and ends: the demo's smoke run, and its pictures.
##
## [codeblock]
## godot --path demo_project -s ../tests/demo/scene_runner.gd --
##     --scene=res://scenes/01_x/01_x.tscn [--seconds=3] [--picture=/folder/01_x.png]
##     [--size=1920x1080] [--part=720x405] [--movie=/folder]
## [/codeblock]
## A scene has a script of its name in [code]plays[/code]. The runner awaits its method
## [code]play(runner: DemoPlayer)[/code], which uses the scene as a person would. A lesson's play is
## the method of its name in [code]lesson_plays.gd[/code]. The panel of a scene has to have room for
## all that it shows, its play has to use the wheel, and R has to restart it. Prints
## [code]SCENE_DONE[/code] at the end. [code]cargo xtask demo --headless[/code] and
## [code]--screenshot DIR[/code] start this.
## [br][br]
## With [code]--part[/code] it ends at the main picture, which shows the map without the frame,
## in this size. With [code]--movie[/code] it plays the scene's script in [code]movies[/code]
## instead, and writes what its DemoMovie shows. [code]cargo xtask pictures[/code] starts it so.

const DemoMovie := preload("demo_movie.gd")
const DemoPlayer := preload("demo_player.gd")
const LessonPlays := preload("lesson_plays.gd")

## How often it says that it is still there, and what it waits for: on a busy machine a play lasts.
const BEAT_MSEC := 20_000

var _scene := ""
var _picture := ""
var _seconds := 3.0
var _size := Vector2i(1280, 720)
var _part := Vector2i.ZERO
var _movie := ""
var _next_beat := BEAT_MSEC
var _player: DemoPlayer = null


func _initialize() -> void:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--scene="):
			_scene = argument.trim_prefix("--scene=")
		elif argument.begins_with("--picture="):
			_picture = argument.trim_prefix("--picture=")
		elif argument.begins_with("--seconds="):
			_seconds = argument.trim_prefix("--seconds=").to_float()
		elif argument.begins_with("--size="):
			_size = _size_in(argument)
		elif argument.begins_with("--part="):
			_part = _size_in(argument)
		elif argument.begins_with("--movie="):
			_movie = argument.trim_prefix("--movie=")
	_run.call_deferred()


func _process(_delta: float) -> bool:
	if Time.get_ticks_msec() >= _next_beat:
		_next_beat += BEAT_MSEC
		print("SCENE_RUNS %s" % (_player.awaited if _player != null else ""))
	return false


func _run() -> void:
	root.size = _size
	if not ResourceLoader.exists(_scene) or change_scene_to_file(_scene) != OK:
		_give_up("there is no scene %s" % _scene)
		return
	await _wait_for_scene()
	if current_scene == null:
		_give_up("the scene %s does not start" % _scene)
		return
	var started := Time.get_ticks_msec()
	var player := DemoPlayer.new(self, _picture)
	_player = player
	await player.frames(10)
	RenderingServer.render_loop_enabled = false  # Only pictures are drawn: see DemoPlayer.
	if _part != Vector2i.ZERO:
		await _take_pictures(player)
		print("SCENE_DONE")
		quit(0)
		return
	await _play(player)
	var rest := _seconds - (Time.get_ticks_msec() - started) / 1000.0
	await player.seconds(maxf(rest, 0.1))
	if not player.has_taken_main_picture():
		await player.screenshot()
	player.release_everything()
	await _check_frame(player)
	current_scene.free()
	await player.frames(3)
	print("SCENE_DONE")
	quit(0)


## A changed scene is there one frame later.
func _wait_for_scene() -> void:
	for _frame: int in 30:
		await process_frame
		if current_scene != null:
			return


func _play(player: DemoPlayer) -> void:
	if _scene.begins_with("res://lessons/"):
		var lesson := _scene.get_file().get_basename()
		var method := lesson.substr(lesson.find("_") + 1)
		var plays := LessonPlays.new(player, current_scene)
		if plays.has_method(method):
			await plays.call(method)
			await plays.other_buttons_do_nothing()
		else:
			_give_up("lesson_plays.gd has no method %s" % method)
		return
	var play := _driver("plays")
	if play != null:
		@warning_ignore("unsafe_method_access", "redundant_await")
		await play.play(player)
		print("PLAYED %s" % _scene)


## The script of the scene's name in [param folder], beside this one.
func _driver(folder: String) -> RefCounted:
	var own: GDScript = get_script()
	var name := _scene.get_file().get_basename() + ".gd"
	var file := own.resource_path.get_base_dir().path_join(folder).path_join(name)
	var script: GDScript = load(file)
	if script == null or not script.can_instantiate():
		_give_up("%s is not there, or does not compile" % file)
		return null
	return script.new()


## The main picture, or the movie, and nothing else.
func _take_pictures(player: DemoPlayer) -> void:
	player.part = _part
	(root.get_node(^"LessonBar") as CanvasLayer).hide()
	call_group(DemoTour.CAPTIONS, &"hide")
	if _movie.is_empty():
		_play(player)
		await player.main_picture_taken
		return
	var movie := _driver("movies")
	@warning_ignore("unsafe_method_access", "redundant_await")
	await movie.play(player, DemoMovie.new(player, _movie))


## "--size=1280x720" as a size.
func _size_in(argument: String) -> Vector2i:
	var numbers := argument.get_slice("=", 1).split_floats("x")
	return Vector2i(Vector2(numbers[0], numbers[1]))


func _check_frame(player: DemoPlayer) -> void:
	var frame := current_scene.get_node_or_null(^"DemoFrame") as DemoFrame
	if frame == null:
		return
	player.check(frame.has_room(), "the panel and the keys fit their places")
	player.check(player.has_zoomed(), "the scene is looked at from near and far, with the wheel")
	var before := current_scene.get_instance_id()
	await player.key(KEY_R)
	await _wait_for_scene()
	await player.frames(10)
	player.check(current_scene.get_instance_id() != before, "R restarts the scene")


func _give_up(why: String) -> void:
	printerr("ERROR: scene_runner: %s" % why)
	quit(1)
