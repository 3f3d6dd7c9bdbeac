class_name TestSuite
extends RefCounted
## The base of every suite in [code]res://suites/test_*.gd[/code].
##
## A test is a method whose name starts with [code]test_[/code]. It may wait ([code]await[/code]).
## It fails when a check fails, when it checks nothing, when it takes longer than [member
## time_limit_s], when it leaves nodes behind, and when the engine prints an error that it did not
## announce with [method expect_errors].

const TIME_LIMIT_S := 120.0

## Child of the running scene tree, made for each test and freed after it with all its children.
var root: Node2D = null
## A test that takes longer fails. Set it at the top of a test. It is counted in physics frames, of
## which a busy machine comes to fewer.
var time_limit_s := TIME_LIMIT_S

var _failures: Array[String] = []
var _checks := 0


## Called once before the first test of this suite.
func before_all() -> void:
	pass


## Called once after the last test of this suite.
func after_all() -> void:
	pass


## Called before each test.
func before_each() -> void:
	pass


## Called after each test.
func after_each() -> void:
	pass


## A profile for a body of [param footprint] cells that may enter [param terrain_mask] and walks
## through the obstacles [param ignored].
func a_body(
	footprint: Vector2i, terrain_mask := 0xFFFFFFFF, ignored: PackedInt32Array = []
) -> PathForgeProfile:
	var profile := PathForgeProfile.new()
	profile.footprint = footprint
	profile.terrain_mask = terrain_mask
	profile.ignored_obstacles = ignored
	return profile


## Fails the test unless [param condition] holds. Returns it, so that a test may stop early.
func check(condition: bool, message: String) -> bool:
	_checks += 1
	if not condition:
		_failures.append(message)
	return condition


## Fails the test unless [param got] equals [param want]. An int equals the same float, a String
## the same StringName; NAN equals NAN.
func check_eq(got: Variant, want: Variant, message := "") -> bool:
	if _equal(got, want):
		return check(true, message)
	var label := "" if message.is_empty() else message + ": "
	return check(false, "%sgot %s, want %s" % [label, _shown(got), _shown(want)])


## Fails the test when [param got] equals [param unwanted].
func check_ne(got: Variant, unwanted: Variant, message := "") -> bool:
	return check(not _equal(got, unwanted), "%s: got %s" % [message, _shown(got)])


## Fails the test unless [param got] is within [param tolerance] of [param want].
func check_near(got: float, want: float, tolerance := 0.0001, message := "") -> bool:
	var near := got == want or absf(got - want) <= tolerance
	return check(near, "%s: got %s, want %s ± %s" % [message, got, want, tolerance])


## Fails the test.
func fail(message: String) -> void:
	check(false, message)


## Announces that the engine will print exactly [param count] errors that contain [param part]
## before this test ends. Call it before what causes them. It counts as a check.
func expect_errors(count: int, part: String) -> void:
	_checks += 1
	print("EXPECT_ERROR %d %s" % [count, part])


## Announces that the engine will print exactly [param count] warnings that contain [param part]
## before this test ends. Other warnings may come. It counts as a check.
func expect_warnings(count: int, part: String) -> void:
	_checks += 1
	print("EXPECT_WARNING %d %s" % [count, part])


## Says that the engine may print any number of errors that contain [param part].
func allow_errors(part: String) -> void:
	print("ALLOW_ERRORS %s" % part)


## Waits for [param count] frames.
## How many requests the grids in the scene tree have not answered yet.
func open_requests() -> int:
	return Performance.get_custom_monitor(&"PathForge/Open requests")


## How many profiles the grids in the scene tree have not prepared yet.
func open_preparations() -> int:
	return Performance.get_custom_monitor(&"PathForge/Open preparations")


func frames(count := 1) -> void:
	for _frame: int in count:
		await root.get_tree().process_frame


## Waits for [param count] physics frames.
func physics_frames(count := 1) -> void:
	for _frame: int in count:
		await root.get_tree().physics_frame


## Waits until [param condition] returns true, at most until a [TestSuite.Limit] of [param seconds]
## is over. Returns whether it did.
func wait_until(condition: Callable, seconds := 30.0) -> bool:
	var limit := Limit.new(seconds)
	while not condition.call():
		if limit.is_over():
			return false
		await root.get_tree().process_frame
	return true


## Returns the microseconds of the quickest of some runs of [param count] frames. It stops at the
## first that takes less than [param limit_usec]: on a busy machine a single run says little.
func quickest_usec(count: int, limit_usec: int) -> int:
	var least := limit_usec
	for _run: int in 10:
		var begun := Time.get_ticks_usec()
		await frames(count)
		var usec := Time.get_ticks_usec() - begun
		if usec < limit_usec:
			return usec
		least = usec if least == limit_usec else mini(least, usec)
	return least


## Adds [param node] under [member root] and returns it.
func add(node: Node) -> Node:
	root.add_child(node)
	return node


## Called by the runner.
func begin(test_root: Node2D) -> void:
	root = test_root
	_failures = []
	_checks = 0
	time_limit_s = TIME_LIMIT_S


## Called by the runner. Returns what went wrong.
func end() -> Array[String]:
	if _checks == 0 and _failures.is_empty():
		_failures.append("it checked nothing")
	root = null
	return _failures


func _equal(got: Variant, want: Variant) -> bool:
	var got_type := typeof(got)
	var want_type := typeof(want)
	var numbers: Array[int] = [TYPE_INT, TYPE_FLOAT]
	var texts: Array[int] = [TYPE_STRING, TYPE_STRING_NAME]
	if got_type == TYPE_FLOAT and want_type == TYPE_FLOAT and is_nan(got) and is_nan(want):
		return true
	if (
		got_type == want_type
		or (got_type in numbers and want_type in numbers)
		or (got_type in texts and want_type in texts)
		or (got_type == TYPE_NIL and want_type == TYPE_OBJECT)
		or (got_type == TYPE_OBJECT and want_type == TYPE_NIL)
	):
		return got == want
	return false


func _shown(value: Variant) -> String:
	var text := var_to_str(value) if typeof(value) != TYPE_OBJECT else str(value)
	return text if text.length() <= 400 else text.left(400) + "…"


## Seconds in physics frames: they stand still while the engine is busy with one frame.
class Stopwatch:
	var _seconds := 0.0
	var _last := Engine.get_physics_frames()

	## How long it has run. The frames since the last look count at the present rate.
	func seconds() -> float:
		var now := Engine.get_physics_frames()
		_seconds += float(now - _last) / Engine.physics_ticks_per_second
		_last = now
		return _seconds


## Seconds in physics frames and by the clock, whichever take longer: frames come as fast as they
## can be made, and what workers do in the background takes its time.
class Limit:
	var _stopwatch := Stopwatch.new()
	var _begun := Time.get_ticks_msec()
	var _seconds: float

	func _init(seconds: float) -> void:
		_seconds = seconds

	func is_over() -> bool:
		var msec := Time.get_ticks_msec() - _begun
		return _stopwatch.seconds() > _seconds and msec > _seconds * 1000.0
