//! What is recorded: a crowd that is stepped, on a scene of the tests, or on a map that a game has saved.

use pathforge_core::bytes::Reader;
use pathforge_core::crowd::Crowd;
use pathforge_core::guidance::SavedGuidance;
use pathforge_core::terrain::Terrain;

use crate::game::Game;
use crate::gathering::Gathering;
use crate::hall::Hall;
use crate::halls::{DRIVEN_SPEED, Sizes, corridor, crossing, exit, lane, tanks};

const STEP: f64 = 1.0 / 60.0;
const SEED: u64 = 1;

/// The scenes by name.
pub const SCENES: [&str; 9] =
    ["exit", "corridor", "lane", "crossing", "open_crossing", "tanks", "gate", "field", "caves"];

/// A crowd that is stepped.
#[derive(Debug)]
pub enum Replay {
    /// On a scene of the tests, with the ids of driven agents.
    Scene(Box<Hall>, Vec<u32>),
    /// On a map of a game.
    Game(Box<Game>),
}

impl Replay {
    /// Returns a scene of the tests; `None` for a name that is not of [`SCENES`].
    pub fn scene(name: &str) -> Option<Self> {
        let by_itself = |hall: Hall| (hall, Vec::new());
        let (hall, driven) = match name {
            "exit" => by_itself(exit(SEED, Sizes::Mixed, 150)),
            "corridor" => by_itself(corridor(SEED, 3, 20, 25, Sizes::Small)),
            "lane" => by_itself(lane(SEED, 1, [3, 3], 1)),
            "crossing" => crossing(SEED, false, false),
            "open_crossing" => crossing(SEED, true, false),
            "tanks" => tanks(),
            "gate" => by_itself(Gathering::readme(SEED, Sizes::Mixed, 150, true).hall),
            "field" => by_itself(Gathering::readme(SEED, Sizes::Mixed, 150, false).hall),
            "caves" => by_itself(Gathering::in_caves(SEED, 150, 80, 60).hall),
            _ => return None,
        };
        Some(Self::Scene(Box::new(hall), driven))
    }

    /// Returns what a game has saved by `PathForgeGrid.to_bytes` and `PathForgeCrowd.to_bytes`. Agents that
    /// follow fields of other nodes stop, as these are not saved.
    ///
    /// # Errors
    /// When the bytes are not those.
    pub fn game(map: &[u8], crowd: &[u8]) -> Result<Self, String> {
        let terrain = Terrain::from_bytes(map).map_err(|error| format!("the map: {error}"))?;
        let saved = Reader::new(crowd, SavedGuidance::GAME_MARK)
            .and_then(|mut reader| SavedGuidance::read(&mut reader));
        let saved = saved.map_err(|error| format!("the crowd: {error}"))?;
        let mut guidance = Game::guidance();
        let crowd = guidance.restore(saved);
        Ok(Self::Game(Box::new(Game { crowd, guidance, ..Game::new(terrain) })))
    }

    /// Takes over a crowd that was saved in the same scene.
    ///
    /// # Errors
    /// When the bytes are not a saved crowd.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), String> {
        *self.crowd() = Crowd::from_bytes(bytes).map_err(|error| format!("the crowd: {error}"))?;
        Ok(())
    }

    /// Returns the crowd as bytes.
    pub fn saved(&mut self) -> Vec<u8> {
        self.crowd().to_bytes()
    }

    /// Returns the crowd.
    pub fn crowd(&mut self) -> &mut Crowd {
        match self {
            Self::Scene(hall, _) => &mut hall.crowd,
            Self::Game(game) => &mut game.crowd,
        }
    }

    /// Returns the map.
    pub fn terrain(&self) -> &Terrain {
        match self {
            Self::Scene(hall, _) => &hall.terrain,
            Self::Game(game) => game.world.terrain(),
        }
    }

    /// Steps by 1/60 s.
    ///
    /// # Panics
    /// Never, as the step has a length.
    pub fn step(&mut self) {
        match self {
            Self::Scene(hall, driven) => {
                hall.drive(driven, DRIVEN_SPEED, STEP);
            }
            Self::Game(game) => drop(game.step()),
        }
    }
}

#[cfg(test)]
mod tests {
    use pathforge_core::geometry::Cell;

    use super::*;

    #[test]
    fn every_scene_has_agents_that_are_stepped() {
        for name in SCENES {
            let mut replay = Replay::scene(name).expect(name);
            assert!(!replay.crowd().is_empty(), "{name}");
            replay.step();
        }
    }

    #[test]
    fn what_a_game_has_saved_is_replayed() {
        let terrain = Terrain::from_text("....\n....\n", Cell::default()).expect("a map");
        let mut bytes = SavedGuidance::GAME_MARK.as_bytes().to_vec();
        Game::guidance().write(&Crowd::default(), &mut bytes);
        let mut replay = Replay::game(&terrain.to_bytes(), &bytes).expect("it was saved");
        replay.step();
        assert_eq!(replay.terrain().state_hash(), terrain.state_hash());
        assert!(Replay::game(&bytes, &bytes).is_err());
        assert!(Replay::game(&terrain.to_bytes(), &bytes[..9]).is_err());
    }
}
