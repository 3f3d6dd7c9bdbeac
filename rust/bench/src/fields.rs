//! Integration and flow fields: builds, repairs, samples.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::time::Instant;

use pathforge_core::field::{FieldBuilder, FlowField};
use pathforge_core::geometry::{Cell, CellRect, DiagonalMode, Direction};
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{FieldSource, Profile, World};

use crate::goals;
use crate::maps::{Random, caves, game_like, moving_ai, noise, rooms, weighted};
use crate::measure::{Samples, geometric_mean, in_turns};
use crate::options::Options;
use crate::report::{Report, Table};

const SIDE: i32 = 1024;

/// What is asked of a map.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Rooms, caves, mazes, cities and maps of games.
    Game,
    /// Single blocked cells.
    Noise,
    /// Ground that costs more here and less there.
    Weighted,
}

struct Map {
    name: String,
    kind: Kind,
    terrain: Terrain,
}

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let maps = maps(options);
    let mut table = Table::new(
        "Fields: costs, directions and lines of sight",
        "One goal in the middle, one thread; beside Dijkstra's algorithm on a binary heap with a pass for directions. Every \
         cost equals the heap's.",
        "map",
    );
    let mut ratios = Vec::new();
    for map in &maps {
        let ratio = build(map, options, &mut table, report);
        ratios.extend((map.kind == Kind::Game).then_some(ratio));
    }
    let mean = geometric_mean(&ratios);
    table.row("**geometric mean, game-like**").ratio("×", mean);
    report.add(table);
    report.reach(&goals::FIELD_HEAP, "geometric mean", mean);

    let mut table = Table::new(
        "Fields: a wall of 8×8 goes up or down",
        "The field alone, layers repaired already; and the worst as a part of a build of the same field.",
        "map",
    );
    let large = |map: &&Map| map.terrain.region().w >= SIDE || map.name.starts_with("maze");
    for map in maps.iter().filter(large) {
        repairs(map, options, &mut table, report);
    }
    report.add(table);

    let mut table = Table::new("Fields: 100,000 samples, blended", "One thread, sorted by place.", "map");
    for map in maps.iter().filter(|map| map.terrain.region().w == SIDE) {
        samples(map, options, &mut table, report);
    }
    report.add(table);
}

fn maps(options: &Options) -> Vec<Map> {
    let map = |name: &str, kind, terrain| Map { name: name.into(), kind, terrain };
    let mut maps: Vec<_> = game_like().map(|(name, terrain)| map(name, Kind::Game, terrain)).into();
    maps.retain(|map| !map.name.starts_with("noise"));
    maps.push(map("rooms 256²", Kind::Game, rooms(256, 1)));
    maps.push(map("caves 256²", Kind::Game, caves(256, 2)));
    for scenario in options.maps.as_deref().map_or_else(Vec::new, moving_ai) {
        let kind = if scenario.name.starts_with("random") { Kind::Noise } else { Kind::Game };
        maps.push(map(&scenario.name, kind, scenario.terrain));
    }
    maps.push(map("noise 20 %", Kind::Noise, noise(SIDE, 20, 3)));
    maps.push(map("rooms, weights", Kind::Weighted, weighted(rooms(SIDE, 1), 5)));
    maps.push(map("caves, weights", Kind::Weighted, weighted(caves(SIDE, 2), 6)));
    maps
}

fn source_and_goal(map: &Terrain) -> (World, FieldSource, Cell) {
    let mut world = World::from_terrain(map.clone());
    let region = map.region();
    let middle = Cell::new(region.x + region.w / 2, region.y + region.h / 2);
    let profile = Profile::default();
    let goal = world.nearest_fit(middle, &profile, None).expect("the map has room");
    let source = world.field_source(&profile);
    (world, source, goal)
}

