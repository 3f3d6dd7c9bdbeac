class_name HillsPanel
extends DemoFigures
## The panel on the right: where people go and what they do, what selected units do, and why one
## cannot get where it was sent.

## Selected units that have a line of their own.
const LINES := 3
const STATES: PackedStringArray = ["On the way", "Waiting", "At their place", "Held up"]

var _crowd: PathForgeCrowd
var _people: HillsPeople
var _units: HillsUnits
var _pointer: HillsPointer

@onready var stream: Button = %Stream
@onready var _lines: Label = %Lines
@onready var _why: Label = %Why


func set_up(
	crowd: PathForgeCrowd, people: HillsPeople, units: HillsUnits, pointer: HillsPointer
) -> void:
	_crowd = crowd
	_people = people
	_units = units
	_pointer = pointer


func _process(_delta: float) -> void:
	if _crowd == null:
		return
	for place: int in HillsLand.PLACES.size():
		var title: String = HillsLand.PLACES.keys()[place]
		show_figure(title, grouped(_people.bound_for[place]))
	var counts := people_counts()
	show_figure("On the way", grouped(counts[PathForgeCrowd.STATE_MOVING]))
	show_figure("Waiting", grouped(counts[PathForgeCrowd.STATE_WAITING]))
	show_figure("At their place", grouped(counts[PathForgeCrowd.STATE_ARRIVED]))
	var held_up := counts[PathForgeCrowd.STATE_STUCK] + counts[PathForgeCrowd.STATE_BLOCKED]
	show_figure("Held up", grouped(held_up))
	show_figure("Crowd step", DemoFigures.msec(&"Microseconds per crowd step"))
	_lines.text = "\n".join(_lines_of(_pointer.selected))


## How many of the people are in each state: all agents but units.
func people_counts() -> PackedInt32Array:
	var counts := _crowd.get_state_counts()
	for unit: HillsUnit in _units.all:
		counts[_crowd.get_state(unit.agent.get_agent_id())] -= 1
	return counts


func show_why(text: String) -> void:
	_why.text = text
	_why.visible = not text.is_empty()


## Why a unit does not get where it was sent; empty when nothing is said.
func why() -> String:
	return _why.text if _why.visible else ""


## What is said of the selected units.
func lines() -> String:
	return _lines.text


## Whether all of the reason can be read.
func is_why_whole() -> bool:
	return _why.get_line_count() <= _why.max_lines_visible


static func _lines_of(units: Array[HillsUnit]) -> PackedStringArray:
	if units.is_empty():
		return ["Click one, or drag a box round some. A right click sends them."]
	var lines: PackedStringArray = []
	var rows := units.size() if units.size() <= LINES else LINES - 1
	for unit: HillsUnit in units.slice(0, rows):
		lines.append("%s, %d×%d: %s" % [unit.title(), unit.side(), unit.side(), unit.activity()])
	if units.size() > rows:
		var others := units.slice(rows)
		var resting := others.filter(func(unit: HillsUnit) -> bool: return unit.is_at_rest())
		var words := [others.size(), others.size() - resting.size(), resting.size()]
		lines.append("and %d more: %d under way, %d at rest" % words)
	return lines
