class_name TownUnitRow
extends HBoxContainer
## A kind or a selected unit in the panel: its picture, its name and size, what it is doing.

## What a row shows that stands for a kind.
@export var kind: TownUnitKind

@onready var _picture: TextureRect = $Picture
@onready var _turret: TextureRect = $Picture/Turret
@onready var _title: Label = $Lines/Title
@onready var _activity: Label = $Lines/Activity


func _ready() -> void:
	if kind != null:
		_show(kind, "%s %s" % [kind.title, kind.size_text()], "", DemoPalette.TEXT_DIM)


## Shows a unit and what it does.
func show_unit(unit: TownUnit) -> void:
	var title := "%s  %s" % [unit.title(), unit.kind.size_text()]
	_show(unit.kind, title, _activity_of(unit), _tint_of(unit))


func _show(of_kind: TownUnitKind, title: String, line: String, line_colour: Color) -> void:
	_picture.texture = of_kind.hull
	_turret.texture = of_kind.turret
	_title.text = title
	_title.add_theme_color_override(&"font_color", of_kind.colour)
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
