extends RefCounted
## Uses the scene as a player would, and looks whether the crowds go where they should.

const DemoChecks := preload("../demo_checks.gd")
const DemoPlayer := preload("../demo_player.gd")

## So many just come to stand, or just go on.
const FEW := 15

var _runner: DemoPlayer
var _checks: DemoChecks
var _scene: Node2D
var _crowd: PathForgeCrowd
var _grid: PathForgeGrid
var _danger: InfluenceMap
var _towers: Node2D
var _walkers: DangerWalkers
var _panel: DangerPanel
var _timid: DangerKind
var _bold: DangerKind


func play(runner: DemoPlayer) -> void:
	_runner = runner
	_checks = DemoChecks.new(runner)
	_scene = runner.scene()
	_grid = _scene.get_node(^"Grid")
	_crowd = _scene.get_node(^"Crowd")
	_danger = _scene.get_node(^"Danger")
	_walkers = _scene.get_node(^"Walkers")
	_towers = _scene.get_node(^"Towers")
	_panel = _scene.find_child("Panel", true, false)
	var kinds: Array[DangerKind] = _scene.get(&"kinds")
	_timid = kinds[0]
	_bold = kinds[1]
	await _two_crowds()
	await _tower_by_the_gate()
	await _caution()
	await _drag_a_tower()
	await _ways()
	await _checks.tools(_scene.find_child("Tools", true, false) as DemoTools)
	await _send_a_tower()
	await _build_and_remove()
	await _refused()
	_all_well("in the end")


func _two_crowds() -> void:
	_runner.check(_danger_on(_timid) < _danger_on(_bold) * 0.5, "the timid keep out of danger")
	_runner.check(_length(_timid) > _length(_bold), "by a longer way")
	for title: String in ["Towers", "Timid", "Bold"]:
		_runner.check(_figures().figure(title) != DemoFigures.NOTHING, "%s has a figure" % title)
	await _runner.seconds(3.0)
	await _runner.screenshot()
	await _checks.look_closer(_on_screen(Vector2(480, 250)))
	_runner.hurry(8)
	var many := func() -> bool: return _through() > 1000.0
	await _runner.wait_for_progress(many, _through, "they walk on and on")
	_runner.hurry(1)
	_runner.check(_bold.hits > 100, "towers hit the bold")
	_runner.check(_timid.hits < 10, "and hardly one of the timid")
	_runner.check(_strayed(_bold) == 0, "%d of the bold take another way" % _strayed(_bold))
	_all_well("under way")


## The tower at the top goes where the timid walk; they find another way while it moves.
func _drag_a_tower() -> void:
	var tower: DangerTower = _towers.get_child(0)
	var before := _timid.get_path_from(Vector2i(2, 15))
	var from := _on_screen(tower.position)
	var target := _runner.cell_on_screen(_grid, Vector2i(20, 3))
	await _runner.drag(from, target, MOUSE_BUTTON_LEFT, 16)
	_runner.check(tower.position.y < 120.0, "the tower was dragged up")
	_runner.check(_danger.get_influence(Vector2i(20, 4)) > 4.0, "its danger came along")
	_runner.check(_danger.get_influence(Vector2i(22, 11)) < 4.0, "and is not where it was")
	await _runner.frames(4)
	var after := _timid.get_path_from(Vector2i(2, 15))
	_runner.check(after != before and not after.is_empty(), "the timid have another way")
	for cell: Vector2i in after:
		_runner.check(not _grid.is_point_solid(cell), "through no rock and no tower")
	await _runner.seconds(2.5)
	await _runner.screenshot("dragged")


func _ways() -> void:
	await _runner.key(KEY_W)
	_runner.check(_timid.debug_enabled, "W shows the ways of the timid")
	await _runner.seconds(0.4)
	await _runner.screenshot("ways")
	await _runner.click_on(_panel.find_child("Ways") as Control)
	_runner.check(_bold.debug_enabled, "a click those of the bold")
	await _runner.key(KEY_W)
	_runner.check(not _bold.debug_enabled, "and then no one's")
	await _runner.key(KEY_H)
	_runner.check(not _danger.debug_enabled, "H hides the heat")
	await _runner.key(KEY_H)


