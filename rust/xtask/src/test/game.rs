//! A new game with nothing in it but the addon: a project right after installing it.

use std::path::Path;

use anyhow::Result;
use fs_err as fs;

use super::Context;
use crate::files;
use crate::guides;
use crate::paths::Paths;
use crate::process::{self, Finished, Limits};
use crate::progress::say;
use crate::report::Findings;
use crate::scan;

const LIMITS: Limits = Limits::seconds(600, 300);
/// What the check script prints when everything is there.
const READY: &str = "INSTALLED_ADDON_WORKS";

const PROJECT: &str =
    "config_version=5\n\n[application]\n\nconfig/name=\"A game\"\nrun/main_scene=\"res://check.tscn\"\n";
const SCENE: &str = "[gd_scene load_steps=2 format=3]\n\n\
    [ext_resource type=\"Script\" path=\"res://check.gd\" id=\"1\"]\n\n\
    [node name=\"Check\" type=\"Node\"]\nscript = ExtResource(\"1\")\n";
/// Runs in the game: the classes that have icons are registered and can be made, and the scripts of the
/// README and of the pages beside it run. A script's node gets the nodes that it names: `$Name` and
/// `$"../Name"` are of the class `Name`, and so is each part of `$Name/Name`. A name that is no class is of
/// the type of its variable. An exported node is one below a grid.
const CHECK: &str = r#"extends Node

func _ready() -> void:
	var config := ConfigFile.new()
	config.load("res://addons/pathforge/pathforge.gdextension")
	var names := config.get_section_keys("icons")
	var missing := Array(names).filter(func(name: String) -> bool: return not ClassDB.class_exists(name))
	if names.is_empty() or not missing.is_empty():
		printerr("ERROR: classes that are not registered: %s" % [missing])
	for file: String in ResourceLoader.list_directory("res://pages"):
		if file.ends_with(".gd"):
			await run_script(load("res://pages/" + file))
	print("INSTALLED_ADDON_WORKS")
	get_tree().quit()

func run_script(script: GDScript) -> void:
	if not ClassDB.is_parent_class(script.get_instance_base_type(), "Node"):
		script.new()
		return
	var place := Node2D.new()
	var node: Node = ClassDB.instantiate(script.get_instance_base_type())
	add_named(place, "\\.\\./([A-Z]\\w*)", script.source_code)
	add_named(node, "\\$([A-Z][\\w/]*)", script.source_code)
	node.set_script(script)
	give_exported(node)
	place.add_child(node)
	add_child(place)
	for frame: int in 90:
		await get_tree().process_frame
	place.free()

func add_named(parent: Node, pattern: String, source: String) -> void:
	for found: RegExMatch in RegEx.create_from_string(pattern).search_all(source):
		var place := parent
		for wanted: String in found.get_string(1).split("/"):
			if not place.has_node(wanted):
				var child := make_named(wanted, source)
				child.name = wanted
				place.add_child(child)
			place = place.get_node(wanted)

func give_exported(node: Node) -> void:
	for property: Dictionary in node.get_property_list():
		if property.hint == PROPERTY_HINT_NODE_TYPE and property.usage & PROPERTY_USAGE_SCRIPT_VARIABLE:
			var grid := PathForgeGrid.new()
			grid.add_child(ClassDB.instantiate(property.hint_string))
			node.set(property.name, grid.get_child(0))
			add_child(grid)

func make_named(wanted: String, source: String) -> Node:
	if ClassDB.class_exists(wanted):
		return ClassDB.instantiate(wanted)
	var typed := RegEx.create_from_string(": (\\w+) = \\$[\\w/]*\\b%s\\b" % wanted).search(source)
	return ClassDB.instantiate(typed.get_string(1)) if typed else Node.new()
"#;
/// Turns a plugin on that looks at what F1 shows.
const HELP_ENABLED: &str = "\n[editor_plugins]\n\nenabled=PackedStringArray(\"res://help/plugin.cfg\")\n";
const HELP_PLUGIN: &str =
    "[plugin]\n\nname=\"Help\"\ndescription=\"\"\nauthor=\"\"\nversion=\"1\"\nscript=\"plugin.gd\"\n";
/// Opens the help of each class that has an icon. Godot says in it what is not described.
const HELP_CHECK: &str = r#"@tool
extends EditorPlugin

func _enter_tree() -> void:
	if "--help-check" in OS.get_cmdline_user_args():
		check.call_deferred()

func check() -> void:
	while EditorInterface.get_resource_filesystem().is_scanning():
		await get_tree().process_frame
	var config := ConfigFile.new()
	config.load("res://addons/pathforge/pathforge.gdextension")
	for name: String in config.get_section_keys("icons"):
		var text := await help_of(name)
		if text.length() < 500 or "There is currently no description" in text:
			printerr("ERROR: F1 does not describe %s, it shows: %s" % [name, text])
	print("INSTALLED_ADDON_WORKS")
	get_tree().quit()

func help_of(name: String) -> String:
	EditorInterface.get_script_editor().goto_help("class_name:" + name)
	for frame: int in 60:
		await get_tree().process_frame
		for page: Node in EditorInterface.get_script_editor().find_children("*", "EditorHelp", true, false):
			if page.name == name:
				var shown: RichTextLabel = page.find_children("*", "RichTextLabel", true, false)[0]
				if shown.get_parsed_text().length() > 500:
					return shown.get_parsed_text()
	return ""
