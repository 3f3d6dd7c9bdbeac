extends RefCounted
## Uses a scene as a person would: real input events, waits, pictures.
##
## A script in [code]plays[/code] gets one:
## [codeblock]
## extends RefCounted
##
## func play(runner: DemoPlayer) -> void:
##     await runner.drag(Vector2(100, 100), Vector2(400, 300))
##     await runner.click(Vector2(900, 500), MOUSE_BUTTON_RIGHT)
##     await runner.seconds(2.0)
##     await runner.screenshot("moving")
## [/codeblock]
## Positions are in the root viewport's coordinates, as controls and [method
## CanvasItem.get_viewport_transform] have them. Everything that takes time is awaited.

## The picture without a suffix is written.
signal main_picture_taken

## Seconds of the scene without any progress, after which a wait has failed.
const PATIENCE := 60.0

## What background work is waited for; empty when none is.
var awaited := ""
## The size of pictures that show the map alone; zero for pictures of the whole window.
var part := Vector2i.ZERO
## What such pictures show, in the scene's coordinates; empty for the whole map.
var subject := Rect2()

var _tree: SceneTree
var _picture := ""
var _has_taken_main_picture := false
var _has_zoomed := false
var _held: Dictionary[int, bool] = {}
var _position := Vector2.ZERO


func _init(tree: SceneTree, picture: String) -> void:
	_tree = tree
	_picture = picture


## The scene that is played.
func scene() -> Node:
	return _tree.current_scene


## The root viewport.
func viewport() -> Window:
	return _tree.root


## Where a point of a canvas item (a node's global position, a grid's cell) is on the screen.
func on_screen(item: CanvasItem, local_position: Vector2) -> Vector2:
	return item.get_global_transform_with_canvas() * local_position


## Where the middle of a cell is on the screen; [param map] is a PathForgeGrid or another node whose
## cells have places.
func cell_on_screen(map: Node2D, cell: Vector2i) -> Vector2:
	return on_screen(map, map.call(&"cell_to_local", cell))


## Waits for [param count] frames.
func frames(count := 1) -> void:
	for _frame: int in count:
		await _tree.process_frame


## Waits for [param duration] seconds of the scene: on a busy machine, where a scene comes to fewer
## steps, they last longer.
func seconds(duration: float) -> void:
	var end := Engine.get_physics_frames() + ceili(duration / _step_seconds())
	while Engine.get_physics_frames() < end:
		await _tree.process_frame


## Lets time run [param times] as fast, in steps as small as ever; 1 is as always.
func hurry(times: int) -> void:
	Engine.time_scale = times
	Engine.physics_ticks_per_second = 60 * times
	Engine.max_physics_steps_per_frame = 8 * times


## The scene's seconds in a physics step.
func _step_seconds() -> float:
	return Engine.time_scale / Engine.physics_ticks_per_second


## Waits until [param condition] returns true. When it does not within [constant PATIENCE], that is
## an error with [param what] in it, and so a failed run.
func wait_until(condition: Callable, what: String) -> bool:
	return await wait_for_progress(condition, func() -> float: return 0.0, what)


## Waits until threads have done the work that makes [param condition] return true, for as long as
## this takes: frames go by no slower while threads get little of a busy machine.
func wait_for_work(condition: Callable, what: String) -> void:
	awaited = what
	while not condition.call():
		await _tree.process_frame
	awaited = ""


## Waits until [param condition] returns true, as long as what [param progress] returns grows:
## how many have arrived, or how far all have come. When it has not grown for [param patience] of
## the scene's seconds, that is an error with [param what] in it.
func wait_for_progress(
	condition: Callable, progress: Callable, what: String, patience := PATIENCE
) -> bool:
	var most: float = progress.call()
	var waited := 0.0
	var last := Engine.get_physics_frames()
	while not condition.call():
		var here: float = progress.call()
		waited += (Engine.get_physics_frames() - last) * _step_seconds()
		last = Engine.get_physics_frames()
		if here > most:
			most = here
			waited = 0.0
		elif waited > patience:
			push_error("waited %.0f s in vain: %s" % [patience, what])
			return false
		await _tree.process_frame
	return true


