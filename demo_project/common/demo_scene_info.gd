class_name DemoSceneInfo
extends Resource
## What the menu and a scene's own frame say about it. Each scene's folder has one, info.tres.

## Its name, as the folder has it.
@export var title := ""
## What it shows, in one line.
@export var summary := ""
## A few sentences more, for the menu.
@export_multiline var details := ""
## Keys and what they do, as "Key|what it does", from left to right along the bottom.
@export var keys: PackedStringArray = []
## A picture of it, 16:9.
@export var thumbnail: Texture2D
## The lesson with the code that the scene is about: a scene of res://lessons, without its ending.
@export var lesson := ""
