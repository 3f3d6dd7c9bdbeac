@tool
extends Control
## A body's footprint, cell by cell, with the top-left cell that it is anchored at marked.

const HEIGHT := 108.0
const MARGIN := 8.0
const CELL_MAX := 28.0
## Cells with lines between them are not told apart below this size.
const LINES_FROM := 4.0

var profile: PathForgeProfile = null:
	set(value):
		profile = value
		profile.changed.connect(queue_redraw)


func _init() -> void:
	custom_minimum_size.y = HEIGHT
	tooltip_text = "The body's cells. Its place is that of its top-left cell; its position, the dot."


func _draw() -> void:
	if profile == null:
		return
	var body := Vector2(profile.footprint)
	var room := size - Vector2(MARGIN, MARGIN) * 2.0
	var side := minf(minf(room.x / body.x, room.y / body.y), CELL_MAX)
	var corner := (size - body * side) / 2.0
	var accent := get_theme_color(&"accent_color", &"Editor")
	var line := Color(get_theme_color(&"font_color", &"Editor"), 0.35)
	draw_rect(Rect2(corner, body * side), Color(accent, 0.22))
	draw_rect(Rect2(corner, Vector2(side, side)), Color(accent, 0.65))
	if side >= LINES_FROM:
		for x: int in profile.footprint.x + 1:
			var from := corner + Vector2(x * side, 0)
			draw_line(from, from + Vector2(0, body.y * side), line)
		for y: int in profile.footprint.y + 1:
			var from := corner + Vector2(0, y * side)
			draw_line(from, from + Vector2(body.x * side, 0), line)
	draw_rect(Rect2(corner, body * side), accent, false, 1.0)
	draw_circle(corner + body * side / 2.0, 3.0, accent, true, -1.0, true)
	var font := get_theme_font(&"main", &"EditorFonts")
	var text := "%d × %d" % [profile.footprint.x, profile.footprint.y]
	var font_size := get_theme_font_size(&"main_size", &"EditorFonts")
	draw_string(
		font,
		Vector2(MARGIN, MARGIN + font.get_ascent(font_size)),
		text,
		HORIZONTAL_ALIGNMENT_LEFT,
		-1,
		font_size,
		get_theme_color(&"font_color", &"Editor")
	)
