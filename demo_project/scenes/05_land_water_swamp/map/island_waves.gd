class_name IslandWaves
extends Node2D
## Glints that wander over the water.

const COUNT := 90
## Drawn so many times a second.
const RATE := 12.0

var _spots: Array[Vector2] = []
var _time := 0.0
var _wait := 0.0


func show_map(map: IslandMap, cell_px: float) -> void:
	var water := map.cells_of("~").filter(
		func(cell: Vector2i) -> bool:
			return (
				map.letter(cell + Vector2i.LEFT) == "~" and map.letter(cell + Vector2i.RIGHT) == "~"
			)
	)
	for number: int in COUNT:
		var cell: Vector2i = water[(number * 7919) % water.size()]
		_spots.append((Vector2(cell) + Vector2(0.5, 0.5)) * cell_px)


func _process(delta: float) -> void:
	_time += delta
	_wait -= delta
	if _wait <= 0.0:
		_wait = 1.0 / RATE
		queue_redraw()


func _draw() -> void:
	for number: int in _spots.size():
		var age := fposmod(_time * 0.22 + number * 0.137, 1.0)
		var strength := sin(age * PI) * 0.42
		var at := _spots[number] + Vector2(age * 9.0 - 4.5, sin(number * 2.1) * 4.0)
		var half := Vector2(2.0 + 3.0 * sin(age * PI), 0.0)
		draw_line(at - half, at + half, Color(DemoPalette.WATER_LIGHT, strength), 1.3)
