extends RefCounted
## Chooses scenes by pointer and keys, starts one by its digit, and comes back.


func play(runner: DemoPlayer) -> void:
	await runner.seconds(0.5)
	await runner.screenshot()
	var title: Label = runner.scene().get_node(^"%SceneTitle")
	var first := title.text
	await runner.key(KEY_DOWN)
	runner.check(title.text != first, "the down key goes to the next scene")
	var list: Container = runner.scene().get_node(^"%List")
	for button: Button in list.get_children():
		await runner.move(button.get_global_rect().get_center())
		runner.check(button.text.ends_with(title.text), "the pointer shows %s" % button.text)
	await runner.screenshot("pointed")
	await runner.move(Vector2(900, 60))
	await runner.key(KEY_6)
	await runner.wait_until(_is_open.bind(runner, "06_why_not"), "6 starts the sixth scene")
	await runner.key(KEY_ESCAPE)
	await runner.wait_until(_is_open.bind(runner, "menu"), "Escape comes back")
	title = runner.scene().get_node(^"%SceneTitle")
	runner.check(title.text == "Why not?", "to the scene that was played: %s" % title.text)
	await runner.screenshot("back")


func _is_open(runner: DemoPlayer, file: String) -> bool:
	var scene := runner.scene()
	return scene != null and scene.scene_file_path.get_file() == file + ".tscn"
