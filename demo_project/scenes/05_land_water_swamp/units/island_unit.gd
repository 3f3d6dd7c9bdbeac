class_name IslandUnit
extends Node2D
## A unit that walks with a PathForgeAgent2D, and knows why when it cannot. Its position is the
## middle of its body. While it rests it is in the way of others, by a PathForgeObstacle2D.

## So long a unit waits for others, in seconds, before it squeezes past.
const PATIENCE := 1.5

var kind: IslandKind
var agent := PathForgeAgent2D.new()
var obstacle := PathForgeObstacle2D.new()
var is_selected := false
## Whether another unit goes first there: [code]func(unit, where: Vector2) -> bool[/code].
var must_wait := Callable()
var is_waiting := false
## Where its front points, in radians.
var heading := 0.0
## The stand that it was sent to.
var goal := Vector2i.ZERO
## What [method PathForgeGrid.explain] says when there is no way; empty otherwise.
var refusal := ""

var _grid: PathForgeGrid
var _waited := 0.0
var _motion := 0.0
var _time := 0.0


func set_up(grid: PathForgeGrid, what: IslandKind, cell: Vector2i) -> void:
	_grid = grid
	kind = what
	goal = cell
	position = _centre(cell)
	_time = cell.x * 0.37
	agent.grid = grid
	agent.profile = kind.profile
	agent.path_desired_distance = 3.0
	agent.target_desired_distance = 1.0
	agent.navigation_failed.connect(_on_agent_navigation_failed.unbind(1))
	agent.path_changed.connect(_on_agent_path_changed)
	add_child(agent)
	obstacle.grid = grid
	obstacle.footprint = kind.profile.footprint
	obstacle.enabled = false
	agent.add_child(obstacle)


## Sends it to a stand. The same stand once more is asked for anew.
func send(to: Vector2i) -> void:
	goal = to
	refusal = ""
	agent.stop()
	agent.target_position = _centre(goal)


## Blocks the cells below it for others, or no longer does.
func hold_ground(is_on: bool) -> void:
	if obstacle.enabled != is_on:
		obstacle.enabled = is_on
		obstacle.update_cells()


## The stand that it is on, or nearest to.
func stand() -> Vector2i:
	return _grid.local_to_cell(position, kind.profile)


func body(at := position) -> Rect2:
	var size := Vector2(kind.profile.footprint) * _grid.cell_size
	return Rect2(at - size * 0.5, size)


func is_under_way() -> bool:
	return not agent.is_navigation_finished()


## Whether it stands still on a stand, and not between two.
func is_settled() -> bool:
	return not is_under_way() and position.is_equal_approx(_centre(stand()))


## The profile of its kind, which does not mind the unit's own obstacle.
func asker() -> PathForgeProfile:
	var profile: PathForgeProfile = kind.profile.duplicate()
	if obstacle.get_obstacle_id() >= 0:
		profile.ignored_obstacles = [obstacle.get_obstacle_id()]
	return profile


## The way ahead, from where it is.
func way() -> PackedVector2Array:
	var points := PackedVector2Array([position])
	if is_under_way():
		var all := agent.get_current_navigation_path()
		points.append_array(all.slice(agent.get_current_navigation_path_index()))
	return points


func _physics_process(delta: float) -> void:
	var is_moving := false
	if is_under_way():
		var step := agent.get_next_path_position() - position
		var pace := kind.speed * _grid.cell_size.x * delta / _price_here()
		var next := position + step.limit_length(pace)
		is_waiting = must_wait.call(self, next)
		_waited = _waited + delta if is_waiting else 0.0
		is_moving = step.length() > 0.01 and (not is_waiting or _waited > PATIENCE)
		if is_moving:
			hold_ground(false)
			heading = lerp_angle(heading, step.angle(), 1.0 - exp(-9.0 * delta))
			position = next
		elif is_waiting and obstacle.enabled:
			_settle(delta)
	elif not is_settled():
		_settle(delta)
	else:
		# Along the cells, so that nothing of the picture lies beyond the body.
		var along := snappedf(heading, PI * 0.5)
		heading = lerp_angle(heading, along, 1.0 - exp(-6.0 * delta))
	_motion = move_toward(_motion, float(is_moving), delta * 3.0)


func _process(delta: float) -> void:
	_time += delta
	queue_redraw()


## A way can end between two stands, when there is none any more: then it goes on to the nearest.
func _settle(delta: float) -> void:
	var nearest := Vector2.INF
	for y: int in [-1, 0, 1]:
		for x: int in [-1, 0, 1]:
			var beside := stand() + Vector2i(x, y)
			var spot := _centre(beside)
			var is_nearer := position.distance_to(spot) < position.distance_to(nearest)
			if is_nearer and _grid.can_stand(beside, kind.profile):
				nearest = spot
	if nearest != Vector2.INF:
		position = position.move_toward(nearest, kind.speed * _grid.cell_size.x * delta)


func _centre(stand_cell: Vector2i) -> Vector2:
	return _grid.cell_to_local(stand_cell, kind.profile)


## A cell of swamp that costs four takes four times as long.
func _price_here() -> float:
	var cell := _grid.local_to_cell(position)
	return maxf(kind.price(_grid.get_point_terrain(cell)), 0.5)


func _on_agent_navigation_failed() -> void:
	refusal = _grid.explain(stand(), goal, asker()).text


func _on_agent_path_changed() -> void:
	refusal = ""


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
	if not refusal.is_empty():
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
