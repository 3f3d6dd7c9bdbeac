//! Scenes that judge how a crowd moves, and what is measured of each. They use what games use, and read
//! nothing that a crowd keeps to itself: two revisions of the crowd can be compared by them.

pub mod arena;
pub mod bound;
pub mod costs;
pub mod gathering;
pub mod measures;
pub mod meeting;
pub mod passing;
pub mod verdict;

pub use verdict::Verdict;

/// A scene: the same bodies and orders for a seed.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// Its name.
    pub name: &'static str,
    /// Plays and judges it.
    pub play: fn(u64) -> Verdict,
    /// It has ten thousand bodies, and takes minutes.
    pub is_big: bool,
}

/// All scenes.
pub const SCENES: &[Scene] = &[
    Scene::small("corners", meeting::corners),
    Scene::small("crossing", meeting::crossing),
    Scene::small("pocket", meeting::pocket),
    Scene::small("serpent", meeting::serpent),
    Scene::small("one-room", meeting::one_room),
    Scene::small("gate", meeting::gate),
    Scene::small("rooms", meeting::rooms),
    Scene::small("lane", meeting::lane),
    Scene::small("corridor", meeting::corridor),
    Scene::small("exit", meeting::exit),
    Scene::small("anew", meeting::anew),
    Scene::small("anew-city", meeting::anew_in_a_city),
    Scene::small("detour", passing::detour),
    Scene::small("swallow", passing::swallow),
    Scene::small("swallow-tower", passing::swallow_past_a_tower),
    Scene::small("shake", passing::shake),
    Scene::small("shake-nodes", passing::shake_nodes),
    Scene::small("places", passing::places),
    Scene::small("places-nodes", passing::places_of_nodes),
    Scene::small("gather-open", |seed| gathering::three_orders("open", seed)),
    Scene::small("gather-city", |seed| gathering::three_orders("city", seed)),
    Scene::small("gather-caves", |seed| gathering::three_orders("caves", seed)),
    Scene::small("gather-alleys", |seed| gathering::three_orders("alleys", seed)),
    Scene::small("gather-rooms", |seed| gathering::three_orders("rooms", seed)),
    Scene::small("gather-maze", |seed| gathering::three_orders("maze", seed)),
    Scene::small("rise-open", |seed| gathering::walls_rise("open", seed)),
    Scene::small("rise-city", |seed| gathering::walls_rise("city", seed)),
    Scene::small("gaps-open", |seed| gathering::two_gaps("open", seed)),
    Scene::small("gaps-city", |seed| gathering::two_gaps("city", seed)),
    Scene::big("big-open", |seed| gathering::ten_thousand("open", seed)),
    Scene::big("big-city", |seed| gathering::ten_thousand("city", seed)),
    Scene::big("big-gaps", gathering::ten_thousand_and_two_gaps),
];

impl Scene {
    const fn small(name: &'static str, play: fn(u64) -> Verdict) -> Self {
        Self { name, play, is_big: false }
    }

    const fn big(name: &'static str, play: fn(u64) -> Verdict) -> Self {
        Self { name, play, is_big: true }
    }
}
