class_name TownUnitKind
extends Resource
## A kind of unit: the body that PathForge plans for, and what it looks like.

@export var title := ""
## Footprint and terrain mask.
@export var profile: PathForgeProfile
## Cells a second.
@export_range(0.5, 20.0, 0.1, "suffix:cells/s") var speed := 4.0
@export var colour := Color.WHITE
@export var hull: Texture2D
## Drawn over the hull, looking where the unit goes next; may be missing.
@export var turret: Texture2D
## False for a body that moves any way without turning, as the barge does.
@export var turns := true


## Columns and rows that the body covers.
func footprint() -> Vector2i:
	return profile.footprint


## "3×3"
func size_text() -> String:
	return "%d×%d" % [profile.footprint.x, profile.footprint.y]
