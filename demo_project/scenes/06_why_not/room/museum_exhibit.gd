class_name MuseumExhibit
extends Resource
## What a room shows: a map, a body that asks for a way across it, and what its button does. Only
## the map and the question: every answer is PathForge's.

## The letters of a map.
##   . floor   # wall   c crate   D shut door   ~ water   % bog   w rubble   x danger
const FLOOR := 0
const WATER := 1
const BOG := 2
const SOLID := "#cx"

@export var title := ""
## What to look at, for the visitor.
@export_multiline var about := ""
## One letter a cell.
@export_multiline var map := ""
@export var start := Vector2i.ZERO
@export var goal := Vector2i.ZERO
@export var body: PathForgeProfile

@export_group("Button")
## What is written on it.
@export var button := ""
## The body that asks instead while it is pressed.
@export var other_body: PathForgeProfile
## The columns that the map gains while it is pressed. Without these two, it opens the cells that
## the answer names.
@export var more_columns := 0


func rows() -> PackedStringArray:
	return map.strip_edges().split("\n")


## The letter at a cell; floor outside.
func letter(cell: Vector2i) -> String:
	var lines := rows()
	if cell.y < 0 or cell.y >= lines.size() or cell.x < 0 or cell.x >= lines[cell.y].length():
		return "."
	return lines[cell.y][cell.x]


## Every cell that has [param glyph].
func cells_of(glyph: String) -> Array[Vector2i]:
	var found: Array[Vector2i] = []
	var lines := rows()
	for y: int in lines.size():
		for x: int in lines[y].length():
			if lines[y][x] == glyph:
				found.append(Vector2i(x, y))
	return found


## The doors: rectangles of the door letter.
func doors() -> Array[Rect2i]:
	var found: Array[Rect2i] = []
	for cell: Vector2i in cells_of("D"):
		var is_new := true
		for place: int in found.size():
			if found[place].grow(1).has_point(cell):
				found[place] = found[place].merge(Rect2i(cell, Vector2i.ONE))
				is_new = false
		if is_new:
			found.append(Rect2i(cell, Vector2i.ONE))
	return found
