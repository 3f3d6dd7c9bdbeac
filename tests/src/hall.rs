//! A crowd on a map, and what can be said about it.

use std::collections::HashMap;
use std::sync::Arc;

use pathforge_core::crowd::{
    AgentSpec, AgentState, AgentView, Crowd, CrowdField, CrowdGround, CrowdKind, CrowdNews, CrowdSettings,
    OutlineForm,
};
use pathforge_core::field::{FieldBuilder, FieldGround, FlowField};
use pathforge_core::geometry::{Cell, DiagonalMode, Footprint};
use pathforge_core::passability::{LayerKey, PlacementCosts, Placements, TerrainCosts};
use pathforge_core::terrain::Terrain;
use pathforge_core::testing::{Derived, MoveBytes, MoveWay};

use crate::bodies::Body;

/// Room around a body's outline within its footprint, on each side.
const ROOM: f32 = 0.1;
/// Bins in which overlaps are looked for, in cells; at least the longest outline.
const BIN: f64 = 4.0;

/// A kind of body on the map.
#[derive(Clone, Debug)]
struct Kind {
    footprint: Footprint,
    placements: Placements,
    /// The moves out of placements and into them.
    moves: [MoveBytes; 2],
}

/// A crowd of bodies of one, two and three cells on a map, and of further kinds, with the fields that they
/// follow.
#[derive(Clone, Debug)]
pub struct Hall {
    /// The map.
    pub terrain: Terrain,
    /// The crowd.
    pub crowd: Crowd,
    kinds: Vec<Kind>,
    fields: Vec<(Arc<FlowField>, u32)>,
    /// What the placements of each kind cost, when that slows all.
    costs: Vec<PlacementCosts>,
    revision: u64,
}

impl Hall {
    /// A map without agents.
    pub fn new(terrain: Terrain) -> Self {
        let crowd = Crowd::new(CrowdSettings::default());
        let mut hall =
            Self { terrain, crowd, kinds: Vec::new(), fields: Vec::new(), costs: Vec::new(), revision: 0 };
        for side in 1..=3 {
            hall.add_kind(side, side, OutlineForm::Round);
        }
        hall
    }

    /// A map drawn in text, without agents.
    ///
    /// # Panics
    /// When the text is no map.
    pub fn draw(text: &str) -> Self {
        Self::new(Terrain::from_text(text, Cell::default()).expect("a map"))
    }

    /// Adds a kind of body; returns its number. Bodies of `side` cells that are discs have the number `side`
    /// − 1.
    ///
    /// # Panics
    /// When there is no such footprint.
    pub fn add_kind(&mut self, w: i64, h: i64, outline: OutlineForm) -> usize {
        let footprint = Footprint::new(w, h).expect("a footprint");
        let layer = LayerKey { footprint, ..LayerKey::default() };
        let number = usize::from(self.crowd.kind(CrowdKind { outline, ..layer.into() }));
        // The crowd knows equal kinds by one number.
        if number == self.kinds.len() {
            self.kinds.push(Kind::new(&self.terrain, footprint));
        }
        number
    }

    /// The radius of a body of `side` cells.
    pub fn radius(side: i32) -> f32 {
        side as f32 * 0.5 - ROOM
    }

    /// Where a body of `side` cells can stand.
    pub fn placements(&self, side: i32) -> &Placements {
        &self.kinds[side as usize - 1].placements
    }

    /// Lets weights slow all agents from now on, and fields that are built from now on count them.
    pub fn slow(&mut self) {
        let costs = |kind: &Kind| {
            PlacementCosts::build(
                (&self.terrain, &kind.placements, (&TerrainCosts::default()).into()),
                kind.footprint,
            )
        };
        self.costs = self.kinds.iter().map(costs).collect();
    }

    /// A field for bodies of `side` cells; fields of one group lead to one place.
    pub fn field(&mut self, side: i32, goals: &[Cell], group: u32) -> u32 {
        self.field_of(side as usize - 1, goals, group)
    }

    /// The same for bodies of a kind.
    pub fn field_of(&mut self, kind: usize, goals: &[Cell], group: u32) -> u32 {
        self.fields.push((FlowField::default().into(), group));
        let number = (self.fields.len() - 1) as u32;
        self.rebuild_field_of(number, kind, goals);
        number
    }

    /// Builds a field on the map as it is now.
    pub fn rebuild_field(&mut self, number: u32, side: i32, goals: &[Cell]) {
        self.rebuild_field_of(number, side as usize - 1, goals);
    }

    fn rebuild_field_of(&mut self, number: u32, kind: usize, goals: &[Cell]) {
        let costs = self.costs.get(kind);
        let kind = &self.kinds[kind];
        let ground = FieldGround::new(self.terrain.region(), &kind.placements, kind.moves.each_ref(), costs);
        let mut field = FlowField::default();
        FieldBuilder::default().build(ground, goals, None, &mut field);
        self.fields[number as usize].0 = field.into();
    }

