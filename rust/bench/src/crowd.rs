//! Thousands of agents that walk by shared fields: time for each step, and how it grows.

use std::time::Instant;

use pathforge_core::{
    AgentSpec, BitGrid, Capability, Cell, Crowd, CrowdField, CrowdGround, CrowdSettings, DiagonalMode,
    FieldBuilder, FieldGround, FlowField, Footprint, LayerKey, MoveBytes, open_grid,
};

use crate::godot::{Line, run_script};
use crate::maps::rooms;
use crate::measure::median;
use crate::options::Options;
use crate::report::Report;

/// Cells of the map for each agent.
const CELLS_PER_AGENT: f64 = 4.0;
const STEP: f64 = 1.0 / 60.0;

/// Measures.
pub fn run(options: &Options, report: &mut Report) {
    let steps = if options.quick { 60 } else { 180 };
    let mut rows = Vec::new();
    let mut first = 0.0;
    for count in [1_000, 10_000, 100_000] {
        let mut scene = Scene::new(count);
        (0..30).for_each(|_| scene.step());
        let times = (0..steps).map(|_| {
            let start = Instant::now();
            scene.step();
            start.elapsed().as_secs_f64()
        });
        let time = median(times.collect());
        let single = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_or(f64::NAN, |pool| {
            let times = (0..steps / 3).map(|_| {
                let start = Instant::now();
                pool.install(|| scene.step());
                start.elapsed().as_secs_f64()
            });
            median(times.collect())
        });
        let count = scene.crowd.len();
        let each = time * 1e9 / count as f64;
        if first == 0.0 {
            first = each;
        }
        rows.push(vec![
            count.to_string(),
            format!("{:.2}", time * 1e3),
            format!("{:.2}", single * 1e3),
            format!("{each:.0}"),
            format!("{:.2}", each / first),
            format!("{}", scene.crowd.memory() / count),
        ]);
    }
    report.table(
        "A step of a crowd",
        "Bodies of one, two and three cells as 7 : 2 : 1 on rooms with doors, four goals, one agent on four cells, 1/60 s; \
         neighbours, walls and separation included. Medians.",
        &["agents", "ms", "ms, one thread", "ns an agent", "growth", "bytes an agent"],
        &rows,
    );
    match run_script("res://bench/crowd.gd", options, |_| Ok(())) {
        Ok(lines) => beside_gdscript(&lines, report),
        Err(error) => eprintln!("crowd in godot: {error}"),
    }
}

fn beside_gdscript(lines: &[Line], report: &mut Report) {
    let rows: Vec<_> = lines
        .iter()
        .map(|line| {
            let (ours, usual) = (line.number("ours_usec"), line.number("usual_usec"));
            let bare = line.number("bare_usec");
            vec![
                format!("{:.0}", line.number("agents")),
                format!("{:.2}", ours / 1e3),
                format!("{:.2}", usual / 1e3),
                format!("{:.2}", bare / 1e3),
                format!("{:.1}", usual / ours),
            ]
        })
        .collect();
    report.table(
        "A crowd beside the usual scene in GDScript",
        "A step of `PathForgeCrowd` with everything, and of a script whose agents read a shared field and do not look at \
         others. ms, medians, one Godot process.",
        &["agents", "crowd", "script, nodes", "script, bare arrays", "times as many agents as with nodes"],
        &rows,
    );
}

struct Scene {
    region: pathforge_core::CellRect,
    layers: Vec<BitGrid>,
    fields: Vec<(FlowField, u32)>,
    crowd: Crowd,
}

impl Scene {
    fn new(count: usize) -> Self {
        let side = (count as f64 * CELLS_PER_AGENT).sqrt() as i32;
        let map = rooms(side.max(64), 5);
        let region = map.region();
        let mut crowd = Crowd::new(CrowdSettings::default());
        let (mut layers, mut fields) = (Vec::new(), Vec::new());
        for size in 1..=3 {
            let footprint = Footprint::square(size).expect("small");
            crowd.kind(LayerKey { footprint, ..LayerKey::default() });
            let stands = open_grid(&map, Capability::ALL).eroded(footprint);
            let moves = MoveBytes::build(&stands, DiagonalMode::default());
            for (group, (x, y)) in [(1, 1), (3, 1), (1, 3), (3, 3)].into_iter().enumerate() {
                let around = Cell::new(side * x / 4, side * y / 4);
                let near = |cell: &Cell| (cell.x - around.x).abs() + (cell.y - around.y).abs();
                let is_stand = |cell: &Cell| {
                    cell.x < region.w - 3
                        && cell.y < region.h - 3
                        && stands.get(stands.shape().index(cell.x as u32, cell.y as u32))
                };
                let goal = region.cells().filter(is_stand).min_by_key(near).expect("room");
                let mut field = FlowField::default();
                let ground = FieldGround::new(region, &stands, &moves, None);
                FieldBuilder::default().build(ground, &[goal], None, &mut field);
                fields.push((field, group as u32));
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

    fn step(&mut self) {
        self.with_ground(|crowd, ground| crowd.step(STEP, ground)).expect("a delta");
    }

    fn with_ground<T>(&mut self, work: impl FnOnce(&mut Crowd, &CrowdGround<'_>) -> T) -> T {
        let layers: Vec<&BitGrid> = self.layers.iter().collect();
        let fields: Vec<_> =
            self.fields.iter().map(|(field, group)| Some(CrowdField { field, group: *group })).collect();
        let ground = CrowdGround { region: self.region, revision: 0, layers: &layers, fields: &fields };
        work(&mut self.crowd, &ground)
    }
}