## An error, and so a failed run, unless [param condition] holds.
func check(condition: bool, what: String) -> void:
	if not condition:
		push_error("not as it should be: %s" % what)


## Moves the pointer.
func move(position: Vector2) -> void:
	var event := InputEventMouseMotion.new()
	event.relative = _to_window(position) - _to_window(_position)
	_position = position
	_place(event)
	event.button_mask = _mask()
	if DisplayServer.has_feature(DisplayServer.FEATURE_MOUSE_WARP):
		Input.warp_mouse(event.position)
	Input.parse_input_event(event)
	await frames(2)


## Presses a mouse button where the pointer is.
func press(button: MouseButton = MOUSE_BUTTON_LEFT, with_shift := false) -> void:
	_held[button] = true
	_send_button(button, true, with_shift)
	await frames(2)


## Releases a mouse button where the pointer is.
func release(button: MouseButton = MOUSE_BUTTON_LEFT, with_shift := false) -> void:
	_held.erase(button)
	_send_button(button, false, with_shift)
	await frames(2)


## Moves the pointer to [param position] and clicks.
func click(position: Vector2, button: MouseButton = MOUSE_BUTTON_LEFT) -> void:
	await move(position)
	await press(button)
	await release(button)


## Clicks on the middle of a button, or of another control.
func click_on(control: Control) -> void:
	await click(control.get_global_rect().get_center())


## Clicks twice, fast, on the middle of a control.
func double_click_on(control: Control) -> void:
	await click_on(control)
	_send_button(MOUSE_BUTTON_LEFT, true, false, true)
	await frames(2)
	await release()


## Drags from [param start] to [param end] with [param button] held, in [param steps] motions.
func drag(
	start: Vector2, end: Vector2, button: MouseButton = MOUSE_BUTTON_LEFT, steps := 12
) -> void:
	await move(start)
	await press(button)
	for step: int in steps:
		await move(start.lerp(end, float(step + 1) / steps))
	await release(button)


## Turns the wheel: up is [constant MOUSE_BUTTON_WHEEL_UP].
func wheel(position: Vector2, direction: MouseButton, count := 1) -> void:
	_has_zoomed = true
	await move(position)
	for _turn: int in count:
		_send_button(direction, true, false)
		_send_button(direction, false, false)
		await frames(1)


## Puts the finger [param index] on the screen and lifts it after [param duration] seconds, of which
## a slow frame counts no more than for the scene: see demo_touch.gd.
func tap(position: Vector2, duration := 0.0, index := 0) -> void:
	_send_touch(index, position, true)
	await frames(2)
	while duration > 0.0:
		await frames(1)
		duration -= minf(_tree.root.get_process_delta_time(), 0.03)
	_send_touch(index, position, false)
	await frames(3)


## Moves fingers from [param starts] to [param ends] at once, from the first touch to the last.
func drag_fingers(starts: PackedVector2Array, ends: PackedVector2Array, steps := 12) -> void:
	for index: int in starts.size():
		_send_touch(index, starts[index], true)
	await frames(2)
	for step: int in steps:
		for index: int in starts.size():
			var event := InputEventScreenDrag.new()
			event.index = index
			event.position = _to_window(starts[index].lerp(ends[index], float(step + 1) / steps))
			Input.parse_input_event(event)
		await frames(1)
	for index: int in ends.size():
		_send_touch(index, ends[index], false)
	await frames(3)


## Presses a key and releases it, with the modifiers of [param mask] ([constant KEY_MASK_SHIFT]).
func key(keycode: Key, mask := 0) -> void:
	await hold_key(keycode, 0.0, mask)


