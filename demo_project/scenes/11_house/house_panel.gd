class_name HousePanel
extends DemoFigures
## The panel on the right: what the people do and where they are, how full lift and ladder are, and
## what the selected person does.

const DOING: Dictionary[String, HousePerson.State] = {
	"Walking": HousePerson.State.WALKING,
	"On stairs, ladder, lift": HousePerson.State.ON_LINK,
	"At an errand": HousePerson.State.BUSY,
	"Waiting for ladder, lift": HousePerson.State.AWAITING,
	"Behind others": HousePerson.State.BEHIND,
	"Without a way": HousePerson.State.NO_WAY,
}
const FLOORS: PackedStringArray = ["Ground floor, garden", "First floor", "Attic"]
const BETWEEN := "Between floors"

var _people: HousePeople
var _doors: Array[HouseDoor]
var _pointer: HousePointer

@onready var _lines: Label = %Lines
@onready var _why: Label = %Why


func set_up(people: HousePeople, doors: Array[HouseDoor], pointer: HousePointer) -> void:
	_people = people
	_doors = doors
	_pointer = pointer


func _process(_delta: float) -> void:
	if _people == null:
		return
	var doing: PackedInt32Array = [0, 0, 0, 0, 0, 0]
	var on: PackedInt32Array = [0, 0, 0, 0]
	for person: HousePerson in _people.all:
		var state := person.state()
		doing[state] += 1
		var is_between := state == HousePerson.State.ON_LINK
		on[3 if is_between else HousePlan.storey_of(person.stand())] += 1
	for title: String in DOING:
		show_figure(title, str(doing[DOING[title]]))
	for storey: int in HousePlan.FLOORS:
		show_figure(FLOORS[storey], str(on[storey]))
	show_figure(BETWEEN, str(on[3]))
	var locked := _doors.filter(func(door: HouseDoor) -> bool: return door.wants_locked)
	show_figure("Doors locked", "%d of %d" % [locked.size(), _doors.size()])
	_show_selected()


## What is said of the selected person.
func lines() -> String:
	return _lines.text


## Why it has no way; empty when it has one.
func why() -> String:
	return _why.text if _why.visible else ""


func _show_selected() -> void:
	var person := _pointer.selected
	_why.visible = person != null and person.state() == HousePerson.State.NO_WAY
	if person == null:
		_lines.text = "Click one of the people. A right click sends it to any floor."
		return
	var side := person.profile.footprint.x
	_lines.text = "%s, %d×%d: %s" % [person.title(), side, side, person.activity()]
	if _why.visible:
		_why.text = person.no_way(_doors)
