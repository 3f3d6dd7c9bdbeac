extends Node
## Everything at once, for a while: edits, requests, cancels, nodes that are freed and added, scenes
## that are saved, loaded and switched, properties and arguments that make no sense, from the main
## thread and from others, while workers search.
##
## [code]cargo xtask torture [--seconds N] [--seed N] [--rounds N][/code] starts it. It goes on in
## rounds, each of a seed of its own that is printed: [code]--seed N --rounds 1[/code] does the same
## again. After each round everything is freed, and what is left must be what there was before.

const YARDS := 2
const FRAMES := 100
const DEEDS_PER_FRAME := 4
## Rounds before memory is looked at: caches fill.
const WARM_UP := 2
## Objects that the engine makes once, when something is first used.
const OBJECTS_ONCE := 16
## How long threads and servers may take after a round to let go of what they hold.
const FAREWELL_MSEC := 5000
## A thread or a request that has not come to its end by then hangs.
const HANG_MSEC := 300_000
## A round has grown when Godot's memory, or the process, exceeds all before by so many bytes.
const GROWTH := 2 << 20
## Rounds that may: servers and allocators keep what they needed once. A leak grows in all.
const GROWN_ROUNDS_MAX := 3
const GROWN_PART_MAX := 0.25

var _options: Dictionary[String, int] = {"seconds": 20, "seed": 1, "rounds": 0, "verbose": 0}
var _yards: Array[Node2D] = []
var _deeds: TortureDeeds
var _threads: TortureThreads
var _faults: Array[String] = []
var _at_start: Dictionary[String, int] = {}
var _baseline: Dictionary[String, int] = {}
## By kind of memory, the rounds in which it has grown.
var _grown: Dictionary[String, int] = {}


func _ready() -> void:
	for argument: String in OS.get_cmdline_user_args():
		var parts := argument.trim_prefix("--").split("=")
		if _options.has(parts[0]):
			_options[parts[0]] = parts[1].to_int() if parts.size() > 1 else 1
	get_tree().current_scene = null
	_run.call_deferred()


func _run() -> void:
	print("TEST_BEGIN torture.everything_at_once")
	for part: String in HostileValues.EXPECTED_ERRORS:
		print("ALLOW_ERRORS %s" % part)
	_at_start = _counts()
	print("torture: %s" % str(_at_start))
	var begun := Time.get_ticks_msec()
	var rounds := 0
	while _faults.is_empty() and _goes_on(rounds, begun):
		var from_seed: int = _options["seed"] + rounds
		print("torture: round %d, seed %d" % [rounds + 1, from_seed])
		await _round(from_seed)
		rounds += 1
		await _look_at_memory(rounds)
	var msec := Time.get_ticks_msec() - begun
	print("torture: %d rounds, %d answers" % [rounds, LedgerGrid.answers])
	if LedgerGrid.answers < 100 * rounds:
		_faults.append("only %d answers" % LedgerGrid.answers)
	if _faults.is_empty():
		print("PASS torture.everything_at_once (%d ms)" % msec)
	else:
		print("FAIL torture.everything_at_once: %s" % " | ".join(_faults.slice(0, 20)))
	var failed := int(not _faults.is_empty())
	print("SUITE_RESULT passed=%d failed=%d" % [1 - failed, failed])
	get_tree().quit(failed)


func _goes_on(rounds: int, begun: int) -> bool:
	if _options["rounds"] > 0:
		return rounds < _options["rounds"]
	return Time.get_ticks_msec() - begun < _options["seconds"] * 1000


func _round(from_seed: int) -> void:
	LedgerGrid.next_seed = from_seed * 1000
	seed(from_seed)
	_deeds = TortureDeeds.new(from_seed)
	_threads = TortureThreads.new(_deeds.rng)
	for _n: int in YARDS:
		_add_yard(TortureYard.build(_deeds.rng))
	for _frame: int in FRAMES:
		for _n: int in DEEDS_PER_FRAME:
			_do_something()
		_threads.join_done()
		await get_tree().process_frame
	await _end_round()


func _do_something() -> void:
	var place := _deeds.rng.randi_range(0, _yards.size() - 1)
	var yard := _yards[place]
	var busy := _threads.look_at(yard)
	match _deeds.rng.randi_range(0, 60):
		0:
			_threads.start(yard)
		1 when not busy:
			remove_child(yard)
			add_child(yard)
		2 when not busy:
			_replace(place, _packed(yard).instantiate() as Node2D)
		3 when not busy and not _threads.is_loading():
			ResourceSaver.save(_packed(yard), TortureThreads.SCENE)
		4 when not busy and not _threads.is_loading() and _is_saved():
			# Not by request: see docs/decisions/engine.md.
			var mode := ResourceLoader.CACHE_MODE_IGNORE
			var packed := ResourceLoader.load(TortureThreads.SCENE, "", mode) as PackedScene
			_replace(place, packed.instantiate() as Node2D)
		5 when not busy:
			_replace(place, TortureYard.build(_deeds.rng))
		6:
			get_tree().change_scene_to_packed(_packed(yard))
		_:
			_deeds.do_something(yard, busy)
	if _options["verbose"] > 0:
		print("deed: ", _deeds.last)


