class_name DangerKindRow
extends VBoxContainer
## One kind of walker in the panel: how cautious it is, and how it fares.

var _kind: DangerKind

@onready var slider: HSlider = $Row/Slider
@onready var _value: Label = $Row/Value
@onready var _counts: Label = $Counts


func set_up(kind: DangerKind) -> void:
	_kind = kind
	var title: Label = $Title
	title.text = kind.name
	title.add_theme_color_override(&"font_color", kind.colour)
	slider.value = kind.caution
	slider.value_changed.connect(_on_value_changed)
	show_state()


func show_state() -> void:
	_value.text = "%.1f" % _kind.caution
	_counts.text = (
		"%d through, %d hit (%.0f %%)" % [_kind.through, _kind.hits, _kind.hits_percent()]
	)


## From here on, the counts are about the new caution.
func _on_value_changed(value: float) -> void:
	_kind.caution = value
	_kind.through = 0
	_kind.hits = 0
	show_state()
