@tool
extends "editor_hands.gd"
## What is tested inside the editor: the toolbar, the probe, and whom they are for.


func test_the_probe_says_cost_or_reason_and_follows_the_map() -> void:
	var grid := _grid()
	_select(grid)
	var state := _state()
	state.set(&"footprint", Vector2i(2, 2))
	state.set(&"tool", Tool.PROBE)
	_drag([Vector2i(2, 2), Vector2i(26, 2)], MOUSE_BUTTON_LEFT, Vector2i(2, 2))
	var profile := PathForgeProfile.new()
	profile.footprint = Vector2i(2, 2)
	var wanted := grid.find_path(Vector2i(2, 2), Vector2i(26, 2), profile)
	_check(_probed().is_complete(), "there is a path")
	_check(_probed().cost == wanted.cost, "its cost is that of find_path")
	_check("cost %.2f" % wanted.cost in _probe_text(), "the cost is written")
	_select(_layer())
	await _frames(2)
	grid.fill_solid_region(Rect2i(14, 0, 1, 16))
	state.set(&"view", View.SOLID)
	await _frames(2)
	var selected := EditorInterface.get_selection().get_selected_nodes()
	_check(
		selected.size() == 1 and selected[0] == _layer(), "another view leaves the selection alone"
	)
	_check(not _probed().is_complete(), "the probe sees the wall that was painted")
	var why := grid.explain(Vector2i(2, 2), Vector2i(26, 2), profile)
	_check(why.text in _probe_text(), "the explanation is written")
	grid.fill_solid_region(Rect2i(14, 0, 1, 6), false)


func test_profiles_of_the_scene_can_be_picked() -> void:
	var hauler := PathForgeProfile.new()
	hauler.resource_name = "Hauler"
	hauler.footprint = Vector2i(3, 2)
	hauler.terrain_mask = 1
	var agent := PathForgeAgent2D.new()
	agent.profile = hauler
	EditorInterface.get_edited_scene_root().add_child(agent)
	agent.owner = EditorInterface.get_edited_scene_root()
	var grid := _grid()
	_select(grid)
	await _frames(2)
	var before := _saved_scene()
	var picker := _picker()
	picker.get_popup().about_to_popup.emit()
	var item := _item(picker, "Hauler 3×2")
	_check(item > 0, "the agent's profile is listed")
	picker.item_selected.emit(item)
	_check(_state().get(&"profile") == hauler, "it is picked")
	for view: int in View.values():
		_state().set(&"view", view)
		await _frames(2)
	_state().set(&"tool", Tool.PROBE)
	_drag([Vector2i(2, 2), Vector2i(26, 2)], MOUSE_BUTTON_LEFT, Vector2i(3, 2))
	_check(_probed().is_complete() and "Hauler 3×2" in _probe_text(), "it is probed for")
	grid.fill_terrain_region(Rect2i(14, 0, 1, 16), 1)
	_check(not _probed().is_complete(), "it may not enter terrain 1")
	hauler.terrain_mask = 3
	_check(_probed().is_complete(), "now it may")
	grid.fill_terrain_region(Rect2i(14, 0, 1, 16), 0)
	hauler.terrain_mask = 1
	_check(_saved_scene() == before, "nothing of it is saved")
	picker.item_selected.emit(0)
	_check(_state().get(&"profile") == null, "anybody again")
	picker.item_selected.emit(item)
	await _open(OTHER)
	_check(_state().get(&"profile") == null, "another scene has other profiles")
	await _open(LEVEL)
	agent.free()
	await _frames(2)


func test_a_profile_can_be_loaded() -> void:
	var file := "res://editor/walker_of_two.tres"
	var profile := PathForgeProfile.new()
	profile.footprint = Vector2i(2, 2)
	ResourceSaver.save(profile, file)
	var picker := _picker()
	picker.call(&"_on_file_picked", file)
	_check(picker.text == "Walker Of Two 2×2", "it is shown: %s" % picker.text)
	_check((_state().call(&"body_size") as Vector2i) == Vector2i(2, 2), "it is used")
	await _open(OTHER)
	_check(_state().get(&"profile") != null, "it stays in other scenes")
	await _open(LEVEL)
	_state().set(&"profile", null)
	DirAccess.remove_absolute(file)


## The item at the end opens the editor's own dialog, with profiles only; what is chosen there is
## taken.
func test_a_profile_is_chosen_in_the_quick_open_dialog() -> void:
	var file := "res://editor/rider_of_four.tres"
	var profile := PathForgeProfile.new()
	profile.footprint = Vector2i(2, 4)
	ResourceSaver.save(profile, file)
	EditorInterface.get_resource_filesystem().update_file(file)
	_select(_grid())
	await _frames(2)
	var picker := _picker()
	picker.item_selected.emit(picker.item_count - 1)
	await _frames(5)
	var dialog := _quick_open()
	if dialog != null:
		_check("PathForgeProfile" in dialog.title, "profiles are asked for: %s" % dialog.title)
		var search: LineEdit = dialog.find_children("*", "LineEdit", true, false)[0]
		search.text = "rider"
		search.text_changed.emit("rider")
		await _frames(10)
		dialog.get_ok_button().pressed.emit()
		await _frames(5)
		dialog.hide()
	_check(dialog != null, "the dialog opens")
	_check(picker.text == "Rider Of Four 2×4", "what is chosen is taken: %s" % picker.text)
	_state().set(&"profile", null)
	DirAccess.remove_absolute(file)
	EditorInterface.get_resource_filesystem().update_file(file)


