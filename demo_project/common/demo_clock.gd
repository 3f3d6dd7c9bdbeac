class_name DemoClock
extends Node
## How long the work of a frame takes: physics steps, scripts, nodes and drawing commands,
## without the wait for the next frame. A frame's step says only how far apart frames are.
## [DemoFrame] has one: what enters the tree after it works within what it measures.

## A frame with a physics step is over, and with it those before it that had none.
signal frame_ended

## How much of a frame's time goes into the mean.
const SHARE := 0.08

## A mean of the last frames, and the last one.
var msec := 0.0
var last_msec := 0.0

var _begun_usec := 0
var _spent_usec := 0
var _has_stepped := false


## The library's nodes work in these signals, too, in the order in which they enter the tree.
func _enter_tree() -> void:
	process_priority = 1 << 20
	process_physics_priority = 1 << 20
	get_tree().physics_frame.connect(_begin)
	get_tree().process_frame.connect(_begin)


func _exit_tree() -> void:
	get_tree().physics_frame.disconnect(_begin)
	get_tree().process_frame.disconnect(_begin)


func _begin() -> void:
	_begun_usec = Time.get_ticks_usec()


func _physics_process(_delta: float) -> void:
	_spent_usec += Time.get_ticks_usec() - _begun_usec
	_has_stepped = true


## Nodes are drawn after all of them were processed, in calls that were put off before this one.
func _process(_delta: float) -> void:
	_end_frame.call_deferred()


func _end_frame() -> void:
	_spent_usec += Time.get_ticks_usec() - _begun_usec
	if _has_stepped:
		last_msec = _spent_usec / 1000.0
		msec = lerpf(msec, last_msec, SHARE)
		_spent_usec = 0
		_has_stepped = false
		frame_ended.emit()
