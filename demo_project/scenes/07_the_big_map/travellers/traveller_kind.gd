class_name TravellerKind
extends RefCounted
## A kind of traveller: its body, what the ground costs it, and its looks.

var title := ""
var side := 1
var colour := Color.WHITE
var picture: Texture2D
var profile := PathForgeProfile.new()


static func all() -> Array[TravellerKind]:
	return [
		TravellerKind.new("Riders", 1, DemoPalette.SCOUT, preload("rider.svg")),
		TravellerKind.new("Wagons", 2, DemoPalette.TANK, preload("wagon.svg")),
		TravellerKind.new("Caravans", 3, DemoPalette.HAULER, preload("caravan.svg")),
	]


func _init(kind_title: String, kind_side: int, kind_colour: Color, kind_picture: Texture2D) -> void:
	title = kind_title
	side = kind_side
	colour = kind_colour
	picture = kind_picture
	profile.footprint = Vector2i.ONE * side
	profile.terrain_mask = 0xffff & ~(1 << WorldMaker.Terrain.WATER)
	profile.terrain_costs = [1.0, 1.0, 1.0, 1.8]
	profile.smoothing = PathForgeProfile.SMOOTH_STRING_PULL
	profile.search_mode = PathForgeProfile.SEARCH_HIERARCHICAL
