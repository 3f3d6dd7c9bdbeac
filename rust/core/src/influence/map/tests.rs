#![allow(clippy::float_cmp, reason = "shown values are multiples of a power of two")]

use super::*;
use crate::influence::Falloff;

const REGION: CellRect = CellRect::new(-5, 3, 40, 30);

fn map(decay: f64, spread: f64) -> InfluenceMap {
    let settings = InfluenceSettings {
        decay_per_second: decay,
        spread_per_second: spread,
        ..InfluenceSettings::default()
    };
    InfluenceMap::new(REGION, settings)
}

fn shape(strength: f32, radius: f32, falloff: Falloff) -> SourceShape {
    SourceShape { strength, radius, falloff }
}

fn data(map: &mut InfluenceMap) -> Vec<f32> {
    map.show();
    (0..map.layout.height()).flat_map(|y| map.shown.row(y).to_vec()).collect()
}

fn wall() -> BitGrid {
    let mut solid = BitGrid::new(GridLayout::new(40, 30));
    solid.fill(LocalRect { x0: 20, y0: 0, x1: 21, y1: 30 }, true);
    solid
}

#[test]
fn sources_fall_off_and_add_up() {
    let mut map = map(0.0, 0.0);
    let middle = Cell::new(5, 10);
    map.add_source(middle, shape(8.0, 4.0, Falloff::Linear), false, None);
    map.add_source(middle, shape(-1.0, 1.0, Falloff::None), false, None);
    let changed = map.show().expect("something is shown");
    assert_eq!(changed.to_cells(REGION), CellRect::new(2, 7, 7, 7));
    let value = |dx, dy| map.value(middle.offset(dx, dy));
    let near = |given: f32, wanted: f32| (given - wanted).abs() <= 1.0 / 128.0;
    assert!(near(value(0, 0), 7.0) && near(value(1, 0), 5.0) && near(value(2, 0), 4.0));
    assert!(near(value(0, 4), 0.0) && near(value(3, 3), 0.0));
    assert!(near(value(2, 2), 8.0 - 2.0 * 8.0_f32.sqrt()));
    assert_eq!(map.highest(REGION, None), Some(middle.offset(0, 0)));
    assert_eq!(map.lowest(REGION, None), Some(Cell::new(-5, 3)));
    assert_eq!(map.value(Cell::new(i32::MAX, i32::MIN)), 0.0);
}

#[test]
fn removing_all_sources_leaves_nothing() {
    let mut map = map(0.3, 0.0);
    let solid = wall();
    let mut ids = Vec::new();
    for n in 0..60 {
        let cell = Cell::new(n * 7 % 50 - 10, n * 11 % 40);
        let falloff = Falloff::ALL[n as usize % 4];
        ids.push(map.add_source(
            cell,
            shape(n as f32 * 3.7 - 90.0, (n % 9) as f32, falloff),
            n % 3 == 0,
            Some(&solid),
        ));
        map.step(0.04, Some(&solid));
        map.move_source(ids[n as usize / 2], cell.offset(3, -2), Some(&solid));
    }
    map.update_obstacles(CellRect::new(0, 5, 9, 9), None);
    for id in ids {
        map.remove_source(id);
        assert!(!map.remove_source(id));
    }
    // Rounding of decaying sources may leave less than a shown step or two.
    assert!(data(&mut map).iter().all(|value| value.abs() <= 1.0 / 32.0));
}

#[test]
fn obstacles_stop_sources_and_spreading() {
    let solid = wall();
    let mut map = map(0.0, 0.5);
    let left = Cell::new(13, 10);
    let right = Cell::new(17, 10);
    map.add_source(left, shape(8.0, 9.0, Falloff::Linear), true, Some(&solid));
    map.show();
    assert!(map.value(left.offset(1, 0)) > 6.0 && map.value(right) == 0.0);
    for _ in 0..400 {
        map.step(0.1, Some(&solid));
    }
    map.show();
    let beyond = Cell::new(13, 21);
    assert!(map.value(beyond) >= 0.5 && map.value(left) == 8.0, "it flows, and the source refills it");
    let all = data(&mut map);
    assert!(all.iter().all(|&value| value <= 8.0), "no value exceeds that of the source");
    assert!(
        all.chunks(40).all(|row| row[21..].iter().all(|&value| value == 0.0)),
        "and none lies beyond the wall"
    );
    for _ in 0..100 {
        map.step(0.1, None);
    }
    map.show();
    assert!(map.value(right) > 0.5, "without obstacles it flows there");
}

