extends Node2D
## Two armies cross a field with three passes: lanes form in the wide one, the narrow ones are taken
## in turns, and everybody arrives in formation.

const COLOURS: PackedColorArray = [DemoPalette.ACCENT, DemoPalette.TANK]
const HOMES: PackedVector2Array = [Vector2(168, 300), Vector2(792, 300)]
const SHAPE_NAMES: PackedStringArray = ["Block", "Line", "Wedge"]

var armies: Array[Army] = []
var shape := Army.Shape.BLOCK
## Whether the armies stand, or march to, where the other one began.
var are_over := false

var _marks: Array[Vector2] = []

@onready var grid: PathForgeGrid = $Grid
@onready var crowd: PathForgeCrowd = $Grid/Crowd
@onready var figures := DemoFigures.new()
@onready var cross_button: Button

@onready var _camera: DemoCamera = $Camera
@onready var _frame: DemoFrame = $DemoFrame


func _ready() -> void:
	($Map as BattleMap).set_up(grid)
	($Dots as CrowdDots).set_up(crowd)
	var profiles: Array[PathForgeProfile] = []
	for side: int in [1, 2, 3]:
		var profile := PathForgeProfile.new()
		profile.footprint = Vector2i(side, side)
		profiles.append(profile)
	for side: int in 2:
		armies.append(Army.new(crowd, grid, COLOURS[side], 1 - side * 2))
		armies[side].muster(HOMES[side], profiles)
	_set_up_panel()
	_camera.content = Rect2(Vector2.ZERO, Vector2(BattleMap.SIZE) * grid.cell_size)
	_camera.use_frame(_frame)
	cross()


func _process(_delta: float) -> void:
	var states := crowd.get_state_counts()
	figures.show_figure("Soldiers", DemoFigures.grouped(crowd.get_agent_count()))
	figures.show_figure("Step", "%.2f ms" % (crowd.get_step_usec() / 1000.0))
	figures.show_figure("Marching", DemoFigures.grouped(states[1]))
	figures.show_figure("Giving way", DemoFigures.grouped(states[2]))
	figures.show_figure("In place", DemoFigures.grouped(states[3]))
	figures.show_figure("Stuck", DemoFigures.grouped(states[4]))


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
	var spot := get_local_mouse_position()
	if not grid.region.has_point(grid.local_to_cell(spot)):
		return
	if button.button_index == MOUSE_BUTTON_LEFT:
		_march(0, spot)
	elif button.button_index == MOUSE_BUTTON_RIGHT:
		_march(1, spot)


## Each army goes to where the other one began.
func cross() -> void:
	are_over = not are_over
	for side: int in 2:
		_march(side, HOMES[1 - side] if are_over else HOMES[side])


## Everybody stands in another shape where they are sent.
func take_shape(number: int) -> void:
	shape = number as Army.Shape
	for side: int in 2:
		_march(side, _marks[side])


func _march(side: int, spot: Vector2) -> void:
	_marks.resize(2)
	var room := Vector2(168, 200)
	var area := Rect2(Vector2.ZERO, Vector2(BattleMap.SIZE) * grid.cell_size)
	_marks[side] = spot.clamp(area.position + room, area.end - room)
	armies[side].march(_marks[side], shape)


func _set_up_panel() -> void:
	_frame.side_column().add_child(figures)
	figures.add_heading("Armies")
	for title: String in ["Soldiers", "Step"]:
		figures.add_figure(title)
	cross_button = figures.add_button("Cross")
	cross_button.pressed.connect(cross)
	figures.add_heading("What they do")
	for title: String in ["Marching", "Giving way", "In place", "Stuck"]:
		figures.add_figure(title)
	figures.add_heading("Formation")
	for number: int in 3:
		var button := figures.add_button(SHAPE_NAMES[number])
		button.pressed.connect(take_shape.bind(number))
	figures.add_heading("Who walks")
	figures.add_text("Foot of 1×1 cells, riders of 2×2 and giants of 3×3, in one crowd.")
