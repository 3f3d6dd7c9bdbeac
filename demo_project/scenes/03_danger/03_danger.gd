extends Node2D
## Towers make a valley dangerous; two crowds walk through it, each as cautious as its slider says.

const TOWER := preload("towers/danger_tower.tscn")
const MAP_FILE := "res://scenes/03_danger/map.txt"
const GATE := Rect2i(47, 13, 3, 5)
const TOWERS_MAX := 8
## What the mouse does with the tools for building and removing.
const BUILD_KEYS: PackedStringArray = ["Click|build a tower", "Right click|send the selected"]
const REMOVE_KEYS: PackedStringArray = ["Click|remove a tower", "Right click|send the selected"]
## What works with each of them.
const COMMON_KEYS: PackedStringArray = ["H|heat", "W|ways"]
const TOWERS: Array[Vector2i] = [Vector2i(21, 10), Vector2i(34, 20), Vector2i(22, 19)]

var kinds: Array[DangerKind] = []

var _sites: DangerSites

@onready var grid: PathForgeGrid = $Grid
@onready var danger: InfluenceMap = $Danger
@onready var towers: Node2D = $Towers

@onready var _frame: DemoFrame = $DemoFrame
@onready var _camera: DemoCamera = $Camera
@onready var _walkers: DangerWalkers = $Walkers
@onready var _hand: DangerHand = $Hand
@onready var _panel: DangerPanel = $Panel


func _ready() -> void:
	grid.set_from_text(FileAccess.get_file_as_string(MAP_FILE))
	grid.influences = [danger]
	kinds.assign($Fields.get_children())
	for valley: DangerValley in [$Valley, $Rocks]:
		valley.set_up(grid, kinds, GATE)
	_sites = DangerSites.new(grid, _hand.body, kinds, GATE)
	_walkers.set_up($Crowd, grid, kinds, GATE)
	for cell: Vector2i in TOWERS:
		add_tower(cell)
	_walkers.spread_out()
	_hand.set_up(grid, towers)
	_hand.tower_wanted.connect(add_tower)
	_hand.refused.connect(_frame.tell)
	_camera.content = Rect2(Vector2.ZERO, Vector2(grid.region.size) * grid.cell_size)
	_camera.use_frame(_frame)
	_set_up_panel()


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed or key.echo:
		return
	match key.keycode:
		KEY_H:
			_panel.toggle_heat()
		KEY_W:
			_panel.show_next_ways()
		_:
			return
	get_viewport().set_input_as_handled()


## Builds a tower, or says why there can be none.
func add_tower(cell: Vector2i) -> void:
	var why_not := _sites.why_not(cell)
	if towers.get_child_count() >= TOWERS_MAX:
		why_not = "%d towers are the most: X removes one" % TOWERS_MAX
	if not why_not.is_empty():
		_frame.tell(why_not)
		return
	var tower: DangerTower = TOWER.instantiate()
	towers.add_child(tower)
	tower.set_up(_sites, _walkers, danger, cell)


func _set_up_panel() -> void:
	_panel.reparent(_frame.side_column())
	_panel.set_up(_walkers, towers, TOWERS_MAX)
	_panel.heat_toggled.connect(func(is_on: bool) -> void: danger.debug_enabled = is_on)
	_panel.ways_chosen.connect(_show_ways)
	var tools := _frame.add_tools("Select")
	tools.add_tool("Build", KEY_B, BUILD_KEYS + COMMON_KEYS)
	tools.add_tool("Remove", KEY_X, REMOVE_KEYS + COMMON_KEYS)
	tools.changed.connect(func(tool: int) -> void: _hand.in_hand = tool as DangerHand.Work)


func _show_ways(of_kind: DangerKind) -> void:
	for kind: DangerKind in kinds:
		kind.debug_enabled = kind == of_kind
