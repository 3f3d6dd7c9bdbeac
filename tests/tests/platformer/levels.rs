//! Levels and profiles from seeds, and levels as text for failures.

use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::terrain::Terrain;
use pathforge_platformer::JumpProfile;
use pathforge_tests::maps::{any_origin, any_walls};
use pathforge_tests::rng::Rng;

/// A stream of random numbers. Streams of neighbouring seeds begin one number apart, so this one begins far
/// away.
pub fn any_rng(seed: u64) -> Rng {
    Rng::new(Rng::new(seed).bits())
}

/// The level in letters, with marks on top.
pub fn draw(map: &Terrain, marks: &[(Cell, char)]) -> String {
    let region = map.region();
    let mut text = format!("region {region:?}\n");
    for cell in region.cells() {
        let mark = marks.iter().rev().find(|(at, _)| *at == cell).map(|&(_, letter)| letter);
        let ground = match (map.is_solid(cell), map.is_one_way(cell)) {
            (true, _) => '#',
            (_, true) => '=',
            _ => '.',
        };
        text.push(mark.unwrap_or(ground));
        if cell.x + 1 == region.right() {
            text.push('\n');
        }
    }
    text
}

/// Platforms, some of them one-way, over a floor with gaps, and a few walls.
fn platforms(rng: &mut Rng, map: &mut Terrain) {
    let CellRect { x, y, w, h } = map.region();
    if rng.percent(80) {
        map.fill_solid(CellRect::new(x, y + h - 1, w, 1), true);
        for _ in 0..rng.int(0..4) {
            map.fill_solid(CellRect::new(x + rng.int(0..w), y + h - 1, rng.int(1..7), 1), false);
        }
    }
    for _ in 0..=(w * h / 40) {
        let rect = CellRect::new(x + rng.int(-2..w), y + rng.int(0..h), rng.int(1..8), 1);
        if rng.percent(35) {
            map.fill_one_way(rect, true);
        } else {
            map.fill_solid(rect, true);
        }
    }
    for _ in 0..rng.int(0..3) {
        map.fill_solid(CellRect::new(x + rng.int(0..w), y + rng.int(0..h), 1, rng.int(1..6)), true);
    }
}

/// A level of any kind: platforms mostly, else walls of any kind with one-way cells strewn over them.
pub fn any_level(rng: &mut Rng) -> Terrain {
    let (w, h) = (rng.int(1..26), rng.int(1..22));
    let origin = any_origin(rng);
    if rng.percent(70) {
        let mut map = Terrain::new(CellRect::new(origin.x, origin.y, w, h)).expect("a small level");
        platforms(rng, &mut map);
        return map;
    }
    let terrain = any_walls(rng, w, h).into_terrain(origin);
    let mut map = terrain;
    let percent = rng.pick(&[0, 5, 20, 60]);
    let data: Vec<u8> = (0..w * h).map(|_| u8::from(rng.percent(percent))).collect();
    map.set_one_way_data(&data).expect("one element a cell");
    map
}

/// The profile of a body of up to 5×5 cells.
pub fn any_profile(rng: &mut Rng) -> JumpProfile {
    let side = |rng: &mut Rng| if rng.percent(50) { rng.int(1..3) } else { rng.int(1..6) };
    let footprint = Footprint::new(i64::from(side(rng)), i64::from(side(rng))).expect("a small size");
    let free = rng.percent(20);
    JumpProfile {
        footprint,
        max_jump_height: rng.pick(&[0, 1, 2, 3, 3, 4, 5, 6, 9]),
        max_air_run: rng.pick(&[0, 0, 0, 1, 2, 3, 5, 8]),
        max_fall: rng.pick(&[0, 0, 0, 1, 2, 4, 7]),
        jump_cost: if free { 0 } else { rng.pick(&[0, 35, 140, 700, 7000]) },
        air_cost: if free { 0 } else { rng.pick(&[0, 14, 14, 70, 7000]) },
        fall_cost: if free { 0 } else { rng.pick(&[0, 0, 10, 140, 7000]) },
        air_start_value: rng.pick(&[None, None, Some(0), Some(1), Some(2), Some(3), Some(100)]),
    }
}
