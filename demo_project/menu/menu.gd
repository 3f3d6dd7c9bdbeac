extends Control
## The list of lessons, each with its code, and of showcases. Mouse, arrow keys and Enter; a digit
## starts the showcase of that number.

## The entry that was started last: it is chosen when the player comes back.
static var _last := 0

var _entries: Array[DemoEntry] = []
var _buttons: Array[Button] = []
var _shown := -1

@onready var _list: VBoxContainer = %List
@onready var _picture: TextureRect = %Picture
@onready var _code: LessonCode = %LessonCode
@onready var _title: Label = %SceneTitle
@onready var _summary: Label = %SceneSummary
@onready var _details: Label = %SceneDetails
@onready var _play: Button = %Play


func _ready() -> void:
	_add("Lessons: one job each, with the code for it", DemoEntry.lessons())
	_add("Showcase: whole scenes", DemoEntry.showcases())
	_play.pressed.connect(func() -> void: _start(_shown))
	if not _buttons.is_empty():
		_show(_last)
		await get_tree().process_frame  # The list scrolls to what has the focus once it has its size.
		_buttons[_last].grab_focus()


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed or key.echo:
		return
	var number := key.keycode - KEY_0
	for place: int in _entries.size():
		if _entries[place].thumbnail != null and _entries[place].number() == number:
			_start(place)
			return
	if event.is_action_pressed(&"ui_cancel"):
		get_tree().quit()


func _add(heading: String, entries: Array[DemoEntry]) -> void:
	var label := Label.new()
	label.text = heading
	label.theme_type_variation = &"DemoDim"
	_list.add_child(label)
	for entry: DemoEntry in entries:
		_entries.append(entry)
		_add_button(_entries.size() - 1)


func _add_button(place: int) -> void:
	var entry := _entries[place]
	var button := Button.new()
	button.text = "%02d   %s" % [entry.number(), entry.title]
	button.icon = entry.thumbnail
	button.expand_icon = true
	button.alignment = HORIZONTAL_ALIGNMENT_LEFT
	button.custom_minimum_size.y = 32.0 if entry.thumbnail == null else 54.0
	button.clip_text = true
	button.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	button.add_theme_constant_override(&"h_separation", 14)
	button.add_theme_constant_override(&"icon_max_width", 72)
	button.focus_entered.connect(_show.bind(place))
	button.mouse_entered.connect(button.grab_focus)
	button.pressed.connect(_start.bind(place))
	_list.add_child(button)
	_buttons.append(button)


func _show(place: int) -> void:
	_shown = place
	var entry := _entries[place]
	_picture.visible = entry.thumbnail != null
	_picture.texture = entry.thumbnail
	_code.visible = entry.thumbnail == null
	_code.text = entry.code
	_title.text = entry.title
	_summary.text = entry.summary
	_details.text = entry.details
	_details.visible = not entry.details.is_empty()


func _start(place: int) -> void:
	if place >= 0:
		_last = place
		get_tree().change_scene_to_file(_entries[place].file)
