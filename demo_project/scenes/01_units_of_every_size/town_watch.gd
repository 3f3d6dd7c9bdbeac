class_name TownWatch
extends RefCounted
## Looks at every unit in every frame while the scene is played: no body may lie over another one,
## or over a cell that is shut to it. A foundation and a gate that waits are not shut yet, but
## a unit on one has to leave.

## A unit on a building site is off it within so many seconds of the scene.
const LEAVE_TIME := 6.0

var _runner: DemoPlayer
var _grid: PathForgeGrid
var _traffic: TownTraffic
var _walls: TownWalls
## What was found wrong, each once.
var _faults: Dictionary[String, bool] = {}
## How long a unit has been over a cell that is to be shut, by unit.
var _covered: Dictionary[TownUnit, float] = {}
var _last := Engine.get_physics_frames()


func _init(runner: DemoPlayer) -> void:
	_runner = runner
	_grid = runner.scene().get_node(^"Grid")
	_traffic = runner.scene().get_node(^"Traffic")
	_walls = runner.scene().get_node(^"Walls")
	runner.viewport().get_tree().process_frame.connect(_watch)


## Looks no more.
func end() -> void:
	_runner.viewport().get_tree().process_frame.disconnect(_watch)


func _watch() -> void:
	var now := Engine.get_physics_frames()
	var delta := float(now - _last) / Engine.physics_ticks_per_second
	_last = now
	for unit: TownUnit in _traffic.units:
		var is_on_site := false
		for cell: Vector2i in _cells_under(unit):
			if _is_open_to(unit, cell):
				continue
			if _is_not_up_yet(cell):
				is_on_site = true
			else:
				_note("a %s lies over the shut cell %s" % [unit.kind.title, cell])
		for other: TownUnit in _traffic.units:
			if other != unit and other.body().grow(-0.5).intersects(unit.body().grow(-0.5)):
				_note("a %s drives through a %s" % [unit.title(), other.title()])
		_covered[unit] = _covered.get(unit, 0.0) + delta if is_on_site else 0.0
		if _covered[unit] > LEAVE_TIME:
			_note("a %s does not leave what is built over it" % unit.kind.title)


func _note(fault: String) -> void:
	if not _faults.has(fault):
		_faults[fault] = true
		_runner.check(false, fault)


func _cells_under(unit: TownUnit) -> Array[Vector2i]:
	var body := unit.body().grow(-0.1)
	var low := _grid.local_to_cell(body.position)
	var high := _grid.local_to_cell(body.end)
	var cells: Array[Vector2i] = []
	for y: int in range(low.y, high.y + 1):
		for x: int in range(low.x, high.x + 1):
			cells.append(Vector2i(x, y))
	return cells


func _is_open_to(unit: TownUnit, cell: Vector2i) -> bool:
	var terrain := 1 << _grid.get_point_terrain(cell)
	return not _grid.is_point_solid(cell) and unit.kind.profile.capability & terrain != 0


func _is_not_up_yet(cell: Vector2i) -> bool:
	if _walls.is_foundation(cell):
		return true
	for gate: TownGate in _traffic.gates:
		if gate.is_waiting() and gate.cells.has_point(cell):
			return true
	return false
