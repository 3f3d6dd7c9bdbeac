extends Node2D
## A fence with a gate, and a ledge: edges between cells. Click: go there. Right click: the gate.

const FIELD := Rect2i(6, 4, 12, 11)
const GATE := Rect2i(17, 8, 1, 2)  # The right sides of two cells.

@export var hauler: PathForgeProfile  # Its footprint is 2×2 cells.

var goal := Vector2i(10, 9)
var route: PackedVector2Array

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var unit: Node2D = $Unit
@onready var label: Label = $Label


func _ready() -> void:
	grid.fill_edge_outline(FIELD)
	grid.fill_edge_region(GATE, SIDE_RIGHT, false)
	grid.fill_edge_region(Rect2i(28, 0, 1, 16), SIDE_LEFT, true, true)  # A ledge: east only.
	unit.position = grid.cell_to_local(Vector2i(34, 4), hauler)
	go_to(goal)


func go_to(cell: Vector2i) -> void:
	goal = cell
	var start := grid.local_to_cell(unit.position, hauler)
	route = grid.find_path(start, goal, hauler).positions
	label.text = "Click: go there. Right click: open or shut the gate."
	if route.is_empty():
		label.text = grid.explain(start, goal, hauler).text


func _process(delta: float) -> void:
	if not route.is_empty():
		unit.position = unit.position.move_toward(route[0], 260.0 * delta)
		if unit.position == route[0]:
			route.remove_at(0)


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		go_to(grid.local_to_cell(grid.get_local_mouse_position()))
	elif click and click.pressed and click.button_index == MOUSE_BUTTON_RIGHT:
		var is_shut := grid.is_edge_blocked(GATE.position, SIDE_RIGHT)
		grid.fill_edge_region(GATE, SIDE_RIGHT, not is_shut)
		go_to(goal)
