class_name HousePeople
extends Node3D
## Forty people of three sizes. Each has an errand in some room, stays there for a while, and sets
## out for the next.

const PERSON := preload("house_person.tscn")
const SEED := 11
## Seconds that one stays at an errand.
const STAY := Vector2(4.0, 11.0)
## Where a player sends one, it stays so long.
const STAY_SENT := 8.0
## Each kind: how many there are, and the rooms of their errands. The side of the footprint is in
## cells, the speed in metres a second, the height in metres.
const KINDS: Dictionary[String, Dictionary] = {
	"Child":
	{
		"count": 14,
		"side": 1,
		"speed": 2.2,
		"height": 1.05,
		"color": DemoPalette.SCOUT,
		"rooms":
		["Garden", "Kitchen", "Bedroom", "Nursery", "Nursery", "Studio", "Gallery", "Store"],
	},
	"Adult":
	{
		"count": 20,
		"side": 2,
		"speed": 1.7,
		"height": 1.75,
		"color": DemoPalette.ACCENT,
		"rooms":
		["Garden", "Kitchen", "Hall", "Workshop", "Bedroom", "Landing", "Studio", "Gallery"],
	},
	"Porter":
	{
		"count": 6,
		"side": 3,
		"speed": 1.4,
		"height": 2.1,
		"color": DemoPalette.TANK,
		"rooms": ["Garden", "Hall", "Workshop", "Gallery", "Store", "Store"],
	},
}

var all: Array[HousePerson] = []

var _grid: PathForgeGrid
var _house: PathForgeSpace3D
var _random := RandomNumberGenerator.new()


## Any floor of the house will do as [param house].
func set_up(grid: PathForgeGrid, house: PathForgeSpace3D) -> void:
	_grid = grid
	_house = house
	_random.seed = SEED
	for kind: String in KINDS:
		var profile := PathForgeProfile.new()
		profile.footprint = Vector2i.ONE * KINDS[kind]["side"]
		var looks := _figure(kind)
		for number: int in KINDS[kind]["count"]:
			_add_person(kind, number + 1, profile, looks)


## Whether no body reaches into a box.
func is_clear(box: AABB) -> bool:
	return not all.any(func(person: HousePerson) -> bool: return person.box().intersects(box))


## The one at a point of the screen, the nearest one, or null.
func person_at(camera: Camera3D, screen: Vector2) -> HousePerson:
	var from := camera.project_ray_origin(screen)
	var ray := camera.project_ray_normal(screen)
	var nearest: HousePerson = null
	for person: HousePerson in all:
		if person.box().grow(0.1).intersects_ray(from, ray) == null:
			continue
		if (
			nearest == null
			or (
				from.distance_squared_to(person.global_position)
				< from.distance_squared_to(nearest.global_position)
			)
		):
			nearest = person
	return nearest


func _add_person(kind: String, number: int, profile: PathForgeProfile, looks: Mesh) -> void:
	var person: HousePerson = PERSON.instantiate()
	person.name = "%s %d" % [kind, number]
	person.profile = profile
	person.speed = KINDS[kind]["speed"] * _random.randf_range(0.9, 1.1)
	add_child(person)
	person.set_up(_grid, _house, kind, looks)
	var rooms: Array = KINDS[kind]["rooms"]
	var spot := _find_spot(person, rooms[number % rooms.size()])
	person.global_position = _house.cell_to_global(spot, profile)
	all.append(person)
	person.send(spot, _random.randf_range(0.0, STAY.y))
	person.errand_ended.connect(_give_errand.bind(person))


## Another room, to which there is a way now; shut in, it stays where it is.
func _give_errand(person: HousePerson) -> void:
	var rooms: Array = KINDS[person.kind]["rooms"].duplicate()
	while not rooms.is_empty():
		var room: String = rooms.pop_at(_random.randi_range(0, rooms.size() - 1))
		if room == person.room:
			continue
		var spot := _find_spot(person, room)
		if spot != Vector2i.MIN and _grid.is_reachable(person.stand(), spot, person.profile):
			person.send(spot, _random.randf_range(STAY.x, STAY.y))
			return
	var here := _find_spot(person, HousePlan.room_at(person.stand()))
	person.send(here if here != Vector2i.MIN else person.stand(), STAY.x)


## A place in a room where it fits, off doors and stairs and off the places of all others.
func _find_spot(person: HousePerson, title: String) -> Vector2i:
	var room := HousePlan.room(title)
	var size := person.profile.footprint
	for attempt: int in 60:
		var cell := Vector2i(
			_random.randi_range(room.position.x, room.end.x - size.x),
			_random.randi_range(room.position.y, room.end.y - size.y)
		)
		var cells := Rect2i(cell, size)
		if HousePlan.is_kept_clear(cells) or not _grid.can_stand(cell, person.profile):
			continue
		var is_taken := all.any(
			func(other: HousePerson) -> bool:
				var place := Rect2i(other.spot, other.profile.footprint)
				return other != person and place.grow(1).intersects(cells)
		)
		if not is_taken:
			return cell
	return Vector2i.MIN


## Feet at the origin; a porter has a chest on its back.
static func _figure(kind: String) -> ArrayMesh:
	var mesh := DemoMesh.new()
	var high: float = KINDS[kind]["height"]
	var wide: float = KINDS[kind]["side"] * HousePlan.CELL * 0.38
	var color: Color = KINDS[kind]["color"]
	var skin := Color("f1d3b3")
	mesh.cone(Vector3.ZERO, Vector2(wide, wide * 0.55), high * 0.72, color, 10)
	mesh.cone(Vector3.UP * high * 0.72, Vector2(wide * 0.4, wide * 0.62), high * 0.1, skin, 8)
	mesh.cone(Vector3.UP * high * 0.82, Vector2(wide * 0.62, wide * 0.3), high * 0.18, skin, 8)
	mesh.box(
		Vector3(0, high * 0.83, -wide * 0.55),
		Vector3(wide * 0.3, high * 0.05, 0.05),
		Color("3a2a20")
	)
	if kind == "Porter":
		mesh.box(Vector3(0, 0.75, wide * 0.75), Vector3(1.1, 1.0, 0.5), DemoPalette.WOOD)
	return mesh.commit()
