class_name PlaygroundPanel
extends VBoxContainer
## The panel on the right: bodies, what PathForge answers, the crowd, and buttons for the map.

signal body_chosen(place: int)
signal clearance_toggled(is_on: bool)
signal crowd_toggled(is_on: bool)
signal copy_pressed
signal paste_pressed

var body_buttons: Array[Button] = []

@onready var clearance_button: Button = %Clearance
@onready var crowd_button: Button = %Crowd
@onready var copy_button: Button = %Copy
@onready var paste_button: Button = %Paste

@onready var _bodies: Container = %Bodies
@onready var _answer: PanelContainer = %Answer
@onready var _reason: Label = %Reason
@onready var _text: Label = %Text
@onready var _walkers: Label = %Walkers


func _ready() -> void:
	clearance_button.toggled.connect(clearance_toggled.emit)
	crowd_button.toggled.connect(crowd_toggled.emit)
	copy_button.pressed.connect(copy_pressed.emit)
	paste_button.pressed.connect(paste_pressed.emit)
	paste_button.visible = not PlaygroundLink.is_on_web()
	if not PlaygroundLink.is_on_web():
		copy_button.text = "Copy map"


func set_up(bodies: Array[PlaygroundBody]) -> void:
	var group := ButtonGroup.new()
	for body: PlaygroundBody in bodies:
		var button := Button.new()
		button.text = "%s  %s" % [body.size_text(), body.title]
		button.toggle_mode = true
		button.button_group = group
		button.focus_mode = Control.FOCUS_NONE
		button.alignment = HORIZONTAL_ALIGNMENT_LEFT
		button.size_flags_horizontal = Control.SIZE_EXPAND_FILL
		button.add_theme_font_size_override(&"font_size", 14)
		button.pressed.connect(body_chosen.emit.bind(body_buttons.size()))
		_bodies.add_child(button)
		body_buttons.append(button)
	_bodies.move_child(clearance_button, -1)


func show_body(place: int) -> void:
	body_buttons[place].button_pressed = true


## Shows what [method PathForgeGrid.explain] says.
func show_answer(why: PathForgeDiagnosis) -> void:
	var is_found := why.reason == PathForgePath.REASON_NONE
	var tint := DemoPalette.GOOD if is_found else DemoPalette.BAD
	_reason.text = "There is a path" if is_found else "There is no path"
	_reason.add_theme_color_override(&"font_color", tint)
	_text.text = why.text
	(_answer.get_theme_stylebox(&"panel") as StyleBoxFlat).border_color = tint


## What is written about the path.
func answer() -> String:
	return _text.text


func show_crowd(walkers: int, summary: String) -> void:
	crowd_button.set_pressed_no_signal(walkers > 0)
	crowd_button.text = "Remove the crowd" if walkers > 0 else "Send a crowd"
	_walkers.text = summary if walkers > 0 else "60 walkers of three sizes set out together."
