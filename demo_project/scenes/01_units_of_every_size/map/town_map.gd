class_name TownMap
extends RefCounted
## The town as its text file draws it: what each cell looks like, the gates, the bridge, the units.
## PathForge's own letters say only solid, open and water, so [method grid_text] translates.

const LAND := 0
const WATER := 1
const FORD := 2

const _SOLID := "#oTD"
const _WATER := "~"


## A unit's line in the file.
class UnitLine:
	var kind := &""
	var cell := Vector2i.ZERO
	## Where it is under way to, or no cell.
	var goal := Vector2i.MIN


var size := Vector2i.ZERO
var units: Array[UnitLine] = []

var _rows: PackedStringArray = []


## Reads a map file. An unreadable one gives an empty map.
static func read(file: String) -> TownMap:
	var map := TownMap.new()
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
	if not map._rows.is_empty():
		map.size = Vector2i(map._rows[0].length(), map._rows.size())
	return map


## The letter at a cell; pavement outside.
func letter(cell: Vector2i) -> String:
	return _rows[cell.y][cell.x] if has_cell(cell) else "."


func has_cell(cell: Vector2i) -> bool:
	return Rect2i(Vector2i.ZERO, size).has_point(cell)


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


## Every rectangle of cells side by side that have one of [param letters].
func rectangles(letters: String) -> Array[Rect2i]:
	var found: Array[Rect2i] = []
	for y: int in size.y:
		for x: int in size.x:
			var cell := Vector2i(x, y)
			if letter(cell) in letters and not _is_in_any(found, cell):
				found.append(_rectangle_at(cell, letters))
	return found


func _rectangle_at(corner: Vector2i, letters: String) -> Rect2i:
	var area := Rect2i(corner, Vector2i.ONE)
	while _has(corner + Vector2i(area.size.x, 0), letters):
		area.size.x += 1
	while _has(corner + Vector2i(0, area.size.y), letters):
		area.size.y += 1
	return area


func _has(cell: Vector2i, letters: String) -> bool:
	return has_cell(cell) and letter(cell) in letters


static func _is_in_any(areas: Array[Rect2i], cell: Vector2i) -> bool:
	for area: Rect2i in areas:
		if area.has_point(cell):
			return true
	return false


## "tank 10,8 -> 45,18"
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
