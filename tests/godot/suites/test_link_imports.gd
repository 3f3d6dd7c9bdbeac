extends TestSuite
## The nodes that link Godot's navigation polygons, taken over as links of a grid.

var _grid: PathForgeGrid
var _space: PathForgeSpace3D


func before_each() -> void:
	_grid = PathForgeGrid.new()
	add(_grid)
	_space = PathForgeSpace3D.new()
	_space.cell_size = Vector2.ONE
	_grid.add_child(_space)


func test_navigation_links_become_links() -> void:
	var regions := _two_islands()
	var link := _navigation_link("Ferry", Vector2(56, 40), Vector2(136, 40))
	link.enter_cost = 32.0
	link.travel_cost = 2.0
	link.bidirectional = false
	link.enabled = false
	await frames(1)
	check_eq(_grid.import_navigation_regions(regions), true)
	check_eq(_grid.get_link_ids(), PackedInt32Array([0]))
	check_eq(_grid.get_link_start(0), Vector2i(3, 2))
	check_eq(_grid.get_link_end(0), Vector2i(8, 2))
	check_near(_grid.get_link_cost(0), 32.0 / 16.0 + 2.0 * 5.0)
	check_eq(_grid.get_link_tag(0), &"Ferry")
	check_eq([_grid.is_link_bidirectional(0), _grid.is_link_enabled(0)], [false, false])
	link.enabled = true
	check_eq(_grid.import_navigation_regions(regions), true)
	check_eq(_grid.get_link_ids(), PackedInt32Array([0]), "once")
	check_eq(_grid.is_link_enabled(0), true)
	check(_grid.is_reachable(Vector2i(1, 1), Vector2i(10, 1)), "over the link")
	link.end_position = Vector2(168, 40)
	_grid.add_link(Vector2i(0, 0), Vector2i(3, 3))
	check_eq(_grid.import_navigation_regions(regions), true)
	check_eq(
		_grid.get_link_ids(), PackedInt32Array([0, 1]), "it keeps its id, and a script's stays"
	)
	check_eq(_grid.get_link_end(0), Vector2i(10, 2))
	link.end_position = Vector2(999, 40)
	expect_warnings(1, "these navigation links do not join two open cells and are left out: Ferry")
	check_eq(_grid.import_navigation_regions(regions), true)
	check_eq(_grid.get_link_ids(), PackedInt32Array([1]))
	link.free()
	check_eq(_grid.import_navigation_regions(regions), true)
	check_eq(_grid.get_link_ids(), PackedInt32Array([1]))


func test_navigation_links_of_space_become_links() -> void:
	_grid.region = Rect2i(0, 0, 20, 12)
	var mesh := NavigationMesh.new()
	mesh.vertices = PackedVector3Array(
		[Vector3(0, 0, 0), Vector3(0, 0, 4), Vector3(4, 0, 4), Vector3(4, 0, 0)]
	)
	mesh.add_polygon(PackedInt32Array([0, 1, 2, 3]))
	mesh.agent_radius = 0.0
	var regions: Array[NavigationRegion3D] = []
	for left: float in [0.0, 8.0]:
		var region := NavigationRegion3D.new()
		region.navigation_mesh = mesh
		region.position.x = left
		add(region)
		regions.append(region)
	var link := NavigationLink3D.new()
	link.name = "Ladder"
	link.start_position = Vector3(3.5, 0, 2.5)
	link.end_position = Vector3(8.5, 0, 2.5)
	link.travel_cost = 1.0
	add(link)
	var upstairs := NavigationLink3D.new()
	upstairs.start_position = Vector3(3.5, 9, 2.5)
	upstairs.end_position = Vector3(8.5, 9, 2.5)
	add(upstairs)
	await frames(1)
	check_eq(_space.import_navigation_regions(regions, -1.0, 1.0), true)
	check_eq(_grid.get_link_ids(), PackedInt32Array([0]), "not those of another floor")
	check_eq([_grid.get_link_tag(0), _grid.get_link_start(0)], [&"Ladder", Vector2i(3, 2)])
	check_near(_grid.get_link_cost(0), 5.0)
	check_eq(_space.import_navigation_regions(regions, -1.0, 1.0), true)
	check_eq(_grid.get_link_ids(), PackedInt32Array([0]), "once")


func _two_islands() -> Array[NavigationRegion2D]:
	var regions: Array[NavigationRegion2D] = []
	for left: float in [0.0, 128.0]:
		var polygon := NavigationPolygon.new()
		var corners := [Vector2(0, 0), Vector2(64, 0), Vector2(64, 64), Vector2(0, 64)]
		polygon.vertices = PackedVector2Array(corners)
		polygon.add_polygon(PackedInt32Array([0, 1, 2, 3]))
		polygon.agent_radius = 0.0
		var region := NavigationRegion2D.new()
		region.navigation_polygon = polygon
		region.position.x = left
		add(region)
		regions.append(region)
	return regions


func _navigation_link(name: String, start: Vector2, end: Vector2) -> NavigationLink2D:
	var link := NavigationLink2D.new()
	link.name = name
	link.start_position = start
	link.end_position = end
	add(link)
	return link
