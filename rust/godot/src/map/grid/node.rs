//! What the engine calls on a grid: notifications, frames and configuration warnings.

use godot::classes::INode2D;
use godot::classes::notify::CanvasItemNotification;
use godot::prelude::*;

use super::{PathForgeGrid, monitors};
use crate::engine::frames::{self, Frame};
use crate::overlay::Overlay;
use crate::script::warnings;

#[godot_api]
impl INode2D for PathForgeGrid {
    fn on_notification(&mut self, what: CanvasItemNotification) {
        use CanvasItemNotification as What;
        match what {
            What::ENTER_TREE => {
                monitors::enter(self.base().instance_id());
                self.frames.enter(&self.to_gd(), Frame::Process, Self::process);
            }
            // Right before a script's `_ready`, which finds the cells there.
            What::POST_ENTER_TREE if self.import_on_ready && !self.base().is_node_ready() => {
                frames::unborrowed(self, |this| {
                    Self::import_source_layers(this);
                });
            }
            What::EXIT_TREE => {
                monitors::exit(self.base().instance_id());
                self.frames.exit(&self.to_gd().upcast());
            }
            What::DRAW => self.draw_overlay(),
            _ => {}
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        if self.cell_region().is_empty() {
            warnings.push("The region is empty, so there are no cells. Set Region in the inspector.");
        }
        if self.import_on_ready && self.tile_maps.layers.ids().is_empty() {
            warnings.push("Import On Ready is on, but there are no Source Layers.");
        }
        warnings
    }
}

impl PathForgeGrid {
    fn process(mut this: Gd<Self>, _delta: f64) {
        Self::follow_layers(this.clone());
        // Handlers of what was announced may have freed the grid.
        if !this.is_instance_valid() {
            return;
        }
        this.bind_mut().refresh_overlay();
        warnings::refresh(&mut *this.bind_mut(), |grid| &mut grid.warned);
        Self::answer_requests(this.clone());
        if this.is_instance_valid() {
            Self::follow_preparations(this);
        }
    }
}
