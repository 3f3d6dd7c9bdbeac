//! Single bodies among others, goals that swallow, and places of their own.

use pathforge_core::crowd::{AgentView, OutlineForm};
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::walker::Point;

use super::Verdict;
use super::arena::{Arena, PARTS, SPEED, STEPS};
use super::measures::{MOVES, Turns};
use crate::maps::Walls;
use crate::rng::Rng;
use crate::town::{Town, Unit};

/// Time beside the straight way of a body that does not arrive.
const NEVER: f64 = 99.0;
/// A body that is nearer to a place takes it, in cells.
const AT_PLACE: f64 = 0.6;

/// Nine bodies of one to three cells pass five settled groups in the open, one after the other.
pub fn detour(seed: u64) -> Verdict {
    const FROM: i32 = 3;
    const TO: i32 = 92;
    let (mut arena, mut rng) = (Arena::new(Walls::filled(100, 60, false)), Rng::new(seed));
    for _ in 0..5 {
        let goal = Cell::new(rng.int(25..75), rng.int(8..52));
        let cells = CellRect::new(goal.x - 5, goal.y - 4, 10, 8).cells();
        let ids: Vec<u32> = cells.filter_map(|cell| arena.add(cell, 1)).collect();
        arena.order(&ids, goal);
    }
    arena.wait(40);
    let mut ratios = Vec::new();
    for (side, y) in [1, 2, 3].into_iter().flat_map(|side| [10, 30, 48].map(|y| (side, y))) {
        let Some(id) = arena.add(Cell::new(FROM, y), side) else { continue };
        arena.order(&[id], Cell::new(TO, y));
        let [.., last] = arena.watch(&[id], 120);
        let is_there = arena.view(id).is_some_and(|view| view.x > f64::from(TO - 3));
        let straight = f64::from(TO - FROM) / f64::from(SPEED);
        ratios.push(if is_there { last / straight } else { NEVER });
    }
    ratios.sort_by(f64::total_cmp);
    let worst = ratios.last().copied().unwrap_or(NEVER);
    let verdict = arena.judge_told([0.0; 4]);
    Verdict { detours: Some([ratios[ratios.len() / 2], worst]), ..verdict }
}

/// 380 walk to a cell at the edge of the map, and leave there.
pub fn swallow(seed: u64) -> Verdict {
    swallowed(seed, false)
}

/// The same, and a tower rises two cells before that cell while they come.
pub fn swallow_past_a_tower(seed: u64) -> Verdict {
    swallowed(seed, true)
}

fn swallowed(seed: u64, has_tower: bool) -> Verdict {
    const GATE: Cell = Cell { x: 89, y: 25 };
    const TOWER_AT: f64 = 12.0;
    const LIMIT: f64 = 300.0;
    let (mut arena, mut rng) = (Arena::new(Walls::filled(90, 50, false)), Rng::new(seed));
    let ids = arena.scatter(&mut rng, CellRect::new(1, 1, 50, 48), &[(1, 380)], None);
    arena.order(&ids, GATE);
    let mut told = [f64::INFINITY; 4];
    let mut left = ids.clone();
    while arena.time() < LIMIT && !left.is_empty() {
        // The first are there, and the others before the gate.
        if has_tower && (arena.time() - TOWER_AT).abs() < 0.001 {
            let tower: Vec<Cell> = CellRect::new(GATE.x - 3, GATE.y - 1, 2, 2).cells().collect();
            arena.edit(&tower, true);
        }
        arena.step();
        let is_there = |view: &AgentView| {
            (view.x - f64::from(GATE.x) - 0.5).hypot(view.y - f64::from(GATE.y) - 0.5) < 1.5
        };
        let (gone, others) = left.into_iter().partition(|&id| arena.view(id).is_some_and(is_there));
        left = others;
        arena.remove(&gone);
        for (told, part) in told.iter_mut().zip(PARTS) {
            if told.is_infinite() && (ids.len() - left.len()) as f64 >= part * ids.len() as f64 {
                *told = arena.time();
            }
        }
    }
    // Only bodies that left have arrived: the others still have to, whatever they report.
    let verdict = arena.judge_told(told);
    Verdict { arrived: ids.len() - left.len(), under_way: left.len(), count: ids.len(), ..verdict }
}

/// Two bodies change sides past the end of a wall, 128 times with other starts.
///
/// # Panics
/// Never, as an empty map has room for both.
pub fn shake(seed: u64) -> Verdict {
    let mut rng = Rng::new(seed);
    let mut all = Verdict::default();
    for _ in 0..128 {
        let mut walls = Walls::filled(20, 8, false);
        walls.fill(10, 2, 1, 4, true);
        let mut arena = Arena::new(walls);
        let ends = [Cell::new(2, rng.int(2..6)), Cell::new(17, rng.int(2..6))];
        let ids = ends.map(|cell| arena.add(cell, 1).expect("an empty map"));
        let x = 17.0 + f64::from(rng.int(0..64)) / 32.0;
        arena.game.place(ids[1], x, f64::from(ends[1].y) + 0.5);
        for (&id, &goal) in ids.iter().zip(ends.iter().rev()) {
            arena.order(&[id], goal);
        }
        let verdict = arena.judge(30);
        all = sum(all, verdict);
    }
    all
}

/// The worse of each figure, but the sum of all bodies and of all that turn about.
fn sum(all: Verdict, one: Verdict) -> Verdict {
    let (turning, count, arrived) =
        (all.turning + one.turning, all.count + one.count, all.arrived + one.arrived);
    Verdict { arrived, count, turning, ..all.or_worse(one) }
}

