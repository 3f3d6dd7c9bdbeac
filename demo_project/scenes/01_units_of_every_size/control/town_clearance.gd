class_name TownClearance
extends Node2D
## How much room there is at every cell: the number is the side of the largest open square that has
## the cell as its top-left corner. Cells where the selected body may not go at all stay dark.

var _map: ClearanceMap


func set_up(grid: PathForgeGrid) -> void:
	_map = ClearanceMap.new()
	_map.grid = grid
	_map.debug_enabled = true
	_map.modulate.a = 0.62
	add_child(_map)


## Shows the room that there is for bodies that enter what [param profile] may.
func show_for(profile: PathForgeProfile) -> void:
	_map.profile = profile
