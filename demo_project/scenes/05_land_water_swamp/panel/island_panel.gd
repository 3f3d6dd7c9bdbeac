class_name IslandPanel
extends VBoxContainer
## The panel on the right: who may go where and at what cost, what the selected unit does, and the
## bridges.

signal kind_picked(kind: IslandKind)
signal reach_toggled(is_on: bool)
signal bridge_pressed(bridge: IslandBridge)

## By the number of the key that selects a unit of each.
@export var kinds: Array[IslandKind] = []

var _bridges: Dictionary[IslandBridge, Button] = {}
var _kind_buttons: Dictionary[IslandKind, Button] = {}
var _shown: Array[IslandUnit] = []

@onready var _reach: Button = %Reach
@onready var _who: Label = %Who
@onready var _state: Label = %State
@onready var _bridge_box: VBoxContainer = %Bridges


func _ready() -> void:
	_reach.toggled.connect(reach_toggled.emit)


func set_up(bridges: Array[IslandBridge]) -> void:
	for kind: IslandKind in kinds:
		var button: Button = get_node("%" + kind.title)
		button.pressed.connect(kind_picked.emit.bind(kind))
		_kind_buttons[kind] = button
	for bridge: IslandBridge in bridges:
		var button: Button = _bridge_box.get_child(_bridges.size())
		button.pressed.connect(bridge_pressed.emit.bind(bridge))
		_bridges[bridge] = button


func reach_button() -> Button:
	return _reach


func kind_button(kind: IslandKind) -> Button:
	return _kind_buttons[kind]


func bridge_button(bridge: IslandBridge) -> Button:
	return _bridges[bridge]


## What is written about the selected unit.
func state_text() -> String:
	return _state.text


func show_units(units: Array[IslandUnit]) -> void:
	var unit := units[0]
	var words := _words(unit)
	var refused := units.filter(func(one: IslandUnit) -> bool: return one.why != null)
	if units.size() > 1:
		words = _summary(units, refused)
	if words == _state.text and units == _shown:
		return  # A colour that is set anew has the text shaped anew.
	_shown = units
	_who.text = "%s, %s" % [unit.kind.title, unit.kind.about]
	if units.size() > 1:
		_who.text = "%d units" % units.size()
	_state.text = words
	var tint := DemoPalette.TEXT_DIM if refused.is_empty() else DemoPalette.BAD.lightened(0.25)
	_state.add_theme_color_override(&"font_color", tint)
	for kind: IslandKind in _kind_buttons:
		var is_shown := units.any(func(one: IslandUnit) -> bool: return one.kind == kind)
		_kind_buttons[kind].set_pressed_no_signal(is_shown)


## What one unit does, or why it has no way.
func _words(unit: IslandUnit) -> String:
	if unit.why != null:
		return unit.refusal()
	if not unit.is_under_way():
		return "At rest. A right click sends it."
	var path := unit.agent.get_current_path()
	return "Looking for a way." if path == null else "On its way, which costs %.1f." % path.cost


## How many do what, and why those without a way have none.
func _summary(units: Array[IslandUnit], refused: Array[IslandUnit]) -> String:
	var under_way := units.filter(func(unit: IslandUnit) -> bool: return unit.is_under_way()).size()
	var words: PackedStringArray = ["%d under way" % under_way]
	words.append("%d at rest" % (units.size() - under_way - refused.size()))
	if refused.is_empty():
		return ", ".join(words) + "."
	words.append("%d without a way" % refused.size())
	var reasons := DemoReasons.new()
	for unit: IslandUnit in refused:
		reasons.add(unit.kind.title, unit.refusal())
	return "%s.\n%s" % [", ".join(words), reasons.text()]


func show_reach(kind: IslandKind, regions: int) -> void:
	_reach.set_pressed_no_signal(kind != null)
	_reach.text = "Where it can be"
	if kind != null:
		var plural := "s" if regions > 1 else ""
		_reach.text = "%s %s: %d region%s" % [kind.title, kind.size_text(), regions, plural]


func show_bridges() -> void:
	for bridge: IslandBridge in _bridges:
		var what := "stands" if bridge.stands else "blown up"
		if bridge.is_waiting:
			what = "as soon as it is clear"
		_bridges[bridge].text = "%s: %s" % [bridge.title, what]
