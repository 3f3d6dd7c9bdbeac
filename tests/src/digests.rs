//! What must come out the same everywhere: paths, fields, influence, crowds, jumps and polygons, as hashes.
//! The same in debug and release builds, on any number of threads, on processors of any make and width.

use pathforge_core::clearance::ClearanceMetric;
use pathforge_core::field::{FieldBuilder, FlowField};
use pathforge_core::geometry::{Cell, CellRect, DiagonalMode};
use pathforge_core::influence::{Falloff, InfluenceMap, InfluenceSettings, SourceShape};
use pathforge_core::world::{ClearanceKey, GoalMode, PathQuery, SearchMode, World};
use pathforge_navmesh::{BakeSettings, Corner, PolygonSet, bake};
use pathforge_platformer::{JumpProfile, PlatformerQuery};

use crate::bodies::{Body, FOOTPRINTS};
use crate::halls::{Sizes, corridor, exit};
use crate::jumps::Jumps;
use crate::maps::{Ground, Walls, any_cell, caves, city, dress, maze, noise, rooms};
use crate::rng::Rng;

/// Steps of a crowd.
const CROWD_STEPS: u32 = 2000;
const WIDTH: i32 = 150;
const HEIGHT: i32 = 110;

/// A hash of what is told to it (FNV-1a, 64 bits).
struct Digest(u64);

impl Digest {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn tell(&mut self, bits: u64) {
        for byte in bits.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn tell_cell(&mut self, cell: Cell) {
        self.tell(u64::from(cell.x.cast_unsigned()) << 32 | u64::from(cell.y.cast_unsigned()));
    }

    fn tell_cells(&mut self, cells: &[Cell]) {
        self.tell(cells.len() as u64);
        for &cell in cells {
            self.tell_cell(cell);
        }
    }

