class_name HousePlan
extends RefCounted
## The house on paper: rooms, walls, doors, furniture, and the links between the floors. Places are
## in cells of a floor; [method on_floor] says which cells of the grid they are.

## Of one floor, in cells, and how wide and deep a cell is, in metres.
const SIZE := Vector2i(72, 20)
const CELL := 0.5
const FLOORS := 3
## From floor to floor, in metres.
const STOREY := 4.8
## The house begins here; what lies before it on the ground is garden.
const FRONT_X := 18
## The flights of stairs, above each other; their cells are closed on all floors.
const STAIRS := Rect2i(38, 0, 11, 7)
## Where the stairs end on a floor, and where the next ones begin: going up, and going down.
const STAIRS_UP: Array[Vector2i] = [Vector2i(37, 2), Vector2i(50, 2)]
const STAIRS_DOWN: Array[Vector2i] = [Vector2i(49, 5), Vector2i(36, 5)]
const LADDER := Vector2i(57, 1)
## The shaft of the lift, and its two sides.
const SHAFT := Rect2i(61, 0, 11, 5)
const LIFT_UP := Vector2i(64, 2)
const LIFT_DOWN := Vector2i(69, 2)
const LIFT_TAKES := 2
## In the wall of the garden.
const CAT_FLAP := Rect2i(FRONT_X, 15, 1, 1)

## Each room: its floor, its cells, and what people do there.
const ROOMS: Dictionary[String, Array] = {
	"Garden": [0, Rect2i(0, 0, 18, 20), "sits"],
	"Kitchen": [0, Rect2i(18, 0, 16, 20), "cooks"],
	"Hall": [0, Rect2i(34, 0, 19, 20), "chats"],
	"Workshop": [0, Rect2i(53, 0, 19, 20), "works"],
	"Bedroom": [1, Rect2i(18, 0, 16, 20), "sleeps"],
	"Landing": [1, Rect2i(34, 0, 19, 20), "reads"],
	"Nursery": [1, Rect2i(53, 0, 19, 20), "plays"],
	"Studio": [2, Rect2i(18, 0, 16, 20), "paints"],
	"Gallery": [2, Rect2i(34, 0, 19, 20), "looks"],
	"Store": [2, Rect2i(53, 0, 19, 20), "unpacks"],
}
## Each door: its floor, and the cells on the right of it.
const DOORS: Dictionary[String, Array] = {
	"Garden door": [0, Rect2i(18, 7, 1, 4)],
	"Kitchen door": [0, Rect2i(34, 9, 1, 4)],
	"Workshop door": [0, Rect2i(53, 9, 1, 4)],
	"Bedroom door": [1, Rect2i(34, 10, 1, 3)],
	"Nursery door": [1, Rect2i(53, 10, 1, 3)],
	"Studio door": [2, Rect2i(34, 10, 1, 3)],
	"Store door": [2, Rect2i(53, 9, 1, 4)],
}
## The walls between rooms: where the cells on the right of each begin, by floor.
const WALLS: Array[Array] = [[18, 34, 53], [34, 53], [34, 53]]

## What stands in the rooms: its floor, its cells, its height in metres, its colour.
const FURNITURE: Array[Array] = [
	[0, Rect2i(19, 0, 10, 2), 0.9, DemoPalette.WALL_LIGHT],
	[0, Rect2i(23, 14, 5, 3), 0.75, DemoPalette.WOOD_LIGHT],
	[0, Rect2i(41, 16, 6, 2), 0.6, DemoPalette.TANK],
	[0, Rect2i(54, 0, 5, 2), 0.9, DemoPalette.WOOD],
	[0, Rect2i(68, 16, 3, 3), 1.1, DemoPalette.WOOD_DARK],
	[1, Rect2i(19, 1, 3, 5), 0.55, DemoPalette.HAULER],
	[1, Rect2i(24, 1, 3, 5), 0.55, DemoPalette.ACCENT],
	[1, Rect2i(29, 1, 3, 5), 0.55, DemoPalette.SCOUT],
	[1, Rect2i(41, 16, 5, 2), 0.5, DemoPalette.WOOD],
	[1, Rect2i(66, 16, 4, 3), 0.5, DemoPalette.SCOUT],
	[2, Rect2i(24, 0, 6, 2), 0.75, DemoPalette.WOOD_LIGHT],
	[2, Rect2i(20, 14, 4, 3), 1.0, DemoPalette.WALL_DARK],
	[2, Rect2i(41, 11, 1, 1), 1.1, DemoPalette.WALL_LIGHT],
	[2, Rect2i(46, 11, 1, 1), 1.1, DemoPalette.WALL_LIGHT],
	[2, Rect2i(56, 15, 3, 3), 1.3, DemoPalette.WOOD],
	[2, Rect2i(69, 12, 3, 4), 1.1, DemoPalette.WOOD_LIGHT],
]
const TREES: Array[Rect2i] = [Rect2i(3, 2, 2, 2), Rect2i(12, 1, 2, 2), Rect2i(4, 15, 2, 2)]


