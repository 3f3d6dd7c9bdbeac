class_name WholeStage
extends RefCounted
## One object of every class of the addon in one scene, and each with all that it can refer to. What
## properties and methods take is found by the class that [ClassDB] tells: what is added tomorrow is
## on the stage tomorrow.

## They end what others need, so they are called after all others.
const ENDINGS: Array[String] = [
	"clear",
	"clear_cells",
	"remove_agents",
	"stop",
	"unbind_nodes",
	"remove_obstacle",
	"remove_stamp",
	"cancel_request",
	"from_bytes",
]
const REGION := Rect2i(0, 0, 16, 16)
const TEXT := "................\n................"


## A node whose script hears at once that it was moved.
class Walker2D:
	extends Node2D
	signal moved

	func _init() -> void:
		set_notify_local_transform(true)

	func _notification(what: int) -> void:
		if what == NOTIFICATION_LOCAL_TRANSFORM_CHANGED:
			moved.emit()

	func hear(_path: PathForgePath) -> void:
		pass


class Walker3D:
	extends Node3D
	signal moved

	func _init() -> void:
		set_notify_local_transform(true)

	func _notification(what: int) -> void:
		if what == NOTIFICATION_LOCAL_TRANSFORM_CHANGED:
			moved.emit()


## Has all nodes.
var root := Node2D.new()
## The objects whose methods are called.
var subjects: Array[Object] = []
var grid := PathForgeGrid.new()
var crowd := PathForgeCrowd.new()
var space := PathForgeSpace3D.new()
var follower := PathForgePlatformFollower.new()
## The signals that have come, as "Class.signal".
var heard: Dictionary[String, bool] = {}

var _agents: Array[Node] = []
## Nodes and resources of the engine's own classes.
var _props: Array[Object] = []
var _calls := 0
## What methods are given of types whose values do not depend on the method.
var _values: Dictionary[int, Variant] = {
	TYPE_BOOL: true,
	TYPE_VECTOR2I: Vector2i(12, 12),
	TYPE_VECTOR2: Vector2(200, 200),
	TYPE_VECTOR3: Vector3(2, 9, 2),
	TYPE_RECT2I: Rect2i(12, 12, 2, 2),
	TYPE_RECT2: Rect2(0, 0, 200, 200),
	TYPE_COLOR: Color.RED,
	TYPE_PACKED_VECTOR3_ARRAY: PackedVector3Array([Vector3(2, 0, 2)]),
}
var _connected: Array[Array] = []


func _init() -> void:
	grid.name = "Grid"
	grid.region = REGION
	root.add_child(grid)
	space.name = "Space"
	root.add_child(space)
	crowd.name = "Crowd"
	crowd.max_agents = 20
	grid.add_child(crowd)
	subjects.append_array([grid, crowd, space, follower])
	_add_props()
	for class_wanted: String in classes():
		if not subjects.any(func(object: Object) -> bool: return object.is_class(class_wanted)):
			_add_subject(ClassDB.instantiate(class_wanted))
	# A body that blocks cells itself, and a second one.
	for cell: Vector2i in [Vector2i(2, 2), Vector2i(2, 9)]:
		_add_subject(PathForgeAgent2D.new(), cell)
		var obstacle := PathForgeObstacle2D.new()
		obstacle.name = "Obstacle"
		_agents[-1].add_child(obstacle)
	for subject: Object in subjects.duplicate():
		_give_all(subject)
	var loose := PathForgeAgent2D.new()
	# It finds its grid and its crowd by itself.
	_add_subject(loose, Vector2i(6, 6))


## The classes of the addon that scripts can make.
static func classes() -> Array[String]:
	var found: Array[String] = []
	for name: String in ClassDB.get_class_list():
		if (
			ClassDB.class_get_api_type(name) == ClassDB.API_EXTENSION
			and ClassDB.can_instantiate(name)
		):
			found.append(name)
	return found


## The paths of all nodes below [member root].
func places() -> Array[NodePath]:
	var found: Array[NodePath] = []
	for node: Node in _below(root):
		found.append(root.get_path_to(node))
	return found


## Sends the agents of the crowd away, and has agents and followers walk.
func walk() -> void:
	if is_instance_valid(crowd):
		crowd.assign_goal(crowd.get_ids(), Vector2i(13, 9))
	for agent: Variant in _agents:
		if is_instance_valid(agent) and (agent as Node).is_inside_tree():
			(agent as Node).call("get_next_velocity", 40.0)
	for subject: Variant in subjects:
		if is_instance_valid(subject) and subject is PathForgePlatformer:
			follower.follow(
				(subject as PathForgePlatformer).find_path(Vector2i(4, 15), Vector2i(9, 15))
			)
	follower.step(Vector2(20, 20), Vector2.ZERO, true, 0.1)


