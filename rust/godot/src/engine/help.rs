//! What F1 shows, read from files beside the library.
//!
//! gdext can put the comments of classes into the library, which hands them to the editor when it starts.
//! Every exported game would carry them. `cargo xtask reference` writes them to files instead, with a build
//! that has them.

use godot::classes::{DirAccess, FileAccess};
use godot::sys;

/// A document a class. Export leaves the folder out.
const FOLDER: &str = "res://addons/pathforge/editor/help";

/// Hands all documents to the editor. A deleted document is missing from the help, without further effect.
pub fn load() {
    for name in DirAccess::get_files_at(FOLDER).as_slice() {
        let document = FileAccess::get_file_as_bytes(&format!("{FOLDER}/{name}"));
        let text = document.as_slice();
        // SAFETY: Godot reads as many bytes as it is told that there are, before it returns.
        unsafe {
            sys::interface_fn!(editor_help_load_xml_from_utf8_chars_and_len)(
                text.as_ptr().cast(),
                text.len() as i64,
            );
        }
    }
}
