class_name WorldShape
extends RefCounted
## The continent in large: how high it is at every eighth cell, where rivers run, towns stand and
## roads lead. Rivers and roads are paths, too: rivers shun heights, roads shun slopes and
## water.

## Points a side; [constant STEP] cells lie between two.
const SIDE := 512
const STEP := 8
## Heights, as bytes: below the first is water, above the others hills, rock and snow.
const SEA := 96
const HILL := 152
const ROCK := 184
const SNOW := 226
const TOWNS := 30
const RIVERS := 16

## How high each point is, and how firmly: where it is less than 255, the ground is rough.
var heights := PackedByteArray()
var firmness := PackedByteArray()
var towns: Array[Vector2i] = []
## Rivers and roads, in cells.
var rivers: Array[PackedVector2Array] = []
var roads: Array[PackedVector2Array] = []

var _seed := 0
var _random := RandomNumberGenerator.new()


func _init(map_seed: int) -> void:
	_seed = map_seed
	_random.seed = map_seed
	heights.resize(SIDE * SIDE)
	firmness.resize(SIDE * SIDE)
	_raise_land()


## Rivers, towns and roads on the land that was raised.
func settle() -> void:
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, SIDE, SIDE)
	_run_rivers(grid)
	_found_towns()
	_lay_roads(grid)
	grid.free()


static func is_inside(point: Vector2i) -> bool:
	return Rect2i(1, 1, SIDE - 2, SIDE - 2).has_point(point)


func height_at(point: Vector2i) -> int:
	return heights[point.y * SIDE + point.x]


func _raise_land() -> void:
	var land := _noise(0, 0.0062, 5, 70.0)
	var ridge := _noise(1, 0.011, 4, 30.0, FastNoiseLite.FRACTAL_RIDGED)
	var ranges := _noise(2, 0.0075, 2, 30.0)
	var at := 0
	for y: int in SIDE:
		var v := y * 2.0 / SIDE - 1.0
		var from_side := 1.0 - v * v
		for x: int in SIDE:
			var u := x * 2.0 / SIDE - 1.0
			# The sea all around, and noise within.
			var inland := (1.0 - u * u) * from_side
			var rise := land[at] / 255.0 * 0.85 + inland * 0.78 - 0.75
			rise -= smoothstep(0.86, 1.0, maxf(absf(u), absf(v))) * 0.7
			var height := 0.0
			var roughness := 0.07
			if rise < 0.0:
				height = SEA * maxf(0.1, 1.0 + rise * 3.2)
			else:
				height = SEA + 8.0 + 34.0 * minf(rise * 4.0, 1.0)
				var near := clampf((rise - 0.05) * 7.0, 0.0, 1.0)
				var range_here := clampf((ranges[at] - 118) / 60.0, 0.0, 1.0)
				var peak := maxf(0.0, ridge[at] / 255.0 - 0.42) * 2.3
				height += near * range_here * peak * 150.0
				roughness += near * range_here * 0.14
			heights[at] = int(clampf(height, 0.0, 255.0))
			firmness[at] = int(255.0 * (1.0 - roughness))
			at += 1


func _noise(
	salt: int, frequency: float, octaves: int, warp: float, fractal := FastNoiseLite.FRACTAL_FBM
) -> PackedByteArray:
	var noise := FastNoiseLite.new()
	noise.seed = _seed + salt
	noise.noise_type = FastNoiseLite.TYPE_SIMPLEX
	noise.fractal_type = fractal
	noise.fractal_octaves = octaves
	noise.frequency = frequency
	noise.domain_warp_enabled = true
	noise.domain_warp_amplitude = warp
	noise.domain_warp_frequency = frequency
	return noise.get_image(SIDE, SIDE).get_data()


## From the heights down to the sea, by the lowest way; where rivers meet, they go on as one.
func _run_rivers(grid: PathForgeGrid) -> void:
	var weights := PackedFloat32Array()
	weights.resize(SIDE * SIDE)
	var grain := _noise(3, 0.06, 2, 0.0)
	for at: int in weights.size():
		var above := maxf(heights[at] - SEA, 0.0)
		weights[at] = 0.3 + above * above * 0.002 + grain[at] * grain[at] * 0.0003
	grid.set_weight_data(weights)
	var mouths := _points_where(func(height: int) -> bool: return height < SEA - 30)
	var springs := _points_where(
		func(height: int) -> bool: return height > HILL - 10 and height < ROCK
	)
	var field := FlowField.new()
	field.grid = grid
	field.goals = mouths
	field.rebuild()
	var tries := 0
	while rivers.size() < RIVERS and tries < 400:
		tries += 1
		var spring: Vector2i = springs[_random.randi_range(0, springs.size() - 1)]
		var way := field.get_path_from(spring)
		if way.size() < 45 or _is_near_a_river(spring, 26.0):
			continue
		rivers.append(_in_cells(way))
		for point: Vector2i in way:
			grid.set_point_weight_scale(point, 0.05)
		field.rebuild()
	field.free()


