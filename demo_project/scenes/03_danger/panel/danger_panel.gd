class_name DangerPanel
extends VBoxContainer
## The panel on the right: what is shown, the kinds of walkers, and what keeping their fields up to
## date costs.

signal heat_toggled(is_on: bool)
signal ways_chosen(kind: DangerKind)

var _walkers: DangerWalkers
var _kinds: Array[DangerKind] = []
var _towers: Node2D
var _towers_max := 0
var _shown := -1

@onready var rows: Array[DangerKindRow] = [%Kinds/Timid, %Kinds/Bold]
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
	_towers_max = towers_max
	for place: int in rows.size():
		var kind := _kinds[place]
		rows[place].set_up(kind)
		var show_update := func(region: Rect2i) -> void: _show_update(kind, region)
		kind.field_changed.connect(show_update)
		show_update.call(kind.grid.region)


## Heat on or off.
func toggle_heat() -> void:
	_heat.button_pressed = not _heat.button_pressed


## The directions of no kind, then of one after the other.
func show_next_ways() -> void:
	_shown += 1
	if _shown == _kinds.size():
		_shown = -1
	_ways.button_pressed = _shown >= 0
	_ways.text = "Ways" if _shown < 0 else _kinds[_shown].name
	ways_chosen.emit(null if _shown < 0 else _kinds[_shown])


## Where its field changed last.
func _show_update(kind: DangerKind, region: Rect2i) -> void:
	_figures.show_figure(kind.name, "%d × %d cells" % [region.size.x, region.size.y])
