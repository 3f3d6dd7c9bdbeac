class_name HouseView
extends Node3D
## What is seen of the house and does not move: an open front, low walls between rooms, and what
## stands in them.

const WALL_HEIGHT := 1.1
const SLAB := 0.3
const GRASS := Color("5f8a5a")
const LEAVES: Array[Color] = [Color("4f8550"), Color("5f9a58"), Color("456f4a")]
## The floor and the back wall of each room.
const TINTS: Dictionary[String, Array] = {
	"Garden": [Color("5f8a5a"), Color("5f8a5a")],
	"Kitchen": [Color("b9b3a5"), Color("7f9aa0")],
	"Hall": [Color("a5825f"), Color("8c8f7d")],
	"Workshop": [Color("8d8a86"), Color("6d7681")],
	"Bedroom": [Color("b08d66"), Color("8a7f9c")],
	"Landing": [Color("a5825f"), Color("8c8f7d")],
	"Nursery": [Color("b99f78"), Color("9a8263")],
	"Studio": [Color("a98f74"), Color("7c8f86")],
	"Gallery": [Color("b5a88f"), Color("9b8f86")],
	"Store": [Color("8b7f70"), Color("75706b")],
}

var _mesh := DemoMesh.new()


func show_house() -> void:
	_mesh.box(Vector3(18, -SLAB - 0.2, 4), Vector3(90, 0.2, 60), DemoPalette.GRASS)
	for title: String in HousePlan.ROOMS:
		_add_room(title)
	for storey: int in HousePlan.FLOORS:
		for x: int in HousePlan.WALLS[storey]:
			_add_wall(storey, x)
	for storey: int in HousePlan.FLOORS - 1:
		_add_stairs(storey)
	_add_ladder()
	_add_lift()
	for piece: Array in HousePlan.FURNITURE:
		var cells: Rect2i = piece[1]
		_box(piece[0], Rect2(cells).grow(-0.15), piece[2], piece[3])
	for place: int in HousePlan.TREES.size():
		_add_tree(HousePlan.TREES[place], LEAVES[place])
	var house := MeshInstance3D.new()
	house.mesh = _mesh.commit()
	house.material_override = DemoMesh.paint()
	add_child(house)


## Its floor, without the stairwell and the shaft, and its back wall.
func _add_room(title: String) -> void:
	var storey: int = HousePlan.ROOMS[title][0]
	var cells: Rect2i = HousePlan.ROOMS[title][1]
	var holes: Array[Rect2i] = []
	if storey > 0:
		holes.append(HousePlan.STAIRS)
	if storey == 1:
		holes.append(HousePlan.SHAFT)
	var pieces: Array[Rect2i] = [cells]
	for hole: Rect2i in holes:
		var left: Array[Rect2i] = []
		for piece: Rect2i in pieces:
			left.append_array(_without(piece, hole))
		pieces = left
	for piece: Rect2i in pieces:
		_box(storey, Rect2(piece), SLAB, TINTS[title][0], -SLAB)
	if title != "Garden":
		var back := Rect2(cells.position.x, -0.5, cells.size.x, 0.5)
		_box(storey, back, HousePlan.STOREY - SLAB, TINTS[title][1])
	else:
		_box(0, Rect2(0, -0.4, 18, 0.4), 0.9, DemoPalette.WOOD_DARK)


## Low, so that the rooms behind it are seen, with an opening for each door.
func _add_wall(storey: int, x: int) -> void:
	var openings: Array[Vector2i] = []
	for title: String in HousePlan.DOORS:
		var door: Rect2i = HousePlan.DOORS[title][1]
		if HousePlan.DOORS[title][0] == storey and door.position.x == x:
			openings.append(Vector2i(door.position.y, door.end.y))
	if storey == 0 and x == HousePlan.CAT_FLAP.position.x:
		openings.append(Vector2i(HousePlan.CAT_FLAP.position.y, HousePlan.CAT_FLAP.end.y))
		_box(0, Rect2(x - 0.2, HousePlan.CAT_FLAP.position.y, 0.4, 1), 0.3, DemoPalette.ACCENT, 0.8)
	var from := 0
	for opening: Vector2i in openings + [Vector2i(HousePlan.SIZE.y, 0)]:
		var piece := Rect2(x - 0.15, from, 0.3, opening.x - from)
		_box(storey, piece, WALL_HEIGHT, DemoPalette.WALL_LIGHT)
		from = opening.y


