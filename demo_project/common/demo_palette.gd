class_name DemoPalette
extends RefCounted
## The colours of every demo scene: a deep slate ground, cool structures, and warm accents that are
## kept for what moves. The theme (demo_theme.tres) uses the same ones.

## Behind everything.
const INK := Color("0d131a")
## Panels, what is raised on them, and their lines.
const PANEL := Color("151e28")
const PANEL_RAISED := Color("1e2a36")
const LINE := Color("314151")

const TEXT := Color("e8edf2")
const TEXT_DIM := Color("a7b6c4")
const TEXT_FAINT := Color("8193a4")

## Selection, focus, the pointer.
const ACCENT := Color("5fd0c0")
const GOOD := Color("86d08d")
const WARN := Color("ffb454")
const BAD := Color("ff7070")

const GRASS := Color("2e433a")
const GRASS_LIGHT := Color("365044")
const PAVEMENT := Color("3b4853")
const ROAD := Color("4b5762")
const ROAD_MARK := Color("6a7884")

const WATER := Color("235f70")
const WATER_DEEP := Color("1b4f60")
const WATER_LIGHT := Color("6fbac2")
const SHALLOW := Color("4b8a8e")
const BANK := Color("4c564c")

const WALL_TOP := Color("93a3b1")
const WALL_LIGHT := Color("c3d0da")
const WALL_FACE := Color("515f6d")
const WALL_DARK := Color("303c48")
const ROOF := Color("6b8195")
const ROOF_DARK := Color("566a7b")
const BUILT_TOP := Color("b5a88f")
const BUILT_LIGHT := Color("e0d4ba")
const BUILT_FACE := Color("716653")

const WOOD := Color("8b6b4b")
const WOOD_LIGHT := Color("b08d66")
const WOOD_DARK := Color("584230")
const STEEL := Color("5b6976")

const SCOUT := Color("f6c453")
const TANK := Color("f07a55")
const HAULER := Color("ea8ba6")
const BARGE := Color("f0e3c4")

const SHADOW := Color(0.02, 0.04, 0.06, 0.42)

# Loaded when first drawn: in a new clone scripts are read before pictures are imported.
static var _disc: Texture2D


## A disc, drawn as a texture: thousands of them are one draw call, and their rims are smooth.
static func draw_disc(item: CanvasItem, middle: Vector2, radius: float, colour: Color) -> void:
	if not _disc:
		_disc = load("res://common/disc.svg")
	var half := Vector2.ONE * radius
	item.draw_texture_rect(_disc, Rect2(middle - half, half * 2.0), false, colour)


## A number in 0..1 that is always the same for a cell, so that no two neighbours look alike.
static func grain(cell: Vector2i, salt := 0) -> float:
	var mixed := (cell.x * 374761393 + cell.y * 668265263 + salt * 974634541) & 0x7fffffff
	mixed = ((mixed ^ (mixed >> 13)) * 1274126177) & 0x7fffffff
	return float((mixed ^ (mixed >> 16)) & 0xffff) / 65535.0


## A strip of [param thick] pixels along one side of an area.
static func edge(area: Rect2, side: Vector2i, thick: float) -> Rect2:
	match side:
		Vector2i.UP:
			return Rect2(area.position, Vector2(area.size.x, thick))
		Vector2i.DOWN:
			return Rect2(area.position.x, area.end.y - thick, area.size.x, thick)
		Vector2i.LEFT:
			return Rect2(area.position, Vector2(thick, area.size.y))
	return Rect2(area.end.x - thick, area.position.y, thick, area.size.y)
