extends Node3D
## A house of two floors and stairs. Click on a floor: all go there. Right click: shut the stairs.

const STAIRS_START := Vector2i(17, 8)
const STAIRS_END := Vector2i(25, 8)  # The cells of the upper floor begin here.

var stairs: int

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var lower: PathForgeSpace3D = $PathForgeGrid/Lower
@onready var upper: PathForgeSpace3D = $PathForgeGrid/Upper
@onready var agents: Array[Node] = $Units.find_children("", "PathForgeAgent3D")
@onready var label: Label = $Label


func _ready() -> void:
	grid.fill_solid_region(Rect2i(24, 0, 1, 12))  # Nothing walks from floor to floor,
	stairs = grid.add_link(STAIRS_START, STAIRS_END, 6.0)  # but over the stairs.
	grid.set_link_capacity(stairs, 2)
	send(upper.cell_to_global(Vector2i(37, 3)))


func send(target: Vector3) -> void:
	for agent: PathForgeAgent3D in agents:
		agent.target_position = target
	var floor_name := "upper" if lower.floor_at(target) == upper else "lower"
	label.text = "Click on a floor: all go there. Now to the %s floor." % floor_name


func _physics_process(_delta: float) -> void:
	for agent: PathForgeAgent3D in agents:
		var body: CharacterBody3D = agent.get_parent()
		body.velocity = agent.get_next_velocity(4.0)  # Up and down on the stairs.
		body.move_and_slide()
		var on := lower.floor_at(body.position)
		if on and is_zero_approx(body.velocity.y):
			body.position = on.snap_to_ground(body.position)


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		var camera := get_viewport().get_camera_3d()
		var from := camera.project_ray_origin(click.position)
		var hit := lower.intersect_ray(from, camera.project_ray_normal(click.position))
		if hit.is_finite():
			send(hit)
	elif click and click.pressed and click.button_index == MOUSE_BUTTON_RIGHT:
		var is_open := not grid.is_link_enabled(stairs)
		grid.set_link_enabled(stairs, is_open)
		label.text = "The stairs are open." if is_open else "The stairs are shut."
