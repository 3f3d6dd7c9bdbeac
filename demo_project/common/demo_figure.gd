@tool
class_name DemoFigure
extends HBoxContainer
## A row of a panel: the node's name, and a figure beside it. A color puts a dot before the name.

@export var color := Color.TRANSPARENT


func _ready() -> void:
	($Title as Label).text = name
	($Dot as TextureRect).visible = color.a > 0.0
	($Dot as TextureRect).modulate = color
