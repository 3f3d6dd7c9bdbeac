class_name PlaygroundMap
extends RefCounted
## A map of the playground: its cells, the marks for start and goal, and the body that is chosen.

## What a cell is. A code has two bits for it.
enum Cell { OPEN, WALL, MUD, WATER }

const SIZE := Vector2i(48, 27)
## The letters of a map file, by the kind of cell.
const LETTERS := ".#%~"
## The terrain of each kind of cell, and what the terrains are called.
const TERRAINS: PackedInt32Array = [0, 0, 2, 1]
const TERRAIN_NAMES: PackedStringArray = ["ground", "water", "mud"]

## A [enum Cell] for each cell, row by row.
var cells := PackedByteArray()
var start := Vector2i.ZERO
var goal := SIZE - Vector2i.ONE
## The place of the body in [method PlaygroundBody.all].
var body := 0


func _init() -> void:
	cells.resize(SIZE.x * SIZE.y)


## Reads a map file: see [DrawnMap].
static func from_file(file: String) -> PlaygroundMap:
	var drawn := DrawnMap.new(file, LETTERS[Cell.OPEN])
	var map := PlaygroundMap.new()
	for place: int in map.cells.size():
		map.cells[place] = LETTERS.find(drawn.letter(cell_at(place)))
	for mark: DrawnMap.UnitLine in drawn.units:
		if mark.kind == &"start":
			map.start = mark.cell
		elif mark.kind == &"goal":
			map.goal = mark.cell
	return map


## Returns the cells of a grid as a map. Its start, goal and body are not those of the scene.
static func of_grid(grid: PathForgeGrid) -> PlaygroundMap:
	var map := PlaygroundMap.new()
	var solid := grid.get_solid_data()
	var terrain := grid.get_terrain_data()
	for place: int in map.cells.size():
		map.cells[place] = Cell.WALL if solid[place] > 0 else TERRAINS.find(terrain[place])
	return map


## Gives all cells to a grid.
func apply_to(grid: PathForgeGrid) -> void:
	var solid := PackedByteArray()
	var terrain := PackedByteArray()
	for kind: int in cells:
		solid.append(int(kind == Cell.WALL))
		terrain.append(TERRAINS[kind])
	grid.begin_edit()
	grid.region = area()
	grid.set_solid_data(solid)
	grid.set_terrain_data(terrain)
	grid.end_edit()


static func area() -> Rect2i:
	return Rect2i(Vector2i.ZERO, SIZE)


static func cell_at(place: int) -> Vector2i:
	return Vector2i(place % SIZE.x, floori(place / float(SIZE.x)))


## Returns what a cell of a grid is.
static func kind_at(grid: PathForgeGrid, cell: Vector2i) -> Cell:
	if grid.is_point_solid(cell):
		return Cell.WALL
	return TERRAINS.find(grid.get_point_terrain(cell)) as Cell