## Holds a key down for [param duration] seconds.
func hold_key(keycode: Key, duration: float, mask := 0) -> void:
	_send_key(keycode, true, mask)
	await frames(2)
	if duration > 0.0:
		await seconds(duration)
	_send_key(keycode, false, mask)
	await frames(2)


## Writes what is on the screen to [code]NAME_suffix.png[/code], or to [code]NAME.png[/code] without
## a suffix. A run that takes no such picture waits for a frame instead. Nothing else is drawn.
func screenshot(suffix := "") -> void:
	if suffix.is_empty():
		_has_taken_main_picture = true
	var is_unwanted := part != Vector2i.ZERO and not suffix.is_empty()
	if is_unwanted or _picture.is_empty() or DisplayServer.get_name() == "headless":
		await frames(1)
		return
	RenderingServer.render_loop_enabled = true
	await frames(2)
	await RenderingServer.frame_post_draw
	var ending := ".png" if suffix.is_empty() else "_%s.png" % suffix
	var path := _picture.trim_suffix(".png") + ending
	if image().save_png(path) != OK:
		push_error("cannot write %s" % path)
	RenderingServer.render_loop_enabled = false
	if suffix.is_empty():
		main_picture_taken.emit()


## What is on the screen, or its part in the middle of the map, as large as the frame lets it be.
func image() -> Image:
	var picture := viewport().get_texture().get_image()
	if part == Vector2i.ZERO:
		return picture
	var camera: DemoCamera = scene().get_node_or_null(^"Camera")
	var shown := viewport().get_visible_rect()  # Of a lesson, which has no camera and no frame.
	if camera != null:
		shown = camera.shown_rect(subject if subject.has_area() else camera.content)
	var orbit: DemoOrbit = scene().get_node_or_null(^"Orbit")
	if orbit != null:
		shown = orbit.free_rect()
	var ratio := float(part.x) / part.y
	var width := minf(shown.size.x, shown.size.y * ratio)
	var size := Vector2(width, width / ratio)
	var cut := viewport().get_final_transform() * Rect2(shown.get_center() - size * 0.5, size)
	picture = picture.get_region(Rect2i(cut))
	picture.resize(part.x, part.y, Image.INTERPOLATE_LANCZOS)
	return picture


## True when [method screenshot] was called without a suffix.
func has_taken_main_picture() -> bool:
	return _has_taken_main_picture


## True when the wheel was turned.
func has_zoomed() -> bool:
	return _has_zoomed


## Lets go of every button that is still held.
func release_everything() -> void:
	for button: MouseButton in _held.keys():
		_send_button(button, false, false)
	_held.clear()


func _send_button(button: MouseButton, pressed: bool, with_shift: bool, is_double := false) -> void:
	var event := InputEventMouseButton.new()
	event.double_click = is_double
	event.button_index = button
	event.pressed = pressed
	event.shift_pressed = with_shift
	_place(event)
	event.button_mask = _mask()
	Input.parse_input_event(event)


func _send_key(keycode: Key, pressed: bool, mask: int) -> void:
	var event := InputEventKey.new()
	event.keycode = keycode
	event.physical_keycode = keycode
	event.pressed = pressed
	event.shift_pressed = mask & KEY_MASK_SHIFT != 0
	event.ctrl_pressed = mask & KEY_MASK_CTRL != 0
	event.alt_pressed = mask & KEY_MASK_ALT != 0
	Input.parse_input_event(event)


func _send_touch(index: int, position: Vector2, pressed: bool) -> void:
	var event := InputEventScreenTouch.new()
	event.index = index
	event.position = _to_window(position)
	event.pressed = pressed
	Input.parse_input_event(event)


func _place(event: InputEventMouse) -> void:
	event.position = _to_window(_position)
	event.global_position = event.position


func _to_window(position: Vector2) -> Vector2:
	return viewport().get_final_transform() * position


func _mask() -> int:
	var mask := 0
	for button: MouseButton in _held.keys():
		mask |= 1 << (button - 1)
	return mask
