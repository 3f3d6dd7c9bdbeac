@tool
extends RefCounted
## What the plugin calls of its tools. The tools name the extension's classes, so they are loaded
## only when those are there; this script names none, so the plugin compiles without the library.


func start() -> void:
	pass


func stop() -> void:
	pass


## Returns [code]true[/code] if the plugin takes the 2D view's input while [param object] is
## selected.
func handles(_object: Object) -> bool:
	return false


## Returns [code]true[/code] if [param event] is taken.
func gui_input(_event: InputEvent) -> bool:
	return false


func draw(_overlay: Control) -> void:
	pass


func lay_down_brush() -> void:
	pass
