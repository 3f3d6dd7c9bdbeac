class_name TownWater
extends Node2D
## The river, its banks and the ford. The swell is a shader; the banks are drawn here.

var _map: TownMap
var _cell := 20.0


## Draws the water of [param map] with cells of [param cell_px] pixels.
func show_map(map: TownMap, cell_px: float) -> void:
	_map = map
	_cell = cell_px
	var surface: Polygon2D = $Surface
	var whole := Vector2(map.size) * cell_px
	surface.visible = true
	var shader: ShaderMaterial = surface.material
	shader.set_shader_parameter(&"mask", _depth_texture())
	shader.set_shader_parameter(&"cells", Vector2(map.size))
	shader.set_shader_parameter(&"deep", DemoPalette.WATER_DEEP)
	shader.set_shader_parameter(&"shallow", DemoPalette.WATER.lightened(0.06))
	shader.set_shader_parameter(&"glint", DemoPalette.WATER_LIGHT)
	_cover_water(surface, whole)
	var ford: TownWaterEdge = $Edge
	ford.show_map(map, cell_px)


## One quad a run of water cells, so that nothing is shaded where no water is.
func _cover_water(surface: Polygon2D, whole: Vector2) -> void:
	var points := PackedVector2Array()
	var uvs := PackedVector2Array()
	var quads: Array[PackedInt32Array] = []
	for y: int in _map.size.y:
		var x := 0
		while x < _map.size.x:
			var start := x
			while x < _map.size.x and _map.is_water(Vector2i(x, y)):
				x += 1
			if x > start:
				var first := points.size()
				for corner: Vector2i in [
					Vector2i(start, y), Vector2i(x, y), Vector2i(x, y + 1), Vector2i(start, y + 1)
				]:
					points.append(Vector2(corner) * _cell)
					uvs.append(Vector2(corner) * _cell / whole)
				quads.append(PackedInt32Array([first, first + 1, first + 2, first + 3]))
			x += 1
	surface.polygon = points
	surface.uv = uvs
	surface.polygons = quads
	surface.texture = _white()


## Red: 0 on land, 1 in water with water all round; the filter makes the slope between.
func _depth_texture() -> ImageTexture:
	var image := Image.create_empty(_map.size.x, _map.size.y, false, Image.FORMAT_R8)
	for y: int in _map.size.y:
		for x: int in _map.size.x:
			var wet := 0
			for step: Vector2i in [
				Vector2i.ZERO, Vector2i.UP, Vector2i.DOWN, Vector2i.LEFT, Vector2i.RIGHT
			]:
				var near := (Vector2i(x, y) + step).clamp(Vector2i.ZERO, _map.size - Vector2i.ONE)
				wet += int(_map.is_water(near))
			image.set_pixel(x, y, Color(wet / 5.0, 0.0, 0.0))
	return ImageTexture.create_from_image(image)


## The shader needs UVs, and a polygon passes them on only with a texture.
func _white() -> ImageTexture:
	var image := Image.create_empty(1, 1, false, Image.FORMAT_RGB8)
	image.fill(Color.WHITE)
	return ImageTexture.create_from_image(image)
