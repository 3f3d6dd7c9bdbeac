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
