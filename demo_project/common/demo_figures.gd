class_name DemoFigures
extends VBoxContainer
## A panel with rows of a name and a figure that changes. The rows are instances of
## [code]demo_figure.tscn[/code]; the name of each is the name of its node.

## What stands in a row that has no figure yet.
const NOTHING := "–"


func show_figure(title: String, value: String) -> void:
	_value(title).text = value


## What stands in a row.
func figure(title: String) -> String:
	return _value(title).text


## The same as a number, as [method grouped] writes it.
func number(title: String) -> int:
	return figure(title).replace(",", "").to_int()


## 12345 as 12,345.
static func grouped(count: int) -> String:
	var digits := str(count)
	for place: int in range(digits.length() - 3, 0, -3):
		digits = digits.insert(place, ",")
	return digits


## What a monitor of PathForge says, as milliseconds.
static func msec(monitor: StringName) -> String:
	return "%.2f ms" % (Performance.get_custom_monitor("PathForge/" + monitor) / 1000.0)


func _value(title: String) -> Label:
	return get_node(title).get_node(^"Value")
