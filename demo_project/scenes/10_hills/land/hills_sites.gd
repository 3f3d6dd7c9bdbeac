class_name HillsSites
extends Node3D
## What stands at the places to which people go: tents, haystacks on fields, a windmill, a harbour
## and vines; and the name of each place above it.

## Cells that are closed.
const TENTS: Array[Rect2i] = [
	Rect2i(3, 46, 4, 3),
	Rect2i(10, 44, 4, 3),
	Rect2i(17, 47, 4, 3),
	Rect2i(3, 67, 4, 3),
	Rect2i(10, 70, 4, 3),
	Rect2i(17, 67, 4, 3),
]
const STACKS: Array[Rect2i] = [
	Rect2i(19, 8, 2, 2),
	Rect2i(23, 17, 2, 2),
	Rect2i(38, 6, 2, 2),
	Rect2i(20, 95, 2, 2),
	Rect2i(27, 107, 2, 2),
	Rect2i(44, 104, 2, 2),
]
const MILLS: Array[Rect2i] = [Rect2i(150, 5, 4, 4)]
## A barn by the mill, and stores by the harbour.
const STORES: Array[Rect2i] = [Rect2i(139, 5, 6, 4), Rect2i(140, 43, 5, 4), Rect2i(141, 70, 5, 4)]
const CRATES: Array[Rect2i] = [Rect2i(147, 50, 2, 2), Rect2i(147, 65, 2, 2)]
const VINES: Array[Rect2i] = [Rect2i(149, 88, 9, 21), Rect2i(131, 104, 14, 6)]

## Ploughed and sown: people walk there.
const FIELDS: Array[Rect2i] = [Rect2i(17, 4, 28, 19), Rect2i(18, 91, 30, 19)]
const FURROW := Color("c9ad5c")
const STUBBLE := Color("b99a4e")

const CANVAS := Color("efe6d0")
const STRAW := Color("e0c068")
const PLANK := Color("8b6b4b")
const VINE := Color("4c7a3a")
const GRAPE := Color("6d3f7d")
const SAIL_TURN := 0.7
## How high names hover, in metres.
const NAME_HEIGHT := 9.0

var _land: HillsLand
var _sails := MeshInstance3D.new()


func show_sites(land: HillsLand) -> void:
	_land = land
	var mesh := DemoMesh.new()
	for tent: Rect2i in TENTS:
		_tent(mesh, tent)
	for stack: Rect2i in STACKS:
		mesh.cone(_base(stack), Vector2(1.1, 0.9), 0.9, STRAW.darkened(0.1), 9)
		mesh.cone(_base(stack) + Vector3.UP * 0.9, Vector2(1.0, 0.0), 1.2, STRAW, 9)
	for store: Rect2i in STORES:
		_store(mesh, store)
	_mill(mesh)
	_harbour(mesh)
	for rows: Rect2i in VINES:
		_vines(mesh, rows)
	var sites := MeshInstance3D.new()
	sites.mesh = mesh.commit()
	sites.material_override = DemoMesh.paint()
	add_child(sites)
	for place: int in HillsLand.PLACES.size():
		_name_place(place)


func _process(delta: float) -> void:
	_sails.rotate_z(SAIL_TURN * delta)


## All cells that these things close.
static func closed() -> Array[Rect2i]:
	return TENTS + STACKS + STORES + CRATES + VINES + MILLS


## The colour of a field at a cell; transparent where there is none.
static func field_color(cell: Vector2i) -> Color:
	for field: Rect2i in FIELDS:
		if field.has_point(cell):
			return FURROW if posmod(cell.y, 3) == 0 else STUBBLE
	return Color.TRANSPARENT


## The middle of some cells, as low as the lowest of them.
func _base(cells: Rect2i) -> Vector3:
	var middle := Vector2(cells.position) + Vector2(cells.size) * 0.5
	return Vector3(middle.x, _land.lowest(cells) - 0.2, middle.y)


func _tent(mesh: DemoMesh, cells: Rect2i) -> void:
	var base := _base(cells)
	var tint := CANVAS.lerp(DemoPalette.SCOUT, 0.25 * DemoPalette.grain(cells.position, 3))
	mesh.roof(base, Vector3(3.7, 2.5, 2.8), tint)
	mesh.box(base + Vector3(1.88, 0.0, 0.0), Vector3(0.06, 1.3, 0.7), DemoPalette.WOOD_DARK)
	mesh.cone(base + Vector3(1.85, 2.4, 0.0), Vector2(0.07, 0.05), 1.3, PLANK, 5)
	mesh.box(base + Vector3(1.5, 3.2, 0.0), Vector3(0.7, 0.4, 0.05), HillsPeople.COLORS[0])


func _store(mesh: DemoMesh, cells: Rect2i) -> void:
	var base := _base(cells)
	var size := Vector3(cells.size.x - 0.3, 2.8, cells.size.y - 0.3)
	mesh.box(base, size, PLANK)
	mesh.roof(
		base + Vector3.UP * 2.8, Vector3(cells.size.x, 1.6, cells.size.y), HillsGround.ROOFS[3]
	)
	var gate := base + Vector3(0.0, 0.1, size.z * 0.5)
	mesh.box(gate, Vector3(1.6, 2.0, 0.12), DemoPalette.WOOD_DARK)


