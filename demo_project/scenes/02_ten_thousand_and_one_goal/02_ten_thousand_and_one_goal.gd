extends Node2D
## Ten thousand bodies of three sizes walk through a city to wherever you send them, and around
## whatever you build.

## Of a hundred agents, by size.
const SHARES: PackedInt32Array = [90, 8, 2]
const COLOURS: PackedColorArray = [DemoPalette.SCOUT, DemoPalette.TANK, DemoPalette.HAULER]
## Pixels a second.
const SPEEDS: PackedFloat32Array = [16.0, 14.0, 12.0]
const AGENTS := 10_000
const FIRST_GOAL := Vector2i(234, 150)
## What agents do, by the number of their state; all have something to do.
const STATES: PackedStringArray = ["", "On the way", "In a queue", "Arrived", "Stuck", "Kept out"]
const CROWD_TIMES: PackedStringArray = ["Crowd step", "Field", "Repaired cells"]
const WALKERS: PackedStringArray = ["Have a path", "Paths a second"]
## What the mouse does with the tools for building and removing.
const BUILD_KEYS: PackedStringArray = ["Drag|build walls", "Right click|send all"]
const REMOVE_KEYS: PackedStringArray = ["Drag|tear walls down", "Right click|send all"]

## Bodies of 1×1, 2×2 and 3×3 cells.
@export var profiles: Array[PathForgeProfile] = []

var goal := FIRST_GOAL
var agent_count := AGENTS
## Who is in the city, by size.
var ids: Array[PackedInt32Array] = [[], [], []]

var _random := RandomNumberGenerator.new()
var _tools: DemoTools

@onready var grid: PathForgeGrid = $Grid
@onready var crowd: PathForgeCrowd = $Grid/Crowd
@onready var map: CityMap = $Map
@onready var walkers: CityWalkers = $Walkers
@onready var figures: DemoFigures = $Panel
@onready var slider: HSlider = figures.get_node(^"%Slider")
@onready var versus: Button = figures.get_node(^"%Versus")

@onready var _dots: CrowdDots = $Dots
@onready var _marker: CityGoal = $Goal
@onready var _camera: DemoCamera = $Camera
@onready var _frame: DemoFrame = $DemoFrame


func _ready() -> void:
	_random.seed = 7
	map.set_up(grid)
	_dots.set_up(crowd)
	_set_up_panel()
	_camera.content = Rect2(Vector2.ZERO, Vector2(CityMap.SIZE) * grid.cell_size)
	_camera.use_frame(_frame)
	_fill_up()
	send(FIRST_GOAL)


## Figures of the way that is shown; the other one stands still, and has none.
func _process(_delta: float) -> void:
	figures.show_figure("Frame", "%.2f ms" % _frame.clock.msec)
	if walkers.visible:
		figures.show_figure("Have a path", DemoFigures.grouped(walkers.served))
		figures.show_figure("Paths a second", DemoFigures.grouped(walkers.paths_last_second))
		return
	var states := crowd.get_state_counts()
	figures.show_figure("Crowd step", DemoFigures.msec(&"Microseconds per crowd step"))
	figures.show_figure("Field", DemoFigures.msec(&"Microseconds per field update"))
	var cells: float = Performance.get_custom_monitor(&"PathForge/Cells per field update")
	figures.show_figure("Repaired cells", DemoFigures.grouped(roundi(cells)))
	for state: int in range(1, STATES.size()):
		figures.show_figure(STATES[state], DemoFigures.grouped(states[state]))


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	var motion := event as InputEventMouseMotion
	if button != null and button.pressed and button.button_index == MOUSE_BUTTON_RIGHT:
		_order(_cell_at_pointer())
	elif button != null and button.pressed and button.button_index == MOUSE_BUTTON_LEFT:
		if _tools.current != 0:
			_begin_stroke(_cell_at_pointer())
		elif DemoTools.is_touch(event):
			_order(_cell_at_pointer())
	elif motion != null and motion.button_mask & MOUSE_BUTTON_MASK_LEFT and _tools.current != 0:
		_go_on(motion.relative / _camera.zoom)


