@tool
extends RefCounted
## Looks at agents: whether their bodies fit where they start, get to their targets, and are
## connected with each other.

const Bodies := preload("bodies.gd")
const Finding := preload("finding.gd")

var _found: Array[Finding] = []


## One agent on a grid.
class Start:
	var name := ""
	var cell := Vector2i.MIN
	var body: PathForgeProfile = null


## What is wrong with the agents among [param nodes] that walk on [param grid]. With null, agents
## that have no grid.
func find(nodes: Array[Node], grid: PathForgeGrid) -> Array[Finding]:
	_found = []
	var standing: Array[Start] = []
	for agent: Node in nodes:
		if not Bodies.is_agent(agent) or agent.call(&"get_effective_grid") != grid:
			continue
		if grid == null:
			_add("%s has no grid to walk on." % _name_of(agent))
			continue
		var start := Start.new()
		start.body = _body_of(agent)
		start.cell = _cell_at(agent, _position_of(agent), start.body)
		start.name = "%s at %s" % [_name_of(agent), start.cell]
		if start.cell != Vector2i.MIN and _check(agent, start, grid):
			standing.append(start)
	_compare(standing, grid)
	return _found


## Returns [code]true[/code] if the body fits where it starts.
func _check(agent: Node, start: Start, grid: PathForgeGrid) -> bool:
	if not grid.can_stand(start.cell, start.body):
		var why := grid._explain_quietly(start.cell, start.cell, start.body).text
		_add("%s does not fit where it starts: %s" % [start.name, why], start.cell)
		return false
	var path: PathForgePath = agent.call(&"get_current_path")
	var target: Variant = agent.get(&"target_position")
	if path == null and target in [Vector2.ZERO, Vector3.ZERO]:
		return true
	var goal := _cell_at(agent, target, start.body)
	if goal == Vector2i.MIN:
		_add("The target of %s lies beside the map." % start.name, start.cell)
		return true
	var mode: PathForgeGrid.GoalMode = agent.get(&"goal_mode")
	if grid.find_paths([start.cell], [goal], start.body, mode)[0].is_complete():
		return true
	var reason := grid._explain_quietly(start.cell, goal, start.body).text
	_add("%s cannot reach its target at %s: %s" % [start.name, goal, reason], start.cell)
	return true


## Bodies of a kind that start in areas between which there is no path.
func _compare(starts: Array[Start], grid: PathForgeGrid) -> void:
	var left := starts.duplicate()
	while not left.is_empty():
		var kind: PathForgeProfile = (left[0] as Start).body
		var same := left.filter(func(start: Start) -> bool: return _is_same(start.body, kind))
		left = left.filter(func(start: Start) -> bool: return not _is_same(start.body, kind))
		var first: Start = same[0]
		var apart := same.filter(
			func(start: Start) -> bool: return not _are_joined(first, start, grid)
		)
		if apart.is_empty():
			continue
		var other: Start = apart[0]
		var why := grid._explain_quietly(first.cell, other.cell, first.body).text
		var words := "%s and %s start in areas that are not connected: %s"
		_add(words % [first.name, other.name, why], other.cell, false)


static func _are_joined(one: Start, other: Start, grid: PathForgeGrid) -> bool:
	return (
		grid.is_reachable(one.cell, other.cell, Bodies.without_obstacles(one.body))
		or grid.is_reachable(other.cell, one.cell, Bodies.without_obstacles(one.body))
	)


static func _is_same(one: PathForgeProfile, other: PathForgeProfile) -> bool:
	return one.footprint == other.footprint and one.terrain_mask == other.terrain_mask


## The agent's profile. The agent ignores obstacles that it carries, and so does its body here.
static func _body_of(agent: Node) -> PathForgeProfile:
	var profile: PathForgeProfile = agent.get(&"profile")
	if profile == null:
		profile = PathForgeProfile.new()
	for child: Node in Bodies.nodes(_carrier_of(agent)):
		if child is PathForgeObstacle2D or child is PathForgeObstacle3D:
			return Bodies.without_obstacles(profile)
	return profile


static func _carrier_of(agent: Node) -> Node:
	var parent := agent.get_parent()
	return parent if parent is Node2D or parent is Node3D else agent


## The name of the node that walks; a name that the engine gave says nothing.
static func _name_of(agent: Node) -> String:
	var title := str(_carrier_of(agent).name)
	return "An agent" if title.begins_with("@") else title


static func _position_of(agent: Node) -> Variant:
	return _carrier_of(agent).get(&"global_position")


static func _cell_at(agent: Node, position: Variant, body: PathForgeProfile) -> Vector2i:
	if agent is PathForgeAgent2D and position is Vector2:
		var grid := (agent as PathForgeAgent2D).get_effective_grid()
		return grid.global_to_cell(position as Vector2, body)
	if agent is PathForgeAgent3D and position is Vector3:
		var space := (agent as PathForgeAgent3D).get_effective_space()
		var floor_there := space.floor_at(position as Vector3)
		return (floor_there if floor_there != null else space).global_to_cell(
			position as Vector3, body
		)
	return Vector2i.MIN


func _add(text: String, cell := Vector2i.MIN, is_fault := true) -> void:
	_found.append(Finding.new(Finding.Kind.START, text, cell, is_fault))
