extends TestSuite
## The installed addon: its classes, its icons, its plugin.

const ADDON := "res://addons/pathforge"


func test_the_extension_is_loaded() -> void:
	var extension := ADDON.path_join("pathforge.gdextension")
	check(FileAccess.file_exists(extension), "the extension's description is installed")
	check(GDExtensionManager.is_extension_loaded(extension), "Godot has loaded the extension")


func test_every_class_with_an_icon_exists_and_has_it() -> void:
	var config := ConfigFile.new()
	check_eq(config.load(ADDON.path_join("pathforge.gdextension")), OK, "the description is read")
	for name: String in config.get_section_keys("icons"):
		check(ClassDB.class_exists(name), "%s is registered" % name)
		var icon: String = config.get_value("icons", name)
		var texture := load(icon) as Texture2D
		if check(texture != null, "%s is a picture" % icon):
			check_eq(texture.get_size(), Vector2(16, 16), icon)


func test_an_own_class_is_made_and_freed() -> void:
	for name: String in ["PathForgeGrid", "ClearanceMap"]:
		if not check(ClassDB.can_instantiate(name), "%s can be made" % name):
			continue
		var node: Node = ClassDB.instantiate(name)
		add(node)
		check(node is Node2D, "%s is a Node2D" % name)
	await frames(2)


func test_the_plugin_compiles() -> void:
	var config := ConfigFile.new()
	check_eq(config.load(ADDON.path_join("plugin.cfg")), OK, "plugin.cfg is read")
	var file: String = config.get_value("plugin", "script")
	var script: GDScript = load(ADDON.path_join(file))
	check(script != null, "%s compiles" % file)
	check_eq(config.get_value("plugin", "name"), "PathForge")


func test_a_missing_library_is_named() -> void:
	var missing: GDScript = load(ADDON.path_join("editor/missing_library.gd"))
	var own: String = missing.call("library")
	check(FileAccess.file_exists(own), "this platform's library is found: %s" % own)
	var here := OS.get_name().to_lower()
	var platform := "%s.%s" % [here, Engine.get_architecture_name()]
	check_missing("dreamcast.sh4", "res://sh4.so", "no library for %s." % platform)
	var gone := "res://bin/gone.so is not there, the library for %s" % platform
	check_missing(here, "res://bin/gone.so", gone)
	check_missing(
		here, "res://project.godot", "res://project.godot is there, and the system did not"
	)


func check_missing(tags: String, library: String, sentence: String) -> void:
	var config := ConfigFile.new()
	config.set_value("libraries", tags, library)
	var description := "user://missing.gdextension"
	config.save(description)
	var missing: GDScript = load(ADDON.path_join("editor/missing_library.gd"))
	var reason: String = missing.call("reason", description)
	DirAccess.remove_absolute(description)
	check(reason.contains(sentence), "%s: %s" % [tags, reason])
