//! A map together with a planner of jump paths on it.

use pathforge_core::geometry::{Cell, Footprint};
use pathforge_core::surfaces::BodyLayers;
use pathforge_core::terrain::Terrain;
use pathforge_core::world::World;
use pathforge_platformer::{
    FlightLayers, FlightOutcome, FlightQuery, Flyers, Platformer, PlatformerOutcome, PlatformerQuery,
};

/// Answers queries for jump paths on one map.
pub struct Jumps {
    /// The map.
    pub world: World,
    platformer: Platformer,
    flyers: Flyers,
}

impl Jumps {
    /// Returns a planner on `terrain`.
    pub fn new(terrain: Terrain) -> Self {
        let world = World::from_terrain(terrain);
        Self { world, platformer: Platformer::default(), flyers: Flyers::default() }
    }

    /// Returns the cells.
    pub const fn terrain(&self) -> &Terrain {
        self.world.terrain()
    }

    /// Returns the layers of a body, up to date.
    pub fn layers(&mut self, footprint: Footprint) -> BodyLayers {
        self.world.body_layers(footprint)
    }

    /// Answers a query.
    pub fn find_path(&mut self, query: &PlatformerQuery) -> PlatformerOutcome {
        let layers = self.world.body_layers(query.profile.footprint);
        self.platformer.find_path(&layers, query)
    }

    /// Answers a query of a body with physics.
    pub fn find_flights(&mut self, query: &FlightQuery) -> FlightOutcome {
        let footprint = query.character.footprint().unwrap_or_default();
        let (body, cells) = (self.layers(footprint), self.layers(Footprint::ONE));
        let (floors, terrains) = (self.terrain().floors(), self.terrain().shared_ids());
        self.flyers.find_path(&FlightLayers { body, cells, floors, terrains }, query)
    }

    /// Returns the cells at which a body stands on ground.
    pub fn stands(&mut self, footprint: Footprint) -> Vec<Cell> {
        let layers = self.world.body_layers(footprint);
        self.terrain().region().cells().filter(|&cell| layers.stands_at(cell)).collect()
    }
}
