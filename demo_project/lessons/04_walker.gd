extends CharacterBody2D
## One walker with a body of 2×2 cells. Left click: walk there. Right click: build or remove a wall.

const SPEED := 220.0  # Pixels a second.

@onready var agent: PathForgeAgent2D = $PathForgeAgent2D
@onready var grid: PathForgeGrid = $"../PathForgeGrid"
@onready var label: Label = $"../Label"


func _ready() -> void:
	agent.path_changed.connect(func() -> void: label.text = "On the way.")
	agent.target_reached.connect(func() -> void: label.text = "There. Click: another target.")
	agent.navigation_failed.connect(_on_navigation_failed)
	grid.fill_solid_region(Rect2i(15, 3, 2, 17))
	grid.fill_solid_region(Rect2i(26, 0, 2, 15))
	agent.target_position = grid.cell_to_global(Vector2i(34, 3), agent.profile)


func _physics_process(_delta: float) -> void:
	velocity = agent.get_next_velocity(SPEED)
	move_and_slide()


func _on_navigation_failed(path: PathForgePath) -> void:
	label.text = "The walker cannot get there. Click: another target."
	print(path.describe())


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		agent.target_position = get_global_mouse_position()
	elif click and click.pressed and click.button_index == MOUSE_BUTTON_RIGHT:
		var cell := grid.global_to_cell(get_global_mouse_position())
		if grid.is_in_boundsv(cell):
			grid.set_point_solid(cell, not grid.is_point_solid(cell))
