extends TestSuite
## Links as nodes, [PathForgeLink2D] and [PathForgeLink3D]: the link in the grid is as the node is.

const NO_SPACE := "there is no space; set `space`, or put the node below a PathForgeSpace3D"
const NO_GRID := "there is no grid; set `grid`, or put the node below a PathForgeGrid"
const CLASSES: Array[String] = ["PathForgeLink2D", "PathForgeLink3D"]

var _grid: PathForgeGrid
var _space: PathForgeSpace3D


func before_each() -> void:
	_grid = PathForgeGrid.new()
	_grid.region = Rect2i(0, 0, 20, 12)
	add(_grid)
	_space = PathForgeSpace3D.new()
	_space.cell_size = Vector2.ONE
	_grid.add_child(_space)


func _link(from: Vector2, to: Vector2, parent: Node = _grid) -> PathForgeLink2D:
	var link := PathForgeLink2D.new()
	link.start_position = from
	link.end_position = to
	parent.add_child(link)
	return link


func test_a_node_adds_its_link() -> void:
	var link := _link(Vector2(24, 40), Vector2(150, 88))
	check_eq(link.get_link_id(), 0, "as it enters")
	check_eq(_grid.get_link_ids(), PackedInt32Array([0]))
	check_eq(_grid.get_link_start(0), Vector2i(1, 2))
	check_eq(_grid.get_link_end(0), Vector2i(9, 5))
	check_eq(_grid.get_link_owner(0), link)
	check_eq(link.get_effective_grid(), _grid)
	check_near(_grid.get_link_cost(0), 3.0 * 99.0 / 70.0 + 5.0)
	link.position.x = 16.0
	await frames(2)
	check_eq(_grid.get_link_start(0), Vector2i(2, 2), "it follows")
	link.position.y = 16.0
	link.update_link()
	check_eq(_grid.get_link_end(0), Vector2i(10, 6), "at once")
	link.end_position = Vector2(24, 72)
	link.update_link()
	check_eq(_grid.get_link_end(0), Vector2i(2, 5))
	check_near(_grid.get_link_cost(0), 2.0, 0.0001, "with what the way costs")
	_grid.remove_child(link)
	check_eq([link.get_link_id(), _grid.get_link_ids().size()], [-1, 0], "it leaves")
	_grid.add_child(link)
	check_eq(_grid.get_link_ids(), PackedInt32Array([link.get_link_id()]), "it is back")
	link.free()
	check_eq(_grid.get_link_ids().size(), 0, "freed")


func test_every_property_is_the_links() -> void:
	var link := _link(Vector2(24, 40), Vector2(150, 88))
	link.enabled = false
	link.bidirectional = false
	link.cost = 7.0
	link.terrains = 6
	link.max_footprint = Vector2i(2, 3)
	link.capacity = 4
	link.seconds = 2.5
	link.tag = &"ferry"
	check_eq([link.enabled, link.bidirectional, link.cost], [false, false, 7.0])
	check_eq([link.terrains, link.max_footprint], [6, Vector2i(2, 3)])
	check_eq([link.capacity, link.seconds, link.tag], [4, 2.5, &"ferry"])
	check_eq([link.start_position, link.end_position], [Vector2(24, 40), Vector2(150, 88)])
	await frames(2)
	check_eq([_grid.is_link_enabled(0), _grid.is_link_bidirectional(0)], [false, false])
	check_near(_grid.get_link_cost(0), 7.0)
	check_eq(_grid.get_link_terrains(0), 6)
	check_eq(_grid.get_link_max_footprint(0), Vector2i(2, 3))
	check_eq([_grid.get_link_capacity(0), _grid.get_link_seconds(0)], [4, 2.5])
	check_eq(_grid.get_link_tag(0), &"ferry")
	check_eq(link.get_link_id(), 0, "one link all the time")
	link.cost = -1.0
	link.seconds = -1.0
	check_eq([link.cost, link.seconds], [-1.0, -1.0])
	var other := PathForgeLink2D.new()
	check_eq([other.enabled, other.bidirectional, other.cost], [true, true, -1.0])
	check_eq([other.terrains, other.max_footprint], [0xFFFFFFFF, Vector2i(64, 64)])
	check_eq([other.capacity, other.seconds, other.tag], [0, -1.0, &""])
	check_eq([other.start_position, other.end_position], [Vector2.ZERO, Vector2.ZERO])
	other.free()