## The cells of the grid for those of a floor.
static func on_floor(storey: int, cells: Rect2i) -> Rect2i:
	return Rect2i(cells.position + Vector2i(storey * (SIZE.x + 1), 0), cells.size)


static func cell(storey: int, place: Vector2i) -> Vector2i:
	return on_floor(storey, Rect2i(place, Vector2i.ONE)).position


static func storey_of(place: Vector2i) -> int:
	return clampi(place.x / (SIZE.x + 1), 0, FLOORS - 1)


## The room in which a cell of the grid is.
static func room_at(place: Vector2i) -> String:
	for title: String in ROOMS:
		if room(title).has_point(place):
			return title
	return ""


## The cells of a room, in the grid.
static func room(title: String) -> Rect2i:
	return on_floor(ROOMS[title][0], ROOMS[title][1])


## Whether cells are kept clear of errands: at doors, and at the ends of links.
static func is_kept_clear(cells: Rect2i) -> bool:
	for title: String in DOORS:
		var door: Rect2i = on_floor(DOORS[title][0], DOORS[title][1])
		if door.grow_individual(5, 1, 4, 1).intersects(cells):
			return true
	if on_floor(0, CAT_FLAP).grow_individual(3, 1, 2, 1).intersects(cells):
		return true
	for storey: int in FLOORS:
		if on_floor(storey, STAIRS.grow_individual(4, 0, 4, 2)).intersects(cells):
			return true
		if on_floor(storey, SHAFT.grow_individual(5, 0, 0, 4)).intersects(cells):
			return true
	return false


## Lays the house out: one grid, whose floors lie beside each other, with a closed column between.
static func lay_out(grid: PathForgeGrid, floors: Array[PathForgeSpace3D]) -> void:
	grid.begin_edit()
	grid.region = Rect2i(0, 0, FLOORS * (SIZE.x + 1) - 1, SIZE.y)
	for storey: int in FLOORS:
		floors[storey].floor_region = on_floor(storey, Rect2i(Vector2i.ZERO, SIZE))
		floors[storey].cell_size = Vector2.ONE * CELL
		floors[storey].position.y = storey * STOREY
		grid.fill_solid_region(on_floor(storey, Rect2i(SIZE.x, 0, 1, SIZE.y)))
		grid.fill_solid_region(on_floor(storey, STAIRS))
		for x: int in WALLS[storey]:
			grid.fill_edge_region(on_floor(storey, Rect2i(x, 0, 1, SIZE.y)), SIDE_LEFT)
		if storey > 0:
			grid.fill_solid_region(on_floor(storey, Rect2i(0, 0, FRONT_X, SIZE.y)))
	grid.fill_edge_region(on_floor(0, CAT_FLAP), SIDE_LEFT, false)
	for title: String in DOORS:
		grid.fill_edge_region(on_floor(DOORS[title][0], DOORS[title][1]), SIDE_LEFT, false)
	grid.fill_solid_region(on_floor(1, SHAFT))
	for piece: Array in FURNITURE:
		grid.fill_solid_region(on_floor(piece[0], piece[1]))
	for tree: Rect2i in TREES:
		grid.fill_solid_region(on_floor(0, tree))
	_add_links(grid)
	grid.end_edit()


## Stairs have a side for each direction, and so has the lift. A ladder takes one at a time.
static func _add_links(grid: PathForgeGrid) -> void:
	for storey: int in FLOORS - 1:
		var up := grid.add_link(
			cell(storey, STAIRS_UP[0]), cell(storey + 1, STAIRS_UP[1]), 16.0, false
		)
		var down := grid.add_link(
			cell(storey + 1, STAIRS_DOWN[0]), cell(storey, STAIRS_DOWN[1]), 16.0, false
		)
		for stairs: int in [up, down]:
			grid.set_link_tag(stairs, &"stairs")
			grid.set_link_max_footprint(stairs, Vector2i(2, 2))
			grid.set_link_seconds(stairs, 3.6)
	var ladder := grid.add_link(cell(1, LADDER), cell(2, LADDER), 12.0)
	grid.set_link_tag(ladder, &"ladder")
	grid.set_link_max_footprint(ladder, Vector2i(1, 1))
	grid.set_link_capacity(ladder, 1)
	grid.set_link_seconds(ladder, 3.0)
	for ends: Array in [[0, 2, LIFT_UP], [2, 0, LIFT_DOWN]]:
		var lift := grid.add_link(cell(ends[0], ends[2]), cell(ends[1], ends[2]), 30.0, false)
		grid.set_link_tag(lift, &"lift")
		grid.set_link_capacity(lift, LIFT_TAKES)
		grid.set_link_seconds(lift, 5.0)
