@tool
extends RefCounted
## Finds weights at the limits of what a cell keeps, and steps that cost more than can be counted.

const Bodies := preload("bodies.gd")
const Finding := preload("finding.gd")

## The limits of what a cell keeps: see [method PathForgeGrid.set_point_weight_scale].
const WEIGHT_MAX := 660.0
const WEIGHT_MIN := 1.0 / 70.0
## The most that a step costs: [member PathForgeProfile.terrain_costs].
const STEP_MAX := 936.0


static func find(grid: PathForgeGrid, bodies: Array[PathForgeProfile]) -> Array[Finding]:
	var weights := grid.get_weight_data()
	var found: Array[Finding] = []
	var words := "%s %s, the %s weight that a cell keeps. A %s one that was set does not count."
	_add_limit(found, grid, weights, WEIGHT_MAX, words, ["660", "largest", "larger"])
	_add_limit(found, grid, weights, WEIGHT_MIN, words, ["1/70", "least", "smaller"])
	for body: PathForgeProfile in bodies:
		for id: int in body.terrain_costs.size():
			_add_steps(found, grid, weights, body, id)
	return found


static func _add_limit(
	found: Array[Finding],
	grid: PathForgeGrid,
	weights: PackedFloat32Array,
	limit: float,
	words: String,
	names: Array[String]
) -> void:
	var number := weights.count(limit)
	if number == 0:
		return
	var cell := _cell(grid, weights.find(limit))
	var cells := "%s %s" % [Finding.count(number, "cell"), "weighs" if number == 1 else "weigh"]
	var text := words % ([cells] + names)
	found.append(Finding.new(Finding.Kind.WEIGHT, "%s The first is %s." % [text, cell], cell, true))


static func _add_steps(
	found: Array[Finding],
	grid: PathForgeGrid,
	weights: PackedFloat32Array,
	body: PathForgeProfile,
	id: int
) -> void:
	var cost := body.terrain_costs[id]
	if cost * WEIGHT_MAX <= STEP_MAX or not body.terrain_mask & (1 << id):
		return
	var terrains := grid.get_terrain_data()
	var at := terrains.find(id)
	while at != -1:
		if cost * weights[at] > STEP_MAX:
			var cell := _cell(grid, at)
			var words := "A step of %s onto %s costs %.0f, and counts as %.0f, the most there is."
			var values := [Bodies.title_of(body), cell, cost * weights[at], STEP_MAX]
			found.append(Finding.new(Finding.Kind.WEIGHT, words % values, cell, true))
			return
		at = terrains.find(id, at + 1)


static func _cell(grid: PathForgeGrid, index: int) -> Vector2i:
	var columns := grid.region.size.x
	@warning_ignore("integer_division")
	return grid.region.position + Vector2i(index % columns, index / columns)