#[test]
fn a_source_surrounded_by_solid_cells_has_influence_outside() {
    let mut solid = BitGrid::new(GridLayout::new(40, 30));
    solid.fill(LocalRect { x0: 9, y0: 9, x1: 12, y1: 12 }, true);
    let mut map = map(0.0, 0.0);
    map.add_source(Cell::new(5, 13), shape(6.0, 5.0, Falloff::Linear), true, Some(&solid));
    map.show();
    assert!(map.value(Cell::new(7, 13)) > 0.0 && map.value(Cell::new(5, 10)) > 0.0);
}

#[test]
fn decay_is_exact_over_whole_seconds_and_comes_in_ticks() {
    let mut map = map(0.5, 0.0);
    let cell = Cell::new(0, 10);
    map.add_source(cell, shape(8.0, 0.0, Falloff::None), false, None);
    map.add_source(cell.offset(5, 0), shape(8.0, 0.0, Falloff::None), true, None);
    map.step(1.0, None);
    map.show();
    assert!((map.value(cell) - 4.0).abs() < 0.02 && map.value(cell.offset(5, 0)) == 8.0);
    map.set_settings(InfluenceSettings { decay_per_second: 0.01, ..map.settings() });
    let mut shows = 0;
    for _ in 0..600 {
        map.step(1.0 / 60.0, None);
        shows += u32::from(map.show().is_some());
    }
    assert!((1..=5).contains(&shows), "{shows} changes in ten seconds");
    assert!((map.value(cell) - 4.0 * 0.9).abs() < 0.2);
}

#[test]
fn spreading_preserves_the_sum_and_sources_can_be_removed_after() {
    let mut map = map(0.0, 0.6);
    let id = map.add_source(Cell::new(10, 15), shape(40.0, 3.0, Falloff::Smooth), false, None);
    let sum = |map: &InfluenceMap| -> i64 { (0..30).flat_map(|y| map.values.cells.row(y).to_vec()).sum() };
    let before = sum(&map);
    for _ in 0..80 {
        map.step(0.05, None);
    }
    assert_eq!(sum(&map), before);
    map.remove_source(id);
    assert!(sum(&map) > before / 2 && (0..30).all(|y| map.values.cells.row(y).iter().all(|&v| v >= -4096)));
    map.clear();
    assert_eq!((sum(&map), map.source_count()), (0, 0));
    assert!(data(&mut map).iter().all(|&value| value == 0.0));
}

#[test]
fn resizing_keeps_the_values_that_both_regions_share() {
    let mut map = map(0.0, 0.0);
    map.deposit(Cell::new(0, 8), shape(4.0, 2.0, Falloff::None), None);
    let id = map.add_source(Cell::new(30, 8), shape(4.0, 2.0, Falloff::None), true, None);
    map.show();
    map.resize(CellRect::new(-2, 0, 33, 12), None);
    map.show();
    assert_eq!(
        [map.value(Cell::new(0, 8)), map.value(Cell::new(30, 8)), map.value(Cell::new(5, 5))],
        [4.0, 4.0, 0.0]
    );
    map.resize(CellRect::new(0, 0, 0, 0), None);
    assert!(map.move_source(id, Cell::new(2, 2), None));
    map.resize(REGION, None);
    map.show();
    assert_eq!([map.value(Cell::new(0, 8)), map.value(Cell::new(2, 4))], [0.0, 4.0]);
}

#[test]
fn a_new_quantum_does_not_hide_values_that_fell_to_zero() {
    let mut map = map(0.0, 0.0);
    let cell = Cell::new(0, 10);
    map.add_source(cell, shape(8.0, 0.0, Falloff::None), false, None);
    map.show();
    map.clear();
    map.set_settings(InfluenceSettings { quantum: 0.5, ..map.settings() });
    map.show();
    assert_eq!(map.value(cell), 0.0);
}
