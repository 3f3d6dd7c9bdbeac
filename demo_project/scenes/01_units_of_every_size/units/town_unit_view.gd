class_name TownUnitView
extends Node2D
## How a unit looks: hull, turret, shadow, wake or dust, and the ring of a selected one. The hull
## turns towards where the unit goes and never changes where the unit is.

const TURN_RATE := 9.0
const SHADOW_OFFSET := Vector2(2.0, 3.0)

var _cell := 20.0
var _heading := 0.0
var _turret_heading := 0.0
var _time := 0.0
var _motion := 0.0

@onready var _unit: TownUnit = get_parent()


func begin(cell_px: float) -> void:
	_cell = cell_px
	_time = DemoPalette.grain(_unit.stand()) * 10.0
	_heading = roundf(DemoPalette.grain(_unit.stand(), 1) * 3.0) * PI * 0.5
	_turret_heading = _heading + DemoPalette.grain(_unit.stand(), 2) - 0.5


func _process(delta: float) -> void:
	_time += delta
	var is_going := not _unit.is_at_rest()
	var blend := 1.0 - exp(-TURN_RATE * delta)
	_motion = lerpf(_motion, float(is_going), blend)
	var aim := _unit.velocity.angle() if is_going else snappedf(_heading, PI * 0.5)
	_heading = lerp_angle(_heading, aim, blend)
	var look := _heading + 0.5 * sin(_time * 0.6) * (1.0 - _motion)
	_turret_heading = lerp_angle(_turret_heading, look, 1.0 - exp(-4.0 * delta))
	queue_redraw()


func _draw() -> void:
	# As large as what keeps clear of others.
	var size := _unit.outline().size
	if _unit.kind.turns:
		_draw_dust(size)
	else:
		_draw_wake(size)
	var angle := _heading if _unit.kind.turns else 0.0
	var bob := Vector2(0.0, sin(_time * 1.6) * 0.6) if not _unit.kind.turns else Vector2.ZERO
	var area := Rect2(-size * 0.5, size)
	var shadow := Color(0.0, 0.0, 0.0, 0.4)
	draw_set_transform(SHADOW_OFFSET + bob, angle)
	draw_texture_rect(_unit.kind.hull, area, false, shadow)
	draw_set_transform(bob, angle)
	draw_texture_rect(_unit.kind.hull, area, false)
	if _unit.kind.turret != null:
		draw_set_transform(SHADOW_OFFSET * 0.7, _turret_heading)
		draw_texture_rect(_unit.kind.turret, area, false, shadow)
		draw_set_transform(Vector2.ZERO, _turret_heading)
		draw_texture_rect(_unit.kind.turret, area, false)
	draw_set_transform(Vector2.ZERO)
	if _unit.is_selected:
		DemoMarks.draw_ring(self, Vector2.ZERO, size, _time)
		_draw_number(size)
	var state := _unit.state()
	if state in [TownUnit.State.BLOCKED, TownUnit.State.LEAVING, TownUnit.State.HELD_UP]:
		var is_blocked := state == TownUnit.State.BLOCKED
		var colour := DemoPalette.BAD if is_blocked else DemoPalette.WARN
		# From a unit that is held up to the units that hold it up.
		var is_held_up := state == TownUnit.State.HELD_UP
		for other: TownUnit in _unit.blockers if is_held_up else [] as Array[TownUnit]:
			if is_instance_valid(other):
				var to := other.position - _unit.position
				DemoMarks.draw_dashes(self, [Vector2.ZERO, to], _time, colour)
		DemoMarks.draw_sign(self, Vector2(0.0, -size.y * 0.5 - 7.0), _time, colour)


## As the panel names it.
func _draw_number(size: Vector2) -> void:
	var at := size * 0.5 + Vector2(1.0, 3.0)
	var font := ThemeDB.fallback_font
	var text := str(_unit.number)
	draw_string_outline(font, at, text, HORIZONTAL_ALIGNMENT_LEFT, -1.0, 12, 5, DemoPalette.INK)
	draw_string(font, at, text, HORIZONTAL_ALIGNMENT_LEFT, -1.0, 12, DemoPalette.ACCENT)


func _draw_dust(size: Vector2) -> void:
	if _motion < 0.05:
		return
	var back := Vector2.from_angle(_heading) * -size.x * 0.5
	for puff: int in 4:
		var age := fposmod(_time * 1.6 + puff * 0.25, 1.0)
		var side := Vector2.from_angle(_heading + PI * 0.5) * size.y * 0.26
		var at := back * (0.9 + age * 0.45) + side * (1.0 if puff % 2 == 0 else -1.0)
		var tint := Color(DemoPalette.BUILT_LIGHT, 0.20 * (1.0 - age) * _motion)
		DemoPalette.draw_disc(self, at, _cell * (0.10 + 0.16 * age), tint)


func _draw_wake(size: Vector2) -> void:
	if _motion < 0.05:
		return
	var back := -Vector2.from_angle(_heading)
	for streak: int in 5:
		var age := fposmod(_time * 0.9 + streak * 0.2, 1.0)
		var side := Vector2(-back.y, back.x) * (streak - 2) * _cell * 0.28
		var reach := absf(back.x) * size.x * 0.5 + absf(back.y) * size.y * 0.5
		var at := back * (reach + age * _cell * 0.9) + side
		DemoPalette.draw_disc(
			self, at, 1.2 + age * 2.0, Color(1.0, 1.0, 1.0, 0.30 * (1.0 - age) * _motion)
		)
