//! How verbs of the grid borrow it. Threads may ask a grid that the main thread edits, so no verb of a script
//! may borrow it shared: `rust/godot/src/map/grid/mod.rs` says why.

use std::fs;
use std::path::Path;

/// The functions of a source that scripts call with a shared borrow.
fn shared_verbs(source: &str) -> Vec<String> {
    let verbs = source.split("#[func").skip(1);
    let signatures = verbs.filter_map(|verb| {
        let (_, declared) = verb.split_once("fn ")?;
        let (signature, _) = declared.split_once('{')?;
        Some(signature)
    });
    let shared = signatures.filter(|signature| signature.contains("&self"));
    shared.map(|signature| signature.split('(').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn no_verb_of_the_grid_borrows_it_shared() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rust/godot/src/map/grid");
    let mut wrong = Vec::new();
    let mut files = 0;
    for folder in [root.clone(), root.join("tile_maps")] {
        for entry in fs::read_dir(folder).expect("the grid's sources") {
            let path = entry.expect("a readable folder").path();
            if path.extension().is_some_and(|end| end == "rs") {
                files += 1;
                let source = fs::read_to_string(&path).expect("a readable file");
                // Getters of properties stand beside their properties; gdext wants them shared.
                let is_class = path == root.join("mod.rs");
                let verbs = shared_verbs(&source).into_iter();
                wrong.extend(verbs.filter(|verb| !(is_class && verb.starts_with("get_"))));
            }
        }
    }
    assert!(files > 20, "the grid has more files than {files}");
    assert!(wrong.is_empty(), "these should be `&mut self`, or look by `PathForgeGrid::look`: {wrong:?}");
}

#[test]
fn shared_verbs_are_found_however_they_are_written() {
    let source = "
        #[func]
        fn one(&self) {}
        #[func(gd_self)]
        fn two(this: Gd<Self>, id: i64) -> bool { true }
        #[func(rename = _three)]
        /// Text.
        pub fn three(
            &self,
            id: i64,
        ) -> bool { true }
        #[func]
        fn four(&mut self) {}
        fn five(&self) {}
    ";
    assert_eq!(shared_verbs(source), ["one", "three"]);
}
