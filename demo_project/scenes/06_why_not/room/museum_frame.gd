class_name MuseumFrame
extends Node2D
## The walls of a room and the plate below it, with a lamp: red for a refusal, green for a way.

const WALL := 8.0
const PLATE := 22.0
const SHARPNESS := 3

var is_current := false:
	set(value):
		is_current = value
		queue_redraw()

## Whether the pointer is on a room that the visitor is not in.
var is_hovered := false:
	set(value):
		if is_hovered != value:
			is_hovered = value
			queue_redraw()

## The cells that a click would change.
var hovered := Rect2i():
	set(value):
		if hovered != value:
			hovered = value
			queue_redraw()

var _room: MuseumRoom

@onready var _label: Label = $Title


func set_up(room: MuseumRoom) -> void:
	_room = room
	room.answered.connect(queue_redraw)
	_label.text = "%d  %s" % [room.number, room.exhibit.title]
	# Larger letters drawn smaller stay sharp when the camera comes near.
	_label.add_theme_font_size_override(&"font_size", 13 * SHARPNESS)
	_label.scale = Vector2.ONE / SHARPNESS
	_label.position = _plate().position + Vector2(20.0, 0.0)
	_label.size = (_plate().size - Vector2(20.0, 0.0)) * SHARPNESS


func _draw() -> void:
	if _room == null:
		return
	var inner := _room.area()
	var outer := inner.grow(WALL)
	for side: Rect2 in [
		Rect2(outer.position, Vector2(outer.size.x, WALL)),
		Rect2(outer.position.x, inner.end.y, outer.size.x, WALL),
		Rect2(outer.position, Vector2(WALL, outer.size.y)),
		Rect2(inner.end.x, outer.position.y, WALL, outer.size.y),
	]:
		draw_rect(side, DemoPalette.ROOF_DARK)
	draw_rect(Rect2(outer.position, Vector2(outer.size.x, 2.0)), DemoPalette.ROOF)
	draw_rect(Rect2(inner.position, Vector2(inner.size.x, 4.0)), Color(0, 0, 0, 0.28))
	draw_rect(inner, DemoPalette.WALL_DARK, false, 1.5)
	if is_current:
		draw_rect(outer.grow(1.0), DemoPalette.ACCENT, false, 2.0)
	elif is_hovered:
		draw_rect(outer.grow(1.0), DemoPalette.TEXT_DIM, false, 1.5)
	else:
		draw_rect(outer, Color(DemoPalette.INK, 0.14))
	if hovered.has_area():
		var place := Vector2(hovered.position) * MuseumRoom.CELL
		var cells := Rect2(place, Vector2(hovered.size) * MuseumRoom.CELL)
		draw_rect(cells, DemoPalette.TEXT, false, 1.2)
	_draw_plate()


func _draw_plate() -> void:
	var style := StyleBoxFlat.new()
	style.set_corner_radius_all(4)
	style.bg_color = DemoPalette.PANEL_RAISED
	if is_current:
		style.bg_color = DemoPalette.ACCENT.darkened(0.68)
	draw_style_box(style, _plate())
	var lamp := _plate().position + Vector2(10.0, PLATE * 0.5)
	var colour := DemoPalette.GOOD if _room.is_found() else DemoPalette.BAD
	DemoPalette.draw_disc(self, lamp, 8.0, Color(colour, 0.22))
	DemoPalette.draw_disc(self, lamp, 4.2, colour)
	_label.modulate = DemoPalette.TEXT if is_current else DemoPalette.TEXT_DIM


func _plate() -> Rect2:
	var inner := _room.area()
	return Rect2(-WALL, inner.end.y + WALL + 3.0, inner.size.x + WALL * 2.0, PLATE)
