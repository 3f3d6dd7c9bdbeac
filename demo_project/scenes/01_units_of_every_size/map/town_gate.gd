class_name TownGate
extends Node2D
## A gate of one or more cells: closed, its cells are solid. The grid changes at once; the leaves
## wait until none stands between them.

## From open to shut, in seconds.
const SWING_TIME := 0.35

## The cells that it fills.
var cells := Rect2i()
## Whether it lets through.
var is_open := false
## Asks whether some unit's body is over a cell: [code]func(cell: Vector2i) -> bool[/code].
var is_occupied := Callable()

## 0 shut, 1 open: where the leaves are.
var _openness := 0.0
var _cell := 20.0
var _grid: PathForgeGrid


## Takes its place on the map.
func set_up(grid: PathForgeGrid, area: Rect2i, open: bool) -> void:
	_grid = grid
	_cell = grid.cell_size.x
	cells = area
	position = Vector2(area.position) * _cell
	is_open = open
	_openness = float(open)
	apply()


## Opens what is shut and shuts what is open.
func toggle() -> void:
	is_open = not is_open
	apply()


## True while the leaves are not where they should be.
func is_moving() -> bool:
	return _openness != float(is_open)


## True while a unit may still be between the leaves of a gate that is about to shut.
func is_waiting() -> bool:
	return is_moving() and _openness == float(not is_open)


## What it is called in the panel.
func title() -> String:
	return "Gate, %d wide" % maxi(cells.size.x, cells.size.y)


## Its cells, one by one.
func all_cells() -> Array[Vector2i]:
	var list: Array[Vector2i] = []
	for y: int in range(cells.position.y, cells.end.y):
		for x: int in range(cells.position.x, cells.end.x):
			list.append(Vector2i(x, y))
	return list


## Writes into the grid what the gate is now.
func apply() -> void:
	_grid.fill_solid_region(cells, not is_open)


func _process(delta: float) -> void:
	if not is_moving() or (is_waiting() and _is_held()):
		return
	_openness = move_toward(_openness, float(is_open), delta / SWING_TIME)
	queue_redraw()


func _draw() -> void:
	var size := Vector2(cells.size) * _cell
	var along := Vector2.RIGHT if cells.size.x > cells.size.y else Vector2.DOWN
	var across := Vector2(along.y, along.x)
	var span := along.dot(size)
	var thick := _cell * 0.56
	var inset := across * (_cell - thick) * 0.5
	var leaf := lerpf(span * 0.5, 4.0, _openness)
	_draw_threshold(Rect2(inset, along * span + across * thick), along)
	for from_start: bool in [true, false]:
		var start := inset if from_start else inset + along * (span - leaf)
		_draw_leaf(Rect2(start, along * leaf + across * thick), along)
	var lamp := DemoPalette.GOOD if is_open else DemoPalette.BAD
	for place: float in [0.0, span - 4.0]:
		var post := Rect2(along * place - across, along * 4.0 + across * (_cell + 2.0))
		draw_rect(post, DemoPalette.WALL_DARK)
		draw_rect(post.grow(-1.0), DemoPalette.STEEL)
		draw_rect(Rect2(post.get_center() - Vector2.ONE * 2.0, Vector2.ONE * 4.0), lamp)


## Rails in the ground and stripes between them, so that an open gate is seen as one.
func _draw_threshold(area: Rect2, along: Vector2) -> void:
	draw_rect(area, Color(DemoPalette.WARN, 0.10))
	var across := Vector2(along.y, along.x)
	for rail: float in [0.0, across.dot(area.size) - 1.5]:
		var start := area.position + across * rail
		draw_rect(Rect2(start, along * area.size + across * 1.5), DemoPalette.WALL_DARK)


func _draw_leaf(area: Rect2, along: Vector2) -> void:
	draw_rect(Rect2(area.position + Vector2(2.0, 3.0), area.size), DemoPalette.SHADOW)
	draw_rect(area, DemoPalette.WOOD)
	draw_rect(Rect2(area.position, Vector2(area.size.x, 1.5)), DemoPalette.WOOD_LIGHT)
	var foot := Rect2(area.position + Vector2(0.0, area.size.y - 3.0), Vector2(area.size.x, 3.0))
	draw_rect(foot, DemoPalette.WOOD_DARK)
	var board := 5.0
	while board < along.dot(area.size) - 2.0:
		var across := Vector2(along.y, along.x) * area.size + along
		draw_rect(Rect2(area.position + along * board, across), DemoPalette.WOOD_DARK)
		board += 5.0


func _is_held() -> bool:
	return is_occupied.is_valid() and all_cells().any(is_occupied)
