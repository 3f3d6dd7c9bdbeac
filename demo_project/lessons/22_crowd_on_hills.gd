extends Node3D
## A crowd in 3D: 300 agents stream over hills. Click: all go there. Click an agent: it turns red.

const SPEED := 3.0  # Metres a second.

@export var walker: PathForgeProfile
@export var noise: FastNoiseLite  # The ground is drawn by it, too: parts/hills.tscn.

var walkers: PackedInt32Array

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var space: PathForgeSpace3D = $PathForgeGrid/PathForgeSpace3D
@onready var crowd: PathForgeCrowd = $PathForgeGrid/PathForgeCrowd
@onready var label: Label = $Label


func _ready() -> void:
	space.import_heights_from_image(noise.get_image(40, 20), 0.0, 5.0)
	space.close_steep_cells(38.0)
	var cells: Array[Vector2i] = []
	for n: int in 300:
		cells.append(Vector2i(1 + n / 25, 4 + n % 12))
	walkers = crowd.add_agents(grid.cells_to_local(cells), walker, SPEED)
	send(Vector2i(34, 15))


func send(goal: Vector2i) -> void:
	if grid.can_stand(goal):
		crowd.assign_goal(walkers, goal)
		label.text = "Click: all go there. Click an agent: it turns red."
	else:
		label.text = "It is too steep there. Click: another goal."


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		var camera := get_viewport().get_camera_3d()
		var from := camera.project_ray_origin(click.position)
		var ray := camera.project_ray_normal(click.position)
		var met := crowd.find_agents_along_ray(from, ray, 1.0)  # A metre high.
		var hit := space.intersect_ray(from, ray)
		if not met.is_empty():
			crowd.set_agent_colors(met.slice(0, 1), Color.RED)
			label.text = "Agent %d is red. Click: all go there." % met[0]
		elif hit.is_finite():
			send(space.global_to_cell(hit))