    /// Whether a field leads from `anchor` to its goal.
    pub fn reaches(&self, field: u32, anchor: Cell) -> bool {
        self.next_cell(field, anchor).is_some()
    }

    /// The next cell on the way from `anchor` by a field.
    pub fn next_cell(&self, field: u32, anchor: Cell) -> Option<Cell> {
        self.fields[field as usize].0.next_cell(anchor)
    }

    /// The cost from `anchor` to a field's goal, in cells.
    pub fn cost(&self, field: u32, anchor: Cell) -> Option<f64> {
        self.fields[field as usize].0.integration().cost(anchor).map(pathforge_core::cost::Cost::cells)
    }

    /// Adds a body with its top-left cell on `anchor` and sends it along a field.
    pub fn add(&mut self, anchor: Cell, side: i32, speed: f32, field: Option<u32>) -> Option<u32> {
        self.add_of(side as usize - 1, anchor, speed, field)
    }

    /// The same for a body of a kind.
    pub fn add_of(&mut self, kind: usize, anchor: Cell, speed: f32, field: Option<u32>) -> Option<u32> {
        let footprint = self.kinds[kind].footprint;
        let centre = |from: i32, side: i32| f64::from(from) + f64::from(side) * 0.5;
        let spec = AgentSpec {
            x: centre(anchor.x, footprint.w()),
            y: centre(anchor.y, footprint.h()),
            kind: kind as u16,
            speed,
            radius: Self::radius(footprint.w().min(footprint.h())),
        };
        let id = self.with_ground(|crowd, ground| crowd.add(ground, &[spec]))[0]?;
        if let Some(field) = field {
            self.crowd.assign_field(&[id], field);
        }
        Some(id)
    }

    /// Adds a body that [`Hall::drive`] moves, like [`Hall::add`].
    ///
    /// # Panics
    /// When the crowd has no room for its number.
    pub fn add_driven(&mut self, anchor: Cell, side: i32, field: Option<u32>) -> u32 {
        let half = f64::from(side) * 0.5;
        let (x, y) = (f64::from(anchor.x) + half, f64::from(anchor.y) + half);
        let spec = AgentSpec { x, y, kind: (side - 1) as u16, speed: 1.0, radius: Self::radius(side) };
        let id = self.with_ground(|crowd, ground| crowd.add_driven(ground, &spec)).expect("an agent");
        if let Some(field) = field {
            self.crowd.assign_field(&[id], field);
        }
        id
    }

    /// A frame of an engine: the crowd is told where driven bodies are, steps, and is asked for the velocity
    /// of each, with which it moves then. `speed` in cells a second.
    pub fn drive(&mut self, ids: &[u32], speed: f32, seconds: f64) -> CrowdNews {
        let each: Vec<(u32, f32)> = ids.iter().map(|&id| (id, speed)).collect();
        self.drive_each(&each, seconds)
    }

    /// The same, each by its id at a speed of its own.
    pub fn drive_each(&mut self, bodies: &[(u32, f32)], seconds: f64) -> CrowdNews {
        let news = self.step(seconds);
        for &(id, speed) in bodies {
            let [vx, vy] = self.crowd.safe_velocity(id).unwrap_or_default();
            self.crowd.steer(id, speed);
            if let Some([x, y]) = self.crowd.driven_position(id) {
                let (x, y) = (x + f64::from(vx) * seconds, y + f64::from(vy) * seconds);
                self.crowd.set_driven_position(id, x, y, seconds);
            }
        }
        news
    }

    /// Changes the map; bodies that do not fit any more move at the next step. Fields stay as they are.
    pub fn edit(&mut self, edit: impl FnOnce(&mut Terrain)) {
        edit(&mut self.terrain);
        let anew = |kind: &Kind| Kind::new(&self.terrain, kind.footprint);
        self.kinds = self.kinds.iter().map(anew).collect();
        self.revision += 1;
    }

    /// Steps.
    ///
    /// # Panics
    /// When `delta` is refused.
    pub fn step(&mut self, delta: f64) -> CrowdNews {
        self.with_ground(|crowd, ground| crowd.step(delta, ground)).expect("a delta")
    }

