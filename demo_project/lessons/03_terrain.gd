extends Node2D
## Terrain and costs: three bodies look for paths to where you click.

const WATER := 1
const STARTS: Array[Vector2i] = [Vector2i(3, 4), Vector2i(14, 10), Vector2i(3, 15)]

@export var profiles: Array[PathForgeProfile]  # A walker, a barge and a frog.

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var lines: Array[Node] = $Lines.get_children()
@onready var label: Label = $Label


func _ready() -> void:
	grid.fill_terrain_region(Rect2i(13, 0, 15, 16), WATER)
	grid.fill_weight_scale_region(Rect2i(13, 16, 15, 4), 3.0)  # Mud: a step costs three.
	show_paths(Vector2i(35, 8))


func show_paths(goal: Vector2i) -> void:
	var costs: PackedStringArray = []
	for n: int in profiles.size():
		var path := grid.find_path(STARTS[n], goal, profiles[n], PathForgeGrid.GOAL_NEAREST)
		var line: Line2D = lines[n]
		line.points = path.positions
		var end := "" if path.is_complete() else " (as near as it gets)"
		costs.append("%s %.1f%s" % [line.name, path.cost, end])
	label.text = "What the paths cost, in cells: %s. Click: another goal." % ", ".join(costs)


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		show_paths(grid.local_to_cell(grid.get_local_mouse_position()))
