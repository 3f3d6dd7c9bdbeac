class_name JumpLevel
extends Node2D
## The level: its cells as the grid knows them, and colliders for the same cells. Reads them
## from a text, and changes them while all run.

signal cells_changed

enum Kind { AIR, GROUND, PLANK }

const WALL_HEIGHT := 40.0

## Letters of the text, row by row: what each cell looks like.
var looks: Array[PackedByteArray] = []
var size := Vector2i.ZERO
## What the text has behind each cell, whatever is put there: the inside of the ruin or the earth.
var backs: Array[PackedByteArray] = []
## Lines below the map: a word and a cell each.
var things: Array[Thing] = []

var _grid: PathForgeGrid
var _body := StaticBody2D.new()
var _planks := StaticBody2D.new()


## Something that is somewhere in the level.
class Thing:
	var word := &""
	var cell := Vector2i.ZERO


## Reads [param file] into [param grid].
func set_up(grid: PathForgeGrid, file: String) -> void:
	_grid = grid
	add_child(_body)
	add_child(_planks)
	for line: String in FileAccess.get_file_as_string(file).split("\n", false):
		if line.begins_with("# "):
			continue
		if line.contains(" "):
			var thing := Thing.new()
			thing.word = line.get_slice(" ", 0)
			thing.cell = Vector2i(line.get_slice(" ", 1).to_int(), line.get_slice(" ", 2).to_int())
			things.append(thing)
		else:
			looks.append(line.to_ascii_buffer())
	size = Vector2i(looks[0].size(), looks.size())
	for row: PackedByteArray in looks:
		backs.append(row.duplicate())
	_fill_grid()
	_build()


## What a cell is to a body; ground outside the level.
func kind(cell: Vector2i) -> Kind:
	if not Rect2i(Vector2i.ZERO, size).has_point(cell):
		return Kind.GROUND
	if _grid.is_point_solid(cell):
		return Kind.GROUND
	return Kind.PLANK if _grid.is_point_one_way(cell) else Kind.AIR


## The ground cell below [param cell]; for a plank, the cell above it.
func ground_under(cell: Vector2i) -> Vector2i:
	if kind(cell) == Kind.PLANK:
		cell += Vector2i.UP
	while kind(cell + Vector2i.DOWN) == Kind.AIR:
		cell += Vector2i.DOWN
	return cell


## The letter of a cell in the text, or of what was put there since.
func look(cell: Vector2i) -> String:
	return char(looks[cell.y][cell.x])


## The letter of what lies behind a cell: w, c, or anything else for the open air.
func back(cell: Vector2i) -> String:
	return char(backs[cell.y][cell.x])


## Whether the player may change a cell: all but the lowest row.
func is_free_to_change(cell: Vector2i) -> bool:
	return Rect2i(Vector2i.ZERO, size - Vector2i(0, 1)).has_point(cell)


## Makes a cell ground, plank or air.
func set_kind(cell: Vector2i, new_kind: Kind) -> void:
	if not is_free_to_change(cell) or kind(cell) == new_kind:
		return
	_grid.begin_edit()
	_grid.set_point_solid(cell, new_kind == Kind.GROUND)
	_grid.set_point_one_way(cell, new_kind == Kind.PLANK)
	_grid.end_edit()
	match new_kind:
		Kind.GROUND:
			looks[cell.y][cell.x] = "#".unicode_at(0)
		Kind.PLANK:
			looks[cell.y][cell.x] = "=".unicode_at(0)
		_:
			looks[cell.y][cell.x] = ".".unicode_at(0)
	_build()
	cells_changed.emit()


## The whole use of PathForge before the first query: a region, and what is solid or one-way.
func _fill_grid() -> void:
	_grid.region = Rect2i(Vector2i.ZERO, size)
	var solid := PackedByteArray()
	var one_way := PackedByteArray()
	for row: PackedByteArray in looks:
		for letter: int in row:
			solid.append(1 if "#s".contains(char(letter)) else 0)
			one_way.append(1 if letter == "=".unicode_at(0) else 0)
	_grid.set_solid_data(solid)
	_grid.set_one_way_data(one_way)


func _build() -> void:
	for body: StaticBody2D in [_body, _planks]:
		for old: Node in body.get_children():
			body.remove_child(old)
			old.queue_free()
	for y: int in size.y:
		var x := 0
		while x < size.x:
			var this := kind(Vector2i(x, y))
			var end := x + 1
			while end < size.x and kind(Vector2i(end, y)) == this:
				end += 1
			if this != Kind.AIR:
				_add_box(Rect2(x, y, end - x, 1), this == Kind.PLANK)
			x = end
	var height := size.y + WALL_HEIGHT
	_add_box(Rect2(-1.0, -WALL_HEIGHT, 1.0, height), false)
	_add_box(Rect2(size.x, -WALL_HEIGHT, 1.0, height), false)


func _add_box(cells: Rect2, is_plank: bool) -> void:
	var rectangle := RectangleShape2D.new()
	rectangle.size = cells.size * _grid.cell_size
	var shape := CollisionShape2D.new()
	shape.shape = rectangle
	shape.position = cells.get_center() * _grid.cell_size
	shape.one_way_collision = is_plank
	(_planks if is_plank else _body).add_child(shape)
