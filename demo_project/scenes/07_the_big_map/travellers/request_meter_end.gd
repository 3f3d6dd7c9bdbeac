extends Node
## Stops a [RequestMeter]'s clock: processes right after the grid.

var meter: RequestMeter


func _process(_delta: float) -> void:
	meter.end_requests()