func _order(cell: Vector2i) -> void:
	if not grid.region.has_point(cell):
		_frame.tell("The map ends here.")
		return
	if grid.is_point_solid(cell):
		_frame.tell("Nothing can stand there: all come as near as they get.")
	send(cell)


func _begin_stroke(cell: Vector2i) -> void:
	var builds := _tools.current == 1
	if not _paint(cell):
		var why := "Walls are built on streets and in parks."
		_frame.tell(why if builds else "Only walls are torn down.")


func _go_on(stroke: Vector2) -> void:
	var from := grid.local_to_cell(get_local_mouse_position() - stroke)
	var to := _cell_at_pointer()
	var steps := maxi(maxi(absi(to.x - from.x), absi(to.y - from.y)), 1)
	for step: int in steps + 1:
		_paint(Vector2i(Vector2(from).lerp(to, float(step) / steps)))


## Builds or tears down, whichever tool is in hand. Returns whether that changes anything.
func _paint(cell: Vector2i) -> bool:
	var has_changed := map.paint(cell, _tools.current == 1)
	if has_changed and walkers.visible:
		walkers.read_walls(map.brush(cell))
	return has_changed


## Sends all to a cell of the map.
func send(cell: Vector2i) -> void:
	goal = cell
	_marker.position = grid.cell_to_local(cell)
	crowd.assign_goal(crowd.get_ids(), cell)
	if walkers.visible:
		walkers.send(cell)


func _cell_at_pointer() -> Vector2i:
	return grid.local_to_cell(get_local_mouse_position())


## Adds or removes agents until there are as many of each size as the slider says.
func _fill_up() -> void:
	for kind: int in 3:
		var missing := agent_count * SHARES[kind] / 100 - ids[kind].size()
		if missing < 0:
			crowd.remove_agents(ids[kind].slice(missing))
			ids[kind] = ids[kind].slice(0, missing)
		elif missing > 0:
			_add(kind, missing)
	figures.show_figure("In the city", DemoFigures.grouped(crowd.get_agent_count()))
	for kind: int in 3:
		figures.show_figure(_size_name(kind), DemoFigures.grouped(ids[kind].size()))


## Puts agents anywhere from where they can walk to the first goal.
func _add(kind: int, count: int) -> void:
	var centre := grid.find_nearest_fit(FIRST_GOAL, profiles[kind])
	var positions := PackedVector2Array()
	while positions.size() < count:
		var cell := Vector2i(
			_random.randi_range(0, CityMap.SIZE.x - 4), _random.randi_range(0, CityMap.SIZE.y - 4)
		)
		if grid.is_reachable(cell, centre, profiles[kind]):
			positions.append(grid.cell_to_local(cell, profiles[kind]))
	var added := crowd.add_agents(positions, profiles[kind], SPEEDS[kind])
	crowd.set_agent_colors(added, COLOURS[kind])
	crowd.assign_goal(added, goal)
	ids[kind].append_array(added)


func _size_name(kind: int) -> String:
	return "%d×%d" % [kind + 1, kind + 1]


func _set_up_panel() -> void:
	figures.reparent(_frame.side_column())
	slider.value_changed.connect(_on_slider_changed)
	versus.toggled.connect(_on_versus_toggled)
	_tools = _frame.add_tools("Look")
	_tools.add_tool("Build", KEY_B, BUILD_KEYS)
	_tools.add_tool("Remove", KEY_X, REMOVE_KEYS)
	_tools.changed.connect(func(tool: int) -> void: _camera.pans_by_left = tool == 0)
	_camera.pans_by_left = true


func _on_slider_changed(value: float) -> void:
	agent_count = int(value)
	_fill_up()
	if walkers.visible:
		walkers.start(grid, crowd.get_positions(), goal)


func _on_versus_toggled(is_on: bool) -> void:
	crowd.auto_step = not is_on
	_dots.visible = not is_on
	walkers.visible = is_on
	walkers.set_process(is_on)
	for title: String in CROWD_TIMES + STATES.slice(1) if is_on else WALKERS:
		figures.show_figure(title, DemoFigures.NOTHING)
	if is_on:
		walkers.start(grid, crowd.get_positions(), goal)
