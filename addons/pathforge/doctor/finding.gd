@tool
extends RefCounted
## One thing that the map doctor found.

enum Kind { MAP, GATE, ROOM, START, IMPORT, WEIGHT }

var kind := Kind.MAP
## Whether a level designer should mend it. Gates and notes are information.
var is_fault := false
## The path of the grid in the scene; empty for what concerns the whole scene.
var place := ""
## A cell to look at, or [code]Vector2i.MIN[/code].
var cell := Vector2i.MIN
## The finding in words.
var text := ""


func _init(of: Kind, words: String, at := Vector2i.MIN, fault := false) -> void:
	kind = of
	text = words
	cell = at
	is_fault = fault


## "(3, 4), (5, 6) and 10 more", from the first [param shown] of [param cells].
static func list(cells: Array[Vector2i], shown := 3) -> String:
	var words := PackedStringArray()
	for at: Vector2i in cells.slice(0, shown):
		words.append(str(at))
	var joined := ", ".join(words)
	return joined if cells.size() <= shown else "%s and %d more" % [joined, cells.size() - shown]


## "1 cell" or "3 cells".
static func count(number: int, noun: String) -> String:
	return "%d %s%s" % [number, noun, "" if number == 1 else "s"]
