class_name DemoFrame
extends CanvasLayer
## The frame round every scene: title and line above, panel on the right, keys below. Escape and the
## button on the left go back to the menu, R and the button on the right restart the scene. Put it
## first in the scene, so that whatever the scene itself does with these keys comes before it.

const MENU := "res://menu/menu.tscn"
const KEY_HINT := preload("demo_key_hint.tscn")
## The keys of every scene, after its own and the camera's.
const KEYS: PackedStringArray = ["R|restart", "Esc|scenes"]

## What is written in the frame.
@export var info: DemoSceneInfo
## Its number in the title, as the folder's name starts with.
@export var number := 1
## How wide the panel on the right is, in pixels.
@export var side_width := 276.0

var _camera_keys: PackedStringArray = []

## Says beside the pointer why something is not done.
@onready var notice: DemoNotice = $Notice
## How long frames take.
@onready var clock: DemoClock = $Clock

@onready var _top: Control = %Top
@onready var _side: Control = %Side
@onready var _bottom: Control = %Bottom
@onready var _key_row: Container = %Keys


func _ready() -> void:
	var title: Label = %Title
	var summary: Label = %Summary
	var back: Button = %Back
	var code: Button = %Code
	var restart: Button = %Restart
	_side.offset_left = -side_width
	_bottom.offset_right = -side_width
	title.text = "%02d  %s" % [number, info.title]
	summary.text = info.summary
	back.pressed.connect(_on_back_pressed)
	code.pressed.connect(_on_code_pressed)
	restart.pressed.connect(_on_restart_pressed)
	show_keys(info.keys)


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed(&"ui_cancel"):
		get_viewport().set_input_as_handled()
		_on_back_pressed()
	elif event.is_action_pressed(&"demo_restart"):
		get_viewport().set_input_as_handled()
		_on_restart_pressed()


## Shows these keys along the bottom, as "Key|what it does", then the camera's and those of every
## scene. A mode of a scene may have its own. The first to name a key says what it does.
func show_keys(keys: PackedStringArray) -> void:
	for old: Node in _key_row.get_children():
		_key_row.remove_child(old)
		old.queue_free()
	var named: PackedStringArray = []
	for entry: String in keys + _camera_keys + KEYS:
		var key_name := entry.get_slice("|", 0)
		if key_name not in named:
			named.append(key_name)
			_key_row.add_child(key_hint(key_name, entry.get_slice("|", 1)))


## What the camera's keys do; [DemoCamera] tells it.
func use_camera_keys(keys: PackedStringArray) -> void:
	_camera_keys = keys
	show_keys(info.keys)


## Says beside the pointer, in a player's words, why a click is not obeyed.
func tell(words: String) -> void:
	notice.tell(words)


## Puts a tool bar on top of the panel, whose first tool's keys are those of the scene.
func add_tools(first_tool: String) -> DemoTools:
	var tools := DemoTools.new(self)
	side_column().add_child(tools)
	side_column().move_child(tools, 0)
	tools.add_tool(first_tool, KEY_ESCAPE, info.keys)
	return tools


## Where a scene puts its own panel: a column as high as the window allows.
func side_column() -> VBoxContainer:
	return %SideColumn


## The part of the screen that the frame leaves free, in the viewport's coordinates.
func free_rect() -> Rect2:
	var size := get_viewport().get_visible_rect().size
	var top := _top.size.y
	return Rect2(0.0, top, size.x - _side.size.x, size.y - top - _bottom.size.y)


## Whether all keys can be read, and nothing in the panel is cut off or has to be scrolled to.
func has_room() -> bool:
	var needed := side_column().get_combined_minimum_size()
	var given := (side_column().get_parent() as Control).size
	return needed.x <= given.x and needed.y <= given.y and _key_row.size.y <= _bottom.size.y


## A key as a cap, and what it does. The pointer goes through both.
static func key_hint(key_name: String, meaning: String) -> HBoxContainer:
	var row: HBoxContainer = KEY_HINT.instantiate()
	(row.get_node(^"Cap/Key") as Label).text = key_name
	(row.get_node(^"Meaning") as Label).text = meaning
	return row


func _on_back_pressed() -> void:
	get_tree().change_scene_to_file(MENU)


func _on_code_pressed() -> void:
	(get_node(^"/root/LessonBar") as DemoLessonBar).toggle_code(info.lesson)


func _on_restart_pressed() -> void:
	get_tree().reload_current_scene()
