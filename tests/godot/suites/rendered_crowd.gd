extends TestSuite
## A crowd's bodies are in the picture wherever the camera is and however far it zooms.

const ZOOMS: Array[float] = [0.25, 1.0, 2.0, 6.0]
const SIDE := 12

var _grid: PathForgeGrid = null
var _crowd: PathForgeCrowd = null
var _dots: MultiMeshInstance2D = null
var _camera: Camera2D = null


func before_each() -> void:
	RenderingServer.set_default_clear_color(Color.BLACK)
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, 200, 100)
	_crowd = PathForgeCrowd.new()
	_crowd.auto_step = false
	_dots = MultiMeshInstance2D.new()
	_dots.multimesh = MultiMesh.new()
	_dots.multimesh.mesh = QuadMesh.new()
	_crowd.multimesh = _dots.multimesh
	_camera = Camera2D.new()
	for node: Node in [_grid, _crowd, _dots, _camera]:
		add(node)


func test_bodies_are_seen_at_every_zoom_from_every_place() -> void:
	var places := PackedVector2Array()
	for index: int in SIDE * SIDE:
		places.append(_grid.cell_to_local(Vector2i(10 + index % SIDE * 2, 10 + index / SIDE * 2)))
	var ids := _crowd.add_agents(places, null, 160.0)
	await frames(2)
	await _look_around("at first")
	# Where the crowd is long after it was drawn for the first time.
	_crowd.assign_goal(ids, Vector2i(150, 60))
	for tick: int in 600:
		_crowd.step(1.0 / 60.0)
	await _look_around("after a march")
	# More than there were, far away from them.
	_crowd.add_agents(PackedVector2Array([_grid.cell_to_local(Vector2i(4, 90))]))
	await _look_around("with one far off")


func test_agents_that_walk_by_themselves_stay_in_the_picture() -> void:
	_crowd.auto_step = true
	_camera.position = _grid.cell_to_local(Vector2i(80, 20))
	var ids := _crowd.add_agents(
		PackedVector2Array([_grid.cell_to_local(Vector2i(10, 20))]), null, 900.0
	)
	_crowd.assign_goal(ids, Vector2i(110, 20))
	var seen := 0
	while seen < 100:
		await RenderingServer.frame_post_draw
		var counts := _count()
		seen += counts[0]
		if not check_eq(counts[1], counts[0], "in frame %d of those in view" % seen):
			return


func test_without_a_mesh_what_keeps_clear_is_drawn() -> void:
	_dots.multimesh.mesh = null
	_grid.cell_shape = PathForgeGrid.CELL_SHAPE_ISOMETRIC_RIGHT
	_grid.cell_size = Vector2(64, 32)
	var place := _grid.cell_to_local(Vector2i(50, 50))
	_camera.position = place
	# Of the radius of two cells, each as large as a square of 32 pixels.
	_crowd.add_agents(PackedVector2Array([place]), null, 60.0, 64.0)
	await frames(2)
	await RenderingServer.frame_post_draw
	var axes := Vector2(90.5, 45.25)
	for angle: int in range(0, 360, 15):
		var edge := Vector2.from_angle(deg_to_rad(angle)) * axes
		check(_luminance(edge * 0.9) > 0.9, "inside at %d°" % angle)
		check(_luminance(edge * 1.1) < 0.1, "outside at %d°" % angle)


## Of the picture, [param offset] from its middle.
func _luminance(offset: Vector2) -> float:
	var image := root.get_viewport().get_texture().get_image()
	return image.get_pixelv(Vector2i(Vector2(image.get_size()) / 2.0 + offset)).get_luminance()


## Counts bodies at each zoom in the crowd's middle and beside it on two sides.
func _look_around(when: String) -> void:
	var positions := _crowd.get_positions()
	var box := Rect2(positions[0], Vector2.ZERO)
	for position: Vector2 in positions:
		box = box.expand(position)
	var shown := 0
	for place: Vector2 in [box.get_center(), box.position, box.end]:
		for zoom: float in ZOOMS:
			_camera.position = place
			_camera.zoom = Vector2.ONE * zoom
			await frames(2)
			await RenderingServer.frame_post_draw
			var counts := _count()
			var what := "%s at %s, zoom %s: bodies in the picture" % [when, place, zoom]
			check_eq(counts[1], counts[0], what)
			shown += counts[0]
	check(shown > positions.size(), "%s: bodies are in view" % when)


## How many bodies have their middle in the view, and how many of these are in the picture.
func _count() -> Array[int]:
	var image := root.get_viewport().get_texture().get_image()
	var view := Rect2(Vector2.ZERO, image.get_size()).grow(-2.0)
	var to_screen := _grid.get_viewport_transform() * _grid.get_global_transform()
	var wanted := 0
	var found := 0
	for position: Vector2 in _crowd.get_positions():
		var pixel := to_screen * position
		if view.has_point(pixel):
			wanted += 1
			found += int(image.get_pixelv(Vector2i(pixel)).get_luminance() > 0.5)
	return [wanted, found]
