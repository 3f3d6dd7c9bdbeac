class_name CrowdDots
extends MultiMeshInstance2D
## Draws a [PathForgeCrowd] as discs: makes the multimesh that the crowd writes into.

## How much larger a disc is drawn than it is.
const SWELL := 1.25


func set_up(crowd: PathForgeCrowd) -> void:
	texture = preload("disc.svg")
	var quad := QuadMesh.new()
	quad.size = Vector2.ONE * SWELL
	multimesh = MultiMesh.new()
	multimesh.transform_format = MultiMesh.TRANSFORM_2D
	multimesh.use_colors = true
	multimesh.mesh = quad
	crowd.multimesh = multimesh
