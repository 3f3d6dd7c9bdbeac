class_name CityGoal
extends Node2D
## The goal: rings that run inwards.

const RADIUS := 15.0


func _process(_delta: float) -> void:
	queue_redraw()


func _draw() -> void:
	var time := Time.get_ticks_msec() * 0.001
	for ring: int in 2:
		var part := fmod(time * 0.7 + ring * 0.5, 1.0)
		var colour := Color(DemoPalette.ACCENT, part)
		draw_arc(Vector2.ZERO, RADIUS * (1.2 - part) + 4.0, 0.0, TAU, 32, colour, 2.0, true)
	draw_circle(Vector2.ZERO, 5.5, DemoPalette.INK)
	draw_circle(Vector2.ZERO, 4.0, DemoPalette.ACCENT)
