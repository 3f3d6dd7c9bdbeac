class_name WorldPanel
extends VBoxContainer
## The panel on the right: the small map, who travels, which engine answers, and what it takes.

signal burst_wanted
signal flat_toggled(is_flat: bool)
signal asking_toggled(is_on: bool)

const ENGINES: PackedStringArray = ["Clusters", "Flat"]
const REQUESTS := "Requests"
const MOST_REQUESTS := "Requests, 99 of 100"
const ALL_WORK := "All work"

var mini_map := MiniMap.new()
var engines: Array[Button] = []
var burst: Button
var asking: Button
var figures := DemoFigures.new()

var _since_s := 0.0
var _travellers: WorldTravellers


func _ready() -> void:
	add_theme_constant_override(&"separation", 6)
	mini_map.custom_minimum_size = Vector2(208, 208)
	mini_map.size_flags_horizontal = Control.SIZE_SHRINK_CENTER
	add_child(mini_map)
	add_child(_legend())
	var switches := HBoxContainer.new()
	var group := ButtonGroup.new()
	for number: int in ENGINES.size():
		var button := _button(switches, ENGINES[number])
		button.toggle_mode = true
		button.button_group = group
		button.button_pressed = number == 0
		engines.append(button)
	engines[1].toggled.connect(flat_toggled.emit)
	engines[0].tooltip_text = "SEARCH_HIERARCHICAL: over clusters of the map (F)"
	engines[1].tooltip_text = "SEARCH_OPTIMAL: cell by cell (F)"
	add_child(switches)
	var orders := HBoxContainer.new()
	burst = _button(orders, "All at once")
	burst.tooltip_text = "A hundred requests in one frame (Space)"
	burst.pressed.connect(burst_wanted.emit)
	burst.disabled = true  # Until there are travellers.
	asking = _button(orders, "On and on")
	asking.tooltip_text = "Who has an answer asks for the next way at once (K)"
	asking.toggle_mode = true
	asking.toggled.connect(asking_toggled.emit)
	add_child(orders)
	figures.add_theme_constant_override(&"separation", 1)
	add_child(figures)
	figures.add_heading("A hundred requests")
	for title: String in ["All answered", "Cells a path", "Answers a second"]:
		figures.add_figure(title)
	figures.add_heading("Main thread, longest frame")
	for title: String in [REQUESTS, MOST_REQUESTS, ALL_WORK]:
		figures.add_figure(title)
	figures.add_heading("Memory: map and clusters")
	for title: String in ["All", "A cell"]:
		figures.add_figure(title)


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


## Which dot is how large a body.
func _legend() -> Control:
	var row := HBoxContainer.new()
	row.alignment = BoxContainer.ALIGNMENT_CENTER
	row.add_theme_constant_override(&"separation", 6)
	for kind: TravellerKind in TravellerKind.all():
		var dot := TextureRect.new()
		dot.texture = preload("res://common/disc.svg")
		dot.modulate = kind.colour
		dot.custom_minimum_size = Vector2(12, 12)
		dot.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
		dot.stretch_mode = TextureRect.STRETCH_KEEP_ASPECT_CENTERED
		var label := Label.new()
		label.theme_type_variation = &"DemoDim"
		label.text = "%d×%d " % [kind.side, kind.side]
		label.tooltip_text = kind.title
		label.mouse_filter = Control.MOUSE_FILTER_PASS
		row.add_child(dot)
		row.add_child(label)
	return row


func _button(row: HBoxContainer, text: String) -> Button:
	var button := Button.new()
	button.text = text
	button.focus_mode = Control.FOCUS_NONE
	button.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	row.add_child(button)
	return button


static func _msec(msec: float) -> String:
	if msec < 0.0:
		return "–"
	return "%.2f ms" % msec if msec < 100.0 else "%s ms" % DemoFigures.grouped(roundi(msec))
