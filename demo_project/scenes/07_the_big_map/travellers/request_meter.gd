class_name RequestMeter
extends Node
## What requests take: how soon answers come, how many a second, and what of each frame the main
## thread spends on them. The grid processes between this node and its [member _after], so the time
## between the two is the grid's, with everything that travellers do with their answers. What
## travellers ask before comes on top of it, so requests are a part of a frame's work.

## Frames that the worst ones and the 99th part are taken over.
const FRAMES := 600
## The clock starts right before the grid.
const BEFORE := 49

## Of the last time that all asked at once: when the last answer came, in ms; -1 for not yet.
var last_msec := -1.0
## How many of these have an answer.
var answered := 0
## How many answers came since.
var answers := 0
var refused := 0
## Why the last one was refused.
var last_refusal := ""
var last_second := 0
## The mean cost of answered paths, in cells.
var mean_cells := 0.0

var _clock: DemoClock
var _after := Node.new()
var _begun_usec := 0
var _spent_usec := 0
var _share_msec := 0.0
## Of the last frames, what requests took, and everything.
var _shares: PackedFloat32Array = []
var _frames: PackedFloat32Array = []
var _burst_usec := 0
## Travellers of the last burst that have no answer.
var _asking: Dictionary[Traveller, bool] = {}
var _count := 0
var _since_usec := 0


func _ready() -> void:
	process_priority = BEFORE
	_after.process_priority = BEFORE + 2
	_after.set_script(preload("request_meter_end.gd"))
	_after.set(&"meter", self)
	add_child(_after)


func set_up(grid: PathForgeGrid, clock: DemoClock) -> void:
	grid.process_priority = BEFORE + 1
	_clock = clock
	clock.frame_ended.connect(_on_frame_ended)


func _process(_delta: float) -> void:
	_begun_usec = Time.get_ticks_usec()


## The frame's work on requests is done.
func end_requests() -> void:
	_share_msec += (_spent_usec + Time.get_ticks_usec() - _begun_usec) / 1000.0
	_spent_usec = 0


## All of [param travellers] ask at once, from [param begun_usec] on.
func begin_burst(travellers: Array[Traveller], begun_usec: int) -> void:
	_burst_usec = begun_usec
	for traveller: Traveller in travellers:
		_asking[traveller] = true
	_shares.clear()
	_frames.clear()
	last_msec = -1.0
	answered = 0
	answers = 0
	refused = 0
	mean_cells = 0.0


## Time that asking took, since [param begun_usec].
func note_asked(begun_usec: int) -> void:
	_spent_usec += Time.get_ticks_usec() - begun_usec


func note_answer(traveller: Traveller, path: PathForgePath) -> void:
	_count += 1
	answers += 1
	if _asking.erase(traveller):
		answered += 1
		if _asking.is_empty():
			last_msec = (Time.get_ticks_usec() - _burst_usec) / 1000.0
	if not path.is_complete():
		refused += 1
		last_refusal = path.describe()
		return
	mean_cells = lerpf(mean_cells, path.get_cell_count(), 1.0 / (answers - refused))


## What requests took of the frame in which they took most, in ms.
func worst_share_msec() -> float:
	return _part(_shares, 1.0)


## In 99 of 100 frames they took no more, in ms.
func p99_share_msec() -> float:
	return _part(_shares, 0.99)


## What all work of the longest frame took, in ms.
func worst_frame_msec() -> float:
	return _part(_frames, 1.0)


## All of the frame's work is done, with that on requests.
func _on_frame_ended() -> void:
	_shares.append(_share_msec)
	_share_msec = 0.0
	_frames.append(_clock.last_msec)
	if _frames.size() > FRAMES:
		_shares.remove_at(0)
		_frames.remove_at(0)
	var elapsed := Time.get_ticks_usec() - _since_usec
	if elapsed > 1_000_000:
		last_second = roundi(_count * 1e6 / elapsed)
		_since_usec = Time.get_ticks_usec()
		_count = 0


static func _part(frames: PackedFloat32Array, part: float) -> float:
	if frames.is_empty():
		return 0.0
	var sorted := frames.duplicate()
	sorted.sort()
	return sorted[ceili(sorted.size() * part) - 1]
