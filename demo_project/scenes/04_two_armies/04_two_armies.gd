extends Node2D
## Two armies cross a field with three passes: lanes form in the wide ones, the narrow one is taken
## in turns, jams send others round by another pass, and all arrive in formation.

const COLOURS: PackedColorArray = [DemoPalette.ACCENT, DemoPalette.TANK]
const LEGEND: Dictionary[String, Color] = {
	"green army": DemoPalette.ACCENT,
	"red army": DemoPalette.TANK,
}
const PASS_NAMES: PackedStringArray = ["North", "Middle", "South"]
const HOMES: PackedVector2Array = [Vector2(168, 300), Vector2(792, 300)]
const SHAPE_NAMES: PackedStringArray = ["Block", "Line", "Wedge"]
const PICTURES: Array[Texture2D] = [
	preload("art/foot.svg"), preload("art/rider.svg"), preload("art/giant.svg")
]
## How much a cell that is jammed adds to the cost of a step.
const JAM_WEIGHT := 1.0

var armies: Array[Army] = []
var shape := ArmyFormation.Shape.BLOCK
## Whether the armies stand, or march to, where the other one began.
var are_over := false
## How many have gone through each pass, from top to bottom, since the last order.
var through: PackedInt32Array = [0, 0, 0]
var shape_buttons: Array[Button] = []

var _views: Array[ArmyView] = []
var _were_left: PackedByteArray

@onready var grid: PathForgeGrid = $Grid
@onready var crowd: PathForgeCrowd = $Grid/Crowd
@onready var figures := DemoFigures.new()
@onready var cross_button: Button

@onready var _camera: DemoCamera = $Camera
@onready var _frame: DemoFrame = $DemoFrame
@onready var _marks: ArmyMarks = $Marks


func _ready() -> void:
	($Map as BattleMap).set_up(grid)
	grid.influences = [$Jams]
	var profiles: Array[PathForgeProfile] = []
	for side: int in [1, 2, 3]:
		var profile := PathForgeProfile.new()
		profile.footprint = Vector2i(side, side)
		profile.influence_weights = [JAM_WEIGHT]
		profiles.append(profile)
	for side: int in 2:
		armies.append(Army.new(crowd, grid, COLOURS[side], 1 - side * 2))
		armies[side].muster(HOMES[side], profiles)
		for kind: int in 3:
			_add_view(armies[side], kind)
	_marks.armies = armies
	_set_up_panel()
	_camera.content = _field()
	_camera.use_frame(_frame)
	cross()


func _process(delta: float) -> void:
	_show_figures()
	var positions := crowd.get_positions()
	var velocities := crowd.get_velocities()
	var states := crowd.get_states()
	for view: ArmyView in _views:
		view.show_soldiers(positions, velocities, states, delta)
	_count_passes(positions)


func _unhandled_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key != null and key.pressed and not key.echo:
		match key.keycode:
			KEY_SPACE:
				cross()
			KEY_1, KEY_2, KEY_3:
				take_shape(key.keycode - KEY_1)
		return
	var button := event as InputEventMouseButton
	if button == null or not button.pressed:
		return
	if button.button_index == MOUSE_BUTTON_LEFT:
		_send(0)
	elif button.button_index == MOUSE_BUTTON_RIGHT:
		_send(1)


## Sends an army to the pointer.
func _send(side: int) -> void:
	var spot := get_local_mouse_position()
	var cell := grid.local_to_cell(spot)
	if not grid.region.has_point(cell):
		_frame.tell("The field ends here.")
		return
	if grid.is_point_solid(cell):
		_frame.tell("Nothing can stand on rock: they stand around it.")
	_march(side, spot)


## Each army goes to where the other one began.
func cross() -> void:
	are_over = not are_over
	for side: int in 2:
		_march(side, HOMES[1 - side] if are_over else HOMES[side])


## All stand in another shape where they are sent.
func take_shape(number: int) -> void:
	shape = number as ArmyFormation.Shape
	shape_buttons[number].button_pressed = true
	for side: int in 2:
		_march(side, armies[side].mark)


func _march(side: int, spot: Vector2) -> void:
	armies[side].march(spot, shape)
	through.fill(0)
	_marks.queue_redraw()


func _field() -> Rect2:
	return Rect2(Vector2.ZERO, Vector2(BattleMap.SIZE) * grid.cell_size)


func _add_view(army: Army, kind: int) -> void:
	var view := ArmyView.new()
	var first := crowd.get_ids().find(army.ids[kind][0])
	var count := army.ids[kind].size()
	view.front = Vector2.RIGHT * army.facing
	view.modulate = army.colour.lightened(0.15)
	view.set_up(first, count, army.radius(kind), Army.SPEEDS[kind], PICTURES[kind], _field())
	view.z_index = kind
	$Soldiers.add_child(view)
	_views.append(view)


## Counts who crosses the ridge, by the pass that it is in; who turns back does not count.
func _count_passes(positions: PackedVector2Array) -> void:
	var ridge := BattleMap.RIDGE * grid.cell_size.x
	var is_first := _were_left.is_empty()
	_were_left.resize(positions.size())
	for agent: int in positions.size():
		var is_left := int(positions[agent].x < ridge)
		if is_left != _were_left[agent] and not is_first:
			var army := armies[0] if agent < positions.size() / 2 else armies[1]
			var is_forward := (army.mark.x < ridge) == (is_left == 1)
			through[BattleMap.pass_at(positions[agent].y / grid.cell_size.y)] += (
				1 if is_forward else -1
			)
		_were_left[agent] = is_left


func _show_figures() -> void:
	var states := crowd.get_state_counts()
	figures.show_figure("Soldiers", DemoFigures.grouped(crowd.get_agent_count()))
	figures.show_figure("Step", "%.2f ms" % (crowd.get_step_usec() / 1000.0))
	figures.show_figure("Marching", DemoFigures.grouped(states[PathForgeCrowd.STATE_MOVING]))
	figures.show_figure("Giving way", DemoFigures.grouped(states[PathForgeCrowd.STATE_WAITING]))
	figures.show_figure("In place", DemoFigures.grouped(states[PathForgeCrowd.STATE_ARRIVED]))
	var held_up := states[PathForgeCrowd.STATE_BLOCKED] + states[PathForgeCrowd.STATE_STUCK]
	figures.show_figure("Held up", DemoFigures.grouped(held_up))
	for number: int in PASS_NAMES.size():
		figures.show_figure(PASS_NAMES[number], DemoFigures.grouped(through[number]))


func _set_up_panel() -> void:
	_frame.side_column().add_child(figures)
	figures.add_heading("Armies")
	var legend := DemoLegend.new()
	legend.entries = LEGEND
	figures.add_child(legend)
	for title: String in ["Soldiers", "Step"]:
		figures.add_figure(title)
	cross_button = figures.add_button("Cross")
	cross_button.pressed.connect(cross)
	figures.add_heading("What they do")
	for title: String in ["Marching", "Giving way", "In place", "Held up"]:
		figures.add_figure(title)
	figures.add_heading("Through the passes")
	for title: String in PASS_NAMES:
		figures.add_figure(title)
	figures.add_heading("Formation")
	var group := ButtonGroup.new()
	for number: int in 3:
		var button := figures.add_button(SHAPE_NAMES[number], true)
		button.button_group = group
		button.button_pressed = number == shape
		button.pressed.connect(take_shape.bind(number))
		shape_buttons.append(button)
	figures.add_heading("Who walks")
	figures.add_text("Foot of 1×1 cells, riders of 2×2 and giants of 3×3, in one crowd.")
