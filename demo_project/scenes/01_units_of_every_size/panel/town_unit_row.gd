class_name TownUnitRow
extends HBoxContainer
## One selected unit in the panel: its picture, its name and size, what it is doing.

const PICTURE_SIZE := Vector2(34.0, 32.0)

var _picture := TextureRect.new()
var _turret := TextureRect.new()
var _title := Label.new()
var _activity := Label.new()


func _init() -> void:
	add_theme_constant_override(&"separation", 8)
	for picture: TextureRect in [_picture, _turret]:
		picture.custom_minimum_size = PICTURE_SIZE
		picture.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
		picture.stretch_mode = TextureRect.STRETCH_KEEP_ASPECT_CENTERED
	_picture.size_flags_vertical = Control.SIZE_SHRINK_CENTER
	_turret.set_anchors_and_offsets_preset(Control.PRESET_FULL_RECT)
	_picture.add_child(_turret)
	add_child(_picture)
	var lines := VBoxContainer.new()
	lines.add_theme_constant_override(&"separation", -3)
	lines.alignment = BoxContainer.ALIGNMENT_CENTER
	lines.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	lines.add_child(_title)
	lines.add_child(_activity)
	_activity.theme_type_variation = &"DemoDim"
	_activity.clip_text = true
	_activity.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	add_child(lines)


## Shows a kind and a line about it.
func show_kind(kind: TownUnitKind, line: String, line_colour := DemoPalette.TEXT_DIM) -> void:
	_picture.texture = kind.hull
	_turret.texture = kind.turret
	_title.text = "%s %s" % [kind.title, kind.size_text()]
	_title.add_theme_color_override(&"font_color", kind.colour)
	_activity.text = line
	_activity.visible = not line.is_empty()
	_activity.add_theme_color_override(&"font_color", line_colour)