func _mill(mesh: DemoMesh) -> void:
	var base := _base(MILLS[0])
	mesh.cone(base, Vector2(1.9, 1.25), 6.2, HillsGround.WALLS[0], 10)
	mesh.cone(base + Vector3.UP * 6.2, Vector2(1.5, 0.0), 1.9, HillsGround.ROOFS[0], 10)
	mesh.box(base + Vector3(0.0, 0.1, 1.75), Vector3(0.9, 1.7, 0.3), DemoPalette.WOOD_DARK)
	mesh.at = Transform3D(Basis(Vector3.RIGHT, PI * 0.5), base + Vector3(0.0, 5.9, 1.0))
	mesh.cone(Vector3.ZERO, Vector2(0.18, 0.18), 1.1, DemoPalette.WOOD_DARK, 6)
	mesh.at = Transform3D.IDENTITY
	var sails := DemoMesh.new()
	for sail: int in 4:
		sails.at = Transform3D(Basis(Vector3.BACK, TAU * sail / 4.0), Vector3.ZERO)
		sails.box(Vector3(0.0, 0.0, 0.0), Vector3(0.14, 4.2, 0.12), DemoPalette.WOOD_DARK)
		sails.box(Vector3(0.42, 0.9, 0.0), Vector3(0.75, 3.2, 0.06), CANVAS)
	_sails.mesh = sails.commit()
	_sails.material_override = DemoMesh.paint()
	_sails.position = base + Vector3(0.0, 5.9, 2.1)
	add_child(_sails)


## A quay along the shore, a jetty into the bay, and boats.
func _harbour(mesh: DemoMesh) -> void:
	var quay := HillsLand.BAY
	for step: int in range(-9, 10):
		var z := quay.y + step * 1.5
		var x := _shore_x(z)
		mesh.box(Vector3(x + 0.4, -1.2, z), Vector3(2.2, 1.75, 1.52), HillsGround.STONE_DARK)
	var start := _shore_x(quay.y)
	for plank: int in int(HillsLand.SIZE.x - 1.5 - start):
		var tint := PLANK.darkened(0.12 * (plank % 2))
		mesh.box(Vector3(start + plank + 0.5, 0.35, quay.y), Vector3(0.94, 0.2, 2.4), tint)
		if plank % 3 == 0:
			for side: float in [-1.1, 1.1]:
				var post := Vector3(start + plank + 0.5, -1.8, quay.y + side)
				mesh.cone(post, Vector2(0.14, 0.14), 2.9, DemoPalette.WOOD_DARK, 6)
	for crates: Rect2i in CRATES:
		var base := _base(crates)
		mesh.box(base + Vector3(-0.4, 0.0, -0.4), Vector3(1.0, 1.0, 1.0), PLANK)
		mesh.box(base + Vector3(0.55, 0.0, 0.4), Vector3(0.85, 0.85, 0.85), PLANK.lightened(0.15))
		mesh.box(base + Vector3(-0.3, 1.0, -0.3), Vector3(0.7, 0.7, 0.7), PLANK.lightened(0.1))
	_boat(mesh, Vector3(155.0, 0.0, quay.y - 4.5), 0.15, DemoPalette.TANK)
	_boat(mesh, Vector3(156.0, 0.0, quay.y + 4.2), -0.2, HillsPeople.COLORS[4])
	_boat(mesh, Vector3(157.0, 0.0, quay.y + 12.0), 0.9, DemoPalette.HAULER)


func _boat(mesh: DemoMesh, at: Vector3, turn: float, sail: Color) -> void:
	mesh.at = Transform3D(Basis(Vector3.UP, turn), at)
	mesh.box(Vector3(0.0, -0.25, 0.0), Vector3(3.4, 0.7, 1.3), DemoPalette.WOOD_DARK)
	mesh.box(Vector3(0.0, 0.45, 0.0), Vector3(3.7, 0.16, 1.5), PLANK)
	mesh.cone(Vector3(0.2, 0.4, 0.0), Vector2(0.09, 0.06), 4.2, PLANK, 6)
	mesh.box(Vector3(-0.55, 1.1, 0.0), Vector3(1.3, 2.7, 0.08), sail)
	mesh.at = Transform3D.IDENTITY


## Where the ground meets the water in a row of the bay.
func _shore_x(z: float) -> float:
	for x: int in range(int(HillsLand.BAY.x) - 24, HillsLand.SIZE.x):
		if _land.height(Vector2i(x, int(z))) < HillsLand.SHORE:
			return x
	return HillsLand.SIZE.x


## Rows of vines on stakes, as the ground rises and falls.
func _vines(mesh: DemoMesh, cells: Rect2i) -> void:
	for z: int in range(cells.position.y, cells.end.y, 2):
		for x: int in range(cells.position.x, cells.end.x):
			var at := Vector3(x + 0.5, _land.height(Vector2i(x, z)) - 0.1, z + 0.5)
			var grain := DemoPalette.grain(Vector2i(x, z), 9)
			mesh.box(at, Vector3(0.09, 1.25, 0.09), PLANK)
			var leaves := Vector3(1.0, 0.55 + 0.25 * grain, 0.5)
			mesh.box(at + Vector3.UP * 0.5, leaves, VINE.lightened(0.12 * grain))
			if grain > 0.4:
				mesh.box(at + Vector3(0.2, 0.4, 0.27), Vector3(0.22, 0.32, 0.1), GRAPE)


func _name_place(place: int) -> void:
	var cell: Vector2i = HillsLand.PLACES.values()[place]
	var label := Label3D.new()
	label.text = HillsLand.PLACES.keys()[place]
	label.billboard = BaseMaterial3D.BILLBOARD_ENABLED
	label.fixed_size = true
	label.pixel_size = 0.00032
	label.font_size = 44
	label.outline_size = 14
	label.modulate = HillsPeople.COLORS[place].lightened(0.2)
	label.outline_modulate = Color(DemoPalette.INK, 0.85)
	label.no_depth_test = true
	label.position = Vector3(cell.x, _land.height(cell) + NAME_HEIGHT, cell.y)
	add_child(label)
