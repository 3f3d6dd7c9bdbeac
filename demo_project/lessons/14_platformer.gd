extends CharacterBody2D
## A character that jumps to where you click. The path follows the jump that this script makes.

const GRAVITY := 1400.0
const JUMP_SPEED := 700.0
const RUN_SPEED := 220.0

@export var jumper: PathForgeJumpProfile  # Has the same gravity and speeds.

var follower := PathForgePlatformFollower.new()

@onready var platformer: PathForgePlatformer = $"../PathForgePlatformer"


func _ready() -> void:
	go_to(Vector2i(34, 5))


func go_to(goal: Vector2i) -> void:
	var start := platformer.global_to_cell(global_position, jumper)
	follower.follow(platformer.find_path(start, goal, jumper))


func _physics_process(delta: float) -> void:
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
	if event is InputEventMouseButton and event.is_pressed():
		go_to(platformer.global_to_cell(get_global_mouse_position(), jumper))
