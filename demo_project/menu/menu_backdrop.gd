extends Control
## What lies behind the list: a faint grid with a few open and closed cells, and one way through it.

const CELL := 40.0


func _draw() -> void:
	draw_rect(Rect2(Vector2.ZERO, size), DemoPalette.INK)
	for y: int in ceili(size.y / CELL):
		for x: int in ceili(size.x / CELL):
			var cell := Vector2i(x, y)
			var area := Rect2(Vector2(cell) * CELL, Vector2.ONE * CELL).grow(-1.0)
			var shade := DemoPalette.grain(cell, 21)
			var tint := DemoPalette.PANEL if shade < 0.82 else DemoPalette.PANEL_RAISED
			draw_rect(area, Color(tint, 0.55))
