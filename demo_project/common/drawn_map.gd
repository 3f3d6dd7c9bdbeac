class_name DrawnMap
extends RefCounted
## A map as a text file draws it: a letter a cell, then, after an empty line, who starts where.
## Lines that begin with a semicolon are remarks.


## A unit's line in the file.
class UnitLine:
	var kind := &""
	var cell := Vector2i.ZERO
	## Where it is under way to, or no cell.
	var goal := Vector2i.MIN


var size := Vector2i.ZERO
var units: Array[UnitLine] = []

var _rows: PackedStringArray = []
## What lies outside.
var _outside := "."


## Reads a map file. An unreadable one gives an empty map.
func _init(file: String, outside: String) -> void:
	_outside = outside
	var is_map := true
	for line: String in FileAccess.get_file_as_string(file).split("\n"):
		if line.begins_with(";"):
			continue
		if line.is_empty():
			is_map = is_map and _rows.is_empty()
		elif is_map:
			_rows.append(line)
		else:
			units.append(_unit_line(line))
	if not _rows.is_empty():
		size = Vector2i(_rows[0].length(), _rows.size())


func letter(cell: Vector2i) -> String:
	return _rows[cell.y][cell.x] if has_cell(cell) else _outside


func has_cell(cell: Vector2i) -> bool:
	return Rect2i(Vector2i.ZERO, size).has_point(cell)


## Every cell that has one of [param letters].
func cells_of(letters: String) -> Array[Vector2i]:
	var found: Array[Vector2i] = []
	for y: int in size.y:
		for x: int in size.x:
			if _rows[y][x] in letters:
				found.append(Vector2i(x, y))
	return found


## Every rectangle of cells side by side that have one of [param letters].
func rectangles(letters: String) -> Array[Rect2i]:
	var found: Array[Rect2i] = []
	for cell: Vector2i in cells_of(letters):
		if not found.any(func(area: Rect2i) -> bool: return area.has_point(cell)):
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
