extends CharacterBody2D
## A character that jumps to where you click. The path follows the jump that this script makes.

const GRAVITY := 1400.0
const JUMP_SPEED := 700.0
const RUN_SPEED := 220.0

@export var jumper: PathForgeJumpProfile  # Has the same gravity and speeds.

var follower := PathForgePlatformFollower.new()
var goal := Vector2i(34, 5)
var is_asked := false  # The follower has a path to the goal.

@onready var platformer: PathForgePlatformer = $"../PathForgePlatformer"
@onready var label: Label = $"../Label"


func _ready() -> void:
	jumper.set_body($CollisionShape2D)


func ask() -> void:
	var start := platformer.global_to_cell(global_position, jumper)
	var path := platformer.find_path(start, goal, jumper)
	label.text = "The boxes: where it takes off, turns and lands. Click: another goal."
	if path.is_complete():
		follower.follow(path)
	else:
		label.text = "The character cannot get there. Click: another goal."
	is_asked = true


func _physics_process(delta: float) -> void:
	if not is_asked and is_on_floor():  # In the air it would give up its jump.
		ask()
	follower.step(global_position, velocity, is_on_floor(), delta)
	velocity.x = follower.axis * RUN_SPEED
	velocity.y += GRAVITY * delta
	if follower.jump and is_on_floor():
		velocity.y = -JUMP_SPEED
	elif not follower.jump and velocity.y < 0.0:
		velocity.y = 0.0  # A released button ends the jump.
	if follower.drop and is_on_floor():
		position.y += 2.0  # Through the one-way platform.
	move_and_slide()


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		goal = platformer.global_to_cell(get_global_mouse_position(), jumper)
		while platformer.can_stand(goal, jumper) and not platformer.is_on_ground(goal, jumper):
			goal += Vector2i.DOWN  # The ground below.
		is_asked = false
