@tool
extends EditorInspectorPlugin
## Buttons in a grid's inspector, and a drawing of the footprint in a profile's. Every button is one
## undo step.

const FootprintPreview := preload("footprint_preview.gd")

var _undo_redo: EditorUndoRedoManager = null


func _init(undo_redo: EditorUndoRedoManager) -> void:
	_undo_redo = undo_redo


func _can_handle(object: Object) -> bool:
	return object is PathForgeGrid or object is PathForgeProfile


func _parse_begin(object: Object) -> void:
	var grid := object as PathForgeGrid
	if grid != null:
		add_custom_control(_buttons(grid))
	var profile := object as PathForgeProfile
	if profile != null:
		var preview := FootprintPreview.new()
		preview.profile = profile
		add_custom_control(preview)


func _buttons(grid: PathForgeGrid) -> Control:
	var row := HBoxContainer.new()
	var fit := _button("Fit Region", &"CenterView")
	fit.tooltip_text = "Set the region to the tiles of the grid's layers; cells that stay are kept."
	fit.disabled = not region_of_layers(grid).has_area()
	fit.pressed.connect(fit_region.bind(grid))
	row.add_child(fit)
	var clear := _button("Clear Cells", &"Clear")
	clear.tooltip_text = "Make every cell open, not one-way, of terrain 0 and weight 1."
	clear.pressed.connect(clear_cells.bind(grid))
	row.add_child(clear)
	return row


func _button(text: String, icon: StringName) -> Button:
	var button := Button.new()
	button.text = text
	button.icon = EditorInterface.get_editor_theme().get_icon(icon, &"EditorIcons")
	button.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	button.clip_text = true
	return button


func clear_cells(grid: PathForgeGrid) -> void:
	var open := PathForgeGrid.new()
	open.region = grid.region
	_undo_redo.create_action("Clear Cells", UndoRedo.MERGE_DISABLE, grid)
	_undo_redo.add_do_method(grid, &"paste_cells", open.to_bytes())
	_undo_redo.add_undo_method(grid, &"paste_cells", grid.to_bytes())
	open.free()
	_undo_redo.commit_action()


func fit_region(grid: PathForgeGrid) -> void:
	var region := region_of_layers(grid)
	if not region.has_area() or region == grid.region:
		return
	_undo_redo.create_action("Fit Region to Layers", UndoRedo.MERGE_DISABLE, grid)
	_undo_redo.add_do_property(grid, &"region", region)
	_undo_redo.add_undo_property(grid, &"region", grid.region)
	# A smaller region loses the cells outside.
	_undo_redo.add_undo_method(grid, &"paste_cells", grid.to_bytes())
	_undo_redo.commit_action()


## The cells of [param grid] under the tiles of its layers: its source layers or, when it has none,
## those beside and below it.
static func region_of_layers(grid: PathForgeGrid) -> Rect2i:
	var region := Rect2i()
	if not grid.is_inside_tree():
		return region
	for layer: TileMapLayer in _layers_of(grid):
		var used := layer.get_used_rect()
		if layer.tile_set == null or not used.has_area():
			continue
		var cells := _cells_under(grid, layer, used)
		region = region.merge(cells) if region.has_area() else cells
	return region


static func _layers_of(grid: PathForgeGrid) -> Array[TileMapLayer]:
	var nodes: Array[Node] = []
	nodes.assign(grid.source_layers)
	if nodes.is_empty():
		nodes = grid.get_children()
		if grid.get_parent() != null:
			nodes.append_array(grid.get_parent().get_children())
	var layers: Array[TileMapLayer] = []
	layers.assign(nodes.filter(func(node: Node) -> bool: return node is TileMapLayer))
	return layers.filter(func(layer: TileMapLayer) -> bool: return layer.is_inside_tree())


## The grid's cells whose centres lie under the tiles of [param used].
static func _cells_under(grid: PathForgeGrid, layer: TileMapLayer, used: Rect2i) -> Rect2i:
	var cells := Rect2i()
	var to_grid := grid.get_global_transform().affine_inverse() * layer.get_global_transform()
	var last := used.end - Vector2i.ONE
	var corners: Array[Vector2i] = [
		used.position, last, Vector2i(used.position.x, last.y), Vector2i(last.x, used.position.y)
	]
	# Just inside the tile's sides, a tile of several cells is covered whole.
	var inset := Vector2(layer.tile_set.tile_size) * 0.499
	for corner: Vector2i in corners:
		for side: Vector2 in (
			[Vector2.UP, Vector2.DOWN, Vector2.LEFT, Vector2.RIGHT] as Array[Vector2]
		):
			var point := layer.map_to_local(corner) + side * inset
			var cell := grid.local_to_cell(to_grid * point)
			var one := Rect2i(cell, Vector2i.ONE)
			cells = cells.merge(one) if cells.has_area() else one
	return cells
