@tool
extends "editor_hands.gd"
## What is tested inside the editor: what the plugin changes, and what it leaves behind.


func test_turning_the_plugin_on_and_off_leaves_nothing() -> void:
	await _use_everything()
	_check(_ours().size() > 0, "the plugin adds controls")
	_check(_menu_items() == 1, "the plugin adds its menu item")
	await _turn(false)
	var settings := _settings()
	var project := FileAccess.get_file_as_bytes("res://project.godot")
	var nodes := _all_nodes().size()
	for _cycle: int in 3:
		await _turn(true)
		await _use_everything()
		await _turn(false)
	_check(_ours().is_empty(), "left behind: %s" % [_ours()])
	_check(_menu_items() == 0, "the menu item is gone")
	_check(_all_nodes().size() == nodes, "%d nodes, before %d" % [_all_nodes().size(), nodes])
	_check(_settings() == settings, "project settings are as before")
	await _driver.get_tree().create_timer(1.0).timeout  # The editor saves the project's file late.
	var saved := FileAccess.get_file_as_bytes("res://project.godot")
	_check(saved == project, "project.godot is as before")


func test_showing_overlays_writes_nothing_to_the_scene() -> void:
	var before := _saved_scene()
	_check(before.size() > 0, "the scene was saved")
	for view: int in View.values():
		_state().set(&"view", view)
		_state().set(&"footprint", Vector2i(2, 3))
		await _frames(2)
		_check(_saved_scene() == before, "view %d is not saved" % view)
	await _use_everything()
	_check(_saved_scene() == before, "the probe is not saved")
	_grid().set_point_solid(Vector2i(3, 4))
	_check(_saved_scene() != before, "what is painted is saved")
	_grid().set_point_solid(Vector2i(3, 4), false)
	_check(_saved_scene() == before, "what is erased is not")


func test_a_stroke_is_one_undo_step() -> void:
	var grid := _grid()
	_select(grid)
	var first := grid.to_bytes()
	var state := _state()
	state.set(&"tool", Tool.BRUSH)
	for paint: int in Paint.values():
		for button: MouseButton in [MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT] as Array[MouseButton]:
			state.set(&"paint", paint)
			state.set(&"brush_size", 3)
			var old := grid.to_bytes()
			_drag([Vector2i(3, 3), Vector2i(20, 9), Vector2i(4, 12)], button, Vector2i(3, 3))
			var painted := grid.to_bytes()
			_check(painted != old, "paint %d, button %d" % [paint, button])
			_history().undo()
			_check(grid.to_bytes() == old, "undo of paint %d, button %d" % [paint, button])
			_history().redo()
			_check(grid.to_bytes() == painted, "redo of paint %d, button %d" % [paint, button])
			_history().undo()
			if button == MOUSE_BUTTON_LEFT:
				_history().redo()
	for paint: int in Paint.size():
		_history().undo()
	_check(grid.to_bytes() == first, "everything is undone")


func test_a_stroke_has_no_gaps() -> void:
	var grid := _grid()
	_select(grid)
	_state().set(&"tool", Tool.BRUSH)
	_drag([Vector2i(1, 1), Vector2i(18, 10)], MOUSE_BUTTON_LEFT, Vector2i.ONE)
	var last := Vector2i(1, 1)
	for x: int in range(1, 19):
		var painted := range(0, 16).filter(
			func(y: int) -> bool: return grid.is_point_solid(Vector2i(x, y))
		)
		_check(not painted.is_empty(), "column %d is painted" % x)
		if not painted.is_empty():
			var y: int = painted[0]
			_check(absi(y - last.y) <= 1, "column %d joins the one before" % x)
			last = Vector2i(x, y)
	_history().undo()


func test_the_brush_refuses_grids_whose_cells_are_not_saved() -> void:
	var grid := _grid()
	grid.store_cells = false
	_select(_layer())
	await _frames(2)
	_select(grid)
	_state().set(&"tool", Tool.BRUSH)
	var old := grid.to_bytes()
	_drag([Vector2i(3, 3), Vector2i(9, 9)], MOUSE_BUTTON_LEFT, Vector2i.ONE)
	_check(grid.to_bytes() == old, "nothing is painted")
	grid.store_cells = true


