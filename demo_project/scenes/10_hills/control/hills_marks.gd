class_name HillsMarks
extends MeshInstance3D
## Marks on the ground: cells that stop a unit, and where an order leads.

## The most cells that are marked.
const CELLS_MAX := 600
const LIFT := 0.12

var _space: PathForgeSpace3D
var _pins: Array[MeshInstance3D] = []
var _pin_mesh: ArrayMesh
var _ping := MeshInstance3D.new()
var _ping_age := 1.0


func set_up(space: PathForgeSpace3D) -> void:
	_space = space
	material_override = glow()
	cast_shadow = SHADOW_CASTING_SETTING_OFF
	var pin := DemoMesh.new()
	pin.cone(Vector3.ZERO, Vector2(0.0, 0.7), 1.8, DemoPalette.BAD)
	pin.cone(Vector3.UP * 1.8, Vector2(0.7, 0.3), 0.5, DemoPalette.BAD)
	_pin_mesh = pin.commit()
	_ping.mesh = ring(1.0)
	_add(_ping)


func _process(delta: float) -> void:
	_ping_age = minf(_ping_age + delta * 1.6, 1.0)
	_ping.visible = _ping_age < 1.0
	_ping.scale = Vector3.ONE * (2.4 - 2.0 * _ping_age)
	for pin: MeshInstance3D in _pins:
		pin.rotate_y(delta * 2.0)


## A ring that closes in on where units are sent.
func ping(at: Vector3) -> void:
	_ping.global_position = at + Vector3.UP * LIFT * 3.0
	_ping_age = 0.0


## Marks cells in red, and puts a pin onto each goal that cannot be reached.
func show_cells(cells: Array[Vector2i], goals: Array[Vector2i]) -> void:
	_put_pins(goals)
	var surface := DemoMesh.new()
	var tint := Color(DemoPalette.BAD, 0.5)
	for cell: Vector2i in cells.slice(0, CELLS_MAX):
		var corners: Array[Vector3] = []
		for corner: Vector2 in [Vector2.ZERO, Vector2(1, 0), Vector2.ONE, Vector2(0, 1)]:
			var at := Vector2(cell) + Vector2(0.04, 0.04) + corner * 0.92
			corners.append(_space.to_space(at) + Vector3.UP * LIFT)
		surface.quad(corners, tint)
	mesh = surface.commit() if not cells.is_empty() else null


func show_nothing() -> void:
	_put_pins([])
	mesh = null


## Whether something is marked.
func is_shown() -> bool:
	return not _pins.is_empty()


## Where the pins stand.
func pinned() -> PackedVector3Array:
	var places := PackedVector3Array()
	for pin: MeshInstance3D in _pins:
		places.append(pin.global_position)
	return places


func _put_pins(goals: Array[Vector2i]) -> void:
	for pin: MeshInstance3D in _pins:
		pin.queue_free()
	_pins.clear()
	for goal: Vector2i in goals:
		var pin := MeshInstance3D.new()
		pin.mesh = _pin_mesh
		_add(pin)
		pin.visible = true
		pin.global_position = _space.cell_to_global(goal)
		_pins.append(pin)


## A mark that is not shown yet.
func _add(mark: MeshInstance3D) -> void:
	mark.material_override = glow()
	mark.cast_shadow = SHADOW_CASTING_SETTING_OFF
	mark.visible = false
	add_child(mark)


## A flat ring of a radius round the origin.
static func ring(radius: float) -> ArrayMesh:
	var surface := DemoMesh.new()
	var sides := 32
	for side: int in sides:
		var here := Vector3.RIGHT.rotated(Vector3.DOWN, TAU * side / sides) * radius
		var next := Vector3.RIGHT.rotated(Vector3.DOWN, TAU * (side + 1) / sides) * radius
		surface.quad([here, next, next * 0.86, here * 0.86], DemoPalette.ACCENT)
	return surface.commit()


## Unlit, seen from both sides and through what stands before it.
static func glow() -> StandardMaterial3D:
	var material := DemoMesh.paint()
	material.shading_mode = BaseMaterial3D.SHADING_MODE_UNSHADED
	material.transparency = BaseMaterial3D.TRANSPARENCY_ALPHA
	material.cull_mode = BaseMaterial3D.CULL_DISABLED
	material.no_depth_test = true
	return material
