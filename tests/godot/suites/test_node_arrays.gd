extends TestSuite
## Properties that hold nodes: typed to the inspector, and taken from arrays of any type.

var _grid: PathForgeGrid = null
var _baker: PathForgeNavigationBaker = null


func before_each() -> void:
	_grid = add(PathForgeGrid.new())
	_baker = add(PathForgeNavigationBaker.new())


func test_untyped_arrays_will_do() -> void:
	var layer: TileMapLayer = add(TileMapLayer.new())
	var layers: Array = [layer, null]
	var nodes: Array[Node] = [layer]
	for owner: Node in [_grid, _baker] as Array[Node]:
		owner.set(&"source_layers", layers)
		check_eq(owner.get(&"source_layers"), layers)
		owner.set(&"source_layers", nodes)
		check_eq(owner.get(&"source_layers"), [layer] as Array[TileMapLayer])
	_grid.source_layers = layers
	check_eq(_grid.source_layers.size(), 2)
	var map: InfluenceMap = add(InfluenceMap.new())
	var maps: Array = [map]
	_grid.influences = maps
	check_eq(_grid.influences, [map] as Array[InfluenceMap])


func test_other_things_are_refused_by_name() -> void:
	var layer: TileMapLayer = add(TileMapLayer.new())
	var owners: Dictionary[Node, StringName] = {_grid: &"source_layers", _baker: &"source_layers"}
	for owner: Node in owners:
		owner.set(owners[owner], [layer])
		var problem := "%s.source_layers: [1] is" % owner.get_class()
		expect_errors(3, problem)
		for other: Variant in [7, "Tiles", _grid]:
			owner.set(owners[owner], [layer, other])
		check_eq(owner.get(owners[owner]), [layer] as Array[TileMapLayer], "nothing changed")
	expect_errors(1, "PathForgeGrid.influences: [0] is")
	_grid.set(&"influences", [layer])
	check_eq(_grid.influences, [] as Array[InfluenceMap])


func test_what_was_freed_is_null() -> void:
	var layer := TileMapLayer.new()
	var layers: Array = [layer]
	layer.free()
	_grid.set(&"source_layers", layers)
	check_eq(_grid.source_layers, [null] as Array[TileMapLayer])


func test_the_inspector_knows_the_type() -> void:
	var wanted := "%d/%d:" % [TYPE_OBJECT, PROPERTY_HINT_NODE_TYPE]
	for owner: Node in [_grid, _baker] as Array[Node]:
		check_eq(_hint(owner, "source_layers"), wanted + "TileMapLayer")
	check_eq(_hint(_grid, "influences"), wanted + "InfluenceMap")
	check(_grid.source_layers.is_typed(), "scripts get a typed array")


func _hint(owner: Node, property: String) -> String:
	for info: Dictionary in owner.get_property_list():
		if info["name"] == property:
			return info["hint_string"]
	return ""
