class_name MuseumHall
extends Node2D
## The hall that the rooms stand in: planks, and light on the room that the visitor is in.

const _PLANK := 26.0

## Where the light falls, in the hall's coordinates.
var spot := Rect2():
	set(value):
		spot = value
		queue_redraw()

var size := Vector2.ZERO


func _draw() -> void:
	draw_rect(Rect2(Vector2.ZERO, size).grow(400.0), DemoPalette.INK)
	var wood := DemoPalette.WOOD_DARK.lerp(DemoPalette.INK, 0.62)
	for row: int in ceili(size.y / _PLANK):
		var x := -160.0 * DemoPalette.grain(Vector2i(row, 0), 3)
		var number := 0
		while x < size.x:
			number += 1
			var length := 110.0 + 90.0 * DemoPalette.grain(Vector2i(row, number), 4)
			var plank := Rect2(x, row * _PLANK, length, _PLANK).grow(-0.6)
			plank = plank.intersection(Rect2(Vector2.ZERO, size))
			var shade := DemoPalette.grain(Vector2i(row, number), 5) * 0.05
			draw_rect(plank, wood.lightened(shade))
			x += length
	for ring: int in 6:
		var glow := spot.grow(6.0 + ring * 4.0)
		draw_rect(glow, Color(DemoPalette.SCOUT, 0.022))
