class_name DemoMesh
extends RefCounted
## Builds one mesh of coloured boxes, roofs and cones, for one draw call. Colours are of vertices.

## Where the next pieces are put.
var at := Transform3D.IDENTITY

var _surface := SurfaceTool.new()


func _init() -> void:
	_surface.begin(Mesh.PRIMITIVE_TRIANGLES)


## A box that stands on [param base], the middle of its lower side.
func box(base: Vector3, size: Vector3, color: Color) -> void:
	var low := _rectangle(base, size)
	var high := _rectangle(base + Vector3.UP * size.y, size)
	quad([high[0], high[1], high[2], high[3]], color)
	for side: int in 4:
		var next := (side + 1) % 4
		quad([high[next], high[side], low[side], low[next]], color)


## A roof of two sides that stands on [param base]; its ridge runs along the longer side.
func roof(base: Vector3, size: Vector3, color: Color) -> void:
	var low := _rectangle(base, size)
	var along := Vector3(size.x, 0.0, 0.0) if size.x > size.z else Vector3(0.0, 0.0, size.z)
	var top := base + Vector3.UP * size.y
	var first := top - along * 0.5
	var second := top + along * 0.5
	if size.x > size.z:
		quad([first, second, low[2], low[3]], color)
		quad([second, first, low[0], low[1]], color)
		quad([second, second, low[1], low[2]], color.darkened(0.25))
		quad([first, first, low[3], low[0]], color.darkened(0.25))
	else:
		quad([first, second, low[3], low[0]], color)
		quad([second, first, low[1], low[2]], color)
		quad([first, first, low[0], low[1]], color.darkened(0.25))
		quad([second, second, low[2], low[3]], color.darkened(0.25))


## A cone, or what a plane leaves of one, that stands on [param base].
func cone(base: Vector3, radii: Vector2, height: float, color: Color, sides := 7) -> void:
	var top := base + Vector3.UP * height
	for side: int in sides:
		var here := Vector3.RIGHT.rotated(Vector3.DOWN, TAU * side / sides)
		var next := Vector3.RIGHT.rotated(Vector3.DOWN, TAU * (side + 1) / sides)
		var corners: Array[Vector3] = [
			top + next * radii.y,
			top + here * radii.y,
			base + here * radii.x,
			base + next * radii.x,
		]
		quad(corners, color)
		if radii.y > 0.0:
			quad([top, top, top + here * radii.y, top + next * radii.y], color)


## Four corners, clockwise as they are seen; the first two may be one.
func quad(corners: Array[Vector3], color: Color) -> void:
	var placed: Array[Vector3] = []
	for corner: Vector3 in corners:
		placed.append(at * corner)
	var normal := (placed[3] - placed[1]).cross(placed[2] - placed[1]).normalized()
	_surface.set_color(color)
	_surface.set_normal(normal)
	for place: int in [0, 1, 2, 0, 2, 3]:
		_surface.add_vertex(placed[place])


func commit() -> ArrayMesh:
	return _surface.commit()


## Draws vertices in their own colours.
static func paint() -> StandardMaterial3D:
	var material := StandardMaterial3D.new()
	material.vertex_color_use_as_albedo = true
	material.vertex_color_is_srgb = true
	material.roughness = 0.95
	return material


## Clockwise, seen from above.
static func _rectangle(base: Vector3, size: Vector3) -> Array[Vector3]:
	var half := Vector3(size.x * 0.5, 0.0, size.z * 0.5)
	return [
		base - half,
		base + Vector3(half.x, 0.0, -half.z),
		base + half,
		base + Vector3(-half.x, 0.0, half.z),
	]
