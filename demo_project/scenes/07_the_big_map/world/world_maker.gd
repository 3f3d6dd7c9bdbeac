class_name WorldMaker
extends RefCounted
## Makes the map on other threads, from a seed: the continent in large, then its sixteen million
## cells by pictures, which Godot and the grid read at once.

enum Terrain { PLAIN, WATER, ROAD, HILL }

## Cells a side.
const SIDE := WorldShape.SIDE * WorldShape.STEP
const SEED := 27
const STRIPES := 16
## From here on, a byte of the picture of woods is wood.
const WOOD := 158

## Which stage each step belongs to, and how far the work has come when it begins.
const STAGES: PackedInt32Array = [0, 1, 1, 2, 3, 3]
const PARTS: PackedFloat32Array = [0.02, 0.1, 0.3, 0.33, 0.37, 0.57]
## How far the work has come when the map is made: what is left is done by the grid.
const MADE := 0.6
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

var _is_cancelled := false
var _thread := Thread.new()
var _shape: WorldShape
var _stripes: Array[Image] = []


func begin() -> void:
	_thread.start(_make)


func is_done() -> bool:
	return _thread.is_started() and not _thread.is_alive()


## Has to be called in the end. Before it is done, it is given up.
func finish() -> void:
	_is_cancelled = not is_done()
	if _thread.is_started():
		_thread.wait_to_finish()


func _make() -> void:
	var steps: Array[Callable] = [_shape_land, _roughen, _grow_woods, _build, _fill_grid, _shrink]
	for number: int in steps.size():
		if _is_cancelled:
			return
		stage = STAGES[number]
		progress = PARTS[number]
		steps[number].call()
	progress = MADE


func _shape_land() -> void:
	_shape = WorldShape.new(SEED)


func _build() -> void:
	var builder := WorldBuilder.new(heights, SEED)
	builder.run_rivers(_shape.rivers)
	builder.lay_roads(_shape.roads)
	for town: Vector2i in _shape.towns:
		towns.append(town * WorldShape.STEP)
		builder.build_town(towns[-1])
	marks = builder.marks


## Smaller copies of the pictures, for looking at them from afar.
func _shrink() -> void:
	marks.convert(Image.FORMAT_L8)
	for picture: Image in [heights, woods, marks]:
		picture.generate_mipmaps()


## Every cell: the shape in large, with noise where it is not firm.
func _roughen() -> void:
	_stripes.resize(STRIPES)
	var task := WorkerThreadPool.add_group_task(_roughen_stripe, STRIPES)
	WorkerThreadPool.wait_for_group_task_completion(task)
	heights = Image.create_empty(SIDE, SIDE, false, Image.FORMAT_L8)
	for number: int in STRIPES:
		var stripe := _stripes[number]
		heights.blit_rect(
			stripe, Rect2i(Vector2i.ZERO, stripe.get_size()), Vector2i(0, number * SIDE / STRIPES)
		)
	_stripes.clear()


func _roughen_stripe(number: int) -> void:
	var rows := SIDE / STRIPES
	var noise := FastNoiseLite.new()
	noise.seed = SEED
	noise.noise_type = FastNoiseLite.TYPE_SIMPLEX
	noise.fractal_octaves = 3
	noise.frequency = 0.03
	noise.offset = Vector3(0, number * rows, 0)
	var stripe := noise.get_image(SIDE, rows, false, false, false)
	stripe.convert(Image.FORMAT_LA8)
	var large := _large_stripe(number * rows / WorldShape.STEP, rows / WorldShape.STEP)
	stripe.blend_rect(large, Rect2i(0, 0, SIDE, rows), Vector2i.ZERO)
	stripe.convert(Image.FORMAT_L8)
	_stripes[number] = stripe


## Some rows of the shape, grown to cells. Rows beyond both ends are read too, so no seam shows.
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
	var step := WorldShape.STEP
	large.resize(SIDE, (count + BEYOND * 2) * step, Image.INTERPOLATE_CUBIC)
	return large.get_region(Rect2i(0, BEYOND * step, SIDE, count * step))


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


## The grid reads pictures: one rule for each of the 256 greys.
func _fill_grid() -> void:
	grid = PathForgeGrid.new()
	grid.name = "Grid"
	grid.store_cells = false
	grid.cell_size = Vector2.ONE
	grid.terrain_names = ["Plain", "Water", "Road", "Hill"]
	var everything := Rect2i(0, 0, SIDE, SIDE)
	var weighed := woods.duplicate() as Image
	weighed.blit_rect_mask(_as_grey(marks), marks, everything, Vector2i.ZERO)
	grid.set_from_image(weighed, _rules(_weight_rule))
	var weights := grid.get_weight_data()
	var drawn := heights.duplicate() as Image
	drawn.blit_rect_mask(_as_grey(marks), marks, everything, Vector2i.ZERO)
	grid.set_from_image(drawn, _rules(_ground_rule))
	grid.set_weight_data(weights)


func _as_grey(picture: Image) -> Image:
	var grey := picture.duplicate() as Image
	grey.convert(Image.FORMAT_L8)
	return grey


func _rules(rule: Callable) -> Dictionary:
	var rules := {}
	for value: int in 256:
		rules[Color8(value, value, value)] = rule.call(value)
	return rules


func _weight_rule(value: int) -> Dictionary:
	if value == WorldBuilder.ROAD:
		return {"weight": ROAD_WEIGHT}
	return {"weight": WOOD_WEIGHT if value >= WOOD and value != WorldBuilder.HOUSE else 1.0}


func _ground_rule(value: int) -> Dictionary:
	if value == WorldBuilder.ROAD:
		return {"terrain": Terrain.ROAD}
	if value >= WorldShape.ROCK:
		return {"solid": true}
	if value < WorldShape.SEA:
		return {"terrain": Terrain.WATER}
	return {"terrain": Terrain.HILL if value >= WorldShape.HILL else Terrain.PLAIN}
