class_name HillsUnitKind
extends RefCounted
## A kind of unit: how wide it is, how fast, and what it looks like. Meshes look along -z.

const COAT := Color("2f5fae")
const COAT_LIGHT := Color("6f9be0")
const HIDE := Color("6b4a35")
const WOOD := Color("8a6239")
const DARK := Color("3a2c22")
const CANVAS := Color("efe6d0")
const GOLEM := Color("7d8794")
const SKIN := Color("f1d3b3")

var title := ""
var side := 1
## Metres a second.
var speed := 3.0
## How high it is, for clicks and for what hovers above it.
var height := 2.0
## If true, it leans as the ground does, as what has four legs or wheels; else it stands upright.
var leans := true
var mesh: ArrayMesh
var profile := PathForgeProfile.new()


func _init(of_title: String, of_side: int, of_speed: float, of_height: float) -> void:
	title = of_title
	side = of_side
	speed = of_speed
	height = of_height
	profile.footprint = Vector2i(side, side)


## Riders of 1×1 cells, wagons of 2×2 and giants of 3×3.
static func all() -> Array[HillsUnitKind]:
	var rider := HillsUnitKind.new("Rider", 1, 4.5, 2.0)
	rider.mesh = _rider()
	var wagon := HillsUnitKind.new("Wagon", 2, 3.2, 2.0)
	wagon.mesh = _wagon()
	var giant := HillsUnitKind.new("Giant", 3, 3.0, 4.4)
	giant.mesh = _giant()
	giant.leans = false
	return [rider, wagon, giant]


## "3×3"
func size_text() -> String:
	return "%d×%d" % [side, side]


static func _rider() -> ArrayMesh:
	var mesh := HillsMesh.new()
	for x: float in [-0.14, 0.14]:
		for z: float in [-0.35, 0.35]:
			mesh.box(Vector3(x, 0.0, z), Vector3(0.12, 0.6, 0.12), DARK)
	mesh.box(Vector3(0, 0.55, 0), Vector3(0.42, 0.42, 1.0), HIDE)
	mesh.box(Vector3(0, 0.85, -0.52), Vector3(0.24, 0.5, 0.3), HIDE)
	mesh.box(Vector3(0, 1.12, -0.68), Vector3(0.2, 0.24, 0.42), HIDE)
	mesh.box(Vector3(0, 0.78, 0.05), Vector3(0.5, 0.24, 0.5), COAT_LIGHT)
	mesh.cone(Vector3(0, 0.95, 0.05), Vector2(0.27, 0.2), 0.7, COAT, 6)
	mesh.cone(Vector3(0, 1.65, 0.05), Vector2(0.15, 0.19), 0.3, SKIN, 6)
	mesh.cone(Vector3(0, 1.92, 0.05), Vector2(0.21, 0.0), 0.3, COAT_LIGHT, 6)
	return mesh.commit()


static func _wagon() -> ArrayMesh:
	var mesh := HillsMesh.new()
	for x: float in [-0.72, 0.72]:
		for z: float in [-0.55, 0.55]:
			mesh.at = Transform3D(Basis(Vector3.FORWARD, PI * 0.5), Vector3(x - 0.08, 0.4, z))
			mesh.cone(Vector3.ZERO, Vector2(0.4, 0.4), 0.16, DARK, 10)
			mesh.cone(Vector3(0, -0.01, 0), Vector2(0.12, 0.12), 0.18, CANVAS, 6)
	mesh.at = Transform3D.IDENTITY
	mesh.box(Vector3(0, 0.42, 0), Vector3(1.3, 0.5, 1.75), WOOD)
	mesh.box(Vector3(0, 0.9, 0.12), Vector3(1.34, 0.5, 1.4), CANVAS)
	mesh.roof(Vector3(0, 1.4, 0.12), Vector3(1.34, 0.55, 1.42), CANVAS)
	mesh.box(Vector3(0, 0.9, 0.12), Vector3(1.38, 0.16, 1.44), COAT)
	mesh.cone(Vector3(0, 0.9, -0.72), Vector2(0.24, 0.17), 0.55, COAT, 6)
	mesh.cone(Vector3(0, 1.45, -0.72), Vector2(0.13, 0.17), 0.28, SKIN, 6)
	return mesh.commit()


static func _giant() -> ArrayMesh:
	var mesh := HillsMesh.new()
	for x: float in [-0.6, 0.6]:
		mesh.box(Vector3(x, -0.5, -0.1), Vector3(0.85, 0.85, 1.1), GOLEM.darkened(0.3))
		mesh.box(Vector3(x, 0.3, 0.0), Vector3(0.7, 1.2, 0.75), GOLEM.darkened(0.15))
		mesh.box(Vector3(x * 1.95, 1.0, -0.1), Vector3(0.55, 1.9, 0.65), GOLEM)
		mesh.box(Vector3(x * 1.95, 0.75, -0.2), Vector3(0.68, 0.6, 0.8), GOLEM.darkened(0.25))
		mesh.box(Vector3(x * 1.85, 2.75, 0.0), Vector3(0.75, 0.5, 0.95), COAT)
	mesh.box(Vector3(0, 1.35, 0), Vector3(1.8, 0.5, 1.0), GOLEM.darkened(0.2))
	mesh.box(Vector3(0, 1.8, 0), Vector3(2.0, 1.4, 1.25), GOLEM)
	mesh.box(Vector3(0, 2.1, -0.6), Vector3(0.9, 0.8, 0.15), COAT_LIGHT)
	mesh.box(Vector3(0, 3.2, -0.15), Vector3(0.95, 0.85, 0.9), GOLEM.lightened(0.12))
	for x: float in [-0.22, 0.22]:
		mesh.box(Vector3(x, 3.55, -0.6), Vector3(0.2, 0.16, 0.06), Color("ffe08a"))
	mesh.box(Vector3(0, 4.05, -0.15), Vector3(1.05, 0.16, 1.0), COAT)
	return mesh.commit()
