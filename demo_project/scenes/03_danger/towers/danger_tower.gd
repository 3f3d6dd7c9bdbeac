class_name DangerTower
extends Node2D
## A tower of 2×2 cells that shoots at the nearest walker in its range. It makes its cells solid,
## and a stamp of danger is attached to it. Where it is dragged, both follow.

const SIDE := Vector2i(2, 2)
const RANGE_CELLS := 6.5
const STRENGTH := 8.0
const RELOAD_S := 0.45
## From its middle to the end of its gun, in pixels.
const MUZZLE := 20.0

## The room that a tower needs.
@export var body: PathForgeProfile

var is_selected := false:
	set(value):
		is_selected = value
		queue_redraw()

var _sites: DangerSites
var _grid: PathForgeGrid
var _walkers: DangerWalkers
var _cell := Vector2i.MIN
var _wait := 0.0
var _beam_s := 0.0

@onready var _gun: Sprite2D = $Gun
@onready var _beam: Line2D = $Beam
@onready var _flash: Sprite2D = $Beam/Flash


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
		position = _grid.cell_to_local(cell, body)
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
		_gun.rotation = rotate_toward(_gun.rotation, towards.angle(), delta * 7.0)
		if _wait <= 0.0 and absf(angle_difference(_gun.rotation, towards.angle())) < 0.2:
			_wait = RELOAD_S
			_beam_s = 0.12
			_beam.points = [Vector2.from_angle(_gun.rotation) * MUZZLE, towards]
			_flash.position = towards
			_walkers.hit(prey)
	_beam.visible = _beam_s > 0.0


func _draw() -> void:
	var ring := DemoPalette.ACCENT if is_selected else DemoPalette.BAD
	var reach := RANGE_CELLS * _grid.cell_size.x
	ring.a = 0.5 if is_selected else 0.28
	draw_arc(Vector2.ZERO, reach, 0.0, TAU, 72, ring, 1.5, true)
	if is_selected:
		draw_rect(Rect2(-21, -21, 42, 42), DemoPalette.ACCENT, false, 2.0)


func _fill(is_solid: bool) -> void:
	if _cell != Vector2i.MIN:
		_grid.fill_solid_region(Rect2i(_cell, SIDE), is_solid)