    fn tell_numbers(&mut self, numbers: &[f32]) {
        for number in numbers {
            self.tell(u64::from(number.to_bits()));
        }
    }
}

/// Makes walls.
type Maker = fn(&mut Rng) -> Walls;

/// One line for each thing that is hashed: its name and its hash.
pub fn lines() -> Vec<String> {
    let kinds: [(&str, Maker); 5] = [
        ("noise", |rng| noise(rng, WIDTH, HEIGHT, 20)),
        ("rooms", |rng| rooms(rng, WIDTH, HEIGHT, 11)),
        ("caves", |rng| caves(rng, WIDTH, HEIGHT)),
        ("maze", |rng| maze(rng, WIDTH, HEIGHT, 3)),
        ("city", |rng| city(rng, WIDTH, HEIGHT)),
    ];
    let mut lines = Vec::new();
    let mut add = |name: &str, digest: &Digest| lines.push(format!("{name} {:016x}", digest.0));
    for (seed, (name, walls)) in (900..).zip(kinds) {
        for ground in [Ground::Plain, Ground::Both] {
            let mut rng = Rng::new(seed);
            let mut terrain = walls(&mut rng).into_terrain(Cell::new(-40, 7));
            dress(&mut rng, &mut terrain, ground);
            let mut world = World::from_terrain(terrain);
            let on = format!("{name}-{}", if ground == Ground::Plain { "plain" } else { "weighted" });
            add(&format!("paths-{on}"), &paths(&mut world, &mut rng, SearchMode::Optimal));
            add(&format!("hierarchy-{on}"), &paths(&mut world, &mut rng, SearchMode::Hierarchical));
            add(&format!("fields-{on}"), &fields(&mut world, &mut rng));
            add(&format!("clearance-{on}"), &clearance(&mut world));
        }
        add(&format!("influence-{name}"), &influence(&walls(&mut Rng::new(seed)), seed));
        add(&format!("jumps-{name}"), &jumps(&walls(&mut Rng::new(seed)), seed));
    }
    add("crowd-exit", &crowd(exit(1, Sizes::Mixed, 150)));
    add("crowd-corridor", &crowd(corridor(2, 6, 12, 60, Sizes::Mixed)));
    add("crowd-file", &crowd(corridor(3, 1, 6, 12, Sizes::Small)));
    add("polygons", &polygons());
    lines
}

fn paths(world: &mut World, rng: &mut Rng, search_mode: SearchMode) -> Digest {
    let mut digest = Digest::new();
    let region = world.terrain().region();
    let mut queries = Vec::new();
    for (w, h) in FOOTPRINTS {
        for mode in DiagonalMode::ALL {
            let profile = Body::new(w, h, mode).profile();
            for goal_mode in [GoalMode::Exact, GoalMode::Nearest] {
                let (start, goal) = (any_cell(rng, region), any_cell(rng, region));
                let start = world.nearest_fit(start, &profile, None).unwrap_or(start);
                let smoothing = rng.percent(50);
                let plain = PathQuery::new(start, goal, profile);
                queries.push(PathQuery { goal_mode, search_mode, smoothing, ..plain });
            }
        }
    }
    for (outcome, _) in world.find_paths(&queries, || 0) {
        digest.tell(outcome.cost.map_or(u64::MAX, |cost| u64::from(cost.units())));
        digest.tell(outcome.expanded as u64);
        digest.tell_cells(&outcome.route.cells());
        digest.tell_cells(outcome.smoothed.as_deref().unwrap_or_default());
    }
    digest
}

fn fields(world: &mut World, rng: &mut Rng) -> Digest {
    let mut digest = Digest::new();
    let region = world.terrain().region();
    for side in [1, 2, 3] {
        let profile = Body::new(side, side, DiagonalMode::default()).profile();
        let goals: Vec<Cell> = (0..3).map(|_| any_cell(rng, region)).collect();
        let goals = world.field_goals(&goals, GoalMode::Nearest, &profile);
        let source = world.field_source(&profile);
        let mut field = FlowField::default();
        FieldBuilder::default().build(source.ground(), &goals, None, &mut field);
        for cell in region.cells() {
            digest.tell(field.integration().cost(cell).map_or(u64::MAX, |cost| u64::from(cost.units())));
            digest.tell_cell(field.next_cell(cell).unwrap_or(Cell::new(i32::MAX, 0)));
            let at = [cell.x as f32 + 0.3, cell.y as f32 + 0.8];
            let [x, y] = field.sample(at);
            digest.tell_numbers(&[x, y]);
        }
    }
    digest
}

fn clearance(world: &mut World) -> Digest {
    let mut digest = Digest::new();
    for metric in [ClearanceMetric::True, ClearanceMetric::Brushfire] {
        let key = ClearanceKey::new(pathforge_core::terrain::Capability::ALL, metric, 255);
        world.clearance_map(key).data().iter().for_each(|&value| digest.tell(u64::from(value)));
    }
    digest
}

fn influence(walls: &Walls, seed: u64) -> Digest {
    let mut rng = Rng::new(seed);
    let terrain = walls.clone().into_terrain(Cell::new(5, -9));
    let (region, solid) = (terrain.region(), Some(terrain.solid()));
    let settings =
        InfluenceSettings { decay_per_second: 0.1, spread_per_second: 0.2, ..InfluenceSettings::default() };
    let mut map = InfluenceMap::new(region, settings);
    for _ in 0..12 {
        let falloff = rng.pick(&Falloff::ALL);
        let strength = rng.int(-80..80) as f32 * 0.37;
        let shape = SourceShape { strength, radius: rng.int(0..90) as f32 * 0.21, falloff };
        let around = if rng.percent(50) { solid } else { None };
        map.add_source(any_cell(&mut rng, region), shape, rng.percent(50), around);
        map.step(0.7, solid);
    }
    map.show();
    let mut digest = Digest::new();
    region.cells().for_each(|cell| digest.tell_numbers(&[map.value(cell)]));
    digest
}

fn jumps(walls: &Walls, seed: u64) -> Digest {
    let mut rng = Rng::new(seed);
    let mut terrain = walls.clone().into_terrain(Cell::new(0, 0));
    let region = terrain.region();
    for _ in 0..60 {
        let at = any_cell(&mut rng, region);
        terrain.fill_one_way(CellRect::new(at.x, at.y, rng.int(1..9), 1), true);
    }
    let mut jumps = Jumps::new(terrain);
    let mut digest = Digest::new();
    for (w, h, jump) in [(1, 1, 3), (2, 3, 4), (3, 1, 6)] {
        let profile = JumpProfile::new(w, h, jump).expect("a valid profile");
        // Bodies are told by their lowest cells here, and anchored at their highest.
        let rows = profile.footprint.h() - 1;
        let up = |cell: Cell| Cell::new(cell.x, cell.y - rows);
        for _ in 0..8 {
            let (start, goal) = (any_cell(&mut rng, region), any_cell(&mut rng, region));
            let query = PlatformerQuery {
                goal_on_ground: true,
                ..PlatformerQuery::new(up(start), up(goal), profile)
            };
            let outcome = jumps.find_path(&query);
            digest.tell(outcome.cost.map_or(u64::MAX, |cost| u64::from(cost.units())));
            let lowest = outcome.path.cells.iter().map(|cell| Cell::new(cell.x, cell.y + rows));
            digest.tell_cells(&lowest.collect::<Vec<_>>());
            outcome.path.jump_values.iter().for_each(|&value| digest.tell(u64::from(value)));
        }
    }
    digest
}

fn crowd(mut hall: crate::hall::Hall) -> Digest {
    let mut digest = Digest::new();
    for step in 1..=CROWD_STEPS {
        hall.step(1.0 / 60.0);
        if step % 100 == 0 {
            digest.tell(hall.crowd.state_hash());
        }
    }
    digest
}

fn polygons() -> Digest {
    let mut rng = Rng::new(950);
    let mut digest = Digest::new();
    for corner in [Corner::Box, Corner::Round] {
        let (mut floor, mut colliders) = (PolygonSet::new(), PolygonSet::new());
        for (x, y) in (0..24).flat_map(|y| (0..24).map(move |x| (f64::from(x) * 16.0, f64::from(y) * 16.0))) {
            floor.push(&[[x, y], [x + 16.0, y], [x + 16.0, y + 16.0], [x, y + 16.0]]).expect("a tile");
            if rng.percent(12) {
                let mut at = || [x + f64::from(rng.int(0..160)) * 0.1, y + f64::from(rng.int(0..160)) * 0.1];
                colliders.push(&[at(), at(), at(), at()]).expect("a collider");
            }
        }
        let settings = BakeSettings::new([5.0, 3.0], corner).expect("valid half-extents");
        let mesh = bake(&floor, &colliders, &settings);
        mesh.vertices().iter().for_each(|vertex| digest.tell_numbers(vertex));
        mesh.polygons().flatten().for_each(|&corner| digest.tell(u64::from(corner)));
    }
    digest
}

/// The lines that `committed` does not hold in the same place.
pub fn differing(lines: &[String], committed: &str) -> Vec<String> {
    let mut committed: Vec<&str> = committed.lines().collect();
    committed.resize(committed.len().max(lines.len()), "");
    let here = lines.iter().map(String::as_str).chain(std::iter::repeat(""));
    let pairs = here.zip(committed).filter(|(here, committed)| here != committed);
    pairs.map(|(here, committed)| format!("`{here}`, committed `{committed}`")).collect()
}
