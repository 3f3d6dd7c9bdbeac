@tool
extends AcceptDialog
## Shows what the map doctor finds in the edited scene.

const MapDoctor := preload("../doctor/map_doctor.gd")
const Report := preload("../doctor/report.gd")

const SIZE := Vector2i(900, 480)

var _text := TextEdit.new()


func _init() -> void:
	title = "Map Doctor"
	_text.editable = false
	_text.wrap_mode = TextEdit.LINE_WRAPPING_BOUNDARY
	add_child(_text)


## Looks at the scene [param root] and opens with what there is to report.
func show_findings(root: Node) -> void:
	_text.text = Report.of(MapDoctor.new(root))
	popup_centered(SIZE)


## What is shown.
func report() -> String:
	return _text.text
