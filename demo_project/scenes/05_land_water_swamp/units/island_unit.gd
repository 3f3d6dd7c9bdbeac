class_name IslandUnit
extends Node2D
## A unit that walks with a PathForgeAgent2D, and knows why when it cannot. Its position is the
## middle of its body. Agents keep clear of each other and make way by themselves.

@export var kind: IslandKind

var is_selected := false
## Where its front points, in radians.
var heading := 0.0
## The cell that it was sent to, and the stand that it takes to cover it.
var wish := Vector2i.ZERO
var goal := Vector2i.ZERO
## What [method PathForgeGrid.explain] says when there is no way; null otherwise.
var why: PathForgeDiagnosis

var _grid: PathForgeGrid
var _motion := 0.0
var _time := 0.0

@onready var agent: PathForgeAgent2D = $Agent


func set_up(grid: PathForgeGrid, cell: Vector2i) -> void:
	_grid = grid
	wish = cell
	goal = cell
	position = grid.cell_to_local(cell, kind.profile)
	_time = cell.x * 0.37
	agent.grid = grid
	agent.profile = kind.profile
	agent.navigation_failed.connect(_on_agent_navigation_failed.unbind(1))
	agent.path_changed.connect(_on_agent_path_changed)


## Sends it to a cell. The same cell once more is asked for anew.
func send(cell: Vector2i) -> void:
	wish = cell
	goal = stand_for(cell)
	why = null
	agent.stop()
	agent.target_position = _grid.cell_to_local(goal, kind.profile)


## The placement that it takes to cover a cell: of all that it can get to, the one with its middle
## nearest to the cell. Without any, it is centred on the cell, so that the unit can say why not.
func stand_for(cell: Vector2i) -> Vector2i:
	var middle := cell - (kind.profile.footprint - Vector2i.ONE) / 2
	var best := Vector2i.MIN
	for y: int in range(cell.y - kind.profile.footprint.y + 1, cell.y + 1):
		for x: int in range(cell.x - kind.profile.footprint.x + 1, cell.x + 1):
			var here := Vector2i(x, y)
			var is_nearer := (
				best == Vector2i.MIN
				or here.distance_squared_to(middle) < best.distance_squared_to(middle)
			)
			if is_nearer and can_reach(here):
				best = here
	return middle if best == Vector2i.MIN else best


## What the grid knows without a search.
func can_reach(to: Vector2i) -> bool:
	return _grid.is_reachable(stand(), to, kind.profile)


## The stand that it is on, or nearest to.
func stand() -> Vector2i:
	return _grid.local_to_cell(position, kind.profile)


func body() -> Rect2:
	var size := Vector2(kind.profile.footprint) * _grid.cell_size
	return Rect2(position - size * 0.5, size)


## What keeps clear of others: see [member PathForgeAgent2D.radius].
func radius() -> float:
	return (kind.profile.footprint.x * 0.5 - 0.1) * _grid.cell_size.x


## In words, why it has no way; empty when it has one.
func refusal() -> String:
	return why.text if why != null else ""


## After a change of the map: what keeps it may be another thing.
func explain_again() -> void:
	if why != null:
		why = _reason()


func is_under_way() -> bool:
	return not agent.is_navigation_finished()


## The way ahead, from where it is.
func way() -> PackedVector2Array:
	var points := PackedVector2Array([position])
	if is_under_way():
		var all := agent.get_current_navigation_path()
		points.append_array(all.slice(agent.get_current_navigation_path_index()))
	return points


func _physics_process(delta: float) -> void:
	var pace := kind.speed * _grid.cell_size.x  # Slower where its profile pays more.
	var velocity := agent.get_next_velocity(pace)  # Also at rest: it makes way for others.
	position += velocity * delta
	var is_moving := is_under_way() and velocity.length() > pace * 0.02
	# At rest along the cells, as it came.
	var aim := velocity.angle() if is_moving else snappedf(heading, PI * 0.5)
	heading = lerp_angle(heading, aim, 1.0 - exp(-9.0 * delta))
	_motion = move_toward(_motion, float(is_moving), delta * 3.0)


func _process(delta: float) -> void:
	_time += delta
	queue_redraw()


## About the cell that was clicked: the body has to cover it, from whichever stand.
func _reason() -> PathForgeDiagnosis:
	return _grid.explain(stand(), wish, kind.profile, PathForgeGrid.GOAL_COVER)


## Another stand over the same cell may be left.
func _on_agent_navigation_failed() -> void:
	if goal != stand_for(wish):
		send(wish)
	else:
		why = _reason()


func _on_agent_path_changed() -> void:
	why = null


func _draw() -> void:
	var size := Vector2(kind.profile.footprint) * _grid.cell_size
	var floats := kind.enters(IslandMap.WATER)
	var bob := Vector2(0.0, sin(_time * 2.2) * 0.7) if floats else Vector2.ZERO
	_draw_trail(size)
	var area := Rect2(-size * 0.5, size)
	draw_set_transform(Vector2(1.5, 3.0) + bob, heading)
	draw_texture_rect(kind.art, area, false, Color(0, 0, 0, 0.4))
	draw_set_transform(bob, heading)
	draw_texture_rect(kind.art, area, false)
	draw_set_transform(Vector2.ZERO)
	if is_selected:
		DemoMarks.draw_ring(self, Vector2.ZERO, size, _time)
	if why != null:
		DemoMarks.draw_sign(self, Vector2(0.0, -size.y * 0.5 - 8.0), _time)


## Dust, or spray.
func _draw_trail(size: Vector2) -> void:
	if _motion < 0.05:
		return
	var wet := _grid.get_point_terrain(_grid.local_to_cell(position)) != IslandMap.LAND
	var tint := DemoPalette.TEXT if wet else DemoPalette.BUILT_LIGHT
	for puff: int in 6:
		var age := fposmod(_time * 1.4 + puff / 6.0, 1.0)
		var side := Vector2.from_angle(heading + PI * 0.5) * size.y * (0.3 if puff % 2 else -0.3)
		var at := Vector2.from_angle(heading) * -size.x * (0.42 + age * 0.5) + side
		var radius := size.x * (0.05 + 0.1 * age)
		DemoPalette.draw_disc(self, at, radius, Color(tint, 0.26 * (1.0 - age) * _motion))
