@tool
extends HBoxContainer
## The plugin's part of the 2D editor's toolbar.

signal import_pressed
signal bake_pressed

const Brush := preload("brush.gd")
const ProfilePicker := preload("profile_picker.gd")
const SceneNodes := preload("scene_nodes.gd")
const ToolState := preload("tool_state.gd")

const VIEWS: Array[String] = ["As Set", "Nothing", "Solid", "Terrain", "Room", "Regions"]
const VIEW_HINTS: Array[String] = [
	"What the grid's own Debug properties say.",
	"No overlay, whatever the grid's properties say.",
	"Solid cells, and one-way cells in sand.",
	"Terrains, and weights as a brown tint.",
	"Where this body has room (teal); too tight for it (amber); not for it to enter (violet).",
	"Places that such bodies can walk between: one colour each.",
]
const PAINTS: Array[String] = ["Solid", "One-Way", "Terrain", "Weight"]
## The theme paints over icons of one colour; these have two that say what they mean.
const ICON_SHADES: Array[StringName] = [
	&"icon_normal_color", &"icon_hover_color", &"icon_pressed_color", &"icon_hover_pressed_color"
]
const FOOTPRINT_MAX := 64
const BRUSH_MAX := 32
const TERRAIN_MAX := 31

var _state: ToolState = null
var _grid_parts := HBoxContainer.new()
var _brush_parts := HBoxContainer.new()
var _views := OptionButton.new()
var _size_parts := HBoxContainer.new()
var _width: SpinBox = null
var _height: SpinBox = null
var _probe := Button.new()
var _brush := Button.new()
var _paints := OptionButton.new()
var _terrain: SpinBox = null
var _weight: SpinBox = null
var _side: SpinBox = null
var _overwritten := Label.new()
var _terrain_names := PackedStringArray()
var _import := Button.new()
var _bake := Button.new()


## Builds the toolbar for [param state].
func set_up(state: ToolState) -> void:
	_state = state
	add_child(VSeparator.new())
	add_child(_grid_parts)
	_add_views()
	_add_body()
	_add_tool(_probe, "probe.svg", ToolState.Tool.PROBE)
	_probe.tooltip_text = (
		"Probe: drag from A to B to see the path of this body, its cost, or why there is none.\n"
		+ "It stays while tiles are painted. Right button or Escape: forget it."
	)
	_add_tool(_brush, "brush.svg", ToolState.Tool.BRUSH)
	_add_brush_parts()
	_add_action(_import, "Import Now", "Import the grid's Source Layers.", import_pressed)
	_add_action(_bake, "Bake Now", "Let the scene's baker bake.", bake_pressed)
	_state.changed.connect(_show_state)
	_show_state()


## Shows what there is to do for [param grid], which may be null.
func show_for(grid: PathForgeGrid, can_import: bool, can_bake: bool) -> void:
	visible = grid != null or can_bake
	_grid_parts.visible = grid != null
	_terrain_names = grid.terrain_names if grid != null else PackedStringArray()
	_import.visible = can_import
	_bake.visible = can_bake
	_overwritten.visible = grid != null and not SceneNodes.layers_of(grid).is_empty()
	_brush.disabled = not Brush.can_paint(grid)
	_brush.tooltip_text = (
		"Brush: the left button paints, the right button erases; one undo step a stroke."
		if not _brush.disabled
		else "The brush paints cells that are saved in the scene: turn on Store Cells of the grid."
	)
	if _brush.disabled and _state.tool == ToolState.Tool.BRUSH:
		_state.tool = ToolState.Tool.NONE


func _add_views() -> void:
	for view: int in VIEWS.size():
		_views.add_item(VIEWS[view], view)
		_views.set_item_tooltip(view, VIEW_HINTS[view])
	_views.flat = true
	_views.item_selected.connect(func(view: int) -> void: _state.view = view as ToolState.View)
	_grid_parts.add_child(_label("Show"))
	_grid_parts.add_child(_views)


func _add_body() -> void:
	var hint := "%s of the body, in cells."
	_width = _spin(1, FOOTPRINT_MAX, 1, hint % "Width")
	_height = _spin(1, FOOTPRINT_MAX, 1, hint % "Height")
	var take := func(_value: float) -> void:
		_state.footprint = Vector2i(int(_width.value), int(_height.value))
	_width.value_changed.connect(take)
	_height.value_changed.connect(take)
	for part: Control in [_width, _label("×"), _height] as Array[Control]:
		_size_parts.add_child(part)
	var picker := ProfilePicker.new()
	picker.set_up(_state)
	for part: Control in [_label("Body"), picker, _size_parts] as Array[Control]:
		_grid_parts.add_child(part)


