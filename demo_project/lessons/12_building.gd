extends Node2D
## Building without sealing: a tower is refused if it would cut the entrance off from the exit.

const TOWER := Vector2i(2, 2)
const ENTRANCE := Vector2i(0, 10)
const EXIT := Vector2i(39, 10)

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var ghost: ColorRect = $Ghost
@onready var line: Line2D = $Path
@onready var label: Label = $Label


func _ready() -> void:
	grid.fill_solid_region(Rect2i(12, 0, 2, 9))
	grid.fill_solid_region(Rect2i(12, 11, 2, 9))  # A gap of two cells between them.
	line.points = grid.find_path(ENTRANCE, EXIT).positions


func build(corner: Vector2i) -> void:
	var place := Rect2i(corner, TOWER)
	var diagnosis := grid.explain_block(place, [ENTRANCE], [EXIT])
	label.text = diagnosis.text
	if diagnosis.cut_off.is_empty():
		grid.fill_solid_region(place)
		line.points = grid.find_path(ENTRANCE, EXIT).positions


func _process(_delta: float) -> void:
	var corner := grid.local_to_cell(grid.get_local_mouse_position())
	ghost.visible = grid.region.encloses(Rect2i(corner, TOWER))
	ghost.position = Vector2(corner) * grid.cell_size


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.is_pressed() and ghost.visible:
		build(grid.local_to_cell(grid.get_local_mouse_position()))
