//! The hot loops one by one, for engineers who change them: `cargo bench -p pathforge-bench [FILTER]`. Where
//! a loop is about cells or expansions, the throughput counts them.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box, black_box_drop};
use pathforge_bench::levels::{levels, queries};
use pathforge_bench::maps::{caves, noise, random_trips, rooms, weighted};
use pathforge_bench::{Scene, maps};
use pathforge_core::bitgrid::LocalRect;
use pathforge_core::clearance::{ClearanceMap, ClearanceMetric};
use pathforge_core::connectivity::Components;
use pathforge_core::field::{FieldBuilder, FlowField};
use pathforge_core::geometry::{Cell, CellRect, DiagonalMode, Footprint};
use pathforge_core::passability::{Placements, open_grid};
use pathforge_core::terrain::{Capability, Terrain};
use pathforge_core::testing::{Derived, JumpMap, Transpose};
use pathforge_core::world::{PathQuery, Profile, World};
use pathforge_platformer::{JumpProfile, PlatformerQuery};
use pathforge_tests::jumps::Jumps;

const SIDE: i32 = 1024;
const CELLS: usize = (SIDE * SIDE) as usize;

fn main() {
    divan::main();
}

/// A map by the name that a benchmark has for it.
fn map(name: &str) -> Terrain {
    match name {
        "rooms" => rooms(SIDE, 1),
        "caves" => caves(SIDE, 2),
        "noise" => noise(SIDE, 20, 3),
        "rooms, weights" => weighted(rooms(SIDE, 1), 5),
        name => weighted(caves(SIDE, 2), name.len() as u64),
    }
}

/// All trips of a map, counted in expansions.
fn search(bencher: Bencher, name: &str) {
    let maps::Scenario { terrain, queries, .. } = random_trips(name, map(name));
    let mut world = World::from_terrain(terrain);
    let trips =
        queries.iter().take(40).map(|&(start, goal, _)| PathQuery::new(start, goal, Profile::default()));
    let trips: Vec<PathQuery> = trips.collect();
    let expanded: usize = trips.iter().map(|query| world.find_path(query).expanded as usize).sum();
    bencher
        .counter(ItemsCount::new(expanded))
        .bench_local(|| trips.iter().for_each(|query| black_box_drop(world.find_path(query))));
}

#[divan::bench(args = ["rooms", "caves", "noise"], sample_count = 20)]
fn jump_point_search(bencher: Bencher, name: &str) {
    search(bencher, name);
}

#[divan::bench(args = ["rooms, weights", "caves, weights"], sample_count = 5)]
fn weighted_search(bencher: Bencher, name: &str) {
    search(bencher, name);
}

mod layers {
    use super::{
        Bencher, CELLS, Capability, ClearanceMap, ClearanceMetric, Components, Derived, DiagonalMode,
        Footprint, ItemsCount, JumpMap, LocalRect, Placements, Transpose, black_box, map, open_grid,
    };

    #[divan::bench(args = [(2, 2), (7, 5), (32, 32)])]
    fn erosion(bencher: Bencher, (w, h): (i64, i64)) {
        let open = open_grid(&map("rooms"), Capability::ALL);
        let footprint = Footprint::new(w, h).expect("valid");
        bencher.counter(ItemsCount::new(CELLS)).bench_local(|| open.eroded(footprint));
    }

    #[divan::bench]
    fn transpose(bencher: Bencher) {
        let open = open_grid(&map("rooms"), Capability::ALL);
        bencher.counter(ItemsCount::new(CELLS)).bench_local(|| open.transposed());
    }

    #[divan::bench(args = ["rooms", "noise"])]
    fn stop_bits(bencher: Bencher, name: &str) {
        let open = Placements::from(open_grid(&map(name), Capability::ALL));
        let transpose = Transpose::build(&open, ());
        let mode = DiagonalMode::default();
        bencher
            .counter(ItemsCount::new(CELLS))
            .bench_local(|| JumpMap::build((&open, &transpose, None), mode));
    }

    #[divan::bench(args = ["rooms", "noise"])]
    fn components(bencher: Bencher, name: &str) {
        let open = Placements::from(open_grid(&map(name), Capability::ALL));
        bencher.counter(ItemsCount::new(CELLS)).bench_local(|| Components::build(&open, true));
    }

    #[divan::bench(args = ["rooms", "noise"])]
    fn components_repair(bencher: Bencher, name: &str) {
        let open = Placements::from(open_grid(&map(name), Capability::ALL));
        let mut components = Components::build(&open, true);
        let rect = LocalRect { x0: 500, y0: 500, x1: 501, y1: 503 };
        bencher.bench_local(|| components.repair_in(&open, true, black_box(rect)));
    }

