@tool
extends RefCounted
## One stroke of the brush: it paints at once, remembers what was there, and becomes one undo step.

const ToolState := preload("tool_state.gd")
const NAMES: PackedStringArray = ["Solid", "One-Way", "Terrain", "Weight"]

var _grid: PathForgeGrid = null
var _paint := ToolState.Paint.SOLID
var _value: Variant = null
var _size := 1
var _last := Vector2i.MIN
## The places that were painted, in their order, and their cells before each.
var _places: Array[Rect2i] = []
var _before: Array[PackedByteArray] = []


func _init(grid: PathForgeGrid, state: ToolState, erases: bool) -> void:
	_grid = grid
	_paint = state.paint
	_size = state.brush_size
	match _paint:
		ToolState.Paint.SOLID, ToolState.Paint.ONE_WAY:
			_value = not erases
		ToolState.Paint.TERRAIN:
			_value = 0 if erases else state.terrain
		ToolState.Paint.WEIGHT:
			_value = 1.0 if erases else state.weight


## Paints straight on to [param cell], the top-left cell of the brush.
func go_to(cell: Vector2i) -> void:
	var from := cell if _last == Vector2i.MIN else _last
	_last = cell
	var corner := Vector2i(mini(from.x, cell.x), mini(from.y, cell.y))
	var place := Rect2i(corner, (cell - from).abs() + Vector2i(_size, _size))
	place = place.intersection(_grid.region)
	if not place.has_area():
		return
	_places.append(place)
	_before.append(_grid.copy_cells(place))
	_grid.begin_edit()
	for at: Vector2i in line(from, cell):
		_dab(Rect2i(at, Vector2i(_size, _size)))
	_grid.end_edit()


## Makes the stroke one undo step, unless it changed nothing. Nothing of the plugin is needed to
## undo and redo it.
func commit(undo_redo: EditorUndoRedoManager) -> void:
	var after: Array[PackedByteArray] = []
	for place: Rect2i in _places:
		after.append(_grid.copy_cells(place))
	if after == _before:
		return
	undo_redo.create_action("Paint %s Cells" % NAMES[_paint], UndoRedo.MERGE_DISABLE, _grid)
	undo_redo.add_do_method(_grid, &"begin_edit")
	undo_redo.add_undo_method(_grid, &"begin_edit")
	for at: int in _places.size():
		undo_redo.add_do_method(_grid, &"paste_cells", after[at])
		# The last place first: an earlier one may hold what a later one painted over.
		undo_redo.add_undo_method(_grid, &"paste_cells", _before[-1 - at])
	undo_redo.add_do_method(_grid, &"end_edit")
	undo_redo.add_undo_method(_grid, &"end_edit")
	undo_redo.commit_action(false)


func _dab(cells: Rect2i) -> void:
	match _paint:
		ToolState.Paint.SOLID:
			_grid.fill_solid_region(cells, _value as bool)
		ToolState.Paint.ONE_WAY:
			_grid.fill_one_way_region(cells, _value as bool)
		ToolState.Paint.TERRAIN:
			_grid.fill_terrain_region(cells, _value as int)
		ToolState.Paint.WEIGHT:
			_grid.fill_weight_scale_region(cells, _value as float)


## The cells from [param from] to [param to], neighbours in a row.
static func line(from: Vector2i, to: Vector2i) -> Array[Vector2i]:
	var cells: Array[Vector2i] = []
	var way := to - from
	var steps := maxi(maxi(absi(way.x), absi(way.y)), 1)
	for step: int in steps + 1:
		cells.append(from + Vector2i((Vector2(way) * step / steps).round()))
	return cells
