//! The Godot binding of PathForge: nodes and resources that convert, validate, delegate to `pathforge-core`,
//! and signal.
//!
//! A script calls a method of a class here; the class checks what it was given, asks its `World`, and wraps
//! the answer. What scripts see is documented on the classes themselves, in the words of Godot's help.

// The documentation of classes is Godot's help: names stand in its markup, `[method …]` and `[member …]`.
#![allow(clippy::doc_markdown)]
// The engine hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

mod answers;
mod baker;
mod engine;
mod entry;
mod fields;
mod map;
mod movers;
mod overlay;
mod script;
mod side_view;

use godot::init::InitStage;
use godot::prelude::*;

use answers::path::PathForgePath;
use baker::PathForgeNavigationBaker;
use engine::{help, workers};
use fields::clearance_map::ClearanceMap;
use map::grid::PathForgeGrid;
use map::influence_map::InfluenceMap;
use map::tile_rules::PathForgeTileRules;
use movers::crowd::PathForgeCrowd;
use script::enumeration;
use script::profile::PathForgeProfile;
use side_view::follower::PathForgePlatformFollower;

/// What gdext starts; Godot comes to it through [`entry::pathforge_init`].
struct PathForgeExtension;

#[gdextension]
unsafe impl ExtensionLibrary for PathForgeExtension {
    fn on_stage_init(stage: InitStage) {
        match stage {
            InitStage::Scene => {
                register_enumerations();
                entry::check_direct_answers();
                workers::start();
                map::grid::free_places::see_bodies_by(movers::show_bodies);
            }
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

fn register_enumerations() {
    enumeration::register::<PathForgeGrid>();
    enumeration::register::<PathForgeProfile>();
    enumeration::register::<PathForgePath>();
    enumeration::register::<PathForgeCrowd>();
    enumeration::register::<InfluenceMap>();
    enumeration::register::<ClearanceMap>();
    enumeration::register::<PathForgeTileRules>();
    enumeration::register::<PathForgeNavigationBaker>();
    enumeration::register::<PathForgePlatformFollower>();
}

#[cfg(all(test, feature = "help"))]
mod tests {
    /// Prints what F1 shows, one XML document a class, for `cargo xtask reference`.
    #[test]
    fn print_help() {
        let mut classes: Vec<String> = godot::docs::__gather_xml_docs().collect();
        classes.sort_unstable();
        assert!(!classes.is_empty(), "no class has help");
        println!("{}", classes.join("\n"));
    }
}