func _add_stairs(storey: int) -> void:
	var steps := 13
	var run := HousePlan.STAIRS.size.x * HousePlan.CELL + HousePlan.CELL
	var x := HousePlan.STAIRS.position.x * HousePlan.CELL
	var rise := HousePlan.STOREY / steps
	for step: int in steps:
		var wide := run / steps
		var base := Vector3(x + wide * (step + 0.5), storey * HousePlan.STOREY + rise * step, 1.75)
		_mesh.box(
			base, Vector3(wide * 1.4, rise, 3.3), DemoPalette.WOOD_LIGHT.darkened(0.03 * step)
		)


func _add_ladder() -> void:
	var foot := _place(1, Vector2(HousePlan.LADDER) + Vector2(0.5, 0.1))
	for side: float in [-0.22, 0.22]:
		_mesh.box(
			foot + Vector3(side, 0, 0),
			Vector3(0.07, HousePlan.STOREY + 0.9, 0.07),
			DemoPalette.WOOD
		)
	for rung: int in 13:
		_mesh.box(
			foot + Vector3(0, 0.3 + 0.38 * rung, 0), Vector3(0.44, 0.06, 0.06), DemoPalette.SCOUT
		)


## A shaft between the floors where it stops, and a plate on each where one gets on.
func _add_lift() -> void:
	for lift: Vector2i in [HousePlan.LIFT_UP, HousePlan.LIFT_DOWN]:
		for storey: int in [0, 2]:
			_box(
				storey,
				Rect2(lift - Vector2i.ONE, Vector2i(3, 3)).grow(-0.1),
				0.03,
				DemoPalette.STEEL
			)
	var shaft := HousePlan.SHAFT
	for x: int in [shaft.position.x, 66, shaft.end.x]:
		for z: int in [0, shaft.end.y]:
			var post := Rect2(x - 0.15, z - 0.15, 0.3, 0.3)
			_box(0, post, 2.0 * HousePlan.STOREY + 1.1, DemoPalette.STEEL)


func _add_tree(cells: Rect2i, leaves: Color) -> void:
	var foot := _place(0, Rect2(cells).get_center())
	_mesh.cone(foot, Vector2(0.16, 0.1), 1.2, DemoPalette.WOOD_DARK)
	_mesh.cone(foot + Vector3.UP * 0.9, Vector2(1.0, 0.0), 1.7, leaves)
	_mesh.cone(foot + Vector3.UP * 1.9, Vector2(0.75, 0.0), 1.4, leaves.lightened(0.08))


## A box over cells of a floor, which need not be whole.
func _box(storey: int, cells: Rect2, height: float, color: Color, above := 0.0) -> void:
	var size := cells.size * HousePlan.CELL
	var base := _place(storey, cells.get_center()) + Vector3.UP * above
	_mesh.box(base, Vector3(size.x, height, size.y), color)


static func _place(storey: int, cell: Vector2) -> Vector3:
	return Vector3(cell.x * HousePlan.CELL, storey * HousePlan.STOREY, cell.y * HousePlan.CELL)


## What is left of a piece of a floor around a hole at its back.
static func _without(piece: Rect2i, hole: Rect2i) -> Array[Rect2i]:
	var cut := piece.intersection(hole)
	if not cut.has_area():
		return [piece]
	var pieces: Array[Rect2i] = [
		Rect2i(piece.position, Vector2i(cut.position.x - piece.position.x, piece.size.y)),
		Rect2i(cut.end.x, piece.position.y, piece.end.x - cut.end.x, piece.size.y),
		Rect2i(cut.position.x, cut.end.y, cut.size.x, piece.end.y - cut.end.y),
	]
	return pieces.filter(func(left: Rect2i) -> bool: return left.has_area())
