class_name TownMap
extends DrawnMap
## The town as its text file draws it: what each cell looks like, the gates, the bridge, the units.
## PathForge's own letters say only solid, open and water, so [method grid_text] translates.

const LAND := 0
const WATER := 1
const FORD := 2

const _SOLID := "#oTD"
const _WATER := "~"


## Pavement goes on outside.
func _init(file: String) -> void:
	super(file, ".")


func is_water(cell: Vector2i) -> bool:
	return letter(cell) in "~=,"


## The map in the letters of [method PathForgeGrid.set_from_text].
func grid_text() -> String:
	var lines: PackedStringArray = []
	for row: String in _rows:
		var line := ""
		for glyph: String in row:
			line += "#" if glyph in _SOLID else "~" if glyph == _WATER else "."
		lines.append(line)
	return "\n".join(lines)
