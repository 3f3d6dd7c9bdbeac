extends RefCounted
## Measures navigation polygons, and puts them on a map of their own.


static func map_of(polygon: NavigationPolygon) -> RID:
	var map := NavigationServer2D.map_create()
	NavigationServer2D.map_set_active(map, true)
	NavigationServer2D.map_set_use_async_iterations(map, false)
	NavigationServer2D.map_set_merge_rasterizer_cell_scale(map, 0.01)
	var region := NavigationServer2D.region_create()
	NavigationServer2D.region_set_use_async_iterations(region, false)
	NavigationServer2D.region_set_map(region, map)
	NavigationServer2D.region_set_navigation_polygon(region, polygon)
	NavigationServer2D.map_force_update(map)
	return map


static func free_map(map: RID) -> void:
	for region: RID in NavigationServer2D.map_get_regions(map):
		NavigationServer2D.free_rid(region)
	NavigationServer2D.free_rid(map)


static func length(path: PackedVector2Array) -> float:
	var sum := 0.0
	for i: int in range(1, path.size()):
		sum += path[i].distance_to(path[i - 1])
	return sum


static func area_of(polygon: NavigationPolygon) -> float:
	var area := 0.0
	for corners: PackedVector2Array in polygons_of(polygon):
		for k: int in corners.size():
			area += corners[k].cross(corners[(k + 1) % corners.size()]) / 2.0
	return area


static func polygons_of(polygon: NavigationPolygon) -> Array[PackedVector2Array]:
	var polygons: Array[PackedVector2Array] = []
	for i: int in polygon.get_polygon_count():
		var corners := PackedVector2Array()
		for corner: int in polygon.get_polygon(i):
			corners.append(polygon.vertices[corner])
		polygons.append(corners)
	return polygons
