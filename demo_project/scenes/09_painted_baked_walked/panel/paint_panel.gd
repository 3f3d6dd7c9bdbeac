class_name PaintPanel
extends VBoxContainer
## The panel on the right: the steps of a bake, the brushes, and what the last bake took.

signal step_chosen(step: PaintSteps.Step)
signal brush_chosen(letter: String)

## Each step: what the button says, and what one sees.
const STEPS: Dictionary[PaintSteps.Step, Array] = {
	PaintSteps.Step.NONE: ["None", "The tiles alone."],
	PaintSteps.Step.TILES:
	["Tiles", "A polygon for each floor tile, and for each wall and furniture."],
	PaintSteps.Step.GROWN: ["Grown", "Walls, furniture and holes, grown by half the body."],
	PaintSteps.Step.RESULT:
	["Result", "Where the body's middle may be: the floor less what has grown."],
}

## The boards, from left to right, and the colours of those who walk there.
const BOARDS: Dictionary[String, Color] = {
	"Wide": DemoPalette.SCOUT,
	"Tall": DemoPalette.HAULER,
}

var step := PaintSteps.Step.RESULT
var figures := DemoFigures.new()

var _step_buttons: Array[Button] = []
var _brush_buttons: Dictionary[String, Button] = {}
var _about := Label.new()


func _ready() -> void:
	add_theme_constant_override(&"separation", 5)
	_add_heading("Steps of a bake")
	var steps := HBoxContainer.new()
	add_child(steps)
	_add_button(steps, "‹ Back").pressed.connect(move.bind(-1))
	_add_button(steps, "Next ›").pressed.connect(move.bind(1))
	var group := ButtonGroup.new()
	var list := VBoxContainer.new()
	list.add_theme_constant_override(&"separation", 1)
	add_child(list)
	for place: PaintSteps.Step in STEPS:
		var button := _add_button(list, STEPS[place][0] as String)
		button.toggle_mode = true
		button.button_group = group
		button.alignment = HORIZONTAL_ALIGNMENT_LEFT
		button.add_theme_font_size_override(&"font_size", 13)
		button.custom_minimum_size.y = 23.0
		for state: StringName in [&"normal", &"hover", &"pressed", &"hover_pressed"]:
			button.add_theme_stylebox_override(state, _row_style(state))
		button.pressed.connect(choose.bind(place))
		_step_buttons.append(button)
	_about.theme_type_variation = &"DemoDim"
	_about.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_about.custom_minimum_size.y = 46.0
	add_child(_about)
	_add_heading("Paint")
	var brushes := GridContainer.new()
	brushes.columns = 3
	add_child(brushes)
	for letter: String in PaintBrush.NAMES:
		var button := _add_button(brushes, PaintBrush.NAMES[letter])
		button.toggle_mode = true
		button.pressed.connect(_on_brush_pressed.bind(letter))
		_brush_buttons[letter] = button
	add_child(figures)
	figures.add_theme_constant_override(&"separation", 1)
	figures.add_heading("Last bake: regions, time")
	for title: String in BOARDS:
		figures.add_figure(title, BOARDS[title])
	_on_brush_pressed("#")
	choose(step)


## Shows a step.
func choose(place: PaintSteps.Step) -> void:
	step = place
	for other: int in _step_buttons.size():
		_step_buttons[other].set_pressed_no_signal(other == step)
	_about.text = STEPS[step][1]
	step_chosen.emit(step)


## Shows the step after this one, or before it.
func move(by: int) -> void:
	choose(posmod(step + by, STEPS.size()) as PaintSteps.Step)


## Chooses a brush by its place.
func choose_brush(place: int) -> void:
	if place < PaintBrush.NAMES.size():
		_on_brush_pressed(PaintBrush.NAMES.keys()[place])


## Says what the last bake of a board took: [param regions] of [param all] were baked.
func show_bake(board: String, regions: int, all: int, msec: float) -> void:
	figures.show_figure(board, "%d of %d, %.2f ms" % [regions, all, msec])


func _add_heading(text: String) -> void:
	var label := Label.new()
	label.text = text
	label.theme_type_variation = &"DemoHeading"
	add_child(label)


func _add_button(parent: Control, text: String) -> Button:
	var button := Button.new()
	button.text = text
	button.focus_mode = Control.FOCUS_NONE
	button.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	parent.add_child(button)
	return button


func _row_style(state: StringName) -> StyleBoxFlat:
	var style := StyleBoxFlat.new()
	var is_pressed := state in [&"pressed", &"hover_pressed"]
	style.bg_color = Color(DemoPalette.ACCENT, 0.22) if is_pressed else Color(0, 0, 0, 0)
	if state == &"hover":
		style.bg_color = DemoPalette.PANEL_RAISED
	style.set_corner_radius_all(3)
	style.content_margin_left = 8.0
	style.content_margin_top = 1.0
	style.content_margin_bottom = 1.0
	return style


func _on_brush_pressed(letter: String) -> void:
	for other: String in _brush_buttons:
		_brush_buttons[other].set_pressed_no_signal(other == letter)
	brush_chosen.emit(letter)
