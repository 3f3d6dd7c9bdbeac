extends RefCounted
## Watches all come to rest, moves the goal, builds and tears down a wall, fills and empties
## the city, and lets AStarGrid2D try.

const DemoChecks := preload("../demo_checks.gd")
const DemoPlayer := preload("../demo_player.gd")

## How fast time runs while nothing is looked at.
const HURRY := 30
## The most seconds in which agents that have arrived come to stand still, and from look to look.
const CLOSING_UP := 240.0
const LOOK := 5.0
## Houses and gaps between bodies take room.
const CROWDED := 4.0
const STATES: PackedStringArray = ["On the way", "In a queue", "Arrived", "Stuck", "Kept out"]
const CROWD: PackedStringArray = [
	"Crowd step",
	"Field",
	"Repaired cells",
	"On the way",
	"In a queue",
	"Arrived",
	"Stuck",
	"Kept out"
]
const WALKERS: PackedStringArray = ["Have a path", "Paths a second"]
const SIZES: PackedStringArray = ["1×1", "2×2", "3×3"]

var _slowest := 0.0
var _runner: DemoPlayer
var _checks: DemoChecks
var _scene: Node2D
var _grid: PathForgeGrid
var _crowd: PathForgeCrowd
var _figures: DemoFigures


func play(runner: DemoPlayer) -> void:
	_runner = runner
	_checks = DemoChecks.new(runner)
	_scene = runner.scene()
	_grid = _scene.get_node(^"Grid")
	_crowd = _grid.get_node(^"Crowd")
	_figures = _scene.get(&"figures")
	await _runner.frames(2)
	_add_up(10_000, "at the start")
	_runner.viewport().get_tree().process_frame.connect(_look_at_times)
	await _runner.seconds(9.0)
	await _runner.screenshot()
	await _checks.look_closer(_on_screen(Vector2i(234, 150)), 10)
	await _all_at_rest("around the first goal")
	await _checks.tools(_scene.find_child("Tools", true, false) as DemoTools)
	await _refused()
	await _wall()
	await _slider()
	await _versus()


## What cannot be done is told in words.
func _refused() -> void:
	var house := Vector2i(120, 200)
	while not _grid.is_point_solid(house):
		house.x += 1
	await _runner.key(KEY_B)
	await _runner.click(_on_screen(house))
	_checks.told("streets and in parks", "a wall on a house")
	await _runner.key(KEY_X)
	await _runner.click(_on_screen(house))
	_checks.told("Only walls", "tearing down a house")
	await _runner.key(KEY_ESCAPE)
	_checks.told_nothing("after the next key")
	await _runner.click(_on_screen(house), MOUSE_BUTTON_RIGHT)
	_checks.told("as near as they get", "a house as the goal")
	await _runner.screenshot("onto_a_house")
	await _runner.click(_on_screen(Vector2i(120, -5)), MOUSE_BUTTON_RIGHT)
	_checks.told("The map ends here", "a click beside the map")
	_runner.check(_scene.get("goal") == house, "the goal stays")


func _wall() -> void:
	var before: Vector2i = _scene.get("goal")
	await _runner.click(_on_screen(Vector2i(120, 200)))
	_runner.check(_scene.get("goal") == before, "a left click sends no unit")
	await _runner.tap(_on_screen(Vector2i(130, 200)))
	_runner.check(_scene.get("goal") == Vector2i(130, 200), "a tap moves the goal")
	await _runner.click(_on_screen(Vector2i(120, 200)), MOUSE_BUTTON_RIGHT)
	_runner.check(_scene.get("goal") == Vector2i(120, 200), "a right click moves the goal")
	await _runner.seconds(2.0)
	var from := Vector2i(190, 130)
	var to := Vector2i(190, 270)
	await _runner.key(KEY_B)
	await _runner.drag(_on_screen(from), _on_screen(to), MOUSE_BUTTON_LEFT, 24)
	_runner.check(_grid.is_point_solid(_street_near(from, to)), "a drag builds a wall")
	await _runner.seconds(2.0)
	await _runner.screenshot("wall")
	var street := _street_near(from, to)
	await _runner.key(KEY_X)
	await _runner.drag(_on_screen(street), _on_screen(to), MOUSE_BUTTON_LEFT, 24)
	_runner.check(not _grid.is_point_solid(street), "with another tool, it tears it down")
	await _runner.key(KEY_ESCAPE)


## The first cell on the way that is a wall of the player's.
func _street_near(from: Vector2i, to: Vector2i) -> Vector2i:
	var map: CityMap = _scene.get_node(^"Map")
	for y: int in range(from.y, to.y):
		if map.is_wall(Vector2i(from.x, y)):
			return Vector2i(from.x, y)
	return from


func _slider() -> void:
	var slider: HSlider = _scene.get("slider")
	var area := slider.get_global_rect()
	var left := area.position + Vector2(area.size.x * 0.2, area.size.y * 0.5)
	var right := area.position + Vector2(area.size.x * 0.62, area.size.y * 0.5)
	await _runner.drag(left, right)
	_runner.check(_crowd.get_agent_count() > 20_000, "the slider adds agents")
	_add_up(int(slider.value), "with more of them")
	await _runner.seconds(2.0)
	await _runner.screenshot("many")
	var of_many := _figures.figure("Frame").to_float()
	await _runner.drag(right, area.position + Vector2(2.0, area.size.y * 0.5))
	_runner.check(_crowd.get_agent_count() == 1000, "and takes them away")
	await _runner.frames(2)
	_add_up(1000, "with few of them")
	await _runner.seconds(2.0)
	var of_few := _figures.figure("Frame").to_float()
	_runner.check(of_few < of_many * 0.7, "frames of few take less: %s, %s" % [of_few, of_many])
	# Those that rest do not close up for others that are taken away.
	await _runner.click(_on_screen(Vector2i(120, 200)), MOUSE_BUTTON_RIGHT)
	await _all_at_rest("with few of them")