func test_each_scene_has_its_grid() -> void:
	var first := _grid()
	await _open(OTHER)
	_check(_tools().get(&"grid") != first, "the other scene's grid is worked on")
	_check(_tools().get(&"grid") == _grid(), "it is the one in the scene")
	var grid := _grid()
	var parent := grid.get_parent()
	parent.remove_child(grid)
	await _frames(3)
	_check(_tools().get(&"grid") == null, "a grid that is deleted is let go")
	_check(not (_tools().get(&"_toolbar") as Control).visible, "the toolbar hides")
	parent.add_child(grid)
	grid.owner = EditorInterface.get_edited_scene_root()
	await _open(LEVEL)
	_check(_tools().get(&"grid") == first, "back in the first scene, it is the first grid again")


func test_inspector_buttons_are_undone() -> void:
	var grid := _grid()
	grid.set_point_solid(Vector2i(5, 5))
	var buttons: Object = _tools().get(&"_inspector")
	for action: StringName in [&"clear_cells", &"fit_region"] as Array[StringName]:
		var old := grid.to_bytes()
		buttons.call(action, grid)
		var new := grid.to_bytes()
		_check(new != old, "%s changes something" % action)
		_history().undo()
		_check(grid.to_bytes() == old, "undo of %s" % action)
		_history().redo()
		_check(grid.to_bytes() == new, "redo of %s" % action)
		_history().undo()
	_check(grid.region == Rect2i(0, 0, 30, 16), "the region is as before")
	grid.set_point_solid(Vector2i(5, 5), false)


func test_the_baker_bakes_and_nothing_of_it_is_saved() -> void:
	var baker := PathForgeNavigationBaker.new()
	var regions := Node2D.new()
	for node: Node2D in [baker, regions] as Array[Node2D]:
		EditorInterface.get_edited_scene_root().add_child(node)
		node.owner = EditorInterface.get_edited_scene_root()
	baker.output_parent = regions
	_select(baker)
	await _frames(2)
	var before := _saved_scene()
	_tools().call(&"bake_now")
	await _frames(2)
	_check(baker.get_region_count() > 0, "regions are made of the grid's open cells")
	_check(_saved_scene() == before, "they are not saved")
	baker.free()
	regions.free()
	await _frames(2)


func test_an_import_is_undone() -> void:
	var grid := _grid()
	grid.cell_size = Vector2(8, 8)
	grid.set_point_solid(Vector2i(3, 3))
	grid.source_layers = [_layer()]
	_select(grid)
	await _frames(2)
	var old := grid.to_bytes()
	_tools().call(&"import_now")
	var new := grid.to_bytes()
	_check(new != old and grid.cell_size == Vector2(16, 16), "cells and their size are imported")
	_history().undo()
	_check(grid.to_bytes() == old and grid.cell_size == Vector2(8, 8), "undo")
	_history().redo()
	_check(grid.to_bytes() == new and grid.cell_size == Vector2(16, 16), "redo")
	_history().undo()
	grid.source_layers = []
	grid.cell_size = Vector2(16, 16)
	grid.set_point_solid(Vector2i(3, 3), false)


func test_links_are_drawn_and_not_added() -> void:
	var root := EditorInterface.get_edited_scene_root()
	var before := _grid().to_bytes()
	var link := PathForgeLink2D.new()
	link.end_position = Vector2(150, 88)
	_grid().add_child(link)
	link.owner = root
	var solid := PathForgeLink3D.new()
	solid.end_position = Vector3(3, 1, 4)
	root.add_child(solid)
	solid.owner = root
	await _frames(3)
	_check(solid.get_child_count() == 0 and solid.get_child_count(true) == 1, "a mesh, not saved")
	link.enabled = false
	link.end_position = Vector2.ZERO
	solid.enabled = false
	solid.end_position = Vector3(0, 2, 0)
	solid.bidirectional = false
	await _frames(3)
	_check(solid.get_child_count(true) == 1, "the same mesh")
	_check(_grid().to_bytes() == before, "no link in the grid of the editor")
	link.free()
	solid.free()
	await _frames(2)
