class_name DemoMarks
extends RefCounted
## What is drawn over units in several scenes: the chosen one, those without a path, where one goes.

const DASH := 7.0
const GAP := 5.0
## How fast dashes run along a way, in pixels a second.
const RUN := 22.0


## Corners round a body of [param size], so that what it takes up is seen to the cell.
static func draw_ring(item: CanvasItem, middle: Vector2, size: Vector2, time: float) -> void:
	var half := size * 0.5 + Vector2.ONE * (1.5 + 0.6 * sin(time * 4.0))
	var arm := maxf(minf(size.x, size.y) * 0.3, 5.0)
	for side: Vector2 in [Vector2(-1, -1), Vector2(1, -1), Vector2(-1, 1), Vector2(1, 1)]:
		var corner := middle + half * side
		var points := PackedVector2Array(
			[corner - Vector2(arm * side.x, 0.0), corner, corner - Vector2(0.0, arm * side.y)]
		)
		item.draw_polyline(points, Color(0, 0, 0, 0.5), 4.0)
		item.draw_polyline(points, DemoPalette.ACCENT, 2.0)


## A small warning that hovers at [param at], over a unit that cannot go where it was sent.
static func draw_sign(
	item: CanvasItem, at: Vector2, time: float, colour := DemoPalette.BAD
) -> void:
	var middle := at + Vector2(0.0, sin(time * 3.0))
	DemoPalette.draw_disc(item, middle + Vector2(0.0, 1.0), 7.5, Color(0, 0, 0, 0.45))
	DemoPalette.draw_disc(item, middle, 7.0, colour)
	item.draw_rect(Rect2(middle + Vector2(-1.0, -4.0), Vector2(2.0, 5.0)), DemoPalette.INK)
	item.draw_rect(Rect2(middle + Vector2(-1.0, 2.0), Vector2(2.0, 2.0)), DemoPalette.INK)


## Dashes that run along a way.
static func draw_dashes(
	item: CanvasItem, way: PackedVector2Array, time: float, colour: Color, width := 2.0
) -> void:
	var dashes := PackedVector2Array()
	var offset := fposmod(time * RUN, DASH + GAP)
	for place: int in range(way.size() - 1, 0, -1):
		var length := way[place].distance_to(way[place - 1])
		if length < 0.01:
			continue
		var along := (way[place - 1] - way[place]) / length
		var at := -fposmod(offset, DASH + GAP)
		while at < length:
			var low := maxf(at, 0.0)
			var high := minf(at + DASH, length)
			if high > low:
				dashes.append_array([way[place] + along * low, way[place] + along * high])
			at += DASH + GAP
		offset += length
	if not dashes.is_empty():
		item.draw_multiline(dashes, Color(0, 0, 0, colour.a * 0.35), width + 2.0)
		item.draw_multiline(dashes, colour, width)