## While AStarGrid2D serves, the crowd stands still and has no figures, and the other way round.
func _versus() -> void:
	var versus: Button = _scene.get("versus")
	_have_figures(CROWD, true)
	_have_figures(WALKERS, false)
	await _runner.click_on(versus)
	await _runner.seconds(3.0)
	var walkers: CityWalkers = _scene.get_node(^"Walkers")
	_runner.check(walkers.served > 0, "AStarGrid2D serves some")
	_have_figures(CROWD, false)
	_have_figures(WALKERS, true)
	await _runner.screenshot("astar")
	await _runner.click_on(versus)
	await _runner.seconds(1.0)
	_have_figures(CROWD, true)
	_have_figures(WALKERS, false)
	await _runner.click(_on_screen(Vector2i(130, 200)), MOUSE_BUTTON_RIGHT)
	await _runner.seconds(1.0)
	_states_are_seen("after AStarGrid2D")
	await _runner.screenshot("after_astar")


func _have_figures(titles: PackedStringArray, are_there: bool) -> void:
	for title: String in titles:
		var figure := _figures.figure(title)
		var what := "%s says %s" % [title, figure]
		_runner.check((figure != DemoFigures.NOTHING) == are_there, what)


## As many walk by position as the panel says, give or take those that are just getting going.
func _states_are_seen(when: String) -> void:
	var walking := _count_walking()
	var said := _figures.number("On the way") + _figures.number("In a queue")
	_runner.check(walking <= said, "%d walk, %d are said to, %s" % [walking, said, when])


func _count_walking() -> int:
	var walking := 0
	for velocity: Vector2 in _crowd.get_velocities():
		walking += int(velocity.length() > 1.0)
	return walking


## A frame holds a step of the crowd, whatever the machine. The step is a mean over a second that is
## over, so it is held against the slowest frames so far.
func _look_at_times() -> void:
	var whole := _figures.figure("Frame").to_float()
	_slowest = maxf(_slowest, whole)
	var step := _figures.figure("Crowd step").to_float()
	if _figures.figure("Crowd step") != DemoFigures.NOTHING and _slowest * 2.0 < step:
		_runner.check(false, "a frame takes %s ms, and the step in it %s ms" % [whole, step])
		_runner.viewport().get_tree().process_frame.disconnect(_look_at_times)


## Waits for all, and looks how many stand on others.
func _all_at_rest(where: String) -> void:
	_runner.hurry(HURRY)
	await _runner.wait_for_progress(_are_at_rest, _arrived, "all rest %s" % where)
	# Agents that have arrived may still be closing up.
	var waited := 0.0
	while _count_walking() > 0 and waited < CLOSING_UP:
		await _runner.seconds(LOOK)
		waited += LOOK
	_runner.hurry(1)
	await _runner.frames(2)
	_add_up(_crowd.get_agent_count(), "at rest %s" % where)
	# Of thousands that press into the streets around one goal, a few overlap until they find room.
	var most := _crowd.get_agent_count() / 20
	_checks.discs_apart(_crowd.get_positions(), _radii(), where, most)
	_are_near_the_goal(where)
	await _runner.screenshot("at_rest")


## By position: those that have arrived fill the streets around the goal, no farther away than
## [constant CROWDED] times a disc of all their areas would reach.
func _are_near_the_goal(where: String) -> void:
	var area := 0.0
	for radius: float in _radii():
		area += radius * radius
	var goal := _grid.cell_to_local(_scene.get("goal") as Vector2i)
	var farthest := 0.0
	var positions := _crowd.get_positions()
	var states := _crowd.get_states()
	for n: int in positions.size():
		if states[n] == PathForgeCrowd.STATE_ARRIVED:
			farthest = maxf(farthest, positions[n].distance_to(goal))
	var far := farthest / sqrt(area)
	_runner.check(far < CROWDED, "one rests %.1f discs of all from the goal %s" % [far, where])


func _are_at_rest() -> bool:
	return _arrived() >= _crowd.get_agent_count()


## Those that are there, and those that others keep out.
func _arrived() -> float:
	var counts := _crowd.get_state_counts()
	return counts[PathForgeCrowd.STATE_ARRIVED] + counts[PathForgeCrowd.STATE_BLOCKED]


func _add_up(count: int, when: String) -> void:
	_runner.check(_figures.number("In the city") == count, "%d are in the city %s" % [count, when])
	_checks.sums_up(_figures, STATES, count, when)
	_checks.sums_up(_figures, SIZES, count, when)


## By ascending id; a disc is a little smaller than the footprint.
func _radii() -> PackedFloat32Array:
	var by_id: Dictionary[int, float] = {}
	var ids: Array[PackedInt32Array] = _scene.get(&"ids")
	for kind: int in ids.size():
		for id: int in ids[kind]:
			by_id[id] = _grid.cell_size.x * ((kind + 1) * 0.5 - 0.1)
	var radii := PackedFloat32Array()
	for id: int in _crowd.get_ids():
		radii.append(by_id[id])
	return radii


func _on_screen(cell: Vector2i) -> Vector2:
	return _runner.cell_on_screen(_grid, cell)
