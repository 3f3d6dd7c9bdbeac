class_name DangerTower
extends Node2D
## A tower of 2×2 cells that shoots at the nearest walker in its range. It makes its cells solid,
## and a stamp of danger is attached to it. Where it is dragged, both follow.

const SIDE := Vector2i(2, 2)
const RANGE_CELLS := 6.5
const STRENGTH := 8.0
const RELOAD_S := 0.45

var is_selected := false:
	set(value):
		is_selected = value
		queue_redraw()

var _sites: DangerSites
var _grid: PathForgeGrid
var _walkers: DangerWalkers
var _cell := Vector2i.MIN
var _aim := 0.0
var _wait := 0.0
var _beam := Vector2.INF
var _beam_s := 0.0


## The room that a tower needs.
static func make_body() -> PathForgeProfile:
	var body := PathForgeProfile.new()
	body.footprint = SIDE
	return body


## Puts the tower's top-left cell at [param cell], where a tower may stand.
func set_up(
	sites: DangerSites, walkers: DangerWalkers, danger: InfluenceMap, cell: Vector2i
) -> void:
	_sites = sites
	_grid = sites.grid
	_walkers = walkers
	move_to(cell)
	danger.attach_stamp(self, STRENGTH, RANGE_CELLS + 1.0, InfluenceMap.FALLOFF_SMOOTH)


## Moves it when it may stand there; returns why it may not.
func move_to(cell: Vector2i) -> String:
	if cell == _cell:
		return ""
	_grid.begin_edit()
	_fill(false)
	var why_not := _sites.why_not(cell)
	if why_not.is_empty():
		_cell = cell
		position = _grid.cell_to_local(cell, _sites.tower)
	_fill(true)
	_grid.end_edit()
	queue_redraw()
	return why_not


## Takes it off the map.
func remove() -> void:
	_fill(false)
	get_parent().remove_child(self)
	queue_free()


## Whether a position is on the tower.
func has_point(point: Vector2) -> bool:
	return Rect2(position, Vector2.ZERO).grow(_grid.cell_size.x * 1.1).has_point(point)


func _physics_process(delta: float) -> void:
	_wait -= delta
	_beam_s -= delta
	var reach := RANGE_CELLS * _grid.cell_size.x
	var prey := _walkers.nearest(position, reach)
	if prey >= 0:
		var towards := _walkers.place_of(prey) - position
		_aim = rotate_toward(_aim, towards.angle(), delta * 7.0)
		if _wait <= 0.0 and absf(angle_difference(_aim, towards.angle())) < 0.2:
			_wait = RELOAD_S
			_beam = towards
			_beam_s = 0.12
			_walkers.hit(prey)
	queue_redraw()


func _draw() -> void:
	var cell := _grid.cell_size.x
	var reach := RANGE_CELLS * cell
	var ring := DemoPalette.ACCENT if is_selected else DemoPalette.BAD
	draw_arc(
		Vector2.ZERO, reach, 0.0, TAU, 72, Color(ring, 0.5 if is_selected else 0.28), 1.5, true
	)
	var base := Rect2(-Vector2.ONE * cell, Vector2.ONE * cell * 2.0).grow(-1.0)
	draw_rect(Rect2(base.position + Vector2(4, 5), base.size), DemoPalette.SHADOW)
	draw_rect(base, DemoPalette.WALL_DARK)
	draw_rect(base.grow(-2.5), DemoPalette.STEEL)
	draw_rect(base.grow(-6.0), DemoPalette.WALL_FACE)
	for corner: Vector2 in [Vector2(-1, -1), Vector2(1, -1), Vector2(-1, 1), Vector2(1, 1)]:
		draw_circle(corner * (cell - 6.0), 2.0, DemoPalette.WALL_LIGHT, true, -1.0, true)
	if _beam_s > 0.0:
		draw_line(_muzzle(), _beam, Color(DemoPalette.WARN, 0.9), 2.0, true)
		draw_circle(_beam, 5.0, Color(DemoPalette.WARN, 0.8), true, -1.0, true)
	draw_line(Vector2.ZERO, _muzzle(), DemoPalette.INK, 8.0)
	draw_line(Vector2.ZERO, _muzzle(), DemoPalette.WALL_LIGHT, 4.0)
	draw_circle(Vector2.ZERO, 11.0, DemoPalette.INK, true, -1.0, true)
	draw_circle(Vector2.ZERO, 9.5, DemoPalette.BAD.darkened(0.15), true, -1.0, true)
	draw_circle(Vector2(-2, -3), 4.0, DemoPalette.BAD.lightened(0.25), true, -1.0, true)
	if is_selected:
		draw_rect(base.grow(2.0), DemoPalette.ACCENT, false, 2.0)


func _muzzle() -> Vector2:
	return Vector2.from_angle(_aim) * 20.0


func _fill(is_solid: bool) -> void:
	if _cell != Vector2i.MIN:
		_grid.fill_solid_region(Rect2i(_cell, SIDE), is_solid)
