class_name HostileValues
extends RefCounted
## Arguments that no careful caller would pass: for each type its edges, and now and then a wrong
## type. The same seed gives the same arguments.

const HUGE := 2147483647
## What errors may say that come of them: where they come from, or what Godot says of arguments of
## a wrong type.
const EXPECTED_ERRORS: Array[String] = [
	"PathForge",
	"ClearanceMap.",
	"FlowField.",
	"InfluenceMap.",
	"Error calling method from 'callv'",
	"godot-rust function call failed",
	"Cannot convert",
	"Invalid color name",
]
const TEXTS: Array[String] = ["", "result", "..#\n#..", "type octile\nheight 99999\n", "é\u0000x"]

var _random := RandomNumberGenerator.new()
## Values by type, ordinary ones and their edges.
var _values: Dictionary[int, Array] = {
	TYPE_BOOL: [true, false],
	TYPE_INT: [0, 1, 2, 3, 7, -1, -2, 64, 65, 255, 256, HUGE, -HUGE - 1, 1 << 62, 1 << 63],
	TYPE_FLOAT: [0.0, 1.0, 0.25, -1.0, 1e-30, 1e30, 1e308, -INF, INF, NAN],
	TYPE_STRING: TEXTS,
	TYPE_STRING_NAME: TEXTS,
	TYPE_NODE_PATH: TEXTS,
	TYPE_VECTOR2:
	[Vector2.ZERO, Vector2(16, 16), Vector2(-3.5, 1e30), Vector2(NAN, 0), Vector2.INF],
	TYPE_VECTOR2I:
	[
		Vector2i.ZERO,
		Vector2i.ONE,
		Vector2i(3, 2),
		Vector2i(-1, 5),
		Vector2i(0, HUGE),
		Vector2i.MIN,
		Vector2i.MAX
	],
	TYPE_RECT2: [Rect2(), Rect2(0, 0, 64, 64), Rect2(-1e30, 0, 1e31, NAN), Rect2(5, 5, -9, -9)],
	TYPE_RECT2I:
	[
		Rect2i(),
		Rect2i(1, 1, 3, 2),
		Rect2i(-4, -4, 12, 12),
		Rect2i(5, 5, -9, -9),
		Rect2i(0, 0, HUGE, HUGE),
		Rect2i(HUGE, HUGE, HUGE, HUGE),
		Rect2i(-HUGE, -HUGE, 3, HUGE)
	],
	TYPE_COLOR: [Color.RED, Color(NAN, INF, -1, 2)],
	TYPE_DICTIONARY:
	[
		{},
		{"solid": 3, 5: NAN},
		{Color.RED: {"solid": "yes", "terrain": 99, "weight": -INF}},
		{"scale": HUGE, "threshold": NAN, "physics_layer": -7, "region": Vector2.ZERO}
	],
	TYPE_CALLABLE: [Callable(), Callable(self, "no_such_method"), value_for],
	TYPE_ARRAY: [[], [null, 1, "x"], [Vector2i.ZERO, Vector2i.MAX], [Vector2i.ONE]],
	TYPE_PACKED_BYTE_ARRAY: [PackedByteArray(), _noise(7), _noise(64), _noise(4000)],
	TYPE_PACKED_INT32_ARRAY:
	[PackedInt32Array(), PackedInt32Array([0, 0, -1, HUGE]), PackedInt32Array([1, 2])],
	TYPE_PACKED_INT64_ARRAY: [PackedInt64Array(), PackedInt64Array([0, -1, 1 << 62])],
	TYPE_PACKED_FLOAT32_ARRAY:
	[PackedFloat32Array(), PackedFloat32Array([1, NAN, -INF, 3e38]), PackedFloat32Array(range(64))],
	TYPE_PACKED_FLOAT64_ARRAY: [PackedFloat64Array(), PackedFloat64Array([1, NAN, -INF, 1e308])],
	TYPE_PACKED_STRING_ARRAY: [PackedStringArray(), PackedStringArray(["", "x", "x"])],
	TYPE_PACKED_VECTOR2_ARRAY:
	[
		PackedVector2Array(),
		PackedVector2Array([Vector2.ZERO, Vector2.ZERO, Vector2(NAN, INF)]),
		PackedVector2Array([Vector2(0, 0), Vector2(64, 0), Vector2(0, 64), Vector2(64, 64)])
	],
}


func _init(from_seed: int) -> void:
	_random.seed = from_seed


## Arguments for a method as [method ClassDB.class_get_method_list] describes it.
func arguments_of(method: Dictionary) -> Array:
	var arguments: Array = []
	var described: Array = method["args"]
	for argument: Dictionary in described:
		arguments.append(value_for(argument))
	# Too few, or one too many.
	if _random.randf() < 0.04 and not arguments.is_empty():
		arguments.pop_back()
	elif _random.randf() < 0.02:
		arguments.append(null)
	return arguments


## A value for an argument or a property as [ClassDB] describes it.
func value_for(described: Dictionary) -> Variant:
	var type: int = described["type"]
	if _random.randf() < 0.1:
		type = _random.randi_range(0, TYPE_MAX - 1)
	if type == TYPE_OBJECT:
		return _object(str(described["class_name"]))
	var hint: String = described["hint_string"]
	if type == TYPE_ARRAY and described["hint"] == PROPERTY_HINT_ARRAY_TYPE:
		return _array(hint)
	return _one_of(_values.get(type, [null]))


func _object(class_wanted: String) -> Object:
	if class_wanted.is_empty() or _random.randf() < 0.3:
		return null
	if _random.randf() < 0.1:
		return RefCounted.new()
	if (
		not ClassDB.can_instantiate(class_wanted)
		or not ClassDB.is_parent_class(class_wanted, "RefCounted")
	):
		return null
	return ClassDB.instantiate(class_wanted)


func _array(element: String) -> Array:
	if element == "Vector2i" and _random.randf() < 0.8:
		var cells: Array[Vector2i] = []
		for _index: int in _random.randi_range(0, 4):
			cells.append(_one_of(_values[TYPE_VECTOR2I]))
		return cells
	return _one_of(_values[TYPE_ARRAY])


static func _noise(count: int) -> PackedByteArray:
	var bytes := PackedByteArray()
	bytes.resize(count)
	for index: int in count:
		bytes[index] = hash(index) & 0xff
	return bytes


func _one_of(values: Array) -> Variant:
	return values[_random.randi_range(0, values.size() - 1)]
