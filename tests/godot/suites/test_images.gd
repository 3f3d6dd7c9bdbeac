extends TestSuite
## [method PathForgeGrid.set_from_image]: a pixel a cell.

var _rules: PathForgeTileRules = null
var _grid: PathForgeGrid = null


func before_each() -> void:
	_rules = PathForgeTileRules.new()
	_rules.solid_colors = [Color.BLACK]
	_rules.one_way_colors.append(Color.YELLOW)
	_rules.terrain_colors = {Color.WHITE: 0, Color("#4a86c4"): 1, Color.RED: 2}
	_rules.weight_colors[Color.RED] = 3.0
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(-7, 4, 2, 2)
	add(_grid)


func test_each_colour_has_its_meaning() -> void:
	var changes: Array[Rect2i] = []
	_grid.cells_changed.connect(func(region: Rect2i) -> void: changes.append(region))
	for format: int in [Image.FORMAT_RGBA8, Image.FORMAT_RGB8, Image.FORMAT_RGBAF]:
		_grid.set_from_image(_picture(format), _rules)
		check_eq(_grid.region, Rect2i(-7, 4, 3, 2), "the position stays")
		check_eq(_grid.get_solid_data(), PackedByteArray([1, 0, 0, 0, 0, 0]))
		check_eq(_grid.get_terrain_data(), PackedByteArray([0, 0, 1, 2, 0, 0]))
		check_eq(_grid.get_weight_data(), PackedFloat32Array([1, 1, 1, 3, 1, 1]))
		check_eq(_grid.get_one_way_data(), PackedByteArray([0, 0, 0, 0, 0, 1]))
	check_eq(changes, [Rect2i(-7, 4, 3, 2)] as Array[Rect2i], "the others changed nothing")


func test_what_cannot_be_read_changes_nothing() -> void:
	var before := _grid.state_hash()
	expect_errors(2, "PathForgeGrid.set_from_image: there is no image")
	_grid.set_from_image(null, _rules)
	_grid.set_from_image(Image.new(), _rules)
	expect_errors(1, "PathForgeGrid.set_from_image: rules is null")
	_grid.set_from_image(_picture(Image.FORMAT_RGBA8), null)
	expect_errors(2, "PathForgeGrid.set_from_image: rules.terrain_colors[")
	for id: int in [-1, 32]:
		_rules.terrain_colors[Color.RED] = id
		_grid.set_from_image(_picture(Image.FORMAT_RGBA8), _rules)
	_rules.terrain_colors.erase(Color.RED)
	expect_errors(2, "PathForgeGrid.set_from_image: rules.weight_colors[")
	for weight: float in [NAN, -1.0]:
		_rules.weight_colors[Color.RED] = weight
		_grid.set_from_image(_picture(Image.FORMAT_RGBA8), _rules)
	_rules.weight_colors.clear()
	expect_errors(1, "pixel (0, 1) is #ff0000ff, which no rule names")
	_grid.set_from_image(_picture(Image.FORMAT_RGBA8), _rules)
	check_eq(_grid.state_hash(), before)


func _picture(format: Image.Format) -> Image:
	var image := Image.create_empty(3, 2, false, format)
	image.fill(Color.WHITE)
	image.set_pixel(0, 0, Color.BLACK)
	image.set_pixel(2, 0, Color("#4a86c4"))
	image.set_pixel(0, 1, Color.RED)
	image.set_pixel(2, 1, Color.YELLOW)
	return image
