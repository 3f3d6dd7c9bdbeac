extends RefCounted
## The search of [PathForgePlatformer] as a game would write it: A* over cells and jump values on
## packed arrays, with the same rule, costs, lower bound and dominance, on a frontier of buckets.

const STRAIGHT: int = 70
const AIR: int = 84
const JUMP: int = 140
const NONE: int = -1

var expanded: int = 0

var _width: int
var _height: int
var _jump_height: int
var _spent: int
var _count: int
## 1 where the body fits, stands on ground, is at a ceiling, by the top-left cell.
var _fits: PackedByteArray = []
var _ground: PackedByteArray = []
var _ceiling: PackedByteArray = []
## The value after a step, by value, without and with a ceiling.
var _side: PackedInt32Array = []
var _up: PackedInt32Array = []
var _down: PackedInt32Array = []
## 1 at a * count + b when a can do everything that b can.
var _dominates: PackedByteArray = []
## The last node of each cell, and nodes as parallel arrays.
var _head: PackedInt32Array = []
var _touched: PackedInt32Array = []
var _node_cell: PackedInt32Array = []
var _node_value: PackedInt32Array = []
var _node_g: PackedInt32Array = []
var _node_parent: PackedInt32Array = []
var _node_next: PackedInt32Array = []
var _buckets: Array[PackedInt32Array] = []
var _base: int = 0
var _goal: int = 0
var _goal_x: int = 0
var _goal_y: int = 0


func _init(grid: PathForgeGrid, node: PathForgePlatformer, profile: PathForgeJumpProfile) -> void:
	_width = grid.region.size.x
	_height = grid.region.size.y
	_jump_height = profile.max_jump_height_cells
	_spent = 2 * _jump_height
	_count = _spent + 6 + 8
	_make_layers(grid, node, profile)
	_make_rule()
	_head.resize(_width * _height)
	_head.fill(NONE)


## The cost of a cheapest way, or -1.
func find_path(start: Vector2i, goal: Vector2i) -> int:
	for cell: int in _touched:
		_head[cell] = NONE
	for list: PackedInt32Array in [_touched, _node_cell, _node_value, _node_g]:
		list.clear()
	_node_parent.clear()
	_node_next.clear()
	_buckets.clear()
	expanded = 0
	_goal = goal.y * _width + goal.x
	_goal_x = goal.x
	_goal_y = goal.y
	var first: int = start.y * _width + start.x
	_base = _estimate(start.x, start.y, 0)
	_reach(first, start.x, start.y, 0 if _ground[first] == 1 else _spent, 0, NONE)
	var at: int = 0
	while at < _buckets.size():
		var bucket: PackedInt32Array = _buckets[at]
		if bucket.is_empty():
			at += 1
			continue
		var number: int = bucket[bucket.size() - 1]
		bucket.resize(bucket.size() - 1)
		_buckets[at] = bucket
		if _node_next[number] == -2:
			continue
		if _node_cell[number] == _goal:
			_trace(number)
			return _node_g[number]
		expanded += 1
		_expand(number)
	return -1


func _expand(number: int) -> void:
	var cell: int = _node_cell[number]
	var value: int = _node_value[number]
	var g: int = _node_g[number]
	var y: int = cell / _width
	var x: int = cell - y * _width
	if y + 1 < _height and _fits[cell + _width] == 1:
		var below: int = cell + _width
		_reach(below, x, y + 1, 0 if _ground[below] == 1 else _down[value], g + AIR, number)
	if y > 0 and _fits[cell - _width] == 1:
		var above: int = cell - _width
		var next: int = _up[value * 2 + _ceiling[above]]
		if next != NONE:
			var cost: int = AIR + (JUMP if value < 2 else 0)
			_reach(above, x, y - 1, 0 if _ground[above] == 1 else next, g + cost, number)
	if x > 0:
		_step_sideways(number, cell, cell - 1, x - 1, y)
	if x + 1 < _width:
		_step_sideways(number, cell, cell + 1, x + 1, y)


