//! A crowd with what leads it on a map, as a game has it: agents are sent to cells, and fields and paths come
//! from the world.

use std::sync::Arc;

use pathforge_core::crowd::{AgentSpec, Blockage, Crowd, CrowdNews, CrowdSettings, MarchShape};
use pathforge_core::geometry::Cell;
use pathforge_core::guidance::{CrowdMap, Guidance, default_radius, kind_of};
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{Profile, Workers, World};

const STEP: f64 = 1.0 / 60.0;

/// A crowd on a map.
#[derive(Debug)]
pub struct Game {
    /// The map.
    pub world: World,
    /// The agents.
    pub crowd: Crowd,
    /// What leads them.
    pub guidance: Guidance,
}

/// Workers that have nothing to do: the fields of a crowd are made at once.
struct NoWorkers;

impl Workers for NoWorkers {
    fn count(&self) -> usize {
        1
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        work();
    }
}

impl Game {
    /// A map without agents.
    pub fn new(terrain: Terrain) -> Self {
        let world = World::from_terrain(terrain);
        Self { world, crowd: Crowd::new(CrowdSettings::default()), guidance: Self::guidance() }
    }

    /// What leads a crowd that was sent nowhere.
    pub fn guidance() -> Guidance {
        Guidance::new(Arc::new(NoWorkers))
    }

    /// Adds an agent with its top-left cell on `anchor`; `None` where there is no room.
    pub fn add(&mut self, anchor: Cell, profile: &Profile, speed: f32) -> Option<u32> {
        let known = self.guidance.profiles().iter().position(|known| known == profile);
        let number = known.map_or_else(|| self.guidance.add_profile(profile), |number| number as u16);
        let kind = self.crowd.kind(kind_of(profile));
        let center = |at: i32, side: i32| f64::from(at) + f64::from(side) / 2.0;
        let (x, y) = (center(anchor.x, profile.footprint.w()), center(anchor.y, profile.footprint.h()));
        let spec = AgentSpec { x, y, kind, speed, radius: default_radius(profile) as f32 };
        let layers = self.on_map(|guidance, crowd, map| guidance.layers(crowd, map));
        let id = layers.with(&[], |ground| self.crowd.add(ground, &[spec]))[0]?;
        self.guidance.note_profile(id, number);
        Some(id)
    }

    /// Puts an agent at a position; returns where it is then.
    pub fn place(&mut self, id: u32, x: f64, y: f64) -> Option<(f64, f64)> {
        let layers = self.on_map(|guidance, crowd, map| guidance.layers(crowd, map));
        layers.with(&[], |ground| self.crowd.set_position(id, x, y, ground))
    }

    /// Calls `work` with all of it.
    pub fn on_map<T>(&mut self, work: impl FnOnce(&mut Guidance, &mut Crowd, &mut CrowdMap<'_>) -> T) -> T {
        work(&mut self.guidance, &mut self.crowd, &mut CrowdMap { id: 1, world: &mut self.world })
    }

    /// Sends agents to a cell.
    pub fn send(&mut self, ids: &[u32], cell: Cell) -> usize {
        self.on_map(|guidance, crowd, map| guidance.send(crowd, map, ids, cell))
    }

    /// Sends agents to a cell in a shape.
    pub fn march(&mut self, ids: &[u32], cell: Cell, shape: MarchShape) -> usize {
        self.on_map(|guidance, crowd, map| guidance.march(crowd, map, ids, cell, shape))
    }

    /// What keeps an agent from its goal.
    pub fn blockage(&mut self, id: u32) -> Option<Blockage> {
        let layers = self.on_map(|guidance, crowd, map| guidance.layers(crowd, map));
        self.guidance.blockage(&mut self.crowd, &layers, &[], id)
    }

    /// Steps by 1/60 s.
    ///
    /// # Panics
    /// Never, as the step has a length.
    pub fn step(&mut self) -> CrowdNews {
        let layers = self.on_map(|guidance, crowd, map| {
            guidance.update(crowd, map);
            guidance.layers(crowd, map)
        });
        self.guidance.step(&mut self.crowd, &layers, &[], STEP).expect("a length")
    }
}
