class_name DemoTools
extends HFlowContainer
## What the left button does in a scene: a button for each tool, with the key that takes it.
## [method DemoFrame.add_tools] makes it. The first tool selects or looks, and Escape goes back to
## it. The right button belongs to no tool: it sends.

## Another tool is in hand.
signal changed(tool: int)

## Around the words on a button, in pixels.
const PADDING := Vector2(8.0, 9.0)

## The place of the tool in hand.
var current := 0:
	set(value):
		if value == current:
			return
		current = value
		_show_current()
		changed.emit(current)

var _frame: DemoFrame
var _group := ButtonGroup.new()
var _titles: PackedStringArray = []
var _keys: Array[Key] = []
## What keys and mouse do with each tool, as the frame shows it.
var _hints: Array[PackedStringArray] = []


func _init(frame: DemoFrame) -> void:
	_frame = frame
	name = "Tools"
	add_theme_constant_override(&"h_separation", 4)


## Before the frame, which Escape leads back to the menu.
func _unhandled_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed or key.echo or key.keycode not in _keys:
		return
	var place := _keys.find(key.keycode)
	if place != 0 or current != 0:
		current = place
		get_viewport().set_input_as_handled()


## Adds a tool. With it, the frame shows [param hints] in place of the scene's keys.
func add_tool(title: String, key: Key, hints: PackedStringArray) -> void:
	var place := _keys.size()
	_titles.append(title)
	_keys.append(key)
	_hints.append(hints)
	var button := Button.new()
	button.toggle_mode = true
	button.button_group = _group
	button.focus_mode = Control.FOCUS_NONE
	button.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	button.pressed.connect(func() -> void: current = place)
	var key_name := "Esc" if key == KEY_ESCAPE else OS.get_keycode_string(key)
	var face := DemoFrame.key_hint(key_name, title)
	face.add_theme_constant_override(&"separation", 4)
	face.alignment = BoxContainer.ALIGNMENT_CENTER
	face.set_anchors_preset(Control.PRESET_FULL_RECT)
	button.add_child(face)
	add_child(button)
	button.custom_minimum_size = face.get_combined_minimum_size() + PADDING
	_show_current()


## The key that takes the tool at [param place].
func key_of(place: int) -> Key:
	return _keys[place]


## Whether a finger, not the mouse, sent an event. A tap has no right button: with a selection, a
## tap on the ground sends.
static func is_touch(event: InputEvent) -> bool:
	return event.device == InputEvent.DEVICE_ID_EMULATION


func _show_current() -> void:
	(get_child(current) as Button).button_pressed = true
	var back: PackedStringArray = []
	if current != 0:
		back.append("Esc|%s" % _titles[0].to_lower())
	_frame.show_keys(_hints[current] + back)