## The bold become as timid as can be, and bold again.
func _caution() -> void:
	var before := _danger_on(_bold)
	var area := _panel.rows[1].slider.get_global_rect()
	var left := area.position + Vector2(9.0, area.size.y * 0.5)
	await _runner.drag(left, left + Vector2(area.size.x - 16.0, 0.0))
	_runner.check(_bold.caution > 3.0, "the slider makes them cautious")
	await _runner.frames(4)
	_runner.check(_danger_on(_bold) < before, "so they keep away")
	await _runner.seconds(2.0)
	await _runner.screenshot("cautious")
	await _runner.drag(left + Vector2(area.size.x - 18.0, 0.0), left - Vector2(8.0, 0.0))
	_runner.check(_bold.caution < 0.3, "and back")


## A click selects a tower, a right click sends it, and so does a tap.
func _send_a_tower() -> void:
	var tower: DangerTower = _towers.get_child(1)
	await _runner.click(_on_screen(Vector2(300, 320)))
	await _runner.click(_on_screen(Vector2(300, 320)), MOUSE_BUTTON_RIGHT)
	_checks.told("Select a tower first", "a right click without a selection")
	await _runner.click(_on_screen(tower.position))
	_checks.told_nothing("after a click on a tower")
	_runner.check(tower.is_selected, "a click selects it")
	await _runner.click(_site_on_screen(Vector2i(28, 14)), MOUSE_BUTTON_RIGHT)
	_checks.told("2×2 free cells", "a tower sent onto a rock")
	await _runner.click(_site_on_screen(Vector2i(31, 21)), MOUSE_BUTTON_RIGHT)
	_checks.told_nothing("after a tower was sent")
	_runner.check(_is_at(tower, Vector2i(31, 21)), "a right click sends it")
	await _runner.tap(_site_on_screen(Vector2i(34, 20)))
	_runner.check(_is_at(tower, Vector2i(34, 20)), "a tap sends it")
	await _runner.click(_on_screen(Vector2(300, 320)))
	_runner.check(not tower.is_selected, "a click on the ground lets go")


func _build_and_remove() -> void:
	var spot := _site_on_screen(Vector2i(33, 11))
	var count := _towers.get_child_count()
	await _runner.key(KEY_B)
	await _runner.click(_site_on_screen(Vector2i(28, 14)))
	_checks.told("2×2 free cells", "a tower on a rock")
	await _runner.click(spot)
	_runner.check(_towers.get_child_count() == count + 1, "a click builds a tower")
	_checks.told_nothing("after a tower was built")
	_runner.check(_danger.get_influence(Vector2i(33, 11)) > 6.0, "which is dangerous")
	await _runner.seconds(1.0)
	await _runner.screenshot("built")
	await _runner.key(KEY_X)
	await _runner.click(spot)
	await _runner.frames(3)
	_runner.check(_towers.get_child_count() == count, "with another tool, it takes it away")
	_runner.check(_danger.get_influence(Vector2i(33, 11)) < 6.0, "and its danger")
	await _runner.click(spot)
	_checks.told("no tower here", "removing nothing")
	await _runner.key(KEY_ESCAPE)


## What the panel says of walkers is what is seen of them, also where a tower leaves little room
## before the gate.
func _tower_by_the_gate() -> void:
	await _figures_are_seen("on free ways")
	await _runner.key(KEY_B)
	await _runner.click(_site_on_screen(Vector2i(44, 15)))
	await _runner.key(KEY_ESCAPE)
	_runner.hurry(8)
	await _runner.seconds(75.0)
	_runner.hurry(1)
	await _figures_are_seen("with a tower by the gate")
	await _runner.screenshot("by_the_gate")
	await _runner.key(KEY_X)
	await _runner.click(_site_on_screen(Vector2i(44, 15)))
	await _runner.key(KEY_ESCAPE)
	await _figures_are_seen("without it again")


## By position: who gets no farther in a second stands.
func _figures_are_seen(when: String) -> void:
	var before: Dictionary[int, Vector2] = {}
	for id: int in _crowd.get_ids():
		before[id] = _crowd.get_agent_position(id)
	await _runner.seconds(1.0)
	await _runner.frames(1)
	_checks.sums_up(_figures(), DangerWalkers.DOINGS, 2 * DangerWalkers.EACH, when)
	var standing := 0
	var outside := 0
	for id: int in _crowd.get_ids():
		var place := _crowd.get_agent_position(id)
		var last: Vector2 = before.get(id, Vector2.INF)
		var is_still := last.distance_to(place) < DangerWalkers.RADIUS_PX
		standing += int(is_still)
		var is_near_gate := place.x > 40.0 * _grid.cell_size.x
		outside += int(is_still and is_near_gate)
	var said := _figures().number("Waiting") + _figures().number("Outside the gate")
	_runner.check(absi(said - standing) <= FEW, "%d stand, not %d, %s" % [standing, said, when])
	said = _figures().number("Outside the gate")
	var what := "%d stand outside the gate, %d are said to, %s" % [outside, said, when]
	_runner.check(said <= outside + FEW and outside <= said + FEW, what)


