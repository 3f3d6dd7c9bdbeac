class_name DemoFigures
extends VBoxContainer
## Figures in a scene's panel: a heading, and rows of a name and a number that changes.

## What stands in a row that has no figure yet.
const NOTHING := "–"

var _values: Dictionary[String, Label] = {}


## A line of its own above the rows that follow.
func add_heading(text: String) -> void:
	if get_child_count() > 0:
		add_child(HSeparator.new())
	var label := Label.new()
	label.theme_type_variation = &"DemoHeading"
	label.text = text
	add_child(label)


## A row; [method show_figure] fills it in. A colour puts a dot before the name.
func add_figure(title: String, colour := Color.TRANSPARENT) -> void:
	var row := HBoxContainer.new()
	if colour.a > 0.0:
		var dot := TextureRect.new()
		dot.texture = preload("disc.svg")
		dot.modulate = colour
		dot.custom_minimum_size = Vector2(12, 12)
		dot.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
		dot.stretch_mode = TextureRect.STRETCH_KEEP_ASPECT_CENTERED
		row.add_child(dot)
	var label := Label.new()
	label.theme_type_variation = &"DemoDim"
	label.text = title
	label.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	label.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	var value := Label.new()
	value.text = NOTHING
	value.horizontal_alignment = HORIZONTAL_ALIGNMENT_RIGHT
	row.add_child(label)
	row.add_child(value)
	add_child(row)
	_values[title] = value


func show_figure(title: String, value: String) -> void:
	_values[title].text = value


## What stands in a row.
func figure(title: String) -> String:
	return _values[title].text


## The same as a number, as [method grouped] writes it.
func number(title: String) -> int:
	return figure(title).replace(",", "").to_int()


func add_button(text: String, is_toggle := false) -> Button:
	var button := Button.new()
	button.text = text
	button.toggle_mode = is_toggle
	button.focus_mode = Control.FOCUS_NONE
	button.clip_text = true
	add_child(button)
	return button


## Puts buttons that were added last side by side.
func put_in_row(buttons: Array[Button]) -> void:
	var row := HBoxContainer.new()
	add_child(row)
	for button: Button in buttons:
		button.size_flags_horizontal = Control.SIZE_EXPAND_FILL
		button.reparent(row)


func add_slider(low: float, high: float, step: float, value: float) -> HSlider:
	var slider := HSlider.new()
	slider.min_value = low
	slider.max_value = high
	slider.step = step
	slider.value = value
	slider.focus_mode = Control.FOCUS_NONE
	slider.custom_minimum_size.y = 22.0
	add_child(slider)
	return slider


## 12345 as 12,345.
static func grouped(count: int) -> String:
	var digits := str(count)
	for place: int in range(digits.length() - 3, 0, -3):
		digits = digits.insert(place, ",")
	return digits