"#;

/// Makes the game in `folder`, without the addon, with the scripts of the README and of the pages in `docs`
/// in it.
pub fn make(folder: &Path, paths: &Paths) -> Result<()> {
    files::put(&folder.join("project.godot"), PROJECT.as_bytes())?;
    files::put(&folder.join("check.gd"), CHECK.as_bytes())?;
    files::put(&folder.join("check.tscn"), SCENE.as_bytes())?;
    let docs = paths.root.join("docs");
    let mut pages = vec![paths.root.join("README.md")];
    pages.extend(files::names_in(&docs)?.iter().map(|name| docs.join(name)));
    for page in pages.iter().filter(|page| page.extension().is_some_and(|extension| extension == "md")) {
        let name = page.file_stem().unwrap_or_default().display();
        for (at, script) in scripts_of(&fs::read_to_string(page)?).iter().enumerate() {
            files::put(&folder.join(format!("pages/{name}_{}.gd", at + 1)), script.as_bytes())?;
        }
    }
    Ok(())
}

/// Imports the game, which has got the addon, and runs its check.
pub fn play(context: &Context<'_>, folder: &Path) -> Result<Findings> {
    let godot = context.godot()?;
    let imported = godot.import(folder)?.lines;
    let check = godot.run_headless(folder, &[], LIMITS, &mut |_| ())?;
    Ok(judge("the installed addon does not work in a new game", &imported, &check))
}

/// Imports a project, and runs it for some seconds.
pub fn start(context: &Context<'_>, folder: &Path) -> Result<Findings> {
    let godot = context.godot()?;
    let imported = godot.import(folder)?.lines;
    let run = godot.run_headless(folder, &["--quit-after", "300"], LIMITS, &mut |_| ())?;
    let troubles = scan::troubles(&[imported, run.lines.clone()].concat());
    let texts: Vec<String> = troubles.into_iter().map(|trouble| trouble.text).collect();
    if run.succeeded() && texts.is_empty() {
        return Ok(Findings::passed());
    }
    Ok(Findings::failed(format!("the demo does not start ({}):\n  {}", run.ending(), texts.join("\n  "))))
}

/// Exports the game, which was imported, as a release, and runs its check there. Where this Godot has no
/// template, that is told and not counted.
pub fn play_exported(context: &Context<'_>, folder: &Path) -> Result<Findings> {
    let exported = context.paths.scratch().join("exported");
    files::remove_dir(&exported)?;
    let Some(game) = context.godot()?.export(&context.sh, folder, &exported)? else {
        say("no export: set GODOT_TEMPLATE to the release template of this Godot");
        return Ok(Findings::default());
    };
    let check = process::watch(game.arg("--headless"), LIMITS, &mut |_| ())?;
    files::remove_dir(&exported)?;
    Ok(judge("an exported game does not work", &[], &check))
}

/// Opens the game in the editor, which reads what F1 shows of the installed addon.
pub fn show_help(context: &Context<'_>, folder: &Path) -> Result<Findings> {
    let settings = format!("{PROJECT}{HELP_ENABLED}");
    for (name, text) in
        [("project.godot", &*settings), ("help/plugin.cfg", HELP_PLUGIN), ("help/plugin.gd", HELP_CHECK)]
    {
        files::put(&folder.join(name), text.as_bytes())?;
    }
    let args = ["--editor", "--", "--help-check"];
    let check = context.godot()?.run_headless(folder, &args, LIMITS, &mut |_| ())?;
    Ok(judge("F1 does not describe the installed addon", &[], &check))
}

/// Right when the check script said so and nothing went wrong before.
fn judge(what: &str, before: &[String], check: &Finished) -> Findings {
    let lines = [before, &check.lines].concat();
    let troubles: Vec<String> = scan::troubles(&lines).into_iter().map(|trouble| trouble.text).collect();
    if check.succeeded() && troubles.is_empty() && lines.iter().any(|line| line == READY) {
        return Findings::passed();
    }
    let (ending, tail) = (check.ending(), check.tail(10).join("\n"));
    Findings::failed(format!("{what} ({ending}):\n  {}\n{tail}", troubles.join("\n  ")))
}

/// The `gdscript` blocks of a page that are whole scripts. Lessons need the scene that they belong to, and
/// run with the demo.
fn scripts_of(page: &str) -> Vec<String> {
    let parts: Vec<&str> = page.split("```gdscript\n").collect();
    let blocks = parts.windows(2).filter(|pair| !guides::is_lesson(pair[0]));
    let blocks = blocks.filter_map(|pair| pair[1].split("\n```").next());
    blocks.filter(|block| block.starts_with("extends ")).map(|block| format!("{block}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_scripts_of_a_page_are_taken() {
        let page = "# A\n```gdscript\nextends Node\n\nvar a := 1\n```\n```gdscript\na.b()\n```\n```sh\nextends x\n```\n\
            <!-- lesson: 01 -->\n```gdscript\nextends Node2D\n```\n";
        assert_eq!(scripts_of(page), ["extends Node\n\nvar a := 1\n"]);
    }
}
