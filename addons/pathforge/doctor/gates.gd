@tool
extends RefCounted
## Finds gates: passages between rooms that are at least twice as wide.
##
## For each width n, squares of 2n cells (3 for n = 1) are put wherever they fit. What they cover
## are rooms; open cells that they do not cover form passages. A passage is a gate of width n if
## squares of n cells come through from one room to another, and wider squares do not. A gap
## beside a pillar is no gate, since a short way around joins both of its sides.

const RoomMap := preload("room_map.gd")

## The widest gates that are looked for.
const WIDTH_MAX := 6
## A way around of so many steps makes a passage no gate.
const AROUND_STEPS_MAX := 16

var _map: RoomMap = null
var _neighbours := PackedInt32Array()


## One gate.
class Gate:
	var cell := Vector2i.MIN
	## The side of the widest square that comes through.
	var width := 0
	## The number of rooms that it joins.
	var rooms := 0


func _init(grid: PathForgeGrid, body: PathForgeProfile) -> void:
	_map = RoomMap.new(grid, body)
	_neighbours = [1, -1, _map.stride, -_map.stride]


## All gates, narrowest first.
func find() -> Array[Gate]:
	var gates: Array[Gate] = []
	for width: int in range(1, WIDTH_MAX + 1):
		var cells := _map.open_cells(maxi(3, 2 * width))
		var next := cells.find(1)
		while next != -1:
			_look_at(_take_passage(cells, next), cells, width, gates)
			next = cells.find(1, next)
	return gates


## The passage that has the cell [param first]. Its cells become 3 in [param cells].
func _take_passage(cells: PackedByteArray, first: int) -> PackedInt32Array:
	var passage: PackedInt32Array = [first]
	cells[first] = 3
	var at := 0
	while at < passage.size():
		for step: int in _neighbours:
			var next := passage[at] + step
			if cells[next] == 1:
				cells[next] = 3
				passage.append(next)
		at += 1
	return passage


func _look_at(
	passage: PackedInt32Array, cells: PackedByteArray, width: int, gates: Array[Gate]
) -> void:
	var mouths := _mouths_of(passage, cells)
	var count: int = mouths.values().max() + 1 if not mouths.is_empty() else 0
	if count < 2:
		return
	var around := _joined_around(passage, mouths, cells, count)
	var wider := around.duplicate()
	_squares(passage, mouths, width + 1, wider)
	if _classes(wider) < 2:
		return
	var through := wider.duplicate()
	var squares := _squares(passage, mouths, width, through)
	for room: int in count:
		if _find(through, room) != room:
			continue
		var rooms: Dictionary[int, bool] = {}
		for other: int in count:
			if _find(through, other) == room:
				rooms[_find(wider, other)] = true
		if rooms.size() < 2:
			continue
		var gate := Gate.new()
		gate.width = width
		gate.rooms = rooms.size()
		gate.cell = _map.cell_of(_narrowest(squares, wider, room, through, width))
		gates.append(gate)


## The cells of rooms beside the passage, each with the number of its mouth: cells that touch, also
## by a corner, are one mouth.
func _mouths_of(passage: PackedInt32Array, cells: PackedByteArray) -> Dictionary[int, int]:
	var mouths: Dictionary[int, int] = {}
	for cell: int in passage:
		for step: int in _neighbours:
			if cells[cell + step] == 2:
				mouths[cell + step] = -1
	var stride := _map.stride
	var around: PackedInt32Array = [
		1, -1, stride, -stride, stride + 1, stride - 1, -stride + 1, -stride - 1
	]
	var count := 0
	for first: int in mouths:
		if mouths[first] != -1:
			continue
		mouths[first] = count
		var open: PackedInt32Array = [first]
		while not open.is_empty():
			var cell := open[-1]
			open.resize(open.size() - 1)
			for step: int in around:
				if mouths.get(cell + step, 0) == -1:
					mouths[cell + step] = count
					open.append(cell + step)
		count += 1
	return mouths


