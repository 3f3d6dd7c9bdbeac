//! No body of a crowd crosses a closed edge: a wall without thickness, or a ledge upwards.

use std::collections::HashMap;

use pathforge_core::crowd::{AgentState, AgentView};
use pathforge_core::geometry::{Cell, CellRect, Side};
use pathforge_core::terrain::Terrain;
use pathforge_tests::hall::{Hall, walks};
use pathforge_tests::halls::SPEED;
use pathforge_tests::maps::rooms;
use pathforge_tests::rng::{Rng, seeds};

/// The line right of the fence's column, and the rows of its gate.
const FENCE: i32 = 24;
const GATE: std::ops::Range<i32> = 12..16;
const HEIGHT: i32 = 28;
/// What a body may stick out over a wall beyond its outline's room, as in [`Hall::in_a_wall`].
const DEEP: f64 = 0.02;

fn open_hall(w: usize, h: i32) -> Hall {
    Hall::draw(&vec![".".repeat(w); h as usize].join("\n"))
}

/// Closes or opens the edges of the fence in some rows.
fn close(terrain: &mut Terrain, rows: std::ops::Range<i32>, is_closed: bool) {
    let rect = CellRect::new(FENCE, rows.start, 1, rows.end - rows.start);
    terrain.fill_edges(rect, Side::Left, is_closed, false);
}

/// A fence with a gate, and a crowd of bodies of one and of two cells that wants to the other side.
fn fenced(count: i32) -> (Hall, [u32; 2]) {
    let mut hall = open_hall(64, HEIGHT);
    hall.edit(|terrain| {
        close(terrain, 0..GATE.start, true);
        close(terrain, GATE.end..HEIGHT, true);
    });
    let goal = Cell::new(44, 14);
    let fields = [hall.field(1, &[goal], 0), hall.field(2, &[goal], 0)];
    for n in 0..count {
        let side = if n % 4 == 0 { 2 } else { 1 };
        let anchor = Cell::new(n % 10 * 2 + 1, n / 10 + 1 + n / 40);
        let field = fields[side as usize - 1];
        assert!(hall.add(anchor, side, SPEED, Some(field)).is_some(), "{anchor:?}");
    }
    (hall, fields)
}

fn views(hall: &Hall) -> HashMap<u32, AgentView> {
    hall.crowd.views_unordered().map(|view| (view.id, view)).collect()
}

/// Checks that none went over the line of the fence but in the open rows, and that none lies on it elsewhere.
fn check_fence(hall: &Hall, before: &HashMap<u32, AgentView>, open: &std::ops::Range<i32>) {
    let line = f64::from(FENCE);
    let [top, bottom] = [open.start, open.end].map(f64::from);
    for (id, now) in views(hall) {
        let half = f64::from(now.half[0]) - DEEP;
        let is_beside = now.y - half >= top && now.y + half <= bottom;
        assert!((now.x - line).abs() >= half || is_beside, "on the fence: {now:?}");
        let Some(old) = before.get(&id) else { continue };
        if (old.x - line) * (now.x - line) < 0.0 {
            let part = (line - old.x) / (now.x - old.x);
            let y = old.y + (now.y - old.y) * part;
            assert!(y - half >= top - 0.05 && y + half <= bottom + 0.05, "over the fence: {old:?} {now:?}");
        }
    }
}

#[test]
fn a_crowd_passes_a_fence_by_its_gate_alone() {
    let (mut hall, _) = fenced(200);
    for _ in 0..3000 {
        let before = views(&hall);
        hall.step(1.0 / 60.0);
        check_fence(&hall, &before, &GATE);
    }
    assert_eq!(hall.states()[AgentState::Arrived as usize], 200, "{:?}", hall.states());
}

