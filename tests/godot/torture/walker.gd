extends CharacterBody2D
## Walks where its agent says, while it has one.

const SPEED := 120.0


func _physics_process(_delta: float) -> void:
	var agent := get_node_or_null(^"Agent") as PathForgeAgent2D
	if agent != null:
		velocity = agent.get_next_velocity(SPEED)
		move_and_slide()
