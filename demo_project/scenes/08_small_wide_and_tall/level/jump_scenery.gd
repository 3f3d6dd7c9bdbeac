class_name JumpScenery
extends RefCounted
## What grows and burns in the level, drawn into whatever asks for it.

const LEAVES := Color("35594a")
const LEAVES_LIGHT := Color("42705a")
const FLAME := Color("ffd98a")
const _GLOW := preload("glow.tres")


static func draw_tree(item: CanvasItem, foot: Vector2, cell: Vector2i) -> void:
	var height := 54.0 + 16.0 * DemoPalette.grain(cell, 1)
	var trunk := Rect2(foot.x - 3.0, foot.y - height * 0.7, 6.0, height * 0.7)
	item.draw_rect(trunk, DemoPalette.WOOD_DARK)
	item.draw_rect(Rect2(trunk.position, Vector2(2.0, trunk.size.y)), DemoPalette.WOOD)
	var crown := foot - Vector2(0.0, height)
	for puff: Vector3 in [
		Vector3(-15, 12, 14), Vector3(15, 13, 13), Vector3(0, 0, 18), Vector3(2, 16, 16)
	]:
		DemoPalette.draw_disc(item, crown + Vector2(puff.x, puff.y), puff.z, LEAVES)
	for puff: Vector3 in [Vector3(-17, 7, 8), Vector3(-4, -6, 10), Vector3(12, 7, 8)]:
		DemoPalette.draw_disc(item, crown + Vector2(puff.x, puff.y), puff.z, LEAVES_LIGHT)


static func draw_bush(item: CanvasItem, foot: Vector2, cell: Vector2i) -> void:
	var grow := 0.8 + 0.4 * DemoPalette.grain(cell, 2)
	for puff: Vector3 in [Vector3(-9, -4, 7), Vector3(8, -5, 8), Vector3(0, -8, 9)]:
		var at := foot + Vector2(puff.x, puff.y) * grow
		DemoPalette.draw_disc(item, at, puff.z * grow, LEAVES)
	DemoPalette.draw_disc(item, foot + Vector2(-3, -11) * grow, 4.0 * grow, LEAVES_LIGHT)


static func draw_lantern(item: CanvasItem, foot: Vector2) -> void:
	var flame := foot - Vector2(0.0, 13.0)
	draw_glow(item, flame, 64.0, Color(FLAME, 0.34))
	item.draw_rect(Rect2(foot.x - 1.5, foot.y - 7.0, 3.0, 7.0), DemoPalette.WALL_DARK)
	item.draw_rect(Rect2(flame - Vector2(4.5, 6.0), Vector2(9.0, 12.0)), DemoPalette.WALL_DARK)
	item.draw_rect(Rect2(flame - Vector2(3.0, 4.5), Vector2(6.0, 9.0)), DemoPalette.WARN)
	item.draw_rect(Rect2(flame - Vector2(1.5, 2.5), Vector2(3.0, 6.0)), FLAME)
	item.draw_rect(Rect2(flame - Vector2(6.0, 7.5), Vector2(12.0, 2.5)), DemoPalette.WALL_FACE)


## Light that fades towards [param radius].
static func draw_glow(item: CanvasItem, middle: Vector2, radius: float, colour: Color) -> void:
	var half := Vector2.ONE * radius
	item.draw_texture_rect(_GLOW, Rect2(middle - half, half * 2.0), false, colour)
