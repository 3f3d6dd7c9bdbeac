//! Nodes on the map of the demo's first scene: bodies of four shapes, each with a walker and an agent of the
//! same crowd. The binding leads them in each physics frame, and so do these.

use std::sync::Arc;

use pathforge_core::crowd::{
    AgentSpec, AgentState, Blockage, Crowd, CrowdGround, CrowdNews, CrowdSettings, OutlineForm,
};
use pathforge_core::geometry::{Cell, CellRect, DiagonalMode};
use pathforge_core::guidance::{group_of, kind_of};
use pathforge_core::passability::Placements;
use pathforge_core::terrain::{Capability, Terrain};
use pathforge_core::walker::{Event, Ground, Metric, Notice, Order, Point, Settings, Walker};
use pathforge_core::world::{GoalMode, PathQuery, Profile, World};

use crate::bodies::footprint;

const STEP: f64 = 1.0 / 60.0;
const MAP: &str = include_str!("../../demo_project/scenes/01_units_of_every_size/map.txt");
/// What the scene calls the kinds, their footprints, capabilities and speeds in cells a second.
const KINDS: [(&str, (i32, i32), u32, f32); 4] = [
    ("scout", (1, 1), 5, 6.5),
    ("tank", (2, 2), 5, 4.2),
    ("hauler", (3, 3), 5, 3.2),
    ("barge", (4, 2), 6, 3.0),
];
/// The terrain of a ford, which all may enter.
const FORD: i64 = 2;

/// A body with its walker.
#[derive(Debug)]
pub struct Unit {
    /// Its kind and which of all it is.
    pub title: String,
    /// Its number in the crowd.
    pub id: u32,
    /// What leads it.
    pub walker: Walker,
    /// Where its centre is.
    pub position: Point,
    /// The longer side of its footprint, in cells.
    pub longest: f64,
    kind: usize,
    /// It was told so often that it has finished since the last order.
    pub finished: usize,
    /// Nothing asks for its velocity: it stands where the test puts it.
    pub stands: bool,
}

/// The town and its units.
#[derive(Debug)]
pub struct Town {
    /// The map.
    pub world: World,
    /// The crowd of all units.
    pub crowd: Crowd,
    /// The units, in the order of the map's text.
    pub units: Vec<Unit>,
    profiles: Vec<Profile>,
    /// The cell to which all were sent.
    pub goal: Cell,
}

impl Town {
    /// The scene as it begins, without its first orders.
    ///
    /// # Panics
    /// When the scene's map is not one.
    pub fn new() -> Self {
        Self::on(MAP)
    }

    /// Units on another map: its rows, an empty line, and a line with kind and cell for each unit.
    ///
    /// # Panics
    /// When the text is not such a map.
    pub fn on(text: &str) -> Self {
        Self::with_outlines(text, OutlineForm::Box)
    }

    /// The same with units of another form.
    ///
    /// # Panics
    /// When the text is not such a map.
    pub fn with_outlines(text: &str, outline: OutlineForm) -> Self {
        let (map, units) = text.split_once("\n\n").expect("a map and units");
        let rows: Vec<&str> = map.lines().filter(|line| !line.starts_with(';')).collect();
        let text = rows.join("\n").replace(['o', 'T', 'D'], "#").replace(['"', ':', ',', '=', 'd'], ".");
        let mut terrain = Terrain::from_text(&text, Cell::default()).expect("a map");
        for (y, row) in rows.iter().enumerate() {
            for (x, _) in row.match_indices(',') {
                let cell = CellRect::new(x as i32, y as i32, 1, 1);
                terrain.fill_terrain(cell, FORD).expect("a terrain");
            }
        }
        let profile = |&(_, (w, h), capability, _): &(&str, (i32, i32), u32, f32)| Profile {
            footprint: footprint(w, h),
            capability: Capability(capability),
            diagonal_mode: DiagonalMode::OnlyIfNoObstacles,
            outline,
            ..Profile::default()
        };
        let profiles: Vec<Profile> = KINDS.iter().map(profile).collect();
        let mut crowd = Crowd::new(CrowdSettings::default());
        for profile in &profiles {
            crowd.kind(kind_of(profile));
        }
        let mut town = Self {
            world: World::from_terrain(terrain),
            crowd,
            units: Vec::new(),
            profiles,
            goal: Cell::default(),
        };
        for line in units.lines().filter(|line| !line.is_empty()) {
            let mut words = line.split([' ', ',']);
            let name = words.next().unwrap_or_default();
            let mut number = || words.next().and_then(|word| word.parse().ok()).expect("a number");
            let cell = Cell::new(number(), number());
            let kind = KINDS.iter().position(|kind| kind.0 == name).expect("a kind");
            town.add(kind, cell);
        }
        town
    }

