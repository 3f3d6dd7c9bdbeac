class_name DangerPanel
extends VBoxContainer
## The panel on the right: what is shown, the kinds of walkers, and what keeping their fields up to
## date costs.

signal heat_toggled(is_on: bool)
signal ways_chosen(kind: DangerKind)

var rows: Array[DangerKindRow] = []

var _walkers: DangerWalkers
var _kinds: Array[DangerKind] = []
var _towers: Node2D
var _towers_max := 0
var _shown := -1

@onready var _kind_box: VBoxContainer = %Kinds
@onready var _legend: DemoLegend = %Legend
@onready var _heat: Button = %Heat
@onready var _ways: Button = %Ways
@onready var _figures: DemoFigures = %Figures


func _ready() -> void:
	_heat.toggled.connect(heat_toggled.emit)
	_ways.pressed.connect(show_next_ways)


func _process(_delta: float) -> void:
	for row: DangerKindRow in rows:
		row.show_state()
	_figures.show_figure("Towers", "%d of %d" % [_towers.get_child_count(), _towers_max])
	var counts := _walkers.counts()
	for doing: int in counts.size():
		_figures.show_figure(DangerWalkers.DOINGS[doing], DemoFigures.grouped(counts[doing]))


func set_up(walkers: DangerWalkers, towers: Node2D, towers_max: int) -> void:
	_walkers = walkers
	_kinds = walkers.kinds
	_towers = towers
	_legend.add_entry("hit, and starts again", DemoPalette.BAD)
	_legend.add_entry("dangerous ground", Color(DemoPalette.BAD, 0.45))
	_towers_max = towers_max
	_figures.add_heading("What they do")
	for title: String in DangerWalkers.DOINGS:
		_figures.add_figure(title)
	_figures.add_figure("Towers")
	_figures.add_heading("Last field update")
	for kind: DangerKind in _kinds:
		var row := DangerKindRow.new()
		row.set_up(kind)
		_kind_box.add_child(row)
		rows.append(row)
		_figures.add_figure(kind.title, kind.colour)
		_show_update(kind)
		kind.field.field_changed.connect(func(_region: Rect2i) -> void: _show_update(kind))


## Heat on or off.
func toggle_heat() -> void:
	_heat.button_pressed = not _heat.button_pressed


## The directions of no kind, then of one after the other.
func show_next_ways() -> void:
	_shown += 1
	if _shown == _kinds.size():
		_shown = -1
	_ways.button_pressed = _shown >= 0
	_ways.text = "Ways" if _shown < 0 else _kinds[_shown].title
	ways_chosen.emit(null if _shown < 0 else _kinds[_shown])


func _show_update(kind: DangerKind) -> void:
	var cells := DemoFigures.grouped(kind.field.get_updated_cell_count())
	_figures.show_figure(kind.title, "%s cells, %d µs" % [cells, kind.field.get_update_usec()])