    /// Calls `work` with the crowd and what it walks on.
    pub fn with_ground<T>(&mut self, work: impl FnOnce(&mut Crowd, &CrowdGround<'_>) -> T) -> T {
        let layers: Vec<&Placements> = self.kinds.iter().map(|kind| &kind.placements).collect();
        let fields: Vec<_> =
            self.fields.iter().map(|(field, group)| Some(CrowdField { field, group: *group })).collect();
        let costs: Vec<Option<&PlacementCosts>> = self.costs.iter().map(Some).collect();
        let region = self.terrain.region();
        let ground =
            CrowdGround { region, revision: self.revision, layers: &layers, costs: &costs, fields: &fields };
        work(&mut self.crowd, &ground)
    }

    /// The first body that covers a cell which is not open, if there is one. No wall stops those on links.
    pub fn in_a_wall(&self) -> Option<String> {
        let walking = |view: &AgentView| self.crowd.link_under(view.id).is_none();
        self.crowd.views_unordered().filter(walking).find_map(|view| {
            // Less than its outline, as bodies may lie off the middle of a narrow way by their room.
            let [x, y] = view.half.map(|half| f64::from(half) - 0.02);
            let cells = |at: f64, reach: f64| (at - reach).floor() as i32..=(at + reach).floor() as i32;
            let mut covered = cells(view.y, y).flat_map(|y| cells(view.x, x).map(move |x| Cell::new(x, y)));
            let region = self.terrain.region();
            let is_open = |cell: Cell| region.contains(cell) && !self.terrain.is_solid(cell);
            covered.find(|&cell| !is_open(cell)).map(|cell| format!("{view:?} covers {cell:?}"))
        })
    }

    /// The [`overlaps`] of all bodies.
    pub fn overlaps(
        &self,
        counts: impl Fn(&AgentView) -> bool,
        with: impl Fn(&AgentView) -> bool,
    ) -> Vec<f32> {
        let views: Vec<AgentView> = self.crowd.views_unordered().collect();
        overlaps(&views, counts, with)
    }

    /// How many agents are in each state, by its number.
    pub fn states(&self) -> [usize; 6] {
        let mut counts = [0; 6];
        self.crowd.views_unordered().for_each(|view| counts[view.state as usize] += 1);
        counts
    }
}

impl Kind {
    fn new(terrain: &Terrain, footprint: Footprint) -> Self {
        let placements = Body::new(footprint.w(), footprint.h(), DiagonalMode::default()).placements(terrain);
        let moves = [MoveWay::Leaving, MoveWay::Arriving]
            .map(|way| MoveBytes::build(&placements, (DiagonalMode::default(), way)));
        Self { footprint, placements, moves }
    }
}

/// For each body for which `counts`, its deepest overlap with another for which `with`, in parts of the
/// smaller radius.
pub fn overlaps(
    views: &[AgentView],
    counts: impl Fn(&AgentView) -> bool,
    with: impl Fn(&AgentView) -> bool,
) -> Vec<f32> {
    let bin = |at: f64| (at / BIN).floor() as i64;
    let mut bins: HashMap<(i64, i64), Vec<usize>> = HashMap::new();
    for (n, view) in views.iter().enumerate() {
        bins.entry((bin(view.x), bin(view.y))).or_default().push(n);
    }
    let deepest = |(n, view): (usize, &AgentView)| {
        let mut worst = 0.0_f32;
        for by in 0..9 {
            let key = (bin(view.x) + by % 3 - 1, bin(view.y) + by / 3 - 1);
            for &other in bins.get(&key).map_or(&[][..], Vec::as_slice) {
                let b = &views[other];
                if other == n || !with(b) {
                    continue;
                }
                worst = worst.max(overlap(view, b) / view.radius.min(b.radius));
            }
        }
        worst
    };
    views.iter().enumerate().filter(|(_, view)| counts(view)).map(deepest).collect()
}

/// How deep two outlines overlap, in cells; below zero when they are apart. Where their cores overlap it is
/// the depth of those, too.
pub fn overlap(a: &AgentView, b: &AgentView) -> f32 {
    let core = |view: &AgentView| view.half.map(|half| half - view.rounding);
    let (own, its) = (core(a), core(b));
    let apart = [(b.x - a.x).abs() as f32 - own[0] - its[0], (b.y - a.y).abs() as f32 - own[1] - its[1]];
    let distance = apart[0].max(0.0).hypot(apart[1].max(0.0));
    a.rounding + b.rounding - distance - apart[0].max(apart[1]).min(0.0)
}

/// The value below which so many parts of all lie.
pub fn percentile(values: &mut [f32], part: f64) -> f32 {
    values.sort_by(f32::total_cmp);
    let place = (values.len() as f64 * part) as usize;
    values.get(place.min(values.len().saturating_sub(1))).copied().unwrap_or(0.0)
}

/// Whether an agent moves: it walks, waits on its way or makes way where it has arrived.
pub fn moves(view: &AgentView) -> bool {
    walks(view) || view.vx != 0.0 || view.vy != 0.0
}

/// Whether an agent is on its way.
pub fn walks(view: &AgentView) -> bool {
    !matches!(view.state, AgentState::Idle | AgentState::Arrived | AgentState::Blocked)
}
