class_name ArmyMarks
extends Node2D
## Where each is to stand: a dot for each place.

const DOT_RADII: PackedFloat32Array = [1.3, 2.6, 4.2]

var armies: Array[Army] = []


func _draw() -> void:
	for army: Army in armies:
		for kind: int in army.places.size():
			for place: Vector2 in army.places[kind]:
				DemoPalette.draw_disc(self, place, DOT_RADII[kind], Color(army.colour, 0.3))
