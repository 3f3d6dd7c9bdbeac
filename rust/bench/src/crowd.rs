//! Thousands of agents that walk by shared fields: time for each step, and how it grows.

use std::sync::Arc;
use std::time::Instant;

use pathforge_core::crowd::{AgentSpec, Crowd, CrowdField, CrowdGround, CrowdSettings};
use pathforge_core::field::{FieldBuilder, FieldGround, FlowField};
use pathforge_core::geometry::{Cell, DiagonalMode, Footprint};
use pathforge_core::passability::{LayerKey, Placements, open_grid};
use pathforge_core::terrain::Capability;
use pathforge_core::testing::{Derived, MoveBytes, MoveWay};

use crate::goals;
use crate::godot::{Line, run_script};
use crate::maps::rooms;
use crate::measure::Samples;
use crate::options::Options;
use crate::report::{Report, Table, grouped};

/// Cells of the map for each agent.
const CELLS_PER_AGENT: f64 = 4.0;
const STEP: f64 = 1.0 / 60.0;

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let steps = if options.quick { 60 } else { 180 };
    let mut table = Table::new(
        "A step of a crowd",
        "Bodies of one, two and three cells as 7 : 2 : 1 on rooms with doors, four goals, one agent on four cells, 1/60 s; \
         neighbours, walls and separation included.",
        "agents",
    );
    let mut first = 0.0;
    for count in [1_000, 10_000, 100_000] {
        let mut scene = Scene::new(count);
        (0..30).for_each(|_| scene.step());
        let time = timed_steps(&mut scene, steps);
        let single = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .map_or_else(|_| Samples::default(), |pool| pool.install(|| timed_steps(&mut scene, steps / 3)));
        let agents = scene.crowd.len();
        let each = time.median() * 1e6 / agents as f64;
        if first == 0.0 {
            first = each;
        }
        table
            .row(grouped(agents as u64))
            .samples("a step", &time, "ms")
            .samples("one thread", &single, "ms")
            .number("an agent", each, "ns")
            .number("growth", each / first, "×")
            .count("bytes an agent", scene.crowd.memory() / agents);
        match count {
            10_000 => report.reach(&goals::CROWD_10K, "", time.median()),
            100_000 => {
                report.reach(&goals::CROWD_100K, "", time.median());
                report.reach(&goals::CROWD_GROWTH, "", each / first);
            }
            _ => {}
        }
    }
    report.add(table);
    match run_script("res://bench/crowd.gd", options, |_| Ok(())) {
        Ok(lines) => beside_gdscript(&lines, report),
        Err(error) => eprintln!("crowd in godot: {error}"),
    }
    match run_script("res://bench/melee.gd", options, |_| Ok(())) {
        Ok(lines) => beside_avoidance(&lines, report),
        Err(error) => eprintln!("melee in godot: {error}"),
    }
}

/// Milliseconds of each step.
pub fn timed_steps(scene: &mut Scene, steps: usize) -> Samples {
    let times = (0..steps).map(|_| {
        let start = Instant::now();
        scene.step();
        start.elapsed().as_secs_f64() * 1e3
    });
    Samples::new(times.collect())
}

fn beside_gdscript(lines: &[Line], report: &mut Report) {
    let mut table = Table::new(
        "A crowd beside the usual scene in GDScript",
        "A step of `PathForgeCrowd` with everything, and of a script whose agents read a shared field and do not look at \
         others: an easier problem. Medians, one Godot process.",
        "agents",
    );
    for line in lines {
        let samples = |name: &str| line.samples(name).times(1e-3);
        let [ours, usual] = ["ours_usec", "usual_usec"].map(|name| line.number(name));
        table
            .row(grouped(line.number("agents") as u64))
            .samples("crowd", &samples("ours_usec"), "ms")
            .samples("script, nodes", &samples("usual_usec"), "ms")
            .samples("script, bare arrays", &samples("bare_usec"), "ms")
            .ratio("times as many agents as with nodes", usual / ours);
        report.reach(&goals::CROWD_GDSCRIPT, "", usual / ours);
    }
    report.add(table);
}

