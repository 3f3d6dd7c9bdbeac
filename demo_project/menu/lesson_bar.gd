class_name DemoLessonBar
extends CanvasLayer
## Lies over every lesson, and is no part of it: shows the lesson's script, restarts it, and leads
## back to the menu. Showcases show the script of their lesson in it.

const MENU := "res://menu/menu.tscn"

var _scene: Node

@onready var _panel: Control = %Panel
@onready var _code: LessonCode = %LessonCode
@onready var _code_title: Label = %CodeTitle
@onready var _buttons: Control = %Buttons


func _ready() -> void:
	var code: Button = %Code
	var close: Button = %Close
	var restart: Button = %Restart
	var back: Button = %Back
	code.pressed.connect(_on_code_pressed)
	close.pressed.connect(_panel.hide)
	restart.pressed.connect(_on_restart_pressed)
	back.pressed.connect(_on_back_pressed)


func _process(_delta: float) -> void:
	if get_tree().current_scene != _scene:
		_scene = get_tree().current_scene
		_buttons.visible = _scene != null and _scene.scene_file_path.begins_with(DemoEntry.LESSONS)
		_panel.hide()


func _unhandled_key_input(event: InputEvent) -> void:
	if event.is_action_pressed(&"ui_cancel") and _panel.visible:
		_panel.hide()
		get_viewport().set_input_as_handled()
	elif not _buttons.visible:
		return
	elif event.is_action_pressed(&"ui_cancel"):
		_on_back_pressed()
	elif event.is_action_pressed(&"demo_restart"):
		_on_restart_pressed()
	elif event.is_pressed() and (event as InputEventKey).keycode == KEY_C:
		_on_code_pressed()


## Shows the script of a lesson over the scene that is played, or hides it.
func toggle_code(lesson: String) -> void:
	_panel.visible = not _panel.visible
	_code.text = DemoEntry.lesson_code(lesson)
	_code_title.text = "lessons/%s.gd" % lesson


func _on_code_pressed() -> void:
	toggle_code(_scene.scene_file_path.get_file().get_basename())


func _on_restart_pressed() -> void:
	get_tree().reload_current_scene()


func _on_back_pressed() -> void:
	get_tree().change_scene_to_file(MENU)
