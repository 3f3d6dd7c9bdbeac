class_name PaintPanel
extends VBoxContainer
## The panel on the right: the stages of a bake, the brushes, and what the last bake took.

signal stage_chosen(stage: String)
signal brush_chosen(letter: String)

## Each stage, what the button says, and what one sees.
const STAGES: Array[Array] = [
	["", "None", "The tiles alone."],
	["nav_collected", "Floor: collected", "A polygon for each floor tile."],
	["nav_merged", "Floor: merged", "Joined; amber lines go around holes."],
	["nav_adjusted", "Floor: adjusted", "Solids shrunk by the body, holes grown."],
	["nav_clipped", "Floor: clipped", "Holes that reach over an edge cut it."],
	["nav_holes_merged", "Floor: holes merged", "Holes that overlap are one."],
	["colliders_collected", "Colliders: collected", "A polygon for each wall and furniture."],
	["colliders_merged", "Colliders: merged", "Joined."],
	["colliders_adjusted", "Colliders: adjusted", "Solids grown by the body, holes shrunk."],
	["colliders_holes_reduced", "Colliders: reduced", "Overlaps joined, their holes cut."],
	["subtracted", "Subtracted", "The floor without colliders."],
	["result", "Result", "Where the body's middle may be."],
]

## The boards, from left to right, and the colours of those who walk there.
const BOARDS: Dictionary[String, Color] = {
	"Wide": DemoPalette.SCOUT,
	"Tall": DemoPalette.HAULER,
}

var stage := STAGES.size() - 1
var figures := DemoFigures.new()

var _stage_buttons: Array[Button] = []
var _brush_buttons: Dictionary[String, Button] = {}
var _about := Label.new()


func _ready() -> void:
	add_theme_constant_override(&"separation", 5)
	_add_heading("Stages of a bake")
	var steps := HBoxContainer.new()
	add_child(steps)
	_add_button(steps, "‹ Back").pressed.connect(step.bind(-1))
	_add_button(steps, "Next ›").pressed.connect(step.bind(1))
	var group := ButtonGroup.new()
	var list := VBoxContainer.new()
	list.add_theme_constant_override(&"separation", 1)
	add_child(list)
	for place: int in STAGES.size():
		var title: String = STAGES[place][1]
		var button := _add_button(list, title)
		button.toggle_mode = true
		button.button_group = group
		button.alignment = HORIZONTAL_ALIGNMENT_LEFT
		button.add_theme_font_size_override(&"font_size", 13)
		button.custom_minimum_size.y = 23.0
		for state: StringName in [&"normal", &"hover", &"pressed", &"hover_pressed"]:
			button.add_theme_stylebox_override(state, _row_style(state))
		button.pressed.connect(choose.bind(place))
		_stage_buttons.append(button)
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
	choose(stage)


## Shows a stage by its place in the list.
func choose(place: int) -> void:
	stage = posmod(place, STAGES.size())
	_stage_buttons[stage].set_pressed_no_signal(true)
	for other: int in _stage_buttons.size():
		_stage_buttons[other].set_pressed_no_signal(other == stage)
	_about.text = STAGES[stage][2]
	stage_chosen.emit(stage_name())


## The stage's name, as the baker has it; nothing for the tiles alone.
func stage_name() -> String:
	return STAGES[stage][0]


## The stage after this one, or before it.
func step(by: int) -> void:
	choose(stage + by)


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
