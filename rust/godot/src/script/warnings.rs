//! Configuration warnings that come and go with their reasons.

use godot::classes::{Engine, INode2D, Node2D};
use godot::obj::WithBaseField;
use godot::prelude::*;

/// What the editor was last told that a node lacks.
///
/// The engine asks for warnings when it is told to, and most of their reasons are elsewhere: a neighbour that
/// comes, a tile set that gets a layer. So in the editor they are looked at every frame.
#[derive(Default)]
pub struct Warned(Option<PackedStringArray>);

impl Warned {
    fn is_news(&mut self, warnings: &PackedStringArray) -> bool {
        let is_news = self.0.as_ref() != Some(warnings);
        if is_news {
            self.0 = Some(warnings.clone());
        }
        is_news
    }
}

/// In the editor, once a frame.
pub fn refresh<T>(node: &mut T, warned: fn(&mut T) -> &mut Warned)
where
    T: INode2D + WithBaseField<Base = Node2D>,
{
    if !Engine::singleton().is_editor_hint() {
        return;
    }
    let warnings = node.get_configuration_warnings();
    if warned(node).is_news(&warnings) {
        node.base_mut().update_configuration_warnings();
    }
}
