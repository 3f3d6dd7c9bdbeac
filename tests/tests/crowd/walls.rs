//! No agent is ever where its body does not fit, whatever the step and whatever is built.

use pathforge_core::geometry::{Cell, CellRect};
use pathforge_tests::hall::Hall;
use pathforge_tests::maps::{any_ground, any_map, rooms};
use pathforge_tests::rng::{Rng, seeds};

/// A crowd on a map of any kind, with goals anywhere.
fn any_hall(rng: &mut Rng) -> Hall {
    let any = any_ground(rng);
    let terrain = if rng.percent(50) {
        rooms(rng, 60, 50, 9).into_terrain(Cell::new(-20, 5))
    } else {
        any_map(rng, any)
    };
    let region = terrain.region();
    let mut hall = Hall::new(terrain);
    let any_cell = |rng: &mut Rng| {
        Cell::new(rng.int(region.x - 1..region.right() + 1), rng.int(region.y - 1..region.bottom() + 1))
    };
    let goals = [any_cell(rng), any_cell(rng)];
    let fields: Vec<[u32; 3]> =
        (0..2).map(|n| [1, 2, 3].map(|side| hall.field(side, &[goals[n]], n as u32))).collect();
    for _ in 0..120 {
        let side = rng.int(1..4);
        let speed = rng.pick(&[0.5, 3.0, 9.0, 200.0]);
        let field = fields[rng.place(2)][side as usize - 1];
        hall.add(any_cell(rng), side, speed, Some(field));
    }
    hall
}

#[test]
fn no_step_leads_into_a_wall() {
    for seed in seeds(600, 12) {
        let mut rng = Rng::new(seed);
        let mut hall = any_hall(&mut rng);
        for _ in 0..60 {
            let delta = rng.pick(&[0.0, 1.0 / 240.0, 1.0 / 60.0, 1.0 / 30.0, 0.1, 1.0]);
            hall.step(delta);
            assert_eq!(hall.in_a_wall(), None, "seed {seed}, delta {delta}");
        }
    }
}

#[test]
fn whoever_is_built_over_steps_out() {
    for seed in seeds(601, 10) {
        let mut rng = Rng::new(seed);
        let mut hall = any_hall(&mut rng);
        for _ in 0..15 {
            let region = hall.terrain.region();
            let corner = Cell::new(rng.int(region.x..region.right()), rng.int(region.y..region.bottom()));
            let (w, h, solid) = (rng.int(1..9), rng.int(1..9), rng.percent(60));
            hall.edit(|terrain| {
                terrain.fill_solid(CellRect::new(corner.x, corner.y, w, h), solid);
            });
            // The largest bodies may have nowhere to go.
            let stuck_in = (1..=3).any(|side| hall.placements(side).count() == 0);
            hall.step(1.0 / 60.0);
            assert!(stuck_in || hall.in_a_wall().is_none(), "seed {seed}: {:?}", hall.in_a_wall());
        }
    }
}

#[test]
fn one_long_step_is_many_short_ones() {
    let mut rng = Rng::new(77);
    let mut one = any_hall(&mut rng);
    let mut many = one.clone();
    one.step(1.0);
    (0..60).for_each(|_| drop(many.step(1.0 / 60.0)));
    assert_eq!(one.crowd.state_hash(), many.crowd.state_hash());
    let hash = one.crowd.state_hash();
    one.step(0.0);
    assert_eq!(one.crowd.state_hash(), hash, "no time, no change");
}
