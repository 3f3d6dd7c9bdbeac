extends TestSuite
## Every example of the help is a script that this engine compiles against the classes as they are.
##
## The pages in [code]docs/reference[/code] have what F1 shows. An example is a part of a script:
## what it does not declare itself is declared for it, of the type that its name says.

const PAGES := "../../docs/reference"
const README := "../../README.md"
const GUIDES := "../../docs"
const SETUP := "<!-- setup: "
## What names in examples stand for; others may be anything.
const TYPES := {
	"PathForgeGrid": ["grid"],
	"PathForgePath": ["path"],
	"PathForgeDiagnosis": ["diagnosis"],
	"PathForgeAgent2D": ["agent"],
	"PathForgeProfile":
	[
		"profile",
		"knight",
		"hauler",
		"barge",
		"soldier",
		"scout",
		"tank",
		"caravan",
		"barge_profile",
		"frog"
	],
	"PathForgePlatformer": ["platformer"],
	"PathForgePlatformFollower": ["follower"],
	"PathForgeTileRules": ["rules"],
	"PathForgeItemRules": ["item_rules"],
	"GridMap": ["grid_map"],
	"PathForgeCrowd": ["crowd"],
	"PathForgeSpace3D": ["space"],
	"PathForgeNavigationBaker": ["baker"],
	"FlowField": ["field"],
	"InfluenceMap": ["danger", "scent", "congestion", "jams"],
	"ClearanceMap": ["clearance"],
	"PackedVector2Array": ["positions", "spawn_points", "places", "way"],
	"PackedInt32Array": ["soldiers", "ids"],
	"Vector2i": ["start", "goal", "cell", "dock", "market", "harbour"],
}
const WORDS := [
	"var const func for in if elif else while and or not return await true false null self extends",
	"pass break continue match is as signal static void bool int float String Variant Array Color",
	"Dictionary Callable Vector2 Vector2i Rect2 Rect2i PackedByteArray PackedInt32Array",
	"PackedVector2Array PackedFloat32Array print load range INF is_instance_valid onready",
	"get_global_mouse_position move_and_slide is_on_floor draw_polyline add_child draw_rect",
	"global_position position velocity material get_tree get_node get_viewport",
	"Plane Vector3 Vector3i Transform3D Basis PackedVector3Array",
]

var _names := RegEx.create_from_string('(?<![\\w.$@"%])([A-Za-z_]\\w*)(\\s*\\()?')
var _own := RegEx.create_from_string(
	"(?:\\b(?:var|const|for|func)\\s+|[(,]\\s*)(\\w+)(?=\\s*(?::|=|\\(| in ))"
)
var _unread := RegEx.create_from_string('"""[\\s\\S]*?"""|"[^"\\n]*"|#[^\\n]*')


func test_every_example_of_the_help_compiles() -> void:
	var folder := ProjectSettings.globalize_path("res://").path_join(PAGES)
	var examples := 0
	for file: String in DirAccess.get_files_at(folder):
		var text := FileAccess.get_file_as_string(folder.path_join(file))
		for example: String in _examples_of(text):
			examples += 1
			_check_compiles(example, file)
	check(examples > 60, "%d examples were found in %s" % [examples, folder])


## The whole scripts in them are run, in a game that has installed the addon.
func test_every_example_of_the_readme_and_its_pages_compiles() -> void:
	var here := ProjectSettings.globalize_path("res://")
	var pages: Array[String] = [here.path_join(README)]
	for file: String in DirAccess.get_files_at(here.path_join(GUIDES)):
		if file.ends_with(".md"):
			pages.append(here.path_join(GUIDES).path_join(file))
	check(pages.size() >= 5, "pages: %s" % [pages])
	for page: String in pages:
		var examples := _examples_of(FileAccess.get_file_as_string(page))
		for example: String in examples:
			if not example.begins_with("extends "):
				_check_compiles(example, page.get_file(), examples[example])


## Blocks of code that are no signature, which follow a heading, each with what the page declares
## for it in a comment before it: [code]<!-- setup: var a: ClearanceMap; var b: Array -->[/code].
func _examples_of(text: String) -> Dictionary[String, String]:
	var examples: Dictionary[String, String] = {}
	var parts := text.split("```gdscript\n")
	for part: int in range(1, parts.size()):
		var lines := parts[part - 1].strip_edges().split("\n")
		var heading := lines[lines.size() - 1]
		if not heading.begins_with("### "):
			var setup := (
				heading.get_slice(SETUP, 1).get_slice(" -->", 0) if SETUP in heading else ""
			)
			examples[parts[part].get_slice("\n```", 0)] = setup
	return examples


func _check_compiles(example: String, where: String, setup: String = "") -> void:
	var script := GDScript.new()
	var is_side_view := where.to_lower().contains("platform")
	script.source_code = _whole(example, "PathForgeJumpProfile" if is_side_view else "", setup)
	check_eq(script.reload(), OK, "%s: %s" % [where, example])


## The example with everything around it that it needs. [param profile] is the class of what it
## calls [code]profile[/code], when that is not the usual one.
func _whole(example: String, profile: String, setup: String) -> String:
	var indent := "\t" if example.contains("\n\t") else "    "
	var members: Array[String] = []
	var statements: Array[String] = []
	var base := "extends CharacterBody2D"
	var is_member := false
	for line: String in example.split("\n"):
		if not line.is_empty() and not line.begins_with(indent) and not line.begins_with('"""'):
			is_member = line.begins_with("func ") or line.begins_with("@")
		if line.begins_with("extends "):
			base = line
		elif is_member or (line.begins_with("const ") or _is_field(line, example)):
			members.append(line)
		else:
			statements.append(indent + line)
	var lines: Array[String] = [base, ""]
	for declaration: String in setup.split(";", false):
		lines.append(declaration.strip_edges())
	lines.append_array(_declarations(example, profile, setup))
	lines.append_array(members)
	lines.append_array(["", "func _example() -> void:", indent + "pass"])
	lines.append_array(statements)
	return "\n".join(lines) + "\n"


## A variable of a whole script.
func _is_field(line: String, example: String) -> bool:
	return line.begins_with("var ") and example.begins_with("extends ")


## Declarations of what the example uses and does not declare.
func _declarations(example: String, profile: String, setup: String) -> Array[String]:
	var code := _unread.sub(example, "", true)
	var known := " ".join(WORDS).split(" ")
	for found: RegExMatch in _own.search_all(code + "\n" + setup):
		known.append(found.get_string(1))
	var lines: Array[String] = []
	for found: RegExMatch in _names.search_all(code):
		var word := found.get_string(1)
		if known.has(word) or ClassDB.class_exists(word):
			continue
		known.append(word)
		if word == word.to_upper():
			lines.append("const %s := 1" % word)
		elif found.get_string(2).is_empty():
			var is_profile := word == "profile" and not profile.is_empty()
			lines.append("var %s: %s" % [word, profile if is_profile else _type_of(word)])
		else:
			lines.append("func %s(_a: Variant = null) -> Variant: return null" % word)
	return lines


func _type_of(word: String) -> String:
	for type: String in TYPES:
		if (TYPES[type] as Array).has(word):
			return type
	return "Variant"
