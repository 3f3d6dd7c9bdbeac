extends RefCounted
## Looks at the land from near and far and from another side, and at what the crowd does.

var _runner: DemoPlayer
var _people: HillsPeople
var _camera: DemoOrbit


func play(runner: DemoPlayer) -> void:
	_runner = runner
	var scene := runner.scene()
	_people = scene.get_node(^"Grid/Space/People")
	_camera = scene.get_node(^"Orbit")
	await _runner.seconds(3.0)
	await _runner.screenshot()
	await _look()


## The wheel comes nearer to what is under the pointer, a drag turns, and Home goes back.
func _look() -> void:
	var spot := Vector2(420, 330)
	var before := _camera.ground_at(spot)
	var away := _camera.distance
	await _runner.wheel(spot, MOUSE_BUTTON_WHEEL_UP, 8)
	_runner.check(_camera.distance < away * 0.4, "the wheel comes nearer")
	var strayed := _camera.ground_at(spot).distance_to(before)
	_runner.check(strayed < 3.0, "what is under the pointer stays there, within %.1f m" % strayed)
	await _runner.screenshot("near")
	var turn := _camera.turn
	await _runner.drag(spot, spot + Vector2(200, -40), MOUSE_BUTTON_MIDDLE)
	_runner.check(absf(_camera.turn - turn) > 0.8, "a drag with the middle button turns")
	await _runner.screenshot("turned")
	await _runner.key(KEY_HOME)
	_runner.check(is_equal_approx(_camera.distance, away), "Home shows the whole map")
