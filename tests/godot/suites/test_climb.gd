extends TestSuite
## Bodies that climb only so much: a terrace a metre high in a [PathForgeSpace3D], and a ramp.

const START := Vector2i(2, 2)
const GOAL := Vector2i(12, 2)
const PROPERTY := "PathForgeProfile.%s: "


class Walker:
	extends Node3D
	var agent: PathForgeAgent3D = PathForgeAgent3D.new()

	func _init() -> void:
		add_child(agent)

	func _physics_process(delta: float) -> void:
		position += agent.get_next_velocity(4.0) * delta


var _grid: PathForgeGrid
var _space: PathForgeSpace3D


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, 16, 10)
	add(_grid)
	_space = PathForgeSpace3D.new()
	_grid.add_child(_space)
	_space.set_height_data(_terrace())


## The eastern half is a metre up. In the last three rows a ramp leads there, 0.2 metres a cell.
func _terrace() -> PackedFloat32Array:
	var heights := PackedFloat32Array()
	for y: int in 10:
		for x: int in 16:
			var on_ramp := clampf((x - 4) * 0.2, 0.0, 1.0)
			heights.append(on_ramp if y >= 7 else (1.0 if x >= 8 else 0.0))
	return heights


func _climber(step_height: float, slope := 0.0, side := 1) -> PathForgeProfile:
	var profile := PathForgeProfile.new()
	profile.footprint = Vector2i(side, side)
	profile.step_height = step_height
	profile.slope_limit_degrees = slope
	return profile


## Whether the body goes straight over the ledge, not by the ramp. No step may rise further.
func _goes_over(profile: PathForgeProfile, height: float) -> bool:
	var path := _grid.find_path(START, GOAL, profile)
	check_eq(path.status, PathForgePath.STATUS_COMPLETE, path.describe())
	var side := profile.footprint.x
	for at: int in range(1, path.cells.size()):
		for x: int in side:
			for y: int in side:
				var own := path.cells[at] + Vector2i(x, y)
				var step := path.cells[at] - path.cells[at - 1]
				var rise := _space.get_height(own) - _space.get_height(own - step)
				# A diagonal step is two straight ones.
				var most := height * (absi(step.x) + absi(step.y)) + 0.001
				check(absf(rise) <= most, "a rise of %f at %s" % [rise, own])
	return is_equal_approx(path.cost, 10.0)


func test_a_small_limit_goes_by_the_ramp_and_a_large_one_over_the_ledge() -> void:
	check_eq(_goes_over(_climber(0.0), 1.0), true, "no limit")
	check_eq(_goes_over(_climber(0.25), 0.25), false)
	check_eq(_goes_over(_climber(0.99), 0.99), false)
	check_eq(_goes_over(_climber(1.0), 1.0), true, "the limit itself")
	check_eq(_grid.find_path(START, GOAL).cost, 10.0, "no profile")
	var poor := _climber(0.1)
	check_eq(_grid.find_path(START, GOAL, poor).reason, PathForgePath.REASON_DISCONNECTED)
	check_eq(_grid.is_reachable(GOAL, START, poor), false, "nor down")
	check_eq(_grid.is_edge_blocked(Vector2i(7, 2), SIDE_RIGHT), false, "the edge itself is open")


func test_slopes_depend_on_the_size_of_cells() -> void:
	check_eq(
		_goes_over(_climber(0.0, 12.0), tan(deg_to_rad(12.0))), false, "11.3 degrees is the ramp"
	)
	check_eq(_grid.is_reachable(START, GOAL, _climber(0.0, 11.0)), false)
	check_eq(_goes_over(_climber(0.0, 44.9), 0.99), false)
	check_eq(_goes_over(_climber(0.0, 45.0), 1.0), true, "the limit itself")
	_space.cell_size = Vector2(2.0, 1.0)
	check_eq(_goes_over(_climber(0.0, 27.0), 1.1), true, "less steep along x")
	check_eq(_goes_over(_climber(0.0, 26.0), 1.0), false)
	_space.cell_size = Vector2.ONE
	check_eq(_goes_over(_climber(0.0, 27.0), 1.1), false)


func test_the_larger_of_both_limits_counts() -> void:
	check_eq(_goes_over(_climber(0.25, 46.0), 1.1), true, "by its slope")
	check_eq(_goes_over(_climber(1.1, 12.0), 1.1), true, "by its height")
	check_eq(_goes_over(_climber(0.25, 30.0), 0.58), false)
	check_eq(_grid.is_reachable(START, GOAL, _climber(0.1, 12.0)), true)
	check_eq(_grid.is_reachable(START, GOAL, _climber(0.1, 11.0)), false)


func test_a_larger_body_stands_across_no_ledge() -> void:
	var big := _climber(0.25, 0.0, 2)
	check_eq(_goes_over(big, 0.25), false)
	check_eq(_goes_over(_climber(1.0, 0.0, 2), 1.0), true)
	check_eq(_grid.can_stand(Vector2i(7, 2), big), false, "half of it above")
	check_eq(_grid.can_stand(Vector2i(6, 2), big), true)
	check_eq(_grid.can_stand(Vector2i(7, 7), big), true, "on the ramp")
	check_eq(_grid.get_clearance(Vector2i(7, 2), big), 1)
	check_eq(_grid.can_stand(Vector2i(7, 2), _climber(0.0, 0.0, 2)), true)


