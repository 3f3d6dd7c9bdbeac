class_name PlaygroundCrowd
extends PathForgeCrowd
## Sixty walkers of three sizes that set out at the start together.

## The number of walkers of each body, by its place in [method PlaygroundBody.all]. Large bodies
## come first, as they need the most room.
const COUNTS: Dictionary[int, int] = {2: 6, 1: 14, 0: 40}
## Pixels a second.
const SPEED := 110.0
## Walkers set out from cells at most this cost away from the start.
const ROOM := 60.0
const DOING: Dictionary[int, String] = {
	STATE_MOVING: "walk",
	STATE_WAITING: "wait for others",
	STATE_ARRIVED: "have arrived",
	STATE_STUCK: "have no path",
	STATE_BLOCKED: "find no room",
}

var _bodies: Array[PlaygroundBody]


func set_up(bodies: Array[PlaygroundBody]) -> void:
	_bodies = bodies


## Puts walkers round the start and sends them to the goal. Returns the number of walkers that have
## found room.
func set_out(start: Vector2i, goal: Vector2i) -> int:
	clear()
	var room: Array[Vector2i] = []
	var costs := get_effective_grid().get_reachable_cells(start, ROOM, _bodies[0].profile)
	room.assign(costs.keys())
	room.sort_custom(
		func(one: Vector2i, other: Vector2i) -> bool:
			return costs[one] < costs[other] or (costs[one] == costs[other] and one < other)
	)
	var taken: Dictionary[Vector2i, bool] = {}
	for kind: int in COUNTS:
		var body := _bodies[kind]
		var places := _places(room, body.profile, COUNTS[kind], taken)
		var at := get_effective_grid().cells_to_local(places, body.profile)
		set_agent_colors(add_agents(at, body.profile, SPEED), body.color)
	send(goal)
	return get_agent_count()


func send(goal: Vector2i) -> void:
	assign_goal(get_ids(), goal)


## The places nearest to the start where bodies stand side by side.
func _places(
	room: Array[Vector2i], profile: PathForgeProfile, count: int, taken: Dictionary[Vector2i, bool]
) -> Array[Vector2i]:
	var places: Array[Vector2i] = []
	for cell: Vector2i in room:
		if places.size() == count:
			break
		var covered := _covered(cell, profile.footprint)
		var is_free := not covered.any(func(one: Vector2i) -> bool: return taken.has(one))
		if is_free and get_effective_grid().can_stand(cell, profile):
			places.append(cell)
			for one: Vector2i in covered:
				taken[one] = true
	return places


static func _covered(corner: Vector2i, footprint: Vector2i) -> Array[Vector2i]:
	var cells: Array[Vector2i] = []
	for y: int in footprint.y:
		for x: int in footprint.x:
			cells.append(corner + Vector2i(x, y))
	return cells


## What the walkers do, in words.
func summary() -> String:
	var words: PackedStringArray = []
	var counts := get_state_counts()
	for state: int in DOING:
		if counts[state] > 0:
			words.append("%d %s" % [counts[state], DOING[state]])
	return ", ".join(words)
