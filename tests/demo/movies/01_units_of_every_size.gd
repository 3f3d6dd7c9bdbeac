extends RefCounted
## Units of every size set out, and a gate opens for the one that has no other way.

const DemoMovie := preload("../demo_movie.gd")
const DemoPlayer := preload("../demo_player.gd")

## The places of units in the map's file, and where they go.
const ORDERS: Dictionary[int, Vector2i] = {
	1: Vector2i(44, 9),
	3: Vector2i(13, 4),
	4: Vector2i(41, 9),
	6: Vector2i(13, 15),
	7: Vector2i(28, 20),
	8: Vector2i(4, 11),
	10: Vector2i(21, 5),
	11: Vector2i(38, 3),
	13: Vector2i(33, 14),
}
const GATE := Vector2i(21, 12)


func play(runner: DemoPlayer, movie: DemoMovie) -> void:
	var scene := runner.scene()
	(scene.get_node(^"Tour") as DemoTour).end()
	var units: TownUnits = scene.get_node(^"Units")
	for place: int in ORDERS:
		units.all[place].send(ORDERS[place])
	await movie.seconds(1.2)
	_open_gate(runner, scene.get_node(^"Grid") as Node2D)
	await movie.seconds(5.8)


## A click while the movie goes on; the pointer leaves, as the gate is marked below it.
func _open_gate(runner: DemoPlayer, grid: Node2D) -> void:
	await runner.click(runner.cell_on_screen(grid, GATE))
	await runner.move(Vector2.ZERO)