func test_edits_of_heights_count_at_once() -> void:
	var cart := _climber(0.25)
	var goat := _climber(0.0)
	check_eq(_goes_over(cart, 0.25), false)
	_space.set_region_height(Rect2i(8, 0, 8, 7), 0.2)
	check_eq(_goes_over(cart, 0.25), true, "a low terrace")
	_space.set_region_height(Rect2i(8, 0, 8, 7), 1.0)
	check_eq(_goes_over(cart, 0.25), false)
	_space.set_region_height(Rect2i(6, 7, 1, 3), 5.0)
	check_eq(_grid.is_reachable(START, GOAL, cart), false, "a wall on the ramp")
	check_eq(_grid.find_path(START, GOAL, goat).cost, 10.0)
	_space.set_height_data(_terrace())
	check_eq(_goes_over(cart, 0.25), false)
	var image := Image.create(16, 10, false, Image.FORMAT_L8)
	image.fill(Color.BLACK)
	image.set_pixel(0, 0, Color.WHITE)
	_space.import_heights_from_image(image, 0.0, 9.0)
	check_eq(_goes_over(cart, 0.25), true, "flat but for a corner")
	check_eq(_grid.is_reachable(Vector2i.ZERO, GOAL, cart), false)


func test_changes_of_the_grid_keep_heights() -> void:
	var cart := _climber(0.25)
	_grid.region = Rect2i(-3, -2, 24, 12)
	check_eq(_goes_over(cart, 0.25), false, "a larger region")
	check_eq(_grid.is_reachable(Vector2i(7, -2), Vector2i(8, -2), cart), true)
	check(_grid.find_path(Vector2i(7, -2), Vector2i(8, -2), cart).cost > 10.0, "it goes on beyond")
	var bytes := _grid.to_bytes()
	var copy: PathForgeGrid = add(PathForgeGrid.new())
	copy.from_bytes(bytes)
	check_eq(copy.find_path(START, GOAL, cart).cost, 10.0, "cells have no heights")
	check_eq(copy.state_hash(), _grid.state_hash())
	_grid.fill_solid_region(Rect2i(0, 9, 3, 1))
	check_eq(_grid.from_bytes(bytes), true)
	check_eq(_goes_over(cart, 0.25), false, "cells that are read keep them")
	_grid.clear()
	check_eq(_grid.find_path(START, GOAL, cart).reason, PathForgePath.REASON_EMPTY_GRID)
	_grid.region = Rect2i(0, 0, 16, 10)
	check_eq(_goes_over(cart, 0.25), false)


func test_a_grid_has_the_heights_of_its_space() -> void:
	var cart := _climber(0.25)
	var other: PathForgeGrid = add(PathForgeGrid.new())
	other.region = _grid.region
	_space.grid = other
	check_eq(_grid.find_path(START, GOAL, cart).cost, 10.0, "it is flat again")
	check(other.find_path(START, GOAL, cart).cost > 12.0, "by the ramp")
	_space.grid = null
	check(_grid.find_path(START, GOAL, cart).cost > 12.0, "back")
	_grid.remove_child(_space)
	other.add_child(_space)
	await physics_frames(2)
	check_eq(_grid.find_path(START, GOAL, cart).cost, 10.0, "it was moved")
	check(other.find_path(START, GOAL, cart).cost > 12.0, "by the ramp")
	var second := PathForgeSpace3D.new()
	other.add_child(second)
	second.set_region_height(Rect2i(0, 0, 1, 1), 4.0)
	check_eq(other.find_path(START, GOAL, cart).cost, 10.0, "the last that has heights")
	_space.free()
	check_eq(other.is_reachable(Vector2i.ZERO, GOAL, cart), false, "the second is still there")
	second.free()
	check_eq(other.is_reachable(Vector2i.ZERO, GOAL, cart), true, "flat")


func test_fields_requests_and_ranges_heed_them() -> void:
	var cart := _climber(0.25)
	var field: FlowField = add(FlowField.new())
	field.grid = _grid
	field.profile = cart
	field.goals = [GOAL]
	field.rebuild()
	check_near(field.get_cost(START), _grid.find_path(START, GOAL, cart).cost, 0.001)
	_space.set_region_height(Rect2i(6, 7, 1, 3), 5.0)
	field.rebuild()
	check_eq(field.get_cost(START), INF)
	check_eq(_grid.get_reachable_cells(START, 100.0, cart).has(GOAL), false)
	_space.set_region_height(Rect2i(8, 0, 8, 7), 0.1)
	field.rebuild()
	check_eq(field.get_cost(START), 10.0)
	var answers: Array[PathForgePath] = []
	_grid.path_answered.connect(
		func(_ticket: int, path: PathForgePath) -> void: answers.append(path)
	)
	_grid.request_path(START, GOAL, cart)
	_space.set_height_data(_terrace())
	await wait_until(func() -> bool: return answers.size() == 1)
	check(answers[0].cost > 12.0, "of the heights when it is answered")


