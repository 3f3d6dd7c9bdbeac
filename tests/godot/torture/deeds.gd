class_name TortureDeeds
extends RefCounted
## What the torture does to a yard, one deed at a time, by chance.

const PIECES: Array[String] = [
	"PathForgeAgent2D",
	"InfluenceMap",
	"FlowField",
	"ClearanceMap",
	"PathForgeCrowd",
	"PathForgeObstacle2D",
	"PathForgeNavigationBaker",
	"PathForgePlatformer",
	"PathForgeGrid",
]

var rng := RandomNumberGenerator.new()
var hostile: TortureHostility
## The last deed, for the report of a crash.
var last := ""
var _yard: Node2D = null
var _path: PathForgePath = null


func _init(from_seed: int) -> void:
	rng.seed = from_seed
	hostile = TortureHostility.new(rng)


## Does something to [param yard]; nothing that takes nodes away while it is [param busy].
func do_something(yard: Node2D, busy: bool) -> void:
	_yard = yard
	var deeds: Array[Callable] = [
		_edit, _edit, _ask, _ask, _cancel, _send_agent, _crowd, _crowd, _crowd, _field
	]
	deeds.append_array([_influence, _clearance, _bake, _platformer, _move_something, _add])
	deeds.append_array([_set_property, _set_property, _call_method])
	if not busy:
		deeds.append_array([_free_something, _replace_grid])
	var deed: Callable = deeds[rng.randi_range(0, deeds.size() - 1)]
	last = deed.get_method()
	deed.call()
	_yard = null


func _edit() -> void:
	var grid := _grid()
	if grid != null:
		grid.edit()


func _ask() -> void:
	var grid := _grid()
	if grid != null:
		grid.ask()
		if rng.randf() < 0.3:
			_path = grid.find_path(grid.any_cell(), grid.any_cell())


func _cancel() -> void:
	var grid := _grid()
	if grid != null:
		grid.cancel_one()


func _send_agent() -> void:
	var agent := _any("PathForgeAgent2D") as PathForgeAgent2D
	if agent == null:
		return
	match rng.randi_range(0, 5):
		0:
			agent.stop()
		1:
			agent.goal_mode = rng.randi_range(0, 2)
		2:
			agent.is_target_reachable()
		_:
			agent.target_position = _position()


func _crowd() -> void:
	var crowd := _any("PathForgeCrowd") as PathForgeCrowd
	var grid := _grid()
	if crowd != null and grid != null:
		var crowds := TortureCrowds.new(crowd, grid, rng)
		crowds.do_something(_any("FlowField") as FlowField, _path)


func _field() -> void:
	var field := _any("FlowField") as FlowField
	var grid := _grid()
	if field == null or grid == null:
		return
	match rng.randi_range(0, 4):
		0:
			field.goals = [grid.any_cell()]
		1:
			field.goals = [grid.any_cell(), grid.any_cell()]
		2:
			field.rebuild()
		3:
			field.profile = TortureYard.body(rng)
		_:
			field.sample_batch([_position(), _position()])


func _influence() -> void:
	var map := _any("InfluenceMap") as InfluenceMap
	var grid := _grid()
	if map == null or grid == null:
		return
	match rng.randi_range(0, 5):
		0:
			map.attach_stamp(_any("PathForgeAgent2D") as Node2D, 3.0, rng.randf_range(1, 9))
		1:
			map.remove_stamp(map.add_stamp(grid.any_cell(), 2.0, 4.0))
		2:
			map.stamp_batch([_position(), _position()], rng.randf_range(-3, 3), 5.0)
		3:
			map.clear()
		4:
			map.find_highest()
		_:
			map.step(rng.randf_range(0, 0.5))


func _clearance() -> void:
	var map := _any("ClearanceMap") as ClearanceMap
	if map != null:
		map.metric = rng.randi_range(0, 1)
		map.get_clearance_texture()
		map.get_clearance_data()


func _bake() -> void:
	var baker := _any("PathForgeNavigationBaker") as PathForgeNavigationBaker
	var layer := _any("TileMapLayer") as TileMapLayer
	if baker == null or layer == null:
		return
	var cell := Vector2i(rng.randi_range(0, 19), rng.randi_range(0, 19))
	layer.set_cell(cell, 0, Vector2i(rng.randi_range(0, 1), 0))
	match rng.randi_range(0, 2):
		0:
			baker.bake()
		1:
			baker.bake_async()
		_:
			baker.rebake(Rect2i(cell, Vector2i.ONE))


func _platformer() -> void:
	var platformer := _any("PathForgePlatformer") as PathForgePlatformer
	if platformer == null:
		return
	var profile := PathForgeJumpProfile.new()
	profile.footprint = Vector2i(1, rng.randi_range(1, 2))
	var cell := Vector2i(rng.randi_range(0, 15), rng.randi_range(0, 6))
	var grid := _grid()
	if grid != null:
		grid.fill_one_way_region(Rect2i(cell, Vector2i(4, 1)), rng.randf() < 0.7)
	var goal := Vector2i(rng.randi_range(0, 15), rng.randi_range(0, 6))
	for runner: Node in _yard.find_children("*", "PlatformWalker", true, false):
		var walker := runner as PlatformWalker
		walker.follower.follow(platformer.find_path(cell, goal, profile))
		if walker.position.y > 2000.0:
			walker.position = Vector2(40, 40)


func _move_something() -> void:
	var node := _any(PIECES[rng.randi_range(0, PIECES.size() - 1)]) as Node2D
	if node != null and not node is PathForgeGrid:
		node.global_position = _position()


func _add() -> void:
	var count := _yard.find_children("*", "Node2D", true, false).size()
	var grid := _grid()
	if count > 60 or grid == null:
		return
	var wanted := PIECES[rng.randi_range(0, PIECES.size() - 1)]
	grid.add_child(TortureYard.piece(wanted, _yard, rng))
	TortureYard.own(_yard, _yard)


func _free_something() -> void:
	var wanted := PIECES[rng.randi_range(0, PIECES.size() - 1)]
	var node := _any(wanted)
	if node == null or (node is LedgerGrid and rng.randf() < 0.8):
		return
	if rng.randf() < 0.5:
		node.free()
	else:
		node.queue_free()


func _replace_grid() -> void:
	if _grid() == null:
		var grid := LedgerGrid.create()
		_yard.add_child(grid)
		TortureYard.own(_yard, _yard)


func _set_property() -> void:
	hostile.set_property(_any(PIECES[rng.randi_range(0, PIECES.size() - 1)]))


func _call_method() -> void:
	hostile.call_method(_any(PIECES[rng.randi_range(0, PIECES.size() - 1)]))


func _grid() -> LedgerGrid:
	return _any("LedgerGrid") as LedgerGrid


## A node of the yard of this class, or [code]null[/code].
func _any(class_wanted: String) -> Node:
	var found := _yard.find_children("*", class_wanted, true, false)
	return null if found.is_empty() else found[rng.randi_range(0, found.size() - 1)]


func _position() -> Vector2:
	return Vector2(rng.randf_range(-200, 1600), rng.randf_range(-200, 1600))
