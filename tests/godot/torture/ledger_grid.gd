class_name LedgerGrid
extends PathForgeGrid
## A grid that keeps a ledger of its requests: every ticket is answered once and in order, and every
## path can be walked when it comes. What breaks the law is noted in [member faults].

const SIDE := 96
const CORNER := Vector2i(-8, -8)

## What went wrong on any of these grids.
static var faults: Array[String] = []
## Requests of all of them that were answered.
static var answers := 0
## Where the next grid's random numbers begin.
static var next_seed := 1

var rng := RandomNumberGenerator.new()
## By ticket, whether it was cancelled.
var open: Dictionary[int, bool] = {}
var _kinds: Dictionary[int, int] = {}
var _callbacks: Dictionary[int, bool] = {}
var _last := 0
## Only this node changes these.
var _profiles: Array[PathForgeProfile] = []


func _init() -> void:
	rng.seed = next_seed
	next_seed += 1
	for kind: int in 4:
		var profile := PathForgeProfile.new()
		profile.footprint = Vector2i(1 + kind % 3, 1 + kind / 2)
		profile.smoothing = kind % 2
		profile.terrain_costs = [1.0, 2.0 * kind]
		if kind == 3:
			profile.search_mode = PathForgeProfile.SEARCH_HIERARCHICAL
		_profiles.append(profile)
	path_answered.connect(_on_path_answered)


## A map with walls.
static func create() -> LedgerGrid:
	var grid := LedgerGrid.new()
	grid.region = Rect2i(CORNER, Vector2i(SIDE, SIDE))
	for _n: int in 40:
		grid.fill_solid_region(grid.any_rect())
	return grid


func any_cell() -> Vector2i:
	return CORNER + Vector2i(rng.randi_range(0, SIDE - 1), rng.randi_range(0, SIDE - 1))


func any_rect() -> Rect2i:
	return Rect2i(any_cell(), Vector2i(rng.randi_range(1, 12), rng.randi_range(1, 12)))


## Asks for some paths, many of them to one place.
func ask() -> void:
	for _n: int in rng.randi_range(1, 8):
		var goal := Vector2i(60, 60) if rng.randf() < 0.4 else any_cell()
		var kind := rng.randi_range(0, _profiles.size() - 1)
		var mode := rng.randi_range(0, 2)
		var callback := _on_answered if rng.randf() < 0.5 else Callable()
		var ticket := request_path(any_cell(), goal, _profiles[kind], mode, callback)
		_note(ticket, kind)
		if callback.is_valid():
			_callbacks[ticket] = true
	if rng.randf() < 0.2:
		var starts: Array[Vector2i] = []
		for _n: int in rng.randi_range(1, 30):
			starts.append(any_cell())
		for ticket: int in request_paths(starts, [any_cell()], _profiles[0]):
			_note(ticket, 0)


## Takes one of them back.
func cancel_one() -> void:
	if open.is_empty():
		return
	var tickets: Array[int] = open.keys()
	var ticket := tickets[rng.randi_range(0, tickets.size() - 1)]
	if cancel_request(ticket) == open[ticket]:
		_fault(ticket, "could be cancelled twice or not at all")
	open[ticket] = true


## Changes cells.
func edit() -> void:
	match rng.randi_range(0, 9):
		0, 1, 2:
			fill_solid_region(any_rect(), rng.randf() < 0.5)
		3:
			fill_terrain_region(any_rect(), rng.randi_range(0, 1))
		4:
			fill_weight_scale_region(any_rect(), rng.randf_range(0.5, 3.0))
		5:
			set_point_solid(any_cell(), rng.randf() < 0.5)
		6:
			begin_edit()
			fill_solid_region(any_rect(), rng.randf() < 0.5)
			fill_weight_scale_region(any_rect(), 1.0)
			end_edit()
		7:
			from_bytes(to_bytes())
		8:
			var id := add_obstacle(any_rect())
			move_obstacle(id, any_rect())
			if rng.randf() < 0.8:
				remove_obstacle(id)
		_:
			if rng.randf() < 0.1:
				region = Rect2i(CORNER, Vector2i(SIDE, SIDE) + Vector2i(rng.randi_range(-20, 9), 0))


## Says what is left at the end, when everything should be answered.
func close() -> void:
	for ticket: int in open:
		_fault(ticket, "was never answered")
	for ticket: int in _callbacks:
		_fault(ticket, "never came to its callback")


func _note(ticket: int, kind: int) -> void:
	if ticket <= _last or open.has(ticket):
		_fault(ticket, "is no new ticket")
	open[ticket] = false
	_kinds[ticket] = kind


func _on_path_answered(ticket: int, path: PathForgePath) -> void:
	answers += 1
	if ticket <= _last:
		_fault(ticket, "came twice or late")
	_last = maxi(_last, ticket)
	if not open.has(ticket):
		return  # An agent's, or a thread's.
	var cancelled := open[ticket]
	open.erase(ticket)
	if cancelled != (path.status == PathForgePath.STATUS_CANCELLED):
		_fault(ticket, path.describe())
	if path.is_complete() and not _is_walkable(path, _profiles[_kinds[ticket]].footprint):
		_fault(ticket, "leads through a wall")
	_kinds.erase(ticket)
	match rng.randi_range(0, 99):
		0:
			edit()
		1:
			ask()
		2:
			cancel_one()


func _on_answered(ticket: int, _path: PathForgePath) -> void:
	if not _callbacks.erase(ticket):
		_fault(ticket, "came to its callback twice or unasked")


func _is_walkable(path: PathForgePath, footprint: Vector2i) -> bool:
	var body := PathForgeProfile.new()
	body.footprint = footprint
	for cell: Vector2i in path.cells:
		if not can_stand(cell, body):
			return false
	return true


func _fault(ticket: int, what: String) -> void:
	faults.append("ticket %d %s" % [ticket, what])
