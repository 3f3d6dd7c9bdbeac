class_name TownBridge
extends TownGate
## A drawbridge: lowered, its cells are land for those who drive; raised, they are the water below
## it. A change of terrain, not of solid cells.


func title() -> String:
	return "Drawbridge, %d wide" % cells.size.y


func apply() -> void:
	_grid.fill_terrain_region(cells, TownMap.WATER if is_open else TownMap.LAND)


func _draw() -> void:
	var size := Vector2(cells.size) * _cell
	var leaf := size.x * 0.5 * (1.0 - _openness)
	if leaf > 0.5:
		draw_rect(Rect2(Vector2(0.0, size.y), Vector2(leaf, 5.0)), DemoPalette.SHADOW)
		draw_rect(Rect2(Vector2(size.x - leaf, size.y), Vector2(leaf, 5.0)), DemoPalette.SHADOW)
		_draw_deck(Rect2(Vector2.ZERO, Vector2(leaf, size.y)), 1.0)
		_draw_deck(Rect2(Vector2(size.x - leaf, 0.0), Vector2(leaf, size.y)), -1.0)
	for left: bool in [true, false]:
		var x := -7.0 if left else size.x - 1.0
		draw_rect(Rect2(x, -2.0, 8.0, size.y + 4.0), DemoPalette.WALL_DARK)
		var slab := 6.0 * _openness
		draw_rect(Rect2(x + 1.0, -1.0, 6.0, size.y + 2.0), DemoPalette.STEEL)
		if slab > 0.5:
			draw_rect(Rect2(x + 1.0, 2.0, slab, size.y - 4.0), DemoPalette.WOOD_LIGHT)
	for corner: Vector2 in [
		Vector2(-3.0, -3.0),
		Vector2(size.x + 3.0, -3.0),
		Vector2(-3.0, size.y + 3.0),
		size + Vector2.ONE * 3.0
	]:
		_draw_tower(corner)


func _draw_deck(area: Rect2, outward: float) -> void:
	draw_rect(area, DemoPalette.WOOD)
	var plank := 0.0
	var hinge := area.position.x if outward > 0.0 else area.end.x
	while plank < area.size.x:
		draw_rect(
			Rect2(hinge + plank * outward, area.position.y, 1.0, area.size.y),
			DemoPalette.WOOD_DARK.lerp(DemoPalette.WOOD, 0.35)
		)
		plank += 5.0
	for y: float in [area.position.y, area.end.y - 3.0]:
		draw_rect(Rect2(area.position.x, y, area.size.x, 3.0), DemoPalette.WOOD_DARK)
		draw_rect(Rect2(area.position.x, y, area.size.x, 1.0), DemoPalette.WOOD_LIGHT)


func _draw_tower(middle: Vector2) -> void:
	DemoPalette.draw_disc(self, middle + Vector2(1.5, 2.0), 6.0, DemoPalette.SHADOW)
	DemoPalette.draw_disc(self, middle, 6.0, DemoPalette.WALL_FACE)
	DemoPalette.draw_disc(self, middle, 4.5, DemoPalette.WALL_TOP)
	DemoPalette.draw_disc(self, middle, 2.0, DemoPalette.WARN if is_open else DemoPalette.GOOD)
