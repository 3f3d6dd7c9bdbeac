//! The situations of the source, rebuilt from its words: area, outlines and holes, each worked out by hand.

use pathforge_navmesh::{BakeSettings, Corner, EmptyReason, NavMesh, bake};

use crate::level::{Polygon, rect, set, tiles};
use crate::mesh;

/// Bakes for a box of these half-extents and checks the mesh.
fn baked(floor: &[Polygon], colliders: &[Polygon], half: [f64; 2]) -> NavMesh {
    let mesh = bake(&set(floor), &set(colliders), &BakeSettings::new(half, Corner::Box).unwrap());
    mesh::check(&mesh);
    mesh
}

/// Fails unless area, number of solid outlines, number of holes and number of corners are these.
fn expect(mesh: &NavMesh, area: f64, solids: usize, holes: usize, corners: usize) {
    let hole_count = mesh.outlines().iter().filter(|o| o.is_hole).count();
    let corner_count: usize = mesh.outlines().iter().map(|o| o.points.len()).sum();
    assert!((mesh.area_px() - area).abs() < 1e-6, "area {} instead of {area}", mesh.area_px());
    let found = (mesh.outlines().len() - hole_count, hole_count, corner_count);
    assert_eq!(found, (solids, holes, corners), "solids, holes, corners: {:?}", mesh.outlines());
}

#[test]
fn a_plain_floor() {
    let mesh = baked(&tiles(&["....", "....", "...."]), &[], [2.0, 4.0]);
    expect(&mesh, 60.0 * 40.0, 1, 0, 4);
    assert_eq!(mesh.polygons().len(), 1);
    assert_eq!(mesh.vertices().len(), 4);
}

#[test]
fn a_floor_for_a_point() {
    expect(&baked(&tiles(&["....", "...."]), &[], [0.0, 0.0]), 64.0 * 32.0, 1, 0, 4);
}

#[test]
fn a_floor_with_a_hole() {
    let mesh = baked(&tiles(&[".....", "..#..", "....."]), &[], [2.0, 4.0]);
    // The hole of 16 by 16 grows by the agent's size.
    expect(&mesh, 76.0 * 40.0 - 20.0 * 24.0, 1, 1, 8);
}

#[test]
fn a_floor_with_several_holes() {
    let mesh = baked(&tiles(&[".......", ".#.#.#.", "......."]), &[], [2.0, 2.0]);
    expect(&mesh, 108.0 * 44.0 - 3.0 * 400.0, 1, 3, 16);
}

#[test]
fn a_floor_inside_walls() {
    let walls: Vec<_> = tiles(&[".....", ".###.", ".###.", "....."]);
    let mesh = baked(&tiles(&[".....", ".....", ".....", "....."]), &walls, [4.0, 2.0]);
    expect(&mesh, 40.0 * 28.0, 1, 0, 4);
}

#[test]
fn a_floor_with_furniture() {
    let table = rect(30.0, 30.0, 20.0, 12.0);
    let chair = vec![[70.0, 30.0], [80.0, 30.0], [70.0, 40.0]];
    let mesh = baked(&tiles(&["......"; 6]), &[table, chair], [2.0, 3.0]);
    // The chair's slope is cut off where the box's corners pass it: 10²/2 and a frame of 2 and 3.
    let chair_area = 50.0 + 2.0 * 10.0 * (2.0 + 3.0) + 4.0 * 2.0 * 3.0;
    expect(&mesh, 92.0 * 90.0 - 24.0 * 18.0 - chair_area, 1, 2, 4 + 4 + 5);
}

#[test]
fn holes_near_each_other() {
    let holes = &[".......", "..#.#..", "......."];
    // The floor between the holes is 16 wide: an agent that is wider passes no more, and the holes are one.
    expect(&baked(&tiles(holes), &[], [7.0, 2.0]), 98.0 * 44.0 - 2.0 * 30.0 * 20.0, 1, 2, 12);
    expect(&baked(&tiles(holes), &[], [9.0, 2.0]), 94.0 * 44.0 - (34.0 + 32.0) * 20.0, 1, 1, 8);
}

#[test]
fn a_hole_at_the_edge() {
    // The floor above the hole is too low for the agent, so the hole cuts the edge.
    let mesh = baked(&tiles(&[".....", "..#..", ".....", "....."]), &[], [2.0, 9.0]);
    expect(&mesh, 76.0 * 46.0 - 20.0 * 32.0, 1, 0, 8);
}

#[test]
fn a_hole_that_covers_its_floor() {
    let mesh = baked(&tiles(&["...", ".#.", "..."]), &[], [9.0, 9.0]);
    expect(&mesh, 0.0, 0, 0, 0);
    assert_eq!(mesh.empty_reason(), Some(EmptyReason::AgentTooLarge));
}

#[test]
fn a_floor_cut_in_two() {
    let mesh = baked(&tiles(&[".....", ".....", "....."]), &[rect(32.0, 8.0, 16.0, 32.0)], [2.0, 5.0]);
    // 8 pixels stay free above and below the wall, and the agent is 10 high.
    expect(&mesh, 28.0 * 38.0 + 28.0 * 38.0, 2, 0, 8);
    let narrow = baked(&tiles(&["...", "###", "..."]), &[], [2.0, 2.0]);
    expect(&narrow, 2.0 * 44.0 * 12.0, 2, 0, 8);
}