func _is_near_a_river(point: Vector2i, distance: float) -> bool:
	for river: PackedVector2Array in rivers:
		for at: int in range(0, river.size(), 4):
			if river[at].distance_to(point * STEP) < distance * STEP:
				return true
	return false


func _points_where(holds: Callable) -> Array[Vector2i]:
	var points: Array[Vector2i] = []
	for y: int in range(4, SIDE - 4, 3):
		for x: int in range(4, SIDE - 4, 3):
			if holds.call(height_at(Vector2i(x, y))):
				points.append(Vector2i(x, y))
	return points


## Towns stand on low land, apart from each other.
func _found_towns() -> void:
	var places := _points_where(
		func(height: int) -> bool: return height > SEA + 12 and height < HILL - 6
	)
	var apart := 62.0
	while towns.size() < TOWNS and apart > 20.0:
		for _try: int in 200:
			var place: Vector2i = places[_random.randi_range(0, places.size() - 1)]
			if towns.size() < TOWNS and _distance_to_towns(place) > apart:
				towns.append(place)
		apart -= 6.0


func _distance_to_towns(place: Vector2i) -> float:
	var nearest := INF
	for town: Vector2i in towns:
		nearest = minf(nearest, Vector2(town).distance_to(place))
	return nearest


## Each town is joined to the nearest ones. What is road already is cheap to walk, so roads join.
func _lay_roads(grid: PathForgeGrid) -> void:
	var weights := PackedFloat32Array()
	var solid := PackedByteArray()
	weights.resize(SIDE * SIDE)
	solid.resize(SIDE * SIDE)
	for at: int in weights.size():
		var height := heights[at]
		solid[at] = int(height < SEA - 6)
		weights[at] = 1.0 + maxf(0.0, height - 120) * 0.06 + (6.0 if height < SEA + 5 else 0.0)
	grid.set_solid_data(solid)
	grid.set_weight_data(weights)
	for river: PackedVector2Array in rivers:
		for point: Vector2 in river:
			grid.set_point_weight_scale(Vector2i(point / STEP), 9.0)
	for town: Vector2i in towns:
		var others := towns.duplicate()
		others.sort_custom(
			func(a: Vector2i, b: Vector2i) -> bool:
				return a.distance_squared_to(town) < b.distance_squared_to(town)
		)
		for number: int in range(1, 4):
			_lay_road(grid, town, others[number])


func _lay_road(grid: PathForgeGrid, start: Vector2i, goal: Vector2i) -> void:
	var way := grid.find_path(start, goal).cells
	var stretch: Array[Vector2i] = []
	for point: Vector2i in way:
		stretch.append(point)
		if is_equal_approx(grid.get_point_weight_scale(point), 0.3):
			# A road is here: what is new ends, or begins.
			_end_stretch(stretch)
			stretch = [point]
		else:
			grid.set_point_weight_scale(point, 0.3)
	_end_stretch(stretch)


func _end_stretch(stretch: Array[Vector2i]) -> void:
	if stretch.size() > 2:
		roads.append(_in_cells(stretch))


## A line through points, in cells, without the grid's corners.
static func _in_cells(points: Array[Vector2i]) -> PackedVector2Array:
	var line := PackedVector2Array()
	for at: int in points.size():
		if at % 3 == 0 or at == points.size() - 1:
			line.append(Vector2(points[at] * STEP) + Vector2.ONE * STEP * 0.5)
	for _round: int in 2:
		line = _cut_corners(line)
	return line


## Chaikin's way to make lines round.
static func _cut_corners(line: PackedVector2Array) -> PackedVector2Array:
	var rounder := PackedVector2Array([line[0]])
	for at: int in line.size() - 1:
		rounder.append(line[at].lerp(line[at + 1], 0.25))
		rounder.append(line[at].lerp(line[at + 1], 0.75))
	rounder.append(line[-1])
	return rounder
