//! Places that are free of bodies, for what a game is about to add: what grids and spaces ask in one
//! way.
//!
//! Agents and crowds know the grid, not the grid them: [`see_bodies_by`] says who knows where bodies are.

use std::sync::OnceLock;

use godot::prelude::*;
use pathforge_core::crowd::Bodies;
use pathforge_core::geometry::CellRect;
use pathforge_core::guidance::free_places;

use super::PathForgeGrid;
use crate::engine::errors::{report, reported};
use crate::engine::state;
use crate::script::given::given;
use crate::script::profile::{Asker, ProfileArg};

/// Adds the bodies that are on a grid now.
type ShowBodies = fn(&Gd<PathForgeGrid>, &mut Bodies);

static SHOW_BODIES: OnceLock<ShowBodies> = OnceLock::new();

/// As the library starts: what knows the bodies in the scene tree.
pub fn see_bodies_by(show: ShowBodies) {
    SHOW_BODIES.get_or_init(|| show);
}

/// The centres, in cell space, of up to `count` free places on a grid, the nearest to `near` first; none
/// after an error, which names `method`. Bodies in the scene tree that are on a layer of the mask are seen.
/// With `within`, only these cells count. Nothing may be borrowed.
pub fn find(
    method: &str,
    grid: &Gd<PathForgeGrid>,
    (near, count): ((f64, f64), i64),
    (profile, avoidance_mask): (&ProfileArg, i64),
    within: Option<CellRect>,
) -> Vec<(f64, f64)> {
    let checked = given("count", count).at_least(0);
    let checked = checked.and_then(|count| Ok((count, given("avoidance_mask", avoidance_mask).flags()?)));
    let Some((count, mask)) = reported(method, checked) else { return Vec::new() };
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    if !state::is_main_thread() {
        report(method, "it looks at nodes, which only the main thread may do");
        return Vec::new();
    }
    let mut bodies = Bodies::default();
    if let Some(show) = SHOW_BODIES.get() {
        show(grid, &mut bodies);
    }
    let state = state::of(grid);
    let mode = state.lock().mode;
    let profile = Asker::of(profile, mode).profile;
    let (bodies, near) = ((bodies, mask), [near.0, near.1]);
    let part = within.and_then(|within| state.lock().part(within));
    let places = match part {
        Some(mut part) => free_places(&mut part, &profile, bodies, near, count),
        None => free_places(&mut state.lock().world, &profile, bodies, near, count),
    };
    places.into_iter().map(|[x, y]| (x, y)).collect()
}
