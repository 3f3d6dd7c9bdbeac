class_name HillsGround
extends Node3D
## Draws the land: the ground, water, bridges, houses, the wall and trees.

const GRASS := Color("7fa457")
const GRASS_DARK := Color("5f8a48")
const GRASS_HIGH := Color("b3b277")
const SAND := Color("cdb98a")
const ROCK := Color("84796c")
const STREET := Color("a99c86")
const EARTH := Color("6a5340")
const WATER := Color("3f8fae")
const STONE := Color("b4ab9c")
const STONE_DARK := Color("8d8578")
const TRUNK := Color("5c4431")
const LEAVES: PackedColorArray = [Color("3f7342"), Color("4f8247"), Color("6a8f3f")]
const WALLS: PackedColorArray = [Color("e8dcc0"), Color("dccaa6"), Color("cfd3cd"), Color("e6cfae")]
const ROOFS: PackedColorArray = [Color("b5563c"), Color("9c4a3a"), Color("c07045"), Color("6f6a78")]
## How far down the sides of the block of land reach.
const FLOOR := -6.0
const WALL_HEIGHT := 2.6

var _land: HillsLand
var _space: PathForgeSpace3D
var _grid: PathForgeGrid


func show_land(land: HillsLand, grid: PathForgeGrid, space: PathForgeSpace3D) -> void:
	_land = land
	_grid = grid
	_space = space
	_add(_ground())
	_add(_sides())
	_add(_water())
	_add(_town())
	_add(_bridges())
	_add_trees()
	var sites := HillsSites.new()
	add_child(sites)
	sites.show_sites(land)


## The decks of bridges.
func decks() -> Array[Rect2i]:
	return _land.decks


func _add(mesh: Mesh) -> void:
	var instance := MeshInstance3D.new()
	instance.mesh = mesh
	instance.material_override = DemoMesh.paint()
	add_child(instance)


## A mesh through the centres of cells, and on to the edges of the map.
func _ground() -> ArrayMesh:
	var columns := HillsLand.SIZE.x + 2
	var rows := HillsLand.SIZE.y + 2
	var points := PackedVector3Array()
	var normals := PackedVector3Array()
	var colors := PackedColorArray()
	var places := PackedInt32Array()
	for y: int in rows:
		for x: int in columns:
			var cell := Vector2i(x - 1, y - 1)
			var at := (Vector2(cell) + Vector2(0.5, 0.5)).clamp(Vector2.ZERO, HillsLand.SIZE)
			points.append(Vector3(at.x, _land.height(cell), at.y))
			var right := _land.height(cell + Vector2i.RIGHT) - _land.height(cell + Vector2i.LEFT)
			var down := _land.height(cell + Vector2i.DOWN) - _land.height(cell + Vector2i.UP)
			normals.append(Vector3(-right * 0.5, 1.0, -down * 0.5).normalized())
			var inside := cell.clamp(Vector2i.ZERO, HillsLand.SIZE - Vector2i.ONE)
			colors.append(_color_at(inside))
			if x + 1 < columns and y + 1 < rows:
				var here := y * columns + x
				places.append_array([here, here + 1, here + columns])
				places.append_array([here + 1, here + columns + 1, here + columns])
	var arrays: Array = []
	arrays.resize(Mesh.ARRAY_MAX)
	arrays[Mesh.ARRAY_VERTEX] = points
	arrays[Mesh.ARRAY_NORMAL] = normals
	arrays[Mesh.ARRAY_COLOR] = colors
	arrays[Mesh.ARRAY_INDEX] = places
	var mesh := ArrayMesh.new()
	mesh.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays)
	return mesh


func _color_at(cell: Vector2i) -> Color:
	var height := _land.height(cell)
	var grain := DemoPalette.grain(cell)
	if HillsLand.TOWN.has_point(cell):
		return STREET.lerp(STONE, grain * 0.4)
	if height < HillsLand.SHORE:
		return SAND.darkened(clampf(0.1 - height * 0.25, 0.0, 0.5))
	if _space.get_slope_degrees(cell) > HillsLand.STEEP_DEGREES:
		return ROCK.lerp(STONE_DARK, grain * 0.5)
	if height < 0.8:
		return SAND.lerp(GRASS, clampf((height - 0.4) / 0.4, 0.0, 1.0))
	var field := HillsSites.field_color(cell)
	if field.a > 0.0:
		return field.lightened(grain * 0.1)
	var grass := GRASS_DARK.lerp(GRASS, 0.35 + grain * 0.3 + clampf(height * 0.06, 0.0, 0.3))
	return grass.lerp(GRASS_HIGH, clampf((height - 3.5) / 6.0, 0.0, 0.7))


