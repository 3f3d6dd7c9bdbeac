extends CharacterBody2D
## Doors and crates: obstacles over the cells. Click: open or shut the upper or the lower door.

const SPEED := 220.0  # Pixels a second.
const TARGETS: Array[Vector2i] = [Vector2i(35, 4), Vector2i(4, 4)]

var next_target := 0

@onready var agent: PathForgeAgent2D = $PathForgeAgent2D
@onready var grid: PathForgeGrid = $"../PathForgeGrid"
@onready var doors: Array[Node] = $"../PathForgeGrid/Doors".get_children()


func _ready() -> void:
	grid.fill_solid_region(Rect2i(20, 0, 1, 20))
	for gap: int in [3, 15]:
		grid.fill_solid_region(Rect2i(20, gap, 1, 3), false)
	agent.target_reached.connect(go_on)
	go_on()


func go_on() -> void:
	agent.target_position = grid.cell_to_global(TARGETS[next_target], agent.profile)
	next_target = 1 - next_target


func _physics_process(_delta: float) -> void:
	velocity = agent.get_next_velocity(SPEED)
	move_and_slide()


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		var door: PathForgeObstacle2D = doors[0 if get_global_mouse_position().y < 320.0 else 1]
		door.enabled = not door.enabled
		door.modulate.a = 1.0 if door.enabled else 0.2
