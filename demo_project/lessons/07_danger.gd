extends Node2D
## Danger that costs: the scout goes around the tower, the veteran does not mind. Drag the tower.

const START := Vector2i(3, 10)
const GOAL := Vector2i(36, 10)

@export var scout: PathForgeProfile  # Its influence weights are [1.5].
@export var veteran: PathForgeProfile

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var danger: InfluenceMap = $PathForgeGrid/InfluenceMap
@onready var tower: Polygon2D = $Tower
@onready var scout_line: Line2D = $Scout
@onready var veteran_line: Line2D = $Veteran


func _ready() -> void:
	grid.influences = [danger]
	danger.attach_stamp(tower, 8.0, 7.5)  # Strength, and radius in cells. It follows the tower.
	danger.influence_changed.connect(_on_influence_changed)
	show_paths()


func _on_influence_changed(_region: Rect2i) -> void:
	show_paths()


func show_paths() -> void:
	scout_line.points = grid.find_path(START, GOAL, scout).positions
	veteran_line.points = grid.find_path(START, GOAL, veteran).positions


func _unhandled_input(_event: InputEvent) -> void:
	if Input.is_mouse_button_pressed(MOUSE_BUTTON_LEFT):
		tower.position = get_global_mouse_position().clamp(Vector2.ZERO, Vector2(1279, 639))