## Has all be called from each signal of the addon's objects, and of nodes that they move, when it
## comes first.
func connect_all() -> void:
	var objects: Dictionary[Object, bool] = {}
	for object: Object in subjects + _below(root):
		objects[object] = true
	for object: Object in objects:
		var is_own := ClassDB.class_get_api_type(object.get_class()) == ClassDB.API_EXTENSION
		for described: Dictionary in object.get_signal_list():
			var name: String = described["name"]
			var given: Array = described["args"]
			if is_own or name == "moved":
				_hear(Signal(object, name), object.get_class(), given.size())
	for name: String in ["node_added", "node_removed"]:
		_hear(Signal(root.get_tree(), name), "SceneTree", 1)


## The tree is there for longer than the stage.
func disconnect_all() -> void:
	for connected: Array in _connected:
		var signal_heard: Signal = connected[0]
		if not signal_heard.is_null() and is_instance_valid(signal_heard.get_object()):
			signal_heard.disconnect(connected[1] as Callable)
	_connected.clear()


func _hear(signal_heard: Signal, of: String, argument_count: int) -> void:
	var handler := _on_anything.bind("%s.%s" % [of, signal_heard.get_name()])
	if argument_count > 0:
		handler = handler.unbind(argument_count)
	signal_heard.connect(handler)
	_connected.append([signal_heard, handler])


func _on_anything(key: String) -> void:
	if heard.has(key):
		return
	heard[key] = true
	call_all(false)


## Calls all methods of all subjects that are there, with objects that are there, and sets all
## properties to what they are. Returns how many calls that were.
func call_all(with_endings := true) -> int:
	_calls = 0
	for is_ending: bool in [false, true] if with_endings else [false]:
		# They may be freed, and become more.
		for index: int in subjects.size():
			if is_instance_valid(subjects[index]):
				_call_methods_of(subjects[index], is_ending)
	return _calls


## The ids of the agents in the crowd.
func ids() -> PackedInt32Array:
	return crowd.get_ids() if is_instance_valid(crowd) else PackedInt32Array([1, 2, 3])


func _call_methods_of(subject: Object, is_ending: bool) -> void:
	var setters: Array[StringName] = []
	for property: Dictionary in ClassDB.class_get_property_list(subject.get_class(), true):
		var property_name: String = property["name"]
		setters.append(ClassDB.class_get_property_setter(subject.get_class(), property_name))
		var value: Variant = subject.get(property_name)
		_take(value)
		if setters[-1] != &"" and not is_ending:
			subject.set(property_name, value)
	for method: Dictionary in ClassDB.class_get_method_list(subject.get_class(), true):
		var name: String = method["name"]
		var flags: int = method["flags"]
		var is_wanted := ENDINGS.has(name) == is_ending and not setters.has(name)
		if flags & METHOD_FLAG_VIRTUAL or not is_wanted:
			continue
		if not is_instance_valid(subject):
			return
		_calls += 1
		_take(subject.callv(name, arguments_of(subject, method)))
		if subject == grid and is_instance_valid(grid):
			# Imports take the region of what they read.
			grid.region = REGION


## Objects that methods make, such as paths, are subjects as well.
func _take(made: Variant) -> void:
	if typeof(made) != TYPE_OBJECT or not is_instance_valid(made):
		return
	var object: Object = made
	var is_own := ClassDB.class_get_api_type(object.get_class()) == ClassDB.API_EXTENSION
	var is_known := func(other: Variant) -> bool:
		return is_instance_valid(other) and (other as Object).get_class() == object.get_class()
	if is_own and not subjects.any(is_known):
		subjects.append(object)


## Arguments for a method as [method ClassDB.class_get_method_list] describes it.
func arguments_of(subject: Object, method: Dictionary) -> Array:
	var arguments: Array = []
	var described: Array = method["args"]
	for argument: Dictionary in described:
		arguments.append(_argument(subject, argument, arguments.size()))
	return arguments


func _argument(subject: Object, described: Dictionary, place: int) -> Variant:
	var class_wanted: String = described["class_name"]
	# Numbers have the name of an enumeration.
	if not class_wanted.is_empty() and described["type"] == TYPE_OBJECT:
		return _object("Node2D" if class_wanted == "Node" else class_wanted, subject)
	var name: String = described["name"]
	var type: int = described["type"]
	if _values.has(type):
		return _values[type]
	var value: Variant = type_convert(null, type)
	match type:
		TYPE_INT:
			value = ids()[0] if name == "id" and not ids().is_empty() else 1
		TYPE_FLOAT:
			value = 1.0 + place
		TYPE_STRING, TYPE_STRING_NAME:
			value = TEXT
		TYPE_CALLABLE:
			value = Callable(_object("Node2D", subject), "hear")
		TYPE_PACKED_INT32_ARRAY:
			value = ids()
		TYPE_PACKED_VECTOR2_ARRAY:
			var positions := PackedVector2Array()
			positions.resize(ids().size() if name == "places" else 2)
			positions.fill(Vector2(180, 180))
			value = positions
		TYPE_PACKED_BYTE_ARRAY when name == "bytes" and subject.has_method("to_bytes"):
			value = subject.call("to_bytes")
		TYPE_PACKED_BYTE_ARRAY, TYPE_PACKED_FLOAT32_ARRAY:
			value = _filled(value)
		TYPE_ARRAY:
			value = _array(name, subject)
	return value


