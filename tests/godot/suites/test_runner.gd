extends TestSuite
## The runner itself, where a mistake would make every other suite green.

var _steps: Array[String] = []


func before_each() -> void:
	_steps.append("before")


func test_an_announced_error_is_no_failure() -> void:
	expect_errors(2, "of the runner's own test")
	push_error("the first error of the runner's own test")
	push_error("the second error of the runner's own test")


func test_a_test_can_wait() -> void:
	var frame := Engine.get_process_frames()
	await frames(3)
	check(Engine.get_process_frames() >= frame + 3, "three frames have passed")
	check(await wait_until(func() -> bool: return true), "what is true is not waited for")
	check(not await wait_until(func() -> bool: return false, 0.05), "a wait ends")
	check(_steps.size() > 0, "before_each has been called")


func test_equality_is_by_value_and_type() -> void:
	check_eq([1, 2] as Array[int], [1, 2])
	check_eq(Vector2i(1, 2), Vector2i(1, 2))
	check_eq(NAN, NAN)
	check_eq(&"name", "name")
	check_eq(null, null)
	check_ne(Vector2i.ZERO, 0, "a vector is no number")
	check_ne("1", 1, "a text is no number")
	check_ne([1], [2], "other elements")
	check_near(INF, INF)


func test_a_failed_check_is_a_failure() -> void:
	var inner := TestSuite.new()
	inner.begin(root)
	inner.check_eq(1, 2, "one")
	inner.check(true, "fine")
	check_eq(inner.end(), ["one: got 1, want 2"] as Array[String])
	inner.begin(root)
	check_eq(inner.end(), ["it checked nothing"] as Array[String])
