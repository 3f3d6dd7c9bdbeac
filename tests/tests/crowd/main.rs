//! What a crowd promises: it is never in a wall, does not overlap, passes exits and corridors, settles, and
//! does the same everywhere.

mod arrival;
mod detours;
mod driven;
mod edges;
mod flows;
mod formations;
mod hostile;
mod jams;
mod layers;
mod links;
mod march;
mod orders;
mod outlines;
mod passages;
mod priorities;
mod reorders;
mod rooms;
mod same;
mod settling;
mod town;
mod truth;
mod walls;

/// Whether long runs are wanted: more seeds, more agents, more time.
fn is_long() -> bool {
    std::env::var("PATHFORGE_EFFORT").is_ok_and(|effort| effort.parse().is_ok_and(|effort: u32| effort > 1))
}
