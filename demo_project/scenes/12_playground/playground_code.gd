class_name PlaygroundCode
extends RefCounted
## Writes a map as a short text for a link, and reads it: two bits a cell, compressed, in letters of
## Base64 that a link may have. The text begins with a checksum. Godot prints an error for data that
## it cannot decompress, so damaged texts are refused by their checksum.


## What a text says: a map, or why it has none.
class Answer:
	## [code]null[/code] if there is a problem.
	var map: PlaygroundMap
	## In words; empty if there is none.
	var problem := ""


const VERSION := 1
## Bytes before the cells: version, body, start and goal.
const HEADER := 6
const CELLS_PER_BYTE := 4
## Bytes of the checksum.
const CHECKSUM := 4
## No map has a longer code. Compressed bytes are at most a few more than uncompressed ones.
const LENGTH_MAX := 560


static func encode(map: PlaygroundMap) -> String:
	var start := map.start
	var goal := map.goal
	var bytes := PackedByteArray([VERSION, map.body, start.x, start.y, goal.x, goal.y])
	for first: int in range(0, map.cells.size(), CELLS_PER_BYTE):
		var packed := 0
		for place: int in CELLS_PER_BYTE:
			packed |= map.cells[first + place] << place * 2
		bytes.append(packed)
	var compressed := bytes.compress(FileAccess.COMPRESSION_DEFLATE)
	var sealed := PackedByteArray()
	sealed.resize(CHECKSUM)
	sealed.encode_u32(0, _checksum(compressed))
	sealed.append_array(compressed)
	var text := Marshalls.raw_to_base64(sealed)
	return text.replace("+", "-").replace("/", "_").replace("=", "")


## Returns the map that [method encode] has written, or the problem of any other text.
static func decode(text: String) -> Answer:
	var answer := Answer.new()
	if text.length() > LENGTH_MAX:
		answer.problem = "That is no map: it is too long for one."
	elif text.is_empty():
		answer.problem = "There is no map in the link or in the clipboard."
	elif not _has_only_letters(text) or text.length() % 4 == 1:
		answer.problem = "That is no map: a map has letters, digits, - and _ only."
	else:
		var sealed := _from_base64(text)
		var compressed := sealed.slice(CHECKSUM)
		if compressed.is_empty() or sealed.decode_u32(0) != _checksum(compressed):
			answer.problem = "The map is damaged: a part of its text is missing or changed."
		else:
			_read(compressed, answer)
	return answer


static func _read(compressed: PackedByteArray, answer: Answer) -> void:
	var map := PlaygroundMap.new()
	var size := HEADER + map.cells.size() / CELLS_PER_BYTE
	var bytes := compressed.decompress(size, FileAccess.COMPRESSION_DEFLATE)
	if bytes.size() != size or bytes[0] != VERSION:
		answer.problem = "The map is of another version of the playground."
		return
	map.body = bytes[1]
	map.start = Vector2i(bytes[2], bytes[3])
	map.goal = Vector2i(bytes[4], bytes[5])
	var area := PlaygroundMap.area()
	var has_ends := area.has_point(map.start) and area.has_point(map.goal)
	if not has_ends or map.body >= PlaygroundBody.all().size():
		answer.problem = "The map is damaged: its start, goal or body is not there."
		return
	for place: int in map.cells.size():
		var packed := bytes[HEADER + place / CELLS_PER_BYTE]
		map.cells[place] = packed >> place % CELLS_PER_BYTE * 2 & 3
	answer.map = map


static func _has_only_letters(text: String) -> bool:
	return RegEx.create_from_string("^[A-Za-z0-9_-]+$").search(text) != null


static func _from_base64(text: String) -> PackedByteArray:
	var padding := "=".repeat((4 - text.length() % 4) % 4)
	return Marshalls.base64_to_raw(text.replace("-", "+").replace("_", "/") + padding)


## FNV-1a of 32 bits.
static func _checksum(bytes: PackedByteArray) -> int:
	var sum := 0x811c9dc5
	for byte: int in bytes:
		sum = (sum ^ byte) * 0x01000193 & 0xffffffff
	return sum
