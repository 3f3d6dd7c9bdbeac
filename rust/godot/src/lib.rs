//! The Godot binding of PathForge: nodes and resources that convert, validate, delegate to `pathforge-core`,
//! and signal.
//!
//! A script calls a method of a class here; the class checks what it was given, asks its `World`, and wraps
//! the answer. What scripts see is documented on the classes themselves, in the words of Godot's help.

// The documentation of classes is Godot's help: names stand in its markup, `[method …]` and `[member …]`.
#![allow(clippy::doc_markdown)]
// The engine hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

mod after_call;
mod agent;
mod array_of;
mod blockage;
mod callback;
mod clearance_map;
mod convert;
mod crowd;
mod diagnosis;
mod dictionary_of;
mod direct;
mod errors;
mod flow_field;
mod frames;
mod free_places;
mod geometry;
mod given;
mod grid;
mod grid_link;
mod help;
mod in_tree;
mod influence_map;
mod item_rules;
mod map;
mod map_link;
mod monitors;
mod navigation_baker;
mod navigation_cells;
mod node_arg;
mod obstacle;
mod optional_arg;
mod overlay;
mod path;
mod platform;
mod platformer;
mod profile;
mod properties;
mod seat;
mod space;
mod state;
mod thread_guard;
mod tile_maps;
mod tile_rules;
mod warnings;
mod weak;
mod workers;

use godot::init::InitStage;
use godot::prelude::*;

/// What gdext starts; Godot comes to it through [`direct::pathforge_init`].
struct PathForgeExtension;

#[gdextension]
unsafe impl ExtensionLibrary for PathForgeExtension {
    fn on_stage_init(stage: InitStage) {
        match stage {
            InitStage::Scene => workers::start(),
            InitStage::Editor if !cfg!(feature = "help") => help::load(),
            _ => {}
        }
    }

    fn on_stage_deinit(stage: InitStage) {
        if stage == InitStage::Scene {
            workers::finish();
        }
    }
}

#[cfg(all(test, feature = "help"))]
mod tests {
    /// Prints what F1 shows, one XML document a class, for `cargo xtask reference`.
    #[test]
    fn print_help() {
        let mut classes: Vec<String> = godot::docs::__gather_xml_docs().collect();
        classes.sort();
        assert!(!classes.is_empty(), "no class has help");
        println!("{}", classes.join("\n"));
    }
}
