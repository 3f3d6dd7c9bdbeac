class_name PlatformWalker
extends CharacterBody2D
## A body with ordinary gravity that follows a path: the script of [PathForgePlatformFollower]'s
## help, with speeds that tests set, and the signal that it ended with.

const GRAVITY := 980.0
## Physics frames of these tests that pass in one of the clock.
const SPEED_UP := 16

var jump_speed := 330.0
var run_speed := 180.0
var climb_speed := 0.0
## 0 for at once.
var acceleration := 0.0
## Empty while it is under way, then "arrived" or "gave up".
var result := ""
## Why it gave up.
var reason := -1
var age := 0.0
var follower := PathForgePlatformFollower.new()


## A body of the profile's size and speeds, a little smaller than its cells of [param cell_px].
static func create(profile: PathForgeJumpProfile, cell_px: float) -> PlatformWalker:
	var size := Vector2(profile.footprint) * cell_px - Vector2(2, 2)
	return of_shape(shape_of(size, false), profile)


## A box, or a capsule with its round ends at the short sides.
static func shape_of(size: Vector2, is_round: bool) -> CollisionShape2D:
	var node := CollisionShape2D.new()
	if is_round:
		var capsule := CapsuleShape2D.new()
		capsule.radius = size.x / 2.0
		capsule.height = maxf(size.x, size.y)
		node.shape = capsule
	else:
		var rectangle := RectangleShape2D.new()
		rectangle.size = size
		node.shape = rectangle
	return node


## A body of that shape with the profile's speeds.
static func of_shape(shape: CollisionShape2D, profile: PathForgeJumpProfile) -> PlatformWalker:
	var walker := PlatformWalker.new()
	walker.jump_speed = profile.jump_speed
	walker.run_speed = profile.run_speed
	walker.acceleration = profile.acceleration
	walker.add_child(shape)
	walker.collision_layer = 0
	walker.follower.arrived.connect(func() -> void: walker.result = "arrived")
	walker.follower.gave_up.connect(
		func(reason: int) -> void:
			walker.result = "gave up"
			walker.reason = reason
	)
	return walker


## Physics of so many ticks a second, 16 times as fast as the clock; 0 for ordinary physics again.
static func set_ticks(ticks: int) -> void:
	var speed_up := SPEED_UP if ticks > 0 else 1
	Engine.physics_ticks_per_second = (ticks if ticks > 0 else 60) * speed_up
	Engine.time_scale = speed_up
	Engine.max_physics_steps_per_frame = 4 * speed_up if ticks > 0 else 8


func _physics_process(delta: float) -> void:
	age += delta
	follower.step(global_position, velocity, is_on_floor(), delta)
	var change := acceleration * delta if acceleration > 0.0 else INF
	velocity.x = move_toward(velocity.x, follower.axis * run_speed, change)
	velocity.y += GRAVITY * delta
	if follower.climb != 0.0 and climb_speed > 0.0:
		velocity.y = follower.climb * climb_speed
	elif follower.jump and is_on_floor() and jump_speed > 0.0:
		velocity.y = -jump_speed
	elif not follower.jump and velocity.y < 0.0:
		velocity.y = 0.0
	if follower.drop and is_on_floor():
		position.y += 2.0
	move_and_slide()
