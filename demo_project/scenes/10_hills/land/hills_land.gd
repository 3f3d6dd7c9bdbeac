class_name HillsLand
extends RefCounted
## The plan of the land: heights, the river and its bridges, the town with its wall, gates and
## houses, and trees. It closes cells of a grid and gives a space its heights.

const SIZE := Vector2i(160, 112)
const SEED := 11
## Heights in metres.
const WATER := 0.0
const SHORE := 0.3
const MEADOW := 1.3
const TOWN_HILL := 5.0
## Nothing climbs what is steeper than that.
const STEEP_DEGREES := 36.0

const TOWN := Rect2i(24, 30, 60, 54)
const WALL := 2
const SQUARE := Rect2i(40, 46, 28, 22)
const GATES: Array[Rect2i] = [
	Rect2i(24, 52, 2, 10), Rect2i(82, 52, 2, 10), Rect2i(50, 30, 8, 2), Rect2i(50, 82, 8, 2)
]
const HOUSE := Vector2i(5, 4)
const PITCH := Vector2i(8, 7)
## Corners of the first house of each quarter of the town.
const QUARTERS: Array[Vector2i] = [
	Vector2i(28, 34), Vector2i(60, 34), Vector2i(28, 62), Vector2i(60, 62)
]
## Where bridges are: their first row, and how many rows they have.
const BRIDGES: Array[Vector2i] = [Vector2i(16, 7), Vector2i(52, 10), Vector2i(92, 7)]
const BRIDGE_REACH := 11
## Hills with slopes too steep to climb: their middles, how wide and how high they are.
const PEAKS: Array[Vector4] = [
	Vector4(133, 37, 7.5, 12.0),
	Vector4(130, 79, 6.0, 12.5),
	Vector4(11, 33, 6.0, 9.5),
	Vector4(92, 3, 5.0, 6.0),
]
## The middle of a bay, beyond the edge of the map, and how far its water reaches to the west.
const BAY := Vector2(168.0, 58.0)
const BAY_REACH := 14.0
## Places to which people go: their names and cells.
const PLACES: Dictionary[String, Vector2i] = {
	"West camp": Vector2i(9, 57),
	"North field": Vector2i(30, 12),
	"South field": Vector2i(32, 99),
	"East mill": Vector2i(148, 16),
	"Harbour": Vector2i(138, 58),
	"Vineyard": Vector2i(144, 99),
}

## The ground, without bridges, row by row.
var heights := PackedFloat32Array()
var houses: Array[Rect2i] = []
## The decks of bridges.
var decks: Array[Rect2i] = []
var trees: Array[Vector2i] = []

var _noise := FastNoiseLite.new()


func _init() -> void:
	_noise.seed = SEED
	_noise.frequency = 0.022
	_noise.fractal_octaves = 3
	heights.resize(SIZE.x * SIZE.y)
	for y: int in SIZE.y:
		for x: int in SIZE.x:
			heights[y * SIZE.x + x] = _height(x + 0.5, y + 0.5)
	_plan_houses()
	for rows: Vector2i in BRIDGES:
		var middle := roundi(river(rows.x + rows.y * 0.5))
		decks.append(Rect2i(middle - BRIDGE_REACH, rows.x, BRIDGE_REACH * 2, rows.y))


## Where the middle of the river is in a row.
static func river(y: float) -> float:
	return 104.0 + 7.0 * sin(y * 0.055 + 0.6) + 2.5 * sin(y * 0.13)


## Gives the space its heights and closes what nothing walks on.
func lay_out(grid: PathForgeGrid, space: PathForgeSpace3D) -> void:
	grid.region = Rect2i(Vector2i.ZERO, SIZE)
	space.set_height_data(heights)
	var solid := PackedByteArray()
	solid.resize(heights.size())
	for place: int in heights.size():
		solid[place] = int(heights[place] < SHORE)
	grid.begin_edit()
	grid.set_solid_data(solid)
	space.close_steep_cells(STEEP_DEGREES)
	for house: Rect2i in houses + HillsSites.closed():
		grid.fill_solid_region(house)
	for wall: Rect2i in walls():
		grid.fill_solid_region(wall)
	for gate: Rect2i in GATES:
		grid.fill_solid_region(gate, false)
	for deck: Rect2i in decks:
		_lay_bridge(grid, space, deck)
	grid.end_edit()
	_plant(grid)


## The height of a bridge's deck at a distance from its first end, in metres.
func deck_height(deck: Rect2i, x: float) -> float:
	var row := clampi(deck.get_center().y, 0, SIZE.y - 1) * SIZE.x
	var first := heights[row + deck.position.x]
	var last := heights[row + deck.end.x - 1]
	var part := clampf(x / deck.size.x, 0.0, 1.0)
	return lerpf(first, last, part) + 1.1 * sin(part * PI)


