extends TestSuite
## What the map doctor finds, on small maps that have one thing to find each.

const Finding := preload("res://addons/pathforge/doctor/finding.gd")
const MapDoctor := preload("res://addons/pathforge/doctor/map_doctor.gd")
const Report := preload("res://addons/pathforge/doctor/report.gd")
const TileKit := preload("res://tiles/tile_kit.gd")

const DOCTOR := "res://addons/pathforge/doctor.gd"

var _scene: Node2D = null
var _grid: PathForgeGrid = null


func before_each() -> void:
	_scene = Node2D.new()
	_grid = PathForgeGrid.new()
	_grid.name = "Grid"
	_scene.add_child(_grid)
	add(_scene)


func test_a_clean_map_has_nothing_to_report() -> void:
	_grid.region = Rect2i(0, 0, 20, 12)
	var doctor := MapDoctor.new(_scene)
	check_eq(doctor.findings.size(), 0, Report.of(doctor))
	check("nothing to report" in Report.of(doctor), Report.of(doctor))
	check_eq(doctor.fault_count(), 0)


func test_gates_are_named_narrowest_first() -> void:
	_walled(40, 22)
	_grid.fill_solid_region(Rect2i(20, 18, 1, 2), false)
	_grid.fill_solid_region(Rect2i(20, 2, 1, 1), false)
	var doctor := MapDoctor.new(_scene)
	var gates := _of(doctor, Finding.Kind.GATE)
	check_eq(gates.size(), 2, Report.of(doctor))
	check_eq(gates[0].cell, Vector2i(20, 2))
	check("1×1" in gates[0].text, gates[0].text)
	check_eq(gates[1].cell, Vector2i(20, 18))
	check("2×2" in gates[1].text, gates[1].text)
	check_eq(doctor.fault_count(), 0, "gates are no faults")


func test_gates_of_a_long_passage() -> void:
	_grid.region = Rect2i(-5, -5, 30, 10)
	_grid.fill_solid_region(Rect2i(5, -5, 10, 10))
	_grid.fill_solid_region(Rect2i(5, -2, 10, 3), false)
	_grid.set_point_solid(Vector2i(9, -2))
	var gates := _of(MapDoctor.new(_scene), Finding.Kind.GATE)
	check_eq(gates.size(), 1)
	check("2×2" in gates[0].text and gates[0].cell.y == -1, gates[0].text)
	check(absi(gates[0].cell.x - 9) <= 1, gates[0].text)


func test_pillars_and_dead_ends_are_no_gates() -> void:
	_grid.region = Rect2i(0, 0, 30, 20)
	for x: int in 7:
		_grid.set_point_solid(Vector2i(4 + 2 * x, 10))
	_grid.fill_solid_region(Rect2i(24, 0, 6, 20))
	_grid.fill_solid_region(Rect2i(24, 5, 4, 1), false)
	check_eq(_of(MapDoctor.new(_scene), Finding.Kind.GATE).size(), 0)


func test_sealed_rooms_are_faults_and_pockets_are_not() -> void:
	_grid.region = Rect2i(0, 0, 30, 20)
	_grid.fill_solid_region(Rect2i(10, 5, 6, 5))
	_grid.fill_solid_region(Rect2i(11, 6, 4, 3), false)
	_grid.fill_solid_region(Rect2i(20, 5, 3, 3))
	_grid.set_point_solid(Vector2i(21, 6), false)
	var doctor := MapDoctor.new(_scene)
	var rooms := _of(doctor, Finding.Kind.ROOM)
	check_eq(rooms.size(), 2, Report.of(doctor))
	check("12 cells" in rooms[0].text and rooms[0].is_fault, rooms[0].text)
	check(Rect2i(11, 6, 4, 3).has_point(rooms[0].cell), str(rooms[0].cell))
	check_eq(rooms[1].cell, Vector2i(21, 6))
	check(not rooms[1].is_fault, rooms[1].text)
	var profiles: Array[PathForgeProfile] = [a_body(Vector2i(2, 2)), a_body(Vector2i.ONE)]
	rooms = _of(MapDoctor.new(_scene, profiles), Finding.Kind.ROOM)
	check_eq(rooms.size(), 2, "one room for both bodies")
	var link := _grid.add_link(Vector2i(1, 1), Vector2i(12, 7), 1.0)
	check_eq(_of(MapDoctor.new(_scene), Finding.Kind.ROOM).size(), 1, "a link leads there")
	_grid.remove_link(link)


