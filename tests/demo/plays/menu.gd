extends RefCounted
## Chooses showcases and lessons by pointer and keys, looks whether the layout stands still and all
## words have room, starts what is listed by its digit, reads code over a scene, and comes back.

const DemoPlayer := preload("../demo_player.gd")

var _runner: DemoPlayer


func play(runner: DemoPlayer) -> void:
	_runner = runner
	await runner.seconds(0.5)
	await runner.screenshot()
	var first := _title()
	await runner.key(KEY_DOWN)
	runner.check(_title() != first, "the down key goes to the next showcase")
	await _look_through(runner.scene().get_node(^"%ShowcaseList") as Container)
	await runner.key(KEY_RIGHT)
	await _look_through(runner.scene().get_node(^"%LessonList") as Container)
	await runner.screenshot("lessons")
	await _start_by_mouse()
	await runner.key(KEY_C)
	var code: CodeEdit = runner.scene().get_node(^"%LessonCode")
	runner.check(code.is_visible_in_tree() and code.text.contains("extends"), "C shows the code")
	await runner.screenshot("lesson_code")
	await runner.key(KEY_ESCAPE)
	runner.check(not code.is_visible_in_tree(), "Escape hides it")
	await runner.move(Vector2(900, 40))
	await runner.key(KEY_6)
	await runner.wait_until(_is_open.bind("06_crowd"), "6 starts the sixth lesson")
	await runner.key(KEY_C)
	await runner.frames(3)
	await runner.screenshot("code")
	await runner.key(KEY_ESCAPE)
	runner.check(_is_open("06_crowd"), "Escape closes the code")
	await runner.key(KEY_ESCAPE)
	await _comes_back("A crowd")
	await runner.key(KEY_LEFT)
	await runner.key(KEY_6)
	await runner.wait_until(_is_open.bind("06_why_not"), "6 starts the sixth showcase")
	await runner.click_on(runner.scene().get_node(^"DemoFrame").get_node(^"%Code") as Control)
	await runner.screenshot("code_over")
	code = runner.viewport().get_node(^"LessonBar").get_node(^"%LessonCode")
	runner.check(code.is_visible_in_tree(), "Code opens the code over the scene")
	runner.check(code.text.contains("explain"), "which is that of its lesson")
	await runner.key(KEY_ESCAPE)
	runner.check(not code.is_visible_in_tree(), "Escape closes it")
	runner.check(_is_open("06_why_not"), "and leads back to the scene")
	await runner.key(KEY_ESCAPE)
	await _comes_back("Why not?")


## Clicks every entry of a list, then points at each on the way to *Play*, which changes nothing.
func _look_through(list: Container) -> void:
	var frame: Control = _runner.scene().get_node(^"%Picture").get_parent()
	var place := frame.get_global_rect()
	var scroll: ScrollContainer = list.get_parent().get_parent()
	for button: Button in list.get_children():
		scroll.ensure_control_visible(button)
		await _runner.frames(2)
		await _runner.click_on(button)
		_runner.check(_is_open("menu"), "a click on %s starts nothing" % button.text)
		_runner.check(button.text.ends_with(_title()), "a click chooses %s" % button.text)
		_runner.check(button.button_pressed, "%s looks chosen" % button.text)
		_runner.check(button.icon != null, "%s has a picture" % button.text)
		_runner.check(button.size.y < 60.0, "%s has room" % button.text)
		_runner.check(frame.get_global_rect() == place, "%s moves nothing" % button.text)
	var chosen := _title()
	for button: Button in list.get_children():
		await _runner.move(button.get_global_rect().get_center())
		_runner.check(_title() == chosen, "pointing at %s chooses nothing" % button.text)
	for label: Control in _runner.scene().find_children("*", "Label", true, false):
		var screen := _runner.viewport().get_visible_rect()
		_runner.check(screen.encloses(label.get_global_rect()), "%s is all seen" % label.name)


## The way to *Play* leads over other rows; a double click needs no way.
func _start_by_mouse() -> void:
	var list: Container = _runner.scene().get_node(^"%ShowcaseList")
	await _runner.click_on(_runner.scene().get_node(^"%Showcases") as Control)
	var scroll: ScrollContainer = list.get_parent().get_parent()
	scroll.scroll_vertical = 0
	await _runner.frames(2)
	await _runner.click_on(list.get_child(2) as Control)
	for place: int in [3, 4, 5, 6]:
		await _runner.move((list.get_child(place) as Control).get_global_rect().get_center())
	await _runner.click_on(_runner.scene().get_node(^"%Play") as Control)
	await _runner.wait_until(_is_open.bind("03_danger"), "Play starts what was clicked")
	await _runner.key(KEY_ESCAPE)
	await _comes_back("Danger")
	list = _runner.scene().get_node(^"%ShowcaseList")
	await _runner.double_click_on(list.get_child(3) as Control)
	await _runner.wait_until(_is_open.bind("04_two_armies"), "a double click starts")
	await _runner.key(KEY_ESCAPE)
	await _comes_back("Two armies")
	await _runner.key(KEY_UP)
	await _runner.key(KEY_ENTER)
	await _runner.wait_until(_is_open.bind("03_danger"), "Enter starts what the keys chose")
	await _runner.key(KEY_ESCAPE)
	await _comes_back("Danger")
	await _runner.key(KEY_RIGHT)


func _comes_back(title: String) -> void:
	await _runner.wait_until(_is_open.bind("menu"), "Escape comes back")
	await _runner.frames(3)
	_runner.check(_title() == title, "to what was played: %s" % _title())
	await _runner.screenshot("back")


func _title() -> String:
	return (_runner.scene().get_node(^"%SceneTitle") as Label).text


func _is_open(file: String) -> bool:
	var scene := _runner.scene()
	return scene != null and scene.scene_file_path.get_file() == file + ".tscn"
