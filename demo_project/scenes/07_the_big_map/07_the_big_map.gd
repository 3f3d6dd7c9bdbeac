extends Node2D
## A continent of sixteen million cells, made when the scene starts, and a hundred travellers who
## find their ways over it, and no frame comes late for it.

var travellers: WorldTravellers
var grid: PathForgeGrid

var _maker := WorldMaker.new()
var _is_preparing := false

@onready var camera: WorldCamera = $Camera
@onready var edits: WorldEdits = $Edits
@onready var panel: WorldPanel = $Panel

@onready var _ground: WorldGround = $Ground
@onready var _meter: RequestMeter = $Meter
@onready var _hand: WorldHand = $Hand
@onready var _loading: WorldLoading = $Loading
@onready var _frame: DemoFrame = $DemoFrame


func _ready() -> void:
	panel.reparent(_frame.side_column())
	camera.content = Rect2(Vector2.ZERO, Vector2.ONE * WorldMaker.SIDE)
	camera.use_frame(_frame)
	travellers = $Travellers
	panel.mini_map.set_up(camera, travellers)
	panel.mini_map.place_wanted.connect(_on_place_wanted)
	_maker.pictured.connect(_on_pictured)
	camera.clicked.connect(_on_clicked)
	_hand.refused.connect(_frame.tell)
	var tools := _frame.add_tools("Select")
	tools.add_tool("Build", KEY_B, ["Drag|wall, or a hole in rock", "Click|let a bridge fall"])
	tools.changed.connect(_on_tool_changed)
	# The makers need the processor more than the picture does.
	OS.low_processor_usage_mode = true
	OS.low_processor_usage_mode_sleep_usec = 30_000


func _exit_tree() -> void:
	OS.low_processor_usage_mode = false
	_maker.finish()
	if _maker.grid != null and not _is_preparing:
		_maker.grid.free()


func _process(_delta: float) -> void:
	if grid == null:
		_load()
	elif camera.is_following:
		camera.followed = travellers.chosen.place


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button != null and button.pressed and button.button_index == MOUSE_BUTTON_RIGHT:
		_send_chosen(camera.spot_at(button.position))


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed or key.echo:
		return
	if grid == null and key.keycode in [KEY_SPACE, KEY_F, KEY_K]:
		_frame.tell(WorldLoading.TOO_EARLY)
		return
	match key.keycode:
		KEY_SPACE:
			travellers.send_all()
		KEY_F:
			panel.switch_engine()
		KEY_K:
			panel.asking.button_pressed = not panel.asking.button_pressed
		_:
			return
	get_viewport().set_input_as_handled()


## The map is made and shown, then the grid prepares for every kind of traveller, so that the first
## path of each has to wait for nothing.
func _load() -> void:
	if not _is_preparing:
		if not _maker.work_on():
			_loading.show_making(_maker)
			return
		_ground.show_map(_maker)
		panel.mini_map.show_ground(_ground)
		add_child(_maker.grid)
		for kind: TravellerKind in travellers.kinds:
			_maker.grid.prepare_profile(kind.profile)
		_is_preparing = true
	var left: int = Performance.get_custom_monitor(&"PathForge/Open preparations")
	_loading.show_preparing(left, travellers.kinds)
	if left == 0:
		_begin()


func _begin() -> void:
	OS.low_processor_usage_mode = false
	grid = _maker.grid
	edits.set_up(grid, _maker.heights)
	_meter.set_up(grid, _frame.clock)
	travellers.search_flat(panel.engines[1].button_pressed)
	travellers.is_asking_on = panel.asking.button_pressed
	travellers.set_up(grid, _maker.towns, camera, _meter)
	_hand.set_up(grid, edits, camera)
	edits.applied.connect(panel.mini_map.note_edit)
	panel.set_up(travellers)
	panel.burst_wanted.connect(travellers.send_all)
	panel.flat_toggled.connect(_on_flat_toggled)
	panel.asking_toggled.connect(_on_asking_toggled)
	grid.cells_changed.connect(_on_cells_changed)
	_loading.hide()


func _on_pictured(picture: Image) -> void:
	_ground.show_heights(picture)
	panel.mini_map.show_ground(_ground)


func _on_tool_changed(tool: int) -> void:
	camera.has_left_button = tool == 0
	_hand.is_in_hand = tool != 0


## The traveller that is followed goes to a place, and from there on to towns.
func _send_chosen(spot: Vector2) -> void:
	var why_not := WorldLoading.TOO_EARLY if grid == null else travellers.send_chosen(spot)
	if not why_not.is_empty():
		_frame.tell(why_not)


## A finger has no right button: with a traveller chosen, a tap on the ground sends it.
func _on_clicked(spot: Vector2, is_touch: bool) -> void:
	if grid == null:
		_frame.tell(WorldLoading.TOO_EARLY)
		return
	var before := travellers.chosen
	var met := travellers.traveller_at(spot)
	if met == null and before != null and is_touch:
		_send_chosen(spot)
		return
	travellers.choose(met)
	camera.is_following = travellers.chosen != null
	if before == null and travellers.chosen == null:
		_frame.tell("No traveller is there. A click on a dot follows it.")


func _on_place_wanted(spot: Vector2) -> void:
	camera.jump_to(spot, 1.0)


func _on_flat_toggled(is_flat: bool) -> void:
	travellers.search_flat(is_flat)
	travellers.send_all()


func _on_asking_toggled(is_on: bool) -> void:
	travellers.is_asking_on = is_on
	if is_on:
		travellers.send_all()


func _on_cells_changed(region: Rect2i) -> void:
	travellers.note_edit(Rect2(region).get_center(), maxi(region.size.x, region.size.y) * 0.5)
