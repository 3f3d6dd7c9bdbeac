class_name DemoTown
extends GridMap
## A town drawn as text, a letter a place: its blocks are items of the map's mesh library.

## Items of a letter, from level 0 up.
const ITEMS: Dictionary[String, Array] = {
	".": ["ground"],
	",": ["road"],
	"~": ["water"],
	"=": ["bridge"],
	"#": ["ground", "house"],
	"t": ["ground", "tree"],
	"^": ["ground", "ground"],
	">": ["ground", "ramp"],
	"T": ["ground", "ground", "tree"],
}

@export_multiline var rows := ""


func _ready() -> void:
	var lines := rows.split("\n", false)
	for z: int in lines.size():
		for x: int in lines[z].length():
			var items: Array = ITEMS[lines[z][x]]
			for level: int in items.size():
				var item := mesh_library.find_item_by_name(str(items[level]))
				set_cell_item(Vector3i(x, level, z), item)
