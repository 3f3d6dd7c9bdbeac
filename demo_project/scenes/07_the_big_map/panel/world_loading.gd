class_name WorldLoading
extends CanvasLayer
## How far the making of the map has come.

const STAGES: PackedStringArray = [
	"Raising land, running rivers, laying roads",
	"Roughening sixteen million cells",
	"Building towns",
	"Filling the grid",
	"Preparing for riders, wagons and caravans",
]

@onready var _stage: Label = %Stage
@onready var _bar: ProgressBar = %Bar


func show_progress(stage: int, part: float) -> void:
	_stage.text = STAGES[stage]
	_bar.value = part * 100.0