## An island is open to walkers, and the water around it is not: a boat does not help them.
func test_an_island_is_sealed_for_those_who_do_not_swim() -> void:
	_grid.region = Rect2i(0, 0, 30, 20)
	_grid.fill_terrain_region(Rect2i(14, 0, 16, 20), 1)
	_grid.fill_terrain_region(Rect2i(20, 8, 4, 4), 0)
	var rooms := func(masks: Array[int]) -> int:
		var profiles: Array[PathForgeProfile] = []
		for mask: int in masks:
			profiles.append(a_body(Vector2i.ONE, mask))
		return _of(MapDoctor.new(_scene, profiles), Finding.Kind.ROOM).size()
	check_eq(rooms.call([1] as Array[int]), 1)
	check_eq(rooms.call([1, 2] as Array[int]), 1)
	check_eq(rooms.call([1, 3] as Array[int]), 0, "one body swims and walks")


func test_obstacles_do_not_seal_rooms() -> void:
	_walled(20, 10)
	_grid.set_point_solid(Vector2i(10, 5), false)
	_grid.add_obstacle(Rect2i(10, 5, 1, 1))
	check_eq(_of(MapDoctor.new(_scene), Finding.Kind.ROOM).size(), 0)


func test_agents_that_do_not_fit_or_cannot_get_there() -> void:
	_walled(40, 22)
	_agent("Tank", Vector2i(19, 5), a_body(Vector2i(3, 3)))
	var scout := _agent("Scout", Vector2i(3, 3), null)
	scout.target_position = _grid.cell_to_global(Vector2i(30, 3))
	var doctor := MapDoctor.new(_scene)
	var starts := _of(doctor, Finding.Kind.START)
	check_eq(starts.size(), 2, Report.of(doctor))
	check("Tank at (19, 5) does not fit where it starts" in starts[0].text, starts[0].text)
	check("Scout at (3, 3) cannot reach its target" in starts[1].text, starts[1].text)
	_grid.set_point_solid(Vector2i(20, 3), false)
	check_eq(_of(MapDoctor.new(_scene), Finding.Kind.START).size(), 1, "a door for the scout")


func test_starts_of_one_kind_that_are_not_connected() -> void:
	_walled(40, 22)
	_agent("Left", Vector2i(3, 3), null)
	_agent("Right", Vector2i(30, 3), null)
	var starts := _of(MapDoctor.new(_scene), Finding.Kind.START)
	check_eq(starts.size(), 1)
	check(not starts[0].is_fault, "they may belong there")
	check(
		(
			"Left at (3, 3) and Right at (30, 3) start in areas that are not connected"
			in starts[0].text
		),
		starts[0].text
	)
	_grid.set_point_solid(Vector2i(20, 3), false)
	check_eq(_of(MapDoctor.new(_scene), Finding.Kind.START).size(), 0)


func test_cells_that_differ_from_their_tiles() -> void:
	var kit := TileKit.new(2)
	kit.collide(1, TileKit.BOX)
	var layer := kit.layer("000000\n001000\n000000")
	_scene.add_child(layer)
	await physics_frames(2)
	_grid.import_on_ready = false
	check(_grid.import_tile_map_layers([layer]), "it is imported")
	_grid.source_layers = [layer]
	check_eq(_of(MapDoctor.new(_scene), Finding.Kind.IMPORT).size(), 0, "all as imported")
	_grid.set_point_solid(Vector2i(2, 1), false)
	_grid.set_point_solid(Vector2i(5, 2))
	var found := _of(MapDoctor.new(_scene), Finding.Kind.IMPORT)
	var faults := found.filter(func(finding: Finding) -> bool: return finding.is_fault)
	check_eq(faults.size(), found.size(), "an import mends it")
	check_eq(found[0].cell, Vector2i(2, 1), found[0].text)
	check_eq(found[1].cell, Vector2i(5, 2), found[1].text)
	_grid.import_on_ready = true
	check(not _of(MapDoctor.new(_scene), Finding.Kind.IMPORT)[0].is_fault, "a script did it")


func test_thin_walls_that_an_import_misses() -> void:
	var kit := TileKit.new(4)
	kit.collide(1, [Vector2(-8, -8), Vector2(8, -8), Vector2(8, -5), Vector2(-8, -5)])
	kit.collide(3, TileKit.BOX)
	kit.collide(2, [Vector2(-3, -8), Vector2(3, -8), Vector2(3, -5), Vector2(-3, -5)])
	var layer := kit.layer("000003\n001020\n000000")
	_scene.add_child(layer)
	await physics_frames(2)
	_grid.source_layers = [layer]
	check(_grid.import_tile_map_layers([layer]), "it is imported")
	var found := _of(MapDoctor.new(_scene), Finding.Kind.IMPORT)
	check_eq(found.size(), 1, "the wall, and not the post")
	check(found[0].cell == Vector2i(2, 1) and found[0].is_fault, found[0].text)
	check("1 cell is open" in found[0].text, found[0].text)


