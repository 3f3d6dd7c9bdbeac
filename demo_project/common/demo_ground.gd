class_name DemoGround
extends MeshInstance3D
## The ground of a grid in 3D: a mesh through the centres of its cells, solid ones darker.

const OPEN := Color("6f9a58")
const HIGH := Color("c8c29a")
const STEEP := Color("5d4a3c")

@export var size := Vector2i(40, 20)
@export var noise: FastNoiseLite


## A picture of hills.
func picture() -> Image:
	return noise.get_image(size.x, size.y, false, false, true)


func show_ground(space: PathForgeSpace3D, grid: PathForgeGrid) -> void:
	var surface := SurfaceTool.new()
	surface.begin(Mesh.PRIMITIVE_TRIANGLES)
	var heights := Array(space.get_height_data())
	var highest: float = maxf(heights.max(), 0.001)
	var corners: Array[Vector2i] = [
		Vector2i.ZERO, Vector2i(1, 0), Vector2i(0, 1), Vector2i(1, 0), Vector2i.ONE, Vector2i(0, 1)
	]
	for y: int in grid.region.size.y - 1:
		for x: int in grid.region.size.x - 1:
			for corner: Vector2i in corners:
				var cell := grid.region.position + Vector2i(x, y) + corner
				var height := space.get_height(cell) / highest
				var color := OPEN.lerp(HIGH, height)
				surface.set_color(STEEP if grid.is_point_solid(cell) else color)
				surface.add_vertex(space.cell_to_global(cell))
	surface.generate_normals()
	mesh = surface.commit()
