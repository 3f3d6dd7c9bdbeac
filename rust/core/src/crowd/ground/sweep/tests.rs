use super::super::sight::{Sight, is_straight};
use super::*;
use crate::derived::Derived;
use crate::geometry::{Cell, CellRect, Side};
use crate::passability::LayerKey;
use crate::terrain::{ClimbLimit, Terrain};

fn map(text: &str) -> Terrain {
    Terrain::from_text(text, Cell::default()).unwrap()
}

fn open_map(columns: usize, rows: usize) -> Terrain {
    map(&vec![".".repeat(columns); rows].join("\n"))
}

fn layer_of(map: &Terrain, side: i64) -> (Placements, Frame) {
    let footprint = Footprint::square(side).unwrap();
    let open = Placements::build((map, None), LayerKey::default());
    let layer = Placements::build((map, Some(&open)), LayerKey { footprint, ..LayerKey::default() });
    (layer, Frame::new(footprint, side as f32 * 0.5 - 0.1))
}

fn layer(text: &str, side: i64) -> (Placements, Frame) {
    layer_of(&map(text), side)
}

#[test]
fn floors() {
    for (value, expected) in [(0.0, 0), (0.9, 0), (-0.1, -1), (-1.0, -1), (-1.5, -2), (7.0, 7)] {
        assert_eq!(floor(value), expected);
    }
}

#[test]
fn a_body_stops_before_a_wall_and_slides_round_its_corner() {
    let (layer, frame) = layer("....\n..#.\n....", 1);
    assert!(fits(&layer, &frame, 1.5, 1.5));
    assert!(!fits(&layer, &frame, 1.7, 1.5));
    let stopped = sweep(&layer, &frame, [1.5, 1.5], [0.5, 0.0]);
    assert!(stopped[0] < 1.6 && (stopped[1] - 1.5).abs() < 1e-6, "{stopped:?}");
    let slid = sweep(&layer, &frame, [1.5, 0.8], [0.5, 0.0]);
    assert!(slid[1] < 0.8, "{slid:?}");
    let mut at = [1.5, 0.8];
    for _ in 0..20 {
        at = sweep(&layer, &frame, at, [0.1, 0.0]);
        assert!(fits(&layer, &frame, at[0], at[1]), "{at:?}");
    }
    assert!(at[0] > 2.5, "{at:?}");
}

/// Beside the mouth of a lane, the direction between placements leans a little towards agents that walk
/// on along the street.
#[test]
fn a_move_that_leans_away_from_a_lane_turns_into_it() {
    let (layer, frame) = layer("....\n#.##\n#.##", 1);
    // Down into the lane, leaning to the left: along x it goes before the lane's corner first.
    let mut at = [1.4078, 0.5922];
    for _ in 0..20 {
        at = sweep(&layer, &frame, at, [-0.012, 0.132]);
    }
    assert!(at[1] > 2.0, "{at:?}");
    // Along the street past the lane, leaning into it.
    let mut at = [1.5997, 0.6064];
    for _ in 0..20 {
        at = sweep(&layer, &frame, at, [0.132, 0.0142]);
    }
    assert!(at[0] > 3.0, "{at:?}");
}

/// Leaning against the corner of a lane's mouth by 45°, a driven body goes on along the street.
#[test]
fn a_driven_body_is_not_held_by_a_corner_that_it_leans_against() {
    let (layer, frame) = layer("....\n#.##\n#.##", 1);
    let past = |step: fn(&Placements, &Frame, [f32; 2], [f32; 2]) -> [f32; 2]| {
        (0..40).fold([1.5997, 0.5922], |at, _| step(&layer, &frame, at, [0.0383, 0.0371]))[0]
    };
    assert!(past(sweep) < 2.0, "{}", past(sweep));
    assert!(past(sweep_past) > 3.0, "{}", past(sweep_past));
}

#[test]
fn no_move_leaves_the_valid_placements() {
    for side in 1..4 {
        let (layer, frame) = layer(
            "..........\n..........\n..........\n...#......\n..........\n......#...\n..........\n..........\n..........",
            side,
        );
        let mut at = [frame.half[0], frame.half[1]];
        let mut state = 5_u32;
        for _ in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let by = [(state >> 8 & 0xff) as f32, (state >> 20 & 0xff) as f32].map(|v| (v - 127.0) / 100.0);
            at = sweep(&layer, &frame, at, by);
            assert!(fits(&layer, &frame, at[0], at[1]), "side {side}: {at:?}");
            // Its strides are cut before.
            at = sweep_past(&layer, &frame, at, by.map(|v| v * -0.3));
            assert!(fits(&layer, &frame, at[0], at[1]), "side {side}: {at:?}");
        }
    }
}

/// A map of 9 × 6 cells with a wall without thickness left of column 4, down to row 3.
fn fenced() -> Terrain {
    let mut map = open_map(9, 6);
    map.fill_edges(CellRect::new(4, 0, 1, 4), Side::Left, true, false);
    map
}

