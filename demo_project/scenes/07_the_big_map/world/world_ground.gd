class_name WorldGround
extends Sprite2D
## Draws the map: one quad, whose shader reads the three pictures that the cells were made from.

## What lies around the map.
const DEEP := Color("133b4b")
const COLOURS: Dictionary[StringName, Color] = {
	&"deep_colour": DEEP,
	&"water_colour": DemoPalette.WATER,
	&"shallow_colour": DemoPalette.SHALLOW,
	&"sand_colour": Color("8f8a6c"),
	&"low_colour": Color("4d6f57"),
	&"high_colour": Color("66805c"),
	&"wood_colour": Color("2f4f3f"),
	&"hill_colour": Color("837d61"),
	&"rock_colour": Color("7c858c"),
	&"snow_colour": Color("dfe8ee"),
	&"road_colour": DemoPalette.BUILT_LIGHT,
	&"bridge_colour": DemoPalette.WOOD_LIGHT,
	&"roof_colour": Color("a8604a"),
}


## What draws the map, for other views of it too.
func set_up(maker: WorldMaker) -> void:
	var drawn := material as ShaderMaterial
	texture = ImageTexture.create_from_image(maker.heights)
	drawn.set_shader_parameter(&"heights", texture)
	drawn.set_shader_parameter(&"woods", ImageTexture.create_from_image(maker.woods))
	drawn.set_shader_parameter(&"marks", ImageTexture.create_from_image(maker.marks))
	drawn.set_shader_parameter(&"side", float(WorldMaker.SIDE))
	drawn.set_shader_parameter(&"wood", float(WorldMaker.WOOD))
	for name_of_one: StringName in COLOURS:
		var colour := COLOURS[name_of_one]
		drawn.set_shader_parameter(name_of_one, Vector3(colour.r, colour.g, colour.b))
