class_name PlaygroundBody
extends RefCounted
## A body that a visitor may choose: what PathForge needs to know about it, and its color.

const MUD_COST := 4.0

var title := ""
var color := Color.WHITE
var profile := PathForgeProfile.new()


func _init(of_title: String, footprint: Vector2i, of_color: Color, swims := false) -> void:
	title = of_title
	color = of_color
	profile.footprint = footprint
	profile.slowed_by_weight = true
	profile.terrain_mask = 0
	for kind: int in [PlaygroundMap.Cell.OPEN, PlaygroundMap.Cell.MUD]:
		profile.terrain_mask |= 1 << PlaygroundMap.TERRAINS[kind]
	if swims:
		profile.terrain_mask |= 1 << PlaygroundMap.TERRAINS[PlaygroundMap.Cell.WATER]
	var costs := PackedFloat32Array([1.0, 1.0, 1.0])
	costs[PlaygroundMap.TERRAINS[PlaygroundMap.Cell.MUD]] = MUD_COST
	profile.terrain_costs = costs


## Returns all bodies in the order of their buttons. A code of a map has the place of its body here.
static func all() -> Array[PlaygroundBody]:
	return [
		PlaygroundBody.new("Scout", Vector2i(1, 1), DemoPalette.SCOUT),
		PlaygroundBody.new("Tank", Vector2i(2, 2), DemoPalette.TANK),
		PlaygroundBody.new("Hauler", Vector2i(3, 3), DemoPalette.HAULER),
		PlaygroundBody.new("Beam", Vector2i(3, 1), DemoPalette.BARGE),
		PlaygroundBody.new("Amphibian", Vector2i(2, 2), DemoPalette.WATER_LIGHT, true),
	]


## Returns the place of the top-left cell for a body with its middle at [param cell]. At the edge of
## the map, the body is moved inside.
func anchor(cell: Vector2i) -> Vector2i:
	var corner := cell - (profile.footprint - Vector2i.ONE) / 2
	return corner.clamp(Vector2i.ZERO, PlaygroundMap.SIZE - profile.footprint)


func size_text() -> String:
	return "%d×%d" % [profile.footprint.x, profile.footprint.y]
