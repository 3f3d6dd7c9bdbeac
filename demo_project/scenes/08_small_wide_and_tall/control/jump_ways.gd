class_name JumpWays
extends Node2D
## The way ahead of each character, in its colour, and a ghost of its body where it will end.

const DASH := 7.0

## Whose way is not drawn, because the overlay shows it.
var left_out: JumpCreature

var _creatures: Array[JumpCreature] = []
var _grid: PathForgeGrid
var _time := 0.0


## Draws the ways of these characters.
func set_up(grid: PathForgeGrid, creatures: Array[JumpCreature]) -> void:
	_grid = grid
	_creatures = creatures


func _process(delta: float) -> void:
	_time += delta
	queue_redraw()


func _draw() -> void:
	for place: int in _creatures.size():
		var creature := _creatures[place]
		var has_way := creature.state == JumpCreature.State.CHASING and creature.path != null
		if has_way and creature != left_out:
			_draw_way(creature, place)


func _draw_way(creature: JumpCreature, place: int) -> void:
	var line := _smooth(creature.path.positions, Vector2(0.0, 2.0 * place - 2.0))
	var tint := Color(creature.colour, 0.85)
	var shift := fposmod(-_time * 16.0, DASH * 2.0)
	var walked := 0.0
	for index: int in line.size() - 1:
		var length := line[index].distance_to(line[index + 1])
		var is_dash := fposmod(walked + shift, DASH * 2.0) < DASH
		if is_dash:
			draw_line(line[index], line[index + 1], Color(0, 0, 0, 0.4), 4.0)
			draw_line(line[index], line[index + 1], tint, 2.0)
		walked += length
	var size := Vector2(creature.profile.footprint) * _grid.cell_size
	var ghost := Rect2(creature.path.positions[-1] - size * 0.5, size).grow(-1.5)
	draw_rect(ghost, Color(creature.colour, 0.16))
	draw_rect(ghost, Color(creature.colour, 0.75), false, 1.5)


## The centres of the cells as a line of short pieces, its steps rounded to arcs.
func _smooth(points: PackedVector2Array, shift: Vector2) -> PackedVector2Array:
	var line := PackedVector2Array()
	for index: int in points.size():
		var mean := Vector2.ZERO
		for side: int in range(-2, 3):
			mean += points[clampi(index + side, 0, points.size() - 1)]
		var point := mean / 5.0 + shift
		if not line.is_empty():
			var before := line[-1]
			for piece: int in range(1, 4):
				line.append(before.lerp(point, piece / 4.0))
		line.append(point)
	return line
