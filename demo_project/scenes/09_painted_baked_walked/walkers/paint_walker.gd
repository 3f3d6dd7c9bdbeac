class_name PaintWalker
extends Node2D
## A body that walks with an ordinary NavigationAgent2D. What the polygon was baked for is its own
## size, so it needs to know nothing about walls.

const SPEED := 74.0

@export var half := Vector2.ONE
@export var colour := Color.WHITE

## Whether a right click sends it.
var is_selected := true:
	set(value):
		is_selected = value
		queue_redraw()

var _rest := 0.0
var _hold := 0.0
var _is_there := false
## All on its board.
var _walkers: Array[PaintWalker] = []
var _random := RandomNumberGenerator.new()

@onready var agent: NavigationAgent2D = $Agent


## Chooses the navigation layer of its board, and whom it keeps clear of where it rests.
func set_up(board: int, walkers: Array[PaintWalker]) -> void:
	_walkers = walkers
	_random.seed = 31 + walkers.find(self) * 7 + board
	agent.navigation_layers = 1 << board
	visible = false


## Its box on its board.
func body() -> Rect2:
	return box_at(position)


## Its box with its middle at a spot of its board.
func box_at(spot: Vector2) -> Rect2:
	return Rect2(spot - half, half * 2.0)


## Where it stands in the end.
func goal_box() -> Rect2:
	var home: Node2D = get_parent()
	return box_at(home.to_local(agent.target_position))


## Starts somewhere on the map.
func appear() -> void:
	global_position = _anywhere()
	agent.target_position = global_position
	visible = true
	_is_there = true


## Goes to a global place, and rests there for a while.
func go_to(place: Vector2, rest: float) -> void:
	agent.target_position = place
	_rest = rest


## Stands still until the navigation map has taken over what was baked, then looks for a way again.
func wait_for_map() -> void:
	_hold = 0.12


## The way ahead, in the parent's space.
func way() -> PackedVector2Array:
	var points := PackedVector2Array([position])
	if agent.is_navigation_finished():
		return points
	var path := agent.get_current_navigation_path()
	var home: Node2D = get_parent()
	for index: int in range(agent.get_current_navigation_path_index(), path.size()):
		points.append(home.to_local(path[index]))
	return points


func _physics_process(delta: float) -> void:
	if not _is_there:
		return
	if _hold > 0.0:
		_hold -= delta
		if _hold <= 0.0:
			agent.target_position = agent.target_position
		return
	if agent.is_navigation_finished():
		_rest -= delta
		if _rest <= 0.0:
			_wander()
		return
	var next := agent.get_next_path_position()
	global_position = global_position.move_toward(next, SPEED * delta)
	queue_redraw()


func _draw() -> void:
	if is_selected:
		DemoMarks.draw_ring(self, Vector2.ZERO, half * 2.0, 0.0)


## To somewhere that can be reached, if it is found within a few tries.
func _wander() -> void:
	for _try: int in 6:
		go_to(_anywhere(), _random.randf_range(0.4, 1.6))
		if agent.is_target_reachable():
			return


## A place where no other is or goes, if one is found within a few tries.
func _anywhere() -> Vector2:
	var map := agent.get_navigation_map()
	var home: Node2D = get_parent()
	var place := Vector2.ZERO
	for _try: int in 12:
		place = NavigationServer2D.map_get_random_point(map, agent.navigation_layers, true)
		if not _walkers.any(_is_in.bind(box_at(home.to_local(place)))):
			break
	return place


func _is_in(other: PaintWalker, box: Rect2) -> bool:
	return other != self and (other.goal_box().intersects(box) or other.body().intersects(box))


## Whether it has come to where it was sent.
func is_at_rest() -> bool:
	return agent.is_navigation_finished()
