extends Node3D
## A town on hills by a river, in 3D: three thousand people walk from place to place.

@onready var grid: PathForgeGrid = $Grid
@onready var space: PathForgeSpace3D = $Grid/Space
@onready var crowd: PathForgeCrowd = $Grid/Crowd
@onready var people: HillsPeople = $Grid/Space/People

@onready var _frame: DemoFrame = $DemoFrame
@onready var _camera: DemoOrbit = $Orbit
@onready var _ground: HillsGround = $Ground


func _ready() -> void:
	var land := HillsLand.new()
	land.lay_out(grid, space)
	_ground.show_land(land, grid, space)
	people.set_up(crowd, grid)
	_camera.use_frame(_frame)
