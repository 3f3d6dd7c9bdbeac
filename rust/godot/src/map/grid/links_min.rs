//! Links between cells. Replaced at the merge of the links of the binding: the least that floors need.

use godot::prelude::*;
use pathforge_core::cost::Cost;
use pathforge_core::terrain::Link;

use super::PathForgeGrid;
use crate::engine::errors::reported;
use crate::engine::state;
use crate::script::convert;
use crate::script::given::given;

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Adds a link from a cell to another one, and returns its number, or −1 after an error.
    #[func(gd_self)]
    fn add_link(
        this: Gd<Self>,
        from: Vector2i,
        to: Vector2i,
        #[opt(default = -1.0)] cost: f64,
        #[opt(default = true)] bidirectional: bool,
    ) -> i64 {
        let method = "PathForgeGrid.add_link";
        let mut link =
            Link { is_two_way: bidirectional, ..Link::new(convert::cell(from), convert::cell(to)) };
        if cost >= 0.0 {
            let read = given("cost", cost).read("a cost", |cost| Cost::from_cells(*cost));
            let Some(cost) = reported(method, read) else { return -1 };
            link.cost = cost;
        }
        let added = state::of(&this).lock().world.terrain_mut().add_link(link);
        reported(method, added).map_or(-1, i64::from)
    }
}