func _add_tool(button: Button, icon: String, tool: ToolState.Tool) -> void:
	button.icon = _icon(icon)
	button.toggle_mode = true
	button.theme_type_variation = &"FlatButton"
	for shade: StringName in ICON_SHADES:
		button.add_theme_color_override(shade, Color.WHITE)
	button.toggled.connect(
		func(is_on: bool) -> void:
			if is_on:
				_state.tool = tool
			elif _state.tool == tool:
				_state.tool = ToolState.Tool.NONE
	)
	_grid_parts.add_child(button)


func _add_brush_parts() -> void:
	for paint: String in PAINTS:
		_paints.add_item(paint)
	_paints.flat = true
	_paints.tooltip_text = "What the brush paints."
	_paints.item_selected.connect(func(paint: int) -> void: _state.paint = paint as ToolState.Paint)
	_terrain = _spin(0, TERRAIN_MAX, 1, "Terrain id.")
	_terrain.value_changed.connect(func(id: float) -> void: _state.terrain = int(id))
	_weight = _spin(0, 64, 0.25, "Weight: what a step onto the cell costs.")
	_weight.allow_greater = true
	_weight.value_changed.connect(func(weight: float) -> void: _state.weight = weight)
	_side = _spin(1, BRUSH_MAX, 1, "Side of the brush, in cells.")
	_side.value_changed.connect(func(cells: float) -> void: _state.brush_size = int(cells))
	for part: Control in [_paints, _terrain, _weight, _label("Size"), _side] as Array[Control]:
		_brush_parts.add_child(part)
	_add_warning()
	_grid_parts.add_child(_brush_parts)


## Said as long as the brush is in hand, since nothing is wrong until the next import.
func _add_warning() -> void:
	_overwritten.text = "⚠ Imports overwrite this"
	_overwritten.tooltip_text = (
		"This grid has Source Layers: the next import gives every cell under their region what the "
		+ "tiles say,\nand what is painted here is gone. Paint the tiles, or take the layers out."
	)
	_overwritten.mouse_filter = Control.MOUSE_FILTER_STOP
	var color := EditorInterface.get_editor_theme().get_color(&"warning_color", &"Editor")
	_overwritten.add_theme_color_override(&"font_color", color)
	_brush_parts.add_child(_overwritten)


func _add_action(button: Button, text: String, hint: String, action: Signal) -> void:
	button.text = text
	button.tooltip_text = hint
	button.theme_type_variation = &"FlatButton"
	button.pressed.connect(func() -> void: action.emit())
	add_child(button)


func _show_state() -> void:
	_views.select(_state.view)
	_views.tooltip_text = "Show of the grid: %s" % VIEW_HINTS[_state.view]
	_size_parts.visible = _state.profile == null
	_width.set_value_no_signal(_state.footprint.x)
	_height.set_value_no_signal(_state.footprint.y)
	_paints.select(_state.paint)
	_terrain.set_value_no_signal(_state.terrain)
	var is_named := _state.terrain < _terrain_names.size()
	_terrain.suffix = _terrain_names[_state.terrain] if is_named else ""
	_weight.set_value_no_signal(_state.weight)
	_side.set_value_no_signal(_state.brush_size)
	_probe.set_pressed_no_signal(_state.tool == ToolState.Tool.PROBE)
	_brush.set_pressed_no_signal(_state.tool == ToolState.Tool.BRUSH)
	_brush_parts.visible = _state.tool == ToolState.Tool.BRUSH
	_terrain.visible = _state.paint == ToolState.Paint.TERRAIN
	_weight.visible = _state.paint == ToolState.Paint.WEIGHT


## Read as text: when a project is opened for the first time, its pictures are not imported yet.
func _icon(file: String) -> Texture2D:
	var image := Image.new()
	var text := FileAccess.get_file_as_string("res://addons/pathforge/editor/icons".path_join(file))
	if image.load_svg_from_string(text, EditorInterface.get_editor_scale()) != OK:
		return null
	return ImageTexture.create_from_image(image)


func _label(text: String) -> Label:
	var label := Label.new()
	label.text = text
	label.modulate.a = 0.7
	return label


func _spin(least: float, most: float, step: float, hint: String) -> SpinBox:
	var spin := SpinBox.new()
	spin.min_value = least
	spin.max_value = most
	spin.step = step
	spin.tooltip_text = hint
	spin.get_line_edit().expand_to_text_length = true
	spin.get_line_edit().add_theme_constant_override(&"minimum_character_width", 2)
	return spin
