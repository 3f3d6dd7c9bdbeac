extends RefCounted
## The truly shortest ways over polygons: from corner to corner, wherever nothing is in the way.
##
## A side that only one polygon has is a wall. What sees what is asked of the physics server; which
## of the ways between corners is the shortest, of [AStar2D].

## How far, in pixels, corners are moved away from their walls, so that rays along these miss them.
const GAP := 0.02

var _space := RID()
var _body := RID()
var _shape := RID()
var _ways := AStar2D.new()


func _init(polygons: Array[PackedVector2Array]) -> void:
	var ends := _walls(polygons)
	_build(ends)
	for start: Vector2 in ends:
		for here: Vector2 in ends[start]:
			for end: Vector2 in ends.get(here, PackedVector2Array()) as PackedVector2Array:
				var before := (here - start).normalized()
				var after := (end - here).normalized()
				if before.cross(after) < 0.0:
					# What is free lies to the side that turns from x to y.
					_add(here + (before.orthogonal() + after.orthogonal()).normalized() * -GAP)


## Frees what the physics server keeps.
func free_all() -> void:
	for rid: RID in [_body, _shape, _space] as Array[RID]:
		PhysicsServer2D.free_rid(rid)


func corner_count() -> int:
	return _ways.get_point_count()


## The length of the shortest way between two points, or INF when there is none.
func length(start: Vector2, end: Vector2) -> float:
	var ids := [_add(start), _add(end)]
	var path := _ways.get_point_path(ids[0] as int, ids[1] as int)
	for id: int in ids:
		_ways.remove_point(id)
	var sum := 0.0
	for at: int in range(1, path.size()):
		sum += path[at].distance_to(path[at - 1])
	return INF if path.is_empty() else sum


## The ends of the walls that begin at each place.
static func _walls(polygons: Array[PackedVector2Array]) -> Dictionary[Vector2, PackedVector2Array]:
	var sides: Dictionary[Vector4, bool] = {}
	for polygon: PackedVector2Array in polygons:
		for at: int in polygon.size():
			var start := polygon[at]
			var end := polygon[(at + 1) % polygon.size()]
			if not sides.erase(Vector4(end.x, end.y, start.x, start.y)):
				sides[Vector4(start.x, start.y, end.x, end.y)] = true
	var ends: Dictionary[Vector2, PackedVector2Array] = {}
	for side: Vector4 in sides:
		var start := Vector2(side.x, side.y)
		var others: PackedVector2Array = ends.get(start, PackedVector2Array())
		others.append(Vector2(side.z, side.w))
		ends[start] = others
	return ends


func _build(ends: Dictionary[Vector2, PackedVector2Array]) -> void:
	var segments := PackedVector2Array()
	for start: Vector2 in ends:
		for end: Vector2 in ends[start]:
			segments.append_array([start, end])
	_space = PhysicsServer2D.space_create()
	PhysicsServer2D.space_set_active(_space, true)
	_shape = PhysicsServer2D.concave_polygon_shape_create()
	PhysicsServer2D.shape_set_data(_shape, segments)
	_body = PhysicsServer2D.body_create()
	PhysicsServer2D.body_set_mode(_body, PhysicsServer2D.BODY_MODE_STATIC)
	PhysicsServer2D.body_add_shape(_body, _shape)
	PhysicsServer2D.body_set_space(_body, _space)


## Adds a point, joined to all that it sees.
func _add(point: Vector2) -> int:
	var state := PhysicsServer2D.space_get_direct_state(_space)
	var ray := PhysicsRayQueryParameters2D.create(point, point)
	var seen: Array[int] = []
	for other: int in _ways.get_point_ids():
		ray.to = _ways.get_point_position(other)
		if state.intersect_ray(ray).is_empty():
			seen.append(other)
	var id := _ways.get_available_point_id()
	_ways.add_point(id, point)
	for other: int in seen:
		_ways.connect_points(id, other)
	return id
