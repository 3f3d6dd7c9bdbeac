class_name JumpBackdrop
extends Node2D
## What lies behind the level: a sky at dusk, a moon, stars, and three rows of hills.

const SKY_TOP := Color("101c2b")
const SKY_LOW := Color("2f5560")
const HILLS: Array[Color] = [Color("24404d"), Color("1e3540"), Color("192b34")]

var _size := Vector2(1000.0, 620.0)


## Fills [param size] pixels, and some way beyond for a camera that is off the middle.
func set_up(size: Vector2) -> void:
	_size = size
	queue_redraw()


func _draw() -> void:
	var far := _size.x
	var bands := 40
	for band: int in bands:
		var share := band / float(bands)
		var area := Rect2(-far, _size.y * share, _size.x + far * 2.0, _size.y / bands + 1.0)
		draw_rect(area, SKY_TOP.lerp(SKY_LOW, share * share * 0.4 + share * 0.6))
	draw_rect(Rect2(-far, -far, _size.x + far * 2.0, far), SKY_TOP)
	_draw_stars()
	_draw_moon(_size * Vector2(0.74, 0.16))
	for row: int in HILLS.size():
		_draw_hills(row)
	draw_rect(Rect2(-far, _size.y, _size.x + far * 2.0, far), JumpLevelView.EARTH_DARK)


func _draw_stars() -> void:
	for star: int in 90:
		var spot := Vector2(
			DemoPalette.grain(Vector2i(star, 0), 91), DemoPalette.grain(Vector2i(star, 1), 92)
		)
		var at := spot * _size * Vector2(1.0, 0.55)
		var shine := 0.15 + 0.5 * DemoPalette.grain(Vector2i(star, 2), 93)
		draw_rect(Rect2(at, Vector2.ONE * (1.0 + shine)), Color(1, 1, 1, shine * (1.0 - spot.y)))


func _draw_moon(middle: Vector2) -> void:
	JumpScenery.draw_glow(self, middle, 130.0, Color(0.8, 0.93, 0.95, 0.3))
	DemoPalette.draw_disc(self, middle, 30.0, Color("d9e4e0"))
	for crater: Vector3 in [Vector3(-9, -6, 6), Vector3(8, 7, 8), Vector3(7, -12, 4)]:
		DemoPalette.draw_disc(self, middle + Vector2(crater.x, crater.y), crater.z, Color("c3d0cc"))


func _draw_hills(row: int) -> void:
	var points := PackedVector2Array([Vector2(-_size.x, _size.y)])
	var base := _size.y * (0.56 + 0.13 * row)
	for step: int in 121:
		var x := -_size.x + step * _size.x / 40.0
		var wave := sin(x * 0.006 + row * 2.1) * 34.0 + sin(x * 0.017 + row) * 14.0
		points.append(Vector2(x, base + wave))
	points.append(Vector2(_size.x * 2.0, _size.y))
	draw_colored_polygon(points, HILLS[row])
