class_name MuseumRoom
extends Node2D
## One room: a grid of its own, a body in it, and the question whether the body can come to the
## goal. Whatever changes in the room, the question is asked again.

## [member why] is new.
signal answered

const CELL := 16.0
const CELLS := Vector2i(13, 10)
const SIZE := Vector2(CELLS) * CELL
## How dangerous danger is, and how far it reaches, in cells.
const DANGER := 6.0
const DANGER_REACH := 3.6

var exhibit: MuseumExhibit
var number := 0
## Who asks, and for where.
var body: PathForgeProfile
var goal := Vector2i.ZERO
## What [method PathForgeGrid.explain] answered last.
var why: PathForgeDiagnosis
## Whether the button is pressed.
var is_helped := false

@onready var grid: PathForgeGrid = $Grid
@onready var _danger: InfluenceMap = $Grid/Danger
@onready var _floor: MuseumFloor = $Floor
@onready var _figure: MuseumFigure = $Figure
@onready var _frame: MuseumFrame = $Frame


func set_up(what: MuseumExhibit, place: int) -> void:
	exhibit = what
	number = place
	grid.terrain_names = ["floor", "water", "bog"]
	grid.influences = [_danger]
	grid.cells_changed.connect(_on_cells_changed)
	_floor.set_up(self)
	_figure.set_up(self)
	_frame.set_up(self)
	restore()


## Makes everything as it was.
func restore() -> void:
	is_helped = false
	body = exhibit.body.duplicate()
	goal = exhibit.goal
	grid.begin_edit()
	_build()
	grid.end_edit()
	_danger.clear()
	for cell: Vector2i in exhibit.cells_of("x"):
		_danger.add_stamp(cell, DANGER, DANGER_REACH)
	_ask()


## Asks again. This is all that there is to it.
func _ask() -> void:
	why = grid.explain(exhibit.start, goal, body)
	answered.emit()


func is_found() -> bool:
	return why.reason == PathForgePath.REASON_NONE


## Presses the button, or lets go of it: then the room is as it was.
func help(is_on: bool) -> void:
	if not is_on:
		restore()
		return
	is_helped = true
	if exhibit.other_body != null:
		body = exhibit.other_body.duplicate()
		_ask()
	elif exhibit.more_columns > 0:
		grid.region = grid.region.grow_individual(0, 0, exhibit.more_columns, 0)
		_ask()
	else:
		_open_what_closes()


## Opens the edit that closed the last path, or else the cells that the answer shows.
func _open_what_closes() -> void:
	var edit: Rect2i = why.closed_by
	if edit.has_area():
		grid.fill_solid_region(edit, false)
		return
	grid.begin_edit()
	for cell: Vector2i in why.cells:
		grid.set_point_solid(cell, false)
	grid.end_edit()


## A visitor's click: a door opens or shuts; elsewhere a crate is put down, or what stands there is
## taken away. Returns whether there is anything of the map.
func use_cell(cell: Vector2i) -> bool:
	if not grid.is_in_boundsv(cell):
		return false
	grid.fill_solid_region(_door_or_cell(cell), not grid.is_point_solid(cell))
	return true


func move_goal(cell: Vector2i) -> void:
	goal = cell
	_ask()


## Makes the body a square of [param side] cells.
func resize_body(side: int) -> void:
	body.footprint = Vector2i(side, side)
	_ask()


## The cell at a point of the room, whether it belongs to the map or not.
func cell_at(point: Vector2) -> Vector2i:
	return Vector2i((point / CELL).floor())


func area() -> Rect2:
	return Rect2(Vector2.ZERO, SIZE)


## The same with its walls and the plate below.
func outer_area() -> Rect2:
	return area().grow(MuseumFrame.WALL).grow_side(SIDE_BOTTOM, MuseumFrame.PLATE)


## Whether the visitor is in here.
func light(is_on: bool) -> void:
	_frame.is_current = is_on


## Shows what a click would do: go into the room or, with the tool, change a door or a cell.
func point_at(is_pointed: bool, is_current: bool, is_building: bool) -> void:
	var cell := cell_at(get_local_mouse_position())
	var target := Rect2i()
	if is_pointed and is_building and grid.is_in_boundsv(cell):
		target = _door_or_cell(cell)
	_frame.hovered = target
	_frame.is_hovered = is_pointed and not is_current


func _door_or_cell(cell: Vector2i) -> Rect2i:
	for door: Rect2i in exhibit.doors():
		if door.has_point(cell):
			return door
	return Rect2i(cell, Vector2i.ONE)


func _build() -> void:
	var rows := exhibit.rows()
	var size := Vector2i(rows[0].length(), rows.size())
	var solid := PackedByteArray()
	var terrain := PackedByteArray()
	var weights := PackedFloat32Array()
	for row: String in rows:
		for glyph: String in row:
			solid.append(int(glyph in MuseumExhibit.SOLID))
			terrain.append(maxi(".~%".find(glyph), 0))
			weights.append(2.5 if glyph == "w" else 1.0)
	grid.region = Rect2i(Vector2i.ZERO, size)
	grid.set_terrain_data(terrain)
	grid.set_weight_data(weights)
	grid.set_solid_data(solid)
	for door: Rect2i in exhibit.doors():
		grid.fill_solid_region(door, true)


func _on_cells_changed(_region: Rect2i) -> void:
	if is_node_ready():
		_ask()
