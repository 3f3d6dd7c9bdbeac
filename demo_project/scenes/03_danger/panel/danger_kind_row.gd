class_name DangerKindRow
extends VBoxContainer
## One kind of walker in the panel: how cautious it is, and how it fares.

var _kind: DangerKind
var _slider := HSlider.new()
var _value := Label.new()
var _counts := Label.new()


func set_up(kind: DangerKind) -> void:
	_kind = kind
	name = kind.title
	add_theme_constant_override(&"separation", 2)
	var title := Label.new()
	title.text = kind.title
	title.add_theme_color_override(&"font_color", kind.colour)
	add_child(title)
	add_child(_slider_row())
	_counts.theme_type_variation = &"DemoDim"
	add_child(_counts)
	show_state()


func slider() -> HSlider:
	return _slider


func show_state() -> void:
	_value.text = "%.1f" % _kind.caution
	_counts.text = (
		"%d through, %d hit (%.0f %%)" % [_kind.through, _kind.hits, _kind.hits_percent()]
	)


func _slider_row() -> Control:
	var row := HBoxContainer.new()
	row.add_theme_constant_override(&"separation", 8)
	var label := Label.new()
	label.text = "caution"
	label.theme_type_variation = &"DemoDim"
	row.add_child(label)
	_slider.max_value = 4.0
	_slider.step = 0.1
	_slider.value = _kind.caution
	_slider.focus_mode = Control.FOCUS_NONE
	_slider.scrollable = false
	_slider.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_slider.size_flags_vertical = Control.SIZE_SHRINK_CENTER
	_slider.value_changed.connect(_on_value_changed)
	row.add_child(_slider)
	_value.custom_minimum_size.x = 26.0
	_value.horizontal_alignment = HORIZONTAL_ALIGNMENT_RIGHT
	row.add_child(_value)
	return row


## From here on, the counts are about the new caution.
func _on_value_changed(value: float) -> void:
	_kind.caution = value
	_kind.through = 0
	_kind.hits = 0
	show_state()
