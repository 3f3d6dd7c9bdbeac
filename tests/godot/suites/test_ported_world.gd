extends TestSuite
## An open world on [AStar2D], and its port: points are missing where there is rock, roads are
## cheap and swamp is not by [code]_compute_cost[/code], ships and walkers have a graph each, and
## a cell with an occupant is a disabled point.
##
## The port is one grid with terrains, a profile for each movement type, and an obstacle for each
## occupant.

enum { MEADOW, ROAD, SWAMP, WATER, ROCK }

const SIZE := Vector2i(40, 30)
const OCCUPANTS := 40
const ROUNDS := 400
## What entering costs each movement type, by terrain; INF where it cannot.
const WALKER: Array[float] = [2.0, 1.0, 5.0, INF]
const SHIP: Array[float] = [INF, INF, 2.0, 1.0]


class World:
	extends AStar2D
	var terrain: PackedByteArray
	var costs: Array[float] = []

	func _init(cells: PackedByteArray, movement: Array[float]) -> void:
		terrain = cells
		costs = movement
		for at: int in terrain.size():
			if terrain[at] != ROCK and costs[terrain[at]] < INF:
				add_point(at, Vector2(cell_of(at)))
		for at: int in get_point_ids():
			for step: Vector2i in [Vector2i(1, 0), Vector2i(0, 1)]:
				var next := cell_of(at) + step
				if next.x < SIZE.x and has_point(id_of(next)):
					connect_points(at, id_of(next))

	func _compute_cost(_from: int, to: int) -> float:
		return costs[terrain[to]]

	func path(start: Vector2i, goal: Vector2i) -> PackedInt64Array:
		if not has_point(id_of(start)) or not has_point(id_of(goal)):
			return PackedInt64Array()
		var was_disabled := is_point_disabled(id_of(start))
		set_point_disabled(id_of(start), false)
		var way := get_id_path(id_of(start), id_of(goal))
		set_point_disabled(id_of(start), was_disabled)
		return way

	func occupy(cell: Vector2i, is_occupied: bool) -> void:
		if has_point(id_of(cell)):
			set_point_disabled(id_of(cell), is_occupied)

	static func cell_of(id: int) -> Vector2i:
		return Vector2i(id % SIZE.x, id / SIZE.x)

	static func id_of(cell: Vector2i) -> int:
		return cell.y * SIZE.x + cell.x


## The port holds its map as the original held its graphs: it is a [RefCounted], too.
class Port:
	var map := PathForgeMap.new()

	func _init(terrain: PackedByteArray) -> void:
		map.grid.region = Rect2i(Vector2i.ZERO, SIZE)
		map.grid.diagonal_mode = PathForgeGrid.DIAGONAL_MODE_NEVER
		map.grid.set_terrain_data(terrain)
		for at: int in terrain.size():
			if terrain[at] == ROCK:
				map.grid.set_point_solid(World.cell_of(at))

	func movement(costs: Array[float]) -> PathForgeProfile:
		var profile := PathForgeProfile.new()
		profile.terrain_mask = 0
		profile.terrain_costs = costs.map(func(cost: float) -> float: return minf(cost, 99.0))
		for id: int in costs.size():
			if costs[id] < INF:
				profile.terrain_mask |= 1 << id
		return profile


var _random := RandomNumberGenerator.new()


func test_paths_cost_the_same() -> void:
	_random.seed = 23
	var terrain := _terrain()
	var port := Port.new(terrain)
	var complete := 0
	var originals: Array[World] = [World.new(terrain, WALKER), World.new(terrain, SHIP)]
	var profiles: Array[PathForgeProfile] = [port.movement(WALKER), port.movement(SHIP)]
	var cells: Array[Vector2i] = []
	var obstacles := PackedInt64Array()
	for at: int in OCCUPANTS:
		cells.append(_free_cell(cells))
		obstacles.append(port.map.grid.add_obstacle(Rect2i(cells[at], Vector2i.ONE)))
		for original: World in originals:
			original.occupy(cells[at], true)
	for at: int in ROUNDS:
		var mover := _random.randi() % OCCUPANTS
		var kind := at % 2
		var goal := _cell()
		profiles[kind].ignored_obstacles = [obstacles[mover]]
		var theirs := originals[kind].path(cells[mover], goal)
		var mine := port.map.grid.find_path(cells[mover], goal, profiles[kind])
		check_eq(mine.is_complete(), not theirs.is_empty(), "%s to %s" % [cells[mover], goal])
		if mine.is_complete():
			complete += 1
			check_near(mine.cost, _cost(theirs, originals[kind]), 0.01, "%s" % goal)
		var place := _free_cell(cells)
		for original: World in originals:
			original.occupy(cells[mover], false)
			original.occupy(place, true)
		port.map.grid.move_obstacle(obstacles[mover], Rect2i(place, Vector2i.ONE))
		cells[mover] = place
	check(complete > ROUNDS / 8, "%d of %d are complete" % [complete, ROUNDS])


## Lakes and woods of some size, roads through them, and single rocks.
func _terrain() -> PackedByteArray:
	var noise := FastNoiseLite.new()
	noise.seed = 4
	noise.frequency = 0.08
	var terrain := PackedByteArray()
	for at: int in SIZE.x * SIZE.y:
		var cell := World.cell_of(at)
		var height := noise.get_noise_2dv(cell)
		var kind := MEADOW
		if height < -0.1:
			kind = WATER
		elif height < 0.0:
			kind = SWAMP
		if cell.x % 13 == 5 or cell.y % 11 == 4:
			kind = ROAD if kind != WATER or cell.x % 13 == 5 else kind
		terrain.append(ROCK if _random.randf() < 0.08 else kind)
	return terrain


func _cost(ids: PackedInt64Array, world: World) -> float:
	var sum := 0.0
	for step: int in range(1, ids.size()):
		sum += world.costs[world.terrain[ids[step]]]
	return sum


func _cell() -> Vector2i:
	return Vector2i(_random.randi() % SIZE.x, _random.randi() % SIZE.y)


func _free_cell(taken: Array[Vector2i]) -> Vector2i:
	var cell := _cell()
	while taken.has(cell):
		cell = _cell()
	return cell
