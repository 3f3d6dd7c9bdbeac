class_name HillsGate
extends Node3D
## A gate of the town. It is shut in the grid at once; its grating falls when the gateway is clear.

const WOOD := Color("6d4c30")
const IRON := Color("3f4650")
const HEIGHT := 3.0
## What is left of the grating of an open gate.
const OPEN := 0.1
const RATE := 2.5

var cells := Rect2i()
var is_open := true

var _grid: PathForgeGrid
var _units: HillsUnits
var _grating := MeshInstance3D.new()


func set_up(grid: PathForgeGrid, units: HillsUnits, of_cells: Rect2i, ground: float) -> void:
	_grid = grid
	_units = units
	cells = of_cells
	var middle := Vector2(cells.position) + Vector2(cells.size) * 0.5
	position = Vector3(middle.x, ground, middle.y)
	var is_long := cells.size.x > cells.size.y
	var length := float(maxi(cells.size.x, cells.size.y))
	rotation.y = 0.0 if is_long else PI * 0.5
	var posts := DemoMesh.new()
	for side: float in [-1.0, 1.0]:
		var base := Vector3(side * (length * 0.5 + 1.0), -0.6, 0.0)
		posts.box(base, Vector3(2.2, HEIGHT + 2.2, 2.6), HillsGround.STONE)
		posts.roof(base + Vector3.UP * (HEIGHT + 2.2), Vector3(2.6, 1.3, 3.0), HillsGround.ROOFS[0])
	posts.box(Vector3(0, HEIGHT, 0), Vector3(length + 0.4, 0.8, 1.6), HillsGround.STONE_DARK)
	var frame := MeshInstance3D.new()
	frame.mesh = posts.commit()
	frame.material_override = DemoMesh.paint()
	add_child(frame)
	var bars := DemoMesh.new()
	for bar: int in int(length / 0.8) + 1:
		bars.box(Vector3(bar * 0.8 - length * 0.5, -HEIGHT - 0.4, 0), Vector3(0.24, 3.4, 0.3), WOOD)
	for row: int in 3:
		bars.box(Vector3(0, -0.8 - row, 0), Vector3(length, 0.2, 0.38), IRON)
	_grating.mesh = bars.commit()
	_grating.material_override = DemoMesh.paint()
	_grating.position.y = HEIGHT
	_grating.scale.y = OPEN
	add_child(_grating)


func _process(delta: float) -> void:
	var is_up := is_open or (not is_down() and not _units.is_clear(cells))
	var target := OPEN if is_up else 1.0
	_grating.scale.y = move_toward(_grating.scale.y, target, RATE * delta)


func toggle() -> void:
	is_open = not is_open
	_grid.fill_solid_region(cells, not is_open)


## Whether its grating has begun to fall.
func is_down() -> bool:
	return _grating.scale.y > OPEN + 0.01


## Where it stands, for clicks.
func box() -> AABB:
	var size := Vector3(cells.size.x, HEIGHT + 0.8, cells.size.y)
	return AABB(position - Vector3(size.x * 0.5, 0.0, size.z * 0.5), size)
