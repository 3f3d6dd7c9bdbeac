class_name TownPanel
extends VBoxContainer
## The panel on the right: switches, what the selected units are doing, what the last query cost,
## and who may go where.

const ROWS := 4

var _selection: TownSelection
var _last_path: PathForgePath
var _last_unit: TownUnit
var _rows: Array[TownUnitRow] = []

@onready var _build: Button = %Build
@onready var _clearance: Button = %Clearance
@onready var _footprints: Button = %Footprints
@onready var _heading: Label = %Heading
@onready var _row_box: VBoxContainer = %Rows
@onready var _why: Label = %Why
@onready var _query_title: Label = %QueryTitle
@onready var _query_text: Label = %QueryText
@onready var _kinds: GridContainer = %Kinds


func _ready() -> void:
	for _row: int in ROWS:
		_rows.append(TownUnitRow.new())
		_row_box.add_child(_rows[-1])


func _process(_delta: float) -> void:
	if _selection != null:
		_show_units()


## Shows these units, and lists these kinds at the bottom.
func set_up(selection: TownSelection, kinds: Array[TownUnitKind]) -> void:
	_selection = selection
	for kind: TownUnitKind in kinds:
		var row := TownUnitRow.new()
		_kinds.add_child(row)
		row.show_kind(kind, "")
		row.size_flags_horizontal = Control.SIZE_EXPAND_FILL


## The switches: build mode, clearance, footprints.
func buttons() -> Array[Button]:
	return [_build, _clearance, _footprints]


## Shows what a query cost.
func show_query(unit: TownUnit, path: PathForgePath) -> void:
	_last_unit = unit
	_last_path = path
	_query_title.text = "Last query: %s %s" % [unit.kind.title.to_lower(), unit.kind.size_text()]
	var found := not path.cells.is_empty()
	var cost := "%.2f cells" % path.cost if found else "no way"
	_query_text.text = (
		"%s\n%d expanded\n%d µs\n%s" % [cost, path.expanded, path.search_usec, path.engine]
	)


func _show_units() -> void:
	var units := _selection.selected
	match units.size():
		0:
			_heading.text = "Nothing selected"
		1:
			_heading.text = "Selected"
		_:
			_heading.text = "Selected: %d units" % units.size()
	for place: int in ROWS:
		var row := _rows[place]
		row.visible = place < units.size()
		if row.visible:
			var unit := units[place]
			row.show_kind(unit.kind, unit.activity(), _tint(unit))
	_why.text = _reason(units)


func _tint(unit: TownUnit) -> Color:
	match unit.state:
		TownUnit.State.BLOCKED:
			return DemoPalette.BAD
		TownUnit.State.WAITING, TownUnit.State.LEAVING:
			return DemoPalette.WARN
		TownUnit.State.MOVING:
			return DemoPalette.WARN if unit.refusal != null else DemoPalette.GOOD
	return DemoPalette.TEXT_DIM


## Why the first selected unit that cannot go where it was sent cannot, or a hint.
func _reason(units: Array[TownUnit]) -> String:
	if units.is_empty():
		return "Click a unit or drag a frame round some."
	for unit: TownUnit in units:
		if unit.refusal != null:
			var text := unit.refusal.describe().get_slice(" (", 0)
			return "%s: %s." % [unit.kind.title, text]
	if units.size() > ROWS:
		return "and %d more" % (units.size() - ROWS)
	return ""
