extends TestSuite
## The overlay of [PathForgePlatformer] draws whatever the level is, and only what is asked for.

const LEVEL := """
	..........=.........
	..........=.........
	...====.............
	.............###....
	......##............
	####..##..==....####
	####......==....####
"""

var _grid: PathForgeGrid = null
var _node: PathForgePlatformer = null


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.set_from_text(LEVEL)
	_grid.debug_enabled = true
	add(_grid)
	_node = PathForgePlatformer.new()
	_node.grid = _grid
	_node.debug_enabled = true
	add(_node)


func test_it_draws_every_kind_of_answer() -> void:
	for size: Vector2i in [Vector2i(1, 1), Vector2i(3, 2), Vector2i(2, 3), Vector2i(64, 64)]:
		var profile := PathForgeJumpProfile.new()
		profile.footprint = size
		for states: bool in [false, true]:
			_node.debug_states = states
			for goal: Vector2i in [
				Vector2i(19, 4), Vector2i(0, 4), Vector2i(7, 5), Vector2i(99, 9)
			]:
				_node.find_path(Vector2i(0, 4), goal, profile)
				await frames(2)
	_node.find_path(Vector2i(0, 4), Vector2i(0, 4), null)
	await frames(2)
	check(true, "no error was printed")


func test_it_draws_whatever_the_view_is() -> void:
	_node.debug_states = true
	_node.find_path(Vector2i(0, 4), Vector2i(19, 4), null)
	for scale: float in [0.001, 40.0, -1.0, 0.0]:
		_node.scale = Vector2(scale, absf(scale))
		await frames(2)
	_node.scale = Vector2.ONE
	for position: Vector2 in [Vector2(1e7, 1e7), Vector2(-1e9, 0), Vector2.ZERO]:
		_node.position = position
		await frames(2)
	_node.rotation = 1.0
	_grid.cell_size = Vector2(3, 90)
	_grid.offset = Vector2(-50, 20)
	await frames(2)
	for part: StringName in [&"debug_states", &"debug_enabled"]:
		_node.set(part, false)
		await frames(2)
	check(true, "no error was printed")


## A path that was drawn may lead through cells that are gone.
func test_it_draws_while_the_level_changes() -> void:
	_grid.set_from_text("..........\n..........\n##########")
	_node.debug_states = true
	_node.find_path(Vector2i(0, 1), Vector2i(9, 1), null)
	await frames(2)
	_grid.set_point_solid(Vector2i(4, 1))
	await frames(2)
	_grid.region = Rect2i(3, 0, 2, 1)
	await frames(2)
	_grid.region = Rect2i()
	await frames(2)
	_grid.free()
	await frames(2)
	check(true, "no error was printed")


func test_it_is_off_in_a_game_unless_asked_for() -> void:
	var node := PathForgePlatformer.new()
	check_eq(node.debug_enabled, false)
	check_eq(node.debug_states, false)
	node.free()


func test_a_large_level_costs_nothing_while_nothing_changes() -> void:
	_grid.region = Rect2i(0, 0, 4096, 2048)
	_grid.set_point_one_way(Vector2i(9, 9))
	_grid.scale = Vector2(0.01, 0.01)
	_node.scale = Vector2(0.01, 0.01)
	await frames(3)
	var usec := await quickest_usec(20, 2_000_000)
	check(usec < 2_000_000, "20 frames in which nothing changes took %d µs" % usec)
