extends Node2D
## Three characters of different sizes run and jump to where you send them, each along its own way.

const MAP_FILE := "res://scenes/08_small_wide_and_tall/level/level.txt"

var creatures: Array[JumpCreature] = []
## A right click sends these. Never none: keys drive the first one, and sliders change it.
var selection: Array[JumpCreature] = []
var selected: JumpCreature

@onready var grid: PathForgeGrid = $Grid
@onready var platformer: PathForgePlatformer = $Platformer
@onready var level: JumpLevel = $Level

@onready var _frame: DemoFrame = $DemoFrame
@onready var _camera: DemoCamera = $Camera
@onready var _pointer: JumpPointer = $Pointer
@onready var _ways: JumpWays = $Ways
@onready var _panel: JumpPanel = $Panel


func _ready() -> void:
	level.set_up(grid, MAP_FILE)
	level.cells_changed.connect(_on_cells_changed)
	var pixels := Vector2(level.size) * grid.cell_size
	($Backdrop as JumpBackdrop).set_up(pixels)
	($LevelView as JumpLevelView).set_up(level, grid.cell_size.x)
	var places := JumpPlaces.new(grid, platformer, creatures)
	for creature: JumpCreature in $Creatures.get_children():
		_set_up_creature(creature, places)
	_ways.set_up(grid, creatures)
	var tools := _frame.add_tools("Select")
	tools.add_tool("Earth", KEY_E, ["Drag|put earth, take it away", "Right click|send"])
	tools.add_tool("Plank", KEY_P, ["Drag|put planks, take them away", "Right click|send"])
	tools.changed.connect(_pointer.queue_redraw.unbind(1))
	_pointer.set_up(tools, level, grid, creatures)
	_pointer.creatures_picked.connect(_on_creatures_picked)
	_pointer.goal_clicked.connect(_send)
	_pointer.refused.connect(_frame.tell)
	_camera.content = Rect2(Vector2.ZERO, pixels)
	_camera.use_frame(_frame)
	_set_up_panel()
	select_all()
	var tour: JumpTour = $Tour
	tour.set_up(level)
	tour.goal_wanted.connect(_send)
	tour.arc_wanted.connect(_set_arc)


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed or key.echo:
		return
	var step := -1 if key.shift_pressed else 1
	match key.keycode:
		KEY_1, KEY_2, KEY_3:
			select([creatures[creatures.size() - 1 - (key.keycode - KEY_1)]])
		KEY_A:
			select_all()
		KEY_W:
			_panel.nudge(JumpPanel.Measure.WIDTH, step)
		KEY_H:
			_panel.nudge(JumpPanel.Measure.HEIGHT, step)
		KEY_J:
			_panel.nudge(JumpPanel.Measure.JUMP, step)
		KEY_O:
			_set_arc(not platformer.debug_enabled)
		_:
			return
	get_viewport().set_input_as_handled()


## Selects exactly these, of which the first one listens to keys and sliders.
func select(some: Array[JumpCreature]) -> void:
	selection = some
	selected = some[0]
	for creature: JumpCreature in creatures:
		creature.is_selected = creature in some
		creature.is_led = creature == selected
	_panel.show_selection(some)
	_show_arc_of_selected()


## Selects all. The first one stays that.
func select_all() -> void:
	var some := creatures.duplicate()
	some.reverse()
	if selected != null:
		some.erase(selected)
		some.push_front(selected)
	select(some)


## All that are selected go to a ground cell.
func _send(cell: Vector2i) -> void:
	for creature: JumpCreature in selection:
		creature.chase(cell)


func _on_creatures_picked(some: Array[JumpCreature], is_adding: bool) -> void:
	if is_adding:
		some = (
			selection
			+ some.filter(func(creature: JumpCreature) -> bool: return creature not in selection)
		)
	select(some)


func _set_up_creature(creature: JumpCreature, places: JumpPlaces) -> void:
	creature.places = places
	for thing: JumpLevel.Thing in level.things:
		if thing.word == creature.name.to_lower():
			creature.set_up(platformer, grid.cell_size, thing.cell)
	creature.planned.connect(_on_planned.bind(creature))
	creatures.append(creature)


func _set_up_panel() -> void:
	_panel.reparent(_frame.side_column())
	_panel.set_up(creatures)
	_panel.creature_chosen.connect(
		func(creature: JumpCreature) -> void: select([creature] as Array[JumpCreature])
	)
	_panel.arc_toggled.connect(_set_arc)
	_panel.states_toggled.connect(_set_states)


func _set_arc(is_on: bool) -> void:
	platformer.debug_enabled = is_on
	_panel.show_switches(is_on, platformer.debug_states)
	_show_arc_of_selected()


func _set_states(is_on: bool) -> void:
	platformer.debug_states = is_on
	if is_on:
		platformer.debug_enabled = true
	_panel.show_switches(platformer.debug_enabled, is_on)
	_show_arc_of_selected()


## The overlay shows the path that was found last. So the path of the selected character is found
## once more, also when the character has arrived.
func _show_arc_of_selected() -> void:
	_ways.left_out = selected if platformer.debug_enabled else null
	if platformer.debug_enabled and selected.path != null and selected.path.is_complete():
		var cells := selected.path.cells
		platformer.find_path(cells[0], cells[-1], selected.profile)


func _on_planned(path: PathForgePath, creature: JumpCreature) -> void:
	if creature == selected:
		_panel.show_query(path)
	_show_arc_of_selected()


func _on_cells_changed() -> void:
	for creature: JumpCreature in creatures:
		creature.rethink()
