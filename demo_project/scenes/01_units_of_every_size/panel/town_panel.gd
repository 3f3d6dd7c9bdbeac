class_name TownPanel
extends VBoxContainer
## The panel on the right: switches, what the selected units are doing, what the last query cost,
## and who may go where.

## How much is told: of each unit that is held up, by which; the names by kind.
enum Detail { FULL, SHORT }

const ROWS := 4
## What units do, by how much it matters.
const URGENCIES: PackedStringArray = ["without a way", "held up", "under way", "made way", "parked"]

var _selection: TownSelection

@onready var _clearance: Button = %Clearance
@onready var _footprints: Button = %Footprints
@onready var _heading: Label = %Heading
@onready var _counts: Label = %Counts
@onready var _rows: Array[Node] = %Rows.get_children()
@onready var _why: Label = %Why
@onready var _query_title: Label = %QueryTitle
@onready var _query_text: Label = %QueryText


func _process(_delta: float) -> void:
	if _selection != null:
		_show_units()


## Shows these units.
func set_up(selection: TownSelection) -> void:
	_selection = selection


## The switches: clearance, footprints.
func buttons() -> Array[Button]:
	return [_clearance, _footprints]


## Who cannot go where it was sent, and why, and who is held up.
func reasons() -> String:
	return _why.text


## Whether all of that can be read.
func are_reasons_whole() -> bool:
	return _why.get_visible_line_count() == _why.get_line_count()


## How many of the selected units do what, as the panel says: see [constant URGENCIES].
func counts() -> Dictionary[String, int]:
	var found: Dictionary[String, int] = {}
	for words: String in _counts.text.split(", ", false):
		found[words.split(" ", true, 1)[1]] = words.to_int()
	return found


## Shows what a query cost.
func show_query(path: PathForgePath, unit: TownUnit) -> void:
	_query_title.text = "Last query: %s %s" % [unit.kind.title.to_lower(), unit.kind.size_text()]
	var found := not path.cells.is_empty()
	var cost := "%.2f cells" % path.cost if found else "no way"
	_query_text.text = (
		"%s\n%d expanded\n%d µs\n%s" % [cost, path.expanded, path.search_usec, path.engine]
	)


## Those who cannot go where they were sent come first, then those whom others keep from there, then
## who is under way, then who is parked.
func _show_units() -> void:
	var units := _selection.selected.duplicate()
	units.sort_custom(_comes_first)
	match units.size():
		0:
			_heading.text = "Nothing selected"
		1:
			_heading.text = "Selected"
		_:
			_heading.text = "Selected: %d units" % units.size()
	_counts.text = _counted(units)
	_counts.visible = units.size() > 1
	var held_up := units.filter(_is_held_up)
	var refused := _refused(units)
	# Each reason, and each that is held up by others, needs the room of a row.
	var rows := mini(units.size(), maxi(ROWS - refused.size() - held_up.size(), 0))
	for place: int in ROWS:
		var row: TownUnitRow = _rows[place]
		row.visible = place < rows
		if place < rows:
			row.show_unit(units[place])
	if units.is_empty():
		_why.text = "Click a unit or drag a frame round some."
		return
	# Where a line would be cut off, less is told. Then rows give way to the names.
	for detail: Detail in Detail.values():
		var lines := _reasons(refused)
		if not held_up.is_empty():
			lines.append("Held up: %s." % _told(held_up, detail))
		_why.text = "\n".join(lines)
		if _reasons_fit():
			return
	while rows > 0 and not _reasons_fit():
		rows -= 1
		(_rows[rows] as Control).visible = false


## Whether the reasons fit into what the rest leaves. The label's own line counts are of the height
## it had before rows were hidden or shown: it is laid out again only at the end of the frame.
func _reasons_fit() -> bool:
	var spacing := _why.get_theme_constant("line_spacing")
	var height := _why.get_line_count() * (_why.get_line_height() + spacing) - spacing
	var others := get_combined_minimum_size().y - _why.get_combined_minimum_size().y
	return height <= size.y - others


## How many do what: "2 held up, 13 parked".
func _counted(units: Array[TownUnit]) -> String:
	var how_many: PackedInt32Array = []
	how_many.resize(URGENCIES.size())
	for unit: TownUnit in units:
		how_many[_urgency(unit)] += 1
	var words: PackedStringArray = []
	for place: int in how_many.size():
		if how_many[place] > 0:
			words.append("%d %s" % [how_many[place], URGENCIES[place]])
	return ", ".join(words)


## The units that cannot go where they were sent, by what stops them.
func _refused(units: Array[TownUnit]) -> Dictionary[String, Array]:
	var refused: Dictionary[String, Array] = {}
	for unit: TownUnit in units:
		if unit.refusal != null:
			var why := unit.refusal.describe().get_slice(" (", 0)
			refused.get_or_add(why, []).append(unit)
	return refused


## Who cannot go where it was sent, and what stops it: a line for each reason.
func _reasons(refused: Dictionary[String, Array]) -> PackedStringArray:
	var lines: PackedStringArray = []
	for why: String in refused:
		lines.append("%s: %s." % [_by_kind(refused[why]), why])
	return lines


## The units that are held up, and by which others.
func _told(units: Array[TownUnit], detail: Detail) -> String:
	if detail != Detail.FULL:
		return _by_kind(units)
	var words: PackedStringArray = []
	for unit: TownUnit in units:
		words.append("%s by %s" % [unit.title(), unit.names_of_blockers()])
	return "; ".join(words)


## The names of some units, the word for their kind once: "Scouts 1, 2, Tank 3".
func _by_kind(units: Array) -> String:
	var numbers: Dictionary[String, PackedStringArray] = {}
	for unit: TownUnit in units:
		var some: PackedStringArray = numbers.get(unit.kind.title, PackedStringArray())
		some.append(str(unit.number))
		numbers[unit.kind.title] = some
	var names: PackedStringArray = []
	for title: String in numbers:
		var plural := "s" if numbers[title].size() > 1 else ""
		names.append("%s%s %s" % [title, plural, ", ".join(numbers[title])])
	return ", ".join(names)


static func _is_held_up(unit: TownUnit) -> bool:
	return _urgency(unit) == 1


static func _comes_first(a: TownUnit, b: TownUnit) -> bool:
	var first := _urgency(a)
	var second := _urgency(b)
	return a.get_index() < b.get_index() if first == second else first < second


static func _urgency(unit: TownUnit) -> int:
	if unit.refusal != null:
		return 0
	match unit.state():
		TownUnit.State.HELD_UP:
			return 1
		TownUnit.State.ASIDE:
			return 3
		TownUnit.State.PARKED:
			return 4 if unit.is_at_rest() else 2
	return 2
