class_name MiniMap
extends Control
## The whole map, small: who travels where, and what the camera sees. A click or a drag goes there.

## Somebody wants to see a place, in the scene's coordinates.
signal place_wanted(spot: Vector2)

var _picture := TextureRect.new()
var _above := Control.new()
var _camera: WorldCamera
var _travellers: WorldTravellers


func _ready() -> void:
	_picture.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
	for part: Control in [_picture, _above]:
		part.set_anchors_preset(Control.PRESET_FULL_RECT)
		part.mouse_filter = Control.MOUSE_FILTER_IGNORE
		add_child(part)
	_above.clip_contents = true
	_above.draw.connect(_draw_above)


func set_up(ground: WorldGround, camera: WorldCamera, travellers: WorldTravellers) -> void:
	_camera = camera
	_travellers = travellers
	_picture.texture = ground.texture
	_picture.material = ground.material


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
	for traveller: Traveller in _travellers.travellers:
		var spot := traveller.place * scale_by
		DemoPalette.draw_disc(_above, spot, 2.6, DemoPalette.INK)
		DemoPalette.draw_disc(_above, spot, 1.8, traveller.kind.colour)
	var seen := _camera.seen()
	var view := Rect2(seen.position * scale_by, seen.size * scale_by)
	view = view.intersection(Rect2(Vector2.ZERO, size)).grow(-1.0)
	_above.draw_rect(view, DemoPalette.TEXT, false, 1.5)