#[test]
fn a_hole_in_a_hole() {
    // An island of floor in a hole of the floor: two solids, the outer with a hole.
    let island = &[".......", ".#####.", ".#...#.", ".#...#.", ".#...#.", ".#####.", "......."];
    let mesh = baked(&tiles(island), &[], [2.0, 2.0]);
    expect(&mesh, 108.0 * 108.0 - 84.0 * 84.0 + 44.0 * 44.0, 2, 1, 12);
    // A hole in the island too.
    let deeper = &[".......", ".#####.", ".#...#.", ".#.#.#.", ".#...#.", ".#####.", "......."];
    let mesh = baked(&tiles(deeper), &[], [2.0, 2.0]);
    expect(&mesh, 108.0 * 108.0 - 84.0 * 84.0 + 44.0 * 44.0 - 20.0 * 20.0, 2, 2, 16);
}

#[test]
fn a_hole_of_a_collider_that_shrinks_away() {
    let floor = tiles(&["........"; 8]);
    let ring = |inner: f64| {
        let (o, i) = (24.0, 64.0 - inner / 2.0);
        vec![
            rect(o, o, 80.0, i - o),
            rect(o, i + inner, 80.0, 104.0 - i - inner),
            rect(o, i, i - o, inner),
            rect(i + inner, i, 104.0 - i - inner, inner),
        ]
    };
    let whole = 120.0 * 120.0 - 88.0 * 88.0;
    // A room of 16 inside leaves 8 by 8 for the agent; one of 8 leaves nothing.
    expect(&baked(&floor, &ring(16.0), [4.0, 4.0]), whole + 8.0 * 8.0, 2, 1, 12);
    expect(&baked(&floor, &ring(8.0), [4.0, 4.0]), whole, 1, 1, 8);
    expect(&baked(&floor, &ring(6.0), [4.0, 4.0]), whole, 1, 1, 8);
}

#[test]
fn round_agents_cut_corners() {
    let floor = set(&tiles(&["......"; 6]));
    let post = set(&[rect(40.0, 40.0, 16.0, 16.0)]);
    let mesh = bake(&floor, &post, &BakeSettings::new([8.0, 4.0], Corner::Round).unwrap());
    mesh::check(&mesh);
    // The post with an ellipse carried around it: sides 16 and a frame of 8 and 4, and the ellipse itself.
    let exact = 80.0 * 88.0 - (256.0 + 16.0 * 2.0 * (8.0 + 4.0) + std::f64::consts::PI * 32.0);
    assert!(mesh.area_px() < exact + 0.1 && mesh.area_px() > exact - 4.0, "{} {exact}", mesh.area_px());
    // Straight walls keep the exact distance, corners are rounded.
    assert!(mesh.outlines()[0].points.len() == 4 && mesh.outlines()[1].points.len() >= 12);
}

#[test]
fn open_floor_is_one_polygon() {
    // A large floor of single tiles is one polygon: there is nothing that a path could bend at.
    let row = ".".repeat(64);
    let mesh = baked(&tiles(&vec![row.as_str(); 64]), &[], [3.0, 3.0]);
    assert_eq!((mesh.polygons().len(), mesh.vertices().len()), (1, 4));
}

#[test]
fn floors_that_touch_at_a_corner() {
    // A single tile at each corner of a floor: the agent is wider than a tile, and fits on none of them.
    let floor = tiles(&["....#", ".###.", "#...#", "#...#", "#...#", ".###."]);
    let own = [rect(0.0, 16.0, 16.0, 16.0), rect(64.0, 80.0, 16.0, 16.0)];
    for half in [8.5, 9.0, 15.0, 20.0] {
        let corners = tiles(&[".###.", "#...#", "#...#", "#...#", ".###."]);
        expect(
            &baked(&corners, &[], [half, half]),
            (48.0 - 2.0 * half).max(0.0).powi(2),
            usize::from(half < 24.0),
            0,
            4,
        );
        let one = tiles(&["...#", "...#", "...#", "###."]);
        expect(&baked(&one, &[], [half, half]), (48.0 - 2.0 * half).powi(2), 1, 0, 4);
        let other = tiles(&["###.", "...#", "...#", "...#"]);
        expect(&baked(&other, &[], [half, half]), (48.0 - 2.0 * half).powi(2), 1, 0, 4);
        // A chain of tiles that touch at corners holds no agent at all.
        let chain = tiles(&[".###", "#.##", "##.#", "###."]);
        expect(&baked(&chain, &[], [half, half]), 0.0, 0, 0, 0);
    }
    let both = baked(&floor, &own, [9.0, 9.0]);
    expect(&both, 900.0, 1, 0, 4);
}

#[test]
fn holes_that_touch_at_a_corner() {
    let floor = tiles(&["......", ".#....", "..#...", "...#..", "......", "......"]);
    // Each hole of 16 grows by 2; the three overlap in squares of 4.
    expect(&baked(&floor, &[], [2.0, 2.0]), 92.0 * 92.0 - 3.0 * 400.0 + 2.0 * 16.0, 1, 1, 16);
    let point = baked(&floor, &[], [0.0, 0.0]);
    assert!((point.area_px() - (96.0 * 96.0 - 3.0 * 256.0)).abs() < 1e-6);
}
