@tool
extends "plugin_part.gd"
## What the plugin adds to the editor, and the grid that it works on: the one that was selected last
## in the edited scene, or the scene's first.

const Brush := preload("brush.gd")
const DoctorDialog := preload("doctor_dialog.gd")
const InspectorButtons := preload("inspector_buttons.gd")
const Probe := preload("probe.gd")
const ProfilePicker := preload("profile_picker.gd")
const ToolState := preload("tool_state.gd")
const SceneNodes := preload("scene_nodes.gd")
const Toolbar := preload("toolbar.gd")
const TOOLBAR := preload("toolbar.tscn")

## What an import takes over from the layers beside the cells.
const SHAPE: Array[StringName] = [&"cell_size", &"offset", &"cell_shape"]

var state := ToolState.new()
var grid: PathForgeGrid = null

var _plugin: EditorPlugin = null
var _toolbar: Toolbar = null
var _dialog: DoctorDialog = null
var _probe: Probe = null
var _brush: Brush = null
var _inspector: InspectorButtons = null
## The grid that was selected last in each open scene, by the ids of both.
var _last_grids: Dictionary[int, int] = {}


func _init(plugin: EditorPlugin) -> void:
	_plugin = plugin
	_probe = Probe.new(state)
	_brush = Brush.new(state, plugin.get_undo_redo())


func start() -> void:
	_toolbar = TOOLBAR.instantiate() as Toolbar
	_toolbar.check_pressed.connect(check_now)
	_toolbar.import_pressed.connect(import_now)
	_toolbar.bake_pressed.connect(bake_now)
	_plugin.add_control_to_container(EditorPlugin.CONTAINER_CANVAS_EDITOR_MENU, _toolbar)
	_dialog = DoctorDialog.new()
	EditorInterface.get_base_control().add_child(_dialog)
	_toolbar.set_up(state)
	_inspector = InspectorButtons.new(_plugin.get_undo_redo())
	_plugin.add_inspector_plugin(_inspector)
	state.tool_picked.connect(_select_grid)
	state.changed.connect(_on_state_changed)
	_plugin.scene_changed.connect(_on_scene_changed)
	EditorInterface.get_selection().selection_changed.connect(_on_selection_changed)
	_on_selection_changed()


func stop() -> void:
	EditorInterface.get_selection().selection_changed.disconnect(_on_selection_changed)
	_plugin.scene_changed.disconnect(_on_scene_changed)
	state.changed.disconnect(_on_state_changed)
	state.tool_picked.disconnect(_select_grid)
	state.profile = null
	_work_on(null)
	_plugin.remove_inspector_plugin(_inspector)
	_inspector = null
	var inspected := EditorInterface.get_inspector().get_edited_object()
	if inspected != null:
		inspected.notify_property_list_changed()  # Its buttons go.
	_plugin.remove_control_from_container(EditorPlugin.CONTAINER_CANVAS_EDITOR_MENU, _toolbar)
	_toolbar.free()
	_toolbar = null
	_dialog.free()
	_dialog = null
	_plugin.update_overlays()


func handles(object: Object) -> bool:
	return SceneNodes.is_ours(object)


func gui_input(event: InputEvent) -> bool:
	if grid == null:
		return false
	var is_taken := false
	match state.tool:
		ToolState.Tool.PROBE:
			is_taken = _probe.gui_input(event)
		ToolState.Tool.BRUSH:
			is_taken = _brush.gui_input(event)
		_:
			return false
	_plugin.update_overlays()
	return is_taken


func draw(overlay: Control) -> void:
	if grid == null or not grid.is_visible_in_tree():
		return
	match state.tool:
		ToolState.Tool.PROBE:
			_probe.draw(overlay)
		ToolState.Tool.BRUSH:
			_brush.draw(overlay)


## The selection left the grid, so the next click is not for the brush. The probe's result stays.
func lay_down_brush() -> void:
	_brush.end_stroke()
	if state.tool == ToolState.Tool.BRUSH:
		state.tool = ToolState.Tool.NONE


