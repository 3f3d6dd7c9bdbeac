class_name HillsTower
extends Node3D
## A tower of 3×3 cells. Its site is closed in the grid at once; the tower rises when it is clear.

const SIDE := 3
const HEIGHT := 6.5
const RATE := 1.2

var cells := Rect2i()

var _units: HillsUnits
var _tower := MeshInstance3D.new()
var _risen := 0.0


func set_up(grid: PathForgeGrid, units: HillsUnits, of_cells: Rect2i, ground: Vector3) -> void:
	_units = units
	cells = of_cells
	position = ground
	var base := HillsMesh.new()
	base.box(Vector3(0, -1.2, 0), Vector3(2.9, 1.3, 2.9), HillsGround.STONE_DARK)
	var site := MeshInstance3D.new()
	site.mesh = base.commit()
	site.material_override = HillsMesh.paint()
	add_child(site)
	var walls := HillsMesh.new()
	walls.cone(Vector3.ZERO, Vector2(1.4, 1.15), 4.6, HillsGround.STONE, 10)
	walls.cone(Vector3.UP * 4.5, Vector2(1.25, 1.5), 0.4, HillsGround.STONE_DARK, 10)
	walls.cone(Vector3.UP * 4.9, Vector2(1.5, 1.5), 0.5, HillsGround.STONE, 10)
	walls.cone(Vector3.UP * 5.4, Vector2(1.6, 0.0), 1.7, HillsGround.ROOFS[0], 10)
	_tower.mesh = walls.commit()
	_tower.material_override = HillsMesh.paint()
	_tower.visible = false
	add_child(_tower)
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
