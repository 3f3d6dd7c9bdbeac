class_name DemoTour
extends Node
## Shows by itself what a scene can do, one step after another and over again, until the first click
## or key. The wheel and the middle button only look, so they end nothing.

## A step is over, by its place; the next one has not begun.
signal step_ended(place: int)

## Captions are in this group.
const CAPTIONS := &"demo_captions"

## The caption stands at the lower edge of the part that it leaves free.
@export var frame: DemoFrame

## Steps that are done so far.
var steps_done := 0

var _captions: PackedStringArray = []
var _actions: Array[Callable] = []
var _durations: PackedFloat32Array = []
var _at := -1
var _left_s := 0.0

@onready var _card: PanelContainer = %Card
@onready var _caption: Label = %Caption


## Adds a step that lasts [param seconds]. The next one follows it, the first one the last.
func add_step(seconds: float, caption: String, action: Callable) -> void:
	_captions.append(caption)
	_actions.append(action)
	_durations.append(seconds)


## No more steps. The scene stays as it is.
func end() -> void:
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
	var free := frame.free_rect()
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
