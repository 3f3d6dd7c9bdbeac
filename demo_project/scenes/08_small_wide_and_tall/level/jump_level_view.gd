class_name JumpLevelView
extends Node2D
## Draws the level: earth under grass, the stones of the ruin, planks, and what stands about.

const EARTH := Color("3a3f3d")
const EARTH_DARK := Color("303634")
const EARTH_LIGHT := Color("4a4d47")
const CAVE := Color("20282a")
const INSIDE := Color("1a242e")
const INSIDE_LIGHT := Color("202c37")

var _level: JumpLevel
var _cell := 20.0


## Shows [param level] with cells of [param cell_px] pixels.
func set_up(level: JumpLevel, cell_px: float) -> void:
	_level = level
	_cell = cell_px
	_level.cells_changed.connect(queue_redraw)
	queue_redraw()


func _draw() -> void:
	if _level == null:
		return
	var cells: Array[Vector2i] = []
	for y: int in _level.size.y:
		for x: int in _level.size.x:
			cells.append(Vector2i(x, y))
	for cell: Vector2i in cells:
		if _is_inside(cell):
			_draw_inside(cell)
		elif _level.back(cell) == "c" or _level.back(cell) == "#":
			_draw_cave(cell)
	for thing: JumpLevel.Thing in _level.things:
		if _stands(thing.cell):
			_draw_thing(thing)
	for cell: Vector2i in cells:
		match _level.look(cell):
			"#":
				_draw_earth(cell)
			"s":
				_draw_stone(cell)
	for cell: Vector2i in cells:
		if _is_block(cell):
			_draw_rims(cell)
		elif _level.look(cell) == "=":
			_draw_plank(cell)


func _is_block(cell: Vector2i) -> bool:
	return _level.kind(cell) == JumpLevel.Kind.GROUND


func _is_inside(cell: Vector2i) -> bool:
	var is_shaft := cell.x > 22 and cell.x < 25 and cell.y > 10 and cell.y < 22
	return _level.back(cell) == "w" or is_shaft


func _stands(cell: Vector2i) -> bool:
	return not _is_block(cell) and _level.kind(cell + Vector2i.DOWN) != JumpLevel.Kind.AIR


func _rect(cell: Vector2i) -> Rect2:
	return Rect2(Vector2(cell) * _cell, Vector2.ONE * _cell)


func _draw_inside(cell: Vector2i) -> void:
	var area := _rect(cell)
	draw_rect(area, INSIDE)
	var brick := Rect2(area.position + Vector2(1.0, 1.0), Vector2(_cell - 2.0, _cell * 0.5 - 2.0))
	draw_rect(brick, INSIDE_LIGHT)
	brick.position.y += _cell * 0.5
	if DemoPalette.grain(cell, 3) < 0.6:
		draw_rect(brick, INSIDE_LIGHT)
	if _is_block(cell + Vector2i.UP):
		draw_rect(Rect2(area.position, Vector2(_cell, 5.0)), DemoPalette.SHADOW)


func _draw_cave(cell: Vector2i) -> void:
	var area := _rect(cell)
	draw_rect(area, CAVE.darkened(0.25 * DemoPalette.grain(cell, 6)))
	if _is_block(cell + Vector2i.UP):
		draw_rect(Rect2(area.position, Vector2(_cell, 4.0)), DemoPalette.SHADOW)


func _draw_earth(cell: Vector2i) -> void:
	var area := _rect(cell)
	draw_rect(area, EARTH.lerp(EARTH_DARK, DemoPalette.grain(cell, 1)))
	for pebble: int in 2:
		if DemoPalette.grain(cell, 10 + pebble) < 0.45:
			var spot := Vector2(
				DemoPalette.grain(cell, 20 + pebble), DemoPalette.grain(cell, 30 + pebble)
			)
			var at := area.position + spot * (_cell - 6.0)
			var wide := 3.0 + 3.0 * DemoPalette.grain(cell, 40 + pebble)
			draw_rect(Rect2(at, Vector2(wide, 2.5)), EARTH_LIGHT)


