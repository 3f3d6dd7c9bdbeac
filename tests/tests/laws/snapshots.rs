//! A snapshot is what the world was, whatever is edited since; and a world that shares pages with snapshots
//! answers as a new one. The maps are so large that what is known of them takes many pages.

use pathforge_core::geometry::{Cell, CellRect, DiagonalMode};
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{PathOutcome, PathQuery, Profile, SearchMode, World};
use pathforge_tests::bodies::footprint;
use pathforge_tests::edits::{Wildness, any_edit};
use pathforge_tests::maps::{Ground, any_cell, any_map_of};
use pathforge_tests::rng::{Rng, seeds};

fn profiles() -> [Profile; 3] {
    let large = Profile { footprint: footprint(3, 2), ..Profile::default() };
    [Profile::default(), large, Profile { diagonal_mode: DiagonalMode::Always, ..large }]
}

/// What a world says of trips, by every engine, and of the placements.
fn answers(world: &mut World, trips: &[(Cell, Cell)]) -> (Vec<PathOutcome>, Vec<Vec<u8>>) {
    let mut outcomes = Vec::new();
    let mut moves = Vec::new();
    for profile in profiles() {
        for &(start, goal) in trips {
            for search_mode in [SearchMode::Optimal, SearchMode::Hierarchical] {
                let query = PathQuery { search_mode, ..PathQuery::new(start, goal, profile) };
                outcomes.push(world.find_path(&query));
            }
            outcomes.push(world.shortest_path(&PathQuery::new(start, goal, profile)));
        }
        let source = world.field_source(&profile);
        let (placements, region) = (source.placements(), source.region());
        let fits = |cell: Cell| {
            let (x, y) = ((cell.x - region.x) as u32, (cell.y - region.y) as u32);
            u8::from(placements.at(x, y))
        };
        moves.push(region.cells().map(fits).collect());
    }
    (outcomes, moves)
}

fn trips(rng: &mut Rng, world: &mut World) -> Vec<(Cell, Cell)> {
    let region = world.terrain().region();
    let mut place =
        |profile: &Profile| world.nearest_fit(any_cell(rng, region), profile, None).unwrap_or_default();
    let large = profiles()[1];
    (0..3).map(|_| (place(&large), place(&large))).collect()
}

fn live(seed: u64, ground: Ground) {
    let mut rng = Rng::new(seed);
    let map = any_map_of(&mut rng, 700, 420, ground);
    let mut world = World::from_terrain(map);
    let mut held = Vec::new();
    for _ in 0..5 {
        let trips = trips(&mut rng, &mut world);
        let mut fresh = World::from_terrain(Terrain::from_bytes(&world.terrain().to_bytes()).expect("a map"));
        let known = answers(&mut fresh, &trips);
        assert!(answers(&mut world, &trips) == known, "seed {seed}: repaired differs from rebuilt");
        held.push((world.snapshot(), world.terrain().state_hash(), trips, known));
        for _ in 0..8 {
            any_edit(&mut rng, world.terrain(), Wildness::Any).apply(world.terrain_mut());
            world.is_reachable(&PathQuery::new(Cell::default(), Cell::default(), profiles()[0]));
        }
        for (snapshot, hash, trips, known) in &mut held {
            assert_eq!(
                snapshot.terrain().state_hash(),
                *hash,
                "seed {seed}: a snapshot's cells have changed"
            );
            assert!(answers(snapshot, trips) == *known, "seed {seed}: a snapshot's answers have changed");
        }
    }
    // It holds in both directions: what is done to a snapshot is nothing to the world.
    let hash = world.terrain().state_hash();
    let (mut snapshot, ..) = held.remove(0);
    snapshot.terrain_mut().fill_solid(CellRect::new(-100_000, -100_000, 300_000, 300_000), true);
    assert_eq!(world.terrain().state_hash(), hash);
}

#[test]
fn snapshots_stay_and_worlds_go_on() {
    for seed in seeds(79, 1) {
        live(seed, Ground::Plain);
        live(seed, Ground::Both);
    }
}
