class_name TownWaterEdge
extends Node2D
## What lies on the water's rim and bed: banks with their shadow, and the stones of the ford.

var _map: TownMap
var _cell := 20.0


func show_map(map: TownMap, cell_px: float) -> void:
	_map = map
	_cell = cell_px
	queue_redraw()


func _draw() -> void:
	if _map == null:
		return
	for y: int in _map.size.y:
		for x: int in _map.size.x:
			var cell := Vector2i(x, y)
			if _map.letter(cell) == ",":
				_draw_ford(cell)
	for y: int in _map.size.y:
		for x: int in _map.size.x:
			if _map.is_water(Vector2i(x, y)):
				_draw_banks(Vector2i(x, y))


func _draw_ford(cell: Vector2i) -> void:
	var corner := Vector2(cell) * _cell
	var bed := DemoPalette.SHALLOW
	bed.a = 0.62
	draw_rect(Rect2(corner, Vector2.ONE * _cell), bed)
	for stone: int in 3:
		var spot := Vector2(
			DemoPalette.grain(cell, 10 + stone), DemoPalette.grain(cell, 20 + stone)
		)
		var middle := corner + Vector2(3.0, 3.0) + spot * (_cell - 6.0)
		var radius := 1.2 + 1.6 * DemoPalette.grain(cell, 30 + stone)
		var tint := DemoPalette.SHALLOW.lightened(0.12 + 0.16 * DemoPalette.grain(cell, 40 + stone))
		DemoPalette.draw_disc(
			self, middle + Vector2(0.8, 1.0), radius, Color(DemoPalette.WATER_DEEP, 0.55)
		)
		DemoPalette.draw_disc(self, middle, radius, tint)


func _draw_banks(cell: Vector2i) -> void:
	var corner := Vector2(cell) * _cell
	var foam := Color(DemoPalette.WATER_LIGHT, 0.45)
	if _is_land(cell + Vector2i.UP):
		draw_rect(Rect2(corner, Vector2(_cell, 4.0)), DemoPalette.BANK.darkened(0.28))
		draw_rect(Rect2(corner, Vector2(_cell, 1.5)), DemoPalette.BANK.lightened(0.12))
		draw_rect(Rect2(corner + Vector2(0.0, 4.0), Vector2(_cell, 3.0)), Color(0, 0, 0, 0.22))
		draw_rect(Rect2(corner + Vector2(0.0, 4.0), Vector2(_cell, 1.0)), foam)
	if _is_land(cell + Vector2i.DOWN):
		draw_rect(Rect2(corner + Vector2(0.0, _cell - 1.5), Vector2(_cell, 1.5)), foam)
	if _is_land(cell + Vector2i.LEFT):
		draw_rect(Rect2(corner, Vector2(2.0, _cell)), DemoPalette.BANK.lightened(0.02))
		draw_rect(Rect2(corner + Vector2(2.0, 0.0), Vector2(3.0, _cell)), Color(0, 0, 0, 0.16))
		draw_rect(Rect2(corner + Vector2(2.0, 0.0), Vector2(1.0, _cell)), foam)
	if _is_land(cell + Vector2i.RIGHT):
		draw_rect(Rect2(corner + Vector2(_cell - 1.5, 0.0), Vector2(1.5, _cell)), foam)


func _is_land(cell: Vector2i) -> bool:
	return _map.has_cell(cell) and not _map.is_water(cell)
