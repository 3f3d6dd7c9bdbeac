extends TestSuite
## Places for bodies that a game is about to add. They see cells, obstacles, and the bodies of all
## crowds and nodes, also of nodes that were added in this frame.

const CELL: float = 16.0
const MIDDLE: Vector2 = Vector2(168, 168)

var _grid: PathForgeGrid = null
var _space: PathForgeSpace3D = null
var _crowd: PathForgeCrowd = null
var _tank: PathForgeProfile = null


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, 24, 24)
	_grid.cell_size = Vector2(CELL, CELL)
	add(_grid)
	_space = PathForgeSpace3D.new()
	_space.cell_size = Vector2.ONE
	_space.grid = _grid
	add(_space)
	_crowd = PathForgeCrowd.new()
	_grid.add_child(_crowd)
	_tank = PathForgeProfile.new()
	_tank.footprint = Vector2i(2, 2)


## Checks that bodies of these places, in cells, and radii do not overlap, and fit.
func _check_apart(places: PackedVector2Array, radii: PackedFloat32Array, what: String) -> void:
	var nearest := INF
	for a: int in places.size():
		for b: int in a:
			nearest = minf(nearest, places[a].distance_to(places[b]) - radii[a] - radii[b])
	check(nearest > -0.001, "%s: %f cells apart" % [what, nearest])


func _radii(count: int, radius: float) -> PackedFloat32Array:
	var radii := PackedFloat32Array()
	radii.resize(count)
	radii.fill(radius)
	return radii


func _add_flat(position: Vector2, profile: PathForgeProfile) -> void:
	var body := Node2D.new()
	var agent := PathForgeAgent2D.new()
	agent.grid = _grid
	agent.profile = profile
	body.add_child(agent)
	body.position = position
	add(body)


func _add_solid(position: Vector3, profile: PathForgeProfile) -> void:
	var body := Node3D.new()
	var agent := PathForgeAgent3D.new()
	agent.space = _space
	agent.profile = profile
	body.add_child(agent)
	add(body)
	# After it has come into the tree, as many games do.
	body.global_position = position


func test_a_free_position_is_its_own_answer() -> void:
	for position: Vector2 in [MIDDLE, Vector2(150, 161), Vector2(8, 8)] as Array[Vector2]:
		check(_grid.find_free_place(position).is_equal_approx(position), str(position))
	check_eq(_grid.find_free_place(Vector2(-500, 24)), Vector2(8, 24), "from outside")
	var at := Vector3(4.5, 7.0, 5.5)
	check(_space.find_free_place(at).is_equal_approx(Vector3(4.5, 0, 5.5)), "on the ground")


## One after the other in one frame: nodes of both kinds and numbers of two crowds.
func test_spawns_of_one_frame_do_not_overlap() -> void:
	var second := PathForgeCrowd.new()
	_grid.add_child(second)
	_grid.fill_solid_region(Rect2i(11, 8, 1, 5))
	_grid.add_obstacle(Rect2i(8, 10, 1, 1))
	var places := PackedVector2Array()
	var radii := PackedFloat32Array()
	for index: int in 32:
		var profile := _tank if index % 3 == 0 else null
		var place := Vector2.INF
		match index % 4:
			0:
				place = _grid.find_free_place(MIDDLE, profile)
				_add_flat(place, profile)
			1:
				var near := _space.to_space(MIDDLE)
				var put := _space.find_free_place(near, profile)
				_add_solid(put, profile)
				place = _space.to_plane(put)
			_:
				var crowd := _crowd if index % 4 == 2 else second
				place = _grid.find_free_place(MIDDLE, profile)
				crowd.add_agents(PackedVector2Array([place]), profile)
		check(_grid.can_stand(_grid.local_to_cell(place, profile), profile), "%s fits" % place)
		places.append(place / CELL)
		radii.append(0.9 if profile else 0.4)
	_check_apart(places, radii, "all")
	var farthest := 0.0
	for place: Vector2 in places:
		farthest = maxf(farthest, place.distance_to(MIDDLE / CELL))
	check(farthest < 7.0, "close together: %f cells" % farthest)