#[test]
fn a_body_stops_before_a_thin_wall_and_slides_round_its_end() {
    for side in [1, 2] {
        let (layer, frame) = layer_of(&fenced(), side);
        let half = frame.half[0];
        // It stops at a fence where it stops at a solid cell.
        let mut solid = open_map(9, 6);
        solid.fill_solid(CellRect::new(4, 0, 1, 4), true);
        let (solid, _) = layer_of(&solid, side);
        let go = |layer: &Placements, from: [f32; 2], by: [f32; 2], count: u32| {
            (0..count).fold(from, |at, _| sweep(layer, &frame, at, by))
        };
        let start = [half + 1.0, half + 0.4];
        for by in [[0.3, 0.0], [0.2, 0.1], [0.3, -0.02]] {
            for count in 1..40 {
                let (thin, thick) = (go(&layer, start, by, count), go(&solid, start, by, count));
                // Past the wall, the thick one is still beside.
                let is_past = thick[0] > 4.0 - half + 0.2;
                assert!(is_past || thin.map(f32::to_bits) == thick.map(f32::to_bits), "{thin:?} {thick:?}");
            }
        }
        let stopped = go(&layer, start, [0.3, 0.0], 40);
        assert!(stopped[0] < 4.0 - half + 0.1 && stopped[0] > 4.0 - half, "{stopped:?}");
        assert!(go(&layer, [7.5, 1.5], [-0.3, 0.0], 40)[0] > 4.0 + half - 0.1);
        let slid = go(&layer, start, [0.3, 0.2], 40);
        assert!(slid[0] > 5.0, "{slid:?}");
        // Beside the wall's end it is nudged past.
        let end = go(&layer, [2.5, 4.0 + half - 0.3], [0.3, 0.0], 40);
        assert!(end[0] > 5.0, "{end:?}");
    }
}

#[test]
fn a_body_that_meets_the_end_of_a_wall_head_on_is_nudged_to_the_nearer_side() {
    let mut map = open_map(9, 6);
    map.fill_edges(CellRect::new(4, 3, 4, 1), Side::Top, true, false);
    let (layer, frame) = layer_of(&map, 1);
    for (y, is_above) in [(2.9, true), (3.1, false)] {
        let mut at = [1.5, y];
        for _ in 0..40 {
            at = sweep(&layer, &frame, at, [0.2, 0.0]);
            assert!(fits(&layer, &frame, at[0], at[1]), "{at:?}");
        }
        assert!(at[0] > 6.0 && (at[1] < 3.0) == is_above, "{at:?}");
    }
    assert!(!fits(&layer, &frame, 5.5, 3.0) && fits(&layer, &frame, 2.5, 3.0));
}

#[test]
fn sight_ends_at_thin_walls_and_at_the_foot_of_ledges() {
    let mut map = fenced();
    map.fill_edges(CellRect::new(6, 0, 1, 6), Side::Right, true, true);
    let (layer, frame) = layer_of(&map, 1);
    let is_seen = |from, to| is_straight(&layer, &frame, from, to);
    assert!(!is_seen([3.5, 1.5], [4.5, 1.5]) && !is_seen([4.5, 1.5], [3.5, 1.5]));
    assert!(is_seen([3.5, 4.5], [4.5, 4.5]) && !is_seen([2.5, 2.5], [5.5, 4.5]));
    assert!(!is_seen([6.5, 2.5], [7.5, 2.5]) && is_seen([7.5, 2.5], [6.5, 2.5]));
    // The step that blocked the last line is looked at first.
    let mut sight = Sight::new(&layer, &frame, [1.5, 1.5]);
    assert!(!sight.reaches([5.5, 1.5]) && sight.reaches([3.5, 1.5]) && !sight.reaches([4.5, 1.5]));
    assert!(sight.reaches([1.5, 4.5]));
}

#[test]
fn a_ledge_is_crossed_one_way_and_back_only_while_astride() {
    let mut map = open_map(9, 6);
    map.fill_edges(CellRect::new(3, 0, 1, 6), Side::Right, true, true);
    let (layer, frame) = layer_of(&map, 1);
    let go = |from: [f32; 2], by: f32, count: u32| {
        (0..count).fold(from, |at, _| sweep(&layer, &frame, at, [by, 0.0]))
    };
    assert!(go([1.5, 2.5], 0.2, 40)[0] < 3.7);
    assert!(go([7.5, 2.5], -0.2, 40)[0] < 1.0);
    // Astride: on both sides of it.
    let astride = go([4.5, 2.5], -0.1, 5);
    assert!(astride[0] > 3.7 && astride[0] < 4.3 && fits(&layer, &frame, astride[0], astride[1]));
    assert!(go(astride, 0.2, 20)[0] > 5.0, "goes back");
    let down = go(astride, -0.1, 6);
    assert!(go(down, 0.2, 20)[0] < 3.7, "{down:?}");
    // Still on both sides, with its centre below.
    assert!(go([3.95, 2.5], 0.2, 20)[0] < 4.0);
    assert!(!is_straight(&layer, &frame, [3.95, 2.5], [5.5, 2.5]));
    assert!(is_straight(&layer, &frame, [4.05, 2.5], [5.5, 2.5]));
}

