class_name DangerSites
extends RefCounted
## Where a tower may stand, and in words why it may not.

## Cells round the camps and the gate that stay free.
const MARGIN := 1

var grid: PathForgeGrid
## What has to fit where a tower is built.
var tower: PathForgeProfile

var _kept: Array[Rect2i] = []
var _starts: Array[Vector2i] = []
var _goals: Array[Vector2i] = []


func _init(
	of_grid: PathForgeGrid, body: PathForgeProfile, kinds: Array[DangerKind], gate: Rect2i
) -> void:
	grid = of_grid
	tower = body
	_goals = kinds[0].goals
	_kept = [gate.grow(MARGIN)]
	for kind: DangerKind in kinds:
		for camp: Rect2i in kind.camps:
			_kept.append(camp.grow(MARGIN))
			_starts.append(camp.position)


## Why no tower can stand with its top-left cell at [param cell]; empty when one can.
func why_not(cell: Vector2i) -> String:
	var area := Rect2i(cell, DangerTower.SIDE)
	if not grid.can_stand(cell, tower):
		return "A tower needs 2×2 free cells"
	if _kept.any(func(kept: Rect2i) -> bool: return kept.intersects(area)):
		return "Camps and gate stay free"
	if grid.would_block(area, _starts, _goals):
		return "A tower here would close the valley"
	return ""