## Shows what the map doctor finds in the edited scene.
func check_now() -> void:
	var root := EditorInterface.get_edited_scene_root()
	if root != null:
		_dialog.show_findings(root)


## Imports the grid's layers by its rules, as one undo step.
func import_now() -> void:
	if not can_import(grid):
		return
	var before := grid.to_bytes()
	var shape_before := _shape_of(grid)
	grid.import_tile_map_layers(grid.source_layers, grid.import_rules)
	var after := grid.to_bytes()
	var shape := _shape_of(grid)
	if before == after and shape_before == shape:
		return
	var undo_redo := _plugin.get_undo_redo()
	undo_redo.create_action("Import Tile Map Layers", UndoRedo.MERGE_DISABLE, grid)
	for at: int in SHAPE.size():
		undo_redo.add_do_property(grid, SHAPE[at], shape[at])
		undo_redo.add_undo_property(grid, SHAPE[at], shape_before[at])
	undo_redo.add_do_method(grid, &"from_bytes", after)
	undo_redo.add_undo_method(grid, &"from_bytes", before)
	undo_redo.commit_action(false)


## Lets the scene's baker bake. What it makes is not saved, so there is nothing to undo.
func bake_now() -> void:
	var baker := SceneNodes.find_baker()
	if baker != null:
		baker.bake()


static func can_import(importer: PathForgeGrid) -> bool:
	return importer != null and not importer.source_layers.is_empty()


## The values of [constant SHAPE].
static func _shape_of(shaped: PathForgeGrid) -> Array:
	return [shaped.cell_size, shaped.offset, shaped.cell_shape]


func _on_state_changed() -> void:
	if grid == null:
		return
	if state.tool != ToolState.Tool.PROBE:
		_probe.forget()
	_probe.ask_again()
	_show_view(state.view)
	_plugin.update_overlays()


func _on_scene_changed(_root: Node) -> void:
	if state.profile != null and not ProfilePicker.is_in_file(state.profile):
		state.profile = null  # It belongs to the scene that was left.
	_on_selection_changed()


func _on_selection_changed() -> void:
	_work_on(_find_grid())
	_toolbar.show_for(grid, can_import(grid), SceneNodes.find_baker() != null)


func _on_cells_changed(_region: Rect2i) -> void:
	_probe.ask_again()
	_plugin.update_overlays()


func _on_grid_leaving() -> void:
	_work_on(null)
	_on_selection_changed.call_deferred()


func _work_on(next: PathForgeGrid) -> void:
	if next == grid:
		return
	if grid != null:
		_show_view(ToolState.View.OWN)
		grid.cells_changed.disconnect(_on_cells_changed)
		grid.tree_exiting.disconnect(_on_grid_leaving)
	grid = next
	_probe.work_on(grid)
	_brush.work_on(grid)
	if grid != null:
		grid.cells_changed.connect(_on_cells_changed)
		grid.tree_exiting.connect(_on_grid_leaving)
		_show_view(state.view)
	_plugin.update_overlays()


func _show_view(view: ToolState.View) -> void:
	grid._set_tool_view(view, state.body())


func _find_grid() -> PathForgeGrid:
	var root := EditorInterface.get_edited_scene_root()
	if root == null:
		return null
	for node: Node in EditorInterface.get_selection().get_selected_nodes():
		var selected := SceneNodes.grid_of(node)
		if selected != null:
			_last_grids[root.get_instance_id()] = selected.get_instance_id()
			return selected
	var last := instance_from_id(_last_grids.get(root.get_instance_id(), 0) as int) as PathForgeGrid
	if last != null and last.is_inside_tree():
		return last
	return SceneNodes.first_grid()


## Input in the 2D view goes to the plugin while a node of its own is selected.
func _select_grid() -> void:
	var selection := EditorInterface.get_selection()
	if grid != null and not selection.get_selected_nodes().any(SceneNodes.is_ours):
		selection.clear()
		selection.add_node(grid)
		EditorInterface.edit_node(grid)
