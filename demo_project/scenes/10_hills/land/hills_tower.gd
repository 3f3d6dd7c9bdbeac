class_name HillsTower
extends Node3D
## A tower of 3×3 cells. Its site is closed in the grid at once; the tower rises when it is clear.

const SIDE := 3
const HEIGHT := 6.5
const RATE := 1.2

var cells := Rect2i()

var _units: HillsUnits
var _risen := 0.0

@onready var _tower: Node3D = $Walls


func set_up(grid: PathForgeGrid, units: HillsUnits, of_cells: Rect2i, ground: Vector3) -> void:
	_units = units
	cells = of_cells
	position = ground
	grid.fill_solid_region(cells)


func _process(delta: float) -> void:
	if _risen == 0.0 and not _units.is_clear(cells):
		return
	_risen = minf(_risen + RATE * delta, 1.0)
	_tower.visible = true
	_tower.scale.y = maxf(_risen, 0.02)


## Whether its walls have begun to rise.
func is_rising() -> bool:
	return _risen > 0.0


## Whether it stands up to its roof.
func is_up() -> bool:
	return _risen == 1.0


## Where it stands, for clicks.
func box() -> AABB:
	return AABB(position - Vector3(1.5, 0.0, 1.5), Vector3(3.0, HEIGHT, 3.0))
