extends Node2D
## Paths on 2048×1024 cells: by clusters and cell by cell, where costs differ. Click: a new goal.

enum { WATER, MEADOW, WOOD, HILL }

@export var by_clusters: PathForgeProfile  # Its search mode is SEARCH_HIERARCHICAL.
@export var by_cells: PathForgeProfile  # The same body with SEARCH_OPTIMAL.

@onready var grid: PathForgeGrid = $PathForgeGrid
@onready var label: Label = $Label


func _ready() -> void:
	var picture: Image = $PathForgeGrid/Land.texture.noise.get_image(2048, 1024)
	var terrains := picture.get_data()
	for n: int in terrains.size():
		terrains[n] = terrains[n] / 64  # Four shades, four terrains.
	grid.set_terrain_data(terrains)
	for road: ColorRect in $PathForgeGrid/Roads.get_children():
		grid.fill_terrain_region(Rect2i(road.get_rect()), MEADOW)
		grid.fill_weight_scale_region(Rect2i(road.get_rect()), 0.5)
	grid.prepare_profile(by_clusters)  # In the background.
	await grid.profile_prepared
	show_paths(Vector2i(1990, 960))


func show_paths(goal: Vector2i) -> void:
	var start := Vector2i(4, 403)  # On a road.
	var fast := grid.find_path(start, goal, by_clusters, PathForgeGrid.GOAL_NEAREST)
	var best := grid.find_path(start, goal, by_cells, PathForgeGrid.GOAL_NEAREST)
	$PathForgeGrid/ByClusters.points = fast.positions
	$PathForgeGrid/ByCells.points = best.positions
	label.text = "By clusters, orange: cost %.0f in %d µs. " % [fast.cost, fast.search_usec]
	label.text += "Cell by cell, white: cost %.0f in %d µs. " % [best.cost, best.search_usec]
	label.text += "Click: a new goal."


func _unhandled_input(event: InputEvent) -> void:
	var click := event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		show_paths(grid.local_to_cell(grid.get_local_mouse_position()))
