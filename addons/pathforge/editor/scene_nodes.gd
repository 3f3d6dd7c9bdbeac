@tool
extends RefCounted
## Finding PathForge's nodes in the edited scene.


## Returns [code]true[/code] if the plugin takes input while [param object] is selected.
static func is_ours(object: Object) -> bool:
	return (
		object is PathForgeGrid
		or object is ClearanceMap
		or object is FlowField
		or object is InfluenceMap
		or object is PathForgeNavigationBaker
	)


## The nodes of the edited scene, its root first.
static func all() -> Array[Node]:
	var root := EditorInterface.get_edited_scene_root()
	var nodes: Array[Node] = []
	if root != null:
		nodes.append(root)
		nodes.append_array(root.find_children("*"))
	return nodes


## The layers that a grid is imported from, those that are there.
static func layers_of(grid: PathForgeGrid) -> Array[TileMapLayer]:
	var layers: Array[TileMapLayer] = []
	layers.assign(grid.source_layers.filter(is_instance_valid))
	return layers


## The edited scene's first grid; null when it has none.
static func first_grid() -> PathForgeGrid:
	for node: Node in all():
		if node is PathForgeGrid:
			return node
	return null


## The selected baker, or the scene's first; null when there is none.
static func find_baker() -> PathForgeNavigationBaker:
	for node: Node in EditorInterface.get_selection().get_selected_nodes() + all():
		if node is PathForgeNavigationBaker:
			return node
	return null


## The grid that a node is or works on; null when it is none of ours.
static func grid_of(node: Node) -> PathForgeGrid:
	if node is PathForgeGrid:
		return node
	if not is_ours(node):
		return null
	var named := _named_by(node)
	if named != null:
		return named
	var near: Array[Node] = [node.get_parent()]
	if near[0] != null:
		near.append_array(near[0].get_children())
	for candidate: Node in near:
		if candidate is PathForgeGrid:
			return candidate
	return null


## The grid that one of our nodes has been given.
static func _named_by(node: Node) -> PathForgeGrid:
	if node is ClearanceMap:
		return (node as ClearanceMap).grid
	if node is FlowField:
		return (node as FlowField).grid
	if node is InfluenceMap:
		return (node as InfluenceMap).grid
	return (node as PathForgeNavigationBaker).grid
