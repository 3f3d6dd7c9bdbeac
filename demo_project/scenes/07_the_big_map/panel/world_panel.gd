class_name WorldPanel
extends VBoxContainer
## The panel on the right: the small map, who travels, which engine answers, and what it takes.

signal burst_wanted
signal flat_toggled(is_flat: bool)
signal asking_toggled(is_on: bool)

const REQUESTS := "Requests"
const MOST_REQUESTS := "Requests, 99 of 100"
const ALL_WORK := "All work"

var _since_s := 0.0
var _travellers: WorldTravellers

@onready var mini_map: MiniMap = %MiniMap
@onready var engines: Array[Button] = [%Clusters, %Flat]
@onready var burst: Button = %Burst
@onready var asking: Button = %Asking
@onready var figures: DemoFigures = %Figures


func _ready() -> void:
	engines[1].toggled.connect(flat_toggled.emit)
	burst.pressed.connect(burst_wanted.emit)
	asking.toggled.connect(asking_toggled.emit)


func set_up(travellers: WorldTravellers) -> void:
	_travellers = travellers
	burst.disabled = false


## The other engine.
func switch_engine() -> void:
	var other := engines[0] if engines[1].button_pressed else engines[1]
	other.button_pressed = true


func _process(delta: float) -> void:
	_since_s += delta
	if _travellers == null or _since_s < 0.2:
		return
	_since_s = 0.0
	var meter := _travellers.meter
	var so_far := "%d of %d" % [meter.answered, WorldTravellers.COUNT]
	var are_all := meter.last_msec >= 0.0
	var answered := _msec(meter.last_msec) if are_all else so_far
	if meter.refused > 0:
		answered += ", %d refused" % meter.refused
	figures.show_figure("All answered", answered)
	figures.show_figure("Cells a path", DemoFigures.grouped(roundi(meter.mean_cells)))
	figures.show_figure("Answers a second", DemoFigures.grouped(meter.last_second))
	figures.show_figure(REQUESTS, _msec(meter.worst_share_msec()))
	figures.show_figure(MOST_REQUESTS, _msec(meter.p99_share_msec()))
	figures.show_figure(ALL_WORK, _msec(meter.worst_frame_msec()))
	var bytes: int = Performance.get_custom_monitor(&"PathForge/Memory bytes")
	figures.show_figure("All", "%.0f MB" % (bytes / 1e6))
	figures.show_figure("A cell", "%.1f bytes" % (float(bytes) / WorldMaker.SIDE / WorldMaker.SIDE))


static func _msec(msec: float) -> String:
	if msec < 0.0:
		return "–"
	return "%.2f ms" % msec if msec < 100.0 else "%s ms" % DemoFigures.grouped(roundi(msec))
