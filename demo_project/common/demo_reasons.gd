class_name DemoReasons
extends RefCounted
## Why units do not get where they were sent: each reason once, after the names of all units that
## it holds for.

## So many names are written out.
const NAMES_MAX := 3

## Names by reason, in the order in which they were added.
var _names: Dictionary[String, PackedStringArray] = {}


func add(title: String, reason: String) -> void:
	var names: PackedStringArray = _names.get(reason, PackedStringArray())
	names.append(title)
	_names[reason] = names


## A line for each reason. Of more than one only the first sentence, which says what is in the way.
func text() -> String:
	var lines: PackedStringArray = []
	for reason: String in _names:
		var words := reason if _names.size() == 1 else _first_sentence(reason)
		lines.append("%s: %s" % [_joined(_names[reason]), words])
	return "\n".join(lines)


static func _first_sentence(reason: String) -> String:
	return reason.get_slice(". ", 0).trim_suffix(".") + "."


## "Boots ×2, Boat" or "Rider 1, Rider 2, Rider 3 and 2 more"
static func _joined(names: PackedStringArray) -> String:
	var counts: Dictionary[String, int] = {}
	for title: String in names:
		counts[title] = counts.get(title, 0) + 1
	var words: PackedStringArray = []
	for title: String in counts:
		words.append(title if counts[title] == 1 else "%s ×%d" % [title, counts[title]])
	var rest := words.size() - NAMES_MAX
	if rest > 1:
		return "%s and %d more" % [", ".join(words.slice(0, NAMES_MAX)), rest]
	return ", ".join(words)
