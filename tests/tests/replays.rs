//! Every scenario of the Moving AI maps, where they are at hand: the cost is the known optimum, every step is
//! legal.

use std::fs;

use pathforge_core::geometry::{Cell, DiagonalMode};
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{GoalMode, Status, World};
use pathforge_tests::bodies::{Body, FOOTPRINTS};
use pathforge_tests::check::{Expectation, Trip, walk};
use pathforge_tests::oracle::Ground;
use pathforge_tests::rng::Rng;
use pathforge_tests::scenario::{self, Scenario};

/// The maps that the project is measured on; each has a test of its own, so that they run side by side.
const KNOWN: [&str; 9] = [
    "32room_000",
    "AR0011SR",
    "Aftershock",
    "Berlin_0_1024",
    "arena2",
    "brc202d",
    "maze512-8-0",
    "orz900d",
    "random512-25-0",
];

fn load(name: &str) -> Option<(Terrain, Vec<Scenario>)> {
    let Some(folder) = scenario::folder() else {
        println!("skipped: no folder with maps, see {}", scenario::FOLDER_VARIABLE);
        return None;
    };
    let read = |end: &str| fs::read_to_string(folder.join(format!("{name}{end}"))).ok();
    let (Some(map), Some(scenarios)) = (read(".map"), read(".map.scen")) else {
        println!("skipped: there is no map {name} in the folder");
        return None;
    };
    let terrain = Terrain::from_text(&map, Cell::default()).expect("a Moving AI map");
    Some((terrain, scenario::parse(&scenarios).expect("Moving AI scenarios")))
}

fn replay(name: &str) {
    let Some((terrain, scenarios)) = load(name) else { return };
    let body = Body::new(1, 1, DiagonalMode::OnlyIfNoObstacles);
    let ground = Ground::new(&terrain, &body);
    let mut world = World::from_terrain(terrain);
    assert!(scenarios.len() >= 100, "{name}: too few scenarios");
    for scenario in scenarios {
        let Scenario { start, goal, length } = scenario;
        let outcome = world.find_path(&Trip { start, goal, goal_mode: GoalMode::Exact }.query(&body));
        assert_eq!(outcome.status, Status::Complete, "{name}: {scenario:?}");
        let cells = outcome.route.cells();
        let walked = walk(&ground, start, &cells).unwrap_or_else(|why| panic!("{name}: {scenario:?}: {why}"));
        assert_eq!(cells.last(), Some(&goal), "{name}: {scenario:?}");
        assert_eq!(outcome.cost.map(|c| u64::from(c.units())), Some(walked), "{name}: {scenario:?}");
        let diagonals = cells.windows(2).filter(|w| w[0].x != w[1].x && w[0].y != w[1].y).count();
        let exact = (cells.len() - 1 - diagonals) as f64 + diagonals as f64 * std::f64::consts::SQRT_2;
        let in_units = walked as f64 / 70.0;
        for given in [exact, in_units] {
            assert!((given - length).abs() <= 0.001 * length + 1e-6, "{name}: {scenario:?}: {given}");
        }
    }
}

macro_rules! replays {
    ($($test:ident: $place:literal;)*) => {
        $(#[test]
        fn $test() {
            replay(KNOWN[$place]);
        })*
    };
}

replays! {
    room_32: 0;
    baldurs_gate_ar0011sr: 1;
    starcraft_aftershock: 2;
    berlin_1024: 3;
    dragon_age_arena2: 4;
    dragon_age_brc202d: 5;
    maze_512_8: 6;
    dragon_age_orz900d: 7;
    random_512_25: 8;
}

#[test]
fn maps_that_somebody_added() {
    let Some(folder) = scenario::folder() else { return };
    for name in scenario::map_names(&folder).expect("a readable folder") {
        if !KNOWN.contains(&name.as_str()) {
            replay(&name);
        }
    }
}

/// Every promised footprint on a real map, in every mode, against the oracle.
#[test]
fn every_promised_footprint_on_a_real_map() {
    let Some((terrain, scenarios)) = load("arena2") else { return };
    let mut rng = Rng::new(4);
    for (w, h) in FOOTPRINTS {
        for mode in DiagonalMode::ALL {
            let body = Body::new(w, h, mode);
            let mut world = World::from_terrain(terrain.clone());
            let placements: Vec<Cell> = Ground::new(&terrain, &body).placements().collect();
            let start = rng.pick(&placements);
            let expected = Expectation::new(&terrain, &body, start);
            for goal in scenarios.iter().step_by(12).map(|s| s.goal) {
                let trip = Trip { start, goal, goal_mode: rng.pick(&[GoalMode::Cover, GoalMode::Nearest]) };
                let outcome = world.find_path(&trip.query(&body));
                let label = format!("{w}x{h}, {mode:?}, {trip:?}");
                if let Err(why) = expected.verify(&terrain, &body, trip, &outcome) {
                    panic!("{label}: {why}");
                }
            }
        }
    }
}
