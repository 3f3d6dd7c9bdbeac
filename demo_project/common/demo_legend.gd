class_name DemoLegend
extends HFlowContainer
## Says what colours mean: a disc and a word for each. It takes the colours by state from a crowd.

const ENTRY := preload("demo_legend_entry.tscn")
## What an agent does, by its state.
const STATES: Dictionary[int, String] = {
	PathForgeCrowd.STATE_MOVING: "walks",
	PathForgeCrowd.STATE_WAITING: "waits for others",
	PathForgeCrowd.STATE_ARRIVED: "has arrived",
	PathForgeCrowd.STATE_STUCK: "is stuck",
	PathForgeCrowd.STATE_BLOCKED: "is kept out by others",
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
		for state: int in STATES:
			add_entry(STATES[state], crowd.state_colors[state] * agent_color)


func add_entry(text: String, color: Color) -> void:
	var row := ENTRY.instantiate()
	(row.get_node(^"Dot") as TextureRect).modulate = color
	(row.get_node(^"Text") as Label).text = text
	add_child(row)
