extends TestSuite
## [method PathForgePath.crosses], and questions about room that leave an obstacle out.

var _grid: PathForgeGrid


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(-2, -2, 14, 10)
	add(_grid)


func _cell(x: int, y: int) -> Rect2i:
	return Rect2i(x, y, 1, 1)


func test_a_path_crosses_what_the_body_covers_on_its_way() -> void:
	var barge: PathForgeProfile = PathForgeProfile.new()
	barge.footprint = Vector2i(3, 2)
	var path: PathForgePath = _grid.find_path(Vector2i(0, 0), Vector2i(5, 0), barge)
	for y: int in range(-2, 8):
		for x: int in range(-2, 12):
			var is_under: bool = Rect2i(0, 0, 8, 2).has_point(Vector2i(x, y))
			check_eq(path.crosses(_cell(x, y)), is_under, "(%d, %d)" % [x, y])
	check(path.crosses(Rect2i(7, 1, 5, 5)), "a part of it")
	check(not path.crosses(Rect2i(8, 0, 5, 5)), "beside it")
	check(not path.crosses(Rect2i(3, 0, 0, 2)), "no cells")
	check(not path.crosses(Rect2i(3, 0, -2, 2)), "fewer than none")


func test_diagonal_steps_and_straight_lines_between_positions() -> void:
	var walker: PathForgeProfile = PathForgeProfile.new()
	var path: PathForgePath = _grid.find_path(Vector2i(0, 0), Vector2i(2, 2), walker)
	check(path.crosses(_cell(1, 0)) and path.crosses(_cell(1, 2)), "a corner of each beside it")
	check(not path.crosses(_cell(2, 0)), "not what it does not come near")
	walker.smoothing = PathForgeProfile.SMOOTH_STRING_PULL
	path = _grid.find_path(Vector2i(0, 0), Vector2i(8, 4), walker)
	check_eq(path.positions.size(), 2, "one straight line")
	check(path.crosses(_cell(4, 2)) and path.crosses(_cell(5, 2)), "over its middle")
	check(not path.crosses(_cell(4, 4)) and not path.crosses(_cell(4, 0)), "not beside it")


func test_without_a_path_nothing_is_crossed() -> void:
	_grid.set_point_solid(Vector2i(5, 5))
	var refused: PathForgePath = _grid.find_path(Vector2i(0, 0), Vector2i(5, 5))
	check(not refused.crosses(_grid.region), "no way")
	var stays: PathForgePath = _grid.find_path(Vector2i(1, 1), Vector2i(1, 1))
	check(stays.crosses(_cell(1, 1)), "the cell that it stands on")
	check(not stays.crosses(_cell(2, 1)), "and no other")


func test_room_with_an_obstacle_left_out() -> void:
	var own: int = _grid.add_obstacle(Rect2i(3, 3, 2, 2))
	var other: int = _grid.add_obstacle(Rect2i(6, 3, 1, 1))
	var all: int = 0xFFFFFFFF
	var size: Vector2i = Vector2i(2, 2)
	check(not _grid.can_stand(Vector2i(4, 3), a_body(size)), "it is taken")
	check(_grid.can_stand(Vector2i(4, 3), a_body(size, all, [own])), "by itself")
	check(not _grid.can_stand(Vector2i(4, 3), a_body(size, all, [other])), "not by the other")
	check(not _grid.can_stand(Vector2i(5, 3), a_body(size, all, [own])), "the other counts")
	check_eq(_grid.get_clearance(Vector2i(3, 3)), 0, "no room")
	check_eq(_grid.get_clearance(Vector2i(3, 3), a_body(size, all, [own])), 3, "up to the other")
	check(not _grid.can_stand(Vector2i(4, 3), a_body(size, all, [99])), "nor an id without one")
