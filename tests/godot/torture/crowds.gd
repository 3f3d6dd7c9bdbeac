class_name TortureCrowds
extends RefCounted
## What the torture does to a crowd.

var _crowd: PathForgeCrowd
var _grid: LedgerGrid
var _rng: RandomNumberGenerator


func _init(crowd: PathForgeCrowd, grid: LedgerGrid, rng: RandomNumberGenerator) -> void:
	_crowd = crowd
	_grid = grid
	_rng = rng


## Does one thing, by chance.
func do_something(field: FlowField, path: PathForgePath) -> void:
	match _rng.randi_range(0, 11):
		0:
			_crowd.remove_agents(_some())
		1:
			_crowd.find_agents_in_radius(_position(), _rng.randf_range(0, 200))
		2:
			_crowd.step(_rng.randf_range(0, 0.1))
		3:
			_crowd.assign_field(_some(), field)
		4:
			_crowd.assign_path(_some(), path)
		5, 6:
			_crowd.assign_goal(_some(), _grid.any_cell())
		7:
			_crowd.assign_formation(_some(), _grid.any_cell(), [Vector2(0, 0), Vector2(20, 0)])
		8:
			_crowd.stop(_some())
		9:
			var bytes := _crowd.to_bytes()
			_crowd.remove_agents(_some())
			_crowd.from_bytes(bytes)
		_:
			var places := PackedVector2Array()
			for _n: int in _rng.randi_range(1, 30):
				places.append(_position())
			_crowd.add_agents(places, TortureYard.body(_rng), _rng.randf_range(1, 200))


func _some() -> PackedInt32Array:
	var picked := PackedInt32Array()
	for id: int in _crowd.get_ids():
		if _rng.randf() < 0.3:
			picked.append(id)
	return picked


func _position() -> Vector2:
	return Vector2(_rng.randf_range(-200, 1600), _rng.randf_range(-200, 1600))
