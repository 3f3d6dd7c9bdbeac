class_name TravellerWay
extends MeshInstance2D
## One traveller's way as a strip, which its shader keeps as wide as it is on the screen, however
## near the camera is.

var _material := ShaderMaterial.new()


func _init(colour: Color) -> void:
	_material.shader = preload("way.gdshader")
	material = _material
	modulate = colour


## A strip with two corners at each position.
func show_way(positions: PackedVector2Array) -> void:
	mesh = null
	if positions.size() < 2:
		return
	var corners := PackedVector2Array()
	var turns := PackedVector2Array()
	var length := 0.0
	var last := positions.size() - 1
	for at: int in positions.size():
		var back := positions[at] - positions[maxi(at - 1, 0)]
		var ahead := positions[mini(at + 1, last)] - positions[at]
		length += back.length()
		var angle := (back.normalized() + ahead.normalized()).orthogonal().angle()
		corners.append(positions[at])
		corners.append(positions[at])
		# The shader tells the sides apart by what is added.
		turns.append(Vector2(angle + 10.0, length))
		turns.append(Vector2(angle - 10.0, length))
	var arrays: Array = []
	arrays.resize(Mesh.ARRAY_MAX)
	arrays[Mesh.ARRAY_VERTEX] = corners
	arrays[Mesh.ARRAY_TEX_UV] = turns
	var strip := ArrayMesh.new()
	strip.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLE_STRIP, arrays)
	mesh = strip
	show_walked(0.0)


## What lies behind is not drawn.
func show_walked(length: float) -> void:
	_material.set_shader_parameter(&"walked", length)


func show_zoom(zoom: float) -> void:
	_material.set_shader_parameter(&"zoom", zoom)


## Brighter than the others, or as they are.
func show_bright(is_bright: bool) -> void:
	_material.set_shader_parameter(&"bright", 1.0 if is_bright else 0.0)
