class_name IslandKind
extends Resource
## A kind of unit: its body and what it costs it to be where, for PathForge, and how it looks.

@export var title := ""
## What it is about, in a few words.
@export var about := ""
@export var profile: PathForgeProfile
## Cells a second where a cell costs one.
@export var speed := 5.0
@export var colour := Color.WHITE
@export var art: Texture2D


## Whether it may be on a terrain.
func enters(terrain: int) -> bool:
	return profile.terrain_mask & (1 << terrain) != 0


## What a cell of a terrain costs it.
func price(terrain: int) -> float:
	return profile.terrain_costs[terrain] if terrain < profile.terrain_costs.size() else 1.0


func size_text() -> String:
	return "%d×%d" % [profile.footprint.x, profile.footprint.y]