#[test]
fn a_body_in_a_closing_door_comes_out_on_its_own_side() {
    for side in 1..5 {
        let mut map = open_map(12, 8);
        map.fill_edges(CellRect::new(6, 0, 1, 8), Side::Left, true, false);
        let (layer, frame) = layer_of(&map, side);
        for n in 0..120 {
            let x = frame.half[0] + n as f32 * 0.1;
            let center = nearest_center(&layer, &frame, [x, 4.2]).unwrap();
            let is_near = (x - 6.0).abs() < 0.05 || x + frame.half[0] > 12.0;
            assert!(is_near || (center[0] < 6.0) == (x < 6.0), "side {side}: {x} {center:?}");
            assert!(fits(&layer, &frame, center[0], center[1]));
        }
    }
}

/// Where the cells of a body that covers some anchors are, and which of these are reached by steps.
fn check_move(map: &Terrain, side: i32, before: Cover, now: Cover) {
    let body = |x: i32, y: i32| CellRect::new(x, y, side, side);
    let [x, y] = now.first;
    let all = CellRect::new(x, y, now.last[0] - x + side, now.last[1] - y + side);
    assert!(all.cells().all(|cell| map.region().contains(cell) && !map.is_solid(cell)), "{now:?}");
    let edges = map.edges_for(ClimbLimit::NONE);
    assert!(!edges.has_wall_within(all), "{now:?}");
    let anchors = |cover: Cover| {
        (cover.first[1]..=cover.last[1])
            .flat_map(move |y| (cover.first[0]..=cover.last[0]).map(move |x| Cell::new(x, y)))
    };
    let mut reached: Vec<Cell> = anchors(before).collect();
    for _ in 0..3 {
        for at in reached.clone() {
            for side in Side::ALL {
                let to = side.beyond(at);
                if !edges.blocks_step(body(at.x, at.y), side) && !reached.contains(&to) {
                    reached.push(to);
                }
            }
        }
    }
    assert!(anchors(now).all(|at| reached.contains(&at)), "{before:?} {now:?}");
}

#[test]
fn no_move_crosses_a_closed_edge() {
    for seed in 1..30_u32 {
        let mut state = seed;
        let mut random = move |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        let side = 1 + seed as i32 % 3;
        let mut map = open_map(12, 10);
        for _ in 0..12 * side.min(2) / side {
            let cell = Cell::new(random(12) as i32, random(10) as i32);
            map.fill_solid(CellRect::cell(cell), true);
        }
        for _ in 0..70 / (side * side) {
            let (x, y, edge) = (random(12) as i32, random(10) as i32, Side::ALL[random(4) as usize]);
            let length = 1 + random(3) as i32;
            let (w, h) = if edge.direction().dx() == 0 { (length, 1) } else { (1, length) };
            map.fill_edges(CellRect::new(x, y, w, h), edge, true, random(3) == 0);
        }
        let (layer, frame) = layer_of(&map, side.into());
        let frame = if random(2) == 0 { frame } else { Frame { slack: [0.3, 0.3], ..frame } };
        let Some(mut at) = nearest_center(&layer, &frame, [6.0, 5.0]) else { continue };
        let cover = |at: [f32; 2]| Cover::of(frame.edges(at));
        let mut direction = [0.0; 2];
        for n in 0..20_000 {
            if n % 8 == 0 {
                direction = [random(256), random(256)].map(|v| (v as f32 - 127.5) / 250.0);
            }
            let is_past = random(2) == 0;
            let before = cover(at);
            at = if is_past { sweep_past } else { sweep }(&layer, &frame, at, direction);
            check_move(&map, side, before, cover(at));
            assert!(fits(&layer, &frame, at[0], at[1]));
            if n % 50 == 0 {
                let to = [random(120), random(100)].map(|v| v as f32 / 10.0);
                let mut sight = Sight::new(&layer, &frame, at);
                if sight.reaches(to) {
                    // By as many steps as are looked at.
                    let steps = ((to[0] - at[0]).abs().max((to[1] - at[1]).abs()) * 4.0) as u32 + 1;
                    let on = |n: u32| [0, 1].map(|a| at[a] + (to[a] - at[a]) * n as f32 / steps as f32);
                    (1..=steps).for_each(|n| check_move(&map, side, cover(on(n - 1)), cover(on(n))));
                }
            }
        }
    }
}
