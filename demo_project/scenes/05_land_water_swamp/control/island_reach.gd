class_name IslandReach
extends Node2D
## Where a kind of body can be: every cell that it can cover, in one colour for each region that it
## can walk in without leaving it.

const COLOURS: Array[Color] = [
	DemoPalette.ACCENT,
	DemoPalette.WARN,
	DemoPalette.HAULER,
	Color("a082e6"),
	DemoPalette.GOOD,
	Color("5a9ffa"),
]
## Regions of fewer stands than this are not counted.
const STANDS_MIN := 6

## The kind that is shown, or null.
var kind: IslandKind:
	set(value):
		kind = value
		_colour_cells()

## How many regions there are.
var regions := 0

var _grid: PathForgeGrid
## The map without those who stand on it.
var _survey := PathForgeGrid.new()
var _colours: Dictionary[Vector2i, Color] = {}


func set_up(grid: PathForgeGrid) -> void:
	_grid = grid
	grid.cells_changed.connect(_on_cells_changed.unbind(1))


func _exit_tree() -> void:
	_survey.free()


## What a grid knows without a search: where the body fits, and which stands are joined.
func _colour_cells() -> void:
	_colours.clear()
	regions = 0
	queue_redraw()
	if kind == null:
		return
	_survey.from_bytes(_grid.to_bytes())
	var groups: Dictionary[Vector2i, Array] = {}
	for stand: Vector2i in _stands():
		var home := stand
		for first: Vector2i in groups:
			if _survey.is_reachable(first, stand, kind.profile):
				home = first
				break
		if not groups.has(home):
			groups[home] = []
		groups[home].append(stand)
	for first: Vector2i in groups:
		if groups[first].size() < STANDS_MIN:
			continue
		for stand: Vector2i in groups[first]:
			_cover(stand, COLOURS[regions % COLOURS.size()])
		regions += 1


func _stands() -> Array[Vector2i]:
	var found: Array[Vector2i] = []
	var all := _grid.region
	for y: int in range(all.position.y, all.end.y):
		for x: int in range(all.position.x, all.end.x):
			var cell := Vector2i(x, y)
			if _survey.can_stand(cell, kind.profile):
				found.append(cell)
	return found


func _cover(stand: Vector2i, colour: Color) -> void:
	for y: int in kind.profile.footprint.y:
		for x: int in kind.profile.footprint.x:
			_colours[stand + Vector2i(x, y)] = colour


func _on_cells_changed() -> void:
	_colour_cells()


func _draw() -> void:
	var cell_px := _grid.cell_size
	if kind == null:
		return
	draw_rect(Rect2(Vector2.ZERO, Vector2(_grid.region.size) * cell_px), Color(0, 0, 0, 0.3))
	for cell: Vector2i in _colours:
		var price := kind.price(_grid.get_point_terrain(cell))
		var area := Rect2(Vector2(cell) * cell_px, cell_px)
		draw_rect(area, Color(_colours[cell], 0.34))
		if price > 1.0:
			var mark := area.get_center()
			draw_line(mark - Vector2(3, -3), mark + Vector2(3, -3), Color(_colours[cell], 0.7), 1.2)
	_draw_edges(cell_px)


## A line round every region.
func _draw_edges(cell_px: Vector2) -> void:
	for cell: Vector2i in _colours:
		var area := Rect2(Vector2(cell) * cell_px, cell_px)
		var tint := _colours[cell]
		if not _colours.has(cell + Vector2i.UP):
			draw_rect(Rect2(area.position, Vector2(cell_px.x, 1.5)), tint)
		if not _colours.has(cell + Vector2i.DOWN):
			draw_rect(Rect2(area.position.x, area.end.y - 1.5, cell_px.x, 1.5), tint)
		if not _colours.has(cell + Vector2i.LEFT):
			draw_rect(Rect2(area.position, Vector2(1.5, cell_px.y)), tint)
		if not _colours.has(cell + Vector2i.RIGHT):
			draw_rect(Rect2(area.end.x - 1.5, area.position.y, 1.5, cell_px.y), tint)