    fn add(&mut self, kind: usize, cell: Cell) {
        let (name, (w, h), _, speed) = KINDS[kind];
        let position =
            Point::new(f64::from(cell.x) + f64::from(w) / 2.0, f64::from(cell.y) + f64::from(h) / 2.0);
        let radius = w.min(h) as f32 * 0.5 - 0.1;
        let spec = AgentSpec { x: position.x, y: position.y, kind: kind as u16, speed, radius };
        let id = self.on_ground(|crowd, ground| crowd.add_driven(ground, &spec)).expect("an agent");
        let mut walker = Walker::new(id.into());
        walker.settings =
            Settings { goal_mode: GoalMode::Nearest, path_desired_distance: 0.2, ..Settings::default() };
        let title = format!("{name} {}", self.units.len());
        self.units.push(Unit {
            title,
            id,
            walker,
            position,
            longest: f64::from(w.max(h)),
            kind,
            finished: 0,
            stands: false,
        });
    }

    fn on_ground<T>(&mut self, work: impl FnOnce(&mut Crowd, &CrowdGround<'_>) -> T) -> T {
        let world = &mut self.world;
        let kinds: Vec<_> = self.crowd.kinds().iter().map(|kind| kind.layer).collect();
        let layers: Vec<Arc<Placements>> =
            kinds.into_iter().map(|layer| Arc::clone(world.placements(layer))).collect();
        let layers: Vec<&Placements> = layers.iter().map(AsRef::as_ref).collect();
        let region = world.terrain().region();
        let ground = CrowdGround { region, revision: 0, layers: &layers, costs: &[], fields: &[] };
        work(&mut self.crowd, &ground)
    }

    /// Sends all units to a cell, each as near as its body comes.
    pub fn send(&mut self, cell: Cell) {
        self.goal = cell;
        (0..self.units.len()).for_each(|index| self.send_one(index, cell));
    }

    /// Sends one unit to a cell, as near as its body comes.
    pub fn send_one(&mut self, index: usize, cell: Cell) {
        self.send_to(index, Point::new(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5));
    }

    /// Sends one unit to a position, as near as its body comes.
    pub fn send_to(&mut self, index: usize, target: Point) {
        let unit = &mut self.units[index];
        let ground = Ground {
            terrain: self.world.terrain(),
            profile: &self.profiles[unit.kind],
            metric: Metric::CELLS,
        };
        unit.finished = 0;
        let order = unit.walker.set_target(&ground, unit.position, target);
        debug_assert_eq!(order, None, "none is led");
    }

    /// A physics frame.
    ///
    /// # Panics
    /// When a body is told twice that it has finished.
    pub fn frame(&mut self) -> CrowdNews {
        for index in 0..self.units.len() {
            self.lead(index);
        }
        let news = self.on_ground(|crowd, ground| crowd.step(STEP, ground)).expect("a step");
        for unit in &mut self.units {
            let [x, y] = self.crowd.safe_velocity(unit.id).unwrap_or_default();
            unit.position =
                Point::new(unit.position.x + f64::from(x) * STEP, unit.position.y + f64::from(y) * STEP);
        }
        for (ids, notice) in
            [(&news.arrived, Notice::Rests), (&news.stuck, Notice::Stuck), (&news.blocked, Notice::Blocked)]
        {
            for unit in self.units.iter_mut().filter(|unit| ids.contains(&unit.id)) {
                unit.walker.hear(notice);
            }
        }
        for unit in self.units.iter_mut().filter(|unit| news.hindered.contains(&unit.id)) {
            let standing = self.crowd.standing(unit.id);
            let ground = Ground {
                terrain: self.world.terrain(),
                profile: &self.profiles[unit.kind],
                metric: Metric::CELLS,
            };
            unit.walker.hinder(&ground, unit.position, &standing);
        }
        for unit in &mut self.units {
            unit.finished +=
                unit.walker.take_events().iter().filter(|event| **event == Event::Finished).count();
        }
        news
    }

    /// Asks for the path of a unit, and tells the crowd what has become of its walk.
    fn lead(&mut self, index: usize) {
        let unit = &mut self.units[index];
        let (id, position, profile) = (unit.id, unit.position, self.profiles[unit.kind]);
        self.crowd.set_driven_position(id, position.x, position.y, STEP);
        unit.walker.frame(STEP);
        let ground = Ground { terrain: self.world.terrain(), profile: &profile, metric: Metric::CELLS };
        if let Some(ask) = unit.walker.next_request(&ground, position) {
            let query = PathQuery {
                goal_mode: ask.goal.mode,
                smoothing: true,
                ..PathQuery::new(ask.start, ask.goal.cell, profile).past(&ask.blocked)
            };
            let outcome = self.world.find_path(&query);
            let ground = Ground { terrain: self.world.terrain(), profile: &profile, metric: Metric::CELLS };
            self.units[index].walker.answer(&ground, position, &outcome);
        }
        let ground = Ground { terrain: self.world.terrain(), profile: &profile, metric: Metric::CELLS };
        let unit = &mut self.units[index];
        let aim = unit.walker.advance(&ground, position);
        while let Some(order) = unit.walker.take_order() {
            match order {
                Order::Send(cell) => drop(self.crowd.assign_course(id, group_of([cell]))),
                Order::Rest { has_arrived: true } => self.crowd.finish(id),
                Order::Rest { has_arrived: false } => drop(self.crowd.stop(&[id])),
                Order::Wait => {
                    self.crowd.keep_off(id);
                    if let Some(end) = unit.walker.end() {
                        self.crowd.set_course(
                            id,
                            [end.x, end.y],
                            [end.x, end.y],
                            end.distance(position) as f32,
                        );
                    }
                }
            }
        }
        if let Some(end) = unit.walker.end().filter(|_| unit.walker.is_under_way()) {
            let left = unit.walker.cells_left(position).max(0.001) as f32;
            self.crowd.set_course(id, [aim.x, aim.y], [end.x, end.y], left);
        }
        self.crowd.steer(id, if unit.stands { 0.0 } else { KINDS[unit.kind].3 });
    }

    /// What the crowd says that each unit does.
    ///
    /// # Panics
    /// When a unit is not in the crowd.
    pub fn states(&mut self) -> Vec<AgentState> {
        let ids: Vec<u32> = self.units.iter().map(|unit| unit.id).collect();
        ids.iter().map(|&id| self.crowd.view(id).expect("it is there").state).collect()
    }

    /// Frames until no unit is on its way, or so many seconds; returns how many it took.
    pub fn rest(&mut self, seconds: u32) -> Option<f64> {
        let mut quiet = 0;
        for frame in 0..seconds * 60 {
            let before: Vec<Point> = self.units.iter().map(|unit| unit.position).collect();
            self.frame();
            let states = self.states();
            let rests = |(n, unit): (usize, &Unit)| {
                unit.position.distance(before[n]) < 1e-3
                    && (unit.walker.is_finished()
                        || matches!(states[n], AgentState::Blocked | AgentState::Stuck))
            };
            quiet = if self.units.iter().enumerate().all(rests) { quiet + 1 } else { 0 };
            if quiet > 120 {
                return Some(f64::from(frame) * STEP);
            }
        }
        None
    }

    /// The radius of the disc that the rectangles around all units fill, in cells.
    pub fn reach(&self) -> f64 {
        let area = |unit: &Unit| {
            let (w, h) = KINDS[unit.kind].1;
            (f64::from(w) - 0.2) * (f64::from(h) - 0.2)
        };
        let area: f64 = self.units.iter().map(area).sum();
        (area / std::f64::consts::PI).sqrt()
    }

    /// What the crowd says keeps a unit from its goal.
    pub fn blockage(&mut self, index: usize) -> Option<Blockage> {
        let id = self.units[index].id;
        self.on_ground(|crowd, ground| crowd.blockage(ground, id))
    }

    /// The open cells, in reading order.
    pub fn open_cells(&self) -> Vec<Cell> {
        let terrain = self.world.terrain();
        terrain.region().cells().filter(|&cell| !terrain.is_solid(cell)).collect()
    }
}

impl Default for Town {
    fn default() -> Self {
        Self::new()
    }
}
