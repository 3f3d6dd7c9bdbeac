class_name DangerKind
extends RefCounted
## A kind of walker: its colour, how much it minds danger, the field that it walks by, and how it
## fares.

var title := ""
var colour := Color.WHITE
var profile := PathForgeProfile.new()
var field := FlowField.new()
## Where they set out from.
var camps: Array[Rect2i] = []
var through := 0
var hits := 0

## What a cell's danger is multiplied by, before it is added to the cell's cost.
var caution := 0.0:
	set(value):
		caution = value
		profile.influence_weights = [value]


func _init(
	kind_title: String, kind_colour: Color, kind_caution: float, kind_camps: Array[Rect2i]
) -> void:
	title = kind_title
	colour = kind_colour
	caution = kind_caution
	camps = kind_camps
	field.profile = profile


## Of a hundred that set out, how many were hit.
func hits_percent() -> float:
	return 100.0 * hits / maxf(hits + through, 1.0)
