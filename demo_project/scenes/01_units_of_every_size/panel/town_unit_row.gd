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


## Shows a kind.
func show_kind(kind: TownUnitKind) -> void:
	_show(kind, "%s %s" % [kind.title, kind.size_text()], "", DemoPalette.TEXT_DIM)


## Shows a unit and what it does.
func show_unit(unit: TownUnit) -> void:
	var title := "%s  %s" % [unit.title(), unit.kind.size_text()]
	_show(unit.kind, title, _activity_of(unit), _tint_of(unit))


func _show(kind: TownUnitKind, title: String, line: String, line_colour: Color) -> void:
	_picture.texture = kind.hull
	_turret.texture = kind.turret
	_title.text = title
	_title.add_theme_color_override(&"font_color", kind.colour)
	_activity.text = line
	_activity.visible = not line.is_empty()
	_activity.add_theme_color_override(&"font_color", line_colour)


static func _activity_of(unit: TownUnit) -> String:
	match unit.state():
		TownUnit.State.MOVING:
			var words := (
				"%d cells to go" if unit.refusal == null else "as near as it fits, %d to go"
			)
			return words % ceili(unit.distance_ahead())
		TownUnit.State.WAITING:
			return "gives way"
		TownUnit.State.BLOCKED:
			return "no way there"
		TownUnit.State.HELD_UP:
			return "held up by %s" % unit.names_of_blockers()
		TownUnit.State.ASIDE:
			return "made way for others"
		TownUnit.State.LEAVING:
			return "leaves the building site"
	return "parked"


static func _tint_of(unit: TownUnit) -> Color:
	match unit.state():
		TownUnit.State.BLOCKED:
			return DemoPalette.BAD
		TownUnit.State.WAITING, TownUnit.State.LEAVING, TownUnit.State.HELD_UP:
			return DemoPalette.WARN
		TownUnit.State.MOVING:
			return DemoPalette.WARN if unit.refusal != null else DemoPalette.GOOD
	return DemoPalette.TEXT_DIM