fn build(map: &Map, options: &Options, table: &mut Table, report: &mut Report) -> f64 {
    let Map { name, kind, terrain: map } = map;
    let (_, source, goal) = source_and_goal(map);
    let plain = PlainMap::new(map);
    let (mut builder, mut field) = (FieldBuilder::default(), FlowField::default());
    let mut peer = PlainField::default();
    let times = in_turns(
        options.rounds(),
        &mut [&mut || builder.build(source.ground(), &[goal], None, black_box(&mut field)), &mut || {
            plain.flood(goal, black_box(&mut peer));
        }],
    );
    let reached = field.integration().reached();
    let same = map.region().cells().all(|cell| {
        field.integration().cost(cell).map_or(u32::MAX, pathforge_core::cost::Cost::units)
            == peer.costs[plain.place(cell)]
    });
    assert!(same, "{name}: both floods must agree");
    let ratio = times[1].median() / times[0].median();
    let ns = times[0].median() * 1e9 / reached as f64;
    table
        .row(name)
        .count("reached cells", reached as usize)
        .samples("PathForge", &times[0].times(1e3), "ms")
        .number("a cell", ns, "ns")
        .samples("heap", &times[1].times(1e3), "ms")
        .ratio("×", ratio);
    match kind {
        // Small maps stay in the caches; what is asked of them is a time.
        Kind::Game if name.ends_with("256²") => {
            report.reach(&goals::FIELD_256, name, times[0].median() * 1e3);
        }
        Kind::Game => report.reach(&goals::FIELD_PLAIN, name, ns),
        Kind::Noise | Kind::Weighted => report.reach(&goals::FIELD_ROUGH, name, ns),
    }
    ratio
}

fn repairs(map: &Map, options: &Options, table: &mut Table, report: &mut Report) {
    let Map { name, kind, terrain: map } = map;
    let (mut world, mut source, goal) = source_and_goal(map);
    let profile = Profile::default();
    let (mut builder, mut field) = (FieldBuilder::default(), FlowField::default());
    builder.build(source.ground(), &[goal], None, &mut field);
    let mut spare = FlowField::default();
    let mut build = || builder.build(source.ground(), &[goal], None, black_box(&mut spare));
    let whole = Samples::new((0..9).map(|_| seconds(&mut build) * 1e6).collect()).median();
    let region = map.region();
    let mut random = Random::new(77);
    let (mut times, mut worst) = (Vec::new(), 0.0_f64);
    for _ in 0..if options.quick { 40 } else { 120 } {
        let [x, y] = [region.w, region.h].map(|side| random.below(side as u32 - 8) as i32);
        let wall = CellRect::new(region.x + x, region.y + y, 8, 8);
        if wall.contains(goal) {
            continue;
        }
        let before: Vec<bool> = wall.cells().map(|cell| world.terrain().is_solid(cell)).collect();
        for up in [true, false] {
            set_wall(&mut world, wall, up, &before);
            let changes = world.anchors_changed_since(source.version(), &profile);
            drop(source);
            source = world.field_source(&profile);
            let changes = changes.unwrap_or_else(|| vec![map.layout().all()]);
            let before = field.clone();
            let update = |builder: &mut FieldBuilder, field: &mut FlowField| {
                seconds(|| {
                    let change = builder.repair(source.ground(), &changes, &[goal], field);
                    if black_box(change).is_none() {
                        builder.build(source.ground(), &[goal], None, field);
                    }
                })
            };
            let mut time = update(&mut builder, &mut field);
            times.push(time * 1e6);
            if time * 1e6 > whole / 2.0 {
                // The least of many, so that other programs disturb it little; each with a copy, which
                // empties the caches for both.
                let mut build = f64::INFINITY;
                for _ in 0..12 {
                    time = time.min(update(&mut builder, &mut before.clone()));
                    let mut other = before.clone();
                    build = build.min(seconds(|| {
                        builder.build(source.ground(), &[goal], None, black_box(&mut other));
                    }));
                }
                worst = worst.max(time / build);
            }
        }
    }
    let times = Samples::new(times);
    if *kind != Kind::Noise {
        report.reach(&goals::FIELD_REPAIR, name, times.median());
    }
    report.reach(&goals::FIELD_WORST_REPAIR, name, worst);
    table
        .row(name)
        .samples("repair", &times, "µs")
        .number("p90", times.percentile(90), "µs")
        .number("build", whole, "µs")
        .number("worst / build", worst, "");
}