func _draw_stone(cell: Vector2i) -> void:
	var area := _rect(cell)
	var tint := DemoPalette.WALL_FACE.darkened(0.16 * DemoPalette.grain(cell, 5))
	draw_rect(area, tint)
	var dark := DemoPalette.WALL_DARK
	draw_rect(Rect2(area.position + Vector2(0.0, _cell - 1.5), Vector2(_cell, 1.5)), dark)
	var joint := 0.0 if cell.y % 2 == 0 else _cell * 0.5
	draw_rect(Rect2(area.position + Vector2(joint, 0.0), Vector2(1.5, _cell)), dark)
	var shine := Color(DemoPalette.WALL_TOP, 0.22)
	draw_rect(Rect2(area.position + Vector2(joint + 2.0, 1.0), Vector2(7.0, 1.5)), shine)


## Grass or coping on top, shade below and at the sides, where a block ends.
func _draw_rims(cell: Vector2i) -> void:
	var area := _rect(cell)
	var is_earth := _level.look(cell) == "#"
	if not _is_block(cell + Vector2i.DOWN):
		draw_rect(Rect2(area.position + Vector2(0.0, _cell - 3.0), Vector2(_cell, 3.0)), _shade())
	if not _is_block(cell + Vector2i.RIGHT):
		draw_rect(Rect2(area.position + Vector2(_cell - 2.0, 0.0), Vector2(2.0, _cell)), _shade())
	if _is_block(cell + Vector2i.UP):
		return
	if is_earth and cell.y < 26 or is_earth and not _is_roofed(cell):
		_draw_grass(cell, area)
	else:
		var top := DemoPalette.WALL_LIGHT if not is_earth else EARTH_LIGHT
		draw_rect(Rect2(area.position, Vector2(_cell, 3.0)), top)
		draw_rect(Rect2(area.position + Vector2(0.0, 3.0), Vector2(_cell, 2.0)), _shade())


func _is_roofed(cell: Vector2i) -> bool:
	for up: int in range(1, 5):
		if _level.kind(cell + Vector2i.UP * up) != JumpLevel.Kind.AIR:
			return true
	return false


func _shade() -> Color:
	return Color(0.02, 0.04, 0.06, 0.35)


func _draw_grass(cell: Vector2i, area: Rect2) -> void:
	var green := Color("4f7a5c")
	draw_rect(Rect2(area.position, Vector2(_cell, 5.0)), green.darkened(0.25))
	draw_rect(Rect2(area.position, Vector2(_cell, 3.0)), green)
	for blade: int in 5:
		var x := (
			area.position.x + _cell * (blade + 0.2 + 0.6 * DemoPalette.grain(cell, blade)) / 5.0
		)
		var hang := 5.0 + 5.0 * DemoPalette.grain(cell, 50 + blade)
		draw_rect(Rect2(x - 1.5, area.position.y + 3.0, 3.0, hang - 3.0), green.darkened(0.3))
		var rise := 2.0 + 4.0 * DemoPalette.grain(cell, 60 + blade)
		var foot := Vector2(x, area.position.y)
		var lean := Vector2(2.0 * DemoPalette.grain(cell, 70 + blade) - 1.0, -rise)
		draw_line(foot, foot + lean, green.lightened(0.12), 1.5)


func _draw_plank(cell: Vector2i) -> void:
	var area := _rect(cell)
	var begins := _level.kind(cell + Vector2i.LEFT) != JumpLevel.Kind.PLANK
	var ends := _level.kind(cell + Vector2i.RIGHT) != JumpLevel.Kind.PLANK
	draw_rect(Rect2(area.position, Vector2(_cell, 5.0)), DemoPalette.WOOD)
	draw_rect(Rect2(area.position, Vector2(_cell, 1.5)), DemoPalette.WOOD_LIGHT)
	draw_rect(Rect2(area.position + Vector2(0.0, 5.0), Vector2(_cell, 2.0)), DemoPalette.WOOD_DARK)
	var seam := 4.0 + 12.0 * DemoPalette.grain(cell, 80)
	draw_rect(Rect2(area.position + Vector2(seam, 1.5), Vector2(1.0, 3.5)), DemoPalette.WOOD_DARK)
	if begins or ends:
		var x := 1.0 if begins else _cell - 4.0
		var post := Rect2(area.position + Vector2(x, 7.0), Vector2(3.0, 6.0))
		draw_rect(post, DemoPalette.WOOD_DARK)


func _draw_thing(thing: JumpLevel.Thing) -> void:
	var foot := (Vector2(thing.cell) + Vector2(0.5, 1.0)) * _cell
	match thing.word:
		&"tree":
			JumpScenery.draw_tree(self, foot, thing.cell)
		&"bush":
			JumpScenery.draw_bush(self, foot, thing.cell)
		&"lantern":
			JumpScenery.draw_lantern(self, foot)