## Sets of mouths. In a set, short paths beside the passage join the mouths.
func _joined_around(
	passage: PackedInt32Array, mouths: Dictionary[int, int], cells: PackedByteArray, count: int
) -> PackedInt32Array:
	var sets := PackedInt32Array(range(count))
	var barred: Dictionary[int, bool] = {}
	for cell: int in passage:
		barred[cell] = true
	for mouth: int in count:
		var steps: Dictionary[int, int] = {}
		var open := PackedInt32Array()
		for cell: int in mouths:
			if mouths[cell] == mouth:
				steps[cell] = 0
				open.append(cell)
		var at := 0
		while at < open.size():
			var cell := open[at]
			at += 1
			if cell in mouths:
				_join(sets, mouth, mouths[cell])
			if steps[cell] == AROUND_STEPS_MAX:
				continue
			for step: int in _neighbours:
				var next := cell + step
				if cells[next] != 0 and next not in steps and next not in barred:
					steps[next] = steps[cell] + 1
					open.append(next)
	return sets


## The squares of [param side] that touch the passage or its mouths, by their top-left cells. Each
## has a mouth that it covers, or −1. Joins the mouths between which the squares move.
func _squares(
	passage: PackedInt32Array, mouths: Dictionary[int, int], side: int, sets: PackedInt32Array
) -> Dictionary[int, int]:
	var squares: Dictionary[int, int] = {}
	for cell: int in passage:
		for y: int in side:
			for x: int in side:
				var at := cell - y * _map.stride - x
				if at >= 0 and _map.clearance[at] >= side:
					squares[at] = -1
	for cell: int in mouths:
		for y: int in side:
			for x: int in side:
				var at := cell - y * _map.stride - x
				if at >= 0 and _map.clearance[at] >= side:
					if squares.get(at, -1) != -1:
						_join(sets, squares[at], mouths[cell])
					squares[at] = mouths[cell]
	var seen: Dictionary[int, bool] = {}
	for first: int in squares:
		if first in seen:
			continue
		seen[first] = true
		var mouth := -1
		var open: PackedInt32Array = [first]
		while not open.is_empty():
			var at := open[-1]
			open.resize(open.size() - 1)
			if squares[at] != -1:
				if mouth != -1:
					_join(sets, mouth, squares[at])
				mouth = squares[at]
			for step: int in _neighbours:
				if at + step in squares and at + step not in seen:
					seen[at + step] = true
					open.append(at + step)
	return squares


## The middle square of the narrow part of a path. The path leads between two rooms of one set of
## [param through], [param room], that are in two sets of [param wider].
func _narrowest(
	squares: Dictionary[int, int],
	wider: PackedInt32Array,
	room: int,
	through: PackedInt32Array,
	width: int
) -> int:
	var before: Dictionary[int, int] = {}
	var open := PackedInt32Array()
	for at: int in squares:
		if squares[at] != -1 and _find(wider, squares[at]) == _find(wider, room):
			before[at] = at
			open.append(at)
	var at := 0
	while at < open.size():
		var here := open[at]
		at += 1
		var mouth := squares[here]
		if (
			mouth != -1
			and _find(through, mouth) == room
			and _find(wider, mouth) != _find(wider, room)
		):
			return _middle(before, here, width)
		for step: int in _neighbours:
			if here + step in squares and here + step not in before:
				before[here + step] = here
				open.append(here + step)
	return open[0] if not open.is_empty() else squares.keys()[0]


func _middle(before: Dictionary[int, int], last: int, width: int) -> int:
	var narrow := PackedInt32Array()
	var at := last
	while true:
		if _map.clearance[at] == width:
			narrow.append(at)
		if before[at] == at:
			break
		at = before[at]
	@warning_ignore("integer_division")
	return narrow[narrow.size() / 2] if not narrow.is_empty() else last


static func _find(sets: PackedInt32Array, member: int) -> int:
	while sets[member] != member:
		member = sets[member]
	return member


## The smaller number stays the name of a set.
static func _join(sets: PackedInt32Array, one: int, other: int) -> void:
	var low := mini(_find(sets, one), _find(sets, other))
	var high := maxi(_find(sets, one), _find(sets, other))
	sets[high] = low


static func _classes(sets: PackedInt32Array) -> int:
	var count := 0
	for member: int in sets.size():
		count += 1 if sets[member] == member else 0
	return count