func test_what_a_property_cannot_be_is_an_error() -> void:
	for name: String in CLASSES:
		var node: Node = add(ClassDB.instantiate(name))
		var wrong: Dictionary[String, Variant] = {
			"cost": 0.0,
			"terrains": -1,
			"max_footprint": Vector2i(0, 1),
			"capacity": -1,
			"seconds": 601.0,
			"tag": StringName("x".repeat(256)),
		}
		for property: String in wrong:
			var before: Variant = node.get(property)
			expect_errors(1, "%s.%s: " % [name, property])
			node.set(property, wrong[property])
			check_eq(node.get(property), before, property)
		node.free()
	var flat: PathForgeLink2D = add(PathForgeLink2D.new())
	expect_errors(1, "PathForgeLink2D.start_position: (NaN, 0) is not finite")
	flat.start_position = Vector2(NAN, 0)
	expect_errors(1, "PathForgeLink2D.set_global_end_position: position (inf, 0) is not finite")
	flat.set_global_end_position(Vector2(INF, 0))
	flat.transform = Transform2D(Vector2.ZERO, Vector2.ZERO, Vector2.ZERO)
	expect_errors(1, "PathForgeLink2D.set_global_end_position: the node is scaled to nothing")
	flat.set_global_end_position(Vector2.ONE)
	check_eq([flat.start_position, flat.end_position], [Vector2.ZERO, Vector2.ZERO])
	var solid: PathForgeLink3D = add(PathForgeLink3D.new())
	expect_errors(1, "PathForgeLink3D.end_position: (0, NaN, 0) is not finite")
	solid.end_position = Vector3(0, NAN, 0)
	check_eq(solid.end_position, Vector3.ZERO)


func test_global_positions() -> void:
	var link := _link(Vector2(8, 8), Vector2(40, 8))
	link.position = Vector2(100, 20)
	link.scale = Vector2(2, 2)
	check_eq(link.get_global_start_position(), Vector2(116, 36))
	link.set_global_end_position(Vector2(180, 60))
	check_eq(link.end_position, Vector2(40, 20))
	check_eq(link.get_global_end_position(), Vector2(180, 60))
	link.set_global_start_position(Vector2(100, 20))
	check_eq(link.start_position, Vector2.ZERO)
	var solid := PathForgeLink3D.new()
	_space.add_child(solid)
	solid.position = Vector3(1, 2, 3)
	solid.start_position = Vector3(1, 1, 1)
	check_eq(solid.get_global_start_position(), Vector3(2, 3, 4))
	solid.set_global_end_position(Vector3(5, 5, 5))
	check_eq(solid.end_position, Vector3(4, 3, 2))
	check_eq(solid.get_global_end_position(), Vector3(5, 5, 5))
	solid.set_global_start_position(Vector3(1, 2, 3))
	check_eq(solid.start_position, Vector3.ZERO)


func test_a_link_that_the_grid_refuses_is_told_once() -> void:
	expect_warnings(1, "the grid takes no such link: cell (62, 5) is outside the region")
	var link := _link(Vector2(24, 40), Vector2(1000, 88))
	await frames(3)
	check_eq(link.get_link_id(), -1)
	link.end_position = Vector2(150, 88)
	await frames(2)
	check_eq(_grid.get_link_end(link.get_link_id()), Vector2i(9, 5), "it has come in")
	expect_warnings(1, "the grid takes no such link: both ends are the cell (1, 2)")
	link.end_position = Vector2(25, 41)
	await frames(3)
	check_eq([link.get_link_id(), _grid.get_link_ids().size()], [-1, 0])
	link.end_position = Vector2(150, 88)
	link.position = Vector2(INF, 0)
	await frames(2)
	check_eq(link.get_link_id(), -1, "nowhere")
	link.position = Vector2.ZERO
	await frames(2)
	check_eq(_grid.get_link_ids().size(), 1)
	expect_warnings(1, "the grid takes no such link: cell (9, 5) is outside the region")
	_grid.region = Rect2i(0, 0, 5, 12)
	await frames(3)
	check_eq([link.get_link_id(), _grid.get_link_ids().size()], [-1, 0], "the grid is smaller")
	_grid.region = Rect2i(0, 0, 20, 12)
	await frames(2)
	check_eq(_grid.get_link_ids().size(), 1, "and large again")


func test_a_removed_link_comes_back() -> void:
	var link := _link(Vector2(24, 40), Vector2(150, 88))
	_grid.set_link_cost(0, 50.0)
	await frames(2)
	check_near(_grid.get_link_cost(0), 50.0, 0.0001, "a script's edit stays")
	_grid.remove_link(link.get_link_id())
	await frames(2)
	check_eq(_grid.get_link_ids(), PackedInt32Array([1]), "but it is not removed")
	check_eq(link.get_link_id(), 1)
	link.enabled = false
	link.update_link()
	check_eq([link.get_link_id(), _grid.is_link_enabled(1)], [1, false])


func test_saved_links_belong_to_their_nodes_again() -> void:
	var own := _grid.add_link(Vector2i(0, 0), Vector2i(5, 5))
	var link := _link(Vector2(24, 40), Vector2(150, 88))
	var saved := _grid.to_bytes()
	var hash_before := _grid.state_hash()
	_grid.add_link(Vector2i(0, 0), Vector2i(7, 5))
	check_eq(_grid.from_bytes(saved), true)
	await frames(2)
	check_eq(_grid.get_link_ids(), PackedInt32Array([own, link.get_link_id()]), "none twice")
	check_eq(_grid.state_hash(), hash_before)
	check_eq(_grid.get_link_owner(link.get_link_id()), link)
	check_eq(_grid.get_link_owner(own), null)
	link.position.x = 16.0
	await frames(2)
	check_eq(_grid.get_link_ids().size(), 2, "it is moved")
	link.free()
	check_eq(_grid.get_link_ids(), PackedInt32Array([own]))


