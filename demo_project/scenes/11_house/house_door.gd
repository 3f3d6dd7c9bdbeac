class_name HouseDoor
extends Node3D
## A door between two rooms: an opening in a wall of edges. Locked, its edges are blocked; it is
## locked as soon as it is clear.

const HEIGHT := 2.1
const RATE := 4.0
## How much of an open door is seen at its side.
const OPEN := 0.08

var title := ""
var is_locked := false
## What a player wants it to be.
var wants_locked := false

var _grid: PathForgeGrid
var _people: HousePeople
## The cells on the right of it, in the grid.
var _cells := Rect2i()
var _leaf := MeshInstance3D.new()
var _bar := MeshInstance3D.new()


func set_up(grid: PathForgeGrid, people: HousePeople, of_title: String) -> void:
	_grid = grid
	_people = people
	title = of_title
	var storey: int = HousePlan.DOORS[title][0]
	var cells: Rect2i = HousePlan.DOORS[title][1]
	_cells = HousePlan.on_floor(storey, cells)
	position = Vector3(cells.position.x, 0.0, cells.position.y) * HousePlan.CELL
	position.y = storey * HousePlan.STOREY
	var length := cells.size.y * HousePlan.CELL
	var frame := DemoMesh.new()
	for z: float in [0.0, length]:
		frame.box(Vector3(0, 0, z), Vector3(0.24, HEIGHT, 0.14), DemoPalette.WOOD_DARK)
	frame.box(
		Vector3(0, HEIGHT, length * 0.5), Vector3(0.24, 0.16, length + 0.14), DemoPalette.WOOD_DARK
	)
	_add(MeshInstance3D.new(), frame)
	var leaf := DemoMesh.new()
	leaf.box(Vector3(0, 0, length * 0.5), Vector3(0.1, HEIGHT, length), DemoPalette.WOOD)
	_add(_leaf, leaf)
	var bar := DemoMesh.new()
	bar.box(Vector3(0, 1.0, length * 0.5), Vector3(0.3, 0.16, length), DemoPalette.BAD)
	_add(_bar, bar)
	_leaf.scale.z = OPEN


func _physics_process(_delta: float) -> void:
	if wants_locked != is_locked and (is_locked or _people.is_clear(box())):
		is_locked = wants_locked
		_grid.fill_edge_region(_cells, SIDE_LEFT, is_locked)


func _process(delta: float) -> void:
	_leaf.scale.z = move_toward(_leaf.scale.z, 1.0 if is_locked else OPEN, RATE * delta)
	_bar.visible = wants_locked
	_bar.scale.z = _leaf.scale.z


func toggle() -> void:
	wants_locked = not wants_locked


## Whether an edit of these cells, as [member PathForgeDiagnosis.closed_by] has them, locked it.
func is_closed_by(cells: Rect2i) -> bool:
	return cells.encloses(_cells) and cells.size.y == _cells.size.y


## Where it stands, for clicks.
func box() -> AABB:
	var size := Vector3(0.3, HEIGHT, _cells.size.y * HousePlan.CELL)
	return AABB(position - Vector3(0.15, 0.0, 0.0), size)


func _add(node: MeshInstance3D, mesh: DemoMesh) -> void:
	node.mesh = mesh.commit()
	node.material_override = DemoMesh.paint()
	add_child(node)
