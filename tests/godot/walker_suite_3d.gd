class_name WalkerSuite3D
extends TestSuite
## The base of suites of walkers in 3D: a grid of one metre a cell, its space, and bodies on it.

var grid: PathForgeGrid
var space: PathForgeSpace3D


## A body as the help has it.
class Unit:
	extends CharacterBody3D
	var agent: PathForgeAgent3D = PathForgeAgent3D.new()
	var speed: float = 5.0
	var ground: PathForgeSpace3D
	var told: Array[String] = []

	func _init() -> void:
		motion_mode = CharacterBody3D.MOTION_MODE_FLOATING
		add_child(agent)
		agent.target_reached.connect(told.append.bind("reached"))
		agent.navigation_finished.connect(told.append.bind("finished"))
		agent.blocked_by_others.connect(told.append.bind("blocked"))
		agent.navigation_failed.connect(told.append.bind("failed").unbind(1))

	func _physics_process(_delta: float) -> void:
		velocity = agent.get_next_velocity(speed)
		move_and_slide()
		if is_instance_valid(ground):
			global_position = ground.snap_to_ground(global_position)


func before_each() -> void:
	grid = _new_grid()
	space = PathForgeSpace3D.new()
	grid.add_child(space)


func _new_grid() -> PathForgeGrid:
	var made := PathForgeGrid.new()
	made.region = Rect2i(0, 0, 40, 24)
	made.cell_size = Vector2.ONE
	add(made)
	return made


func _square(side: int) -> PathForgeProfile:
	var profile := PathForgeProfile.new()
	profile.footprint = Vector2i(side, side)
	return profile


func _hills() -> void:
	var heights := PackedFloat32Array()
	for y: int in 24:
		for x: int in 40:
			heights.append(sin(x * 0.3) * 2.0 + cos(y * 0.4))
	space.set_height_data(heights)


func _unit_at(cell: Vector2i, side := 1) -> Unit:
	var unit := Unit.new()
	unit.agent.profile = _square(side)
	unit.agent.space = space
	unit.ground = space
	unit.position = space.cell_to_global(cell, unit.agent.profile)
	add(unit)
	return unit


func _all_finished(units: Array[Unit]) -> bool:
	return units.all(func(unit: Unit) -> bool: return unit.agent.is_navigation_finished())