#[test]
fn a_door_that_closes_stops_a_crowd() {
    let (mut hall, fields) = fenced(120);
    for _ in 0..420 {
        hall.step(1.0 / 60.0);
    }
    let mut before = views(&hall);
    let passed = before.values().filter(|view| view.x > f64::from(FENCE)).count();
    assert!(passed > 10 && passed < 110, "the door closes while some pass: {passed}");
    hall.edit(|terrain| close(terrain, GATE, true));
    // The field leads on through the door for a while, as it may in a game.
    for _ in 0..300 {
        hall.step(1.0 / 60.0);
        // In the door, the side of the middle of a body is its own.
        before.retain(|_, view| (view.x - f64::from(FENCE)).abs() > 0.05);
        check_fence(&hall, &before, &(0..0));
        before = views(&hall);
    }
    hall.edit(|terrain| close(terrain, GATE, false));
    for (field, side) in fields.into_iter().zip(1..) {
        hall.rebuild_field(field, side, &[Cell::new(44, 14)]);
    }
    for _ in 0..2400 {
        let before = views(&hall);
        hall.step(1.0 / 60.0);
        check_fence(&hall, &before, &GATE);
    }
    assert!(hall.crowd.views().filter(walks).count() == 0, "{:?}", hall.states());
}

#[test]
fn none_goes_up_a_ledge() {
    let mut hall = open_hall(48, 16);
    hall.edit(|terrain| {
        terrain.fill_edges(CellRect::new(FENCE - 1, 0, 1, 16), Side::Right, true, true);
    });
    let goals = [Cell::new(6, 8), Cell::new(40, 8)];
    let sides = [1, 2];
    let down = sides.map(|side| hall.field(side, &goals[..1], 0));
    let up = sides.map(|side| hall.field(side, &goals[1..], 1));
    for n in 0..60 {
        let (x, y, side) = (n % 5, n / 5, if n % 4 == 0 { 2 } else { 1 });
        hall.add(Cell::new(FENCE + 6 + x * 2, y + 1), side, SPEED, Some(down[side as usize - 1]));
        if n < 30 {
            hall.add(Cell::new(FENCE - 12 + x * 2, y * 2 + 1), side, SPEED, Some(up[side as usize - 1]));
        }
    }
    // The field leads up where nothing is closed yet, so that they press on the ledge.
    hall.edit(|terrain| {
        terrain.fill_edges(CellRect::new(FENCE - 1, 0, 1, 16), Side::Right, false, true);
    });
    for (field, side) in up.into_iter().zip(sides) {
        hall.rebuild_field(field, side, &goals[1..]);
    }
    hall.edit(|terrain| {
        terrain.fill_edges(CellRect::new(FENCE - 1, 0, 1, 16), Side::Right, true, true);
    });
    let mut highest: HashMap<u32, f64> = HashMap::new();
    for _ in 0..1500 {
        hall.step(1.0 / 60.0);
        for view in hall.crowd.views_unordered() {
            // From there a body covers no placement any more that it came from.
            let low = f64::from(FENCE) - if view.kind == 0 { 0.5 } else { 1.0 } + 0.1;
            if let Some(most) = highest.get(&view.id) {
                assert!(view.x <= most + 1e-3, "{view:?}");
            } else if view.x < low {
                highest.insert(view.id, low);
            }
        }
    }
    let above: Vec<_> = hall.crowd.views().filter(|view| !highest.contains_key(&view.id)).collect();
    assert!(above.is_empty(), "all of those above have come down: {above:?}");
}

/// Returns the placements that a body covers, by the room around its outline: `more` of it.
fn cover(view: &AgentView, more: f64) -> Vec<Cell> {
    let side = f64::from(view.kind) + 1.0;
    let room = side * 0.5 - f64::from(view.radius) + more;
    let along = |at: f64| {
        let corner = at - side * 0.5;
        let first = (corner + room).floor() as i32;
        first..=first.max((corner - room).ceil() as i32)
    };
    along(view.y).flat_map(|y| along(view.x).map(move |x| Cell::new(x, y))).collect()
}

/// Returns whether an edge closes the step of a body over a side.
fn is_closed(terrain: &Terrain, anchor: Cell, body: i32, side: Side) -> bool {
    CellRect::new(anchor.x, anchor.y, body, body).cells().any(|cell| terrain.is_edge_blocked(cell, side))
}

