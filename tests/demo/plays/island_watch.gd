extends RefCounted
## Looks at every unit in every frame while the scene is played: each is only where it may be, and
## goes through none that rests.

const DemoPlayer := preload("../demo_player.gd")

## So much of the smaller radius two discs may lie over each other on the move.
const OVERLAP_MAX := 0.25

var _runner: DemoPlayer
var _grid: PathForgeGrid
var _units: Array[IslandUnit] = []
## What was found wrong, each once.
var _faults: Dictionary[String, bool] = {}


func _init(runner: DemoPlayer, grid: PathForgeGrid, units: Array[IslandUnit]) -> void:
	_runner = runner
	_grid = grid
	_units = units
	runner.viewport().get_tree().process_frame.connect(_watch)


## Looks no more.
func end() -> void:
	_runner.viewport().get_tree().process_frame.disconnect(_watch)


## An error, once, unless [param is_right].
func note(is_right: bool, what: String) -> void:
	if not is_right and not _faults.has(what):
		_faults[what] = true
		_runner.check(false, what)


func _watch() -> void:
	for unit: IslandUnit in _units:
		var body := unit.body().grow(-2.0)
		var low := _grid.local_to_cell(body.position)
		var high := _grid.local_to_cell(body.end)
		for y: int in range(low.y, high.y + 1):
			for x: int in range(low.x, high.x + 1):
				var cell := Vector2i(x, y)
				var is_open := unit.kind.enters(_grid.get_point_terrain(cell))
				var is_right := is_open and not _grid.is_point_solid(cell)
				note(is_right, "a %s is on %s" % [unit.kind.title, cell])
		for other: IslandUnit in _units.slice(0, _units.find(unit)):
			var least := minf(unit.radius(), other.radius())
			var apart := unit.position.distance_to(other.position)
			var is_clear := apart > unit.radius() + other.radius() - least * OVERLAP_MAX
			note(is_clear, "a %s goes through a %s" % [other.kind.title, unit.kind.title])
