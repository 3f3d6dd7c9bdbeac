class_name IslandBridge
extends Node2D
## A bridge: while it stands its cells are land, and when it is blown up they are the water below.
## A change of terrain, once no unit is on it that could not stand on what it becomes.

## It stands again, or it does not.
signal changed

const BLAST_TIME := 1.1

@export var title := ""

var cells := Rect2i()
var stands := true
## Asks whether a unit is on cells that may not be on a terrain:
## [code]func(cells: Rect2i, terrain: int) -> bool[/code].
var is_held := Callable()

## Whether it is to change as soon as it can.
var is_waiting := false

var _grid: PathForgeGrid
var _cell := 16.0
var _blast := 1.0
var _time := 0.0


func set_up(grid: PathForgeGrid, area: Rect2i) -> void:
	_grid = grid
	_cell = grid.cell_size.x
	cells = area
	position = Vector2(area.position) * _cell


## Blows it up, or builds it again.
func toggle() -> void:
	is_waiting = not is_waiting
	queue_redraw()


## How many cells wide it is for a unit that crosses it.
func width() -> int:
	return mini(cells.size.x, cells.size.y)


func _process(delta: float) -> void:
	_time += delta
	if is_waiting and not is_held.call(cells, _next_terrain()):
		_change()
	if _blast < 1.0:
		_blast = minf(_blast + delta / BLAST_TIME, 1.0)
		queue_redraw()
	elif is_waiting:
		queue_redraw()


func _next_terrain() -> int:
	return IslandMap.WATER if stands else IslandMap.LAND


## The one line that changes the map; every path that leads over it is looked for again.
func _change() -> void:
	_grid.fill_terrain_region(cells, _next_terrain())
	is_waiting = false
	stands = not stands
	_blast = 1.0 if stands else 0.0
	changed.emit()
	queue_redraw()


func _draw() -> void:
	var size := Vector2(cells.size) * _cell
	var along := Vector2.RIGHT if _spans_x() else Vector2.DOWN
	if stands:
		_draw_deck(Rect2(Vector2.ZERO, size), along)
	else:
		_draw_stumps(size, along)
	if is_waiting:
		var tint := Color(DemoPalette.WARN, 0.45 + 0.35 * sin(_time * 10.0))
		draw_rect(Rect2(Vector2.ZERO, size).grow(2.0), tint, false, 2.5)
	if _blast < 1.0:
		_draw_blast(size)


## Whether one crosses it from west to east: then there is water north of it.
func _spans_x() -> bool:
	return (
		_grid.get_point_terrain(cells.position + Vector2i(cells.size.x / 2, -1)) == IslandMap.WATER
	)


func _draw_deck(area: Rect2, along: Vector2) -> void:
	var across := Vector2(along.y, along.x)
	var deck := area.grow_individual(along.x * 5.0, along.y * 5.0, along.x * 5.0, along.y * 5.0)
	draw_rect(Rect2(deck.position + Vector2(2.0, 4.0), deck.size), DemoPalette.SHADOW)
	draw_rect(deck, DemoPalette.WOOD)
	var length := along.dot(deck.size)
	var plank := 4.0
	while plank < length:
		var start := deck.position + along * plank
		var shade := DemoPalette.WOOD_DARK.lerp(DemoPalette.WOOD, 0.4)
		draw_line(start, start + across * across.dot(deck.size), shade, 1.0)
		plank += 4.0
	for rail: float in [0.0, across.dot(deck.size) - 2.5]:
		var beam := Rect2(deck.position + across * rail, along * length + across * 2.5)
		draw_rect(beam, DemoPalette.WOOD_DARK)
		draw_rect(Rect2(beam.position, along * length + across), DemoPalette.WOOD_LIGHT)
	for corner: Vector2 in [Vector2(0, 0), Vector2(1, 0), Vector2(0, 1), Vector2(1, 1)]:
		var post := deck.position + deck.size * corner
		DemoPalette.draw_disc(self, post, 3.6, DemoPalette.WOOD_DARK)
		DemoPalette.draw_disc(self, post - Vector2(0.5, 0.7), 2.2, DemoPalette.WOOD_LIGHT)


## What is left: charred ends at the banks, and planks adrift.
func _draw_stumps(size: Vector2, along: Vector2) -> void:
	var across := Vector2(along.y, along.x)
	var length := along.dot(size)
	var char_wood := DemoPalette.WOOD_DARK.darkened(0.35)
	var wide := across.dot(size)
	for place: int in int(wide / 4.0):
		var side := across * (place * 4.0)
		var stub := 5.0 + 6.0 * DemoPalette.grain(cells.position + Vector2i(place, 0), 3)
		var far := 5.0 + 6.0 * DemoPalette.grain(cells.position + Vector2i(place, 1), 3)
		var tint := char_wood.lightened(0.12 * (place % 2))
		draw_rect(Rect2(side - along * 5.0, along * stub + across * 3.6), tint)
		var end := side + along * (length + 5.0 - far)
		draw_rect(Rect2(end, along * far + across * 3.6), tint)
	for number: int in maxi(2, int(wide / 12.0)):
		var spot := Vector2(
			DemoPalette.grain(cells.position, number + 20),
			DemoPalette.grain(cells.end, number + 30)
		)
		var at := size * 0.2 + spot * size * 0.6
		draw_set_transform(at, spot.x * TAU)
		draw_rect(Rect2(-5.0, -1.4, 10.0, 2.8), DemoPalette.WOOD_DARK)
		draw_rect(Rect2(-5.0, -1.4, 10.0, 1.0), DemoPalette.WOOD)
	draw_set_transform(Vector2.ZERO)


func _draw_blast(size: Vector2) -> void:
	var fade := 1.0 - _blast
	for puff: int in 14:
		var spot := Vector2(
			DemoPalette.grain(cells.position, puff), DemoPalette.grain(cells.end, puff + 50)
		)
		var out := (spot - Vector2(0.5, 0.5)) * size * (0.6 + 1.3 * _blast)
		var at := size * 0.5 + out + Vector2(0.0, -10.0 * _blast)
		var radius := (4.0 + 9.0 * spot.x) * (0.6 + 0.8 * _blast)
		var tint := DemoPalette.SCOUT.lerp(DemoPalette.TANK, minf(_blast * 2.0, 1.0))
		tint = tint.lerp(DemoPalette.WALL_DARK, clampf(_blast * 1.6 - 0.5, 0.0, 1.0))
		DemoPalette.draw_disc(self, at, radius, Color(tint, fade * 0.85))
