class_name WorldTravellers
extends Node2D
## A hundred travellers between the towns. Each asks the grid for its next path, and asks again when
## a wall is built on its path.

const COUNT := 100
## Of a hundred, by kind.
const SHARES: PackedInt32Array = [58, 28, 14]
## On the screen a dot is at least so wide, by kind, in pixels.
const DOTS: PackedFloat32Array = [8.0, 11.0, 14.0]
## Ways that are drawn anew in a frame at most.
const STRIPS := 6

@export var kinds: Array[TravellerKind] = []

var travellers: Array[Traveller] = []
var meter: RequestMeter
## Whether those who have an answer ask at once for the next way, without walking.
var is_asking_on := false
## Whose way is bright, or [code]null[/code].
var chosen: Traveller
var repaths := 0
## Which all kinds reach.
var towns: Array[Vector2i] = []

var _grid: PathForgeGrid
## Whether all travellers ask in the next frame, and which others do.
var _are_all_due := false
var _due: Array[Traveller] = []
var _camera: WorldCamera
var _strips: Array[TravellerWay] = []
var _stale: Array[int] = []
var _random := RandomNumberGenerator.new()
var _zoom := 0.0


func _ready() -> void:
	search_flat(false)  # Resources outlive a restart of the scene.
	set_process(false)


func set_up(
	grid: PathForgeGrid, all_towns: Array[Vector2i], camera: WorldCamera, of_meter: RequestMeter
) -> void:
	_grid = grid
	_camera = camera
	meter = of_meter
	_random.seed = 7
	for town: Vector2i in all_towns:
		if grid.is_reachable(town, all_towns[0], kinds[2].profile):
			towns.append(town)
	for kind: int in kinds.size():
		for _one: int in SHARES[kind]:
			_add(kinds[kind])
	set_process(true)
	send_all()


## All ask for a path to another town in the next frame.
func send_all() -> void:
	_are_all_due = true


## Sends the chosen one to a place. Returns why it cannot go, in words; nothing when it goes.
func send_chosen(spot: Vector2) -> String:
	if chosen == null:
		return "Choose a traveller first: click on a dot."
	var profile := chosen.kind.profile
	var cell := _grid.local_to_cell(chosen.corner_at(spot))
	if not _grid.can_stand(cell, profile):
		return "It cannot stand there."
	if not _grid.is_reachable(_stand(chosen), cell, profile):
		return "There is no path to there for it."
	chosen.goal = cell
	_due.append(chosen)
	return ""


## Over clusters of the map, or cell by cell.
func search_flat(is_flat: bool) -> void:
	for kind: TravellerKind in kinds:
		kind.profile.search_mode = (
			PathForgeProfile.SEARCH_OPTIMAL if is_flat else PathForgeProfile.SEARCH_HIERARCHICAL
		)


## Cells around [param spot] have changed: whose way is touched asks anew.
func note_edit(spot: Vector2, radius: float) -> void:
	for traveller: Traveller in travellers:
		if traveller.ticket == 0 and traveller.comes_near(spot, radius):
			repaths += 1
			_due.append(traveller)


## Who is drawn at a place, or [code]null[/code].
func traveller_at(spot: Vector2) -> Traveller:
	var best: Traveller
	var best_distance := 13.0 / _camera.zoom.x
	for traveller: Traveller in travellers:
		var distance := traveller.place.distance_to(spot) - traveller.kind.side * 0.5
		if distance < best_distance:
			best = traveller
			best_distance = distance
	return best


## Its path is bright from now on, and no other.
func choose(traveller: Traveller) -> void:
	chosen = traveller
	for at: int in travellers.size():
		_strips[at].show_bright(travellers[at] == traveller)


func _process(delta: float) -> void:
	_ask_all_due()
	# Time runs slower the nearer one looks.
	var speed := clampf(16.0 / _camera.zoom.x, 5.0, 90.0)
	for at: int in travellers.size():
		var traveller := travellers[at]
		if traveller.ticket != 0:
			continue
		if not traveller.has_arrived():
			traveller.walk(speed * delta)
			_strips[at].show_walked(traveller.walked)
		else:
			traveller.rest_s -= delta
			if traveller.rest_s < 0.0:
				traveller.goal = _another_town(traveller)
				_due.append(traveller)
	for _strip: int in mini(STRIPS, _stale.size()):
		var at: int = _stale.pop_front()
		_strips[at].show_way(travellers[at].way)
	if _zoom != _camera.zoom.x:
		_zoom = _camera.zoom.x
		for strip: TravellerWay in _strips:
			strip.show_zoom(_zoom)
	queue_redraw()


