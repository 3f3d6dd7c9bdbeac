use super::*;
use crate::bitgrid::{BitGrid, GridLayout};
use crate::geometry::Cell;
use crate::geometry::DiagonalMode;
use crate::passability::open_grid;
use crate::terrain::{Capability, Terrain};

fn layer_of(text: &str) -> Placements {
    open_grid(&Terrain::from_text(text, Cell::default()).unwrap(), Capability::ALL).into()
}

fn component_at(components: &Components, layer: &Placements, x: u32, y: u32) -> Option<ComponentId> {
    components.component(layer, layer.layout().index(x, y))
}

#[test]
fn walls_part_regions_and_corners_join_only_diagonally() {
    let layer = layer_of(".#..\n.#..\n#.#.\n...#");
    let straight = Components::build(&layer, DiagonalMode::OnlyIfNoObstacles.joins_diagonally());
    assert_eq!(straight.count(), 3);
    assert_eq!(component_at(&straight, &layer, 0, 0), component_at(&straight, &layer, 0, 1));
    assert_ne!(component_at(&straight, &layer, 0, 1), component_at(&straight, &layer, 1, 2));
    assert_eq!(component_at(&straight, &layer, 1, 0), None);
    let diagonal = Components::build(&layer, DiagonalMode::Always.joins_diagonally());
    assert_eq!(diagonal.count(), 1);
}

#[test]
fn regions_reach_across_chunks_and_close_when_a_door_does() {
    let layout = GridLayout::new(200, 150);
    let mut layer = Placements::from(BitGrid::filled(layout));
    layer.bits_mut().fill(LocalRect { x0: 0, y0: 70, x1: 200, y1: 71 }, false);
    let door = LocalRect { x0: 130, y0: 70, x1: 131, y1: 71 };
    for mode in [DiagonalMode::Always, DiagonalMode::Never] {
        let mut components = Components::build(&layer, mode.joins_diagonally());
        assert_eq!(components.count(), 2);
        layer.bits_mut().fill(door, true);
        components.repair(&layer, mode.joins_diagonally(), &[door]);
        assert!(components == Components::build(&layer, mode.joins_diagonally()));
        assert_eq!(components.count(), 1);
        layer.bits_mut().fill(door, false);
        components.repair(&layer, mode.joins_diagonally(), &[door]);
        assert!(components == Components::build(&layer, mode.joins_diagonally()));
        assert_ne!(component_at(&components, &layer, 0, 0), component_at(&components, &layer, 0, 149));
    }
}

#[test]
fn diagonal_links_cross_chunk_corners() {
    // Padded cells (63, 63) and (64, 64) meet at a corner of four chunks, and so do (64, 63) and (63, 64).
    for (a, b) in [((62, 62), (63, 63)), ((63, 62), (62, 63))] {
        let mut layer = Placements::from(BitGrid::new(GridLayout::new(130, 130)));
        let at = |(x, y): (u32, u32)| layer.layout().index(x, y);
        let (a, b) = (at(a), at(b));
        layer.bits_mut().set(a, true);
        layer.bits_mut().set(b, true);
        assert_eq!(Components::build(&layer, DiagonalMode::Always.joins_diagonally()).count(), 1);
        assert_eq!(Components::build(&layer, DiagonalMode::Never.joins_diagonally()).count(), 2);
    }
}

#[test]
fn what_comes_and_goes_inside_a_chunk_is_a_region_of_its_own() {
    let layout = GridLayout::new(200, 150);
    let mut layer = Placements::from(BitGrid::filled(layout));
    let pen = |x: u32, y: u32, side: u32| LocalRect { x0: x, y0: y, x1: x + side, y1: y + side };
    for mode in [DiagonalMode::Always, DiagonalMode::Never] {
        let mut components = Components::build(&layer, mode.joins_diagonally());
        // Of the last, the walls cross the border between two chunks.
        for (n, (x, y)) in [(20, 20), (150, 90), (61, 30)].into_iter().enumerate() {
            layer.bits_mut().fill(pen(x, y, 5), false);
            layer.bits_mut().fill(pen(x + 1, y + 1, 3), true);
            components.repair(&layer, mode.joins_diagonally(), &[pen(x, y, 5)]);
            assert!(components == Components::build(&layer, mode.joins_diagonally()), "{mode:?} {x}");
            assert_eq!(components.count(), n as u32 + 2);
            let inside = component_at(&components, &layer, x + 2, y + 2).unwrap();
            assert!(inside.number() < components.count());
            assert_ne!(Some(inside), component_at(&components, &layer, 0, 0));
            let members = components.reached_from(&layer, inside);
            let is_member = |x: u32, y: u32| {
                let index = layout.index(x, y);
                members.admits_word(index.word()) && members.admits(index)
            };
            assert!(is_member(x + 2, y + 2) && !is_member(x + 2, y + 6));
        }
        for (x, y) in [(20, 20), (150, 90), (61, 30)] {
            layer.bits_mut().fill(pen(x, y, 5), true);
            components.repair(&layer, mode.joins_diagonally(), &[pen(x, y, 5)]);
            assert!(components == Components::build(&layer, mode.joins_diagonally()), "{mode:?} {x}");
        }
        assert_eq!(components.count(), 1);
    }
}