/// Builds a wall in one edit, or restores the cells `before` it one by one.
fn set_wall(world: &mut World, wall: CellRect, up: bool, before: &[bool]) {
    if up {
        world.terrain_mut().fill_solid(wall, true);
        return;
    }
    for (cell, &solid) in wall.cells().zip(before) {
        world.terrain_mut().fill_solid(CellRect::cell(cell), solid);
    }
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn samples(map: &Map, options: &Options, table: &mut Table, report: &mut Report) {
    const COUNT: usize = 100_000;
    let Map { name, terrain: map, .. } = map;
    let (_, source, goal) = source_and_goal(map);
    let mut field = FlowField::default();
    FieldBuilder::default().build(source.ground(), &[goal], None, &mut field);
    let mut random = Random::new(9);
    let region = map.region();
    let mut places = Vec::with_capacity(COUNT);
    while places.len() < COUNT {
        let (x, y) = (random.below(region.w as u32), random.below(region.h as u32));
        if field.integration().cost(Cell::new(region.x + x as i32, region.y + y as i32)).is_some() {
            let part = |random: &mut Random| random.below(1000) as f32 / 1000.0 - 0.5;
            places.push([x as f32 + part(&mut random), y as f32 + part(&mut random)]);
        }
    }
    // Sorted by place, as crowds keep their agents.
    places.sort_by_key(|[x, y]| (*y as u32 / 4, *x as u32 / 4));
    let mut directions = vec![[0.0; 2]; COUNT];
    let times = in_turns(
        options.rounds() * 5,
        &mut [&mut || field.sample_batch(black_box(&places), black_box(&mut directions))],
    );
    let ms = times[0].times(1e3);
    table.row(name).samples("100,000 samples", &ms, "ms").number(
        "each",
        ms.median() * 1e6 / COUNT as f64,
        "ns",
    );
    report.reach(&goals::FIELD_SAMPLES, name, ms.median());
}

/// Costs and directions as anybody would make them.
#[derive(Default)]
struct PlainField {
    costs: Vec<u32>,
    directions: Vec<u8>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
}

/// A map with a border of one cell.
struct PlainMap {
    region: CellRect,
    stride: usize,
    open: Vec<bool>,
    /// Units of a straight and of a diagonal step to each cell.
    steps: Vec<[u32; 2]>,
    offsets: [isize; 8],
}

impl PlainMap {
    fn new(map: &Terrain) -> Self {
        let region = map.region();
        let stride = region.w as usize + 2;
        let mut plain = Self {
            region,
            stride,
            open: vec![false; stride * (region.h as usize + 2)],
            steps: vec![[0; 2]; stride * (region.h as usize + 2)],
            offsets: Direction::ALL.map(|d| d.dy() as isize * stride as isize + d.dx() as isize),
        };
        for cell in region.cells() {
            let place = plain.place(cell);
            plain.open[place] = !map.is_solid(cell);
            plain.steps[place] = pathforge_tests::oracle::step_units(f64::from(map.weight(cell))).into();
        }
        plain
    }

    fn place(&self, cell: Cell) -> usize {
        (cell.y - self.region.y + 1) as usize * self.stride + (cell.x - self.region.x + 1) as usize
    }

    fn flood(&self, goal: Cell, field: &mut PlainField) {
        field.costs.clear();
        field.costs.resize(self.open.len(), u32::MAX);
        field.directions.clear();
        field.directions.resize(self.open.len(), 15);
        let goal = self.place(goal);
        field.costs[goal] = 0;
        field.heap.push(Reverse((0, goal as u32)));
        while let Some(Reverse((cost, at))) = field.heap.pop() {
            let at = at as usize;
            if cost > field.costs[at] {
                continue;
            }
            for (number, &offset) in self.offsets.iter().enumerate() {
                let to = at.wrapping_add_signed(offset);
                let sum = cost + self.steps[at][number % 2];
                if self.is_legal(at, number) && sum < field.costs[to] {
                    field.costs[to] = sum;
                    field.heap.push(Reverse((sum, to as u32)));
                }
            }
        }
        for at in 0..self.open.len() {
            if field.costs[at] == u32::MAX || at == goal {
                continue;
            }
            let leads_on = |number: &usize| {
                let to = at.wrapping_add_signed(self.offsets[*number]);
                self.is_legal(at, *number)
                    && field.costs[to].saturating_add(self.steps[to][number % 2]) == field.costs[at]
            };
            field.directions[at] = (0..8).find(leads_on).unwrap_or(15) as u8;
        }
    }

    /// Returns `true` if a step is legal that cuts no corner.
    fn is_legal(&self, at: usize, number: usize) -> bool {
        let beside = |turn: usize| self.open[at.wrapping_add_signed(self.offsets[(number + turn) % 8])];
        debug_assert_eq!(DiagonalMode::default(), DiagonalMode::OnlyIfNoObstacles);
        beside(0) && (number.is_multiple_of(2) || beside(7) && beside(1))
    }
}
