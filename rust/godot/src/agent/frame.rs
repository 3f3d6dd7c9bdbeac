//! What an agent does in each frame: asks for paths and draws the current one.

use godot::prelude::*;

use super::PathForgeAgent2D;

impl PathForgeAgent2D {
    pub(super) fn process(mut this: Gd<Self>, delta: f64) {
        let node = this.clone().upcast();
        let messages = {
            let mut agent = this.bind_mut();
            agent.walker.frame(delta);
            agent.look_at_edits();
            agent.ask_if_wanted();
            if agent.debug_enabled {
                agent.base_mut().queue_redraw();
            }
            agent.look_around(&node);
            agent.take_messages()
        };
        Self::tell(&this, messages);
    }

    pub(super) fn draw_way(&mut self) {
        if !self.debug_enabled || !self.walker.is_under_way() {
            return;
        }
        let to_local = self.base().get_global_transform().affine_inverse();
        let place = self.base().get_global_position();
        let rest = self.positions().into_iter().skip(self.walker.next_index());
        let points: PackedVector2Array =
            std::iter::once(place).chain(rest).map(|point| to_local * point).collect();
        let (color, width) = (self.debug_path_color, self.debug_path_width);
        self.base_mut().draw_polyline_ex(&points, color).width(width).done();
    }
}
