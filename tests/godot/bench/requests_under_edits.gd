extends SceneTree
## Measures what requests take while the map changes in every frame, at 60 frames a second, beside
## the same requests on a map that stays.
##
## Started by the bench crate: [code]-s bench/requests_under_edits.gd -- FOLDER ROUNDS[/code].
## Prints one line of JSON for each kind of change.

const SIDE := 128
const REQUESTS := 500
const SOLID_CELLS := 2500
const STAMPS := 800
const FRAMES_MAX := 1200
## By what changes; the first of each half is the map that stays.
const CHANGES: PackedStringArray = [
	"nothing",
	"10 wall cells a frame",
	"10 fills of 6×6 a frame",
	"1 weight a frame",
	"1 terrain a frame",
	"nothing, under influence",
	"influence decays",
	"1 stamp of influence a frame",
]
const INFLUENCED_FROM := 5

var _random := RandomNumberGenerator.new()
var _grid: PathForgeGrid
var _influence: InfluenceMap
var _profile: PathForgeProfile
var _answers := 0


func _init() -> void:
	Engine.max_fps = 60
	_measure_all.call_deferred(OS.get_cmdline_user_args()[1].to_int())


func _measure_all(rounds: int) -> void:
	var still := {}
	for change: int in CHANGES.size():
		var frames := PackedFloat64Array()
		var usec := PackedFloat64Array()
		for _round: int in rounds:
			_make(change)
			await process_frame
			var begun := Time.get_ticks_usec()
			frames.append(await _frames_until_answered(change))
			usec.append(Time.get_ticks_usec() - begun)
			_grid.free()
		var result := {
			"name": CHANGES[change],
			"agree": _answers == REQUESTS,
			"frames": _median(frames),
			"all_usec": _median(usec),
		}
		if change in [0, INFLUENCED_FROM]:
			still = result
		result["still_frames"] = still["frames"]
		result["still_usec"] = still["all_usec"]
		print("BENCH ", JSON.stringify(result))
	quit()


func _make(change: int) -> void:
	_random.seed = 3
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, SIDE, SIDE)
	for _n: int in SOLID_CELLS:
		_grid.set_point_solid(_cell())
	root.add_child(_grid)
	_profile = PathForgeProfile.new()
	if change >= INFLUENCED_FROM:
		_influence = InfluenceMap.new()
		_influence.decay_per_second = 0.5 if CHANGES[change] == "influence decays" else 0.0
		_grid.add_child(_influence)
		_grid.influences = [_influence]
		_profile.influence_weights = [1.0]
		for _n: int in STAMPS:
			_influence.add_stamp(_cell(), 50.0, 6.0)
	_grid.find_path(_cell(), _cell(), _profile, PathForgeGrid.GOAL_NEAREST)
	_grid.path_answered.connect(_on_path_answered)
	_answers = 0
	for _n: int in REQUESTS:
		_grid.request_path(_cell(), _cell(), _profile, PathForgeGrid.GOAL_NEAREST)


func _frames_until_answered(change: int) -> int:
	var frames := 0
	while _answers < REQUESTS and frames < FRAMES_MAX:
		_change(change)
		frames += 1
		await process_frame
	return frames


func _change(change: int) -> void:
	match CHANGES[change]:
		"10 wall cells a frame":
			for _n: int in 10:
				_grid.set_point_solid(_cell(), _random.randi() % 5 == 0)
		"10 fills of 6×6 a frame":
			for _n: int in 10:
				_grid.fill_solid_region(Rect2i(_cell(), Vector2i(6, 6)), _random.randi() % 4 == 0)
		"1 weight a frame":
			_grid.set_point_weight_scale(_cell(), 1.0 + _random.randf() * 3.0)
		"1 terrain a frame":
			_grid.set_point_terrain(_cell(), _random.randi_range(0, 3))
		"1 stamp of influence a frame":
			_influence.add_stamp(_cell(), 5.0, 4.0)


func _cell() -> Vector2i:
	return Vector2i(_random.randi_range(0, SIDE - 1), _random.randi_range(0, SIDE - 1))


func _on_path_answered(_ticket: int, _path: PathForgePath) -> void:
	_answers += 1


func _median(values: PackedFloat64Array) -> float:
	var sorted := values.duplicate()
	sorted.sort()
	return sorted[sorted.size() / 2]