func _quick_open() -> AcceptDialog:
	for dialog: Node in _driver.get_tree().root.find_children(
		"*", "EditorQuickOpenDialog", true, false
	):
		if (dialog as AcceptDialog).visible:
			return dialog
	return null


func test_the_brush_warns_where_imports_overwrite() -> void:
	var grid := _grid()
	_select(grid)
	await _frames(2)
	_state().set(&"tool", Tool.BRUSH)
	await _frames(2)
	_check(not _warning().is_visible_in_tree(), "without layers there is nothing to say")
	grid.source_layers = [_layer()]
	_select(_layer())
	await _frames(2)
	_select(grid)
	_state().set(&"tool", Tool.BRUSH)
	await _frames(2)
	_check(_warning().is_visible_in_tree(), "with layers it is said")
	grid.source_layers = []


func test_the_scene_tree_says_what_nodes_lack() -> void:
	var scene := EditorInterface.get_edited_scene_root()
	var far := Node2D.new()
	scene.add_child(far)
	far.owner = scene
	var baker := PathForgeNavigationBaker.new()
	baker.name = "BakerAlone"
	far.add_child(baker)
	baker.owner = scene
	# The grid beside its parent is one to bake.
	await _check_sign("BakerAlone", "")
	var grid := _grid()
	var place := grid.get_index()
	scene.remove_child(grid)
	await _check_sign("BakerAlone", "nothing to bake")
	scene.add_child(grid)
	scene.move_child(grid, place)
	grid.owner = scene
	var layer := TileMapLayer.new()
	far.add_child(layer)
	baker.source_layers = [layer]
	await _check_sign("BakerAlone", "has no tile set")
	layer.tile_set = TileSet.new()
	await _check_sign("BakerAlone", "no navigation layer and no physics layer")
	layer.tile_set.add_physics_layer()
	await _check_sign("BakerAlone", "")
	far.free()
	await _check_sign("Grid", "")
	_grid().import_on_ready = true
	await _check_sign("Grid", "there are no Source Layers")
	_grid().import_on_ready = false
	await _check_sign("Grid", "")


func test_the_scene_tree_says_what_links_lack() -> void:
	var scene := EditorInterface.get_edited_scene_root()
	var link := PathForgeLink2D.new()
	link.name = "LinkAlone"
	_grid().add_child(link)
	link.owner = scene
	await _check_sign("LinkAlone", "Start and end are in one cell")
	link.end_position = _grid().cell_to_local(Vector2i(3, 3))
	await _check_sign("LinkAlone", "")
	link.position = Vector2(-1000, 0)
	await _check_sign("LinkAlone", "outside of the grid's region")
	link.position = Vector2.ZERO
	link.terrains = 0
	await _check_sign("LinkAlone", "No body takes the link")
	link.free()
	var solid := PathForgeLink3D.new()
	solid.name = "LinkAlone"
	scene.add_child(solid)
	solid.owner = scene
	await _check_sign("LinkAlone", "There is no space")
	solid.free()
	await _frames(2)


func test_the_map_doctor_looks_at_the_scene() -> void:
	var grid := _grid()
	grid.fill_solid_region(Rect2i(14, 0, 1, 16))
	_select(grid)
	await _frames(2)
	var before := _all_nodes().size()
	var button: Button = (_tools().get(&"_toolbar") as Control).get_node("%Check")
	button.pressed.emit()
	await _frames(3)
	var dialog: AcceptDialog = _tools().get(&"_dialog")
	_check(dialog.visible, "the dialog opens")
	var report: String = dialog.call(&"report")
	_check("is sealed" in report and "1 thing to mend" in report, "it says: %s" % report)
	dialog.hide()
	_check(_all_nodes().size() == before, "nothing is added to the scene")
	grid.fill_solid_region(Rect2i(14, 0, 1, 16), false)


func test_the_toolbar_stays_while_tiles_are_painted() -> void:
	_select(_grid())
	await _frames(2)
	_state().set(&"view", View.ROOM)
	_state().set(&"tool", Tool.BRUSH)
	_select(_layer())
	await _frames(2)
	_check(_tools().get(&"grid") == _grid(), "the grid is still worked on")
	_check((_tools().get(&"_toolbar") as Control).visible, "the toolbar is there")
	_check(_state().get(&"tool") == Tool.NONE, "the brush is laid down")
	_check(_state().get(&"view") == View.ROOM, "the view stays")
