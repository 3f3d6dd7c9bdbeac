extends TestSuite
## Each floor of a house shows its own cells on its own ground.

const SIZE := Vector2i(8, 8)


func test_each_floor_shows_its_own_cells() -> void:
	RenderingServer.set_default_clear_color(Color.BLACK)
	var grid := PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 17, 8)
	grid.cell_size = Vector2.ONE
	add(grid)
	grid.debug_enabled = true
	var floors: Array[PathForgeSpace3D] = []
	for at: int in 2:
		var made := PathForgeSpace3D.new()
		made.floor_region = Rect2i(Vector2i(at * 9, 0), SIZE)
		made.position = Vector3(at * 10.0, at * 3.0, at * 2.0)
		made.debug_enabled = true
		grid.add_child(made)
		floors.append(made)
	var walls: Array[Vector2i] = [Vector2i(2, 5), Vector2i(12, 3)]
	for wall: Vector2i in walls:
		grid.set_point_solid(wall)
	var camera := Camera3D.new()
	add(camera)
	camera.look_at_from_position(Vector3(9, 22, 12), Vector3(9, 0, 5))
	await _drawn()
	for at: int in 2:
		_check_walls(camera, floors, walls)
		floors[0].position.y += 1.0
		await _drawn()
	floors[0].debug_enabled = false
	await _drawn()
	check_eq(_seen_at(camera, floors[0].cell_to_global(walls[0])), Color.BLACK, "off")
	check(_seen_at(camera, floors[1].cell_to_global(walls[1])) != Color.BLACK, "still on")
	floors[0].debug_enabled = true
	await _drawn()
	floors[1].free()
	await _drawn()
	check(_seen_at(camera, floors[0].cell_to_global(walls[0])) != Color.BLACK, "on again")
	floors[0].free()
	camera.free()


func _check_walls(
	camera: Camera3D, floors: Array[PathForgeSpace3D], walls: Array[Vector2i]
) -> void:
	for at: int in 2:
		for wall: Vector2i in walls:
			var own := wall.x < 9
			# The cell at the same place of each sheet.
			var cell := Vector2i(wall.x % 9 + at * 9, wall.y)
			var seen := _seen_at(camera, floors[at].cell_to_global(cell))
			check_eq(seen != Color.BLACK, own == (at == 0), "%s on floor %d: %s" % [cell, at, seen])


func _seen_at(camera: Camera3D, place: Vector3) -> Color:
	var image := root.get_viewport().get_texture().get_image()
	return image.get_pixelv(Vector2i(camera.unproject_position(place)))


func _drawn() -> void:
	await frames(4)
	await RenderingServer.frame_post_draw
