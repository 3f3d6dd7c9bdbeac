extends Node2D
## Nodes that a crowd moves: an agent for each. Click: an explosion throws those around it back.

const BLAST := 140.0  # The radius in pixels.
const SHAPE: PackedVector2Array = [Vector2(12, 0), Vector2(-9, 8), Vector2(-5, 0), Vector2(-9, -8)]

var ids: PackedInt32Array

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var crowd: PathForgeCrowd = $PathForgeGrid/PathForgeCrowd
@onready var units: Node2D = $Units
@onready var label: Label = $Label


func _ready() -> void:
	grid.fill_solid_region(Rect2i(20, 0, 1, 20))
	grid.fill_solid_region(Rect2i(20, 7, 1, 6), false)  # A gate.
	var positions := PackedVector2Array()
	for n: int in 60:
		positions.append(grid.cell_to_local(Vector2i(2 + n % 6, 5 + n / 6)))
		var unit := Polygon2D.new()  # Any Node2D, such as a Sprite2D or a scene of yours.
		unit.polygon = SHAPE
		units.add_child(unit)
	ids = crowd.add_agents(positions, null, 110.0)
	crowd.bind_nodes(ids, units.get_children(), true)  # True: they turn to where they walk.
	crowd.group_arrived.connect(
		func(goal: Vector2i, _there: int, _not: int) -> void: send(Vector2i(39, 20) - goal)
	)
	send(Vector2i(32, 10))


func send(goal: Vector2i) -> void:
	crowd.assign_goal(ids, goal)


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		var blast := grid.get_local_mouse_position()
		var hit := crowd.find_agents_in_radius(blast, BLAST)
		label.text = "%d are thrown back. Click: another explosion." % hit.size()
		for id: int in hit:
			var away := blast.direction_to(crowd.get_agent_position(id))
			crowd.throw_agents([id], away * 400.0, 0.3)
