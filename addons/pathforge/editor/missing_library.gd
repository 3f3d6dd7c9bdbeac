extends RefCounted
## Why the extension's classes are not there, in words: which file this platform needs, and whether
## it is missing or was not let in.

const EXTENSION := "res://addons/pathforge/pathforge.gdextension"
const HELP := "docs/troubleshooting.md in PathForge's repository says what to do"


## One sentence or two for the output.
static func reason(extension := EXTENSION) -> String:
	var platform := "%s.%s" % [OS.get_name().to_lower(), Engine.get_architecture_name()]
	var file := library(extension)
	if file.is_empty():
		return (
			(
				"PathForge: this copy of the addon has no library for %s. Releases have more; in a clone, "
				% platform
			)
			+ "`cargo xtask build --release` builds one."
		)
	if not FileAccess.file_exists(file):
		return (
			(
				"PathForge: %s is not there, the library for %s. Unpack the release's zip again (an "
				% [file, platform]
			)
			+ "antivirus may have moved the file away); in a clone, `cargo xtask build --release` builds it."
		)
	return "PathForge: %s is there, and the system did not load it; %s." % [file, HELP]


## The file that the extension names for this platform, or an empty string.
static func library(extension := EXTENSION) -> String:
	var config := ConfigFile.new()
	if config.load(extension) != OK or not config.has_section("libraries"):
		return ""
	for tags in config.get_section_keys("libraries"):
		if Array(tags.split(".")).all(func(tag: String) -> bool: return OS.has_feature(tag)):
			return config.get_value("libraries", tags)
	return ""
