extends Node2D
## Navigation polygons: baked for a wide, low agent of Godot's own. Click: build or remove a wall.

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var baker: PathForgeNavigationBaker = $PathForgeNavigationBaker
@onready var region: NavigationRegion2D = $NavigationRegion2D
@onready var line: Line2D = $Path
@onready var label: Label = $Label


func _ready() -> void:
	grid.fill_solid_region(Rect2i(12, 4, 2, 16))
	grid.fill_solid_region(Rect2i(25, 0, 2, 15))
	bake()


func bake() -> void:
	# The open cells of the grid are the floor. Half the agent: 40 px to the sides, 12 px up and down.
	var map := get_world_2d().navigation_map
	var iteration := NavigationServer2D.map_get_iteration_id(map)
	region.navigation_polygon = baker.bake()
	while NavigationServer2D.map_get_iteration_id(map) == iteration:
		await get_tree().physics_frame  # The navigation server takes the polygon over some frames later.
	line.points = NavigationServer2D.map_get_path(map, Vector2(100, 500), Vector2(1180, 100), true)
	label.text = "The polygons: where the middle of the agent may be. Click: build or remove a wall."
	if line.points[-1] != Vector2(1180, 100):
		label.text = "The walls leave no way through. Click: build or remove a wall."


func _unhandled_input(event: InputEvent) -> void:
	var cell := grid.local_to_cell(grid.get_local_mouse_position())
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		if grid.is_in_boundsv(cell):
			grid.set_point_solid(cell, not grid.is_point_solid(cell))
			bake()
