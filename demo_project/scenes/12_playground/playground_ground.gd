class_name PlaygroundGround
extends Node2D
## Draws the cells of the grid: floor, walls, mud and water.

const MUD := Color("4d4436")
const MUD_LIGHT := Color("6f6244")
## How much of a wall's face is seen, in pixels.
const FACE := 6.0

var _grid: PathForgeGrid
var _cell := 20.0
var _kinds: PackedByteArray = []


func set_up(grid: PathForgeGrid) -> void:
	_grid = grid
	_cell = grid.cell_size.x
	grid.cells_changed.connect(_on_grid_cells_changed)


func _on_grid_cells_changed(_region: Rect2i) -> void:
	queue_redraw()


func _draw() -> void:
	if _grid == null:
		return
	_kinds = PlaygroundMap.of_grid(_grid).cells
	var whole := Rect2(Vector2.ZERO, Vector2(PlaygroundMap.SIZE) * _cell)
	draw_rect(whole.grow(5.0), DemoPalette.ROOF_DARK)
	draw_rect(whole.grow(2.0), DemoPalette.WALL_DARK)
	for place: int in _kinds.size():
		_draw_ground(PlaygroundMap.cell_at(place))
	for place: int in _kinds.size():
		if _kinds[place] == PlaygroundMap.Cell.WALL:
			draw_rect(_box(PlaygroundMap.cell_at(place), Vector2(3.0, 4.0)), DemoPalette.SHADOW)
	for place: int in _kinds.size():
		if _kinds[place] == PlaygroundMap.Cell.WALL:
			_draw_wall(PlaygroundMap.cell_at(place))


func _draw_ground(cell: Vector2i) -> void:
	var area := _box(cell)
	match _kind(cell):
		PlaygroundMap.Cell.MUD:
			_draw_mud(cell, area)
		PlaygroundMap.Cell.WATER:
			_draw_water(cell, area)
		_:
			var shade := 0.03 if (cell.x + cell.y) % 2 == 0 else -0.02
			draw_rect(area, DemoPalette.PAVEMENT.lightened(shade))


func _draw_mud(cell: Vector2i, area: Rect2) -> void:
	draw_rect(area, MUD.lightened(DemoPalette.grain(cell) * 0.06))
	for puddle: int in 3:
		var spot := Vector2(
			DemoPalette.grain(cell, puddle + 5), DemoPalette.grain(cell, puddle + 9)
		)
		var middle := area.position + Vector2.ONE * 4.0 + spot * (_cell - 8.0)
		var radius := 1.4 + 2.0 * DemoPalette.grain(cell, puddle + 13)
		var color := MUD_LIGHT if puddle > 0 else MUD.darkened(0.3)
		DemoPalette.draw_disc(self, middle, radius, color)
	_draw_banks(cell, area, MUD.darkened(0.25))


func _draw_water(cell: Vector2i, area: Rect2) -> void:
	draw_rect(area, DemoPalette.WATER.lerp(DemoPalette.WATER_DEEP, DemoPalette.grain(cell)))
	if DemoPalette.grain(cell, 2) > 0.45:
		var spot := Vector2(DemoPalette.grain(cell, 3), DemoPalette.grain(cell, 4))
		var at := area.position + Vector2(2.0, 6.0) + spot * Vector2(_cell - 12.0, _cell - 10.0)
		draw_line(at, at + Vector2(8.0, 0.0), Color(DemoPalette.WATER_LIGHT, 0.5), 1.3)
	_draw_banks(cell, area, DemoPalette.SHALLOW)


## An edge where another kind of ground begins; the upper one is in the shade.
func _draw_banks(cell: Vector2i, area: Rect2, color: Color) -> void:
	for side: Vector2i in [Vector2i.UP, Vector2i.DOWN, Vector2i.LEFT, Vector2i.RIGHT]:
		if _kind(cell + side) != _kind(cell):
			var is_upper := side == Vector2i.UP
			var shade := DemoPalette.BANK.darkened(0.3) if is_upper else color
			draw_rect(DemoPalette.edge(area, side, 3.0 if is_upper else 2.0), shade)


func _draw_wall(cell: Vector2i) -> void:
	var area := _box(cell)
	draw_rect(area, DemoPalette.WALL_TOP.darkened(0.08 * DemoPalette.grain(cell, 3)))
	if not _is_wall(cell + Vector2i.DOWN):
		draw_rect(DemoPalette.edge(area, Vector2i.DOWN, FACE), DemoPalette.WALL_FACE)
		draw_rect(DemoPalette.edge(area, Vector2i.DOWN, 1.0), DemoPalette.WALL_DARK)
	if not _is_wall(cell + Vector2i.UP):
		draw_rect(DemoPalette.edge(area, Vector2i.UP, 1.5), DemoPalette.WALL_LIGHT)
	if not _is_wall(cell + Vector2i.LEFT):
		draw_rect(DemoPalette.edge(area, Vector2i.LEFT, 1.2), DemoPalette.WALL_LIGHT.darkened(0.15))
	if not _is_wall(cell + Vector2i.RIGHT):
		draw_rect(DemoPalette.edge(area, Vector2i.RIGHT, 1.2), DemoPalette.WALL_FACE)


func _is_wall(cell: Vector2i) -> bool:
	return _kind(cell) == PlaygroundMap.Cell.WALL


## The kind of a cell; beyond the map, that of the nearest cell.
func _kind(cell: Vector2i) -> int:
	var inner := cell.clamp(Vector2i.ZERO, PlaygroundMap.SIZE - Vector2i.ONE)
	return _kinds[inner.y * PlaygroundMap.SIZE.x + inner.x]


func _box(cell: Vector2i, shift := Vector2.ZERO) -> Rect2:
	return Rect2(Vector2(cell) * _cell + shift, Vector2.ONE * _cell)
