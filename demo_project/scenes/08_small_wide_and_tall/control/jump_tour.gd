class_name JumpTour
extends DemoTour
## The three run and jump through the level and back. A passage is filled in front of them, the arc
## of a jump is shown, and a single one of them fits into the cave.

signal goal_wanted(cell: Vector2i)
signal arc_wanted(is_on: bool)

const ROOF := Vector2i(42, 9)
const HOME := Vector2i(2, 23)
const HOLLOW := Vector2i(38, 26)
const LEDGE := Vector2i(10, 11)
const CAVE := Vector2i(45, 26)
## A cell of the low passage.
const PASSAGE := Vector2i(26, 26)

var _level: JumpLevel


func set_up(level: JumpLevel) -> void:
	_level = level
	add_step(
		9.0, "Three sizes, three ways: by tunnel, up the shaft, over the roof.", _go.bind(ROOF)
	)
	add_step(10.0, "And back, each as its body and its jump allow.", _go.bind(HOME))
	add_step(1.2, "All run for the hollow, Pip by the low passage.", _go.bind(HOLLOW))
	add_step(9.0, "The passage is filled in front of Pip, which finds another way.", _fill)
	add_step(9.0, "The arc: every cell of a jump, and how much of it is used up.", _show_arc)
	add_step(9.0, "Into the cave only Pip fits. The others say that there is no way.", _hide_arc)


func _go(cell: Vector2i) -> void:
	goal_wanted.emit(cell)


func _fill() -> void:
	_level.set_kind(PASSAGE, JumpLevel.Kind.GROUND)


func _show_arc() -> void:
	_level.set_kind(PASSAGE, JumpLevel.Kind.AIR)
	arc_wanted.emit(true)
	_go(LEDGE)


func _hide_arc() -> void:
	arc_wanted.emit(false)
	_go(CAVE)
