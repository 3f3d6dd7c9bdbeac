class_name DangerPanel
extends VBoxContainer
## The panel on the right: what is shown, the kinds of walkers, and what keeping their fields up to
## date costs.

signal heat_toggled(is_on: bool)
signal ways_chosen(kind: DangerKind)
signal restart_pressed

var rows: Array[DangerKindRow] = []

var _kinds: Array[DangerKind] = []
var _shown := -1

@onready var _kind_box: VBoxContainer = %Kinds
@onready var _heat: Button = %Heat
@onready var _ways: Button = %Ways
@onready var _figures: Label = %Figures


func _ready() -> void:
	_heat.toggled.connect(heat_toggled.emit)
	_ways.pressed.connect(show_next_ways)
	(%Restart as Button).pressed.connect(restart_pressed.emit)


func _process(_delta: float) -> void:
	for row: DangerKindRow in rows:
		row.show_state()


func set_up(kinds: Array[DangerKind]) -> void:
	_kinds = kinds
	for kind: DangerKind in kinds:
		var row := DangerKindRow.new()
		row.set_up(kind)
		_kind_box.add_child(row)
		rows.append(row)
		kind.field.field_updated.connect(_on_field_updated.bind(kind))


## Heat on or off.
func toggle_heat() -> void:
	_heat.button_pressed = not _heat.button_pressed


## The ways of nobody, then of one kind after the other.
func show_next_ways() -> void:
	_shown += 1
	if _shown == _kinds.size():
		_shown = -1
	_ways.button_pressed = _shown >= 0
	_ways.text = "Ways" if _shown < 0 else _kinds[_shown].title
	ways_chosen.emit(null if _shown < 0 else _kinds[_shown])


func _on_field_updated(_region: Rect2i, kind: DangerKind) -> void:
	var cells := kind.field.get_updated_cell_count()
	_figures.text = "%s\n%d\n%d µs" % [kind.title, cells, kind.field.get_update_usec()]
