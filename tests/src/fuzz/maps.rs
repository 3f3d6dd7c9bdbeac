//! What is kept of a map: cells, layers, clearance and components.

use pathforge_core::clearance::ClearanceMetric;
use pathforge_core::cost::Cost;
use pathforge_core::geometry::Cell;
use pathforge_core::terrain::{Capability, Terrain};
use pathforge_core::world::{ClearanceKey, PathQuery, World};

use crate::bodies::{Body, any_body};
use crate::edits::{Wildness, any_edit};
use crate::maps::{any_cell, any_ground, any_map, any_rect};
use crate::oracle::{Distances, Ground, brushfire_map, clearance_at};
use crate::rng::Rng;

/// Some map.
pub fn any(rng: &mut Rng) -> Terrain {
    let ground = any_ground(rng);
    any_map(rng, ground)
}

/// One to three edits of a world.
pub fn edit(rng: &mut Rng, world: &mut World) {
    for _ in 0..rng.int(1..4) {
        any_edit(rng, world.terrain(), Wildness::Any).apply(world.terrain_mut());
    }
}

/// A map tells what an edit changed, is saved and read as it is, and obstacles that come and go leave
/// nothing.
pub fn edits(rng: &mut Rng) {
    let mut terrain = any(rng);
    for _ in 0..6 {
        let before = terrain.clone();
        let told = any_edit(rng, &terrain, Wildness::Any).apply(&mut terrain).unwrap_or_default();
        for cell in terrain.region().cells().filter(|&cell| !told.contains(cell)) {
            let look = |t: &Terrain| {
                (t.is_solid(cell), t.is_one_way(cell), t.terrain(cell), t.weight(cell).to_bits())
            };
            assert_eq!(look(&before), look(&terrain), "{cell:?} changed outside {told:?}");
        }
        let back = Terrain::from_bytes(&terrain.to_bytes()).expect("its own bytes");
        assert_eq!(back.state_hash(), terrain.state_hash());
        let region = any_rect(rng, terrain.region());
        if let Ok(resized) = terrain.resized(region) {
            for cell in region.cells().filter(|&cell| terrain.region().contains(cell)) {
                assert_eq!(resized.is_solid(cell), terrain.is_solid(cell), "{cell:?} in {region:?}");
                assert_eq!(resized.is_one_way(cell), terrain.is_one_way(cell), "{cell:?} in {region:?}");
            }
        }
    }
}

/// Layers and clearance maps after edits are what the oracle sees.
pub fn layers(rng: &mut Rng) {
    let mut world = World::from_terrain(any(rng));
    let body = any_body(rng, false);
    let capability = Capability(rng.pick(&[u32::MAX, 1, 0b10]));
    let max = rng.pick(&[1, 3, 40, 255]);
    for _ in 0..4 {
        let ground = Ground::new(world.terrain(), &body);
        let fire = brushfire_map(world.terrain(), capability);
        let key = |metric| ClearanceKey::new(capability, metric, max);
        let sides = world.clearance_map(key(ClearanceMetric::True)).data();
        let burnt = world.clearance_map(key(ClearanceMetric::Brushfire)).data();
        // The oracle measures every square anew: on large maps it looks at some cells only.
        let region = world.terrain().region();
        let stride = 1 + region.area() as usize / 1000;
        for (n, cell) in region.cells().enumerate().skip(rng.place(stride)).step_by(stride) {
            let fits = world.is_placement(cell, &body.profile());
            assert_eq!(fits, ground.fits(cell), "{body:?} at {cell:?}");
            let side = clearance_at(world.terrain(), capability, cell);
            assert_eq!(u32::from(sides[n]), side.min(u32::from(max)), "clearance of {cell:?}");
            assert_eq!(u32::from(burnt[n]), fire[n].min(u32::from(max)), "brushfire of {cell:?}");
        }
        edit(rng, &mut world);
    }
}

/// The oracle finds the same components, ranges and blocked starts.
pub fn labels(rng: &mut Rng) {
    let mut world = World::from_terrain(any(rng));
    let body = any_body(rng, true);
    let profile = body.profile();
    for _ in 0..4 {
        let region = world.terrain().region();
        let ground = Ground::new(world.terrain(), &body);
        for _ in 0..8 {
            let (a, b) = (any_cell(rng, region), any_cell(rng, region));
            let reaches = Distances::from(&ground, a).cost(&ground, b).is_some();
            assert_eq!(world.is_reachable(&PathQuery::new(a, b, profile)), reaches, "{a:?} to {b:?}");
        }
        let start = any_cell(rng, region);
        let cost_max = rng.int(0..2000) as u32;
        let distances = Distances::from(&ground, start);
        let near = region.cells().filter_map(|cell| Some((cell, distances.cost(&ground, cell)?)));
        let near: Vec<(Cell, Cost)> = near
            .filter(|&(_, cost)| cost <= u64::from(cost_max))
            .map(|(cell, cost)| (cell, Cost::from_units(cost as u32)))
            .collect();
        assert_eq!(world.cells_within(start, Cost::from_units(cost_max), &profile, &[]), near, "{start:?}");
        would_block(rng, &mut world, &body);
        edit(rng, &mut world);
    }
}

fn would_block(rng: &mut Rng, world: &mut World, body: &Body) {
    let profile = body.profile();
    let region = world.terrain().region();
    let (start, goal, rect) = (any_cell(rng, region), any_cell(rng, region), any_rect(rng, region));
    let reaches = |terrain: &Terrain| {
        let ground = Ground::new(terrain, body);
        Distances::from(&ground, start).cost(&ground, goal).is_some()
    };
    let mut without_own = world.terrain().clone();
    without_own.remove_obstacles_in(profile.footprint.at(start));
    let mut closed = without_own.clone();
    closed.fill_solid(rect.intersection(region), true);
    let blocks = reaches(&without_own) && !reaches(&closed);
    assert_eq!(
        !world.cut_off(rect, &[start], &[goal], &profile).is_empty(),
        blocks,
        "{rect:?}: {start:?} to {goal:?}"
    );
}
