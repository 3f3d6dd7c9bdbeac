class_name IslandTour
extends DemoTour
## Units cross the island, bridges fall and are built again, and each unit finds another way, waits
## for one, or says why there is none.

signal unit_chosen(unit: IslandUnit)
## The regions of the chosen unit's kind are to be shown, or not.
signal reach_wanted(is_on: bool)

## Places of units in the map's file.
const BOOTS := 0
const BOAT := 4
const HAULER := 7
const FAR_HAULER := 8
const NORTH := 0
const FOOT := 1

var _units: Array[IslandUnit] = []
var _bridges: Array[IslandBridge] = []
var _map: IslandMap


func set_up(map: IslandMap, units: Array[IslandUnit], bridges: Array[IslandBridge]) -> void:
	_map = map
	_units = units
	_bridges = bridges
	add_step(10.0, "Boots, boats, hovercraft, haulers: each goes where it may.", _set_out)
	add_step(8.0, "Where a hauler can be: dry land, joined by wide bridges.", _show_reach)
	add_step(9.0, "The north bridge is gone. Boots take the footbridge, the hauler waits.", _blast)
	add_step(
		10.0, "So is the footbridge: boots wade, though swamp costs four times as much.", _more
	)
	add_step(7.0, "Where the bridges were, a boat goes up the river.", _up_the_river)
	add_step(6.0, "And back, before the bridges are built again.", _down_the_river)
	add_step(11.0, "With bridges, the hauler has a path again and goes on.", _build)
	add_step(13.0, "All go home.", _go_home)


func _set_out() -> void:
	for place: int in _map.units.size():
		if _map.units[place].goal != Vector2i.MIN:
			_units[place].send(_map.units[place].goal)
	unit_chosen.emit(_units[HAULER])


func _show_reach() -> void:
	_units[FAR_HAULER].send(Vector2i(18, 27))
	reach_wanted.emit(true)


func _blast() -> void:
	reach_wanted.emit(false)
	_set_bridge(NORTH, false)
	_units[HAULER].send(Vector2i(22, 9))
	_units[BOOTS].send(Vector2i(10, 9))


func _more() -> void:
	_set_bridge(FOOT, false)
	_units[BOOTS].send(Vector2i(52, 10))
	unit_chosen.emit(_units[BOOTS])


func _up_the_river() -> void:
	_units[BOAT].send(Vector2i(29, 13))
	unit_chosen.emit(_units[BOAT])


func _down_the_river() -> void:
	_units[BOAT].send(Vector2i(30, 3))


func _build() -> void:
	for place: int in [NORTH, FOOT]:
		_set_bridge(place, true)
	unit_chosen.emit(_units[HAULER])


func _go_home() -> void:
	for place: int in _map.units.size():
		_units[place].send(_map.units[place].cell)


func _set_bridge(place: int, is_to_stand: bool) -> void:
	var bridge := _bridges[place]
	if bridge.stands != is_to_stand and not bridge.is_waiting:
		bridge.toggle()