    #[divan::bench(args = ["rooms", "noise"])]
    fn clearance(bencher: Bencher, name: &str) {
        let open = Placements::from(open_grid(&map(name), Capability::ALL));
        let metric = ClearanceMetric::True;
        bencher.counter(ItemsCount::new(CELLS)).bench_local(|| ClearanceMap::build(&open, (metric, 255)));
    }
}

mod field {
    use super::{
        Bencher, Cell, CellRect, FieldBuilder, FlowField, ItemsCount, Profile, SIDE, World, black_box, map,
        maps,
    };

    /// A world, and a goal near its middle.
    fn world_and_goal(name: &str) -> (World, Cell) {
        let mut world = World::from_terrain(map(name));
        let middle = Cell::new(SIDE / 2, SIDE / 2);
        let goal = world.nearest_fit(middle, &Profile::default(), None).expect("the map has room");
        (world, goal)
    }

    #[divan::bench(args = ["rooms", "caves", "noise", "rooms, weights", "caves, weights"], sample_count = 10)]
    fn build(bencher: Bencher, name: &str) {
        let (mut world, goal) = world_and_goal(name);
        let source = world.field_source(&Profile::default());
        let (mut builder, mut field) = (FieldBuilder::default(), FlowField::default());
        builder.build(source.ground(), &[goal], None, &mut field);
        let reached = field.integration().reached() as usize;
        bencher
            .counter(ItemsCount::new(reached))
            .bench_local(|| builder.build(source.ground(), &[goal], None, &mut field));
    }

    /// A wall of 8×8 goes up, and down again.
    #[divan::bench(args = ["rooms", "caves", "rooms, weights"], sample_count = 50)]
    fn repair(bencher: Bencher, name: &str) {
        let (mut world, goal) = world_and_goal(name);
        let profile = Profile::default();
        let source = world.field_source(&profile);
        let (mut builder, mut field) = (FieldBuilder::default(), FlowField::default());
        builder.build(source.ground(), &[goal], None, &mut field);
        let at = CellRect::new(goal.x + 200, goal.y + 200, 8, 8);
        world.terrain_mut().fill_solid(at, true);
        let changes = world.anchors_changed_since(source.version(), &profile).unwrap_or_default();
        let walled = world.field_source(&profile);
        bencher.bench_local(|| {
            for source in [&walled, &source] {
                if builder.repair(source.ground(), &changes, &[goal], &mut field).is_none() {
                    builder.build(source.ground(), &[goal], None, &mut field);
                }
            }
        });
    }

    #[divan::bench(args = ["rooms", "caves", "noise"])]
    fn sample(bencher: Bencher, name: &str) {
        let (mut world, goal) = world_and_goal(name);
        let source = world.field_source(&Profile::default());
        let mut field = FlowField::default();
        FieldBuilder::default().build(source.ground(), &[goal], None, &mut field);
        let mut random = maps::Random::new(9);
        let mut places: Vec<[f32; 2]> = (0..10_000)
            .map(|_| random.cell(SIDE))
            .map(|cell| [cell.x as f32 + 0.3, cell.y as f32 - 0.2])
            .collect();
        places.sort_by_key(|[x, y]| (*y as u32 / 4, *x as u32 / 4));
        let mut directions = vec![[0.0; 2]; places.len()];
        bencher
            .counter(ItemsCount::new(places.len()))
            .bench_local(|| field.sample_batch(black_box(&places), &mut directions));
    }
}

#[divan::bench(args = [1_000, 10_000], sample_count = 30)]
fn crowd_step(bencher: Bencher, agents: usize) {
    let mut scene = Scene::new(agents);
    (0..30).for_each(|_| scene.step());
    bencher.counter(ItemsCount::new(scene.crowd.len())).bench_local(|| scene.step());
}

/// Bodies of 1×1 and 4×3 on one level, counted in states.
#[divan::bench(args = [(1, 1), (4, 3)], sample_count = 10)]
fn jumping(bencher: Bencher, (w, h): (i64, i64)) {
    let [level, ..] = levels(3);
    let profile = JumpProfile::new(w, h, 4).expect("a valid profile");
    let query = PlatformerQuery::new(Cell::default(), Cell::default(), profile);
    let mut jumps = Jumps::new(level.map);
    let queries = queries(&mut jumps, &query, 20);
    let expanded: usize = queries.iter().map(|query| jumps.find_path(query).expanded as usize).sum();
    bencher
        .counter(ItemsCount::new(expanded))
        .bench_local(|| queries.iter().for_each(|query| black_box_drop(jumps.find_path(query))));
}
