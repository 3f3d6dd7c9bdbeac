class_name MapResource
extends Resource
## A level as games keep it: a resource that owns its map and saves the cells.

@export_storage var cells: PackedByteArray:
	get = get_cells,
	set = set_cells

var map := PathForgeMap.new()


func get_cells() -> PackedByteArray:
	return map.grid.to_bytes()


func set_cells(bytes: PackedByteArray) -> void:
	map.grid.from_bytes(bytes)
