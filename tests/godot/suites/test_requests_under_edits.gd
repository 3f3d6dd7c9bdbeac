extends TestSuite
## Requests while the map changes in every frame. They are answered about as soon as on a map that
## stays, and each path can be walked and costs what it says when it comes.

const SIDE: int = 96
const REQUESTS: int = 400
const SOLID_CELLS: int = 1400
const FRAMES_MAX: int = 800

var _rng: RandomNumberGenerator = RandomNumberGenerator.new()
var _grid: PathForgeGrid
var _influence: InfluenceMap
var _profile: PathForgeProfile
var _answers: int = 0
var _bad: Array[String] = []


func before_each() -> void:
	_rng.seed = 3
	_bad.clear()


func _cell() -> Vector2i:
	return Vector2i(_rng.randi_range(0, SIDE - 1), _rng.randi_range(0, SIDE - 1))


func _make(decays: bool) -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, SIDE, SIDE)
	for _n: int in SOLID_CELLS:
		_grid.set_point_solid(_cell())
	# What is measured is how often is searched, and not how long handlers take.
	_grid.request_budget_usec = 20_000
	_grid.path_answered.connect(_on_path_answered)
	_influence = InfluenceMap.new()
	_influence.decay_per_second = 0.9 if decays else 0.0
	_grid.add_child(_influence)
	_grid.influences = [_influence]
	_profile = PathForgeProfile.new()
	_profile.influence_weights = [1.0]
	for _n: int in 200:
		_influence.add_stamp(_cell(), 50.0, 6.0)
	add(_grid)


## The frames until all requests are answered, with an edit in each.
func _frames(edit: Callable, decays: bool = false) -> int:
	_make(decays)
	_grid.find_path(_cell(), _cell(), _profile, PathForgeGrid.GOAL_NEAREST)
	_answers = 0
	for _n: int in REQUESTS:
		_grid.request_path(_cell(), _cell(), _profile, PathForgeGrid.GOAL_NEAREST)
	var count: int = 0
	while _answers < REQUESTS and count < FRAMES_MAX:
		edit.call()
		# Workers get their time on a busy machine, too.
		OS.delay_msec(2)
		await frames(1)
		count += 1
	_grid.free()
	return count


func _on_path_answered(ticket: int, path: PathForgePath) -> void:
	_answers += 1
	var cells: Array[Vector2i] = path.cells
	var cost: float = 0.0
	for n: int in cells.size():
		if _grid.is_point_solid(cells[n]):
			_bad.append("ticket %d leads through a wall at %s" % [ticket, cells[n]])
		if n > 0:
			var weight: float = (
				_grid.get_point_weight_scale(cells[n]) + _influence.get_influence(cells[n])
			)
			var step: Vector2i = (cells[n] - cells[n - 1]).abs()
			cost += weight * (99.0 / 70.0 if step == Vector2i.ONE else 1.0)
	# Steps are rounded to 1/70 of a cell.
	if (
		path.status != PathForgePath.STATUS_UNREACHABLE
		and absf(path.cost - cost) > cells.size() * 0.01
	):
		_bad.append("ticket %d says %f and costs %f" % [ticket, path.cost, cost])


func _holds_up_no_answer(what: String, edit: Callable, decays: bool = false) -> void:
	var still: int = await _frames(func() -> void: pass)
	_rng.seed = 3
	var count: int = await _frames(edit, decays)
	check(count <= 4 * still + 60, "%s: %d frames, %d without" % [what, count, still])
	check(_bad.is_empty(), "%s: %s" % [what, _bad.slice(0, 5)])


func test_walls() -> void:
	var edit: Callable = func() -> void:
		for _n: int in 10:
			_grid.set_point_solid(_cell(), _rng.randi() % 5 == 0)
	await _holds_up_no_answer("walls", edit)


func test_fills() -> void:
	var edit: Callable = func() -> void:
		for _n: int in 10:
			_grid.fill_solid_region(Rect2i(_cell(), Vector2i(6, 6)), _rng.randi() % 4 == 0)
	await _holds_up_no_answer("fills", edit)


func test_weights() -> void:
	var edit: Callable = func() -> void:
		_grid.set_point_weight_scale(_cell(), 1.0 + _rng.randf() * 3.0)
	await _holds_up_no_answer("weights", edit)


func test_terrain() -> void:
	var edit: Callable = func() -> void: _grid.set_point_terrain(_cell(), _rng.randi_range(0, 3))
	await _holds_up_no_answer("terrain", edit)


func test_influence_that_decays() -> void:
	await _holds_up_no_answer("decay", func() -> void: pass, true)


func test_a_stamp_of_influence_in_every_frame() -> void:
	var edit: Callable = func() -> void: _influence.add_stamp(_cell(), 5.0, 4.0)
	await _holds_up_no_answer("stamps", edit)
