@tool
extends RefCounted
## Looks at the grids of a scene and finds what a level designer should know: gates, sealed rooms
## and misplaced agents. Also cells that differ from their tiles, and weights at a limit.

const Bodies := preload("bodies.gd")
const Finding := preload("finding.gd")
const Gates := preload("gates.gd")
const Imports := preload("imports.gd")
const Rooms := preload("rooms.gd")
const Starts := preload("starts.gd")
const Weights := preload("weights.gd")

## Cells up to which gates and rooms are looked for.
const CELLS_MAX := 262144
## How many gates, and how many sealed rooms, are listed for each grid.
const LISTED_MAX := 10
## Sealed rooms of fewer cells are counted and are no fault.
const ROOM_CELLS_MIN := 4

var grids: Array[PathForgeGrid] = []
var findings: Array[Finding] = []

var _root: Node = null
var _nodes: Array[Node] = []
var _bodies: Bodies = null


## Looks at the scene [param root], which is in the tree. [param extra] are profiles beside those of
## the scene.
func _init(root: Node, extra: Array = []) -> void:
	_root = root
	_nodes = Bodies.nodes(root)
	_bodies = Bodies.new(root, extra)
	for node: Node in _nodes:
		if node is PathForgeGrid:
			grids.append(node as PathForgeGrid)
	_look_at_scripts()
	findings.append_array(Starts.new().find(_nodes, null))
	for grid: PathForgeGrid in grids:
		var before := findings.size()
		_look_at(grid)
		for finding: Finding in findings.slice(before):
			finding.place = place_of(grid)


## Whether there is a grid with cells to look at.
func has_cells() -> bool:
	return grids.any(func(grid: PathForgeGrid) -> bool: return grid.region.has_area())


func fault_count() -> int:
	return findings.filter(func(finding: Finding) -> bool: return finding.is_fault).size()


## What a grid is called in the scene: its path from the root.
func place_of(grid: PathForgeGrid) -> String:
	return str(grid.name) if grid == _root else str(_root.get_path_to(grid))


func _look_at_scripts() -> void:
	for node: Node in _nodes:
		var script := node.get_script() as Script
		if script != null and not Engine.is_editor_hint() and not script.can_instantiate():
			var words := "%s has errors, so %s does not do what its script says."
			_add(Finding.Kind.MAP, words % [script.resource_path, node.name], Vector2i.MIN, true)


func _look_at(grid: PathForgeGrid) -> void:
	if not grid.region.has_area():
		_add(Finding.Kind.MAP, "It has no cells.")
		return
	if grid.get_solid_data().find(0) == -1:
		_add(Finding.Kind.MAP, "All of its cells are solid.", grid.region.position, true)
		return
	findings.append_array(Imports.new(grid).find())
	findings.append_array(Weights.find(grid, _bodies.profiles))
	findings.append_array(Starts.new().find(_nodes, grid))
	if _is_side_view(grid):
		_add(Finding.Kind.MAP, "It is a side view: gates and rooms are not looked for.")
		return
	var cells := grid.region.get_area()
	if cells > CELLS_MAX:
		var words := "It has %d cells: gates and rooms are looked for up to %d."
		_add(Finding.Kind.MAP, words % [cells, CELLS_MAX])
		return
	_add_gates(grid)
	_add_rooms(grid)


## Whether bodies that jump use the grid and no others do.
func _is_side_view(grid: PathForgeGrid) -> bool:
	var has_jumpers := false
	for node: Node in _nodes:
		if node is PathForgePlatformer:
			has_jumpers = has_jumpers or (node as PathForgePlatformer).get_effective_grid() == grid
		elif Bodies.is_agent(node) and node.call(&"get_effective_grid") == grid:
			return false
	return has_jumpers


func _add_gates(grid: PathForgeGrid) -> void:
	var gates: Array[Gates.Gate] = []
	var whose: Dictionary[Vector3i, String] = {}
	var capabilities := _bodies.capabilities_on(grid)
	for body: PathForgeProfile in capabilities:
		var words := ""
		if body != capabilities[0]:
			words = ", for %s" % Bodies.terrains_in_words(body, grid)
		for gate: Gates.Gate in Gates.new(grid, body).find():
			var key := Vector3i(gate.cell.x, gate.cell.y, gate.width)
			if key not in whose:
				whose[key] = words
				gates.append(gate)
	gates.sort_custom(func(a: Gates.Gate, b: Gates.Gate) -> bool: return a.width < b.width)
	for gate: Gates.Gate in gates.slice(0, LISTED_MAX):
		var key := Vector3i(gate.cell.x, gate.cell.y, gate.width)
		var words := "Gate at %s%s: the widest body that comes through is %d×%d. It joins %d rooms."
		var values := [gate.cell, whose[key], gate.width, gate.width, gate.rooms]
		_add(Finding.Kind.GATE, words % values, gate.cell)
	if gates.size() > LISTED_MAX:
		var words := "%s more, as wide as these or wider."
		var more := Finding.count(gates.size() - LISTED_MAX, "gate")
		_add(Finding.Kind.GATE, words % more, gates[LISTED_MAX].cell)


func _add_rooms(grid: PathForgeGrid) -> void:
	var rooms := Rooms.new(grid).find(_bodies.on(grid))
	var large := rooms.filter(
		func(room: Rooms.Room) -> bool: return room.cells.size() >= ROOM_CELLS_MIN
	)
	for room: Rooms.Room in large.slice(0, LISTED_MAX):
		var cell := room.cells[0]
		var why := grid._explain_quietly(room.outside, cell, room.body).text
		var size := room.body.footprint
		var fit := "" if size == Vector2i.ONE else " for %s" % Bodies.title_of(room.body)
		var words := "A room of %d places%s is sealed at %s. No body gets there from %s: %s"
		var values := [room.cells.size(), fit, cell, room.outside, why]
		if size == Vector2i.ONE:
			words = words.replace("places", "cells")
		_add(Finding.Kind.ROOM, words % values, cell, true)
	if large.size() > LISTED_MAX:
		var cell: Vector2i = (large[LISTED_MAX] as Rooms.Room).cells[0]
		var words := "%s more, the largest at %s."
		var more := Finding.count(large.size() - LISTED_MAX, "sealed room")
		_add(Finding.Kind.ROOM, words % [more, cell], cell, true)
	if rooms.size() > large.size():
		var cell: Vector2i = rooms[large.size()].cells[0]
		var words := "%s of fewer than %d cells that no body reaches, the largest at %s."
		var more := Finding.count(rooms.size() - large.size(), "pocket")
		_add(Finding.Kind.ROOM, words % [more, ROOM_CELLS_MIN, cell], cell)


func _add(kind: Finding.Kind, text: String, cell := Vector2i.MIN, is_fault := false) -> void:
	findings.append(Finding.new(kind, text, cell, is_fault))
