extends RefCounted
## What every scene's play looks at in the end: whether bodies that rest are apart, and whether the
## figures that the panel shows add up. And a look from near and far.

const DemoPlayer := preload("demo_player.gd")

## A disc is compared with those in the squares around it, which are so many largest radii wide.
const BIN := 2.0
## How fast time runs while a tour is shown.
const TOUR_HURRY := 8

var _runner: DemoPlayer


func _init(runner: DemoPlayer) -> void:
	_runner = runner


## No two of [param bodies] lie over each other by more than [param slack] pixels, at a side.
func apart(bodies: Array[Rect2], names: PackedStringArray, when: String, slack := 1.0) -> void:
	for first: int in bodies.size():
		for second: int in first:
			var shared := bodies[first].intersection(bodies[second])
			_runner.check(
				minf(shared.size.x, shared.size.y) <= slack,
				"%s and %s overlap %s, by %s" % [names[second], names[first], when, shared.size]
			)


## No more than [param most] pairs of discs lie over each other by more than a tenth of the smaller
## radius.
func discs_apart(
	positions: PackedVector2Array, radii: PackedFloat32Array, when: String, most := 0
) -> void:
	var overlaps := disc_overlaps(positions, radii, 0.1)
	_runner.check(overlaps <= most, "%d pairs of bodies overlap %s" % [overlaps, when])


## How many pairs of discs lie over each other by more than [param slack] of the smaller radius.
static func disc_overlaps(
	positions: PackedVector2Array, radii: PackedFloat32Array, slack: float
) -> int:
	var largest := 0.0
	for radius: float in radii:
		largest = maxf(largest, radius)
	var bins: Dictionary[Vector2i, PackedInt32Array] = {}
	var overlaps := 0
	for place: int in positions.size():
		var bin := Vector2i((positions[place] / (largest * BIN)).floor())
		for y: int in range(bin.y - 1, bin.y + 2):
			for x: int in range(bin.x - 1, bin.x + 2):
				for other: int in bins.get(Vector2i(x, y), PackedInt32Array()):
					var least := radii[place] + radii[other]
					least -= slack * minf(radii[place], radii[other])
					if positions[place].distance_squared_to(positions[other]) < least * least:
						overlaps += 1
		var here: PackedInt32Array = bins.get(bin, PackedInt32Array())
		here.append(place)
		bins[bin] = here
	return overlaps


## The figures of [param parts] make [param total], as the panel shows them.
func sums_up(figures: DemoFigures, parts: PackedStringArray, total: int, when: String) -> void:
	var sum := 0
	for title: String in parts:
		var has_figure := figures.figure(title) != DemoFigures.NOTHING
		_runner.check(has_figure, "%s has a figure %s" % [title, when])
		sum += figures.number(title)
	_runner.check(sum == total, "%s make %d, not %d, %s" % [parts, sum, total, when])


## The scene says [param words] beside the pointer.
func told(words: String, when: String) -> void:
	var frame: DemoFrame = _runner.scene().get_node(^"DemoFrame")
	var said := frame.notice.text()
	_runner.check(words in said, '%s is answered with "%s": %s' % [when, words, said])


## The scene says nothing beside the pointer.
func told_nothing(when: String) -> void:
	var frame: DemoFrame = _runner.scene().get_node(^"DemoFrame")
	var said := frame.notice.text()
	_runner.check(said.is_empty(), '%s, the scene still says "%s"' % [when, said])


## All that the panel says now can be read, and so can the keys.
func has_room(when: String) -> void:
	await _runner.frames(2)  # What was written last has its size by then.
	var frame: DemoFrame = _runner.scene().get_node(^"DemoFrame")
	_runner.check(frame.has_room(), "the panel and the keys have room %s" % when)


## Each tool is taken by its key and by its button, says what the mouse does with it, and Escape
## goes back to the first one, not to the menu.
func tools(tools: DemoTools) -> void:
	# Over a button with a tooltip, Escape only takes the tooltip away.
	await _runner.move(_runner.viewport().get_visible_rect().size * 0.4)
	for place: int in range(1, tools.get_child_count()):
		var button: Button = tools.get_child(place)
		await _runner.key(tools.key_of(place))
		_runner.check(tools.current == place, "the key of tool %d takes it" % place)
		_runner.check(button.button_pressed, "the button of tool %d is pressed" % place)
		await _runner.key(KEY_ESCAPE)
		_runner.check(tools.current == 0, "Escape goes back to the first tool")
		await _runner.click_on(button)
		_runner.check(tools.current == place, "the button of tool %d takes it" % place)
		await _runner.screenshot("tool_%d" % place)
	tools.current = 0


## The scene shows all [param steps] by itself, whatever the wheel does, until something is clicked.
func tour(steps: int) -> void:
	var tour: DemoTour = _runner.scene().get_node(^"Tour")
	var middle := _runner.viewport().get_visible_rect().size * 0.4
	await _runner.wheel(middle, MOUSE_BUTTON_WHEEL_UP, 2)
	await _runner.wheel(middle, MOUSE_BUTTON_WHEEL_DOWN, 2)
	_runner.hurry(TOUR_HURRY)
	var are_shown := func() -> bool: return tour.steps_done >= steps
	var so_far := func() -> float: return tour.steps_done
	await _runner.wait_for_progress(are_shown, so_far, "the scene shows what it can do")
	_runner.hurry(1)
	await _runner.frames(2)
	await _runner.screenshot("tour")


## Comes near at a place on the screen, takes a picture, and goes back to the whole map.
func look_closer(place: Vector2, notches := 6) -> void:
	var camera := _runner.viewport().get_camera_2d()
	var before := camera.zoom.x
	await _runner.wheel(place, MOUSE_BUTTON_WHEEL_UP, notches)
	_runner.check(camera.zoom.x > before * 1.2, "the wheel comes nearer")
	await _runner.seconds(0.3)
	await _runner.screenshot("near")
	await _runner.wheel(place, MOUSE_BUTTON_WHEEL_DOWN, notches)
	_runner.check(is_equal_approx(camera.zoom.x, before), "and goes back")
	var near := Vector2(40, 0)
	await _runner.drag_fingers([place - near, place + near], [place - near * 3, place + near * 3])
	_runner.check(camera.zoom.x > before * 1.2, "two fingers come nearer")
	await _runner.drag_fingers([place - near * 3, place + near * 3], [place - near, place + near])
	_runner.check(is_equal_approx(camera.zoom.x, before), "and go back")
	await _runner.screenshot("far")
