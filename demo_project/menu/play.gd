extends RefCounted
## Chooses lessons and showcases by pointer and keys, reads a lesson's code, starts a showcase by
## its digit, and comes back.


func play(runner: DemoPlayer) -> void:
	await runner.seconds(0.5)
	await runner.screenshot()
	var title: Label = runner.scene().get_node(^"%SceneTitle")
	var first := title.text
	await runner.key(KEY_DOWN)
	runner.check(title.text != first, "the down key goes to the next lesson")
	var list: Container = runner.scene().get_node(^"%List")
	var code: CodeEdit = runner.scene().get_node(^"%LessonCode")
	var scroll: ScrollContainer = list.get_parent()
	for entry: Control in list.get_children():
		scroll.ensure_control_visible(entry)
		await runner.frames(2)
		await runner.move(entry.get_global_rect().get_center())
		if entry is Button:
			var button: Button = entry
			runner.check(button.text.ends_with(title.text), "the pointer shows %s" % button.text)
			var is_lesson := button.icon == null
			runner.check(code.is_visible_in_tree() == is_lesson, "a lesson shows its code")
	await runner.screenshot("pointed")
	await runner.move(Vector2(900, 60))
	await runner.key(KEY_6)
	await runner.wait_until(_is_open.bind(runner, "06_why_not"), "6 starts the sixth showcase")
	await runner.key(KEY_ESCAPE)
	await runner.wait_until(_is_open.bind(runner, "menu"), "Escape comes back")
	title = runner.scene().get_node(^"%SceneTitle")
	runner.check(title.text == "Why not?", "to the scene that was played: %s" % title.text)
	await runner.screenshot("back")
	await runner.key(KEY_6)
	await runner.wait_until(_is_open.bind(runner, "06_why_not"), "6 starts it again")
	await runner.click_on(runner.scene().get_node(^"DemoFrame").get_node(^"%Code") as Control)
	await runner.wait_until(_is_open.bind(runner, "09_why_not"), "Code opens its lesson")
	await runner.key(KEY_C)
	await runner.frames(3)
	await runner.screenshot("code")
	await runner.key(KEY_ESCAPE)
	await runner.wait_until(_is_open.bind(runner, "menu"), "Escape leaves a lesson, too")


func _is_open(runner: DemoPlayer, file: String) -> bool:
	var scene := runner.scene()
	return scene != null and scene.scene_file_path.get_file() == file + ".tscn"
