extends RefCounted
## Looks at every unit in every frame while the scene is played: none may lie over another one,
## and no body over a cell that is shut to it. A foundation and a gate that waits are not shut yet,
## but a unit on one has to leave.

const DemoPlayer := preload("../demo_player.gd")

## A unit on a building site is off it within so many seconds of the scene.
const LEAVE_TIME := 6.0
## So much of the smaller half width two may lie over each other for longer than a moment, in
## seconds: one that walks out of a building site drives straight, and pushes what is in its way.
const OVERLAP_MAX := 0.25
const MOMENT := 1.0
## How far the corners of a box are rounded, in parts of its half width.
const CORNER := 0.125
## What a body sticks out beyond its outline, in cells.
const SLACK := 0.1

var _runner: DemoPlayer
var _grid: PathForgeGrid
var _units: TownUnits
var _walls: TownWalls
var _gates: Array[TownGate] = []
## What was found wrong, each once.
var _faults: Dictionary[String, bool] = {}
## How long a unit has been over a cell that is to be shut, by unit.
var _covered: Dictionary[TownUnit, float] = {}
## How long two have lain over each other.
var _overlapped: Dictionary[String, float] = {}
var _last := Engine.get_physics_frames()


func _init(runner: DemoPlayer) -> void:
	_runner = runner
	_grid = runner.scene().get_node(^"Grid")
	_units = runner.scene().get_node(^"Units")
	_walls = runner.scene().get_node(^"Walls")
	_gates = runner.scene().get(&"gates")
	runner.viewport().get_tree().process_frame.connect(_watch)


## Looks no more.
func end() -> void:
	_runner.viewport().get_tree().process_frame.disconnect(_watch)


func _watch() -> void:
	var now := Engine.get_physics_frames()
	var delta := float(now - _last) * Engine.time_scale / Engine.physics_ticks_per_second
	_last = now
	for unit: TownUnit in _units.all:
		var is_on_site := false
		for cell: Vector2i in _cells_under(unit):
			if _is_open_to(unit, cell):
				continue
			if _is_not_up_yet(cell):
				is_on_site = true
			else:
				_note("a %s lies over the shut cell %s" % [unit.kind.title, cell])
		_look_at_overlaps(unit, delta)
		_covered[unit] = _covered.get(unit, 0.0) + delta if is_on_site else 0.0
		if _covered[unit] > LEAVE_TIME:
			_note("a %s does not leave what is built over it" % unit.kind.title)


func _look_at_overlaps(unit: TownUnit, delta: float) -> void:
	for other: TownUnit in _units.all.slice(0, _units.all.find(unit)):
		var pair := "a %s drives through a %s" % [unit.title(), other.title()]
		var is_apart := overlap(unit, other) <= OVERLAP_MAX
		_overlapped[pair] = 0.0 if is_apart else _overlapped.get(pair, 0.0) + delta
		if _overlapped[pair] > MOMENT:
			_note(pair)


## How deep two lie over each other, in parts of the smaller half width.
static func overlap(unit: TownUnit, other: TownUnit) -> float:
	var narrow := minf(unit.half_width(), other.half_width())
	var rounding := (unit.half_width() + other.half_width()) * CORNER
	var own := unit.outline().grow(-unit.half_width() * CORNER)
	var its := other.outline().grow(-other.half_width() * CORNER)
	var between := (own.position - its.end).max(its.position - own.end)
	var apart := between.max(Vector2.ZERO).length() + minf(0.0, maxf(between.x, between.y))
	return (rounding - apart) / narrow


func _note(fault: String) -> void:
	if not _faults.has(fault):
		_faults[fault] = true
		_runner.check(false, fault)


func _cells_under(unit: TownUnit) -> Array[Vector2i]:
	var body := unit.body().grow(-SLACK * _grid.cell_size.x - 0.1)
	var low := _grid.local_to_cell(body.position)
	var high := _grid.local_to_cell(body.end)
	var cells: Array[Vector2i] = []
	for y: int in range(low.y, high.y + 1):
		for x: int in range(low.x, high.x + 1):
			cells.append(Vector2i(x, y))
	return cells


func _is_open_to(unit: TownUnit, cell: Vector2i) -> bool:
	var terrain := 1 << _grid.get_point_terrain(cell)
	return not _grid.is_point_solid(cell) and unit.kind.profile.terrain_mask & terrain != 0


func _is_not_up_yet(cell: Vector2i) -> bool:
	if _walls.is_foundation(cell):
		return true
	for gate: TownGate in _gates:
		if gate.is_waiting() and gate.cells.has_point(cell):
			return true
	return false
