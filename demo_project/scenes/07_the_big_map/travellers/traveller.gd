class_name Traveller
extends RefCounted
## One on its way from a town to another, along the positions of the last path.

var kind: TravellerKind
## The middle of its body, and where that looks.
var place := Vector2.ZERO
var heading := Vector2.RIGHT
var goal := Vector2i.ZERO
## What it asked and has no answer to yet; 0 for nothing.
var ticket := 0
## Where it goes, and which of these positions is next.
var way := PackedVector2Array()
var next := 0
## How far it has come on its way, in cells.
var walked := 0.0
## How long it rests before it asks for its next way, in seconds.
var rest_s := 0.0

var _bounds := Rect2()


func take(positions: PackedVector2Array) -> void:
	way = positions
	next = 1
	walked = 0.0
	_bounds = Rect2(place, Vector2.ZERO)
	for spot: Vector2 in way:
		_bounds = _bounds.expand(spot)


## Goes on for a distance.
func walk(distance: float) -> void:
	walked += distance
	while distance > 0.0 and next < way.size():
		var ahead := way[next] - place
		var length := ahead.length()
		if length > distance:
			heading = heading.slerp(ahead / length, 0.25) if heading != Vector2.ZERO else ahead
			place += ahead * (distance / length)
			return
		place = way[next]
		next += 1
		distance -= length


## The middle of its top-left cell when the middle of its body is at [param spot].
func corner_at(spot: Vector2) -> Vector2:
	return spot - Vector2.ONE * (kind.side - 1) * 0.5


func has_arrived() -> bool:
	return next >= way.size()


## Whether its body comes nearer than [param radius] to a place, on what is left of its way.
func comes_near(spot: Vector2, radius: float) -> bool:
	var reach := radius + kind.side
	if has_arrived() or not _bounds.grow(reach).has_point(spot):
		return place.distance_to(spot) < reach
	var from := place
	for at: int in range(next, way.size()):
		var nearest := Geometry2D.get_closest_point_to_segment(spot, from, way[at])
		if nearest.distance_squared_to(spot) < reach * reach:
			return true
		from = way[at]
	return false
