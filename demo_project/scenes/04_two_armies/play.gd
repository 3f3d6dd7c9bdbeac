extends RefCounted
## Lets the armies cross, changes their formation, and sends one of them elsewhere.

## How fast time runs while nothing is looked at.
const HURRY := 4

var _runner: DemoPlayer
var _crowd: PathForgeCrowd


func play(runner: DemoPlayer) -> void:
	_runner = runner
	_crowd = runner.scene().get_node(^"Grid/Crowd")
	_runner.check(_crowd.get_agent_count() > 1300, "two armies are on the field")
	await _hurry(13.0)
	await _runner.screenshot()
	await _hurry(80.0)
	var in_place := _crowd.get_state_counts()[PathForgeCrowd.STATE_ARRIVED]
	_runner.check(in_place > 1000, "most have changed sides: %d" % in_place)
	await _runner.screenshot("arrived")
	await _runner.key(KEY_3)
	await _hurry(14.0)
	await _runner.screenshot("wedge")
	var button: Button = _runner.scene().get("cross_button")
	await _runner.click_on(button)
	_runner.check(not _runner.scene().get("are_over"), "the button sends them back")
	await _runner.click(_runner.on_screen(_runner.scene(), Vector2(400, 300)))
	await _hurry(4.0)


func _hurry(duration: float) -> void:
	Engine.time_scale = HURRY
	Engine.physics_ticks_per_second = 60 * HURRY
	Engine.max_physics_steps_per_frame = 8 * HURRY
	var step := 1.0 / Engine.physics_ticks_per_second
	var end := Engine.get_physics_frames() + int(duration / step / HURRY)
	while Engine.get_physics_frames() < end:
		await _runner.frames(1)
	Engine.time_scale = 1.0
	Engine.physics_ticks_per_second = 60
	Engine.max_physics_steps_per_frame = 8
