class_name TravellerKind
extends Resource
## A kind of traveller: its body, what the ground costs it, and its looks.

@export var title := ""
## How many cells its body is wide.
@export var side := 1
@export var colour := Color.WHITE
@export var picture: Texture2D
@export var profile: PathForgeProfile
