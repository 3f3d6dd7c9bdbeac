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

const SMOOTH := """
	....................
	....................
	....................
	....................
	....../##\\..........
	...../####\\.........
	..ab#######cd.......
	####################
"""

## Random levels, and orders in each.
const LEVELS := 12
const ORDERS := 5

## The level that is there.
var _level: Array[Node] = []


func before_each() -> void:
	PlatformWalker.set_ticks(60)


func after_each() -> void:
	PlatformWalker.set_ticks(0)
	for node: Node in _level:
		node.free()
	_level = []


func test_a_hill_is_walked_up_and_down() -> void:
	for is_round: bool in [false, true]:
		for goal: Vector2i in [Vector2i(9, 3), Vector2i(18, 7), Vector2i(15, 7), Vector2i(5, 7)]:
			var walker := _walker(HILL.dedent(), Vector2(12, 22), is_round)
			await _run(walker, Vector2i(0, 6), goal - Vector2i(0, 1))


func test_a_path_over_a_hill_is_walked() -> void:
	var walker := _walker(SMOOTH.dedent(), Vector2(12, 22), true)
	var platformer: PathForgePlatformer = walker.get_parent()
	var profile: PathForgeJumpProfile = walker.get_meta("profile")
	for goal: Vector2i in [Vector2i(7, 2), Vector2i(16, 5)]:
		var path := platformer.find_path(Vector2i(0, 5), goal, profile)
		check_eq(path.cells[-1], goal)
		check_eq(path.steps.count(PathForgePath.STEP_WALK), path.steps.size(), str(path.steps))
		check_eq(path.get_key_points().size(), 2, "start and goal")


func test_bodies_arrive_on_random_hills() -> void:
	var random := RandomNumberGenerator.new()
	var late := PackedStringArray()
	var count := 0
	for level: int in LEVELS:
		random.seed = 7100 + level
		var rows := _random_rows(random)
		# Whole pixels would fit exactly between some slabs, where bodies stick.
		var size := (
			Vector2(random.randi_range(6, 30), random.randi_range(10, 46)) - Vector2.ONE / 2.0
		)
		var is_round := level % 2 == 0
		size.y = maxf(size.y, size.x)
		var walker := _walker(rows, size, is_round)
		var platformer: PathForgePlatformer = walker.get_parent()
		var profile: PathForgeJumpProfile = walker.get_meta("profile")
		var stands := _stands(platformer, profile)
		var from: Vector2i = stands[random.randi_range(0, stands.size() - 1)]
		for order: int in ORDERS:
			var goal: Vector2i = stands[random.randi_range(0, stands.size() - 1)]
			var path := platformer.find_path(from, goal, profile)
			if not path.is_complete():
				continue
			# Not exactly above an edge, where bodies stay.
			walker.global_position = path.get_global_positions()[0] + Vector2(1.5, -0.1)
			walker.velocity = Vector2.ZERO
			walker.result = ""
			walker.age = 0.0
			walker.follower.follow(path)
			await wait_until(
				func() -> bool: return not walker.result.is_empty() or walker.age > 40.0
			)
			count += 1
			if walker.result != "arrived":
				late.append(
					(
						"%d: %s, %s, %s to %s: %s %d at %s"
						% [
							level,
							size,
							is_round,
							from,
							path.cells[-1],
							walker.result,
							walker.reason,
							walker.position
						]
					)
				)
	check(late.size() * 100 <= count * 10, "%d of %d: %s" % [late.size(), count, "\n".join(late)])
	check(count > LEVELS * ORDERS / 3, "%d paths" % count)


func _stands(platformer: PathForgePlatformer, profile: PathForgeJumpProfile) -> Array[Vector2i]:
	var stands: Array[Vector2i] = []
	for y: int in 14:
		for x: int in 40:
			if platformer.is_on_ground(Vector2i(x, y), profile):
				stands.append(Vector2i(x, y))
	return stands


## Hills on a floor, and above them planks, slabs and blocks.
func _random_rows(random: RandomNumberGenerator) -> String:
	var rows: Array[String] = []
	for y: int in 14:
		rows.append("#" + ".".repeat(38) + "#" if y < 13 else "#".repeat(40))
	var x := 1
	var height := 0
	while x < 38:
		var shape := random.randi_range(0, 9)
		var last := height
		match shape:
			0, 1, 2:
				_put(rows, x, 12 - height, "/")
				height += 1
			3, 4:
				_put(rows, x, 12 - height, "a")
				_put(rows, x + 1, 12 - height, "b")
				_fill(rows, x + 1, 12 - height)
				height += 1
				x += 1
			5, 6 when height > 0:
				height -= 1
				_put(rows, x, 12 - height, "\\")
				last = height
			7 when height > 0:
				height -= 1
				_put(rows, x, 12 - height, "c")
				_put(rows, x + 1, 12 - height, "d")
				_fill(rows, x + 1, 12 - height)
				x += 1
				last = height
			8:
				_put(rows, x, 12 - height, "_s"[random.randi_range(0, 1)])
		if height > 5:
			height = 2
		_fill(rows, x, 12 - last)
		x += 1
	for piece: int in 12:
		var letter: String = "=-_#s"[random.randi_range(0, 4)]
		var at := Vector2i(random.randi_range(1, 36), random.randi_range(2, 10))
		for by: int in random.randi_range(1, 4):
			if rows[at.y][mini(at.x + by, 38)] == ".":
				_put(rows, mini(at.x + by, 38), at.y, letter)
	return "\n".join(rows)


func _put(rows: Array[String], x: int, y: int, letter: String) -> void:
	rows[y] = rows[y].substr(0, x) + letter + rows[y].substr(x + 1)


## Ground below a row.
func _fill(rows: Array[String], x: int, y: int) -> void:
	for row: int in range(y + 1, 13):
		_put(rows, x, row, "#")


func _walker(rows: String, size: Vector2, is_round: bool) -> PlatformWalker:
	var layer := _layer(rows.strip_edges())
	var grid := PathForgeGrid.new()
	var platformer := PathForgePlatformer.new()
	grid.add_child(platformer)
	for node: Node in _level:
		node.free()
	_level = [layer, grid]
	for node: Node in _level:
		(Engine.get_main_loop() as SceneTree).root.add_child(node)
	check(grid.import_tile_map_layers([layer], PathForgeTileRules.side_view()), "imported")
	var shape := PlatformWalker.shape_of(size, is_round)
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
	# Godot joins the polygons of more tiles, and loses some of such hills.
	layer.physics_quadrant_size = 1
	var lines := rows.split("\n")
	for y: int in lines.size():
		var line := lines[y].strip_edges()
		for x: int in line.length():
			var letter: String = FLIPPED.get(line[x], line[x])
			var flip := TileSetAtlasSource.TRANSFORM_FLIP_H if letter != line[x] else 0
			if letter in TILES:
				layer.set_cell(Vector2i(x, y), 0, Vector2i(letters.find(letter), 0), flip)
	return layer
