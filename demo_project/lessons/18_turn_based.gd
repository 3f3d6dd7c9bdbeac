extends Node2D
## Taking turns: where can the knight get to? Click: move it. The map is not a node here.

const CELL := 32.0
const MOVES := 6.0  # Cells a turn.

var map := PathForgeMap.new()  # Holds a grid, and frees it.
var knight := PathForgeProfile.new()
var cell := Vector2i(12, 10)
var reach: Dictionary[Vector2i, float]

@onready var piece: Node2D = $Knight
@onready var label: Label = $Label


func _ready() -> void:
	map.grid.region = Rect2i(0, 0, 40, 20)
	map.grid.fill_weight_scale_region(Rect2i(14, 8, 4, 8), 2.0)  # A wood.
	for enemy: Vector2i in [Vector2i(9, 9), Vector2i(13, 7), Vector2i(12, 13)]:
		map.grid.add_obstacle(Rect2i(enemy, Vector2i.ONE))
	knight.ignored_obstacles = [map.grid.add_obstacle(Rect2i(cell, Vector2i.ONE))]  # Itself.
	reach = map.grid.get_reachable_cells(cell, MOVES, knight)


func move(goal: Vector2i) -> void:
	if not reach.has(goal):
		label.text = "The knight does not get there in one turn. Click on blue."
		return
	label.text = "Moved: %.1f of its %.0f cells. Click: the next turn." % [reach[goal], MOVES]
	var walk := create_tween()
	for step: Vector2i in map.grid.find_path(cell, goal, knight).cells:
		walk.tween_property(piece, ^"position", (Vector2(step) + Vector2(0.5, 0.5)) * CELL, 0.1)
	map.grid.move_obstacle(knight.ignored_obstacles[0], Rect2i(goal, Vector2i.ONE))
	cell = goal
	reach = {}  # Nothing is blue until it is there.
	queue_redraw()
	await walk.finished
	reach = map.grid.get_reachable_cells(cell, MOVES, knight)
	queue_redraw()


func _draw() -> void:
	for place: Vector2i in reach:
		draw_rect(
			Rect2(Vector2(place) * CELL, Vector2.ONE * CELL).grow(-1.0), Color(0.4, 0.7, 1.0, 0.45)
		)


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		move(Vector2i((get_global_mouse_position() / CELL).floor()))