/// Returns whether a body has come to what it covers now by steps over open edges.
fn came_by_steps(terrain: &Terrain, old: &AgentView, now: &AgentView) -> bool {
    let body = i32::from(now.kind) + 1;
    let mut reached = cover(old, -1e-3);
    let mut last = reached.clone();
    for _ in 0..6 {
        let steps = last.iter().flat_map(|&at| Side::ALL.map(|side| (at, side)));
        let open = steps.filter(|&(at, side)| !is_closed(terrain, at, body, side));
        last = open.map(|(at, side)| side.beyond(at)).collect();
        last.retain(|at| {
            let is_new = !reached.contains(at);
            reached.extend(is_new.then_some(*at));
            is_new
        });
    }
    cover(now, 1e-3).iter().all(|at| reached.contains(at))
}

/// Returns whether a wall without thickness lies within the cells that a body covers.
fn is_on_wall(terrain: &Terrain, view: &AgentView) -> bool {
    let half = view.half.map(|half| f64::from(half) - DEEP);
    let cells = |at: f64, reach: f64| (at - reach).floor() as i32..=(at + reach).floor() as i32;
    let (columns, rows) = (cells(view.x, half[0]), cells(view.y, half[1]));
    let covers = |cell: Cell| columns.contains(&cell.x) && rows.contains(&cell.y);
    let all = rows.clone().flat_map(|y| columns.clone().map(move |x| Cell::new(x, y)));
    let mut sides = all.flat_map(|cell| Side::ALL.map(|side| (cell, side)));
    sides.any(|(cell, side)| {
        let beyond = side.beyond(cell);
        covers(beyond)
            && terrain.is_edge_blocked(cell, side)
            && terrain.is_edge_blocked(beyond, side.opposite())
    })
}

#[test]
fn no_step_leads_over_a_closed_edge() {
    for seed in seeds(640, 12) {
        let mut rng = Rng::new(seed);
        let mut terrain = rooms(&mut rng, 40, 36, 9).into_terrain(Cell::new(-20, 5));
        let region = terrain.region();
        let any_cell =
            |rng: &mut Rng| Cell::new(rng.int(region.x..region.right()), rng.int(region.y..region.bottom()));
        for _ in 0..rng.int(10..160) {
            let at = any_cell(&mut rng);
            let (length, side) = (rng.int(1..5), rng.pick(&Side::ALL));
            let is_level = matches!(side, Side::Top | Side::Bottom);
            let (w, h) = if is_level { (length, 1) } else { (1, length) };
            terrain.fill_edges(CellRect::new(at.x, at.y, w, h), side, true, rng.percent(30));
        }
        let mut hall = Hall::new(terrain);
        let goals = [any_cell(&mut rng), any_cell(&mut rng)];
        let fields: Vec<[u32; 3]> =
            (0..2).map(|n| [1, 2, 3].map(|side| hall.field(side, &[goals[n]], n as u32))).collect();
        let mut driven = Vec::new();
        for n in 0..150 {
            let side = rng.int(1..4);
            let field = fields[rng.place(2)][side as usize - 1];
            let at = any_cell(&mut rng);
            if n % 10 == 0 && hall.placements(side).at((at.x - region.x) as u32, (at.y - region.y) as u32) {
                driven.push(hall.add_driven(at, side, Some(field)));
            } else {
                hall.add(at, side, rng.pick(&[0.5, 3.0, 9.0, 200.0]), Some(field));
            }
        }
        for _ in 0..400 {
            let old = views(&hall);
            if let Some(&id) =
                old.keys().min_by_key(|&&id| u64::from(id) * 7919 % 151).filter(|_| rng.percent(20))
            {
                let velocity = [rng.int(-90..91), rng.int(-90..91)].map(|part| part as f32);
                hall.crowd.throw(id, velocity, 0.3);
            }
            hall.drive(&driven, 4.0, 1.0 / 60.0);
            for (id, now) in views(&hall) {
                let old = &old[&id];
                assert!(came_by_steps(&hall.terrain, old, &now), "seed {seed}: {old:?} {now:?}");
                assert!(!is_on_wall(&hall.terrain, &now), "seed {seed}: {now:?}");
            }
            assert_eq!(hall.in_a_wall(), None, "seed {seed}");
        }
    }
}
