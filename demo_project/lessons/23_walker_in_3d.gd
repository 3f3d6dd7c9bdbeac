extends Node3D
## Walkers in 3D: a tank and a squad. Left click: the tank goes there. Right click: the squad.

@export var noise: FastNoiseLite  # The ground is drawn by it, too: parts/hills.tscn.

@onready var space: PathForgeSpace3D = $PathForgeGrid/PathForgeSpace3D
@onready var crowd: PathForgeCrowd = $PathForgeGrid/PathForgeCrowd
@onready var agents: Array[Node] = $Units.find_children("", "PathForgeAgent3D")
@onready var label: Label = $Label


func _ready() -> void:
	space.import_heights_from_image(noise.get_image(40, 20), 0.0, 5.0)
	space.close_steep_cells(38.0)
	agents[0].target_position = space.cell_to_global(Vector2i(34, 14))
	send_squad(Vector2i(28, 6))


func send_squad(goal: Vector2i) -> void:
	var ids := PackedInt32Array()
	for agent: PathForgeAgent3D in agents.slice(1):
		ids.append(agent.get_agent_id())
	crowd.assign_goal(ids, goal)


func _process(_delta: float) -> void:
	var tank: PathForgeAgent3D = agents[0]
	var words := "rests" if tank.is_navigation_finished() else "walks"
	label.text = "Left click: the tank goes there. Right click: the squad does. "
	label.text += "The tank %s, %.0f m from its target." % [words, tank.distance_to_target()]


func _physics_process(_delta: float) -> void:
	for agent: PathForgeAgent3D in agents:
		var body: CharacterBody3D = agent.get_parent()
		body.velocity = agent.get_next_velocity(4.0)  # Also at rest: it makes way for others.
		body.move_and_slide()
		body.position = space.snap_to_ground(body.position)
		if body.velocity.length() > 0.5:
			body.look_at(body.position + body.velocity)


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index <= MOUSE_BUTTON_RIGHT:
		var camera := get_viewport().get_camera_3d()
		var from := camera.project_ray_origin(click.position)
		var hit := space.intersect_ray(from, camera.project_ray_normal(click.position))
		if hit.is_finite() and click.button_index == MOUSE_BUTTON_RIGHT:
			send_squad(space.global_to_cell(hit))
		elif hit.is_finite():
			agents[0].target_position = hit
