class_name TortureHostility
extends RefCounted
## Hostile values for properties and arguments of nodes that are in use, read from [ClassDB].

## These make tickets that are in no ledger, or take the node away.
const LEFT_OUT: Array[String] = ["request_path", "request_paths", "cancel_request"]

var _rng: RandomNumberGenerator
var _values: HostileValues


func _init(rng: RandomNumberGenerator) -> void:
	_rng = rng
	_values = HostileValues.new(rng.randi())


## Sets a property of [param node], and most times sets it back.
func set_property(node: Node) -> void:
	if node == null:
		return
	var properties := ClassDB.class_get_property_list(node.get_class(), true)
	properties = properties.filter(_is_value)
	var property := properties[_rng.randi_range(0, properties.size() - 1)]
	var property_name: String = property["name"]
	var before: Variant = node.get(property_name)
	node.set(property_name, _values.value_for(property))
	if _rng.randf() < 0.8:
		node.set(property_name, before)


## Calls a method of [param node].
func call_method(node: Node) -> void:
	if node == null:
		return
	var methods := ClassDB.class_get_method_list(node.get_class(), true)
	methods = methods.filter(_may_be_called)
	var method := methods[_rng.randi_range(0, methods.size() - 1)]
	var method_name: String = method["name"]
	node.callv(method_name, _values.arguments_of(method))


func _is_value(property: Dictionary) -> bool:
	var usage: int = property["usage"]
	var group := PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP | PROPERTY_USAGE_CATEGORY
	return usage & group == 0


func _may_be_called(method: Dictionary) -> bool:
	var method_name: String = method["name"]
	var flags: int = method["flags"]
	var is_inner := flags & METHOD_FLAG_VIRTUAL != 0 or method_name.begins_with("_")
	return not is_inner and not LEFT_OUT.has(method_name)
