@tool
extends RefCounted
## Between the screen and the cells of a grid. In [i]cell space[/i], cell (x, y) is the square from
## (x, y) to (x + 1, y + 1), whatever the shape of the grid's cells.


## From cell space to the grid's local space.
static func to_local(grid: PathForgeGrid) -> Transform2D:
	var center := grid.cell_to_local(Vector2i.ZERO)
	var x := grid.cell_to_local(Vector2i.RIGHT) - center
	var y := grid.cell_to_local(Vector2i.DOWN) - center
	return Transform2D(x, y, center - (x + y) / 2.0)


## From cell space to the editor's 2D view.
static func to_screen(grid: PathForgeGrid) -> Transform2D:
	return grid.get_viewport_transform() * grid.get_global_transform() * to_local(grid)


## The top-left cell of a body of [param size] whose centre is nearest to a point of the view.
static func anchor_at(grid: PathForgeGrid, point: Vector2, size: Vector2i) -> Vector2i:
	var place := to_screen(grid).affine_inverse() * point - Vector2(size) / 2.0
	return Vector2i(place.round())


## The corners of [param cells] in the view, and the first again.
static func outline(screen: Transform2D, cells: Rect2i) -> PackedVector2Array:
	var end := cells.end
	var corners: Array[Vector2i] = [
		cells.position, Vector2i(end.x, cells.position.y), end, Vector2i(cells.position.x, end.y)
	]
	var points := PackedVector2Array()
	for corner: Vector2i in corners:
		points.append(screen * Vector2(corner))
	points.append(points[0])
	return points


## Fills and outlines [param cells].
static func draw_cells(
	overlay: Control, screen: Transform2D, cells: Rect2i, color: Color, fill := 0.25
) -> void:
	var points := outline(screen, cells)
	overlay.draw_colored_polygon(points.slice(0, 4), Color(color, fill))
	overlay.draw_polyline(points, color, 2.0, true)
