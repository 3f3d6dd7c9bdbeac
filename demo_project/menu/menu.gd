extends Control
## The list of scenes: every numbered folder of res://scenes that has an info.tres, with what it
## shows. Mouse, arrow keys and Enter; a digit starts the scene of that number.

const SCENES := "res://scenes"

## The scene that was started last: it is chosen when the player comes back.
static var _last := 0

var _infos: Array[DemoSceneInfo] = []
var _files: PackedStringArray = []
var _buttons: Array[Button] = []
var _shown := -1

@onready var _list: VBoxContainer = %List
@onready var _picture: TextureRect = %Picture
@onready var _title: Label = %SceneTitle
@onready var _summary: Label = %SceneSummary
@onready var _details: Label = %SceneDetails
@onready var _play: Button = %Play


func _ready() -> void:
	_find_scenes()
	_play.pressed.connect(func() -> void: _start(_shown))
	if not _buttons.is_empty():
		_buttons[_last].grab_focus()
		_show(_last)


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed or key.echo:
		return
	var number := key.keycode - KEY_0
	for place: int in _files.size():
		if _number_of(_files[place]) == number:
			_start(place)
			return
	if event.is_action_pressed(&"ui_cancel"):
		get_tree().quit()


func _find_scenes() -> void:
	for folder: String in DirAccess.get_directories_at(SCENES):
		var base := SCENES.path_join(folder)
		var info_file := base.path_join("info.tres")
		if not folder[0].is_valid_int() or not ResourceLoader.exists(info_file):
			continue
		var info: DemoSceneInfo = load(info_file)
		_infos.append(info)
		_files.append(base.path_join(folder + ".tscn"))
		_add_button(_infos.size() - 1)


func _add_button(place: int) -> void:
	var button := Button.new()
	button.text = "%02d   %s" % [_number_of(_files[place]), _infos[place].title]
	button.icon = _infos[place].thumbnail
	button.expand_icon = true
	button.alignment = HORIZONTAL_ALIGNMENT_LEFT
	button.custom_minimum_size.y = 54.0
	button.clip_text = true
	button.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	button.add_theme_constant_override(&"h_separation", 14)
	button.add_theme_constant_override(&"icon_max_width", 72)
	button.add_theme_font_size_override(&"font_size", 16)
	button.focus_entered.connect(_show.bind(place))
	button.mouse_entered.connect(button.grab_focus)
	button.pressed.connect(_start.bind(place))
	_list.add_child(button)
	_buttons.append(button)


func _show(place: int) -> void:
	_shown = place
	var info := _infos[place]
	_picture.texture = info.thumbnail
	_title.text = info.title
	_summary.text = info.summary
	_details.text = info.details


func _start(place: int) -> void:
	if place >= 0:
		_last = place
		get_tree().change_scene_to_file(_files[place])


static func _number_of(file: String) -> int:
	return file.get_file().get_slice("_", 0).to_int()
