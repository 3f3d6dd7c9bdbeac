class_name IslandMap
extends RefCounted
## The island as its text file draws it: terrain, what stands there, the bridges, and who starts
## where.

const LAND := 0
const WATER := 1
const SWAMP := 2
const TERRAIN_NAMES: PackedStringArray = ["land", "water", "swamp"]

const _SOLID := "T^h"


## A unit's line in the file.
class UnitLine:
	var kind := &""
	var cell := Vector2i.ZERO
	## Where it is under way to, or no cell.
	var goal := Vector2i.MIN


var size := Vector2i.ZERO
var units: Array[UnitLine] = []

var _rows: PackedStringArray = []


static func read(file: String) -> IslandMap:
	var map := IslandMap.new()
	var is_map := true
	for line: String in FileAccess.get_file_as_string(file).split("\n"):
		if line.begins_with(";"):
			continue
		if line.is_empty():
			is_map = is_map and map._rows.is_empty()
		elif is_map:
			map._rows.append(line)
		else:
			map.units.append(_unit_line(line))
	map.size = Vector2i(map._rows[0].length(), map._rows.size())
	return map


## The letter at a cell; the sea goes on outside.
func letter(cell: Vector2i) -> String:
	var is_inside := Rect2i(Vector2i.ZERO, size).has_point(cell)
	return _rows[cell.y][cell.x] if is_inside else "~"


## Terrain and solid cells for a grid: one byte a cell, row by row. Bridges are land.
func terrain_data() -> PackedByteArray:
	return _bytes(func(glyph: String) -> int: return maxi(0, "~%".find(glyph) + 1))


func solid_data() -> PackedByteArray:
	return _bytes(func(glyph: String) -> int: return int(glyph in _SOLID))


func cells_of(letters: String) -> Array[Vector2i]:
	var found: Array[Vector2i] = []
	for y: int in size.y:
		for x: int in size.x:
			if _rows[y][x] in letters:
				found.append(Vector2i(x, y))
	return found


## Every rectangle of [param glyph].
func rectangles(glyph: String) -> Array[Rect2i]:
	var found: Array[Rect2i] = []
	for cell: Vector2i in cells_of(glyph):
		if found.any(func(area: Rect2i) -> bool: return area.has_point(cell)):
			continue
		var area := Rect2i(cell, Vector2i.ONE)
		while letter(Vector2i(area.end.x, cell.y)) == glyph:
			area.size.x += 1
		while letter(Vector2i(cell.x, area.end.y)) == glyph:
			area.size.y += 1
		found.append(area)
	return found


func _bytes(value: Callable) -> PackedByteArray:
	var bytes := PackedByteArray()
	for row: String in _rows:
		for glyph: String in row:
			bytes.append(value.call(glyph))
	return bytes


## "hauler 18,6 -> 45,6"
static func _unit_line(line: String) -> UnitLine:
	var words := line.split(" ", false)
	var unit := UnitLine.new()
	unit.kind = StringName(words[0])
	unit.cell = _cell(words[1])
	if words.size() == 4:
		unit.goal = _cell(words[3])
	return unit


static func _cell(text: String) -> Vector2i:
	return Vector2i(text.get_slice(",", 0).to_int(), text.get_slice(",", 1).to_int())
