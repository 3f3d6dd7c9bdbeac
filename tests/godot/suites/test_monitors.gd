extends TestSuite
## The debugger's monitors: they count what grids do, and are there while a grid is in the tree.

const NAMES: Array[String] = [
	"PathForge/Queries per second",
	"PathForge/Expansions per second",
	"PathForge/Microseconds per second",
	"PathForge/Repairs per second",
	"PathForge/Memory bytes",
	"PathForge/Open requests",
	"PathForge/Open preparations",
	"PathForge/Microseconds per crowd step",
	"PathForge/Microseconds per field update",
	"PathForge/Cells per field update",
]


func _all_there() -> bool:
	return NAMES.all(func(name: String) -> bool: return Performance.has_custom_monitor(name))


func _none_there() -> bool:
	return not NAMES.any(func(name: String) -> bool: return Performance.has_custom_monitor(name))


func test_they_come_and_go_with_grids() -> void:
	check(_none_there(), "no grid, no monitors")
	var first: PathForgeGrid = PathForgeGrid.new()
	check(_none_there(), "not in the tree yet")
	add(first)
	var second: PathForgeGrid = PathForgeGrid.new()
	add(second)
	check(_all_there(), "all of them")
	root.remove_child(first)
	check(_all_there(), "another grid is still there")
	second.free()
	check(_none_there(), "the last one is gone")
	root.add_child(first)
	check(_all_there(), "and back")
	first.free()
	check(_none_there(), "and gone again")


func test_they_count_what_grids_do() -> void:
	var grid: PathForgeGrid = PathForgeGrid.new()
	grid.region = Rect2i(0, 0, 64, 64)
	add(grid)
	for name: String in NAMES:
		Performance.get_custom_monitor(name)
	for x: int in 30:
		grid.set_point_solid(Vector2i(x, 20))
		grid.find_path(Vector2i(0, 0), Vector2i(3, 60))
		grid.request_path(Vector2i(0, 0), Vector2i(60, 60))
	await wait_until(func() -> bool: return open_requests() == 0)
	var field: FlowField = FlowField.new()
	field.goals = [Vector2i(9, 9)]
	grid.add_child(field)
	var crowd: PathForgeCrowd = PathForgeCrowd.new()
	grid.add_child(crowd)
	crowd.add_agents([grid.cell_to_local(Vector2i(3, 3))])
	for name: String in NAMES:
		if name.contains("Open"):
			continue
		var is_counted := func() -> bool:
			grid.set_point_solid(Vector2i(9, 20), Engine.get_process_frames() % 2 == 0)
			return Performance.get_custom_monitor(name) > 0.0
		check(await wait_until(is_counted, 3.0), name)
	grid.free()