## What cannot be built is told in words: on rocks, at a camp, where it closes the valley, a ninth
## tower.
func _refused() -> void:
	await _runner.click(_on_screen(Vector2(300, 320)))
	_checks.told("no tower here", "a click on grass")
	await _runner.key(KEY_B)
	await _refused_at(Vector2i(28, 14), "2×2 free cells")
	await _refused_at(Vector2i(2, 9), "Camps")
	var wall := Rect2i(30, 0, 1, 27)
	var ground := _grid.copy_cells(wall)
	_grid.fill_solid_region(wall)
	await _refused_at(Vector2i(30, 27), "close the valley")
	_grid.paste_cells(ground)
	for place: Vector2i in [
		Vector2i(8, 3), Vector2i(31, 27), Vector2i(14, 26), Vector2i(36, 11), Vector2i(9, 24)
	]:
		await _runner.click(_site_on_screen(place))
	_runner.check(_towers.get_child_count() == 8, "eight towers stand")
	_checks.told_nothing("after the eighth tower")
	await _refused_at(Vector2i(31, 3), "8 towers are the most")
	await _runner.screenshot("refused")
	await _runner.key(KEY_ESCAPE)


func _refused_at(cell: Vector2i, why_not: String) -> void:
	var count := _towers.get_child_count()
	await _runner.click(_site_on_screen(cell))
	_runner.check(_towers.get_child_count() == count, "no tower at %s" % cell)
	_checks.told(why_not, "a tower at %s" % cell)


## All are there, none is stuck, and none that has left its camp walks over another.
func _all_well(when: String) -> void:
	var count := 2 * DangerWalkers.EACH
	_runner.check(_crowd.get_agent_count() == count, "%d walkers %s" % [count, when])
	var stuck := _crowd.get_state_counts()[PathForgeCrowd.STATE_STUCK]
	_runner.check(stuck == 0, "%d are stuck %s" % [stuck, when])
	var out := PackedVector2Array()
	for place: Vector2 in _crowd.get_positions():
		if place.x > 4.0 * _grid.cell_size.x:
			out.append(place)
	var radii := PackedFloat32Array()
	radii.resize(out.size())
	radii.fill(DangerWalkers.RADIUS_PX)
	# One that was stuck among others may just be slipping through.
	_checks.discs_apart(out, radii, when, 4)


## How many of a kind are halfway and above or below all towers.
func _strayed(kind: DangerKind) -> int:
	var count := 0
	for cells: Rect2i in [Rect2i(15, 1, 24, 5), Rect2i(15, 26, 24, 4)]:
		var area := Rect2(cells)
		area = Rect2(area.position * _grid.cell_size, area.size * _grid.cell_size)
		for walker: int in _crowd.find_agents_in_rect(area):
			count += int(_walkers.kind_of(walker) == kind)
	return count


func _through() -> float:
	return _timid.through + _bold.through


func _figures() -> DemoFigures:
	return _panel.find_child("Figures")


## The danger on a kind's way, all in all.
func _danger_on(kind: DangerKind) -> float:
	var sum := 0.0
	for cell: Vector2i in kind.get_path_from(Vector2i(2, 15)):
		sum += _danger.get_influence(cell)
	return sum


func _length(kind: DangerKind) -> int:
	return kind.get_path_from(Vector2i(2, 15)).size()


func _is_at(tower: DangerTower, cell: Vector2i) -> bool:
	return tower.position.is_equal_approx(_grid.cell_to_local(cell, _towers_body()))


func _towers_body() -> PathForgeProfile:
	return (_scene.get_node(^"Hand") as DangerHand).body


## The middle of a tower with its top-left cell there.
func _site_on_screen(cell: Vector2i) -> Vector2:
	return _on_screen(_grid.cell_to_local(cell, _towers_body()))


func _on_screen(point: Vector2) -> Vector2:
	return _runner.on_screen(_grid, point)
