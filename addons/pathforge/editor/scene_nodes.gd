@tool
extends RefCounted
## Finding PathForge's nodes in the edited scene.

const BAKER := &"PathForgeNavigationBaker"
## Nodes whose selection is the plugin's concern. Some may be missing from the library.
const OURS: Array[StringName] = [
	&"PathForgeGrid", &"ClearanceMap", &"FlowField", &"InfluenceMap", BAKER
]


static func is_ours(object: Object) -> bool:
	return OURS.any(func(name: StringName) -> bool: return object.is_class(name))


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


## The first node of a class in the edited scene; null when there is none.
static func first(name: StringName) -> Node:
	var root := EditorInterface.get_edited_scene_root()
	if root == null or root.is_class(name):
		return root
	var found := root.find_children("*", name)
	return null if found.is_empty() else found[0]


## The selected baker, or the scene's first; null when there is none.
static func find_baker() -> Node:
	if not ClassDB.class_exists(BAKER):
		return null
	for node: Node in EditorInterface.get_selection().get_selected_nodes():
		if node.is_class(BAKER):
			return node
	return first(BAKER)


## The grid that a node is or works on; null when it is none of ours.
static func grid_of(node: Node) -> PathForgeGrid:
	if node is PathForgeGrid:
		return node
	if not is_ours(node):
		return null
	var named := node.get(&"grid") as PathForgeGrid
	if named != null:
		return named
	var near: Array[Node] = [node.get_parent()]
	if near[0] != null:
		near.append_array(near[0].get_children())
	for candidate: Node in near:
		if candidate is PathForgeGrid:
			return candidate
	return null
