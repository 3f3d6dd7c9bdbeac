class_name DemoLegend
extends HFlowContainer
## Says what colours mean: a disc and a word for each. It takes the colours by state from a crowd.

## What an agent does, by the property of the crowd that has its colour.
const STATES: Dictionary[StringName, String] = {
	&"color_moving": "walks",
	&"color_waiting": "waits for others",
	&"color_arrived": "has arrived",
	&"color_stuck": "is stuck",
	&"color_blocked": "is kept out by others",
}

## Colours by what they mean.
@export var entries: Dictionary[String, Color] = {}
## Its colours by state follow the entries.
@export var crowd: PathForgeCrowd
## The colour that the crowd's agents have of their own: colours by state multiply it.
@export var agent_color := Color.WHITE


func _ready() -> void:
	mouse_filter = MOUSE_FILTER_IGNORE
	add_theme_constant_override(&"h_separation", 20)
	for text: String in entries:
		add_entry(text, entries[text])
	if crowd != null:
		for state: StringName in STATES:
			var color: Color = crowd.get(state)
			add_entry(STATES[state], color * agent_color)


func add_entry(text: String, color: Color) -> void:
	var row := HBoxContainer.new()
	row.mouse_filter = MOUSE_FILTER_IGNORE
	row.add_theme_constant_override(&"separation", 6)
	var dot := TextureRect.new()
	dot.mouse_filter = MOUSE_FILTER_IGNORE
	dot.texture = preload("disc.svg")
	dot.modulate = color
	dot.custom_minimum_size = Vector2(13, 13)
	dot.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
	dot.stretch_mode = TextureRect.STRETCH_KEEP_ASPECT_CENTERED
	var label := Label.new()
	label.theme_type_variation = &"DemoDim"
	label.text = text
	row.add_child(dot)
	row.add_child(label)
	add_child(row)