func height(cell: Vector2i) -> float:
	var inside := cell.clamp(Vector2i.ZERO, SIZE - Vector2i.ONE)
	return heights[inside.y * SIZE.x + inside.x]


## The lowest of some cells.
func lowest(area: Rect2i) -> float:
	var low := INF
	for y: int in range(area.position.y, area.end.y):
		for x: int in range(area.position.x, area.end.x):
			low = minf(low, height(Vector2i(x, y)))
	return low


## The sides of the town's wall.
static func walls() -> Array[Rect2i]:
	var far := TOWN.end - Vector2i.ONE * WALL
	return [
		Rect2i(TOWN.position, Vector2i(TOWN.size.x, WALL)),
		Rect2i(TOWN.position.x, far.y, TOWN.size.x, WALL),
		Rect2i(TOWN.position, Vector2i(WALL, TOWN.size.y)),
		Rect2i(far.x, TOWN.position.y, WALL, TOWN.size.y),
	]


func _height(x: float, y: float) -> float:
	var high := MEADOW + 1.4 + _noise.get_noise_2d(x, y) * 5.0
	var from_town := (Vector2(x, y) - Vector2(TOWN.get_center())) / Vector2(TOWN.size)
	var flat := smoothstep(0.52, 0.95, maxf(absf(from_town.x), absf(from_town.y)))
	high = lerpf(TOWN_HILL + _noise.get_noise_2d(x, y) * 1.2, high, flat)
	for peak: Vector4 in PEAKS:
		var away := Vector2(x, y).distance_to(Vector2(peak.x, peak.y)) / peak.z
		high += peak.w * exp(-away * away * 0.5)
	var from_river := absf(x - river(y))
	var from_bay := ((Vector2(x, y) - BAY) / Vector2(1.0, 1.4)).length() - BAY_REACH
	high = lerpf(MEADOW, maxf(high, 0.9), smoothstep(8.0, 24.0, from_river))
	high = lerpf(MEADOW, high, smoothstep(8.0, 20.0, from_bay))
	high = lerpf(-1.8, high, smoothstep(2.5, 8.5, from_river))
	return lerpf(-1.8, high, smoothstep(0.0, 7.0, from_bay))


func _plan_houses() -> void:
	for quarter: Vector2i in QUARTERS:
		for place: int in 9:
			var corner := quarter + PITCH * Vector2i(place % 3, place / 3)
			var house := Rect2i(corner, HOUSE)
			if not house.intersects(SQUARE) and DemoPalette.grain(corner, 5) > 0.1:
				houses.append(house)


## Opens the deck, closes the rails beside it, and lifts both.
func _lay_bridge(grid: PathForgeGrid, space: PathForgeSpace3D, deck: Rect2i) -> void:
	grid.fill_solid_region(deck.grow_individual(0, 1, 0, 1))
	grid.fill_solid_region(deck, false)
	for x: int in deck.size.x:
		var column := Rect2i(deck.position + Vector2i(x, -1), Vector2i(1, deck.size.y + 2))
		space.set_region_height(column, deck_height(deck, x + 0.5))


## Trees in groves, off the town and the places to which people go.
func _plant(grid: PathForgeGrid) -> void:
	for y: int in range(1, SIZE.y - 1):
		for x: int in range(1, SIZE.x - 1):
			var cell := Vector2i(x, y)
			var wood := _noise.get_noise_2d(x * 1.7 + 300.0, y * 1.7)
			if wood < 0.12 or DemoPalette.grain(cell, 3) > 0.16:
				continue
			if _is_kept_free(cell) or grid.is_point_solid(cell) or height(cell) < 0.8:
				continue
			trees.append(cell)
	# Setting all cells makes the map: reasons name later edits only.
	var solid := grid.get_solid_data()
	for cell: Vector2i in trees:
		solid[cell.y * SIZE.x + cell.x] = 1
	grid.set_solid_data(solid)


static func _is_kept_free(cell: Vector2i) -> bool:
	if TOWN.grow(4).has_point(cell) or HillsSites.field_color(cell).a > 0.0:
		return true
	for place: Vector2i in PLACES.values():
		if Vector2(cell).distance_to(place) < 12.0:
			return true
	for rows: Vector2i in BRIDGES:
		if cell.y in range(rows.x - 2, rows.x + rows.y + 2) and absf(cell.x - 104.0) < 30.0:
			return true
	return false
