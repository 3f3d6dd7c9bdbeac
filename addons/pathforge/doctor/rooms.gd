@tool
extends RefCounted
## Finds sealed rooms: open areas that no body can reach from the largest area of its kind.

const RoomMap := preload("room_map.gd")

var _grid: PathForgeGrid = null
var _map: RoomMap = null


## One sealed room.
class Room:
	## Places of the body's top-left cell in it.
	var cells: Array[Vector2i] = []
	var body: PathForgeProfile = null
	## A cell of the largest area.
	var outside := Vector2i.MIN


func _init(grid: PathForgeGrid) -> void:
	_grid = grid
	_map = RoomMap.new(grid, PathForgeProfile.new())


## The rooms that none of [param bodies] can reach, largest first.
func find(bodies: Array[PathForgeProfile]) -> Array[Room]:
	# What is a room to a small body is no second one to a large body.
	bodies.sort_custom(_is_smaller)
	var reached := PackedByteArray()
	reached.resize(_map.clearance.size())
	var loose: Array[PackedInt32Array] = []
	var outsides: Array[Vector2i] = []
	for body: PathForgeProfile in bodies:
		var places := _places_of(body)
		var outside := _in_largest_area(places, body)
		outsides.append(outside)
		var far := PackedInt32Array()
		var near := PackedByteArray()
		near.resize(reached.size())
		for place: int in places:
			if _grid.is_reachable(outside, _map.cell_of(place), body):
				near[place] = 1
			else:
				far.append(place)
		loose.append(far)
		near = _map.covered(near, body.footprint)
		var at := near.find(1)
		while at != -1:
			reached[at] = 1
			at = near.find(1, at + 1)
	var rooms: Array[Room] = []
	for index: int in bodies.size():
		_add_rooms(rooms, loose[index], reached, bodies[index], outsides[index])
	rooms.sort_custom(func(a: Room, b: Room) -> bool: return a.cells.size() > b.cells.size())
	return rooms


static func _is_smaller(one: PathForgeProfile, other: PathForgeProfile) -> bool:
	return one.footprint.x * one.footprint.y < other.footprint.x * other.footprint.y


## The places where a body fits.
func _places_of(body: PathForgeProfile) -> PackedInt32Array:
	var room := RoomMap.new(_grid, body).clearance
	var side := mini(body.footprint.x, body.footprint.y)
	var is_square := body.footprint.x == body.footprint.y
	var places := PackedInt32Array()
	for index: int in room.size():
		if room[index] >= side and (is_square or _grid.can_stand(_map.cell_of(index), body)):
			places.append(index)
	return places


## A place in the area of [param body] that has the most places.
func _in_largest_area(places: PackedInt32Array, body: PathForgeProfile) -> Vector2i:
	var best := Vector2i.MIN
	var most := 0
	while places.size() > most:
		var start := _map.cell_of(places[0])
		var others := PackedInt32Array()
		for place: int in places.slice(1):
			if not _grid.is_reachable(start, _map.cell_of(place), body):
				others.append(place)
		if places.size() - others.size() > most:
			most = places.size() - others.size()
			best = start
		places = others
	return best


## Adds the rooms in [param loose] of whose places none is in [param reached]. Their cells are in it
## from then on.
func _add_rooms(
	rooms: Array[Room],
	loose: PackedInt32Array,
	reached: PackedByteArray,
	body: PathForgeProfile,
	outside: Vector2i
) -> void:
	var left: Dictionary[int, bool] = {}
	for place: int in loose:
		if reached[place] == 0:
			left[place] = true
	for first: int in loose:
		if first not in left:
			continue
		var room := Room.new()
		room.body = body
		room.outside = outside
		left.erase(first)
		var open: PackedInt32Array = [first]
		while not open.is_empty():
			var place := open[-1]
			open.resize(open.size() - 1)
			for y: int in body.footprint.y:
				for x: int in body.footprint.x:
					reached[place + y * _map.stride + x] = 1
			room.cells.append(_map.cell_of(place))
			for y: int in range(-1, 2):
				for x: int in range(-1, 2):
					var next := place + y * _map.stride + x
					if left.erase(next):
						open.append(next)
		rooms.append(room)
