class_name JumpPanel
extends VBoxContainer
## The panel on the right: who is who and does what, sliders for the selected one, switches, and
## what its last query cost.

signal creature_chosen(creature: JumpCreature)
signal arc_toggled(is_on: bool)
signal states_toggled(is_on: bool)

enum Measure { WIDTH, HEIGHT, JUMP }

## What the overlay's boxes mean, while it is shown.
const ARC := "The boxes: where it takes off, turns and lands. The line leads through its middle."
const STATES := "Blue: every cell that the search looked at before it had the way."

var _creatures: Array[JumpCreature] = []
var _shown: JumpCreature
var _sliders: Array[HSlider] = []
var _values: Array[Label] = []

@onready var _rows: Array[Node] = %Rows.get_children()
@onready var _heading: Label = %Heading
@onready var _hint: Label = %Hint
@onready var _arc: Button = %Arc
@onready var _states: Button = %States
@onready var _query_title: Label = %QueryTitle
@onready var _query_text: Label = %QueryText
@onready var _rules: Label = %Rules
@onready var _rules_text := _rules.text


func _ready() -> void:
	_sliders = [%Width, %Height, %Jump]
	_values = [%WidthValue, %HeightValue, %JumpValue]
	for measure: int in _sliders.size():
		_sliders[measure].value_changed.connect(_on_value_changed.bind(measure))
	_arc.toggled.connect(arc_toggled.emit)
	_states.toggled.connect(states_toggled.emit)


func _process(_delta: float) -> void:
	for row: JumpCreatureRow in _rows:
		row.show_state()


## Lists these characters, the last one first.
func set_up(creatures: Array[JumpCreature]) -> void:
	_creatures = creatures.duplicate()
	_creatures.reverse()
	for place: int in _rows.size():
		var row: JumpCreatureRow = _rows[place]
		row.set_up(_creatures[place], place + 1)
		row.pressed.connect(creature_chosen.emit.bind(_creatures[place]))


## Marks these, and shows the first one's measures at the sliders.
func show_selection(creatures: Array[JumpCreature]) -> void:
	_shown = creatures[0]
	_heading.text = "%s's body, in cells" % _shown.title
	_hint.text = ""
	_show_measures()
	for row: JumpCreatureRow in _rows:
		row.show_selection(creatures)
	show_query(_shown.path)


## Moves a slider by a step, as the keys do.
func nudge(measure: Measure, step: int) -> void:
	_sliders[measure].value += step


## What is said of a character.
func said_of(creature: JumpCreature) -> String:
	return (_rows[_creatures.find(creature)] as JumpCreatureRow).text_shown()


func slider(measure: Measure) -> HSlider:
	return _sliders[measure]


## Shows which switches are on.
func show_switches(arc: bool, states: bool) -> void:
	_arc.set_pressed_no_signal(arc)
	_states.set_pressed_no_signal(states)
	_rules.text = STATES if states else ARC if arc else _rules_text


## Shows what the last query of the selected character cost, if it has asked.
func show_query(path: PathForgePath) -> void:
	_query_title.text = "%s's last query" % _shown.title
	_query_text.text = "–\n–\n–"
	if path != null:
		var cost := "%.2f cells" % path.cost if path.is_complete() else "no way"
		_query_text.text = "%s\n%d states\n%d µs" % [cost, path.expanded, path.search_usec]


func _show_measures() -> void:
	var size := _shown.profile.footprint
	var numbers: Array[int] = [size.x, size.y, _shown.jump_height]
	for measure: int in numbers.size():
		_sliders[measure].set_value_no_signal(numbers[measure])
		_values[measure].text = str(numbers[measure])


func _on_value_changed(value: float, measure: Measure) -> void:
	var size := _shown.profile.footprint
	_hint.text = ""
	match measure:
		Measure.WIDTH:
			_resize(Vector2i(int(value), size.y))
		Measure.HEIGHT:
			_resize(Vector2i(size.x, int(value)))
		Measure.JUMP:
			_shown.jump_height = int(value)
	_show_measures()


func _resize(size: Vector2i) -> void:
	if not _shown.resize(size):
		_hint.text = "No room for %d×%d here." % [size.x, size.y]
