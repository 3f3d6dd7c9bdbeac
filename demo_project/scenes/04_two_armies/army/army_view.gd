class_name ArmyView
extends MultiMeshInstance2D
## Soldiers of one kind and army. They are drawn by hand instead of by the crowd's own multimesh,
## since each of them turns to where it walks.

## Floats of an instance: two rows of a transform.
const STRIDE := 8
## The part of a picture's side that the disc fills; weapons stick out of it.
const DISC := 0.84
## How fast a soldier turns, and from what part of its speed on it does.
const TURNING := 8.0
const WALKING := 0.3
## A ring round a selected soldier is so much wider than its disc.
const RING := 1.35

## Where those who have arrived look.
var front := Vector2.RIGHT

## Whether each has a ring.
var is_selected := false:
	set(value):
		is_selected = value
		_rings.visible = value

var _rings := MultiMeshInstance2D.new()
var _first := 0
var _side := 1.0
var _slow_squared := 1.0
var _looks: PackedVector2Array
var _buffer: PackedFloat32Array


## Draws [param count] agents from place [param first] of the crowd's arrays on, as they walk about
## on [param field]. Each is as large as the disc that it keeps clear.
func set_up(
	first: int, count: int, radius: float, speed: float, picture: Texture2D, field: Rect2
) -> void:
	_first = first
	_side = radius * 2.0 / DISC
	_slow_squared = pow(speed * WALKING, 2.0)
	_looks.resize(count)
	_looks.fill(front)
	_buffer.resize(count * STRIDE)
	texture = _with_mipmaps(picture)
	texture_filter = TEXTURE_FILTER_LINEAR_WITH_MIPMAPS
	multimesh = _instances(count, 1.0, field)
	_rings.multimesh = _instances(count, DISC * RING, field)
	_rings.texture = preload("res://common/disc.svg")
	_rings.show_behind_parent = true
	_rings.visible = false
	add_child(_rings)


## Shows them where they are now.
func show_soldiers(
	positions: PackedVector2Array,
	velocities: PackedVector2Array,
	states: PackedInt32Array,
	delta: float
) -> void:
	var turn := minf(delta * TURNING, 1.0)
	for soldier: int in _looks.size():
		var agent := _first + soldier
		var look := _looks[soldier]
		if velocities[agent].length_squared() > _slow_squared:
			look = look.lerp(velocities[agent].normalized(), turn).normalized()
		elif states[agent] == PathForgeCrowd.STATE_ARRIVED:
			look = look.lerp(front, turn).normalized()
		_looks[soldier] = look
		var place := soldier * STRIDE
		_buffer[place] = look.x * _side
		_buffer[place + 1] = -look.y * _side
		_buffer[place + 3] = positions[agent].x
		_buffer[place + 4] = look.y * _side
		_buffer[place + 5] = look.x * _side
		_buffer[place + 7] = positions[agent].y
	multimesh.buffer = _buffer
	if is_selected:
		_rings.multimesh.buffer = _buffer


func _instances(count: int, side: float, field: Rect2) -> MultiMesh:
	var instances := MultiMesh.new()
	var quad := QuadMesh.new()
	quad.size = Vector2.ONE * side
	instances.mesh = quad
	instances.instance_count = count
	# Without bounds, the engine takes those of the places that they begin at.
	var corner := Vector3(field.position.x, field.position.y, 0.0)
	instances.custom_aabb = AABB(corner, Vector3(field.size.x, field.size.y, 0.0))
	return instances


## Soldiers are small on the screen: without mipmaps they glitter.
func _with_mipmaps(picture: Texture2D) -> Texture2D:
	var image := picture.get_image()
	image.generate_mipmaps()
	return ImageTexture.create_from_image(image)