func test_many_at_once_do_not_overlap_and_come_nearest_first() -> void:
	_crowd.add_agents(PackedVector2Array([MIDDLE]), _tank)
	_add_flat(MIDDLE + Vector2(40, 0), _tank)
	var own := PackedVector2Array([MIDDLE / CELL, MIDDLE / CELL + Vector2(2.5, 0)])
	var places := _grid.find_free_places(MIDDLE, 50, _tank)
	check_eq(places.size(), 50)
	check_eq(_grid.find_free_places(MIDDLE, 50, _tank), places, "the same again")
	check_eq(_grid.find_free_place(MIDDLE, _tank), places[0], "the first")
	var spots := _space.find_free_places(_space.to_space(MIDDLE), 50, _tank)
	check_eq(_space.to_plane_batch(spots), places, "and by the space")
	for index: int in range(1, 50):
		var before := places[index - 1].distance_to(MIDDLE)
		check(before <= places[index].distance_to(MIDDLE) + 0.01, "in order: %d" % index)
	for place: Vector2 in places:
		own.append(place / CELL)
	_check_apart(own, _radii(own.size(), 0.9), "with both that were there")
	var ids := _crowd.add_agents(places, _tank)
	check(not ids.has(-1), "all of them fit")


func test_where_there_is_no_room_there_is_none() -> void:
	_grid.fill_solid_region(_grid.region)
	check_eq(_grid.find_free_place(MIDDLE), Vector2.INF)
	check_eq(_space.find_free_place(Vector3.ZERO), Vector3.INF)
	_grid.fill_solid_region(Rect2i(4, 4, 3, 1), false)
	check_eq(_grid.find_free_places(MIDDLE, 9).size(), 3, "three cells")
	check_eq(_grid.find_free_places(MIDDLE, 0).size(), 0)
	check_eq(_grid.find_free_place(MIDDLE, _tank), Vector2.INF, "too large")
	check_eq(_grid.find_free_places(Vector2(1e30, -1e30), 9).size(), 3, "from far away")
	_grid.region = Rect2i()
	check_eq(_grid.find_free_place(MIDDLE), Vector2.INF, "without a map")


func test_bodies_that_move_or_leave_are_seen_where_they_are() -> void:
	_add_flat(MIDDLE, null)
	await physics_frames(3)
	var body: Node2D = _crowd_of_none()
	body.position = MIDDLE + Vector2(CELL * 3, 0)
	check(_grid.find_free_place(MIDDLE).is_equal_approx(MIDDLE), "it has moved in this frame")
	var there := MIDDLE + Vector2(CELL * 3, 0)
	check(not _grid.find_free_place(there).is_equal_approx(there), "to there")
	body.free()
	check(_grid.find_free_place(there).is_equal_approx(there), "it has gone")


## The body that was added last.
func _crowd_of_none() -> Node2D:
	return root.get_child(-1) as Node2D


func test_what_cannot_be_asked() -> void:
	expect_errors(1, "PathForgeGrid.find_free_place: position (inf, inf) is not finite")
	check_eq(_grid.find_free_place(Vector2.INF), Vector2.INF)
	expect_errors(1, "PathForgeGrid.find_free_places: count -1 is not at least 0")
	check_eq(_grid.find_free_places(MIDDLE, -1), PackedVector2Array())
	expect_errors(1, "PathForgeSpace3D.find_free_place: position (NaN, 0, 0) is not finite")
	check_eq(_space.find_free_place(Vector3(NAN, 0, 0)), Vector3.INF)
	var nowhere: PathForgeSpace3D = PathForgeSpace3D.new()
	expect_errors(1, "PathForgeSpace3D.find_free_place: there is no grid")
	check_eq(nowhere.find_free_place(Vector3.ZERO), Vector3.INF)
	nowhere.free()


func test_a_thread_is_told_that_it_cannot_ask() -> void:
	expect_errors(1, "PathForgeGrid.find_free_place: it looks at nodes")
	var thread := Thread.new()
	thread.start(func() -> Vector2: return _grid.find_free_place(MIDDLE))
	check_eq(thread.wait_to_finish(), Vector2.INF)
