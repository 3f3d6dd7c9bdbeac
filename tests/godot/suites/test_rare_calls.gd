extends WalkSuite
## Velocities that are not asked for in every physics frame: the last one holds for a quarter of a
## second, in which bodies keep clear of each other.

const CORRIDOR: String = """
....................
....................
....................
....................
....................
....................
....................
....................
....................
"""
## Of two discs in cells of one, each with a tenth of a cell to spare.
const RADII: float = 0.8


## Two walk head-on and ask in every so many frames, or every so many steps at once; returns how
## near their centres came, in cells.
func _nearest(is_in_space: bool, every: int) -> float:
	var each := Walk.new("every %d" % every, is_in_space, CORRIDOR)
	add(each.level)
	each.put(Vector2(2.5, 4.5))
	each.add_other(Vector2(17.5, 4.5))
	var agents: Array[Node] = [each.agent, each.level.get_child(-1).get_child(0)]
	for n: int in 2:
		agents[n].set("target_position", each.global(Vector2(17.5 - 15.0 * n, 4.5)))
	var velocities: Array[Variant] = [null, null]
	var nearest := INF
	for frame: int in 400:
		for n: int in 2:
			if frame % every == 0:
				velocities[n] = agents[n].call("get_next_velocity", 4.0 * each.side())
			var body := agents[n].get_parent()
			body.set("global_position", body.get("global_position") + velocities[n] / 60.0)
		var other: Variant = agents[1].get_parent().get("global_position")
		nearest = minf(nearest, each.body.get("global_position").distance_to(other) / each.side())
		OS.delay_usec(300)
		await physics_frames(1)
	# A body that asks twice a second walks past its target and back.
	check(every > 8 or each.agent.call("is_target_reached"), "%s: arrives" % each.what)
	each.level.queue_free()
	await physics_frames(1)
	return nearest


func test_bodies_pass_clear_of_each_other_however_seldom_they_ask() -> void:
	for is_in_space: bool in [false, true]:
		for every: int in [1, 2, 4, 8]:
			var nearest := await _nearest(is_in_space, every)
			check(nearest >= RADII * 0.95, "every %d, 3D %s: %.2f" % [every, is_in_space, nearest])


func test_what_is_asked_too_seldom_is_warned_of_once() -> void:
	expect_warnings(1, "the body walks on with a velocity of 0.25 s ago")
	await _nearest(false, 30)


func test_a_crowd_that_is_stepped_in_every_second_frame_keeps_them_clear() -> void:
	var each := Walk.new("stepped", false, CORRIDOR)
	add(each.level)
	each.put(Vector2(2.5, 4.5))
	each.add_other(Vector2(17.5, 4.5))
	var other: PathForgeAgent2D = each.level.get_child(-1).get_child(0)
	each.send(Vector2(17.5, 4.5))
	other.target_position = each.global(Vector2(2.5, 4.5))
	each.step()
	var crowd: PathForgeCrowd = each.agent.call("get_effective_crowd")
	crowd.auto_step = false
	var nearest := INF
	for frame: int in 400:
		if frame % 2 == 0:
			crowd.step(1.0 / 30.0)
		await walk([each], 1)
		var apart := (each.body as Node2D).position.distance_to(
			(other.get_parent() as Node2D).position
		)
		nearest = minf(nearest, apart / SIDE)
	check(nearest >= RADII * 0.95, "%.2f" % nearest)
