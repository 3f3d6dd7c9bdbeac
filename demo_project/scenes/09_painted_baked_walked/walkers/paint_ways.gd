extends Node2D
## Draws the ways of a board's walkers, and where they end.

@onready var _board: PaintBoard = get_parent()


func _process(_delta: float) -> void:
	queue_redraw()


func _draw() -> void:
	for walker: PaintWalker in _board.walkers:
		var way := walker.way()
		if way.size() < 2 or not walker.visible:
			continue
		var colour := walker.colour
		draw_polyline(way, Color(colour, 0.75), 1.6, true)
		draw_arc(way[-1], 4.5, 0.0, TAU, 20, Color(colour, 0.9), 1.6, true)