func test_weights_at_their_limit() -> void:
	_grid.region = Rect2i(0, 0, 8, 8)
	expect_warnings(1, "counts as 660")
	_grid.set_point_weight_scale(Vector2i(3, 4), 5000.0)
	_grid.set_point_weight_scale(Vector2i(6, 6), 100.0)
	_grid.set_point_terrain(Vector2i(6, 6), 1)
	var found := _of(MapDoctor.new(_scene), Finding.Kind.WEIGHT)
	check_eq(found.size(), 1)
	check("660" in found[0].text and found[0].cell == Vector2i(3, 4), found[0].text)
	var slow := a_body(Vector2i.ONE)
	slow.terrain_costs = [1.0, 20.0]
	found = _of(MapDoctor.new(_scene, [slow]), Finding.Kind.WEIGHT)
	check_eq(found.size(), 2)
	check("costs 2000" in found[1].text and found[1].cell == Vector2i(6, 6), found[1].text)


func test_a_grid_without_cells_and_a_map_that_is_too_large() -> void:
	var doctor := MapDoctor.new(_scene)
	check(not doctor.has_cells() and doctor.fault_count() == 0, Report.of(doctor))
	_grid.region = Rect2i(0, 0, 1024, 1024)
	doctor = MapDoctor.new(_scene)
	check("are looked for up to" in Report.of(doctor), Report.of(doctor))


func test_the_command_ends_with_an_exit_code() -> void:
	check_eq(_exit_code([]), 2, "no scene")
	check_eq(_exit_code(["res://nowhere.tscn"]), 2, "no file")
	check_eq(_exit_code(["res://runner.gd"]), 2, "no scene in it")
	check_eq(_exit_code(["--colour", "res://editor/level.tscn"]), 2, "an unknown option")
	check_eq(_exit_code(["res://editor/level.tscn", "--profile=res://runner.gd"]), 2)
	check_eq(_exit_code(["editor/level.tscn"]), 0, "a clean map")
	check_eq(_exit_code([_sealed_room()]), 1, "something to mend")
	check_eq(_exit_code([_broken_scene()]), 2, "a script with errors")
	for file: String in ["sealed.tscn", "broken.tscn", "broken.gd"] as Array[String]:
		DirAccess.remove_absolute("user://".path_join(file))


func _sealed_room() -> String:
	_walled(20, 10)
	_grid.owner = _scene
	var packed := PackedScene.new()
	packed.pack(_scene)
	ResourceSaver.save(packed, "user://sealed.tscn")
	return "user://sealed.tscn"


func _broken_scene() -> String:
	_write("user://broken.gd", "extends Node2D\nvar x =\n")
	_write(
		"user://broken.tscn",
		(
			"[gd_scene load_steps=2 format=3]\n"
			+ '[ext_resource type="Script" path="user://broken.gd" id="1"]\n'
			+ '[node name="Level" type="Node2D"]\nscript = ExtResource("1")\n'
			+ '[node name="Grid" type="PathForgeGrid" parent="."]\nregion = Rect2i(0, 0, 9, 9)\n'
		)
	)
	return "user://broken.tscn"


func _write(path: String, text: String) -> void:
	FileAccess.open(path, FileAccess.WRITE).store_string(text)


func _exit_code(arguments: PackedStringArray) -> int:
	var all := _godot()
	all.append_array(["--headless", "--path", ProjectSettings.globalize_path("res://")])
	all.append_array(["-s", DOCTOR, "--"])
	all.append_array(arguments)
	var output: Array[String] = []
	return OS.execute(all[0], all.slice(1), output, true)


## The words that start this Godot: it may run below a loader that has words of its own.
func _godot() -> PackedStringArray:
	var file := FileAccess.open("/proc/self/cmdline", FileAccess.READ)
	if file == null:
		return [OS.get_executable_path()]
	var text := file.get_buffer(65536)
	var words := PackedStringArray()
	var from := 0
	while from < text.size():
		var end := text.find(0, from)
		var word := text.slice(from, end).get_string_from_utf8()
		if word == "--headless" or word == "--path":
			break
		words.append(word)
		from = end + 1
	return words


## A region with a wall across its middle.
func _walled(columns: int, rows: int) -> void:
	_grid.region = Rect2i(0, 0, columns, rows)
	@warning_ignore("integer_division")
	_grid.fill_solid_region(Rect2i(columns / 2, 0, 1, rows))


func _agent(name: String, cell: Vector2i, profile: PathForgeProfile) -> PathForgeAgent2D:
	var body := Node2D.new()
	body.name = name
	var agent := PathForgeAgent2D.new()
	agent.profile = profile
	agent.grid = _grid
	body.add_child(agent)
	_scene.add_child(body)
	body.global_position = _grid.cell_to_global(cell, profile)
	return agent


func _of(doctor: MapDoctor, kind: Finding.Kind) -> Array[Finding]:
	return doctor.findings.filter(func(finding: Finding) -> bool: return finding.kind == kind)
