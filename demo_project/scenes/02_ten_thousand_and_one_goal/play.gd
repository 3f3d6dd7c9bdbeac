extends RefCounted
## Moves the goal, builds and tears down a wall, fills the city, and lets AStarGrid2D try.

var _runner: DemoPlayer
var _grid: PathForgeGrid
var _crowd: PathForgeCrowd


func play(runner: DemoPlayer) -> void:
	_runner = runner
	_grid = runner.scene().get_node(^"Grid")
	_crowd = _grid.get_node(^"Crowd")
	_runner.check(_crowd.get_agent_count() == 10_000, "ten thousand agents")
	await _runner.seconds(9.0)
	await _runner.screenshot()
	await _runner.click(_on_screen(Vector2i(120, 200)))
	_runner.check(_runner.scene().get("goal") == Vector2i(120, 200), "a click moves the goal")
	await _runner.seconds(4.0)
	await _wall()
	await _slider()
	await _versus()


func _wall() -> void:
	var from := Vector2i(190, 130)
	var to := Vector2i(190, 270)
	await _runner.drag(_on_screen(from), _on_screen(to), MOUSE_BUTTON_RIGHT, 24)
	await _runner.seconds(2.0)
	_runner.check(_grid.is_point_solid(_street_near(from, to)), "a right drag builds a wall")
	await _runner.screenshot("wall")
	await _runner.drag(_on_screen(_street_near(from, to)), _on_screen(to), MOUSE_BUTTON_RIGHT, 24)
	await _runner.seconds(0.5)


## The first cell on the way that is a wall of the player's.
func _street_near(from: Vector2i, to: Vector2i) -> Vector2i:
	var map: CityMap = _runner.scene().get_node(^"Map")
	for y: int in range(from.y, to.y):
		if map.is_wall(Vector2i(from.x, y)):
			return Vector2i(from.x, y)
	return from


func _slider() -> void:
	var slider: HSlider = _runner.scene().get("slider")
	var area := slider.get_global_rect()
	var left := area.position + Vector2(area.size.x * 0.2, area.size.y * 0.5)
	await _runner.drag(left, area.position + Vector2(area.size.x * 0.62, area.size.y * 0.5))
	_runner.check(_crowd.get_agent_count() > 20_000, "the slider adds agents")
	await _runner.seconds(2.0)
	await _runner.screenshot("many")


func _versus() -> void:
	var versus: Button = _runner.scene().get("versus")
	await _runner.click_on(versus)
	await _runner.seconds(3.0)
	var walkers: CityWalkers = _runner.scene().get_node(^"Walkers")
	_runner.check(walkers.served > 0, "AStarGrid2D serves some")
	await _runner.screenshot("astar")
	await _runner.click_on(versus)


func _on_screen(cell: Vector2i) -> Vector2:
	return _runner.cell_on_screen(_grid, cell)
