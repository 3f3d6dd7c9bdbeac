class_name HouseSuite
extends TestSuite
## The base of suites of floors: a grid of one metre a cell, with a floor above another.

const SIZE := Vector2i(20, 16)
const STOREY := 3.0

var grid: PathForgeGrid
var ground_floor: PathForgeSpace3D
var upper_floor: PathForgeSpace3D


## A body that follows the ground of the floor that carries it, and climbs stairs by its velocity.
class Unit:
	extends Node3D
	var agent: PathForgeAgent3D = PathForgeAgent3D.new()
	var speed: float = 4.0
	var highest_step: float = 0.0
	var told: Array[String] = []

	func _init() -> void:
		add_child(agent)
		agent.target_reached.connect(told.append.bind("reached"))
		agent.navigation_finished.connect(told.append.bind("finished"))
		agent.navigation_failed.connect(told.append.bind("failed").unbind(1))

	func _physics_process(delta: float) -> void:
		var before := global_position
		var velocity := agent.get_next_velocity(speed)
		global_position += velocity * delta
		if is_zero_approx(velocity.y):
			var space := agent.get_effective_space()
			var on: PathForgeSpace3D = space.floor_at(global_position) if space else null
			if on:
				global_position = on.snap_to_ground(global_position)
		highest_step = maxf(highest_step, before.distance_to(global_position) / delta)


func before_each() -> void:
	grid = PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 41, 16)
	grid.cell_size = Vector2.ONE
	add(grid)
	grid.fill_solid_region(Rect2i(20, 0, 1, 16))
	ground_floor = _floor(Rect2i(Vector2i(0, 0), SIZE), 0.0)
	upper_floor = _floor(Rect2i(Vector2i(21, 0), SIZE), STOREY)


func _floor(region: Rect2i, height: float) -> PathForgeSpace3D:
	var made := PathForgeSpace3D.new()
	made.floor_region = region
	made.position.y = height
	grid.add_child(made)
	return made


func _unit_at(position: Vector3) -> Unit:
	var unit := Unit.new()
	unit.agent.space = ground_floor
	unit.position = position
	add(unit)
	return unit


func _near(a: Vector3, b: Vector3, tolerance := 1e-3) -> bool:
	return a.distance_to(b) <= tolerance


func _hilly(on: PathForgeSpace3D) -> void:
	var heights := PackedFloat32Array()
	for y: int in SIZE.y:
		for x: int in SIZE.x:
			heights.append(0.4 * sin(x * 0.7))
	on.set_height_data(heights)


func _quad(height: float) -> NavigationMesh:
	var mesh := NavigationMesh.new()
	mesh.agent_radius = 0.0
	mesh.vertices = PackedVector3Array(
		[
			Vector3(0, height, 0),
			Vector3(8, height, 0),
			Vector3(8, height, 8),
			Vector3(0, height, 8),
		]
	)
	mesh.add_polygon(PackedInt32Array([0, 1, 2, 3]))
	return mesh
