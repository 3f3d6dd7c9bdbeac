extends Node2D
## Three characters of different sizes run and jump to where you click, each along its own way.

const MAP_FILE := "res://scenes/08_small_wide_and_tall/level/level.txt"
## Name, colour and size of each character; the small one is drawn on top.
const KINDS: Array[Dictionary] = [
	{"word": &"golem", "title": "Golem", "colour": DemoPalette.HAULER, "size": Vector2i(2, 3)},
	{"word": &"boar", "title": "Boar", "colour": DemoPalette.TANK, "size": Vector2i(3, 2)},
	{"word": &"pip", "title": "Pip", "colour": DemoPalette.SCOUT, "size": Vector2i(1, 1)},
]

var creatures: Array[JumpCreature] = []
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
	for kind: Dictionary in KINDS:
		_add_creature(kind, places)
	_ways.set_up(grid, creatures)
	_pointer.set_up(level, grid, creatures)
	_pointer.creature_clicked.connect(select)
	_pointer.goal_clicked.connect(send_all)
	_pointer.refused.connect(_frame.tell)
	_camera.content = Rect2(Vector2.ZERO, pixels)
	_camera.use_frame(_frame)
	_set_up_panel()
	select(creatures[-1])
	var tour := JumpTour.new(_frame, level)
	tour.goal_wanted.connect(send_all)
	tour.arc_wanted.connect(_set_arc)
	add_child(tour)


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed or key.echo:
		return
	var step := -1 if key.shift_pressed else 1
	match key.keycode:
		KEY_1, KEY_2, KEY_3:
			select(creatures[creatures.size() - 1 - (key.keycode - KEY_1)])
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


## Makes this the character that the keys drive and the sliders change.
func select(creature: JumpCreature) -> void:
	selected = creature
	for other: JumpCreature in creatures:
		other.is_selected = other == creature
	_panel.show_creature(creature)
	_show_arc_of_selected()


## All go there.
func send_all(cell: Vector2i) -> void:
	for creature: JumpCreature in creatures:
		creature.chase(cell)


func _add_creature(kind: Dictionary, places: JumpPlaces) -> void:
	var creature := JumpCreature.new()
	creature.title = kind["title"]
	creature.colour = kind["colour"]
	creature.places = places
	$Creatures.add_child(creature)
	var view := JumpCreatureView.new()
	view.set_up(creature)
	creature.add_child(view)
	for thing: JumpLevel.Thing in level.things:
		if thing.word == kind["word"]:
			creature.set_up(platformer, grid.cell_size, kind["size"], thing.cell)
	creature.planned.connect(_on_planned.bind(creature))
	creatures.append(creature)


func _set_up_panel() -> void:
	_panel.reparent(_frame.side_column())
	_panel.set_up(creatures)
	_panel.creature_chosen.connect(select)
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


## The overlay shows the last way that was found, so that of the selected character is found once
## more, from where it begins to where it ends: also when it has arrived.
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
