@tool
extends RefCounted
## What the toolbar is set to. It lives as long as the plugin and is saved nowhere.

signal changed
## A tool was taken up.
signal tool_picked

## What is shown of the grid; the numbers are those of [code]PathForgeGrid._set_tool_view[/code].
enum View { OWN, NOTHING, SOLID, TERRAIN, ROOM, REGIONS }
enum Tool { NONE, PROBE, BRUSH }
## What the brush paints.
enum Paint { SOLID, ONE_WAY, TERRAIN, WEIGHT }

var view := View.OWN:
	set(value):
		view = value
		changed.emit()
## The size of the body that views and the probe are for, unless there is a profile.
var footprint := Vector2i.ONE:
	set(value):
		footprint = value
		changed.emit()
## The profile that views and the probe are for; null is a body that may enter every terrain.
var profile: PathForgeProfile = null:
	set(value):
		if profile != null:
			profile.changed.disconnect(changed.emit)
		profile = value
		if profile != null:
			profile.changed.connect(changed.emit)
		changed.emit()
var tool := Tool.NONE:
	set(value):
		var is_picked := value != tool and value != Tool.NONE
		tool = value
		if is_picked:
			tool_picked.emit()
		changed.emit()
var paint := Paint.SOLID:
	set(value):
		paint = value
		changed.emit()
var terrain := 1:
	set(value):
		terrain = value
		changed.emit()
var weight := 2.0:
	set(value):
		weight = value
		changed.emit()
## The side of the brush, in cells.
var brush_size := 1:
	set(value):
		brush_size = value
		changed.emit()


## Whom views and the probe are for.
func body() -> PathForgeProfile:
	if profile != null:
		return profile
	var anybody := PathForgeProfile.new()
	anybody.footprint = footprint
	return anybody


## The size of [method body].
func body_size() -> Vector2i:
	return profile.footprint if profile != null else footprint
