class_name DemoTour
extends Node
## Shows by itself what a scene can do, one step after another and over again, until the first click
## or key. The wheel and the middle button only look, so they end nothing.

## A step is over, by its place; the next one has not begun.
signal step_ended(place: int)

## Captions are in this group.
const CAPTIONS := &"demo_captions"
const HINT := "This plays by itself. Click or press a key, and it is yours."

## Steps that are done so far.
var steps_done := 0

var _frame: DemoFrame
var _card := PanelContainer.new()
var _caption := Label.new()
var _captions: PackedStringArray = []
var _actions: Array[Callable] = []
var _durations: PackedFloat32Array = []
var _at := -1
var _left_s := 0.0


## Captions stand at the lower edge of the part that [param frame] leaves free.
func _init(frame: DemoFrame) -> void:
	_frame = frame
	name = "Tour"
	_card.theme_type_variation = &"DemoCard"
	_card.mouse_filter = Control.MOUSE_FILTER_IGNORE
	_card.add_to_group(CAPTIONS)
	var lines := VBoxContainer.new()
	lines.add_theme_constant_override(&"separation", 0)
	var hint := Label.new()
	hint.text = HINT
	hint.theme_type_variation = &"DemoDim"
	hint.add_theme_font_size_override(&"font_size", 13)
	for label: Label in [_caption, hint]:
		label.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
		lines.add_child(label)
	_card.add_child(lines)
	frame.add_child(_card)


## Adds a step that lasts [param seconds]. The next one follows it, the first one the last.
func add_step(seconds: float, caption: String, action: Callable) -> void:
	_captions.append(caption)
	_actions.append(action)
	_durations.append(seconds)


## No more steps. The scene stays as it is.
func end() -> void:
	_card.queue_free()
	queue_free()


func _process(delta: float) -> void:
	_left_s -= delta
	if _left_s > 0.0:
		return
	if _at >= 0:
		steps_done += 1
		step_ended.emit(_at)
	_at = (_at + 1) % _actions.size()
	_left_s = _durations[_at]
	_caption.text = _captions[_at]
	_place_card.call_deferred()
	_actions[_at].call()


func _place_card() -> void:
	_card.reset_size()
	var free := _frame.free_rect()
	_card.position = Vector2(
		free.get_center().x - _card.size.x * 0.5, free.end.y - _card.size.y - 8.0
	)


## Before all others, so that the scene that hears the click is the player's already.
func _input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	var is_click := (
		button != null
		and button.pressed
		and button.button_index in [MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT]
	)
	if is_click or event is InputEventKey and event.is_pressed():
		end()