## The sides of the block that the land is.
func _sides() -> ArrayMesh:
	var mesh := DemoMesh.new()
	var size := HillsLand.SIZE
	for x: int in size.x:
		_side(mesh, Vector2(x, size.y), Vector2(x + 1, size.y))
		_side(mesh, Vector2(x + 1, 0), Vector2(x, 0))
	for y: int in size.y:
		_side(mesh, Vector2(0, y), Vector2(0, y + 1))
		_side(mesh, Vector2(size.x, y + 1), Vector2(size.x, y))
	return mesh.commit()


## From the left to the right, as it is seen from outside.
func _side(mesh: DemoMesh, left: Vector2, right: Vector2) -> void:
	var first := _edge_height(left)
	var second := _edge_height(right)
	var corners: Array[Vector3] = [
		Vector3(left.x, first, left.y),
		Vector3(right.x, second, right.y),
		Vector3(right.x, FLOOR, right.y),
		Vector3(left.x, FLOOR, left.y),
	]
	mesh.quad(corners, EARTH)


## The height of the ground's mesh at the edge of the map.
func _edge_height(at: Vector2) -> float:
	var low := Vector2i((at - Vector2(0.5, 0.5)).floor())
	var part := at - Vector2(0.5, 0.5) - Vector2(low)
	var above := lerpf(_land.height(low), _land.height(low + Vector2i.RIGHT), part.x)
	var below := lerpf(_land.height(low + Vector2i.DOWN), _land.height(low + Vector2i.ONE), part.x)
	return lerpf(above, below, part.y)


func _water() -> ArrayMesh:
	var mesh := DemoMesh.new()
	for y: int in HillsLand.SIZE.y:
		var here := HillsLand.river(y)
		var next := HillsLand.river(y + 1)
		var corners: Array[Vector3] = [
			Vector3(here - 9.0, HillsLand.WATER, y),
			Vector3(here + 9.0, HillsLand.WATER, y),
			Vector3(next + 9.0, HillsLand.WATER, y + 1),
			Vector3(next - 9.0, HillsLand.WATER, y + 1),
		]
		mesh.quad(corners, WATER)
	# The bay, as deep as the ground there at the edge of the map.
	var west := HillsLand.BAY.x - 26.0
	var east := float(HillsLand.SIZE.x)
	for y: int in HillsLand.SIZE.y:
		if _land.height(Vector2i(HillsLand.SIZE.x - 1, y)) >= HillsLand.WATER:
			continue
		var above: Array[Vector3] = [
			Vector3(west, HillsLand.WATER, y),
			Vector3(east, HillsLand.WATER, y),
			Vector3(east, HillsLand.WATER, y + 1),
			Vector3(west, HillsLand.WATER, y + 1),
		]
		mesh.quad(above, WATER)
		var beside: Array[Vector3] = [
			Vector3(east, HillsLand.WATER, y + 1),
			Vector3(east, HillsLand.WATER, y),
			Vector3(east, FLOOR, y),
			Vector3(east, FLOOR, y + 1),
		]
		mesh.quad(beside, WATER.darkened(0.35))
	return mesh.commit()


func _town() -> ArrayMesh:
	var mesh := DemoMesh.new()
	for house: Rect2i in _land.houses:
		_house(mesh, house)
	for wall: Rect2i in HillsLand.walls():
		_wall(mesh, wall)
	return mesh.commit()


func _house(mesh: DemoMesh, house: Rect2i) -> void:
	var middle := Vector2(house.position) + Vector2(house.size) * 0.5
	var low := _land.lowest(house) - 0.3
	var luck := DemoPalette.grain(house.position, 1)
	var storeys := 2.4 + floorf(DemoPalette.grain(house.position, 2) * 2.0) * 1.3
	var base := Vector3(middle.x, low, middle.y)
	var size := Vector3(house.size.x - 0.3, storeys + 0.3, house.size.y - 0.3)
	mesh.box(base, size, WALLS[int(luck * 3.99)])
	var eaves := Vector3(house.size.x, 1.7, house.size.y)
	var tiles := ROOFS[int(DemoPalette.grain(house.position, 4) * 3.99)]
	mesh.roof(base + Vector3.UP * size.y, eaves, tiles)
	mesh.box(base + Vector3(1.2, size.y, 0.9), Vector3(0.5, 1.9, 0.5), STONE_DARK)
	for place: int in 3:
		var window := base + Vector3(-1.5 + place * 1.5, 1.4, size.z * 0.5)
		mesh.box(window, Vector3(0.55, 0.7, 0.1), Color("3c4754"))


