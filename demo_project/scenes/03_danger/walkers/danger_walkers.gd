class_name DangerWalkers
extends MultiMeshInstance2D
## Walkers of all kinds as arrays: each kind asks its field for all ways in one call, and everybody
## keeps a little off their neighbours. One upload of the MultiMesh a frame.

const EACH := 190
const SPEED_PX := 62.0
const BODY_PX := 10.0
## Closer than this, two push each other apart.
const APART_PX := 9.0
const FLASH_S := 0.35
const _NOBODY: PackedInt32Array = []

var kinds: Array[DangerKind] = []
var positions := PackedVector2Array()

var _grid: PathForgeGrid
var _camp := Rect2()
var _gate := Rect2()
var _velocities := PackedVector2Array()
var _flashes := PackedFloat32Array()
var _buckets: Dictionary[int, PackedInt32Array] = {}
var _random := RandomNumberGenerator.new()


func set_up(grid: PathForgeGrid, of_kinds: Array[DangerKind], camp: Rect2i, gate: Rect2i) -> void:
	_grid = grid
	kinds = of_kinds
	_camp = _pixels(camp)
	_gate = _pixels(gate)
	_random.seed = 3
	var count := EACH * kinds.size()
	positions.resize(count)
	_velocities.resize(count)
	_flashes.resize(count)
	for walker: int in count:
		positions[walker] = _start_place()
	multimesh = MultiMesh.new()
	multimesh.use_colors = true
	multimesh.mesh = QuadMesh.new()
	(multimesh.mesh as QuadMesh).size = Vector2(BODY_PX * 1.5, -BODY_PX * 1.5)
	multimesh.instance_count = count


## Puts everybody somewhere on the way, as if they had been walking for a while.
func spread_out() -> void:
	for kind: DangerKind in kinds:
		kind.field.rebuild()
	for walker: int in positions.size():
		var way := _kind_of(walker).field.get_path_from(_grid.local_to_cell(_start_place()))
		var cell := way[_random.randi_range(0, way.size() - 1)]
		var offset := Vector2(_random.randf_range(-1.0, 1.0), _random.randf_range(-1.0, 1.0))
		var place := _grid.cell_to_local(cell)
		positions[walker] = place
		if _is_free(place + offset * _grid.cell_size):
			positions[walker] += offset * _grid.cell_size


## The nearest walker within [param reach] pixels that is out of its camp, or -1.
func nearest(point: Vector2, reach: float) -> int:
	var best := -1
	var best_squared := reach * reach
	for walker: int in positions.size():
		var squared := positions[walker].distance_squared_to(point)
		if squared < best_squared and _flashes[walker] <= 0.0 and positions[walker].x > _camp.end.x:
			best = walker
			best_squared = squared
	return best


## A walker is hit: it starts again in a moment.
func hit(walker: int) -> void:
	_flashes[walker] = FLASH_S
	_kind_of(walker).hits += 1


func _physics_process(delta: float) -> void:
	_fill_buckets()
	for number: int in kinds.size():
		var first := number * EACH
		var places := positions.slice(first, first + EACH)
		var directions := kinds[number].field.sample_batch(places)
		for place: int in EACH:
			_walk(first + place, directions[place], delta)
	_upload()


func _walk(walker: int, direction: Vector2, delta: float) -> void:
	if _flashes[walker] > 0.0:
		_flashes[walker] -= delta
		if _flashes[walker] <= 0.0:
			_send_back(walker)
		return
	if _gate.has_point(positions[walker]):
		_kind_of(walker).through += 1
		_send_back(walker)
		return
	var push := _push_on(walker)
	var wanted := (direction + push * 1.4).limit_length(1.0) * SPEED_PX
	_velocities[walker] = _velocities[walker].lerp(wanted, minf(delta * 8.0, 1.0))
	var place := positions[walker]
	# Along one axis after the other, so that nobody is pushed into a rock.
	for step: Vector2 in [Vector2(_velocities[walker].x, 0.0), Vector2(0.0, _velocities[walker].y)]:
		if _is_free(place + step * delta):
			place += step * delta
	positions[walker] = place


func _push_on(walker: int) -> Vector2:
	var place := positions[walker]
	var push := Vector2.ZERO
	var bucket := _bucket_of(place)
	for row: int in 3:
		for column: int in 3:
			var others: PackedInt32Array = _buckets.get(
				bucket + (row - 1) * 4096 + column - 1, _NOBODY
			)
			for other: int in others:
				var apart := place - positions[other]
				var squared := apart.length_squared()
				if squared < APART_PX * APART_PX and other != walker:
					var length := maxf(sqrt(squared), 0.1)
					push += apart / length * (1.0 - length / APART_PX)
	return push


func _fill_buckets() -> void:
	_buckets.clear()
	for walker: int in positions.size():
		var bucket := _bucket_of(positions[walker])
		if bucket in _buckets:
			_buckets[bucket].append(walker)
		else:
			_buckets[bucket] = PackedInt32Array([walker])


func _bucket_of(place: Vector2) -> int:
	return int(place.y / APART_PX) * 4096 + int(place.x / APART_PX)


func _is_free(place: Vector2) -> bool:
	var cell := _grid.local_to_cell(place)
	return _grid.is_in_boundsv(cell) and not _grid.is_point_solid(cell)


func _send_back(walker: int) -> void:
	positions[walker] = _start_place()
	_velocities[walker] = Vector2.ZERO
	_flashes[walker] = 0.0


func _start_place() -> Vector2:
	var part := Vector2(_random.randf(), _random.randf())
	return _camp.grow(-6.0).position + part * _camp.grow(-6.0).size


func _upload() -> void:
	var buffer := PackedFloat32Array()
	buffer.resize(positions.size() * 12)
	for walker: int in positions.size():
		var colour := _kind_of(walker).colour
		var scale_by := 1.0
		if _flashes[walker] > 0.0:
			scale_by = 0.6 + _flashes[walker] / FLASH_S
			colour = Color(DemoPalette.BAD, _flashes[walker] / FLASH_S)
		var across := _velocities[walker].normalized() * scale_by
		if across == Vector2.ZERO:
			across = Vector2.RIGHT * scale_by
		var at := walker * 12
		buffer[at] = across.x
		buffer[at + 1] = -across.y
		buffer[at + 3] = positions[walker].x
		buffer[at + 4] = across.y
		buffer[at + 5] = across.x
		buffer[at + 7] = positions[walker].y
		for part: int in 4:
			buffer[at + 8 + part] = colour[part]
	multimesh.buffer = buffer


func _kind_of(walker: int) -> DangerKind:
	@warning_ignore("integer_division")
	return kinds[walker / EACH]


func _pixels(cells: Rect2i) -> Rect2:
	return Rect2(Vector2(cells.position) * _grid.cell_size, Vector2(cells.size) * _grid.cell_size)
