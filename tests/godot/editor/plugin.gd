@tool
extends EditorPlugin
## Runs the tests in [code]*_tests.gd[/code] inside the editor, when the editor is started for
## that: [code]godot --editor -- --editor-tests[/code]. [code]cargo xtask test[/code] enables this
## plugin in a copy of the project and reads what it prints, as it does for the suites.

const Hands := preload("editor_hands.gd")
const TESTS: Array[GDScript] = [preload("editor_tests.gd"), preload("toolbar_tests.gd")]
## Frames until the editor has opened what it opens by itself.
const FRAMES_TO_SETTLE := 20


func _enter_tree() -> void:
	if "--editor-tests" in OS.get_cmdline_user_args():
		_run.call_deferred()


func _run() -> void:
	while EditorInterface.get_resource_filesystem().is_scanning():
		await get_tree().process_frame
	for _frame: int in FRAMES_TO_SETTLE:
		await get_tree().process_frame
	var passed := 0
	var failed := 0
	for script: GDScript in TESTS:
		var tests: Hands = script.new(self)
		for method: String in tests.names().filter(_is_wanted):
			print("TEST_BEGIN editor.%s" % method)
			var failures: Array[String] = await tests.run(method)
			if failures.is_empty():
				passed += 1
				print("PASS editor.%s" % method)
			else:
				failed += 1
				print("FAIL editor.%s: %s" % [method, " | ".join(failures)])
	print("SUITE_RESULT passed=%d failed=%d" % [passed, failed])
	get_tree().quit(1 if failed > 0 else 0)


## Whether a test's name holds what follows [code]--filter=[/code]; without that, all are wanted.
func _is_wanted(method: String) -> bool:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--filter="):
			return ("editor." + method).contains(argument.trim_prefix("--filter="))
	return true
