class_name JumpCreatureRow
extends Button
## One character in the panel: its key, a picture of its size, its name, and what it does.

const _REASONS: Dictionary[int, String] = {
	PathForgePath.REASON_GOAL_SOLID: "that is solid",
	PathForgePath.REASON_GOAL_CLEARANCE: "does not fit there",
	PathForgePath.REASON_GOAL_OUT_OF_BOUNDS: "that is outside",
}

var _creature: JumpCreature

@onready var _name: Label = $Name
@onready var _activity: Label = $Activity


## Stands for [param creature], which the key [param number] selects.
func set_up(creature: JumpCreature, number: int) -> void:
	_creature = creature
	tooltip_text = "Key %d" % number
	_name.add_theme_color_override(&"font_color", creature.colour)
	show_state()


## Looks at the character again.
func show_state() -> void:
	var size := _creature.profile.footprint
	_name.text = "%s  %d×%d, jumps %d" % [_creature.title, size.x, size.y, _creature.jump_height]
	_activity.text = _text()
	_activity.add_theme_color_override(&"font_color", _tint())
	queue_redraw()


## Marks it if it is one of these.
func show_selection(creatures: Array[JumpCreature]) -> void:
	set_pressed_no_signal(_creature in creatures)


## What it says that the character does.
func text_shown() -> String:
	return _activity.text


func _draw() -> void:
	var size_px := Vector2(_creature.profile.footprint) * 8.0
	var area := Rect2(Vector2(40.0, 23.0) - size_px * 0.5, size_px)
	draw_rect(area, Color(_creature.colour, 0.9))
	for x: int in _creature.profile.footprint.x:
		for y: int in _creature.profile.footprint.y:
			var cell := Rect2(area.position + Vector2(x, y) * 8.0, Vector2.ONE * 8.0)
			draw_rect(cell.grow(-0.5), Color(0, 0, 0, 0.35), false, 1.0)


func _text() -> String:
	var path := _creature.path
	if _creature.state == JumpCreature.State.LOST and path != null and not path.is_complete():
		return _REASONS.get(path.reason, "no way for this body")
	return _creature.activity()


func _tint() -> Color:
	match _creature.state:
		JumpCreature.State.LOST:
			return DemoPalette.BAD
		JumpCreature.State.CHASING:
			return DemoPalette.GOOD
		JumpCreature.State.DRIVEN:
			return DemoPalette.ACCENT
	return DemoPalette.TEXT_DIM