fn beside_avoidance(lines: &[Line], report: &mut Report) {
    let mut melee = Table::new(
        "A melee beside Godot's own avoidance",
        "Two crowds of discs, one a cell, walk through each other on an open field: a step of `PathForgeCrowd`, and of \
         `NavigationServer2D` with six neighbours, a call that tells the place and one that tells the velocity of each \
         agent included. Medians, one Godot process.",
        "agents",
    );
    let mut nodes = Table::new(
        "Nodes that are agents",
        "`PathForgeAgent2D`s that walk through each other: the crowd's step, and `get_next_velocity` of each from GDScript; \
         beside the same loop without. Medians, one Godot process.",
        "nodes",
    );
    let mut joining = Table::new(
        "Nodes that join and leave in one frame",
        "`PathForgeAgent2D`s below their grid: the first `get_next_velocity` of all in a row, in which each joins the crowd and asks          for a path, and freeing all while the requests are under way, beside freeing as many plain nodes.",
        "nodes",
    );
    for line in lines {
        let samples = |name: &str| line.samples(name).times(1e-3);
        let agents = grouped(line.number("agents") as u64);
        if line.name == "joining" {
            let joined = line.number("join_usec") * 1e-3;
            joining
                .row(&agents)
                .samples("joining", &samples("join_usec"), "ms")
                .number("a node", joined * 1e3 / line.number("agents"), "µs")
                .samples("leaving", &samples("leave_usec"), "ms")
                .samples("plain nodes", &samples("plain_usec"), "ms");
            if line.number("agents") as u64 == 1000 {
                report.reach(&goals::CROWD_JOINING, "", joined);
            }
            continue;
        }
        if line.name == "nodes" {
            let beyond = (line.number("frame_usec") - line.number("bare_usec")) * 1e-3;
            nodes
                .row(&agents)
                .samples("a frame", &samples("frame_usec"), "ms")
                .samples("without agents", &samples("bare_usec"), "ms")
                .number("beyond it", beyond, "ms");
            report.reach(&goals::CROWD_NODES, "", beyond);
            continue;
        }
        let [ours, theirs] = ["ours_usec", "godot_usec"].map(|name| line.number(name));
        melee
            .row(&agents)
            .samples("crowd", &samples("ours_usec"), "ms")
            .samples("Godot's avoidance", &samples("godot_usec"), "ms")
            .ratio("times as fast", theirs / ours);
        if line.number("agents") >= 10_000.0 {
            report.reach(&goals::CROWD_MELEE, "", ours * 1e-3);
            report.reach(&goals::CROWD_AVOIDANCE, "", theirs / ours);
        }
    }
    report.add(melee);
    report.add(nodes);
    report.add(joining);
}

/// A map with agents that walk by fields.
pub struct Scene {
    region: pathforge_core::geometry::CellRect,
    layers: Vec<Placements>,
    fields: Vec<(Arc<FlowField>, u32)>,
    /// The agents.
    pub crowd: Crowd,
}

impl Scene {
    /// So many agents, at the same density for any number.
    pub fn new(count: usize) -> Self {
        let side = (count as f64 * CELLS_PER_AGENT).sqrt() as i32;
        let map = rooms(side.max(64), 5);
        let region = map.region();
        let mut crowd = Crowd::new(CrowdSettings::default());
        let (mut layers, mut fields) = (Vec::new(), Vec::new());
        for size in 1..=3 {
            let footprint = Footprint::square(size).expect("small");
            crowd.kind(LayerKey { footprint, ..LayerKey::default() });
            let stands = Placements::from(open_grid(&map, Capability::ALL).eroded(footprint));
            let moves = MoveBytes::build(&stands, (DiagonalMode::default(), MoveWay::Leaving));
            for (group, (x, y)) in [(1, 1), (3, 1), (1, 3), (3, 3)].into_iter().enumerate() {
                let around = Cell::new(side * x / 4, side * y / 4);
                let near = |cell: &Cell| (cell.x - around.x).abs() + (cell.y - around.y).abs();
                let is_stand = |cell: &Cell| {
                    cell.x < region.w - 3 && cell.y < region.h - 3 && stands.at(cell.x as u32, cell.y as u32)
                };
                let goal = region.cells().filter(is_stand).min_by_key(near).expect("room");
                let mut field = FlowField::default();
                let ground = FieldGround::new(region, &stands, [&moves; 2], None);
                FieldBuilder::default().build(ground, &[goal], None, &mut field);
                fields.push((Arc::new(field), group as u32));
            }
            layers.push(stands);
        }
        let mut scene = Self { region, layers, fields, crowd };
        scene.fill(count);
        scene
    }

    fn fill(&mut self, count: usize) {
        let mut random = 9_u32;
        let mut next = |range: i32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 9) as i32 % range
        };
        let region = self.region;
        let mut tries = 0;
        while self.crowd.len() < count && tries < count * 20 {
            tries += 1;
            let size = [1, 1, 1, 1, 1, 1, 1, 2, 2, 3][next(10) as usize];
            let half = f64::from(size) * 0.5;
            let spec = AgentSpec {
                x: f64::from(next(region.w)) + half,
                y: f64::from(next(region.h)) + half,
                kind: (size - 1) as u16,
                speed: 3.0 + next(100) as f32 * 0.01,
                radius: size as f32 * 0.5 - 0.1,
            };
            let field = (size - 1) as u32 * 4 + next(4) as u32;
            let added = self.with_ground(|crowd, ground| crowd.add(ground, &[spec]));
            if let [Some(id)] = added[..] {
                self.crowd.assign_field(&[id], field);
            }
        }
    }

    /// One sixtieth of a second.
    pub fn step(&mut self) {
        self.with_ground(|crowd, ground| crowd.step(STEP, ground)).expect("a delta");
    }

    fn with_ground<T>(&mut self, work: impl FnOnce(&mut Crowd, &CrowdGround<'_>) -> T) -> T {
        let layers: Vec<&Placements> = self.layers.iter().collect();
        let fields: Vec<_> =
            self.fields.iter().map(|(field, group)| Some(CrowdField { field, group: *group })).collect();
        let ground =
            CrowdGround { region: self.region, revision: 0, layers: &layers, costs: &[], fields: &fields };
        work(&mut self.crowd, &ground)
    }
}
