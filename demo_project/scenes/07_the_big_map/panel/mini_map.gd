class_name MiniMap
extends Control
## The whole map, small: who travels where, and what the camera sees. A click or a drag goes there.

## A place is to be shown, in the scene's coordinates.
signal place_wanted(spot: Vector2)

## What is built and broken looks like this, by tool, and is at least so wide, in pixels.
const EDITS: Dictionary[WorldEdits.Tool, Color] = {
	WorldEdits.Tool.WALL: DemoPalette.BUILT_LIGHT,
	WorldEdits.Tool.HOLE: DemoPalette.BUILT_FACE,
	WorldEdits.Tool.FALL: DemoPalette.WATER_LIGHT,
}
const EDIT_WIDTH := 4.0
## Nearer than that to the last one, no other is drawn, in cells.
const EDIT_GAP := 8.0

var _camera: WorldCamera
var _travellers: WorldTravellers
## Middles and radii of edits, in cells.
var _edits: Dictionary[WorldEdits.Tool, PackedVector3Array] = {}

@onready var _picture: TextureRect = $Picture
@onready var _above: Control = $Above


func _ready() -> void:
	_above.draw.connect(_draw_above)


func set_up(camera: WorldCamera, travellers: WorldTravellers) -> void:
	_camera = camera
	_travellers = travellers


## Shows what the ground shows.
func show_ground(ground: WorldGround) -> void:
	_picture.texture = ground.texture
	_picture.material = ground.material


## Shows what has been done to the map.
func note_edit(tool: WorldEdits.Tool, middle: Vector2i, radius: int) -> void:
	var some: PackedVector3Array = _edits.get(tool, PackedVector3Array())
	var edit := Vector3(middle.x, middle.y, radius)
	if some.is_empty() or some[-1].distance_to(edit) >= EDIT_GAP:
		some.append(edit)
		_edits[tool] = some


func _process(_delta: float) -> void:
	_above.queue_redraw()


func _gui_input(event: InputEvent) -> void:
	var mouse := event as InputEventMouse
	if mouse == null or _camera == null or mouse.button_mask & MOUSE_BUTTON_MASK_LEFT == 0:
		return
	place_wanted.emit(mouse.position / size * WorldMaker.SIDE)
	accept_event()


func _draw_above() -> void:
	_above.draw_rect(Rect2(Vector2.ZERO, size), DemoPalette.LINE, false, 2.0)
	if _camera == null:
		return
	var scale_by := size.x / WorldMaker.SIDE
	_draw_edits(scale_by)
	for traveller: Traveller in _travellers.travellers:
		var spot := traveller.place * scale_by
		DemoPalette.draw_disc(_above, spot, 2.6, DemoPalette.INK)
		DemoPalette.draw_disc(_above, spot, 1.8, traveller.kind.colour)
	var seen := _camera.seen()
	var view := Rect2(seen.position * scale_by, seen.size * scale_by)
	view = view.intersection(Rect2(Vector2.ZERO, size)).grow(-1.0)
	_above.draw_rect(view, DemoPalette.TEXT, false, 1.5)


func _draw_edits(scale_by: float) -> void:
	# All rims first, so that a stroke has one.
	for rim: float in [1.0, 0.0]:
		for tool: WorldEdits.Tool in _edits:
			var colour := DemoPalette.INK if rim > 0.0 else EDITS[tool]
			for edit: Vector3 in _edits[tool]:
				var half := Vector2.ONE * (maxf(edit.z * scale_by, EDIT_WIDTH * 0.5) + rim)
				var spot := Vector2(edit.x, edit.y) * scale_by
				_above.draw_rect(Rect2(spot - half, half * 2.0), colour)
