extends Node
## Runs every [code]test_*[/code] method of every suite in [code]res://suites/test_*.gd[/code] or,
## where there is a display, in [code]res://suites/rendered_*.gd[/code].
##
## What it prints is read by [code]cargo xtask test[/code]: [code]TEST_BEGIN[/code] and
## [code]EXPECT_ERROR[/code] lines, then [code]PASS[/code] or [code]FAIL[/code] for each test, and
## one [code]SUITE_RESULT[/code] line. Errors that the engine prints between a test's first and
## last line are held against that test there. Run by hand:
## [code]godot --headless --path tests/godot -- --filter=part_of_a_name[/code], or
## several parts with commas between them. [code]--without=[/code] leaves such parts out,
## [code]--quick[/code] long suites.

const SUITES := "res://suites"
## Suites that [code]--quick[/code] leaves out: what they wait for takes many frames, or each of
## their tests does much.
const LONG: Array[String] = [
	"agent_rest",
	"agent_turns",
	"agent_ways",
	"astar_parity",
	"changed_premises",
	"crowd_arrival",
	"crowd_congestion",
	"freed_anywhere",
	"hostile_calls",
	"navigation_lengths",
	"node_agents",
	"node_orders",
	"orders_answered",
	"platformer_physics",
	"rare_calls",
	"requests_torture",
	"slowed",
	"threads_together",
	"workers",
]

var _prefix := "test_" if DisplayServer.get_name() == "headless" else "rendered_"
var _filter := ""
var _without := ""
var _is_quick := false
var _passed := 0
var _failed := 0


func _ready() -> void:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--filter="):
			_filter = argument.trim_prefix("--filter=")
		elif argument.begins_with("--without="):
			_without = argument.trim_prefix("--without=")
		elif argument == "--quick":
			_is_quick = true
	_run_all.call_deferred()


func _run_all() -> void:
	for file: String in DirAccess.get_files_at(SUITES):
		if file.begins_with(_prefix) and file.ends_with(".gd"):
			await _run_suite(file)
	print("SUITE_RESULT passed=%d failed=%d" % [_passed, _failed])
	get_tree().quit(1 if _failed > 0 else 0)


func _run_suite(file: String) -> void:
	var suite_name := file.trim_prefix("test_").trim_suffix(".gd")
	if _is_quick and suite_name in LONG:
		return
	var methods := _methods_of_source(file)
	var wanted := methods.filter(
		func(method: String) -> bool: return _is_wanted(_name_of(suite_name, method))
	)
	if wanted.is_empty():
		return
	var script: GDScript = load(SUITES.path_join(file))
	var suite: TestSuite = null
	if script != null and script.can_instantiate():
		suite = script.new() as TestSuite
	if suite == null:
		print("TEST_BEGIN %s" % suite_name)
		_report(suite_name, ["the script does not load as a TestSuite"], 0)
		return
	await suite.before_all()
	for method: String in wanted:
		await _run_test(suite, suite_name, method)
	await suite.after_all()


## The tests that a file should have, read from its text: a script that does not compile has none
## when asked itself.
func _methods_of_source(file: String) -> Array[String]:
	var methods: Array[String] = []
	var pattern := RegEx.create_from_string("(?m)^func (test_\\w+)\\(")
	for found: RegExMatch in pattern.search_all(
		FileAccess.get_file_as_string(SUITES.path_join(file))
	):
		methods.append(found.get_string(1))
	return methods


func _run_test(suite: TestSuite, suite_name: String, method: String) -> void:
	var test_name := _name_of(suite_name, method)
	var orphans := _orphans()
	var root := Node2D.new()
	root.name = "TestRoot"
	add_child(root)
	print("TEST_BEGIN %s" % test_name)
	var started := Time.get_ticks_msec()
	var limit := TestSuite.Limit.new(suite.time_limit_s)
	suite.begin(root)
	var progress := {"done": false}
	_call_test(suite, method, progress)
	while not progress["done"] and not limit.is_over():
		await get_tree().process_frame
	var failures := suite.end()
	if not progress["done"]:
		failures.append("not done after %.0f s (a script error, or a wait)" % suite.time_limit_s)
	root.free()
	await get_tree().process_frame
	if _orphans() > orphans:
		failures.append("left %d nodes outside the tree behind" % (_orphans() - orphans))
	_report(test_name, failures, Time.get_ticks_msec() - started)


func _call_test(suite: TestSuite, method: String, progress: Dictionary) -> void:
	await suite.before_each()
	@warning_ignore("redundant_await")
	await suite.call(method)
	await suite.after_each()
	progress["done"] = true


func _report(test_name: String, failures: Array[String], msec: int) -> void:
	if failures.is_empty():
		_passed += 1
		print("PASS %s (%d ms)" % [test_name, msec])
		return
	_failed += 1
	print("FAIL %s: %s" % [test_name, " | ".join(failures).replace("\n", " ")])


func _name_of(suite_name: String, method: String) -> String:
	return "%s.%s" % [suite_name, method.trim_prefix("test_")]


func _is_wanted(test_name: String) -> bool:
	var has := func(part: String) -> bool: return test_name.contains(part)
	return (
		(_filter.is_empty() or Array(_filter.split(",")).any(has))
		and not Array(_without.split(",", false)).any(has)
	)


func _orphans() -> int:
	return int(Performance.get_monitor(Performance.OBJECT_ORPHAN_NODE_COUNT))
