extends Node2D
## A map to play with. At every stroke of the brush PathForge answers how a body gets from the start
## to the goal, or why there is no path. A crowd follows the same edits while it walks.

const MAP_FILE := "res://scenes/12_playground/map.txt"
## The hauler, for which the gap between the rooms is too narrow.
const FIRST_BODY := 2
## What a tool makes of a cell.
const PAINTS: Dictionary[int, PlaygroundMap.Cell] = {
	PlaygroundBrush.Tool.WALL: PlaygroundMap.Cell.WALL,
	PlaygroundBrush.Tool.MUD: PlaygroundMap.Cell.MUD,
	PlaygroundBrush.Tool.WATER: PlaygroundMap.Cell.WATER,
	PlaygroundBrush.Tool.ERASE: PlaygroundMap.Cell.OPEN,
}
## How the hints at the bottom name each tool's work.
const TOOLS: Dictionary[String, String] = {
	"Wall": "build walls",
	"Mud": "paint mud, which costs 4",
	"Water": "paint water",
	"Erase": "clear cells",
	"Start": "move the start",
	"Goal": "move the goal",
}
const KEYS: PackedStringArray = ["Right click|goal", "B|next body", "C|clearance", "Space|crowd"]

var bodies := PlaygroundBody.all()
## The place of the chosen body.
var body := 0
var start := Vector2i.ZERO
var goal := Vector2i.ZERO
## The last answers of the grid.
var path: PathForgePath
var why: PathForgeDiagnosis

var _tools: DemoTools

@onready var grid: PathForgeGrid = $Grid
@onready var crowd: PlaygroundCrowd = $Grid/Crowd
@onready var panel: PlaygroundPanel = $Panel
@onready var clearance: ClearanceMap = $Clearance

@onready var _frame: DemoFrame = $DemoFrame
@onready var _camera: DemoCamera = $Camera
@onready var _figure: PlaygroundFigure = $Figure


func _ready() -> void:
	grid.terrain_names = PlaygroundMap.TERRAIN_NAMES
	($Ground as PlaygroundGround).set_up(grid)
	_figure.set_up(grid)
	crowd.set_up(bodies)
	var dots: CrowdDots = $Dots
	dots.set_up(crowd)
	(dots.multimesh.mesh as QuadMesh).size = Vector2.ONE  # As large as they are.
	_camera.content = Rect2(Vector2.ZERO, Vector2(PlaygroundMap.SIZE) * grid.cell_size)
	_camera.use_frame(_frame)
	_set_up_tools()
	_set_up_panel()
	var map := PlaygroundMap.from_file(MAP_FILE)
	map.body = FIRST_BODY
	show_map(map)
	grid.cells_changed.connect(func(_region: Rect2i) -> void: ask())
	var code := PlaygroundLink.code_of_page()
	if not code.is_empty():
		take_code(code)


func _process(_delta: float) -> void:
	panel.show_crowd(crowd.get_agent_count(), crowd.summary())


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed or key.echo:
		return
	if key.is_command_or_control_pressed():
		if key.keycode == KEY_C:
			copy()
		elif key.keycode == KEY_V and not PlaygroundLink.is_on_web():
			paste()
		return
	match key.keycode:
		KEY_B:
			choose_body((body + 1) % bodies.size())
		KEY_C:
			panel.clearance_button.button_pressed = not clearance.visible
		KEY_SPACE:
			panel.crowd_button.button_pressed = crowd.get_agent_count() == 0


func _set_up_tools() -> void:
	_tools = _frame.add_tools("Look")
	for title: String in TOOLS:
		var key := KEY_0 + _tools.get_child_count() as Key
		var hints := PackedStringArray(["Drag|" + TOOLS[title]])
		_tools.add_tool(title, key, hints + KEYS)
	_tools.changed.connect(_on_tool_changed)
	_tools.current = PlaygroundBrush.Tool.WALL
	var brush: PlaygroundBrush = $Brush
	brush.set_up(_tools, grid)
	brush.painted.connect(_on_painted)
	brush.start_moved.connect(move_start)
	brush.goal_moved.connect(move_goal)
	brush.refused.connect(_frame.tell)


func _set_up_panel() -> void:
	panel.reparent(_frame.side_column())
	panel.set_up(bodies)
	panel.body_chosen.connect(choose_body)
	panel.clearance_toggled.connect(func(is_on: bool) -> void: clearance.visible = is_on)
	panel.crowd_toggled.connect(_on_crowd_toggled)
	panel.copy_pressed.connect(copy)
	panel.paste_pressed.connect(paste)


## Asks the grid for the path of the whole body. This is all that there is to it.
func ask() -> void:
	var profile := bodies[body].profile
	var from := bodies[body].anchor(start)
	var to := bodies[body].anchor(goal)
	path = grid.find_path(from, to, profile)
	why = grid.explain(from, to, profile)  # The overlay shows the answer to the last question.
	panel.show_answer(why)
	_figure.show_body(bodies[body], from, to, path.cells)


func choose_body(place: int) -> void:
	body = place
	clearance.profile = bodies[body].profile
	panel.show_body(place)
	ask()


func move_start(cell: Vector2i) -> void:
	start = cell
	ask()


## The crowd turns to the new goal, too.
func move_goal(cell: Vector2i) -> void:
	goal = cell
	crowd.send(goal)
	ask()


func show_map(map: PlaygroundMap) -> void:
	crowd.clear()
	start = map.start
	goal = map.goal
	map.apply_to(grid)
	choose_body(map.body)


func current_map() -> PlaygroundMap:
	var map := PlaygroundMap.of_grid(grid)
	map.start = start
	map.goal = goal
	map.body = body
	return map


func copy() -> void:
	PlaygroundLink.hand_out(PlaygroundCode.encode(current_map()))
	var where := "its link is in the address bar and" if PlaygroundLink.is_on_web() else "it is"
	_frame.tell("The map can be shared: %s in the clipboard." % where)


func paste() -> void:
	take_code(PlaygroundLink.take())


## Shows the map of a code. Any other text is refused in words, and the map stays as it is.
func take_code(code: String) -> void:
	var answer := PlaygroundCode.decode(code)
	if answer.map != null:
		show_map(answer.map)
	else:
		_frame.tell(answer.problem)


func _on_tool_changed(tool: int) -> void:
	_camera.pans_by_left = tool == PlaygroundBrush.Tool.LOOK


func _on_painted(cells: Array[Vector2i]) -> void:
	var kind := PAINTS[_tools.current]
	grid.begin_edit()
	for cell: Vector2i in cells:
		grid.set_point_solid(cell, kind == PlaygroundMap.Cell.WALL)
		grid.set_point_terrain(cell, PlaygroundMap.TERRAINS[kind])
	grid.end_edit()


func _on_crowd_toggled(is_on: bool) -> void:
	if not is_on:
		crowd.clear()
	elif crowd.set_out(start, goal) == 0:
		_frame.tell("No walker can stand at the start.")
