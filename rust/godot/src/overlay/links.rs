//! Links as lines between rings at their ends. An arrow head points where a link leads; a link that leads both
//! ways has two.

use godot::classes::CanvasItem;
use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::{Link, Terrain};

use super::palette;
use crate::script::geometry::CellGeometry;

/// Pixels on the screen that a line is wide.
const LINE_PX: f32 = 2.0;
/// The radius of the ring at an end, in pixels on the screen.
const RING_PX: f32 = 5.0;
/// The length of an arrow head, in pixels on the screen.
const HEAD_PX: f32 = 10.0;
/// What is left of a disabled link's colour.
const FAINT: f32 = 0.3;

/// A link as it is drawn, in the space of the item.
pub struct Drawn {
    pub ends: [Vector2; 2],
    pub is_two_way: bool,
    pub is_enabled: bool,
}

/// The links that lead over `window`.
pub fn of(terrain: &Terrain, geometry: &CellGeometry, window: CellRect) -> Vec<Drawn> {
    let links = terrain.link_ids().into_iter().filter_map(|id| terrain.link(id.into()).ok());
    let is_seen = |link: &&Link| {
        let around = CellRect::cell(link.from).union(CellRect::cell(link.to));
        !around.intersection(window).is_empty()
    };
    let center = |cell: Cell| geometry.local_of(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5);
    let drawn = |link: &Link| Drawn {
        ends: [link.from, link.to].map(center),
        is_two_way: link.is_two_way,
        is_enabled: link.is_enabled,
    };
    links.filter(is_seen).map(drawn).collect()
}

/// Draws links on `item`, in whose space a pixel on the screen is `px` long.
pub fn draw(item: &mut Gd<CanvasItem>, links: &[Drawn], px: f32) {
    for &Drawn { ends: [from, to], is_two_way, is_enabled } in links {
        let alpha = if is_enabled { 1.0 } else { FAINT };
        let color = palette::LINK.with_alpha(palette::LINK.a * alpha);
        let width = LINE_PX * px;
        for end in [from, to] {
            item.draw_arc_ex(end, RING_PX * px, 0.0, std::f32::consts::TAU, 16, color).width(width).done();
        }
        let along = to - from;
        if along.length() <= 2.0 * RING_PX * px {
            continue;
        }
        let rim = along.normalized() * RING_PX * px;
        let lines = lines(from + rim, to - rim, is_two_way, HEAD_PX * px);
        item.draw_multiline_ex(&lines, color).width(width).done();
    }
}

/// The line of a link and its arrow heads, two points a line.
fn lines(from: Vector2, to: Vector2, is_two_way: bool, head: f32) -> PackedVector2Array {
    let mut points = vec![from, to];
    let back = (from - to).normalized() * head.min((to - from).length() / 3.0);
    let mut add_head = |tip: Vector2, back: Vector2| {
        for angle in [-0.45, 0.45] {
            points.extend([tip, tip + back.rotated(angle)]);
        }
    };
    add_head(to, back);
    if is_two_way {
        add_head(from, -back);
    }
    points.into_iter().collect()
}
