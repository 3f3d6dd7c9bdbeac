class_name WorldMaker
extends RefCounted
## Makes the map on worker threads, from a seed: the continent in large, then its sixteen million
## cells by pictures, which Godot and the grid read at once.

## The heights as far as they are made, to be looked at meanwhile.
signal pictured(picture: Image)

enum Terrain { PLAIN, WATER, ROAD, HILL }

## Cells a side.
const SIDE := WorldShape.SIDE * WorldShape.STEP
const SEED := 27
## The ground is roughened on half as many points a side: noise has no finer grain, and cells
## between are blended.
const ROUGH_SIDE := SIDE / 2
const ROUGH_STEP := WorldShape.STEP / 2
const STRIPES := 16
## From here on, a byte of the picture of woods is wood.
const WOOD := 158

## How far the work has come when each stage begins, and when the map is made: what is left is done
## by the grid.
const PARTS: PackedFloat32Array = [0.02, 0.08, 0.28, 0.32]
const MADE := 0.45
const NO_TASK := -1
const ROAD_WEIGHT := 0.6
const WOOD_WEIGHT := 2.0

## How far the work has come, 0 to 1, and at what.
var progress := 0.0
var stage := 0

var grid: PathForgeGrid
var towns: Array[Vector2i] = []
## One byte a cell each: how high it is, how much wood stands there, and what people have built.
var heights: Image
var woods: Image
var marks: Image

var _task := NO_TASK
var _shape: WorldShape
var _stripes: Array[Image] = []


## To be called in each frame: begins the next stage when one is over. Returns [code]true[/code]
## when the map is made. In a web export without threads each stage is a frame.
func work_on() -> bool:
	var stages: Array[Callable] = [_raise_land, _roughen, _build, _fill_grid]
	if _task != NO_TASK:
		if not WorkerThreadPool.is_task_completed(_task):
			return false
		finish()
		stage += 1
	if stage == stages.size():
		return true
	progress = PARTS[stage]
	# With high priority, as a stage waits for tasks that have a low one.
	_task = WorkerThreadPool.add_task(stages[stage], true)
	return false


## Has to be called in the end. Before the map is made, it is given up.
func finish() -> void:
	if _task != NO_TASK:
		WorkerThreadPool.wait_for_task_completion(_task)
		_task = NO_TASK


func _raise_land() -> void:
	_shape = WorldShape.new(SEED)
	var side := WorldShape.SIDE
	_show(Image.create_from_data(side, side, false, Image.FORMAT_L8, _shape.heights))


## The shape in large, with noise where it is not firm. Rivers and roads are found meanwhile.
func _roughen() -> void:
	_stripes.resize(STRIPES)
	var task := WorkerThreadPool.add_group_task(_roughen_stripe, STRIPES)
	_shape.settle()
	WorkerThreadPool.wait_for_group_task_completion(task)
	heights = Image.create_empty(ROUGH_SIDE, ROUGH_SIDE, false, Image.FORMAT_L8)
	for number: int in STRIPES:
		var stripe := _stripes[number]
		var corner := Vector2i(0, number * ROUGH_SIDE / STRIPES)
		heights.blit_rect(stripe, Rect2i(Vector2i.ZERO, stripe.get_size()), corner)
	_stripes.clear()
	_show(heights.duplicate() as Image)


## Every cell, and what grows and stands there.
func _build() -> void:
	heights.resize(SIDE, SIDE, Image.INTERPOLATE_BILINEAR)
	_grow_woods()
	var builder := WorldBuilder.new(heights, SEED)
	builder.run_rivers(_shape.rivers)
	builder.lay_roads(_shape.roads)
	for town: Vector2i in _shape.towns:
		towns.append(town * WorldShape.STEP)
		builder.build_town(towns[-1])
	marks = builder.marks


func _show(picture: Image) -> void:
	picture.generate_mipmaps()
	pictured.emit.call_deferred(picture)


func _roughen_stripe(number: int) -> void:
	var rows := ROUGH_SIDE / STRIPES
	var noise := FastNoiseLite.new()
	noise.seed = SEED
	noise.noise_type = FastNoiseLite.TYPE_SIMPLEX
	noise.fractal_octaves = 3
	noise.frequency = 0.06
	noise.offset = Vector3(0, number * rows, 0)
	var stripe := noise.get_image(ROUGH_SIDE, rows, false, false, false)
	stripe.convert(Image.FORMAT_LA8)
	var large := _large_stripe(number * rows / ROUGH_STEP, rows / ROUGH_STEP)
	stripe.blend_rect(large, Rect2i(0, 0, ROUGH_SIDE, rows), Vector2i.ZERO)
	stripe.convert(Image.FORMAT_L8)
	_stripes[number] = stripe


