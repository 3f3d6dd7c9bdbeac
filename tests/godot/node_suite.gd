class_name NodeSuite
extends TestSuite
## A map, and bodies on it that are agents.

const CELL: float = 16.0

var grid: PathForgeGrid


## A body as README has it.
class Unit:
	extends CharacterBody2D
	var agent: PathForgeAgent2D = PathForgeAgent2D.new()
	var speed: float = 80.0
	var told: Array[String] = []

	func _physics_process(_delta: float) -> void:
		velocity = agent.get_next_velocity(speed)
		move_and_slide()


func before_each() -> void:
	grid = PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 40, 24)
	grid.cell_size = Vector2(CELL, CELL)
	add(grid)


func unit_at(cell: Vector2i, side: int) -> Unit:
	var unit: Unit = Unit.new()
	var shape: CollisionShape2D = CollisionShape2D.new()
	var circle: CircleShape2D = CircleShape2D.new()
	circle.radius = CELL * side * 0.5 - 3.0
	shape.shape = circle
	unit.add_child(shape)
	unit.motion_mode = CharacterBody2D.MOTION_MODE_FLOATING
	var profile: PathForgeProfile = PathForgeProfile.new()
	profile.footprint = Vector2i(side, side)
	unit.position = grid.cell_to_local(cell, profile)
	unit.agent.grid = grid
	unit.agent.profile = profile
	unit.add_child(unit.agent)
	unit.agent.target_reached.connect(func() -> void: unit.told.append("reached"))
	unit.agent.navigation_finished.connect(func() -> void: unit.told.append("finished"))
	unit.agent.blocked_by_others.connect(func() -> void: unit.told.append("blocked"))
	add(unit)
	return unit


func gate(height: int) -> void:
	grid.fill_solid_region(Rect2i(20, 0, 2, 24), true)
	grid.fill_solid_region(Rect2i(20, 12 - height / 2, 2, height), false)


func all_finished(units: Array[Unit]) -> bool:
	return units.all(func(unit: Unit) -> bool: return unit.agent.is_navigation_finished())


## The deepest overlap of two discs, in parts of the smaller radius.
func deepest_overlap(units: Array[Unit]) -> float:
	var deepest: float = 0.0
	for a: int in units.size():
		for b: int in a:
			var radii: Array[float] = []
			for unit: Unit in [units[a], units[b]]:
				radii.append(unit.agent.profile.footprint.x * CELL * 0.5 - 0.1 * CELL)
			var gap: float = units[a].position.distance_to(units[b].position) - radii[0] - radii[1]
			deepest = maxf(deepest, -gap / minf(radii[0], radii[1]))
	return deepest
