class_name IslandMap
extends DrawnMap
## The island as its text file draws it: terrain, what stands there, the bridges, and who starts
## where.

const LAND := 0
const WATER := 1
const SWAMP := 2
const TERRAIN_NAMES: PackedStringArray = ["land", "water", "swamp"]

const _SOLID := "T^h"


## The sea goes on outside.
func _init(file: String) -> void:
	super(file, "~")


## Terrain and solid cells for a grid: one byte a cell, row by row. Bridges are land.
func terrain_data() -> PackedByteArray:
	return _bytes(func(glyph: String) -> int: return maxi(0, "~%".find(glyph) + 1))


func solid_data() -> PackedByteArray:
	return _bytes(func(glyph: String) -> int: return int(glyph in _SOLID))


func _bytes(value: Callable) -> PackedByteArray:
	var bytes := PackedByteArray()
	for row: String in _rows:
		for glyph: String in row:
			bytes.append(value.call(glyph))
	return bytes
