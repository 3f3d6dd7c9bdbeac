class_name DemoNotice
extends PanelContainer
## Says beside the pointer why something is not done, and fades, or goes with what is done next.

const READING_S := 3.0
const FADING_S := 0.5

var _fading: Tween

@onready var _frame: DemoFrame = owner
@onready var _label: Label = $Text


## What is said now; empty when nothing is.
func text() -> String:
	return _label.text if visible else ""


## Before all others, which may have something to tell of this click or key.
func _input(event: InputEvent) -> void:
	if (event is InputEventMouseButton or event is InputEventKey) and event.is_pressed():
		hide()


func tell(words: String) -> void:
	_label.text = words
	reset_size()
	var free := _frame.free_rect()
	var beside := get_global_mouse_position() + Vector2(14.0, -44.0)
	position = beside.clamp(free.position, free.end - size)
	modulate.a = 1.0
	show()
	if _fading != null:
		_fading.kill()
	_fading = create_tween()
	_fading.tween_interval(READING_S)
	_fading.tween_property(self, ^"modulate:a", 0.0, FADING_S)
	_fading.tween_callback(hide)
