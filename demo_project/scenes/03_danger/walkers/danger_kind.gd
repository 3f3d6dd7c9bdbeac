class_name DangerKind
extends FlowField
## A kind of walker: the field that it walks by, its colour, how much it minds danger, and how it
## fares.

@export var colour := Color.WHITE
## Where they set out from.
@export var camps: Array[Rect2i] = []
## What a cell's danger is multiplied by, before it is added to the cell's cost.
@export var caution := 0.0:
	set(value):
		caution = value
		profile.influence_weights = [value]

var through := 0
var hits := 0


## Of a hundred that set out, how many were hit.
func hits_percent() -> float:
	return 100.0 * hits / maxf(hits + through, 1.0)
