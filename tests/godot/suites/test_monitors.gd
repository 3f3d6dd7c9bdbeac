extends TestSuite
## The debugger's monitors: they count what grids do, and are there while a grid is in the tree.

const NAMES: Array[String] = [
	"PathForge/Queries per second",
	"PathForge/Expansions per second",
	"PathForge/Microseconds per second",
	"PathForge/Repairs per second",
	"PathForge/Memory bytes",
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
	await wait_until(func() -> bool: return grid.get_request_count() == 0)
	for name: String in NAMES:
		var is_counted := func() -> bool: return Performance.get_custom_monitor(name) > 0.0
		check(await wait_until(is_counted, 3.0), name)
	grid.free()
