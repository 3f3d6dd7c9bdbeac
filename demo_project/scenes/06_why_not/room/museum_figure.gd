class_name MuseumFigure
extends Node2D
## The body that would like to go, and where to. With a way it walks there, again and again; without
## one it looks at what is in the way.

const SPEED := 4.0
const REST := 1.1
const _COLOURS: Array[Color] = [
	DemoPalette.SCOUT, DemoPalette.TANK, DemoPalette.HAULER, DemoPalette.BARGE
]

var _room: MuseumRoom
var _way: Array[Vector2i] = []
## How far it is along its way, in cells; past the end it rests.
var _along := 0.0
var _time := 0.0


func set_up(room: MuseumRoom) -> void:
	_room = room
	_time = room.number * 0.7
	room.answered.connect(_on_answered)


func _on_answered() -> void:
	var way: Array[Vector2i] = []
	if _room.is_found():
		way = _room.why.cells
	if way != _way:
		_way = way
		_along = -SPEED * REST
	# A figure without a path is below what the overlay says of it; a walking one is above its path.
	z_index = 1 if _room.is_found() else 0


func _process(delta: float) -> void:
	_time += delta
	if not _way.is_empty():
		_along += SPEED * delta
		if _along > _way.size() + SPEED * REST:
			_along = -SPEED * REST
	queue_redraw()


func _draw() -> void:
	var footprint := Vector2(_room.body.footprint) * MuseumRoom.CELL
	_draw_goal(footprint)
	_draw_body(_place(), footprint)


## The cells that it is on or between.
func stands() -> Array[Vector2i]:
	if _way.is_empty():
		return []
	var at := clampf(_along, 0.0, _way.size() - 1.0)
	return [_way[floori(at)], _way[ceili(at)]]


## The middle of the body.
func _place() -> Vector2:
	if _way.is_empty():
		return _centre(_room.exhibit.start)
	var at := clampf(_along, 0.0, _way.size() - 1.0)
	var here := _centre(_way[floori(at)])
	return here.lerp(_centre(_way[ceili(at)]), at - floorf(at))


func _draw_goal(footprint: Vector2) -> void:
	var corner := Vector2(_room.goal) * MuseumRoom.CELL
	var mat := Rect2(corner, footprint)
	draw_rect(mat.grow(-1.0), Color(DemoPalette.GOOD, 0.2))
	var foot := mat.get_center() + Vector2(-2.0, 5.0)
	var wave := sin(_time * 3.0) * 1.2
	DemoPalette.draw_disc(self, foot, 2.6, DemoPalette.SHADOW)
	draw_line(foot, foot + Vector2(0.0, -14.0), DemoPalette.WALL_LIGHT, 1.6)
	var top := foot + Vector2(0.0, -14.0)
	var cloth := PackedVector2Array([top, top + Vector2(9.5, 2.0 + wave), top + Vector2(0.0, 6.5)])
	draw_colored_polygon(cloth, DemoPalette.GOOD)


func _draw_body(middle: Vector2, footprint: Vector2) -> void:
	var is_glad := not _way.is_empty()
	var side := minf(footprint.x, footprint.y)
	var is_walking := is_glad and _along > 0.0 and _along < _way.size() - 1.0
	var bob := Vector2(0.0, -absf(sin(_time * 9.0)) * 1.2) if is_walking else Vector2.ZERO
	var area := Rect2(middle - footprint * 0.5 + bob, footprint).grow(-1.2)
	var colour := _COLOURS[clampi(_room.body.footprint.x, 1, 4) - 1]
	var hull := StyleBoxFlat.new()
	hull.set_corner_radius_all(int(side * 0.28))
	hull.bg_color = DemoPalette.SHADOW
	draw_style_box(hull, Rect2(area.position + Vector2(1.5, 2.5) - bob, area.size))
	hull.bg_color = colour
	hull.border_color = colour.lightened(0.4)
	hull.border_width_top = maxi(1, int(side * 0.07))
	draw_style_box(hull, area)
	_draw_face(area.get_center(), side, is_glad)


func _draw_face(middle: Vector2, side: float, is_glad: bool) -> void:
	var look := (_looks_at() - middle).limit_length(1.0) * side * 0.05
	var blink := fposmod(_time, 3.7) < 0.12
	for left: float in [-1.0, 1.0]:
		var eye := middle + Vector2(left * side * 0.19, -side * 0.1) + look
		if blink:
			draw_line(eye - Vector2(1.6, 0), eye + Vector2(1.6, 0), DemoPalette.INK, 1.2)
			continue
		DemoPalette.draw_disc(self, eye, side * 0.125, DemoPalette.TEXT)
		DemoPalette.draw_disc(self, eye + look * 0.8, side * 0.075, DemoPalette.INK)
	var mouth := middle + look + Vector2(0.0, side * (0.13 if is_glad else 0.3))
	var from := 0.15 * PI if is_glad else 1.2 * PI
	var to := 0.85 * PI if is_glad else 1.8 * PI
	draw_arc(mouth, side * 0.13, from, to, 10, DemoPalette.INK, maxf(1.2, side * 0.05), true)


## What refuses, or where it is going.
func _looks_at() -> Vector2:
	var cells: Array[Vector2i] = _room.why.cells
	if cells.is_empty() or not _way.is_empty():
		return _centre(_room.goal)
	return (Vector2(cells[0]) + Vector2(0.5, 0.5)) * MuseumRoom.CELL


func _centre(cell: Vector2i) -> Vector2:
	return _room.grid.cell_to_local(cell, _room.body)
