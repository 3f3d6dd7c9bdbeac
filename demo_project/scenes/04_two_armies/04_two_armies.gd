extends Node2D
## Two armies cross a field with three passes. Lanes form in the wide passes, and the armies take
## turns in the narrow one. Jams send others round by another pass, and all arrive in formation.

const TITLES: PackedStringArray = ["Blue army", "Orange army"]
const COLOURS: Array[Color] = [Color("69a8ff"), DemoPalette.WARN]
const PASS_NAMES: PackedStringArray = ["North", "Middle", "South"]
const HOMES: PackedVector2Array = [Vector2(168, 300), Vector2(792, 300)]
const PICTURES: Array[Texture2D] = [
	preload("art/foot.svg"), preload("art/rider.svg"), preload("art/giant.svg")
]
const DOINGS: PackedStringArray = [
	"Marching", "Giving way", "In place", "Off their place", "Held up"
]

## Bodies of 1×1, 2×2 and 3×3 cells, which mind jams.
@export var profiles: Array[PathForgeProfile] = []

var armies: Array[Army] = []
var shape := ArmyFormation.Shape.BLOCK
## Whether the armies stand, or march to, where the other one began.
var are_over := false
## How many have gone through each pass, from top to bottom, since the last order.
var through: PackedInt32Array = [0, 0, 0]
var shape_buttons: Array[Button] = []

var _views: Array[ArmyView] = []
## On which side of the ridge each was when the last order was given, and where each was last.
var _began_left: PackedByteArray
var _were_left: PackedByteArray
## Through which pass each has come since then; -1 for none.
var _passes: PackedInt32Array

@onready var grid: PathForgeGrid = $Grid
@onready var crowd: PathForgeCrowd = $Grid/Crowd
@onready var figures: DemoFigures = $Panel
@onready var army_buttons: Array[Button] = [$Panel/Blue, $Panel/Orange]
@onready var cross_button: Button = figures.get_node(^"%Cross")
@onready var hand: ArmyHand = $Hand

@onready var _camera: DemoCamera = $Camera
@onready var _frame: DemoFrame = $DemoFrame
@onready var _marks: ArmyMarks = $Marks


func _ready() -> void:
	($Map as BattleMap).set_up(grid)
	grid.influences = [$Jams]
	for side: int in 2:
		armies.append(Army.new(crowd, grid, profiles))
		armies[side].title = TITLES[side]
		armies[side].colour = COLOURS[side]
		armies[side].facing = 1 - side * 2
		armies[side].muster(HOMES[side])
		for kind: int in 3:
			_add_view(armies[side], kind)
	_marks.armies = armies
	hand.set_up(armies, crowd)
	hand.selection_changed.connect(_on_selection_changed)
	hand.order_given.connect(_send)
	hand.refused.connect(_frame.tell)
	_set_up_panel()
	_camera.content = _field()
	_camera.use_frame(_frame)
	cross()


func _process(delta: float) -> void:
	var positions := crowd.get_positions()
	var velocities := crowd.get_velocities()
	var states := crowd.get_states()
	_show_figures(positions, states)
	for view: ArmyView in _views:
		view.show_soldiers(positions, velocities, states, delta)
	_count_passes(positions)


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed or key.echo:
		return
	match key.keycode:
		KEY_SPACE:
			cross()
		KEY_A:
			hand.select(armies.duplicate())
		KEY_1, KEY_2, KEY_3:
			take_shape(key.keycode - KEY_1)
		_:
			return
	get_viewport().set_input_as_handled()


## Sends what is selected to a spot.
func _send(spot: Vector2) -> void:
	var cell := grid.local_to_cell(spot)
	if not grid.region.has_point(cell):
		_frame.tell("The field ends here.")
		return
	if grid.is_point_solid(cell):
		_frame.tell("Nothing can stand on rock: they stand around it.")
	var spots: Dictionary[Army, Vector2] = {}
	for army: Army in hand.selected:
		spots[army] = spot
	_march(spots)


## Each army goes to where the other one began.
func cross() -> void:
	are_over = not are_over
	var spots: Dictionary[Army, Vector2] = {}
	for side: int in 2:
		spots[armies[side]] = HOMES[1 - side] if are_over else HOMES[side]
	_march(spots)


