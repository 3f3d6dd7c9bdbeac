class_name PlaygroundFigure
extends Node2D
## Draws the body at the start to scale, the flag at the goal, and the body that walks the path over
## and over again.

## Cells a second.
const SPEED := 9.0
## Seconds between two walks.
const REST := 0.8

var _grid: PathForgeGrid
var _body: PlaygroundBody
var _anchor := Vector2i.ZERO
var _end := Vector2i.ZERO
var _cells: Array[Vector2i] = []
## How far the walk is, in cells; before the start and beyond the end it rests.
var _along := 0.0
var _time := 0.0


func set_up(grid: PathForgeGrid) -> void:
	_grid = grid


## Shows a body that is to go from one place of its top-left cell to another. [param cells] is its
## path, and empty without one.
func show_body(
	body: PlaygroundBody, anchor: Vector2i, end: Vector2i, cells: Array[Vector2i]
) -> void:
	if cells.is_empty() or body != _body or anchor != _anchor:
		_along = -SPEED * REST
	_body = body
	_anchor = anchor
	_end = end
	_cells = cells
	_along = minf(_along, cells.size() - 1.0)
	# Without a path the overlay's marks are above the body, and otherwise its line is below.
	z_index = 0 if cells.is_empty() else 1


func _process(delta: float) -> void:
	_time += delta
	_along += SPEED * delta
	if _along > _cells.size() - 1.0 + SPEED * REST:
		_along = -SPEED * REST
	queue_redraw()


func _draw() -> void:
	if _body == null:
		return
	_draw_flag()
	_draw_body(_grid.cell_to_local(_anchor, _body.profile), 1.0)
	if not _cells.is_empty() and _along > 0.0:
		_draw_body(_walker(), 0.72)


## The middle of the body that walks.
func _walker() -> Vector2:
	var at := minf(_along, _cells.size() - 1.0)
	var here := _grid.cell_to_local(_cells[floori(at)], _body.profile)
	return here.lerp(_grid.cell_to_local(_cells[ceili(at)], _body.profile), at - floorf(at))


func _draw_flag() -> void:
	var mat := Rect2(_end, _body.profile.footprint)
	mat = Rect2(mat.position * _grid.cell_size, mat.size * _grid.cell_size)
	draw_rect(mat.grow(-1.0), Color(DemoPalette.GOOD, 0.2))
	var foot := mat.get_center() + Vector2(-4.0, 8.0)
	var top := foot + Vector2(0.0, -22.0)
	var wave := sin(_time * 3.0) * 1.5
	DemoPalette.draw_disc(self, foot, 3.2, DemoPalette.SHADOW)
	draw_line(foot, top, DemoPalette.WALL_LIGHT, 2.0)
	var cloth := PackedVector2Array([top, top + Vector2(14.0, 3.0 + wave), top + Vector2(0, 9.0)])
	draw_colored_polygon(cloth, DemoPalette.GOOD)


func _draw_body(middle: Vector2, alpha: float) -> void:
	var footprint := Vector2(_body.profile.footprint) * _grid.cell_size
	var side := minf(footprint.x, footprint.y)
	var area := Rect2(middle - footprint * 0.5, footprint).grow(-1.5)
	var hull := StyleBoxFlat.new()
	hull.set_corner_radius_all(int(side * 0.28))
	hull.bg_color = DemoPalette.SHADOW
	draw_style_box(hull, Rect2(area.position + Vector2(2.0, 3.0), area.size))
	hull.bg_color = Color(_body.color, alpha)
	hull.border_color = Color(_body.color.lightened(0.4), alpha)
	hull.border_width_top = maxi(1, int(side * 0.07))
	draw_style_box(hull, area)
	_draw_face(area.get_center(), side)


## A face that smiles if the body has a path.
func _draw_face(middle: Vector2, side: float) -> void:
	var aim := _grid.cell_to_local(_end, _body.profile) - middle
	var look := aim.limit_length(1.0) * side * 0.05
	for left: float in [-1.0, 1.0]:
		var eye := middle + Vector2(left * side * 0.19, -side * 0.1) + look
		DemoPalette.draw_disc(self, eye, side * 0.125, DemoPalette.TEXT)
		DemoPalette.draw_disc(self, eye + look * 0.8, side * 0.075, DemoPalette.INK)
	var is_glad := not _cells.is_empty()
	var mouth := middle + look + Vector2(0.0, side * (0.13 if is_glad else 0.3))
	var from := 0.15 * PI if is_glad else 1.2 * PI
	var to := 0.85 * PI if is_glad else 1.8 * PI
	draw_arc(mouth, side * 0.13, from, to, 10, DemoPalette.INK, maxf(1.2, side * 0.05), true)
