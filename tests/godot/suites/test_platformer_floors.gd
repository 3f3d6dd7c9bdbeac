extends TestSuite
## Floors inside tiles: hills, slabs and deep floors, read from the polygons of tiles and walked by
## bodies of the real engine.

const CELL := 16.0
## What tiles are made of: polygons in 16ths of a tile, from its upper left corner.
const TILES := {
	"#": [Vector2(0, 0), Vector2(16, 0), Vector2(16, 16), Vector2(0, 16)],
	"/": [Vector2(0, 16), Vector2(16, 0), Vector2(16, 16)],
	"a": [Vector2(0, 16), Vector2(16, 8), Vector2(16, 16)],
	"b": [Vector2(0, 8), Vector2(16, 0), Vector2(16, 16), Vector2(0, 16)],
	"_": [Vector2(0, 8), Vector2(16, 8), Vector2(16, 16), Vector2(0, 16)],
	"s": [Vector2(0, 4), Vector2(16, 4), Vector2(16, 16), Vector2(0, 16)],
	"=": [Vector2(0, 0), Vector2(16, 0), Vector2(16, 4), Vector2(0, 4)],
	"-": [Vector2(0, 6), Vector2(16, 6), Vector2(16, 10), Vector2(0, 10)],
}
## Flipped tiles.
const FLIPPED := {"\\": "/", "c": "b", "d": "a"}
const HILL := """
	....................
	....................
	....................
	....................
	.........##.........
	......../##\\........
	......./####cd......
	..ab__/########ss...
	####################
"""

var _levels := 0


func before_each() -> void:
	PlatformWalker.set_ticks(60)


func after_each() -> void:
	PlatformWalker.set_ticks(0)


func test_a_hill_is_walked_up_and_down() -> void:
	for is_round: bool in [false, true]:
		for goal: Vector2i in [Vector2i(9, 3), Vector2i(18, 7), Vector2i(15, 7), Vector2i(5, 7)]:
			var walker := _walker(HILL.dedent(), Vector2(12, 22), is_round)
			await _run(walker, Vector2i(0, 7), goal)


func _walker(rows: String, size: Vector2, is_round: bool) -> PlatformWalker:
	var layer := _layer(rows.strip_edges())
	var grid := PathForgeGrid.new()
	var platformer := PathForgePlatformer.new()
	grid.add_child(platformer)
	layer.position = Vector2(2000.0 * _levels, 0.0)
	_levels += 1
	add(layer)
	add(grid)
	check(grid.import_tile_map_layers([layer], PathForgeTileRules.side_view()), "imported")
	var shape := CollisionShape2D.new()
	if is_round:
		var capsule := CapsuleShape2D.new()
		capsule.radius = size.x / 2.0
		capsule.height = size.y
		shape.shape = capsule
	else:
		var rectangle := RectangleShape2D.new()
		rectangle.size = size
		shape.shape = rectangle
	var profile := PathForgeJumpProfile.new()
	profile.use_physics = true
	profile.jump_speed = 330.0
	profile.run_speed = 130.0
	profile.jump_cut = 0.0
	var walker := PlatformWalker.of_shape(shape, profile)
	walker.set_meta("profile", profile)
	check_eq(profile.set_body(shape), true)
	platformer.add_child(walker)
	return walker


func _run(walker: PlatformWalker, start: Vector2i, goal: Vector2i) -> void:
	var platformer: PathForgePlatformer = walker.get_parent()
	var profile: PathForgeJumpProfile = walker.get_meta("profile")
	var path := platformer.find_path(start, goal, profile)
	check(path.is_complete(), "%s: %s" % [goal, path.describe()])
	walker.global_position = path.positions[0]
	walker.follower.follow(path)
	await wait_until(func() -> bool: return not walker.result.is_empty() or walker.age > 30.0)
	check_eq([walker.result, walker.reason], ["arrived", -1], str(goal))
	var end := platformer.global_to_cell(walker.global_position, profile)
	check_eq(end, path.cells[-1], str(walker.global_position))


## A layer of tiles that letters draw.
func _layer(rows: String) -> TileMapLayer:
	var tiles := TileSet.new()
	tiles.tile_size = Vector2i.ONE * int(CELL)
	tiles.add_physics_layer()
	var atlas := TileSetAtlasSource.new()
	atlas.texture = ImageTexture.create_from_image(
		Image.create(int(CELL) * TILES.size(), int(CELL), false, Image.FORMAT_RGBA8)
	)
	atlas.texture_region_size = Vector2i.ONE * int(CELL)
	tiles.add_source(atlas, 0)
	var letters := TILES.keys()
	for index: int in letters.size():
		atlas.create_tile(Vector2i(index, 0))
		var data := atlas.get_tile_data(Vector2i(index, 0), 0)
		var corners := PackedVector2Array(TILES[letters[index]])
		for at: int in corners.size():
			corners[at] -= Vector2.ONE * CELL / 2.0
		data.add_collision_polygon(0)
		data.set_collision_polygon_points(0, 0, corners)
		data.set_collision_polygon_one_way(0, 0, letters[index] in ["=", "-"])
	var layer := TileMapLayer.new()
	layer.tile_set = tiles
	var lines := rows.split("\n")
	for y: int in lines.size():
		var line := lines[y].strip_edges()
		for x: int in line.length():
			var letter: String = FLIPPED.get(line[x], line[x])
			var flip := TileSetAtlasSource.TRANSFORM_FLIP_H if letter != line[x] else 0
			if letter in TILES:
				layer.set_cell(Vector2i(x, y), 0, Vector2i(letters.find(letter), 0), flip)
	return layer
