extends Control
## Two lists, showcases and lessons, each entry with its picture and its code. A click or the arrow
## keys choose. A double click, Enter or Play starts what is chosen. A digit starts the entry of
## that number in the list that is shown. Pointing changes nothing.

const ENTRY := preload("menu_entry.tscn")
## Where a link with a map leads.
const PLAYGROUND := "res://scenes/12_playground/12_playground.tscn"

## The list that is shown, and the entry in each that was chosen last.
static var _shown := 0
static var _chosen: PackedInt32Array = [0, 0]
static var _has_followed_link := false

var _entries: Array[Array] = [DemoEntry.showcases(), DemoEntry.lessons()]
var _buttons: Array[Array] = [[], []]
var _groups: Array[ButtonGroup] = [ButtonGroup.new(), ButtonGroup.new()]

@onready var _tabs: Array[Button] = [%Showcases, %Lessons]
@onready var _lists: Array[VBoxContainer] = [%ShowcaseList, %LessonList]
@onready var _picture: TextureRect = %Picture
@onready var _code: LessonCode = %LessonCode
@onready var _title: Label = %SceneTitle
@onready var _summary: Label = %SceneSummary
@onready var _details: Label = %SceneDetails
@onready var _code_button: Button = %Code
@onready var _play: Button = %Play


func _ready() -> void:
	if not _has_followed_link and not PlaygroundLink.code_of_page().is_empty():
		_has_followed_link = true
		get_tree().change_scene_to_file.call_deferred(PLAYGROUND)
		return
	for list: int in _lists.size():
		for place: int in _entries[list].size():
			_add_button(list, place)
		_tabs[list].pressed.connect(_show_list.bind(list))
	_play.pressed.connect(func() -> void: _start(_chosen[_shown]))
	_code_button.toggled.connect(_on_code_toggled)
	await get_tree().process_frame  # The list scrolls to what has the focus once it has its size.
	if is_inside_tree():  # Another scene may have begun meanwhile.
		_show_list(_shown)


func _input(event: InputEvent) -> void:
	for list: int in _tabs.size():
		if event.is_action_pressed([&"ui_left", &"ui_right"][list]):
			get_viewport().set_input_as_handled()
			_show_list(list)


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed or key.echo:
		return
	if key.keycode >= KEY_1 and key.keycode <= KEY_9:
		_start(key.keycode - KEY_1)  # Entries are in the order of their numbers, from 1.
	elif key.keycode == KEY_C:
		_code_button.button_pressed = not _code_button.button_pressed
	elif event.is_action_pressed(&"ui_cancel") and _code_button.button_pressed:
		_code_button.button_pressed = false
	elif event.is_action_pressed(&"ui_cancel"):
		get_tree().quit()


func _entry(list: int, place: int) -> DemoEntry:
	return _entries[list][place]


func _add_button(list: int, place: int) -> void:
	var entry := _entry(list, place)
	var button: Button = ENTRY.instantiate()
	button.button_group = _groups[list]
	button.text = "%d   %s" % [entry.number(), entry.title]
	button.icon = entry.thumbnail
	button.focus_entered.connect(_choose.bind(place))
	button.gui_input.connect(_on_entry_input.bind(place))
	_lists[list].add_child(button)
	_buttons[list].append(button)


func _show_list(list: int) -> void:
	_shown = list
	for other: int in _lists.size():
		_lists[other].visible = other == list
		_tabs[other].button_pressed = other == list
	var button: Button = _buttons[list][_chosen[list]]
	button.grab_focus()
	_choose(_chosen[list])


func _choose(place: int) -> void:
	_chosen[_shown] = place
	var button: Button = _buttons[_shown][place]
	button.button_pressed = true
	var entry := _entry(_shown, place)
	_picture.texture = entry.thumbnail
	_code.text = entry.code
	_title.text = entry.title
	_summary.text = entry.summary
	_details.text = entry.details


## The click that chooses is the engine's: it gives the entry the focus.
func _on_entry_input(event: InputEvent, place: int) -> void:
	var click := event as InputEventMouseButton
	var is_double := (
		click != null and click.button_index == MOUSE_BUTTON_LEFT and click.double_click
	)
	if is_double or event.is_action_pressed(&"ui_accept"):
		accept_event()
		_start(place)


func _start(place: int) -> void:
	_chosen[_shown] = place
	get_tree().change_scene_to_file(_entry(_shown, place).file)


func _on_code_toggled(is_on: bool) -> void:
	_code.visible = is_on
	_picture.visible = not is_on