## Some rows of the shape, grown. Rows beyond both ends are read too, so no seam shows.
func _large_stripe(first: int, count: int) -> Image:
	const BEYOND := 2
	var points := PackedByteArray()
	points.resize((count + BEYOND * 2) * WorldShape.SIDE * 2)
	var at := 0
	for row: int in count + BEYOND * 2:
		var y := clampi(first + row - BEYOND, 0, WorldShape.SIDE - 1)
		for place: int in range(y * WorldShape.SIDE, (y + 1) * WorldShape.SIDE):
			points[at] = _shape.heights[place]
			points[at + 1] = _shape.firmness[place]
			at += 2
	var large := Image.create_from_data(
		WorldShape.SIDE, count + BEYOND * 2, false, Image.FORMAT_LA8, points
	)
	large.resize(ROUGH_SIDE, (count + BEYOND * 2) * ROUGH_STEP, Image.INTERPOLATE_CUBIC)
	return large.get_region(Rect2i(0, BEYOND * ROUGH_STEP, ROUGH_SIDE, count * ROUGH_STEP))


func _grow_woods() -> void:
	var noise := FastNoiseLite.new()
	noise.seed = SEED + 5
	noise.noise_type = FastNoiseLite.TYPE_SIMPLEX
	noise.fractal_octaves = 5
	noise.fractal_gain = 0.6
	noise.frequency = 0.009
	woods = noise.get_image(SIDE / 4, SIDE / 4)
	woods.adjust_bcs(0.95, 1.0, 1.0)
	woods.resize(SIDE, SIDE, Image.INTERPOLATE_BILINEAR)


## The grid reads pictures: one rule for each of the 256 greys. Weights are read by a grid of their
## own meanwhile.
func _fill_grid() -> void:
	grid = PathForgeGrid.new()
	grid.name = "Grid"
	grid.store_cells = false
	grid.cell_size = Vector2.ONE
	grid.terrain_names = ["Plain", "Water", "Road", "Hill"]
	var built := marks.duplicate() as Image
	built.convert(Image.FORMAT_L8)
	var weighed := PathForgeGrid.new()
	var task := WorkerThreadPool.add_task(_read.bind(weighed, woods, built, _weight_rule))
	_read(grid, heights, built, _ground_rule)
	WorkerThreadPool.wait_for_task_completion(task)
	grid.set_weight_data(weighed.get_weight_data())
	weighed.free()
	marks = built
	# Smaller copies, for looking at the map from afar.
	for picture: Image in [heights, woods, marks]:
		picture.generate_mipmaps()


## Fills a grid with a picture, on which [param built] lies wherever there is a mark.
func _read(into: PathForgeGrid, picture: Image, built: Image, rule: Callable) -> void:
	var whole := picture.duplicate() as Image
	whole.blit_rect_mask(built, marks, Rect2i(0, 0, SIDE, SIDE), Vector2i.ZERO)
	into.set_from_image(whole, _rules(rule))


## What each grey means: [param rule] tells it to the rules.
func _rules(rule: Callable) -> PathForgeTileRules:
	var rules := PathForgeTileRules.new()
	for value: int in 256:
		rule.call(rules, value, Color8(value, value, value))
	return rules


func _weight_rule(rules: PathForgeTileRules, value: int, grey: Color) -> void:
	var is_wood := value >= WOOD and value != WorldBuilder.HOUSE
	var off_road := WOOD_WEIGHT if is_wood else 1.0
	rules.weight_colors[grey] = ROAD_WEIGHT if value == WorldBuilder.ROAD else off_road


func _ground_rule(rules: PathForgeTileRules, value: int, grey: Color) -> void:
	if value == WorldBuilder.ROAD:
		rules.terrain_colors[grey] = Terrain.ROAD
	elif value >= WorldShape.ROCK:
		rules.solid_colors.append(grey)
	elif value < WorldShape.SEA:
		rules.terrain_colors[grey] = Terrain.WATER
	else:
		rules.terrain_colors[grey] = Terrain.HILL if value >= WorldShape.HILL else Terrain.PLAIN
