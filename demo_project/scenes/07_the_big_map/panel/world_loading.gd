class_name WorldLoading
extends CanvasLayer
## How far the making of the map has come.

const STAGES: PackedStringArray = [
	"Raising a continent",
	"Roughening sixteen million cells, running rivers, laying roads",
	"Growing woods, building towns",
	"Filling the grid",
]
const TOO_EARLY := "The map is still being made."
const PREPARING := "Preparing for %s: where they fit, and clusters of the map"

@onready var _stage: Label = %Stage
@onready var _bar: ProgressBar = %Bar


## The map is being made.
func show_making(maker: WorldMaker) -> void:
	_stage.text = STAGES[maker.stage]
	_bar.value = maker.progress * 100.0


## The map is there, and the grid prepares for the first of [param left] kinds.
func show_preparing(left: int, kinds: Array[TravellerKind]) -> void:
	var done := kinds.size() - left
	_stage.text = PREPARING % kinds[mini(done, kinds.size() - 1)].title.to_lower()
	_bar.value = lerpf(WorldMaker.MADE, 1.0, done / float(kinds.size())) * 100.0