func _draw() -> void:
	if travellers.is_empty():
		return
	var view := _camera.seen().grow(30.0 / _zoom)
	for traveller: Traveller in travellers:
		if view.has_point(traveller.place):
			_draw_one(traveller)
	if chosen != null and not chosen.has_arrived():
		var goal := chosen.way[-1]
		for part: float in [0.35, 1.0]:
			draw_arc(goal, 11.0 * part / _zoom, 0, TAU, 40, DemoPalette.ACCENT, 2.0 / _zoom, true)


func _draw_one(traveller: Traveller) -> void:
	var kind := traveller.kind
	if kind.side * _zoom < 11.0:
		var radius := DOTS[kind.side - 1] * 0.5 / _zoom
		DemoPalette.draw_disc(self, traveller.place, radius + 1.6 / _zoom, DemoPalette.INK)
		DemoPalette.draw_disc(self, traveller.place, radius, kind.colour)
	else:
		draw_set_transform(traveller.place, traveller.heading.angle())
		var size := Vector2.ONE * kind.side
		draw_texture_rect(kind.picture, Rect2(-size * 0.5, size), false)
		draw_set_transform(Vector2.ZERO)
	if traveller == chosen:
		var ring := maxf(kind.side * 0.75, 11.0 / _zoom)
		draw_arc(traveller.place, ring, 0.0, TAU, 40, DemoPalette.ACCENT, 2.0 / _zoom, true)


func _add(kind: TravellerKind) -> void:
	var traveller := Traveller.new()
	traveller.kind = kind
	var town: Vector2i = towns[_random.randi_range(0, towns.size() - 1)]
	traveller.goal = town
	traveller.place = _grid.cell_to_local(town, kind.profile)
	traveller.rest_s = INF
	travellers.append(traveller)
	var strip := TravellerWay.new(kind.colour)
	_strips.append(strip)
	$Ways.add_child(strip)


func _ask_all_due() -> void:
	var begun_usec := Time.get_ticks_usec()
	if _are_all_due:
		_are_all_due = false
		_due = travellers.duplicate()
		for traveller: Traveller in travellers:
			traveller.goal = _another_town(traveller)
		meter.begin_burst(travellers, begun_usec)
	for traveller: Traveller in _due:
		_ask(traveller)
	_due.clear()
	meter.note_asked(begun_usec)


## The cell that it stands on, or the nearest one when a wall was built there.
func _stand(traveller: Traveller) -> Vector2i:
	var profile := traveller.kind.profile
	var cell := _grid.local_to_cell(traveller.corner_at(traveller.place))
	if not _grid.can_stand(cell, profile):
		cell = _grid.find_nearest_fit(cell, profile, 60)
	return cell


func _ask(traveller: Traveller) -> void:
	_grid.cancel_request(traveller.ticket)
	var profile := traveller.kind.profile
	traveller.ticket = _grid.request_path(
		_stand(traveller),
		traveller.goal,
		profile,
		PathForgeGrid.GOAL_EXACT,
		_on_answered.bind(traveller)
	)


func _on_answered(ticket: int, path: PathForgePath, traveller: Traveller) -> void:
	if ticket != traveller.ticket:
		return
	traveller.ticket = 0
	meter.note_answer(traveller, path)
	if not path.is_complete():
		traveller.rest_s = 1.0
		traveller.take([])
		_stale.append(travellers.find(traveller))
		return
	traveller.take(path.positions)
	traveller.rest_s = _random.randf_range(0.2, 1.5)
	_stale.append(travellers.find(traveller))
	if is_asking_on:
		traveller.goal = _another_town(traveller)
		_ask(traveller)


func _another_town(traveller: Traveller) -> Vector2i:
	var town := traveller.goal
	while town == traveller.goal:
		town = towns[_random.randi_range(0, towns.size() - 1)]
	return town
