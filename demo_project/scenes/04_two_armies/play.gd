extends RefCounted
## Lets the armies cross and cross back, stand in every shape, and meet at one spot; each time to
## the last soldier in its place.

## How fast time runs while nothing is looked at.
const HURRY := 30
## Seconds in which agents that have arrived come to stand still.
const CLOSING_UP := 10.0
const STATES: PackedStringArray = ["Marching", "Giving way", "In place", "Held up"]
const SOLDIERS := 1388
## So many may stand beside their place: one in thirty.
const FEW := 40
## So many may be kept off their place, each with what is said of it.
const BLOCKED_MOST := 3
## Seconds for which the last one may walk round the others, and push through them to its place.
const LAST_ONE := 240.0
## A block alone reaches 200 px from its middle.
const FAR := 320.0

var _runner: DemoPlayer
var _checks: DemoChecks
var _scene: Node2D
var _crowd: PathForgeCrowd
var _armies: Array[Army] = []
var _figures: DemoFigures


func play(runner: DemoPlayer) -> void:
	_runner = runner
	_checks = DemoChecks.new(runner)
	_scene = runner.scene()
	_crowd = _scene.get_node(^"Grid/Crowd")
	_armies = _scene.get(&"armies")
	_figures = _scene.get(&"figures")
	await _runner.frames(2)
	_checks.sums_up(_figures, STATES, SOLDIERS, "at the start")
	await _cross()
	await _shapes()
	await _cross_back()
	await _meet()


func _cross() -> void:
	_runner.hurry(HURRY)
	var some_are_through := func() -> bool: return _figures.number("Middle") > 150
	await _runner.wait_for_progress(some_are_through, _progress, "some are through")
	_runner.hurry(1)
	await _runner.screenshot()
	await _checks.look_closer(_on_screen(Vector2(480, 270)))
	await _all_in_place("they have changed sides")
	for title: String in ["North", "Middle", "South"]:
		_runner.check(_figures.number(title) >= 40, "the %s pass is used" % title)
	var crossed: float = _figures.number("North") + _figures.number("Middle")
	crossed += _figures.number("South")
	_runner.check(crossed >= SOLDIERS - 2, "%d have crossed" % crossed)
	await _runner.screenshot("arrived")


func _shapes() -> void:
	for number: int in [1, 2, 0]:
		await _runner.key(KEY_1 + number as Key)
		_runner.check(_shape_button(number).button_pressed, "the shape in force is pressed")
		await _all_in_place("they stand in shape %d" % number)
		await _runner.screenshot("shape_%d" % number)


func _cross_back() -> void:
	await _runner.click_on(_scene.get(&"cross_button") as Button)
	_runner.check(not _scene.get(&"are_over"), "the button sends them back")
	await _all_in_place("they are back")


## Both are sent to one spot.
func _meet() -> void:
	var spot := _on_screen(Vector2(300, 300))
	await _runner.click(spot)
	await _runner.click(spot, MOUSE_BUTTON_RIGHT)
	_runner.check(_armies[0].mark.distance_to(_armies[1].mark) < 12.0, "both go to one spot")
	await _refused()
	await _all_rest("they have met")
	_are_at_the_spot()
	await _runner.screenshot("met")


## What cannot be done is told in words.
func _refused() -> void:
	var mark := _armies[0].mark
	await _runner.click(_on_screen(Vector2(-10, 300)))
	_checks.told("The field ends here", "a click beside the field")
	_runner.check(_armies[0].mark == mark, "no army is sent there")
	await _runner.click(_on_screen(Vector2(480, 200)))
	_checks.told("stand on rock", "a click on the ridge")
	await _runner.screenshot("onto_rock")
	await _runner.click(_on_screen(Vector2(300, 300)))


## Waits for the last one, and looks whether every place is taken.
func _all_in_place(when: String) -> void:
	await _all_rest(when)
	# A few stand beside their place: they were held up near it, and took the nearest that was free.
	var empty := _empty_places()
	_runner.check(empty <= FEW, "%d places are empty: %s" % [empty, when])


## Waits until all are said to be in place or blocked, and looks whether none stands on another and
## whether it is told what keeps one off.
func _all_rest(when: String) -> void:
	_runner.hurry(HURRY)
	var do_rest := func() -> bool: return _at_rest() == SOLDIERS
	await _runner.wait_for_progress(do_rest, _progress, when, LAST_ONE)
	# Agents that have arrived may still be closing up.
	await _runner.seconds(CLOSING_UP)
	_runner.hurry(1)
	await _runner.frames(2)
	_checks.sums_up(_figures, STATES, SOLDIERS, when)
	_checks.discs_apart(_crowd.get_positions(), _radii(), when)
	_blocked_are_explained(when)


## By position: two blocks that share a spot stand around it, side by side.
func _are_at_the_spot() -> void:
	var farthest := 0.0
	for position: Vector2 in _crowd.get_positions():
		farthest = maxf(farthest, position.distance_to(_armies[0].mark))
	_runner.check(farthest < FAR, "one stands %.0f px from where all met" % farthest)


## How many places of the formations stay empty.
func _empty_places() -> int:
	var empty := 0
	for army: Army in _armies:
		for places: PackedVector2Array in army.places:
			for place: Vector2 in places:
				empty += int(_crowd.find_agents_in_radius(place, 3.0).is_empty())
	return empty


func _blocked_are_explained(when: String) -> void:
	var blocked := 0
	for id: int in _crowd.get_ids():
		if _crowd.get_state(id) == PathForgeCrowd.STATE_BLOCKED:
			blocked += 1
			# Those that kept it off may have gone, which is said, too.
			var why := _crowd.get_blockage(id).text
			_runner.check(not why.is_empty(), "it is told what keeps %d off: %s" % [id, when])
	_runner.check(blocked <= BLOCKED_MOST, "%d are blocked: %s" % [blocked, when])


## How many are in place or blocked.
func _at_rest() -> int:
	var counts := _crowd.get_state_counts()
	return counts[PathForgeCrowd.STATE_ARRIVED] + counts[PathForgeCrowd.STATE_BLOCKED]


## How many have crossed and how many rest.
func _progress() -> float:
	var crossed := _figures.number("North") + _figures.number("Middle") + _figures.number("South")
	return crossed + _at_rest()


func _radii() -> PackedFloat32Array:
	var radii := PackedFloat32Array()
	for army: Army in _armies:
		for kind: int in army.ids.size():
			var of_kind := PackedFloat32Array()
			of_kind.resize(army.ids[kind].size())
			of_kind.fill(army.radius(kind))
			radii.append_array(of_kind)
	return radii


func _shape_button(number: int) -> Button:
	var buttons: Array[Button] = _scene.get(&"shape_buttons")
	return buttons[number]


func _on_screen(point: Vector2) -> Vector2:
	return _runner.on_screen(_scene, point)
