class_name DangerValley
extends Node2D
## Grass, the camps that walkers come from and the gate that they want to reach; or the rocks, which
## lie above the heat of danger. Drawn once.

const _FACE := 8.0

## Whether this one draws the rocks, and nothing else.
@export var has_rocks := false

var _cells := Rect2i()
var _rocks := PackedByteArray()
var _cell := 20.0
var _kinds: Array[DangerKind] = []
var _gate := Rect2i()


## Draws the cells of [param grid] as they are now: what is solid is rock.
func set_up(grid: PathForgeGrid, kinds: Array[DangerKind], gate: Rect2i) -> void:
	_cells = grid.region
	_rocks = grid.get_solid_data()
	_cell = grid.cell_size.x
	_kinds = kinds
	_gate = gate
	queue_redraw()


func _draw() -> void:
	if has_rocks:
		_draw_rocks()
		return
	draw_rect(Rect2(Vector2.ZERO, Vector2(_cells.size) * _cell).grow(6.0), DemoPalette.PANEL)
	for y: int in _cells.size.y:
		for x: int in _cells.size.x:
			_draw_grass(Vector2i(x, y))
	_draw_tufts()
	_draw_mats()


func _draw_rocks() -> void:
	for y: int in _cells.size.y:
		for x: int in _cells.size.x:
			_draw_shadow(Vector2i(x, y))
	for y: int in _cells.size.y:
		for x: int in _cells.size.x:
			_draw_rock(Vector2i(x, y))


func _draw_grass(cell: Vector2i) -> void:
	var area := Rect2(Vector2(cell) * _cell, Vector2.ONE * _cell)
	var broad := DemoPalette.grain(Vector2i(cell.x / 3, cell.y / 3), 2)
	var mix := DemoPalette.grain(cell) * 0.35 + broad * 0.5
	draw_rect(area, DemoPalette.GRASS.lerp(DemoPalette.GRASS_LIGHT, mix))


func _draw_tufts() -> void:
	var blades := PackedVector2Array()
	for y: int in _cells.size.y:
		for x: int in _cells.size.x:
			var cell := Vector2i(x, y)
			if _is_rock(cell) or DemoPalette.grain(cell, 1) > 0.2:
				continue
			var spot := Vector2(DemoPalette.grain(cell, 6), DemoPalette.grain(cell, 7))
			var root := Vector2(cell) * _cell + spot * (_cell - 9.0) + Vector2(3.0, 7.0)
			for tip: Vector2 in [Vector2(-2.0, -4.0), Vector2(0.5, -5.0), Vector2(3.0, -3.5)]:
				blades.append_array([root, root + tip])
	draw_multiline(blades, DemoPalette.GRASS_LIGHT.lightened(0.12), 1.0)


## Where walkers come from, and where they go.
func _draw_mats() -> void:
	for kind: DangerKind in _kinds:
		for camp: Rect2i in kind.camps:
			_draw_mat(camp, kind.colour)
	_draw_mat(_gate, DemoPalette.ACCENT)
	var middle := Rect2(_gate).get_center() * _cell
	for step: int in 3:
		var tip := middle + Vector2(-12.0 + step * 12.0, 0.0)
		var arrow := PackedVector2Array(
			[tip + Vector2(-5, -8), tip + Vector2(3, 0), tip + Vector2(-5, 8)]
		)
		draw_polyline(arrow, Color(DemoPalette.ACCENT, 0.8), 2.5, true)


func _draw_mat(cells: Rect2i, colour: Color) -> void:
	var area := Rect2(Vector2(cells.position) * _cell, Vector2(cells.size) * _cell)
	draw_rect(area, Color(colour, 0.16))
	draw_rect(area.grow(-2.0), Color(colour, 0.55), false, 2.0)


func _draw_shadow(cell: Vector2i) -> void:
	if not _is_rock(cell):
		return
	var area := Rect2(Vector2(cell) * _cell, Vector2.ONE * _cell)
	area.position += Vector2(3.0, _FACE - 1.0)
	draw_rect(area, DemoPalette.SHADOW)


func _draw_rock(cell: Vector2i) -> void:
	if not _is_rock(cell):
		return
	var corner := Vector2(cell) * _cell
	var shade := DemoPalette.grain(cell, 5) * 0.12 - 0.06
	var top := DemoPalette.WALL_TOP.darkened(0.22).lightened(shade)
	draw_rect(Rect2(corner, Vector2.ONE * _cell), top)
	if DemoPalette.grain(cell, 8) > 0.7:
		var spot := Vector2(DemoPalette.grain(cell, 9), DemoPalette.grain(cell, 10)) * 8.0
		draw_rect(Rect2(corner + spot + Vector2.ONE * 3.0, Vector2(6, 2)), top.darkened(0.14))
	if not _is_rock(cell + Vector2i.DOWN):
		var face := Rect2(corner + Vector2(0.0, _cell - _FACE), Vector2(_cell, _FACE))
		draw_rect(face, DemoPalette.WALL_FACE.darkened(0.1))
		draw_rect(Rect2(face.position, Vector2(_cell, 1.5)), DemoPalette.WALL_DARK)
	if not _is_rock(cell + Vector2i.UP):
		draw_rect(Rect2(corner, Vector2(_cell, 2.0)), DemoPalette.WALL_LIGHT.darkened(0.12))
	if not _is_rock(cell + Vector2i.LEFT):
		draw_rect(Rect2(corner, Vector2(1.5, _cell)), DemoPalette.WALL_LIGHT.darkened(0.25))
	if not _is_rock(cell + Vector2i.RIGHT):
		draw_rect(
			Rect2(corner + Vector2(_cell - 1.5, 0), Vector2(1.5, _cell)), DemoPalette.WALL_DARK
		)


func _is_rock(cell: Vector2i) -> bool:
	return not _cells.has_point(cell) or _rocks[cell.y * _cells.size.x + cell.x] != 0
