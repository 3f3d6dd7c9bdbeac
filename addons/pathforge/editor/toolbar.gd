@tool
extends HBoxContainer
## The plugin's part of the 2D editor's toolbar.

signal check_pressed
signal import_pressed
signal bake_pressed

const Brush := preload("brush.gd")
const ProfilePicker := preload("profile_picker.gd")
const SceneNodes := preload("scene_nodes.gd")
const ToolState := preload("tool_state.gd")

const ICONS := "res://addons/pathforge/editor/icons"
const VIEW_HINTS: Array[String] = [
	"What the grid's own Debug properties say.",
	"No overlay, whatever the grid's properties say.",
	"Solid cells, and one-way cells in sand.",
	"Terrains, and weights as a brown tint.",
	"Where this body has room (teal); too tight for it (amber); not for it to enter (violet).",
	"Places that such bodies can walk between: one colour each.",
]
const BRUSH_HINT := (
	"Brush: the left button paints, the right button erases; " + "one undo step a stroke."
)
const NO_BRUSH_HINT := (
	"The brush paints cells that are saved in the scene: " + "turn on Store Cells of the grid."
)

var _state: ToolState = null
var _terrain_names := PackedStringArray()

@onready var _grid_parts: HBoxContainer = %GridParts
@onready var _views: OptionButton = %Views
@onready var _picker: ProfilePicker = %Picker
@onready var _size_parts: HBoxContainer = %SizeParts
@onready var _width: SpinBox = %Width
@onready var _height: SpinBox = %Height
@onready var _probe: Button = %Probe
@onready var _brush: Button = %Brush
@onready var _brush_parts: HBoxContainer = %BrushParts
@onready var _paints: OptionButton = %Paints
@onready var _terrain: SpinBox = %Terrain
@onready var _weight: SpinBox = %Weight
@onready var _side: SpinBox = %Side
@onready var _overwritten: Label = %Overwritten
@onready var _import: Button = %Import
@onready var _bake: Button = %Bake


## What a scene cannot hold: pictures that are not imported yet, colours of the editor's theme.
func _ready() -> void:
	_probe.icon = _icon("probe.svg")
	_brush.icon = _icon("brush.svg")
	for view: int in VIEW_HINTS.size():
		_views.set_item_tooltip(view, VIEW_HINTS[view])
	for spin: SpinBox in [_width, _height, _terrain, _weight, _side] as Array[SpinBox]:
		spin.get_line_edit().expand_to_text_length = true
		spin.get_line_edit().add_theme_constant_override(&"minimum_character_width", 2)
	var color := EditorInterface.get_editor_theme().get_color(&"warning_color", &"Editor")
	_overwritten.add_theme_color_override(&"font_color", color)


## Shows and changes [param state] from here on. The toolbar has to be in the tree.
func set_up(state: ToolState) -> void:
	_state = state
	_picker.set_up(_state)
	_state.changed.connect(_show_state)
	_show_state()


## Shows what there is to do for [param grid], which may be null.
func show_for(grid: PathForgeGrid, can_import: bool, can_bake: bool) -> void:
	visible = grid != null or can_bake
	_grid_parts.visible = grid != null
	_terrain_names = grid.terrain_names if grid != null else PackedStringArray()
	_import.visible = can_import
	_bake.visible = can_bake
	# Said as long as the brush is in hand, since nothing is wrong until the next import.
	_overwritten.visible = grid != null and not SceneNodes.layers_of(grid).is_empty()
	_brush.disabled = not Brush.can_paint(grid)
	_brush.tooltip_text = NO_BRUSH_HINT if _brush.disabled else BRUSH_HINT
	if _brush.disabled and _state.tool == ToolState.Tool.BRUSH:
		_state.tool = ToolState.Tool.NONE


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
	var text := FileAccess.get_file_as_string(ICONS.path_join(file))
	if image.load_svg_from_string(text, EditorInterface.get_editor_scale()) != OK:
		return null
	return ImageTexture.create_from_image(image)


func _turn(tool: ToolState.Tool, is_on: bool) -> void:
	if is_on:
		_state.tool = tool
	elif _state.tool == tool:
		_state.tool = ToolState.Tool.NONE


func _on_view_selected(view: int) -> void:
	_state.view = view as ToolState.View


func _on_size_changed(_value: float) -> void:
	_state.footprint = Vector2i(int(_width.value), int(_height.value))


func _on_probe_toggled(is_on: bool) -> void:
	_turn(ToolState.Tool.PROBE, is_on)


func _on_brush_toggled(is_on: bool) -> void:
	_turn(ToolState.Tool.BRUSH, is_on)


func _on_paint_selected(paint: int) -> void:
	_state.paint = paint as ToolState.Paint


func _on_terrain_changed(id: float) -> void:
	_state.terrain = int(id)


func _on_weight_changed(weight: float) -> void:
	_state.weight = weight


func _on_side_changed(cells: float) -> void:
	_state.brush_size = int(cells)


func _on_check_pressed() -> void:
	check_pressed.emit()


func _on_import_pressed() -> void:
	import_pressed.emit()


func _on_bake_pressed() -> void:
	bake_pressed.emit()
