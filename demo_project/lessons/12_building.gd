extends Node2D
## Building without sealing: a tower is refused if it would cut the entrance off from the exit.

const ENTRANCE := Vector2i(0, 10)
const EXIT := Vector2i(39, 10)

@export var tower: PathForgeProfile  # Its footprint is 2×2 cells.

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var ghost: ColorRect = $Ghost
@onready var line: Line2D = $Path
@onready var label: Label = $Label


func _ready() -> void:
	grid.fill_solid_region(Rect2i(12, 0, 2, 9))
	grid.fill_solid_region(Rect2i(12, 11, 2, 9))  # A gap of two cells between them.
	line.points = grid.find_path(ENTRANCE, EXIT).positions


func refusal(corner: Vector2i) -> String:
	if not grid.can_stand(corner, tower):
		return "There is no room for a tower."
	if grid.would_block(Rect2i(corner, tower.footprint), [ENTRANCE], [EXIT]):
		return "A tower here would cut the entrance off from the exit."
	return ""


func build(corner: Vector2i) -> void:
	label.text = refusal(corner)
	if label.text.is_empty():
		label.text = "Built. Click: another tower."
		grid.fill_solid_region(Rect2i(corner, tower.footprint))
		line.points = grid.find_path(ENTRANCE, EXIT).positions


func _process(_delta: float) -> void:
	var corner := grid.local_to_cell(grid.get_local_mouse_position())
	ghost.position = Vector2(corner) * grid.cell_size
	ghost.color = (
		Color(0.4, 0.8, 0.7, 0.5) if refusal(corner).is_empty() else Color(1, 0.3, 0.3, 0.6)
	)


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		build(grid.local_to_cell(grid.get_local_mouse_position()))
