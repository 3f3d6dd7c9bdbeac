class_name ArmyFormation
extends RefCounted
## The shapes that an army stands in: foot in front, riders behind, giants last.

enum Shape { BLOCK, LINE, WEDGE }

## Foot, riders, giants: how many.
const COUNTS: PackedInt32Array = [620, 60, 14]
## Cells from the rows before to a kind's first row.
const _GAPS: PackedFloat32Array = [0.0, 1.6, 2.2]
## How many stand in a row, and cells from one to the next: three kinds for each shape. The foot of
## a wedge stand in a triangle: each row has two more than the one before.
const _ROWS: PackedInt32Array = [32, 20, 14, 52, 30, 14, 0, 27, 14]
const _PITCHES: PackedFloat32Array = [1.9, 3.1, 4.6, 1.7, 2.9, 6.3, 1.7, 3.1, 6.1]
## Rows are closer to each other than those in a row.
const _DEPTH := 0.9


## The places of every kind, in cells around the middle of the whole formation, which looks to the
## right.
static func places(shape: Shape) -> Array[PackedVector2Array]:
	var all: Array[PackedVector2Array] = []
	var back := 0.0
	for kind: int in 3:
		var pitch := _PITCHES[shape * 3 + kind]
		var of_kind := PackedVector2Array()
		back += _GAPS[kind]
		while of_kind.size() < COUNTS[kind]:
			var row := _ROWS[shape * 3 + kind]
			if row == 0:
				row = 1 + 2 * roundi(back / (pitch * _DEPTH))
			row = mini(row, COUNTS[kind] - of_kind.size())
			for column: int in row:
				of_kind.append(Vector2(-back, (column - (row - 1) * 0.5) * pitch))
			back += pitch * _DEPTH
		all.append(of_kind)
	var to_middle := Transform2D(0.0, Vector2(back * 0.5, 0.0))
	for kind: int in 3:
		all[kind] = to_middle * all[kind]
	return all
