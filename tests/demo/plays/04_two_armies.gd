extends RefCounted
## Lets the armies cross and cross back, stand in every shape, and meet at one spot; each time to
## the last soldier in its place.

const DemoChecks := preload("../demo_checks.gd")
const DemoPlayer := preload("../demo_player.gd")

## How fast time runs while nothing is looked at.
const HURRY := 30
## Seconds in which agents that have arrived come to stand still.
const CLOSING_UP := 10.0
const STATES: PackedStringArray = [
	"Marching", "Giving way", "In place", "Off their place", "Held up"
]
## Names of colours, and the hues that they are said of.
const HUES: Dictionary[String, Vector2] = {
	"Red": Vector2(-15, 12),
	"Orange": Vector2(22, 45),
	"Yellow": Vector2(46, 65),
	"Green": Vector2(85, 155),
	"Blue": Vector2(200, 245),
}
const SOLDIERS := 1388
## So many may stand beside their place: one in thirty.
const FEW := 40
## So many may be kept off their place, each with what is said of it.
const BLOCKED_MOST := 8
## Seconds for which the last one may walk round the others, and push through them to its place.
const LAST_ONE := 240.0
## In pixels: within the first of these from a place a soldier is in place, beyond the other not.
const NEAR := Vector2(4.5, 8.5)
## A block alone reaches 200 px from its middle; behind another one it lies twice as far.
const FAR := 440.0

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
	_have_their_colours()
	await _select()
	await _cross()
	await _shapes()
	await _cross_back()
	await _wedges_in_the_pass()
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
	var began := _sides()
	await _runner.click_on(_scene.get(&"cross_button") as Button)
	_runner.check(not _scene.get(&"are_over"), "the button sends them back")
	await _all_in_place("they are back")
	_crossed(began, "they are back")


## An army's name says the colour that its soldiers are seen in, and its button has that colour.
func _have_their_colours() -> void:
	var buttons: Array[Button] = _scene.get(&"army_buttons")
	for side: int in 2:
		var army := _armies[side]
		var hues := HUES[army.title.get_slice(" ", 0)]
		var views := _scene.get_node(^"Soldiers").get_children()
		for view: ArmyView in views.slice(side * 3, side * 3 + 3):
			var seen := _mean(view.texture.get_image()) * view.modulate
			var hue := wrapf(seen.h * 360.0, -15.0, 345.0)
			var what := "%s is seen in hue %.0f, %s" % [army.title, hue, seen]
			_runner.check(hue >= hues.x and hue <= hues.y and seen.s > 0.25, what)
			var tint := buttons[side].get_theme_color(&"icon_normal_color")
			what = "the button of the %s has its colour" % army.title
			_runner.check(tint.is_equal_approx(view.modulate), what)
		_runner.check(buttons[side].text == army.title, "a button is called %s" % army.title)


func _mean(image: Image) -> Color:
	var sum := Color(0.0, 0.0, 0.0, 0.0)
	for y: int in image.get_height():
		for x: int in image.get_width():
			var pixel := image.get_pixel(x, y)
			sum += Color(pixel.r, pixel.g, pixel.b, 1.0) * pixel.a
	return sum / sum.a


## A click on a soldier selects its army, a drag both, a click on the ground none.
func _select() -> void:
	var hand: ArmyHand = _scene.get(&"hand")
	await _runner.click(_on_screen(Vector2(480, 90)), MOUSE_BUTTON_RIGHT)
	_checks.told("Select an army first", "an order to none")
	for army: Army in _armies:
		await _select_army(army)
		_runner.check(hand.selected == [army], "a click selects the %s" % army.title)
	await _runner.screenshot("selected")
	await _runner.drag(_on_screen(Vector2(4, 4)), _on_screen(Vector2(950, 590)))
	_runner.check(hand.selected.size() == 2, "a drag selects both")
	await _runner.click(_on_screen(Vector2(480, 20)))
	_runner.check(hand.selected.is_empty(), "a click on the ground selects none")
	await _runner.key(KEY_A)
	_runner.check(hand.selected.size() == 2, "A selects both")
	for button: Button in _scene.get(&"army_buttons") as Array[Button]:
		await _runner.click_on(button)
	_runner.check(hand.selected.is_empty(), "and their buttons let go")


func _select_army(army: Army) -> void:
	await _runner.click(_on_screen(_crowd.get_agent_position(army.ids[0][0])))


## In the pass there is rock where the shape has places: all places are beside it, and who is told
## as in place is at one.
func _wedges_in_the_pass() -> void:
	await _runner.key(KEY_3)
	var began := _sides()
	for side: int in 2:
		await _select_army(_armies[side])
		await _runner.click(_on_screen(Vector2(470 + 20 * side, 306)), MOUSE_BUTTON_RIGHT)
		_places_are_free("the wedge of the %s" % _armies[side].title)
	await _runner.screenshot("into_the_pass")
	await _all_rest("wedges stand in the pass")
	_crossed(began, "wedges stand in the pass")
	await _runner.screenshot("in_the_pass")
	await _runner.key(KEY_1)
	await _all_rest("blocks stand in the pass")
	await _runner.tap(_on_screen(Vector2(200, 560)))
	_runner.check(_armies[1].mark.distance_to(Vector2(200, 560)) < 300.0, "a tap sends")
	await _all_rest("one of them is sent away")