func test_a_node_changes_its_grid() -> void:
	var other: PathForgeGrid = add(PathForgeGrid.new())
	other.region = _grid.region
	var link := _link(Vector2(24, 40), Vector2(150, 88))
	link.grid = other
	await frames(2)
	check_eq([_grid.get_link_ids().size(), other.get_link_ids().size()], [0, 1])
	check_eq(link.get_effective_grid(), other)
	other.free()
	await frames(2)
	check_eq(_grid.get_link_owner(link.get_link_id()), link, "it is gone")


func test_without_a_grid_it_warns_once() -> void:
	_grid.free()
	expect_warnings(1, NO_GRID)
	expect_warnings(1, NO_SPACE)
	var flat: PathForgeLink2D = add(PathForgeLink2D.new())
	var solid: PathForgeLink3D = add(PathForgeLink3D.new())
	await frames(3)
	check_eq([flat.get_link_id(), solid.get_link_id()], [-1, -1])
	check_eq(flat.get_effective_grid(), null)
	check_eq(solid.get_effective_grid(), null)
	check_eq(solid.get_effective_space(), null)


func test_it_links_cells_of_a_space() -> void:
	var link := PathForgeLink3D.new()
	link.start_position = Vector3(4.5, 30.0, 2.5)
	link.end_position = Vector3(9.5, -3.0, 7.5)
	link.bidirectional = false
	_space.add_child(link)
	var id := link.get_link_id()
	check_eq(_grid.get_link_start(id), Vector2i(4, 2), "however high")
	check_eq(_grid.get_link_end(id), Vector2i(9, 7))
	check_eq(_grid.is_link_bidirectional(id), false)
	check_eq(_grid.get_link_owner(id), link)
	check_eq([link.get_effective_space(), link.get_effective_grid()], [_space, _grid])
	link.rotation.y = PI / 2.0
	link.position = Vector3(2.0, 0.0, 11.0)
	link.update_link()
	check_eq(_grid.get_link_start(id), Vector2i(4, 6), "it turns")
	_space.position.x = 1.0
	link.global_position = Vector3(0.0, 0.0, 0.0)
	link.rotation.y = 0.0
	await frames(2)
	check_eq(_grid.get_link_start(id), Vector2i(3, 2), "the space has moved")
	link.free()
	check_eq(_grid.get_link_ids().size(), 0)


func test_a_path_on_hills_has_nothing_between_the_ends_of_a_link() -> void:
	_space.set_region_height(Rect2i(6, 0, 4, 12), 3.0)
	_grid.add_link(Vector2i(3, 2), Vector2i(15, 9), 1.0)
	var profile := PathForgeProfile.new()
	profile.smoothing = PathForgeProfile.SMOOTH_STRING_PULL
	var path := _grid.find_path(Vector2i(0, 2), Vector2i(19, 9), profile)
	check_eq(path.link_position_indices, PackedInt32Array([1]))
	var positions := _space.path_to_positions(path)
	check(positions.size() > path.positions.size(), "some are added where it walks")
	var at := positions.find(_space.cell_to_global(Vector2i(3, 2)))
	check_eq(positions[at + 1], _space.cell_to_global(Vector2i(15, 9)))


func test_handlers_may_free_the_node_and_the_grid() -> void:
	var link := PathForgeLink2D.new()
	link.end_position = Vector2(40, 40)
	var freed := func(_region: Rect2i) -> void: link.queue_free()
	_grid.cells_changed.connect(freed, CONNECT_ONE_SHOT)
	_grid.add_child(link)
	await frames(2)
	check_eq([is_instance_valid(link), _grid.get_link_ids().size()], [false, 0])
	var other := _link(Vector2(24, 40), Vector2(150, 88), root)
	other.grid = _grid
	await frames(2)
	check_eq(_grid.get_link_ids().size(), 1)
	_grid.free()
	expect_warnings(1, NO_GRID)
	await frames(3)
	check_eq(other.get_link_id(), -1)


func test_a_scene_keeps_a_node() -> void:
	var link := PathForgeLink2D.new()
	link.start_position = Vector2(24, 40)
	link.end_position = Vector2(150, 88)
	link.cost = 4.0
	link.tag = &"stairs"
	var scene := PackedScene.new()
	check_eq(scene.pack(link), OK)
	link.free()
	var loaded: PathForgeLink2D = scene.instantiate()
	_grid.add_child(loaded)
	var id := loaded.get_link_id()
	check_eq([_grid.get_link_tag(id), _grid.get_link_start(id)], [&"stairs", Vector2i(1, 2)])
	check_near(_grid.get_link_cost(id), 4.0)
	var copy: PathForgeLink2D = loaded.duplicate()
	_grid.add_child(copy)
	check_ne(copy.get_link_id(), id, "a link of its own")
	check_eq(_grid.get_link_ids().size(), 2)
