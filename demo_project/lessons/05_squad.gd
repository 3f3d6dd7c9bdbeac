extends Node2D
## A squad of walkers: each gets a place of its own around the click, and none pushes another.

const SPEED := 180.0  # Pixels a second.
const SPACING := Vector2i(3, 3)  # Cells from one place to the next.

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var squad: Array[Node] = $Squad.get_children()


func _ready() -> void:
	grid.fill_solid_region(Rect2i(20, 0, 1, 20))
	grid.fill_solid_region(Rect2i(20, 8, 1, 4), false)  # A gate.
	send(Vector2i(32, 9))


func send(middle: Vector2i) -> void:
	for n: int in squad.size():
		var agent: PathForgeAgent2D = squad[n].get_node(^"PathForgeAgent2D")
		var place := middle + Vector2i(n % 3 - 1, n / 3 - 1) * SPACING
		place = grid.find_nearest_fit(place, agent.profile)  # Not inside a wall.
		agent.target_position = grid.cell_to_global(place, agent.profile)


func _physics_process(_delta: float) -> void:
	for body: CharacterBody2D in squad:
		var agent: PathForgeAgent2D = body.get_node(^"PathForgeAgent2D")
		body.velocity = agent.get_next_velocity(SPEED)
		body.move_and_slide()


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.is_pressed():
		send(grid.global_to_cell(get_global_mouse_position()))
