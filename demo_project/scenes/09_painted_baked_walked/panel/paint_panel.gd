class_name PaintPanel
extends VBoxContainer
## The panel on the right: the steps of a bake, the brushes, and what the last bake took.

signal step_chosen(step: PaintSteps.Step)
signal brush_chosen(letter: String)

## What each step shows.
const ABOUT: Dictionary[PaintSteps.Step, String] = {
	PaintSteps.Step.NONE: "The tiles alone.",
	PaintSteps.Step.TILES: "A polygon for each floor tile, and for each wall and furniture.",
	PaintSteps.Step.GROWN: "Walls, furniture and holes, grown by half the body.",
	PaintSteps.Step.RESULT: "Where the body's middle may be: the floor less what has grown.",
}

var step := PaintSteps.Step.RESULT

@onready var figures: DemoFigures = %Figures
@onready var _step_buttons: Array[Node] = %Steps.get_children()
@onready var _brush_buttons: Array[Node] = %Brushes.get_children()
@onready var _about: Label = %About


func _ready() -> void:
	(%Back as Button).pressed.connect(move.bind(-1))
	(%Next as Button).pressed.connect(move.bind(1))
	for place: int in _step_buttons.size():
		(_step_buttons[place] as Button).pressed.connect(choose.bind(place))
	for place: int in _brush_buttons.size():
		(_brush_buttons[place] as Button).pressed.connect(choose_brush.bind(place))
	choose(step)


## Shows a step.
func choose(place: PaintSteps.Step) -> void:
	step = place
	(_step_buttons[step] as Button).button_pressed = true
	_about.text = ABOUT[step]
	step_chosen.emit(step)


## Shows the step after this one, or before it.
func move(by: int) -> void:
	choose(posmod(step + by, ABOUT.size()) as PaintSteps.Step)


## Chooses a brush by its place.
func choose_brush(place: int) -> void:
	(_brush_buttons[place] as Button).button_pressed = true
	brush_chosen.emit(PaintBrush.LETTERS[place])


## Says what the last bake of a board took: [param regions] of [param all] were baked.
func show_bake(board: String, regions: int, all: int, msec: float) -> void:
	figures.show_figure(board, "%d of %d, %.2f ms" % [regions, all, msec])
