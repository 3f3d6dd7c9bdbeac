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


func _ready() -> void:
	var drawn := material as ShaderMaterial
	for name_of_one: StringName in COLOURS:
		var colour := COLOURS[name_of_one]
		drawn.set_shader_parameter(name_of_one, Vector3(colour.r, colour.g, colour.b))
	drawn.set_shader_parameter(&"wood", float(WorldMaker.WOOD))


## Shows a picture of the heights of all cells, or of fewer points.
func show_heights(heights: Image) -> void:
	var drawn := material as ShaderMaterial
	texture = ImageTexture.create_from_image(heights)
	scale = Vector2.ONE * WorldMaker.SIDE / heights.get_width()
	drawn.set_shader_parameter(&"heights", texture)
	drawn.set_shader_parameter(&"side", float(heights.get_width()))


## Shows the whole map.
func show_map(maker: WorldMaker) -> void:
	var drawn := material as ShaderMaterial
	drawn.set_shader_parameter(&"woods", ImageTexture.create_from_image(maker.woods))
	drawn.set_shader_parameter(&"marks", ImageTexture.create_from_image(maker.marks))
	show_heights(maker.heights)
