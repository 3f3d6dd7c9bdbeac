extends WalkSuite
## The law of orders: each is answered once, whatever the body does when it is given: reached and
## finished, finished alone, refused and finished, or blocked and finished.

const HOME: Vector2 = Vector2(4.5, 5.5)
const AWAY: Vector2 = Vector2(14.5, 1.5)
const WALLED_IN: Vector2 = Vector2(17.5, 8.5)
const ROOM: String = """
....................
....................
....................
....................
....................
....................
....................
................###.
................#.#.
................###.
"""


## The states in which orders are given, by what brings a body there and how many frames that takes.
func _states() -> Dictionary[String, Callable]:
	return {
		"new": func(_walk: Walk) -> void: pass,
		"at rest": func(walk: Walk) -> void: walk.send(HOME),
		"at rest elsewhere": func(walk: Walk) -> void: walk.send(HOME + Vector2(3.2, 0.3)),
		"under way": func(walk: Walk) -> void: walk.send(AWAY + Vector2(4, 3)),
		"failed": func(walk: Walk) -> void: walk.send(WALLED_IN),
		"blocked": _block,
		"paused": _pause,
		"led": func(walk: Walk) -> void: _assign(walk, Vector2i(AWAY) + Vector2i(4, 3)),
		"led and there": func(walk: Walk) -> void: _assign(walk, Vector2i(HOME)),
		"stopped": _stop,
	}


func _orders() -> Dictionary[String, Callable]:
	return {
		"a target": func(walk: Walk) -> void: walk.send(AWAY),
		"the same target": _same,
		"the place where it is": func(walk: Walk) -> void: walk.send(walk.place()),
		"a target in its cell":
		func(walk: Walk) -> void: walk.send(walk.place().floor() + Vector2(0.7, 0.4)),
		"no way": func(walk: Walk) -> void: walk.send(WALLED_IN),
		"a goal": func(walk: Walk) -> void: _assign(walk, Vector2i(AWAY)),
		"the goal where it is": func(walk: Walk) -> void: _assign(walk, Vector2i(walk.place())),
		"a goal without a way": func(walk: Walk) -> void: _assign(walk, Vector2i(WALLED_IN)),
	}


func test_each_order_is_answered_once() -> void:
	var walks: Array[Walk] = []
	var orders: Array[Callable] = []
	var frames_before: Array[int] = []
	for state: String in _states():
		for order: String in _orders():
			for is_in_space: bool in [false, true]:
				if is_in_space and not state in ["at rest", "under way"]:
					continue
				var each := Walk.new("%s, %s" % [state, order], is_in_space, ROOM)
				add(each.level)
				each.put(HOME)
				walks.append(each)
				orders.append(_orders()[order])
				frames_before.append(20 if state in ["under way", "paused", "led"] else 200)
				_states()[state].call(each)
	var answered_for := 0
	for frame: int in 800:
		for n: int in walks.size():
			if frame == frames_before[n]:
				walks[n].told.clear()
				orders[n].call(walks[n])
			if frame == frames_before[n] + 60:
				_set_paused(walks[n], false)
		await walk(walks, 1)
		# A second answer would come soon after the first.
		var is_done := (
			frame > 260 and walks.all(func(each: Walk) -> bool: return each.is_finished())
		)
		answered_for = answered_for + 1 if is_done else 0
		if answered_for > 40:
			break
	for each: Walk in walks:
		_check_answer(each)


## A colony's carriers are sent to the same place over and over.
func test_the_same_target_where_it_rests_is_answered_each_time() -> void:
	for is_in_space: bool in [false, true]:
		var each := Walk.new("carrier", is_in_space, ROOM)
		add(each.level)
		each.put(HOME)
		for _order: int in 3:
			each.send(HOME + Vector2(3, 0))
			await walk_to_ends([each], 200)
			await walk([each], 5)
			check_eq(each.told, ["reached", "finished"] as Array[String], each.what)
			each.told.clear()
		each.send(HOME + Vector2(3, 0))
		each.agent.call("stop")
		await walk([each], 20)
		check_eq(each.told, [] as Array[String], "taken back before it was answered")


## A crowd's own agents, without nodes.
func test_a_crowd_answers_the_same_goal_again() -> void:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 20, 10)
	var crowd := PathForgeCrowd.new()
	grid.add_child(crowd)
	add(grid)
	var ids := crowd.add_agents([grid.cell_to_local(Vector2i(3, 3))], null, 80.0)
	var arrivals: Array[PackedInt32Array] = []
	crowd.agents_arrived.connect(arrivals.append)
	for goal: Vector2i in [Vector2i(9, 5), Vector2i(9, 5), Vector2i(9, 5)]:
		arrivals.clear()
		crowd.assign_goal(ids, goal)
		for _frame: int in 300:
			await physics_frames(1)
		check_eq(arrivals.size(), 1, "at %s" % goal)


func _check_answer(each: Walk) -> void:
	var refusals := each.told.filter(func(told: String) -> bool: return told.contains(" "))
	var label := "%s: %s at %s" % [each.what, each.told, each.place()]
	check_eq(each.told.count("finished"), 1, label)
	check(each.told.count("reached") <= 1 and refusals.size() <= 1, label)
	check(each.told.count("reached") + refusals.size() <= 1, label)
	check(each.is_finished(), label)


func _same(walk: Walk) -> void:
	walk.agent.set("target_position", walk.agent.get("target_position"))


func _assign(walk: Walk, cell: Vector2i) -> void:
	var id: int = walk.agent.call("get_agent_id")
	var crowd: PathForgeCrowd = walk.agent.call("get_effective_crowd")
	crowd.assign_goal([id], cell)


func _block(walk: Walk) -> void:
	walk.add_other(HOME + Vector2(4, 0))
	walk.send(HOME + Vector2(4, 0))


func _pause(walk: Walk) -> void:
	walk.send(AWAY + Vector2(4, 3))
	_set_paused(walk, true)


func _stop(walk: Walk) -> void:
	walk.send(AWAY)
	walk.agent.call("stop")


func _set_paused(walk: Walk, is_paused: bool) -> void:
	var id: int = walk.agent.call("get_agent_id")
	var crowd: PathForgeCrowd = walk.agent.call("get_effective_crowd")
	crowd.set_agent_paused([id], is_paused)
