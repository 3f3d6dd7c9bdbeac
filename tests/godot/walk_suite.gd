class_name WalkSuite
extends TestSuite
## Bodies of 2D and of 3D on maps of their own, moved by arithmetic alone, so that a table of cases
## runs for both at the same time. Places are in cells of the map that a body begins on.

const SIDE: float = 32.0
const SPEED_CELLS: float = 10.0

## A map in rows: `#` is solid, `~` is terrain 1.
const MAP: String = """
....................
....................
.........#..........
.........#..........
.........~..........
.........#..........
.........#..........
.........#..........
....................
....................
"""


## A body, its agent and the map that it begins on.
class Walk:
	extends RefCounted
	var what: String
	var level: Node2D = Node2D.new()
	var grid: PathForgeGrid
	var space: PathForgeSpace3D = null
	var body: Node
	var agent: Node
	## What its agent has emitted: "reached", "finished", "blocked", or the reason of a refusal.
	var told: Array[String] = []
	## Solid cells of its present grid that it went into.
	var entered: Array[String] = []
	var _covered: Array[Vector2i] = []
	## Agents of other bodies, which rest.
	var _others: Array[Node] = []

	func _init(name: String, is_in_space: bool, map: String = MAP) -> void:
		what = "%s in %s" % [name, "3D" if is_in_space else "2D"]
		grid = a_grid(map, is_in_space)
		level.add_child(grid)
		if is_in_space:
			space = PathForgeSpace3D.new()
			space.grid = grid
			level.add_child(space)
		body = Node3D.new() if is_in_space else Node2D.new()
		agent = PathForgeAgent3D.new() if is_in_space else PathForgeAgent2D.new()
		agent.set("profile", PathForgeProfile.new())
		agent.set("space" if is_in_space else "grid", space if is_in_space else grid)
		body.add_child(agent)
		level.add_child(body)
		agent.connect("target_reached", told.append.bind("reached"))
		agent.connect("navigation_finished", told.append.bind("finished"))
		agent.connect("blocked_by_others", told.append.bind("blocked"))
		agent.connect(
			"navigation_failed", func(path: PathForgePath) -> void: told.append(path.describe())
		)

	func a_grid(map: String, is_in_space: bool) -> PathForgeGrid:
		var made := PathForgeGrid.new()
		made.set_from_text(map.replace("~", "."))
		var rows := map.strip_edges().split("\n")
		for y: int in rows.size():
			for x: int in rows[y].length():
				if rows[y][x] == "~":
					made.set_point_terrain(Vector2i(x, y), 1)
		made.cell_size = Vector2.ONE * (1.0 if is_in_space else SIDE)
		return made

	func side() -> float:
		return SIDE if space == null else 1.0

	func global(cells: Vector2) -> Variant:
		var at := cells * side()
		return at if space == null else Vector3(at.x, 0.0, at.y)

	func place() -> Vector2:
		var at: Variant = body.get("global_position")
		return (at if at is Vector2 else Vector2(at.x, at.z)) / side()

	func put(cells: Vector2) -> void:
		body.set("global_position", global(cells))

	func send(cells: Vector2) -> void:
		agent.set("target_position", global(cells))

	## Another body that is at its target there.
	func add_other(cells: Vector2) -> void:
		var other: Node = ClassDB.instantiate(agent.get_class())
		var link := "grid" if space == null else "space"
		other.set(link, agent.get(link))
		var its_body: Node = ClassDB.instantiate(body.get_class())
		its_body.add_child(other)
		level.add_child(its_body)
		its_body.set("global_position", global(cells))
		other.set("target_position", global(cells))
		_others.append(other)

	func is_finished() -> bool:
		return agent.call("is_navigation_finished")

	func profile() -> PathForgeProfile:
		return agent.get("profile")

	## Walks for a frame with the velocity that its agent tells.
	func step() -> void:
		var velocity: Variant = agent.call("get_next_velocity", SPEED_CELLS * side())
		body.set("global_position", body.get("global_position") + velocity / 60.0)
		for other: Node in _others:
			var parent := other.get_parent()
			velocity = other.call("get_next_velocity", SPEED_CELLS * side())
			parent.set("global_position", parent.get("global_position") + velocity / 60.0)

	## Takes note of closed cells that it has come into since the last call.
	func look() -> void:
		var now := covered()
		var on: PathForgeGrid = agent.call("get_effective_grid")
		# From outside the region it walks in.
		var was_inside := _covered.all(on.is_in_boundsv)
		for cell: Vector2i in now:
			if not on.is_in_boundsv(cell) and not was_inside:
				continue
			if not _covered.has(cell) and _is_closed(on, cell):
				entered.append("%s at %s" % [cell, place()])
		_covered = now

	## The cells under the body are no cells that it goes into.
	func forget_cells() -> void:
		_covered = covered()

	## The cells of its present grid that it covers by more than its outline is smaller.
	func covered() -> Array[Vector2i]:
		var cells: Array[Vector2i] = []
		var size := Vector2(profile().footprint) if profile() != null else Vector2.ONE
		var middle := _in_cells()
		var rect := Rect2(middle - size / 2.0, size).grow(-0.13)
		for y: int in range(floori(rect.position.y), floori(rect.end.y) + 1):
			for x: int in range(floori(rect.position.x), floori(rect.end.x) + 1):
				cells.append(Vector2i(x, y))
		return cells

	func _in_cells() -> Vector2:
		var on: PathForgeGrid = agent.call("get_effective_grid")
		if space != null:
			var in_space: PathForgeSpace3D = agent.call("get_effective_space")
			var at: Vector3 = in_space.global_transform.affine_inverse() * body.global_position
			return Vector2(at.x, at.z) / in_space.cell_size
		var corners: Array[Vector2] = []
		for cell: Vector2i in [Vector2i.ZERO, Vector2i(1, 0), Vector2i(0, 1)]:
			corners.append(on.cell_to_global(cell))
		var sides := Transform2D(corners[1] - corners[0], corners[2] - corners[0], corners[0])
		return sides.affine_inverse() * (body.global_position as Vector2) + Vector2.ONE * 0.5

	func _is_closed(on: PathForgeGrid, cell: Vector2i) -> bool:
		if not on.is_in_boundsv(cell) or on.is_point_solid(cell):
			return true
		var terrain_mask := profile().terrain_mask if profile() != null else -1
		return terrain_mask & (1 << on.get_point_terrain(cell)) == 0


## Lets all bodies walk for [param count] frames.
func walk(walks: Array[Walk], count: int) -> void:
	for _frame: int in count:
		for each: Walk in walks:
			each.step()
		# Workers search while frames come as fast as they can be made.
		OS.delay_usec(500)
		await physics_frames(1)


## The same until all have finished, at most for [param most] frames.
func walk_to_ends(walks: Array[Walk], most: int) -> void:
	for _frame: int in most:
		await walk(walks, 1)
		if walks.all(func(each: Walk) -> bool: return each.is_finished()):
			break
