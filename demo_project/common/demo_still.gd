class_name DemoStill
extends SubViewport
## Draws a canvas item that never changes once, into a picture: many polygons over each other cost
## nothing more than that from then on. Add it to the tree, and it goes when the picture is made.

signal made(picture: Texture2D)

var _fineness := 1.0


## [param item] draws on [param area], which the picture shows [param fineness] times as fine.
func _init(item: CanvasItem, area: Vector2, fineness := 3.0) -> void:
	size = Vector2i((area * fineness).ceil())
	_fineness = fineness
	transparent_bg = true
	disable_3d = true
	render_target_update_mode = SubViewport.UPDATE_ONCE
	add_child(item)


func _enter_tree() -> void:
	canvas_transform = Transform2D.IDENTITY.scaled(Vector2.ONE * _fineness)
	RenderingServer.frame_post_draw.connect(_on_drawn)


func _exit_tree() -> void:
	RenderingServer.frame_post_draw.disconnect(_on_drawn)


func _on_drawn() -> void:
	var image := get_texture().get_image()
	if image != null and not image.is_empty():  # Without a display there is none.
		image.generate_mipmaps()
		made.emit(ImageTexture.create_from_image(image))
	queue_free()
