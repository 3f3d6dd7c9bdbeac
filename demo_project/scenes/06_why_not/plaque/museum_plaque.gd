class_name MuseumPlaque
extends VBoxContainer
## The plaque beside a room: what it asks, and what PathForge answers, in its own words and numbers.

signal button_toggled(is_on: bool)

## Properties that have a place of their own, or say what another one says.
const SHOWN_ELSEWHERE: Array[String] = ["status", "reason", "text"]

## What values are where there is nothing to say.
const NONE: Array[String] = ["-1", "0.0", "inf", "(0, 0)", "[P: (0, 0), S: (0, 0)]", "[]"]

var _room: MuseumRoom

@onready var _title: Label = %Title
@onready var _about: Label = %About
@onready var _call: RichTextLabel = %Call
@onready var _reason: Label = %Reason
@onready var _text: Label = %Text
@onready var _answer: PanelContainer = %Answer
@onready var _data: GridContainer = %Data
@onready var _button: Button = %Help


func _ready() -> void:
	_button.toggled.connect(button_toggled.emit)


func button() -> Button:
	return _button


## The answer as it is written here.
func text() -> String:
	return _text.text


func show_room(room: MuseumRoom) -> void:
	_room = room
	_title.text = "%d  %s" % [room.number, room.exhibit.title]
	_about.text = room.exhibit.about
	_button.text = room.exhibit.button
	show_answer()


func show_answer() -> void:
	var why := _room.why
	_call.text = _call_text()
	_reason.text = reason_name(why.reason)
	_text.text = why.text
	var tint := DemoPalette.GOOD if _room.is_found() else DemoPalette.BAD
	_reason.add_theme_color_override(&"font_color", tint)
	var style: StyleBoxFlat = _answer.get_theme_stylebox(&"panel")
	style.border_color = tint
	_button.set_pressed_no_signal(_room.is_helped)
	_show_data(why)


## The name of a PathForgePath.REASON_* constant.
static func reason_name(reason: int) -> String:
	for constant: String in ClassDB.class_get_integer_constant_list("PathForgePath"):
		if constant.begins_with("REASON_"):
			if ClassDB.class_get_integer_constant("PathForgePath", constant) == reason:
				return constant
	return str(reason)


func _call_text() -> String:
	var body := _room.body
	var line := (
		"grid.[color=#%s]explain[/color](%s, %s, body)"
		% [
			DemoPalette.ACCENT.to_html(false),
			_vector(_room.exhibit.start),
			_vector(_room.goal),
		]
	)
	var about: PackedStringArray = ["%d×%d" % [body.footprint.x, body.footprint.y]]
	var names: PackedStringArray = []
	for id: int in _room.grid.terrain_names.size():
		if body.terrain_mask & (1 << id):
			var price := body.terrain_costs[id] if id < body.terrain_costs.size() else 1.0
			var terrain := _room.grid.terrain_names[id]
			names.append(terrain if price == 1.0 else "%s at %s" % [terrain, price])
	about.append(", ".join(names))
	if body.max_expansions > 0:
		about.append("max_expansions %d" % body.max_expansions)
	if not body.influence_weights.is_empty():
		about.append("danger at %s" % body.influence_weights[0])
	var dim := DemoPalette.TEXT_FAINT.to_html(false)
	return "%s\n[color=#%s]body: %s[/color]" % [line, dim, " · ".join(about)]


static func _vector(cell: Vector2i) -> String:
	var number := DemoPalette.WARN.to_html(false)
	return (
		"Vector2i([color=#%s]%d[/color], [color=#%s]%d[/color])" % [number, cell.x, number, cell.y]
	)


## Every property of the answer that says something, under its own name.
func _show_data(why: PathForgeDiagnosis) -> void:
	for old: Node in _data.get_children():
		_data.remove_child(old)
		old.queue_free()
	for property: Dictionary in ClassDB.class_get_property_list("PathForgeDiagnosis", true):
		var name_of_it: String = property["name"]
		if name_of_it not in SHOWN_ELSEWHERE:
			_add_value(name_of_it, why.get(name_of_it))


func _add_value(key: String, value: Variant) -> void:
	var shown := _shown(value)
	if shown.is_empty() or (shown == "0" and not key.ends_with("_component")):
		return
	var name_label := Label.new()
	name_label.text = key
	name_label.theme_type_variation = &"DemoDim"
	name_label.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	var value_label := Label.new()
	value_label.text = shown
	value_label.add_theme_font_size_override(&"font_size", 14)
	_data.add_child(name_label)
	_data.add_child(value_label)


## A value as text; nothing where it says "none".
static func _shown(value: Variant) -> String:
	if str(value) in NONE or (value is Vector2i and value == Vector2i.MIN):
		return ""
	if value is float:
		return "%.2f" % value
	if value is Array:
		var count := (value as Array).size()
		return "1 cell" if count == 1 else "%d cells" % count
	if value is Rect2i:
		var area: Rect2i = value
		return "%d×%d at %s" % [area.size.x, area.size.y, area.position]
	return str(value)