func _step_sideways(number: int, cell: int, beside: int, x: int, y: int) -> void:
	if _fits[beside] == 0:
		return
	var next: int = _side[_node_value[number] * 2 + _ceiling[beside]]
	if next == NONE:
		return
	if _ground[cell] == 1 and _ground[beside] == 1:
		_reach(beside, x, y, 0, _node_g[number] + STRAIGHT, number)
	else:
		_reach(beside, x, y, 0 if _ground[beside] == 1 else next, _node_g[number] + AIR, number)


func _reach(cell: int, x: int, y: int, value: int, g: int, parent: int) -> void:
	var before: int = NONE
	var other: int = _head[cell]
	while other != NONE:
		var following: int = _node_next[other]
		var known: int = _node_g[other]
		if known <= g and _dominates[_node_value[other] * _count + value] == 1:
			return
		if g <= known and _dominates[value * _count + _node_value[other]] == 1:
			_node_next[other] = -2
			if before == NONE:
				_head[cell] = following
			else:
				_node_next[before] = following
		else:
			before = other
		other = following
	var number: int = _node_cell.size()
	if _head[cell] == NONE:
		_touched.append(cell)
	_node_cell.append(cell)
	_node_value.append(value)
	_node_g.append(g)
	_node_parent.append(parent)
	_node_next.append(_head[cell])
	_head[cell] = number
	var key: int = g + _estimate(x, y, value) - _base
	while _buckets.size() <= key:
		_buckets.append(PackedInt32Array())
	_buckets[key].append(number)


func _estimate(x: int, y: int, value: int) -> int:
	var across: int = absi(x - _goal_x) * STRAIGHT
	if y <= _goal_y:
		return across + (_goal_y - y) * AIR
	var rows: int = y - _goal_y
	var left: int = 0
	if value >= 2 and value <= _spent:
		left = (_spent + 1 - value) / 2
	var jumps: int = (maxi(rows - left, 0) + _jump_height - 1) / _jump_height
	return across + rows * AIR + jumps * JUMP


func _trace(number: int) -> PackedInt32Array:
	var cells: PackedInt32Array = []
	while number != NONE:
		cells.append(_node_cell[number])
		number = _node_parent[number]
	cells.reverse()
	return cells


func _make_layers(
	grid: PathForgeGrid, node: PathForgePlatformer, profile: PathForgeJumpProfile
) -> void:
	var solid: PackedByteArray = grid.get_solid_data()
	for y: int in _height:
		for x: int in _width:
			var cell: Vector2i = Vector2i(x, y)
			_fits.append(int(node.can_stand(cell, profile)))
			_ground.append(int(node.is_on_ground(cell, profile)))
			var above: int = y - 1
			var touches: int = 0
			for i: int in mini(profile.footprint.x, _width - x):
				if above >= 0 and solid[above * _width + x + i] == 1:
					touches = 1
			_ceiling.append(touches)


func _make_rule() -> void:
	var long_fall: int = _spent + 6
	for value: int in _count:
		var even: int = value / 2 * 2 + 2
		var may_side: bool = value % 2 == 0 and value <= long_fall
		_side.append(value + 1 if may_side else NONE)
		_side.append(maxi(value + 1, _spent + 1) if may_side else NONE)
		_up.append(even if value < _spent else NONE)
		_up.append(maxi(even, _spent) if value < _spent else NONE)
		if value < long_fall:
			_down.append(maxi(even, _spent))
		else:
			_down.append(long_fall if value == long_fall or even == long_fall + 8 else even)
	_dominates.resize(_count * _count)
	_dominates.fill(1)
	var is_settled: bool = false
	while not is_settled:
		is_settled = true
		for a: int in _count:
			for b: int in _count:
				if _dominates[a * _count + b] == 1 and not _answers(a, b):
					_dominates[a * _count + b] = 0
					is_settled = false


func _answers(a: int, b: int) -> bool:
	if a < 2 and b >= 2 and _up[b * 2] != NONE:
		return false
	for steps: PackedInt32Array in [_side, _up]:
		for ceiling: int in 2:
			var mine: int = steps[a * 2 + ceiling]
			var theirs: int = steps[b * 2 + ceiling]
			if theirs != NONE and (mine == NONE or _dominates[mine * _count + theirs] == 0):
				return false
	return _dominates[_down[a] * _count + _down[b]] == 1