/// The same with nodes, which a walker leads.
pub fn shake_nodes(seed: u64) -> Verdict {
    let mut walls = vec![".".repeat(20); 8];
    walls[2..6].iter_mut().for_each(|row| row.replace_range(10..11, "#"));
    let mut rng = Rng::new(seed);
    let mut all = Verdict::default();
    for _ in 0..128 {
        let ends = [Cell::new(2, rng.int(2..6)), Cell::new(17, rng.int(2..6))];
        let mut town = town(&walls, "scout", &ends);
        town.units[1].position.x += f64::from(rng.int(0..64)) / 32.0;
        town.send_one(0, ends[1]);
        town.send_one(1, ends[0]);
        all = sum(all, watch_nodes(&mut town, 30));
    }
    all
}

/// Nodes of a kind that are discs, each on its cell.
fn town(rows: &[String], kind: &str, cells: &[Cell]) -> Town {
    let units: Vec<String> = cells.iter().map(|cell| format!("{kind} {},{}", cell.x, cell.y)).collect();
    Town::with_outlines(&format!("{}\n\n{}", rows.join("\n"), units.join("\n")), OutlineForm::Round)
}

/// Watches nodes until all have finished, for so many seconds at most, and while they rest.
fn watch_nodes(town: &mut Town, limit: u32) -> Verdict {
    let (mut turns, mut told) = (vec![Turns::default(); town.units.len()], f64::INFINITY);
    let mut left = limit * STEPS;
    for step in 0.. {
        let before: Vec<Point> = town.units.iter().map(|unit| unit.position).collect();
        town.frame();
        for ((unit, from), turns) in town.units.iter().zip(before).zip(&mut turns) {
            let moved = unit.position.distance(from) * f64::from(STEPS);
            let speed = town.crowd.view(unit.id).map_or(0.0, |view| f64::from(view.speed));
            if moved > MOVES * speed {
                turns.see([unit.position.x - from.x, unit.position.y - from.y], step);
            }
        }
        if told.is_infinite() && town.units.iter().all(|unit| unit.walker.is_finished()) {
            told = f64::from(step + 1) / f64::from(STEPS);
            left = 2 * STEPS;
        }
        left -= 1;
        if left == 0 {
            break;
        }
    }
    let count = town.units.len();
    let there = town.units.iter().filter(|unit| unit.walker.is_finished()).count();
    Verdict {
        told: [told; 4],
        arrived: there,
        under_way: count - there,
        count,
        turning: turns.iter().filter(|turns| turns.is_often).count(),
        ..Verdict::default()
    }
}

/// Nodes of two cells, each with a target of its own, one free cell between the targets; twelve times.
pub fn places_of_nodes(seed: u64) -> Verdict {
    let mut rng = Rng::new(seed);
    let mut all = Verdict::default();
    for _ in 0..12 {
        let mut order: Vec<i32> = (0..9).collect();
        (1..9).rev().for_each(|n| order.swap(n, rng.place(n + 1)));
        let cells: Vec<Cell> = (0..9).map(|n| in_rows(n, 2)).collect();
        let mut town = town(&vec![".".repeat(40); 20], "tank", &cells);
        let target = |&n: &i32| middle(in_rows(n, 26));
        let targets: Vec<Point> = order.iter().map(target).map(|[x, y]| Point::new(x, y)).collect();
        for (n, &target) in targets.iter().enumerate() {
            town.send_to(n, target);
        }
        let verdict = watch_nodes(&mut town, 40);
        let is_off = |(unit, target): &(&Unit, &Point)| unit.position.distance(**target) > AT_PLACE;
        let empty = town.units.iter().zip(&targets).filter(is_off).count();
        let places_empty = Some(empty + all.places_empty.unwrap_or(0));
        all = Verdict { places_empty, ..sum(all, verdict) };
    }
    all
}

/// The cell of a body of two cells, three in a row, with one cell between them.
const fn in_rows(n: i32, left: i32) -> Cell {
    Cell::new(left + n % 3 * 3, 6 + n / 3 * 3)
}

/// The middle of a body of two cells.
fn middle(anchor: Cell) -> [f64; 2] {
    [f64::from(anchor.x) + 1.0, f64::from(anchor.y) + 1.0]
}

/// Nine bodies of two cells, each with a place of its own, one free cell between the places; twelve times.
///
/// # Panics
/// Never, as an empty map has room for all.
pub fn places(seed: u64) -> Verdict {
    const GOAL: Cell = Cell { x: 29, y: 9 };
    let mut rng = Rng::new(seed);
    let mut all = Verdict::default();
    for _ in 0..12 {
        let mut arena = Arena::new(Walls::filled(40, 20, false));
        let mut ids: Vec<u32> = (0..9).map(|n| arena.add(in_rows(n, 2), 2).expect("an empty map")).collect();
        (1..9).rev().for_each(|n| ids.swap(n, rng.place(n + 1)));
        let places: Vec<[f64; 2]> = (0..9).map(|n| middle(in_rows(n, 26))).collect();
        arena.game.on_map(|guidance, crowd, map| {
            guidance.send_in_formation(crowd, map, &ids, GOAL, places.clone())
        });
        arena.note_order(&ids, GOAL);
        let verdict = arena.judge(60);
        let is_empty = |[x, y]: &&[f64; 2]| {
            let is_there =
                |id: &u32| arena.view(*id).is_some_and(|view| (view.x - x).hypot(view.y - y) < AT_PLACE);
            !ids.iter().any(is_there)
        };
        let empty = places.iter().filter(is_empty).count() + all.places_empty.unwrap_or(0);
        all = sum(all, verdict);
        (all.places_empty, all.empty) = (Some(empty), None);
    }
    all
}
