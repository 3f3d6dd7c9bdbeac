class_name CrowdSuite
extends TestSuite
## A map with a door in a wall and a crowd on it, stepped by hand.

const STEP := 1.0 / 60.0

var grid: PathForgeGrid
var crowd: PathForgeCrowd


func before_each() -> void:
	grid = PathForgeGrid.new()
	grid.region = Rect2i(-4, 2, 40, 24)
	grid.fill_solid_region(Rect2i(15, 2, 1, 24))
	grid.fill_solid_region(Rect2i(15, 12, 1, 3), false)
	crowd = PathForgeCrowd.new()
	crowd.auto_step = false
	grid.add_child(crowd)
	add(grid)


func body_of(side: int) -> PathForgeProfile:
	var profile := PathForgeProfile.new()
	profile.footprint = Vector2i(side, side)
	return profile


func centers(cells: Array, side: int = 1) -> PackedVector2Array:
	var positions := PackedVector2Array()
	for cell: Vector2i in cells:
		positions.append(grid.cell_to_local(cell, a_body(Vector2i(side, side))))
	return positions


func squad(count: int, side: int = 1) -> PackedInt32Array:
	var cells: Array[Vector2i] = []
	for index: int in count:
		cells.append(Vector2i(-3 + index % 5 * side, 4 + index / 5 * side))
	return crowd.add_agents(centers(cells, side), body_of(side), 64.0)


func run(seconds: float) -> void:
	for tick: int in int(seconds / STEP):
		crowd.step(STEP)
