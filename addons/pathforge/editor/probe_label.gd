@tool
extends RefCounted
## A note beside a point of the 2D view, kept inside it.

const WIDTH := 380.0
const PADDING := Vector2(10, 8)
## Between the note and what it stands beside.
const GAP := 12.0


## [param half] is half the width of what the note stands beside, around [param beside].
static func draw(
	overlay: Control, text: String, beside: Vector2, half: float, color: Color
) -> void:
	var font := overlay.get_theme_font(&"main", &"EditorFonts")
	var font_size := overlay.get_theme_font_size(&"main_size", &"EditorFonts")
	var size := font.get_multiline_string_size(text, HORIZONTAL_ALIGNMENT_LEFT, WIDTH, font_size)
	var box := Rect2(beside + Vector2(half + GAP, -size.y / 2.0), size + PADDING * 2.0)
	var room := overlay.size - box.size - PADDING
	if box.position.x > room.x:
		box.position.x = beside.x - half - GAP - box.size.x
	box.position = box.position.clamp(PADDING, room.max(PADDING))
	overlay.draw_rect(box, Color(0.06, 0.08, 0.11, 0.92))
	overlay.draw_rect(Rect2(box.position, Vector2(3, box.size.y)), color)
	overlay.draw_multiline_string(
		font,
		box.position + PADDING + Vector2(0, font.get_ascent(font_size)),
		text,
		HORIZONTAL_ALIGNMENT_LEFT,
		WIDTH,
		font_size,
		-1,
		Color(0.93, 0.95, 0.97)
	)
