//! Crowds: no agent in a wall, whatever the time step, and a saved crowd continues as the original does.

use pathforge_core::crowd::{Crowd, MarchShape, OutlineForm};
use pathforge_core::geometry::{Cell, CellRect};

use crate::hall::Hall;
use crate::maps::{any_cell, any_walls};
use crate::rng::Rng;

/// A crowd that lives through edits, orders and steps of any length.
pub fn steps(rng: &mut Rng) {
    let (w, h) = (rng.int(3..40), rng.int(3..30));
    let mut hall = Hall::new(any_walls(rng, w, h).into_terrain(Cell::new(-5, 9)));
    let region = hall.terrain.region();
    let form = rng.pick(&[OutlineForm::Round, OutlineForm::Box]);
    let kinds = [0, 1, 2, hall.add_kind(rng.int(1..4).into(), rng.int(1..6).into(), form)];
    let fields = kinds.map(|kind| hall.field_of(kind, &[any_cell(rng, region)], kind as u32 % 2));
    let mut copy: Option<Hall> = None;
    for _ in 0..rng.int(1..40) {
        match rng.int(0..12) {
            0..5 => {
                let kind = rng.pick(&kinds);
                let field = rng.percent(80).then_some(fields[kind]);
                hall.add_of(kind, any_cell(rng, region), rng.pick(&[0.5, 2.0, 4.0, 60.0]), field);
                copy = None;
            }
            5 => {
                hall.crowd.remove(&[rng.int(0..30) as u32]);
                copy = None;
            }
            6 => {
                let to = any_cell(rng, region);
                let points = [[to.x, to.y], [0, 0]].map(|p| p.map(|v| f64::from(v) + 0.5));
                hall.crowd.assign_path(&[rng.int(0..30) as u32], &points, 7);
                copy = None;
            }
            7 => {
                let (cell, solid) = (any_cell(rng, region), rng.percent(40));
                hall.edit(|terrain| _ = terrain.fill_solid(CellRect::cell(cell), solid));
                copy = None;
                // An agent that was walled in moves to a valid placement at the next step, or there is none.
                hall.step(0.0);
                continue;
            }
            8 => {
                let mut twin = hall.clone();
                twin.crowd = Crowd::from_bytes(&hall.crowd.to_bytes()).expect("its own bytes");
                copy = Some(twin);
            }
            9 => {
                let ids: Vec<u32> = (0..rng.int(1..30) as u32).collect();
                let points: Vec<[f64; 2]> = (0..rng.int(1..4))
                    .map(|_| any_cell(rng, region))
                    .map(|cell| [f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5])
                    .collect();
                let shape = rng.pick(&[MarchShape::Block, MarchShape::Column, MarchShape::Wedge]);
                hall.crowd.assign_march(&ids, &points, 9, shape);
                copy = None;
            }
            10 => {
                // Questions change nothing: the copy goes on alike.
                let id = rng.int(0..40) as u32;
                hall.with_ground(|crowd, ground| crowd.blockage(ground, id));
                for (id, [x, y]) in hall.crowd.strays() {
                    hall.crowd.lead_back(id, &[[x, y]]);
                    copy = None;
                }
            }
            _ => {
                let ids: Vec<u32> = (0..30).filter(|_| rng.percent(30)).collect();
                let (layers, mask) = (rng.pick(&[1, 2, 3]), rng.pick(&[0, 1, 1, 2, 3]));
                hall.crowd.set_avoidance(&ids, Some(layers), Some(mask));
                copy = None;
            }
        }
        let delta = rng.pick(&[0.0, 1.0 / 240.0, 1.0 / 60.0, 1.0 / 30.0, 0.3, 1.0, 1e9]);
        let were_free = hall.in_a_wall().is_none();
        hall.step(delta);
        assert!(!were_free || hall.in_a_wall().is_none(), "{:?} after {delta} s", hall.in_a_wall());
        if let Some(twin) = &mut copy {
            twin.step(delta);
            assert_eq!(twin.crowd.state_hash(), hall.crowd.state_hash(), "after saving, {delta} s");
        }
    }
}
