//! How much dearer paths over clusters are than cheapest ones.

use pathforge_core::geometry::{Cell, DiagonalMode};
use pathforge_core::passability::TerrainCosts;
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{Engine, PathOutcome, PathQuery, Profile, SearchMode, World};
use pathforge_tests::bodies::{any_body, footprint};
use pathforge_tests::check::Expectation;
use pathforge_tests::maps::{self, Ground, any_cell, any_ground, any_map_of};
use pathforge_tests::rng::{Rng, seeds};
use pathforge_tests::scenario;

/// What is promised of the mean, and of every path on real maps.
const MEAN_MAX: f64 = 1.02;
const WORST_MAX: f64 = 1.10;
/// Short paths between weights that change from cell to cell vary more.
const WORST_WEIGHTED_MAX: f64 = 1.25;
/// On small maps, as a random search over 12,000 of them found: `docs/limits.md` has these.
const WORST_SMALL_MAX: f64 = 1.11;
const WORST_SMALL_WEIGHTED_MAX: f64 = 1.56;

/// Cost over least cost of each trip that there is a path for.
fn ratios(world: &mut World, profile: &Profile, trips: impl Iterator<Item = (Cell, Cell)>) -> Vec<f64> {
    let mut ratios = Vec::new();
    let mut over_clusters = 0;
    for (start, goal) in trips {
        let mut placement = |cell| world.nearest_fit(cell, profile, None).unwrap_or(cell);
        let query = PathQuery::new(placement(start), placement(goal), *profile);
        let best = world.find_path(&query);
        let found = world.find_path(&PathQuery { search_mode: SearchMode::Hierarchical, ..query.clone() });
        let units = |outcome: &PathOutcome| outcome.cost.map(|cost| f64::from(cost.units()));
        assert_eq!(best.status, found.status, "{query:?}");
        over_clusters += u32::from(found.engine == Engine::Haa);
        if let (Some(best), Some(found)) = (units(&best), units(&found)) {
            ratios.push(if best == 0.0 { 1.0 } else { found / best });
        }
    }
    println!("{} paths, {over_clusters} over clusters", ratios.len());
    ratios
}

fn assert_good(ratios: &[f64], worst_max: f64, label: &str) {
    if ratios.is_empty() {
        return;
    }
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    let worst = ratios.iter().copied().fold(0.0, f64::max);
    println!("{label}: mean {mean:.4}, worst {worst:.4}");
    assert!(mean <= MEAN_MAX, "{label}: the mean is {mean}");
    assert!(worst <= worst_max, "{label}: the worst is {worst}");
}

/// Every map of the folder, sides 1 to 3.
#[test]
fn paths_on_real_maps_are_nearly_cheapest() {
    let Some(folder) = scenario::folder() else {
        println!("skipped: no folder with maps, see {}", scenario::FOLDER_VARIABLE);
        return;
    };
    for name in scenario::map_names(&folder).expect("a readable folder") {
        let read =
            |end: &str| std::fs::read_to_string(folder.join(format!("{name}{end}"))).expect("readable");
        let terrain = Terrain::from_text(&read(".map"), Cell::default()).expect("a Moving AI map");
        let scenarios = scenario::parse(&read(".map.scen")).expect("scenarios");
        for side in 1..=3 {
            let profile = Profile { footprint: footprint(side, side), ..Profile::default() };
            let mut world = World::from_terrain(terrain.clone());
            let trips = scenarios.iter().map(|s| (s.start, s.goal));
            assert_good(&ratios(&mut world, &profile, trips), WORST_MAX, &format!("{name}, side {side}"));
        }
    }
}

#[test]
fn paths_over_weights_and_terrains_are_nearly_cheapest() {
    for seed in seeds(63, 4) {
        let mut rng = Rng::new(seed);
        let rng = &mut rng;
        let side = 400;
        let kinds = [
            ("caves", maps::caves(rng, side, side)),
            ("rooms", maps::rooms(rng, side, side, 24)),
            ("city", maps::city(rng, side, side)),
            ("maze", maps::maze(rng, side, side, 4)),
        ];
        for (name, walls) in kinds {
            let mut terrain = walls.into_terrain(Cell::default());
            maps::dress(rng, &mut terrain, Ground::Both);
            let mut world = World::from_terrain(terrain);
            for side in 1..=3 {
                let profile = Profile {
                    footprint: footprint(side, side),
                    terrain_costs: TerrainCosts::new(&[1.0, 3.0]).expect("valid"),
                    diagonal_mode: rng.pick(&DiagonalMode::ALL),
                    ..Profile::default()
                };
                let trips: Vec<_> = (0..60)
                    .map(|_| {
                        (any_cell(rng, world.terrain().region()), any_cell(rng, world.terrain().region()))
                    })
                    .collect();
                let found = ratios(&mut world, &profile, trips.into_iter());
                assert_good(
                    &found,
                    WORST_WEIGHTED_MAX,
                    &format!("seed {seed}, {name}, side {side}, {:?}", profile.diagonal_mode),
                );
            }
        }
    }
}

/// Small maps of all kinds, where all that a search over clusters leaves out may meet on one path.
#[test]
fn paths_on_small_maps_are_nearly_cheapest() {
    let mut found = [Vec::new(), Vec::new()];
    for seed in seeds(64, 150) {
        let mut rng = Rng::new(seed);
        let ground = any_ground(&mut rng);
        let (w, h) = (rng.int(34..200), rng.int(34..200));
        let terrain = any_map_of(&mut rng, w, h, ground);
        let body = any_body(&mut rng, true);
        let expected = Expectation::new(&terrain, &body, any_cell(&mut rng, terrain.region()));
        let placements: Vec<Cell> = expected.ground().placements().collect();
        if placements.is_empty() {
            continue;
        }
        let trips: Vec<_> = (0..40).map(|_| (rng.pick(&placements), rng.pick(&placements))).collect();
        let is_uniform = usize::from(!expected.ground().is_uniform());
        let mut world = World::from_terrain(terrain);
        found[is_uniform].extend(ratios(&mut world, &body.profile(), trips.into_iter()));
    }
    assert!(found.iter().all(|ratios| ratios.len() > 300), "enough paths");
    assert_good(&found[0], WORST_SMALL_MAX, "uniform");
    assert_good(&found[1], WORST_SMALL_WEIGHTED_MAX, "weighted");
}