func _add_yard(yard: Node2D) -> void:
	_yards.append(yard)
	add_child(yard)


func _replace(place: int, fresh: Node2D) -> void:
	if _deeds.rng.randf() < 0.5:
		_yards[place].free()
	else:
		_yards[place].queue_free()
	_yards[place] = fresh
	add_child(fresh)


func _is_saved() -> bool:
	return ResourceLoader.exists(TortureThreads.SCENE)


func _packed(yard: Node2D) -> PackedScene:
	var packed := PackedScene.new()
	packed.pack(yard)
	return packed


## Waits until every ticket is answered, and frees everything.
func _end_round() -> void:
	var end_msec := Time.get_ticks_msec() + HANG_MSEC
	while not _threads.is_idle() and Time.get_ticks_msec() < end_msec:
		await get_tree().process_frame
		_threads.join_done()
	if not _threads.is_idle():
		_faults.append("a thread does not come to its end")
	while not _all_answered() and Time.get_ticks_msec() < end_msec:
		await get_tree().process_frame
	for grid: LedgerGrid in _grids():
		grid.close()
	_faults.append_array(LedgerGrid.faults)
	LedgerGrid.faults.clear()
	for yard: Node2D in _yards:
		yard.free()
	_yards.clear()
	if get_tree().current_scene != null:
		get_tree().current_scene.free()
	_deeds = null
	_threads = null
	DirAccess.remove_absolute(TortureThreads.SCENE)
	await _renew_navigation()


## Navigation maps keep what they were made of last, until they are made of something else.
func _renew_navigation() -> void:
	for _time: int in 3:
		var region := NavigationServer2D.region_create()
		NavigationServer2D.region_set_map(region, get_viewport().world_2d.navigation_map)
		await get_tree().physics_frame
		await get_tree().physics_frame
		NavigationServer2D.free_rid(region)
		await get_tree().physics_frame
		await get_tree().physics_frame


func _grids() -> Array[LedgerGrid]:
	var grids: Array[LedgerGrid] = []
	for yard: Node2D in _yards:
		grids.append_array(yard.find_children("*", "LedgerGrid", true, false))
	return grids


## Grids that process: a grid outside the tree keeps its requests.
func _all_answered() -> bool:
	return _grids().all(func(grid: LedgerGrid) -> bool: return grid.open.is_empty())


func _look_at_memory(rounds: int) -> void:
	var end_msec := Time.get_ticks_msec() + FAREWELL_MSEC
	var now := _counts()
	while not _is_flat(now) and Time.get_ticks_msec() < end_msec:
		await get_tree().create_timer(0.05).timeout
		now = _counts()
	print("torture: %s" % str(now))
	if rounds <= WARM_UP:
		_baseline = now
	for what: String in ["objects", "nodes", "orphans", "resources"]:
		var once := OBJECTS_ONCE if what == "objects" else 0
		if now[what] > _baseline[what] + once:
			_faults.append("%d %s, there were %d" % [now[what], what, _baseline[what]])
	for what: String in ["static", "resident"]:
		if now[what] > _baseline[what] + GROWTH:
			_grown[what] = _grown.get(what, 0) + 1
			if _grown[what] > maxf(GROWN_ROUNDS_MAX, rounds * GROWN_PART_MAX):
				_faults.append("%s memory grows and grows, to %d bytes" % [what, now[what]])
		_baseline[what] = maxi(_baseline[what], now[what])


## Whether next to nothing is left that was not there before the first round.
func _is_flat(now: Dictionary[String, int]) -> bool:
	var more := now["objects"] - _at_start["objects"]
	return more <= OBJECTS_ONCE and now["nodes"] <= _at_start["nodes"]


func _counts() -> Dictionary[String, int]:
	return {
		"objects": int(Performance.get_monitor(Performance.OBJECT_COUNT)),
		"nodes": int(Performance.get_monitor(Performance.OBJECT_NODE_COUNT)),
		"orphans": int(Performance.get_monitor(Performance.OBJECT_ORPHAN_NODE_COUNT)),
		"resources": int(Performance.get_monitor(Performance.OBJECT_RESOURCE_COUNT)),
		"static": int(Performance.get_monitor(Performance.MEMORY_STATIC)),
		"resident": _resident(),
	}


## Bytes of the process in memory, where the system says so.
func _resident() -> int:
	var file := FileAccess.open("/proc/self/statm", FileAccess.READ)
	if file == null:
		return 0
	return file.get_line().get_slice(" ", 1).to_int() * 4096
