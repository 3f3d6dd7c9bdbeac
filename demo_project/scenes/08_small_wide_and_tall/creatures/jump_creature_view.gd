class_name JumpCreatureView
extends Node2D
## Draws a character of any size: a round body with feet, eyes that look where it goes, and horns
## for those with the room. It leans, stretches and squashes as it moves.

var _skin := StyleBoxFlat.new()
var _belly := StyleBoxFlat.new()
var _time := 0.0
var _stride := 0.0
var _facing := 1.0
var _stretch := 0.0
var _was_on_floor := true

@onready var _creature: JumpCreature = get_parent()


func _ready() -> void:
	_time = DemoPalette.grain(Vector2i(_creature.title.length(), 3)) * 10.0
	_skin.bg_color = _creature.colour
	_skin.border_color = _creature.colour.darkened(0.38)
	_skin.corner_detail = 8
	_belly.bg_color = Color(_creature.colour.lightened(0.35), 0.8)
	_belly.corner_detail = 8


func _process(delta: float) -> void:
	_time += delta
	var speed := _creature.velocity
	_stride += absf(speed.x) * delta * 0.11
	if absf(speed.x) > 8.0:
		_facing = move_toward(_facing, signf(speed.x), delta * 10.0)
	var wanted := clampf(absf(speed.y) / 900.0, 0.0, 0.16) if not _creature.is_on_floor() else 0.0
	if _creature.is_on_floor() and not _was_on_floor:
		_stretch = -0.2
	_was_on_floor = _creature.is_on_floor()
	_stretch = lerpf(_stretch, wanted, 1.0 - exp(-14.0 * delta))
	queue_redraw()


func _draw() -> void:
	var size := Vector2(_creature.profile.footprint) * 20.0 - JumpCreature.SLACK
	var low := size.y * 0.5
	if _creature.is_selected:
		var cells := size + JumpCreature.SLACK + Vector2(2.0, 2.0)
		DemoMarks.draw_ring(self, Vector2(0.0, -1.0), cells, _time)
	var feet := clampf(size.y * 0.16, 3.0, 7.0)
	_draw_feet(size, feet)
	var breath := 0.015 * sin(_time * 3.0)
	var shape := Vector2(1.0 - _stretch * 0.7 - breath, 1.0 + _stretch + breath)
	draw_set_transform(Vector2(0.0, low - feet * 0.6), _lean(), shape)
	var body := Rect2(-size.x * 0.5, -size.y + feet * 0.6, size.x, size.y - feet * 0.6)
	if size.y > 24.0 or size.x > 24.0:
		_draw_horns(body)
	var round_off := int(minf(body.size.x, body.size.y) * 0.42)
	_skin.set_corner_radius_all(round_off)
	_skin.border_width_bottom = maxi(2, int(body.size.y * 0.1))
	draw_style_box(_skin, body)
	_draw_belly(body)
	_draw_eyes(body)
	draw_set_transform(Vector2.ZERO)
	if _creature.state == JumpCreature.State.LOST:
		DemoMarks.draw_sign(self, Vector2(0.0, -size.y * 0.5 - 15.0), _time)


func _lean() -> float:
	return clampf(_creature.velocity.x / 2600.0, -0.06, 0.06)


func _draw_feet(size: Vector2, feet: float) -> void:
	var count := maxi(2, roundi(size.x / 18.0))
	var is_running := _creature.is_on_floor() and absf(_creature.velocity.x) > 8.0
	var dark := _creature.colour.darkened(0.5)
	for foot: int in count:
		var spot := (foot + 0.5) / count - 0.5
		var phase := _stride + foot * PI * 0.9
		var lift := maxf(0.0, sin(phase)) * feet * 0.8 if is_running else 0.0
		var swing := cos(phase) * feet * 0.5 if is_running else 0.0
		var at := Vector2(spot * size.x * 0.8 + swing, size.y * 0.5 - feet * 0.5 - lift)
		DemoPalette.draw_disc(self, at, feet * 0.62, dark)
		draw_rect(Rect2(at - Vector2(feet * 0.45, feet), Vector2(feet * 0.9, feet)), dark)


func _draw_horns(body: Rect2) -> void:
	var bone := DemoPalette.BARGE
	var middle := body.position + Vector2(body.size.x * 0.5, body.size.y * 0.16)
	var reach := minf(body.size.x * 0.36, 15.0)
	for side: float in [-1.0, 1.0]:
		var root := middle + Vector2(side * reach * 0.75 + _facing * 2.0, 0.0)
		var tip := root + Vector2(side * 5.0, -body.size.y * 0.04 - 9.0)
		var points := PackedVector2Array([root + Vector2(-3.5, 2.0), tip, root + Vector2(3.5, 2.0)])
		draw_colored_polygon(points, bone.darkened(0.1))


func _draw_belly(body: Rect2) -> void:
	var side := minf(body.size.x, body.size.y)
	_belly.set_corner_radius_all(int(side * 0.2))
	var wide := body.size.x * 0.5
	var high := maxf(body.size.y * 0.26, 4.0)
	var at := Vector2(body.get_center().x - wide * 0.5 + _facing * side * 0.06, 0.0)
	at.y = body.end.y - high - body.size.y * 0.16
	draw_style_box(_belly, Rect2(at, Vector2(wide, high)))


func _draw_eyes(body: Rect2) -> void:
	var radius := clampf(minf(body.size.x, body.size.y) * 0.19, 3.2, 7.5)
	var line := body.position.y + maxf(body.size.y * 0.24, radius * 1.35)
	var middle := body.get_center().x + _facing * body.size.x * 0.14
	var is_shut := fposmod(_time, 3.7) < 0.12
	for side: float in [-1.0, 1.0]:
		var at := Vector2(middle + side * radius * 1.25, line)
		if is_shut:
			draw_rect(Rect2(at - Vector2(radius, 0.8), Vector2(radius * 2.0, 1.6)), DemoPalette.INK)
			continue
		DemoPalette.draw_disc(self, at, radius, Color.WHITE)
		var gaze := Vector2(_facing * 0.4, clampf(_creature.velocity.y / 900.0, -0.35, 0.35))
		DemoPalette.draw_disc(self, at + gaze * radius, radius * 0.55, DemoPalette.INK)
