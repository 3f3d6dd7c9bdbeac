@tool
extends EditorPlugin
## Runs the tests in [code]editor_tests.gd[/code] inside the editor, when the editor is started for
## that: [code]godot --editor -- --editor-tests[/code]. [code]cargo xtask test[/code] enables this
## plugin in a copy of the project and reads what it prints, as it does for the suites.

const Tests := preload("editor_tests.gd")
## Frames until the editor has opened what it opens by itself.
const FRAMES_TO_SETTLE := 20


func _enter_tree() -> void:
	if "--editor-tests" in OS.get_cmdline_user_args():
		_run.call_deferred()


func _run() -> void:
	for _frame: int in FRAMES_TO_SETTLE:
		await get_tree().process_frame
	var passed := 0
	var failed := 0
	var tests := Tests.new(self)
	var filter := _filter()
	for method: String in tests.names():
		if not filter.is_empty() and not ("editor." + method).contains(filter):
			continue
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


## The part of a test's name after [code]--filter=[/code]; empty for all tests.
func _filter() -> String:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--filter="):
			return argument.trim_prefix("--filter=")
	return ""
