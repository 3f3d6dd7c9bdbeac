extends RefCounted
## Baking as a game would write it with Geometry2D: merge, offset, clip, merge holes, subtract,
## partition.


## Milliseconds that it takes.
static func time(
	floor_polygons: Array[PackedVector2Array], colliders: Array[PackedVector2Array], half: float
) -> float:
	var start: int = Time.get_ticks_usec()
	var ground: Array[PackedVector2Array] = _offset(_merged(floor_polygons), -half)
	var blocked: Array[PackedVector2Array] = _offset(_merged(colliders), half)
	var free: Array[PackedVector2Array] = _subtract(ground, blocked)
	for outline: PackedVector2Array in free:
		if not Geometry2D.is_polygon_clockwise(outline):
			Geometry2D.triangulate_polygon(outline)
	return (Time.get_ticks_usec() - start) / 1000.0


## Solids and holes of everything together, in the order of their places.
static func _merged(polygons: Array[PackedVector2Array]) -> Array[PackedVector2Array]:
	var solids: Array[PackedVector2Array] = []
	var holes: Array[PackedVector2Array] = []
	for polygon: PackedVector2Array in polygons:
		var merged: PackedVector2Array = polygon
		var place: int = 0
		while place < solids.size():
			var parts: Array[PackedVector2Array] = Geometry2D.merge_polygons(solids[place], merged)
			var outer: Array[PackedVector2Array] = parts.filter(_is_solid)
			if outer.size() == 1:
				holes.append_array(parts.filter(Geometry2D.is_polygon_clockwise))
				merged = outer[0]
				solids.remove_at(place)
			else:
				place += 1
		solids.append(merged)
		var left: Array[PackedVector2Array] = []
		for hole: PackedVector2Array in holes:
			left.append_array(Geometry2D.clip_polygons(hole, polygon))
		holes = left
	return solids + holes


static func _is_solid(polygon: PackedVector2Array) -> bool:
	return not Geometry2D.is_polygon_clockwise(polygon)


## Solids moved out by so much, holes in.
static func _offset(outlines: Array[PackedVector2Array], by: float) -> Array[PackedVector2Array]:
	var result: Array[PackedVector2Array] = []
	for outline: PackedVector2Array in outlines:
		var is_hole: bool = Geometry2D.is_polygon_clockwise(outline)
		var moved: Array[PackedVector2Array] = Geometry2D.offset_polygon(
			outline, -by if is_hole else by, Geometry2D.JOIN_MITER
		)
		for polygon: PackedVector2Array in moved:
			if Geometry2D.is_polygon_clockwise(polygon) != is_hole:
				polygon.reverse()
			result.append(polygon)
	return result


## The ground's solids without its holes and without what is blocked.
static func _subtract(
	ground: Array[PackedVector2Array], blocked: Array[PackedVector2Array]
) -> Array[PackedVector2Array]:
	var cuts: Array[PackedVector2Array] = ground.filter(Geometry2D.is_polygon_clockwise)
	cuts.append_array(blocked.filter(_is_solid))
	var free: Array[PackedVector2Array] = ground.filter(_is_solid)
	for cut: PackedVector2Array in cuts:
		var left: Array[PackedVector2Array] = []
		for solid: PackedVector2Array in free:
			left.append_array(Geometry2D.clip_polygons(solid, cut))
		free = left
	return free