## No place lies on rock, or on a place of another soldier.
func _places_are_free(when: String) -> void:
	var grid: PathForgeGrid = _scene.get_node(^"Grid")
	var all := PackedVector2Array()
	var radii := PackedFloat32Array()
	var on_rock := 0
	for army: Army in _armies:
		for kind: int in army.places.size():
			var reach := Vector2.ONE * army.radius(kind) * 0.7
			for place: Vector2 in army.places[kind]:
				all.append(place)
				radii.append(army.radius(kind))
				for corner: Vector2 in [place - reach, place + reach, place]:
					on_rock += int(grid.is_point_solid(grid.local_to_cell(corner)))
	_runner.check(on_rock == 0, "%d places are on rock: %s" % [on_rock, when])
	_checks.discs_apart(all, radii, "on paper: %s" % when)


## Both are sent to one spot.
func _meet() -> void:
	for army: Army in _armies:
		await _select_army(army)
		await _runner.click(_on_screen(Vector2(300, 300)), MOUSE_BUTTON_RIGHT)
	_runner.check(_armies[0].mark.distance_to(_armies[1].mark) < 12.0, "both go to one spot")
	_places_are_free("both go to one spot")
	await _refused()
	await _all_rest("they have met")
	_are_at_the_spot()
	await _runner.screenshot("met")


## What cannot be done is told in words.
func _refused() -> void:
	var mark := _armies[0].mark
	await _select_army(_armies[0])
	await _runner.click(_on_screen(Vector2(-10, 300)), MOUSE_BUTTON_RIGHT)
	_checks.told("The field ends here", "a click beside the field")
	_runner.check(_armies[0].mark == mark, "no army is sent there")
	await _runner.click(_on_screen(Vector2(480, 200)), MOUSE_BUTTON_RIGHT)
	_checks.told("stand on rock", "a click on the ridge")
	_places_are_free("onto the ridge")
	await _runner.screenshot("onto_rock")
	await _runner.click(_on_screen(Vector2(300, 300)), MOUSE_BUTTON_RIGHT)
	_checks.told_nothing("after an order that is obeyed")


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
	_are_where_they_are_said(when)


## By position: as many are told to have come through the passes as are on the other side of the
## ridge than at the order.
func _crossed(began: PackedByteArray, when: String) -> void:
	var said := 0
	for title: String in ["North", "Middle", "South"]:
		_runner.check(_figures.number(title) >= 0, "%s has a number: %s" % [title, when])
		said += _figures.number(title)
	var across := 0
	var sides := _sides()
	for agent: int in sides.size():
		across += int(sides[agent] != began[agent])
	_runner.check(said == across, "%d are across, not %d: %s" % [across, said, when])


func _sides() -> PackedByteArray:
	var sides := PackedByteArray()
	for position: Vector2 in _crowd.get_positions():
		sides.append(int(position.x < BattleMap.RIDGE * 6.0))
	return sides


## By position: who is told as in place is no more than about a cell from a place of its army.
func _are_where_they_are_said(when: String) -> void:
	var least := 0
	var most := 0
	for army: Army in _armies:
		var all := PackedVector2Array()
		for places: PackedVector2Array in army.places:
			all.append_array(places)
		for of_kind: PackedInt32Array in army.ids:
			for id: int in of_kind:
				if _crowd.get_state(id) != PathForgeCrowd.STATE_ARRIVED:
					continue
				var off := INF
				for place: Vector2 in all:
					off = minf(off, place.distance_squared_to(_crowd.get_agent_position(id)))
				least += int(off < NEAR.x * NEAR.x)
				most += int(off < NEAR.y * NEAR.y)
	var said := _figures.number("In place")
	var what := "%d are told as in place, %d to %d are" % [said, least, most]
	_runner.check(said >= least and said <= most, "%s: %s" % [what, when])


## By position: two blocks that share a spot stand around it. Places that are taken fall back behind
## the other block, and no soldier stands farther off.
func _are_at_the_spot() -> void:
	var farthest := 0.0
	for position: Vector2 in _crowd.get_positions():
		farthest = maxf(farthest, position.distance_to(_armies[0].mark))
	var most := 0.0
	for army: Army in _armies:
		for places: PackedVector2Array in army.places:
			for place: Vector2 in places:
				most = maxf(most, place.distance_to(_armies[0].mark))
	_runner.check(most < FAR, "a place lies %.0f px from where all met" % most)
	var what := "one stands %.0f px from where all met, the last place %.0f" % [farthest, most]
	_runner.check(farthest < most + NEAR.y, what)


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
