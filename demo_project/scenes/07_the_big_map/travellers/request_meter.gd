class_name RequestMeter
extends Node
## What requests take: how soon answers come, how many a second, and what of each frame the main
## thread spends on them. The grid processes between this node and its [member _after], so the time
## between the two is the grid's, with everything that travellers do with their answers.

## Frames that worst and 99th part are taken over.
const FRAMES := 600
## The clock starts right before the grid.
const BEFORE := 49

## Of the last time that all asked at once: when all had first steps to go, and when the last answer
## came, in ms; -1 for not yet.
var set_out_msec := -1.0
var last_msec := -1.0
var answered := 0
var refused := 0
## Why the last one was refused.
var last_refusal := ""
var last_second := 0
## The mean cost of answered paths, in cells.
var mean_cells := 0.0

var _after := Node.new()
var _begun_usec := 0
var _spent_usec := 0
var _frames: PackedInt32Array = []
var _burst_usec := 0
var _expected := 0
var _set_out := 0
var _count := 0
var _since_usec := 0


func _ready() -> void:
	process_priority = BEFORE
	_after.process_priority = BEFORE + 2
	_after.set_script(preload("request_meter_end.gd"))
	_after.set(&"meter", self)
	add_child(_after)


func set_up(grid: PathForgeGrid) -> void:
	grid.process_priority = BEFORE + 1


func _process(_delta: float) -> void:
	_begun_usec = Time.get_ticks_usec()


## The frame's work on requests is done.
func end_frame() -> void:
	_frames.append(_spent_usec + Time.get_ticks_usec() - _begun_usec)
	_spent_usec = 0
	if _frames.size() > FRAMES:
		_frames.remove_at(0)
	var elapsed := Time.get_ticks_usec() - _since_usec
	if elapsed > 1_000_000:
		last_second = roundi(_count * 1e6 / elapsed)
		_since_usec = Time.get_ticks_usec()
		_count = 0


## A burst of [param count] requests begins, asked from [param begun_usec] on.
func begin_burst(count: int, begun_usec: int) -> void:
	_burst_usec = begun_usec
	_expected = count
	_frames.clear()
	set_out_msec = -1.0
	_set_out = 0
	last_msec = -1.0
	answered = 0
	refused = 0
	mean_cells = 0.0


## Time that asking took, since [param begun_usec].
func note_asked(begun_usec: int) -> void:
	_spent_usec += Time.get_ticks_usec() - begun_usec


## A traveller sets out: on first steps, or on a whole path that came before them.
func note_set_out() -> void:
	_set_out += 1
	if _set_out == _expected:
		set_out_msec = (Time.get_ticks_usec() - _burst_usec) / 1000.0


func note_answer(path: PathForgePath) -> void:
	_count += 1
	answered += 1
	if answered == _expected:
		last_msec = (Time.get_ticks_usec() - _burst_usec) / 1000.0
	if not path.is_complete():
		refused += 1
		last_refusal = path.describe()
		return
	mean_cells = lerpf(mean_cells, path.get_cell_count(), 1.0 / (answered - refused))


## The worst frame's share of requests, in ms.
func worst_msec() -> float:
	return _part(1.0)


## 99 of 100 frames spend no more, in ms.
func p99_msec() -> float:
	return _part(0.99)


func _part(part: float) -> float:
	if _frames.is_empty():
		return 0.0
	var sorted := _frames.duplicate()
	sorted.sort()
	return sorted[ceili(sorted.size() * part) - 1] / 1000.0