## Something for each cell.
func _filled(array: Variant) -> Variant:
	array.resize(REGION.get_area())
	return array


## Arrays do not say of what they are.
func _array(name: String, subject: Object) -> Array:
	match name:
		"nodes":
			var nodes: Array = []
			nodes.resize(ids().size())
			nodes.fill(_object("Node2D", subject))
			return nodes
		"layers":
			return [_object("TileMapLayer", subject)]
		"regions":
			return [_object("NavigationRegion2D", subject)]
		"places":
			return [Vector3i.ZERO]
		"floor", "obstacles", "polygons":
			return [PackedVector2Array([Vector2(0, 0), Vector2(90, 0), Vector2(0, 90)])]
	return [Vector2i(12, 12)] as Array[Vector2i]


## An object of a class that is there, of the class itself if there is one.
func _object(class_wanted: String, except: Object = null) -> Object:
	var found: Object = null
	for candidate: Variant in _props + subjects:
		if not is_instance_valid(candidate) or candidate == except:
			continue
		var object: Object = candidate
		if object.get_class() == class_wanted:
			return object
		if found == null and object.is_class(class_wanted):
			found = object
	return found


## Sets all properties that are objects, or arrays of them.
func _give_all(subject: Object) -> void:
	for property: Dictionary in ClassDB.class_get_property_list(subject.get_class(), true):
		var name: String = property["name"]
		var hint: String = property["hint_string"]
		if property["type"] == TYPE_OBJECT:
			var object := _object(str(property["class_name"]), subject)
			assert(object != null, "the stage has no %s" % property["class_name"])
			if ClassDB.class_get_property_setter(subject.get_class(), name) != &"":
				subject.set(name, object)
		elif property["type"] == TYPE_ARRAY and hint.contains(":"):
			var object := _object(hint.get_slice(":", 1))
			if object != null:
				subject.set(name, [object])
		elif name in ["debug_enabled", "import_on_ready"]:
			subject.set(name, true)


func _add_subject(subject: Object, cell := Vector2i(4, 4)) -> void:
	subjects.append(subject)
	if not subject is Node:
		return
	var node := subject as Node
	node.name = "%s_%d" % [node.get_class(), subjects.size()]
	if node.has_method("get_agent_id"):
		var is_flat := node is Node2D
		var body: Node = Walker2D.new() if is_flat else Walker3D.new()
		var place := Vector2(cell) * 16.0
		body.set("position", place if is_flat else Vector3(place.x, 0, place.y) / 16.0)
		body.name = "Body_of_%s" % node.name
		body.add_child(node)
		_agents.append(node)
		(grid if is_flat else space as Node).add_child(body)
	else:
		(space if node is Node3D else grid as Node).add_child(node)


func _add_props() -> void:
	var layer := TileMapLayer.new()
	var tiles := preload("res://tiles/tile_kit.gd").new(1)
	layer.tile_set = tiles.tile_set
	layer.set_cell(Vector2i(8, 8), 0, Vector2i.ZERO)
	var items := GridMap.new()
	var library := MeshLibrary.new()
	library.create_item(0)
	library.set_item_name(0, "block")
	items.mesh_library = library
	items.cell_size = Vector3.ONE
	items.set_cell_item(Vector3i.ZERO, 0)
	var region := NavigationRegion2D.new()
	var polygon := NavigationPolygon.new()
	polygon.vertices = PackedVector2Array([Vector2(0, 0), Vector2(99, 0), Vector2(0, 99)])
	polygon.add_polygon(PackedInt32Array([0, 1, 2]))
	region.navigation_polygon = polygon
	var shape := CollisionShape3D.new()
	shape.shape = HeightMapShape3D.new()
	for prop: Node in [layer, items, region, shape, Camera3D.new(), Walker2D.new(), Walker3D.new()]:
		prop.name = "Prop_%s" % prop.get_class()
		_props.append(prop)
		root.add_child(prop)
	var multimesh := MultiMesh.new()
	multimesh.transform_format = MultiMesh.TRANSFORM_3D
	_props.append(multimesh)
	_props.append(polygon)
	_props.append(Image.create_empty(4, 4, false, Image.FORMAT_RGB8))


func _below(node: Node) -> Array[Node]:
	var found: Array[Node] = []
	for child: Node in node.get_children(true):
		found.append(child)
		found.append_array(_below(child))
	return found
