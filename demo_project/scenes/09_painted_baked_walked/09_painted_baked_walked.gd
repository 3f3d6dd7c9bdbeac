extends Node2D
## A room of tiles, twice: baked for a wide body on the left, for a tall one on the right. What is
## painted is baked again where it was painted, and ordinary NavigationAgent2D walk on it.

const MAP := "res://scenes/09_painted_baked_walked/map.txt"
const GAP := 20.0

var _boards: Array[PaintBoard] = []
var _tools: DemoTools

@onready var _frame: DemoFrame = $DemoFrame
@onready var _camera: DemoCamera = $Camera
@onready var _brush: PaintBrush = $Brush
@onready var _panel: PaintPanel = $Panel


func _ready() -> void:
	var rows := FileAccess.get_file_as_string(MAP).split("\n", false)
	var tiles := PaintTiles.make()
	_boards = [$Wide, $Tall]
	_panel.reparent(_frame.side_column())
	for number: int in _boards.size():
		var board := _boards[number]
		board.baked.connect(_on_baked.bind(number))
		board.position.x = number * (rows[0].length() * PaintBoard.TILE + GAP)
		board.set_up(rows, tiles, number)
	_tools = _frame.add_tools("Select")
	_tools.add_tool("Paint", KEY_B, ["Drag|paint", "Right click|send", "1 – 6|what to paint"])
	_brush.set_up(_tools, _boards)
	_brush.refused.connect(_frame.tell)
	_panel.step_chosen.connect(_on_step_chosen)
	_panel.brush_chosen.connect(_on_brush_chosen)
	_panel.choose(_panel.step)
	var size := _boards[0].size()
	_camera.content = Rect2(0.0, 0.0, size.x * 2.0 + GAP, size.y)
	_camera.use_frame(_frame)


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed:
		return
	match key.keycode:
		KEY_E:
			_panel.move(1)
		KEY_Q:
			_panel.move(-1)
		KEY_A:
			_brush.select_all()
		KEY_1, KEY_2, KEY_3, KEY_4, KEY_5, KEY_6:
			_panel.choose_brush(key.keycode - KEY_1)


func _on_step_chosen(step: PaintSteps.Step) -> void:
	for board: PaintBoard in _boards:
		board.steps.step = step


## With a brush chosen one means to paint.
func _on_brush_chosen(letter: String) -> void:
	_brush.letter = letter
	_tools.current = PaintBrush.Tool.PAINT


func _on_baked(regions: int, msec: float, number: int) -> void:
	var all := _boards[number].baker.get_region_count()
	_panel.show_bake(_boards[number].name, regions, all, msec)
