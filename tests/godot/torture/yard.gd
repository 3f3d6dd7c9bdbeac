class_name TortureYard
extends RefCounted
## Builds a scene with one or more of every class of the addon, wired to each other.

const TileKit := preload("res://tiles/tile_kit.gd")
const WALKER := preload("res://torture/walker.gd")
const LEVEL := """
................
................
..===.....##....
................
####...===...###
####.........###
################
"""


## A yard outside the tree, with every node owned by its root, so that it can be packed.
static func build(rng: RandomNumberGenerator) -> Node2D:
	var yard := Node2D.new()
	yard.name = "Yard"
	var grid := LedgerGrid.create()
	grid.name = "Grid"
	yard.add_child(grid)
	for _n: int in 3:
		grid.add_child(piece("PathForgeAgent2D", yard, rng))
	for class_wanted: String in [
		"InfluenceMap",
		"FlowField",
		"ClearanceMap",
		"PathForgeCrowd",
		"PathForgeObstacle2D",
	]:
		grid.add_child(piece(class_wanted, yard, rng))
	yard.add_child(piece("PathForgeNavigationBaker", yard, rng))
	yard.add_child(piece("PathForgePlatformer", yard, rng))
	var influences: Array[InfluenceMap] = []
	influences.assign(grid.find_children("*", "InfluenceMap", false, false))
	grid.influences = influences
	own(yard, yard)
	return yard


## A node of a class with what it needs to do something.
static func piece(class_wanted: String, yard: Node2D, rng: RandomNumberGenerator) -> Node2D:
	match class_wanted:
		"PathForgeAgent2D":
			return _walker(rng)
		"FlowField":
			return _field(rng)
		"InfluenceMap":
			return _influence()
		"PathForgeNavigationBaker":
			return _baker(yard, rng)
		"PathForgePlatformer":
			return _platformer(yard)
		_:
			var node: Node2D = ClassDB.instantiate(class_wanted)
			node.position = Vector2(rng.randf_range(0, 900), rng.randf_range(0, 900))
			return node


## Makes [param node] and everything below it part of the scene of [param root].
static func own(node: Node, root: Node) -> void:
	for child: Node in node.get_children():
		child.owner = root
		own(child, root)


static func body(rng: RandomNumberGenerator) -> PathForgeProfile:
	var profile := PathForgeProfile.new()
	profile.footprint = Vector2i(rng.randi_range(1, 3), rng.randi_range(1, 3))
	profile.search_mode = rng.randi_range(0, 1)
	profile.influence_weights = [0.5]
	return profile


static func _walker(rng: RandomNumberGenerator) -> Node2D:
	var walker: CharacterBody2D = WALKER.new()
	walker.position = Vector2(rng.randf_range(0, 900), rng.randf_range(0, 900))
	walker.collision_layer = 0
	var agent := PathForgeAgent2D.new()
	agent.name = "Agent"
	agent.profile = body(rng)
	agent.debug_enabled = rng.randf() < 0.3
	walker.add_child(agent)
	if rng.randf() < 0.5:
		agent.add_child(PathForgeObstacle2D.new())
	return walker


static func _field(rng: RandomNumberGenerator) -> FlowField:
	var field := FlowField.new()
	field.profile = body(rng)
	field.goals = [Vector2i(40, 40)]
	return field


static func _influence() -> InfluenceMap:
	var influence := InfluenceMap.new()
	influence.decay_per_second = 0.5
	influence.spread = 0.2
	influence.add_stamp(Vector2i(20, 20), 5.0, 6.0)
	return influence


static func _baker(yard: Node2D, rng: RandomNumberGenerator) -> PathForgeNavigationBaker:
	var kit := TileKit.new(3)
	kit.navigate(0, [TileKit.BOX])
	kit.collide(1, TileKit.BOX)
	var rows := ""
	for _y: int in 20:
		for _x: int in 20:
			rows += "1" if rng.randf() < 0.15 else "0"
		rows += "\n"
	var layer := kit.layer(rows)
	var regions := Node2D.new()
	yard.add_child(layer)
	yard.add_child(regions)
	var baker := PathForgeNavigationBaker.new()
	baker.source_layers = [layer]
	baker.agent_half_extents = Vector2(5, 3)
	if rng.randf() < 0.5:
		baker.output_parent = regions
	return baker


static func _platformer(yard: Node2D) -> PathForgePlatformer:
	var platformer := PathForgePlatformer.new()
	var profile := PathForgeJumpProfile.new()
	profile.footprint = Vector2i(1, 2)
	var runner := PlatformWalker.create(profile, 16.0)
	runner.position = Vector2(40, 40)
	yard.add_child(runner)
	return platformer