## All stand in another shape where they are sent.
func take_shape(number: int) -> void:
	shape = number as ArmyFormation.Shape
	shape_buttons[number].button_pressed = true
	_march({armies[0]: armies[0].mark, armies[1]: armies[1].mark})


## Sends armies to spots. The first to have a place keeps it; an army that stays comes first.
func _march(spots: Dictionary[Army, Vector2]) -> void:
	var others: Array[PackedVector2Array] = [[], [], []]
	for army: Army in armies:
		if army not in spots:
			others = army.places
	for army: Army in spots:
		army.march(spots[army], shape, others)
		others = army.places
	_began_left.clear()
	_marks.queue_redraw()


## Whose soldier is at a place of the crowd's arrays: the first half is that of the first army.
func _army_of(agent: int) -> Army:
	return armies[0] if agent < crowd.get_agent_count() / 2 else armies[1]


func _on_selection_changed() -> void:
	for side: int in 2:
		var is_selected: bool = armies[side] in hand.selected
		army_buttons[side].set_pressed_no_signal(is_selected)
		for view: ArmyView in _views.slice(side * 3, side * 3 + 3):
			view.is_selected = is_selected


func _on_army_button_toggled(is_on: bool, army: Army) -> void:
	var selected: Array[Army] = hand.selected.filter(
		func(other: Army) -> bool: return other != army
	)
	if is_on:
		selected.append(army)
	hand.select(selected)


func _field() -> Rect2:
	return Rect2(Vector2.ZERO, Vector2(BattleMap.SIZE) * grid.cell_size)


func _add_view(army: Army, kind: int) -> void:
	var view := ArmyView.new()
	var first := crowd.get_ids().find(army.ids[kind][0])
	var count := army.ids[kind].size()
	view.front = Vector2.RIGHT * army.facing
	view.modulate = army.shade()
	view.set_up(first, count, army.radius(kind), Army.SPEEDS[kind], PICTURES[kind], _field())
	view.z_index = kind
	$Soldiers.add_child(view)
	_views.append(view)


## Counts who is across the ridge, by the pass that it came through; who turns back does not count.
func _count_passes(positions: PackedVector2Array) -> void:
	var ridge := BattleMap.RIDGE * grid.cell_size.x
	var is_new := _began_left.is_empty()
	if is_new:
		_began_left.resize(positions.size())
		_were_left.resize(positions.size())
		_passes.resize(positions.size())
		_passes.fill(-1)
	through.fill(0)
	for agent: int in positions.size():
		var is_left := int(positions[agent].x < ridge)
		if is_new:
			_began_left[agent] = is_left
		elif is_left == _began_left[agent]:
			_passes[agent] = -1
		elif is_left != _were_left[agent]:
			_passes[agent] = BattleMap.pass_at(positions[agent].y / grid.cell_size.y)
		_were_left[agent] = is_left
		if _passes[agent] >= 0:
			through[_passes[agent]] += 1


## Who is in place is a matter of where it stands: others have arrived as near as they got.
func _show_figures(positions: PackedVector2Array, states: PackedInt32Array) -> void:
	figures.show_figure("Soldiers", DemoFigures.grouped(crowd.get_agent_count()))
	figures.show_figure("Step", DemoFigures.msec(&"Microseconds per crowd step"))
	var counts: PackedInt32Array = [0, 0, 0, 0, 0]
	for agent: int in positions.size():
		match states[agent]:
			PathForgeCrowd.STATE_MOVING:
				counts[0] += 1
			PathForgeCrowd.STATE_WAITING:
				counts[1] += 1
			PathForgeCrowd.STATE_ARRIVED:
				counts[2 if _army_of(agent).is_in_place(positions[agent]) else 3] += 1
			_:
				counts[4] += 1
	for doing: int in DOINGS.size():
		figures.show_figure(DOINGS[doing], DemoFigures.grouped(counts[doing]))
	for number: int in PASS_NAMES.size():
		figures.show_figure(PASS_NAMES[number], DemoFigures.grouped(through[number]))


func _set_up_panel() -> void:
	figures.reparent(_frame.side_column())
	for side: int in 2:
		army_buttons[side].toggled.connect(_on_army_button_toggled.bind(armies[side]))
	cross_button.pressed.connect(cross)
	shape_buttons.assign(figures.get_node(^"%Shapes").get_children())
	for number: int in shape_buttons.size():
		shape_buttons[number].pressed.connect(take_shape.bind(number))
