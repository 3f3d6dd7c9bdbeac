extends RefCounted
## Writes what a scene shows, frame by frame: [code]000.png[/code], [code]001.png[/code] and so on.
##
## A script in [code]movies[/code] gets one. The frames follow each other as the scene's time goes,
## however long drawing takes; Godot runs with [code]--fixed-fps 60[/code] then.

const DemoPlayer := preload("demo_player.gd")

## So many of the scene's frames for one of the movie's, which are 15 a second.
const STRIDE := 4

var _player: DemoPlayer
var _folder := ""
var _count := 0


func _init(player: DemoPlayer, folder: String) -> void:
	_player = player
	_folder = folder


## Shows [param duration] seconds of the scene.
func seconds(duration: float) -> void:
	for _frame: int in roundi(duration * 60.0 / STRIDE):
		RenderingServer.render_loop_enabled = false
		await _player.frames(STRIDE)
		RenderingServer.render_loop_enabled = true
		await RenderingServer.frame_post_draw
		var path := _folder.path_join("%03d.png" % _count)
		if _player.image().save_png(path) != OK:
			push_error("cannot write %s" % path)
		_count += 1
