extends CanvasLayer
## Lies over every lesson, and is no part of it: shows the lesson's script, restarts it, and leads
## back to the menu.

const MENU := "res://menu/menu.tscn"

var _lesson: Node

@onready var _panel: Control = %Panel
@onready var _code: LessonCode = %LessonCode


func _ready() -> void:
	var code: Button = %Code
	var restart: Button = %Restart
	var back: Button = %Back
	code.pressed.connect(_on_code_pressed)
	restart.pressed.connect(_on_restart_pressed)
	back.pressed.connect(_on_back_pressed)


func _process(_delta: float) -> void:
	var scene := get_tree().current_scene
	if scene != _lesson:
		_lesson = scene
		visible = scene != null and scene.scene_file_path.begins_with(DemoEntry.LESSONS)
		_panel.hide()
		if visible:
			var file := scene.scene_file_path.get_basename() + ".gd"
			_code.text = (load(file) as GDScript).source_code


func _unhandled_key_input(event: InputEvent) -> void:
	if not visible:
		return
	if event.is_action_pressed(&"ui_cancel"):
		_on_back_pressed()
	elif event.is_action_pressed(&"demo_restart"):
		_on_restart_pressed()
	elif event.is_pressed() and (event as InputEventKey).keycode == KEY_C:
		_on_code_pressed()


func _on_code_pressed() -> void:
	_panel.visible = not _panel.visible


func _on_restart_pressed() -> void:
	get_tree().reload_current_scene()


func _on_back_pressed() -> void:
	get_tree().change_scene_to_file(MENU)
