@tool
extends RefCounted
## The room at each cell of a grid, as bytes. Row y begins at [code](y + 1) * stride[/code]. A
## closed column and closed rows lie around the cells, so that steps to neighbours need no check.

var clearance := PackedByteArray()
var stride := 0

var _origin := Vector2i.ZERO
var _size := Vector2i.ZERO


func _init(grid: PathForgeGrid, body: PathForgeProfile) -> void:
	_origin = grid.region.position
	_size = grid.region.size
	stride = _size.x + 1
	var map := ClearanceMap.new()
	map.grid = grid
	map.profile = body
	var data := map.get_clearance_data()
	map.free()
	clearance.resize(stride)
	for y: int in _size.y:
		clearance.append_array(data.slice(y * _size.x, (y + 1) * _size.x))
		clearance.append(0)
	clearance.resize(clearance.size() + stride)


func cell_of(index: int) -> Vector2i:
	@warning_ignore("integer_division")
	return _origin + Vector2i(index % stride, index / stride - 1)


## The cells that squares of [param side] cover: 2. Other open cells are 1, closed ones 0.
func open_cells(side: int) -> PackedByteArray:
	var result := PackedByteArray()
	result.resize(clearance.size())
	# How many rows more are covered in each column.
	var rows := PackedInt32Array()
	rows.resize(stride)
	for y: int in _size.y:
		var row := (y + 1) * stride
		var columns := 0
		for x: int in _size.x:
			var room := clearance[row + x]
			if room >= side:
				columns = side
			if columns > 0:
				columns -= 1
				rows[x] = side
			if rows[x] > 0:
				rows[x] -= 1
				result[row + x] = 2
			elif room > 0:
				result[row + x] = 1
	return result


## The cells that bodies of [param size] cover whose top-left cells are 1 in [param anchors]: 1.
func covered(anchors: PackedByteArray, size: Vector2i) -> PackedByteArray:
	if size == Vector2i.ONE:
		return anchors
	var result := PackedByteArray()
	result.resize(clearance.size())
	var rows := PackedInt32Array()
	rows.resize(stride)
	for y: int in _size.y:
		var row := (y + 1) * stride
		var columns := 0
		for x: int in _size.x:
			if anchors[row + x] == 1:
				columns = size.x
			if columns > 0:
				columns -= 1
				rows[x] = size.y
			if rows[x] > 0:
				rows[x] -= 1
				result[row + x] = 1
	return result
