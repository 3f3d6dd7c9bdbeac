class_name WorldBuilder
extends RefCounted
## Draws what is narrow into the pictures of the map: rivers, roads and houses.

## What stands in the picture of marks; heights and woods stay below.
const ROAD := 255
const HOUSE := 254
const RIVER_RADIUS := 5
const ROAD_RADIUS := 2
const SQUARE_RADIUS := 9
const HOUSES := 90

## Roads and houses, with transparency elsewhere.
var marks := Image.create_empty(WorldMaker.SIDE, WorldMaker.SIDE, false, Image.FORMAT_LA8)

var _heights: Image
var _random := RandomNumberGenerator.new()


func _init(heights: Image, map_seed: int) -> void:
	_heights = heights
	_random.seed = map_seed


## Rivers are wider further down.
func run_rivers(rivers: Array[PackedVector2Array]) -> void:
	for river: PackedVector2Array in rivers:
		for part: int in 3:
			var below := river.slice(river.size() * part / 3)
			_stamp(_heights, below, RIVER_RADIUS + part * 2, WorldShape.SEA - 16)


func lay_roads(roads: Array[PackedVector2Array]) -> void:
	for road: PackedVector2Array in roads:
		_stamp(marks, road, ROAD_RADIUS, ROAD)


## Houses round a square.
func build_town(middle: Vector2i) -> void:
	_stamp(marks, PackedVector2Array([middle, middle + Vector2i.RIGHT]), SQUARE_RADIUS, ROAD)
	for _house: int in HOUSES:
		var spread := Vector2(_random.randfn(0.0, 34.0), _random.randfn(0.0, 34.0))
		var size := Vector2i(_random.randi_range(5, 10), _random.randi_range(5, 10))
		var house := Rect2i(middle + Vector2i(spread), size)
		if _is_free(house.grow(4)):
			marks.fill_rect(house, Color8(HOUSE, HOUSE, HOUSE))


## Whether nothing is built there, and there is dry and level ground.
func _is_free(area: Rect2i) -> bool:
	for y: int in range(area.position.y, area.end.y, 2):
		for x: int in range(area.position.x, area.end.x, 2):
			var height := _heights.get_pixel(x, y).r8
			if marks.get_pixel(x, y).r8 != 0 or height < WorldShape.SEA + 2:
				return false
			if height >= WorldShape.ROCK:
				return false
	return true


## Draws a line of a width into a picture, as discs.
func _stamp(picture: Image, line: PackedVector2Array, radius: int, value: int) -> void:
	var side := radius * 2 + 1
	var disc := Image.create_empty(side, side, false, picture.get_format())
	disc.fill(Color8(value, value, value))
	var mask := Image.create_empty(side, side, false, Image.FORMAT_LA8)
	for y: int in side:
		for x: int in side:
			if Vector2(x - radius, y - radius).length() < radius + 0.4:
				mask.set_pixel(x, y, Color.WHITE)
	var area := Rect2i(0, 0, side, side)
	for at: int in line.size() - 1:
		var steps := ceili(line[at].distance_to(line[at + 1]) / maxf(radius * 0.5, 1.0))
		for step: int in steps + 1:
			var middle := Vector2i(line[at].lerp(line[at + 1], float(step) / steps))
			picture.blit_rect_mask(disc, mask, area, middle - Vector2i.ONE * radius)
