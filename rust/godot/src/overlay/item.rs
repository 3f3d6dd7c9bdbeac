//! A canvas item of the engine's own, apart from the node's.

use godot::classes::rendering_server::CanvasItemTextureFilter;
use godot::classes::{Image, ImageTexture, RenderingServer};
use godot::prelude::*;

/// A canvas item with its own filter, so that cells have hard edges whatever the node's filter is. It goes
/// with its owner.
#[derive(Default)]
pub struct Item(Option<Rid>);

impl Item {
    /// The item, below `parent`; a new item is set up first.
    pub fn start(&mut self, parent: Rid, set_up: impl FnOnce(&mut Gd<RenderingServer>, Rid)) -> Rid {
        let mut server = RenderingServer::singleton();
        let item = *self.0.get_or_insert_with(|| {
            let item = server.canvas_item_create();
            server.canvas_item_set_default_texture_filter(item, CanvasItemTextureFilter::NEAREST);
            set_up(&mut server, item);
            item
        });
        server.canvas_item_set_parent(item, parent);
        item
    }

    /// The item, if anything was ever shown.
    pub fn get(&self) -> Option<Rid> {
        self.0
    }

    /// Shows nothing.
    pub fn clear(&mut self) {
        if let Some(item) = self.0 {
            RenderingServer::singleton().canvas_item_clear(item);
        }
    }
}

impl Drop for Item {
    fn drop(&mut self) {
        if let Some(item) = self.0.take() {
            RenderingServer::singleton().free_rid(item);
        }
    }
}

/// Shows `image` in a texture that is kept, in place where its size allows it.
pub fn show_in(texture: &mut Option<Gd<ImageTexture>>, image: &Gd<Image>) -> Gd<ImageTexture> {
    let texture = texture.get_or_insert_with(ImageTexture::new_gd);
    if (texture.get_width(), texture.get_height()) == (image.get_width(), image.get_height()) {
        texture.update(image);
    } else {
        texture.set_image(image);
    }
    texture.clone()
}