func test_agents_and_crowds_take_the_ramp_also_if_the_ledge_rises_on_their_way() -> void:
	_grid.cell_size = Vector2.ONE
	_space.set_region_height(Rect2i(8, 0, 8, 7), 0.2)
	var cart := _climber(0.25)
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	_grid.add_child(crowd)
	crowd.space = _space
	var ids := crowd.add_agents(_grid.cells_to_local([START]), cart, 4.0)
	crowd.assign_goal(ids, GOAL)
	var walker := Walker.new()
	walker.position = _space.cell_to_global(Vector2i(2, 4))
	walker.agent.profile = cart
	walker.agent.space = _space
	add(walker)
	walker.agent.target_position = _space.cell_to_global(Vector2i(12, 4))
	await physics_frames(20)
	check(crowd.get_positions()[0].y < 3.0 and walker.position.z < 5.0, "straight on at first")
	_space.set_height_data(_terrace())
	var places: Array[Vector2] = []
	var is_there := func() -> bool:
		var at := crowd.get_positions()[0]
		var own := Vector2(walker.position.x, walker.position.z)
		places.append_array([at, own])
		return (
			at.distance_to(Vector2(12.5, 2.5)) < 1.0 and own.distance_to(Vector2(12.5, 4.5)) < 1.0
		)
	check(await wait_until(is_there, 20.0), "both arrive: %s" % str(places.slice(-2)))
	for place: Vector2 in places:
		check(place.y > 6.4 or absf(place.x - 8.0) > 0.3, "over the ledge at %s" % place)


func test_it_is_said_where_the_ground_is_too_steep() -> void:
	_space.set_region_height(Rect2i(8, 0, 8, 10), 3.0)
	var cart := _climber(0.25)
	var told := _grid.explain(START, GOAL, cart)
	check_eq(told.reason, PathForgePath.REASON_DISCONNECTED)
	check_eq(told.text, "The ground is too steep for the body between (7, 2) and (8, 2).")
	check_eq(told.barring_edges, [Vector2i(7, 2), Vector2i(8, 2)] as Array[Vector2i])
	check_eq(told.cells, told.barring_edges)
	_grid.set_edge_blocked(Vector2i(7, 2), SIDE_RIGHT)
	var text := _grid.explain(START, GOAL, cart).text
	check(text.begins_with("A blocked edge is in the way"), text)


func test_what_makes_no_sense_is_an_error() -> void:
	var profile := _climber(0.4, 30.0)
	for bad: float in [-0.1, NAN, INF]:
		expect_errors(1, PROPERTY % "step_height")
		profile.step_height = bad
		expect_errors(1, PROPERTY % "slope_limit_degrees")
		profile.slope_limit_degrees = bad
	expect_errors(1, "PathForgeProfile.step_height: -2 is not a finite number of at least 0")
	profile.step_height = -2.0
	expect_errors(1, "PathForgeProfile.slope_limit_degrees: 90 is not at least 0 and below 90")
	profile.slope_limit_degrees = 90.0
	check_eq([profile.step_height, profile.slope_limit_degrees], [0.4, 30.0], "as it was")
	var plain := PathForgeProfile.new()
	check_eq([plain.step_height, plain.slope_limit_degrees], [0.0, 0.0])


func test_profiles_are_saved_and_told_of() -> void:
	var profile := _climber(0.4, 12.5)
	var path := "user://climber.tres"
	check_eq(ResourceSaver.save(profile, path), OK)
	var loaded: PathForgeProfile = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	check_eq([loaded.step_height, loaded.slope_limit_degrees], [0.4, 12.5])
	DirAccess.remove_absolute(path)
	var copy: PathForgeProfile = profile.duplicate()
	check_eq(copy.step_height, 0.4)
	var changes: Array[int] = []
	profile.changed.connect(func() -> void: changes.append(1))
	profile.step_height = 1.5
	check_eq(changes.size(), 1)
	check_eq(_goes_over(profile, 1.5), true, "the new limit counts")


func test_without_heights_a_limit_does_nothing() -> void:
	var flat: PathForgeGrid = add(PathForgeGrid.new())
	flat.region = Rect2i(0, 0, 16, 10)
	check_eq(flat.find_path(START, GOAL, _climber(0.01, 1.0)).cost, 10.0)


func test_a_saved_crowd_keeps_the_limits_of_its_bodies() -> void:
	_grid.cell_size = Vector2.ONE
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	_grid.add_child(crowd)
	var ids := crowd.add_agents(_grid.cells_to_local([START]), _climber(0.25), 4.0)
	crowd.assign_goal(ids, GOAL)
	var bytes := crowd.to_bytes()
	var other: PathForgeCrowd = PathForgeCrowd.new()
	_grid.add_child(other)
	check_eq(other.from_bytes(bytes), true)
	check_eq(other.state_hash(), crowd.state_hash())
	check_eq(other.to_bytes(), bytes)
