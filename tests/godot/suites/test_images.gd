extends TestSuite
## [method PathForgeGrid.set_from_image]: a pixel a cell.

const RULES := {
	Color.BLACK: {"solid": true},
	Color.WHITE: {},
	"#4a86c4": {"terrain": 1},
	"red": {"terrain": 2, "weight": 3},
}

var _grid: PathForgeGrid = null


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(-7, 4, 2, 2)
	add(_grid)


func test_each_colour_has_its_meaning() -> void:
	var changes: Array[Rect2i] = []
	_grid.cells_changed.connect(func(region: Rect2i) -> void: changes.append(region))
	for format: int in [Image.FORMAT_RGBA8, Image.FORMAT_RGB8, Image.FORMAT_RGBAF]:
		_grid.set_from_image(_picture(format), RULES)
		check_eq(_grid.region, Rect2i(-7, 4, 3, 2), "the position stays")
		check_eq(_grid.get_solid_data(), PackedByteArray([1, 0, 0, 0, 0, 0]))
		check_eq(_grid.get_terrain_data(), PackedByteArray([0, 0, 1, 2, 0, 0]))
		check_eq(_grid.get_weight_data(), PackedFloat32Array([1, 1, 1, 3, 1, 1]))
	check_eq(changes, [Rect2i(-7, 4, 3, 2)] as Array[Rect2i], "the others changed nothing")


func test_what_cannot_be_read_changes_nothing() -> void:
	var before := _grid.state_hash()
	var rules := RULES.duplicate()
	rules.erase("red")
	expect_errors(1, "PathForgeGrid.set_from_image: pixel (0, 1) is #ff0000ff, which has no rule")
	_grid.set_from_image(_picture(Image.FORMAT_RGBA8), rules)
	expect_errors(2, "PathForgeGrid.set_from_image: there is no image")
	_grid.set_from_image(null, RULES)
	_grid.set_from_image(Image.new(), RULES)
	expect_errors(6, "PathForgeGrid.set_from_image: rules")
	var wrong: Array[Dictionary] = [
		{7: {}},
		{Color.RED: 3},
		{Color.RED: {"solid": "yes"}},
		{Color.RED: {"terrain": -1}},
		{Color.RED: {"height": 2}},
		{"no colour": {}},
	]
	for rule: Dictionary in wrong:
		_grid.set_from_image(_picture(Image.FORMAT_RGBA8), rule)
	expect_errors(1, "PathForgeGrid.set_from_image: terrain id 32")
	expect_errors(1, "PathForgeGrid.set_from_image: weight NaN")
	_grid.set_from_image(
		_picture(Image.FORMAT_RGBA8), RULES.merged({Color.RED: {"terrain": 32}}, true)
	)
	_grid.set_from_image(
		_picture(Image.FORMAT_RGBA8), RULES.merged({Color.RED: {"weight": NAN}}, true)
	)
	check_eq(_grid.state_hash(), before)


func _picture(format: Image.Format) -> Image:
	var image := Image.create_empty(3, 2, false, format)
	image.fill(Color.WHITE)
	image.set_pixel(0, 0, Color.BLACK)
	image.set_pixel(2, 0, Color("#4a86c4"))
	image.set_pixel(0, 1, Color.RED)
	return image