## A piece for each two metres of a wall, but for gates, so that it goes along with the ground.
func _wall(mesh: DemoMesh, wall: Rect2i) -> void:
	var step := Vector2i(2, 0) if wall.size.x > wall.size.y else Vector2i(0, 2)
	var cell := wall.position
	while wall.has_point(cell):
		var piece := Rect2i(cell, Vector2i(2, 2))
		cell += step
		if HillsLand.GATES.any(func(gate: Rect2i) -> bool: return gate.intersects(piece)):
			continue
		var low := _land.lowest(piece) - 0.4
		var base := Vector3(piece.position.x + 1.0, low, piece.position.y + 1.0)
		mesh.box(base, Vector3(2.0, WALL_HEIGHT + 0.4, 2.0), STONE)
		var along := Vector3(step.x, 0.0, step.y) * 0.25
		for side: int in [-1, 1]:
			var merlon := base + along * side + Vector3.UP * (WALL_HEIGHT + 0.4)
			var across := Vector3(0.0, 0.0, 0.7) if step.x > 0 else Vector3(0.7, 0.0, 0.0)
			for edge: int in [-1, 1]:
				mesh.box(merlon + across * edge, Vector3(0.55, 0.55, 0.55), STONE_DARK)


func _bridges() -> ArrayMesh:
	var mesh := DemoMesh.new()
	for deck: Rect2i in _land.decks:
		var length := float(deck.size.x)
		for x: int in deck.size.x:
			_span(mesh, deck, x)
		for pier: int in 3:
			var x := length * (0.32 + 0.18 * pier)
			var middle := deck.position.y + deck.size.y * 0.5
			var base := Vector3(deck.position.x + x, -2.5, middle)
			var size := Vector3(1.2, 2.2 + _land.deck_height(deck, x), deck.size.y + 1.6)
			mesh.box(base, size, STONE_DARK)
	return mesh.commit()


## A metre of a bridge's deck, with its rails. The deck is as high as the space's ground there.
func _span(mesh: DemoMesh, deck: Rect2i, x: int) -> void:
	var left := _land.deck_height(deck, maxf(x, 0.5))
	var right := _land.deck_height(deck, minf(x + 1, deck.size.x - 0.5))
	var at := Vector3(deck.position.x + x, 0.0, deck.position.y)
	_slab(mesh, at, Vector3(1.0, left, right), deck.size.y, 0.02, STONE)
	for side: int in [-1, deck.size.y]:
		_slab(mesh, at + Vector3(0, 0, side + 0.2), Vector3(1.0, left, right), 0.6, 0.8, STONE_DARK)


## A piece [param ends].x long whose upper side goes from .y to .z high, lifted.
func _slab(
	mesh: DemoMesh, at: Vector3, ends: Vector3, depth: float, lift: float, color: Color
) -> void:
	var low := minf(ends.y, ends.z) - 0.7
	var near := Vector3(0.0, 0.0, depth)
	var far_left := at + Vector3(0.0, ends.y + lift, 0.0)
	var far_right := at + Vector3(ends.x, ends.z + lift, 0.0)
	var sink_left := at + Vector3(0.0, low, 0.0)
	var sink_right := at + Vector3(ends.x, low, 0.0)
	mesh.quad([far_left, far_right, far_right + near, far_left + near], color)
	mesh.quad([far_left + near, far_right + near, sink_right + near, sink_left + near], color)
	mesh.quad([far_right, far_left, sink_left, sink_right], color)
	mesh.quad([far_right + near, far_right, sink_right, sink_right + near], color)
	mesh.quad([far_left, far_left + near, sink_left + near, sink_left], color)


func _add_trees() -> void:
	var mesh := DemoMesh.new()
	mesh.cone(Vector3.ZERO, Vector2(0.16, 0.12), 0.9, TRUNK, 5)
	mesh.cone(Vector3(0, 0.7, 0), Vector2(0.95, 0.35), 1.3, Color.WHITE)
	mesh.cone(Vector3(0, 1.7, 0), Vector2(0.7, 0.0), 1.5, Color.WHITE)
	var wood := MultiMesh.new()
	wood.transform_format = MultiMesh.TRANSFORM_3D
	wood.use_colors = true
	wood.mesh = mesh.commit()
	wood.instance_count = _land.trees.size()
	for place: int in _land.trees.size():
		var cell := _land.trees[place]
		var grain := DemoPalette.grain(cell, 7)
		var turned := Basis(Vector3.UP, grain * TAU).scaled(Vector3.ONE * (0.8 + grain * 0.5))
		wood.set_instance_transform(place, Transform3D(turned, _space.cell_to_global(cell)))
		wood.set_instance_color(place, LEAVES[int(grain * 2.99)])
	var instance := MultiMeshInstance3D.new()
	instance.multimesh = wood
	instance.material_override = DemoMesh.paint()
	add_child(instance)
