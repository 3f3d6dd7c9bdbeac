//! What would give a refused query a path: terrains that the body may not enter, obstacles, edges, or an edit
//! without which there was one.

use crate::bitgrid::LocalRect;
use crate::geometry::{Cell, CellRect, Side};
use crate::terrain::{BodyEdges, Capability, IgnoredObstacles, Terrain};
use crate::world::{PathQuery, Profile, Status, World};

/// Returns the terrains that the body may not enter on the path of least cost of a body that may enter all,
/// in ascending order. Returns none if that body has no path either.
pub(super) fn barring_terrains(world: &mut World, query: &PathQuery) -> Vec<u8> {
    let profile = query.profile;
    // Nothing bars a body that may enter every terrain.
    if profile.capability == Capability::ALL {
        return Vec::new();
    }
    let cells = cells_on_path(world, query, &Profile { capability: Capability::ALL, ..profile });
    let terrains = cells.into_iter().map(|cell| world.terrain().terrain(cell));
    let mut barring: Vec<u8> = terrains.filter(|&id| !profile.capability.contains(id)).collect();
    barring.sort_unstable();
    barring.dedup();
    barring
}

/// Returns the cells under obstacles on the path of least cost of a body that walks through all of them, in
/// reading order. Returns none if that body has no path either.
pub(super) fn barring_obstacles(world: &mut World, query: &PathQuery) -> Vec<Cell> {
    let profile = query.profile;
    if !world.terrain().has_obstacles() || profile.ignored_obstacles.are_all() {
        return Vec::new();
    }
    let past_all = Profile { ignored_obstacles: IgnoredObstacles::ALL, ..profile };
    let mut barring = cells_on_path(world, query, &past_all);
    barring.retain(|&cell| world.terrain().is_blocked(cell, &profile.ignored_obstacles));
    barring.sort_unstable();
    barring.dedup();
    barring
}

/// An edge that a body cannot step over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BarringEdge {
    /// The cell that the step would leave.
    pub cell: Cell,
    /// The side over which it would lead.
    pub side: Side,
    /// Whether steps the other way are allowed.
    pub is_one_way: bool,
    /// Whether the heights close it, and nothing else.
    pub is_too_steep: bool,
}

/// Returns the closed edges that keep the body from its path of fewest cells on a flat map without edges,
/// from the start on. Returns none if there is no path either. Edges that it can go round do not count: a step
/// over an edge bars the body only if it cannot get to where the step ends.
pub(super) fn barring_edges(world: &mut World, query: &PathQuery) -> Vec<BarringEdge> {
    let climb = query.profile.climb;
    if !world.terrain().edges_for(climb).exist() {
        return Vec::new();
    }
    let Profile { footprint, capability, diagonal_mode, ignored_obstacles, .. } = query.profile;
    // A world of its own has no influences, and costs do not matter here. Without a limit it climbs anything.
    let profile = Profile { footprint, capability, diagonal_mode, ignored_obstacles, ..Profile::default() };
    let mut terrain = world.terrain().clone();
    terrain.open_steps_out_of(terrain.region());
    let open = World::from_terrain(terrain).find_path(&PathQuery { profile, ..query.clone() });
    if open.status != Status::Complete {
        return Vec::new();
    }
    let mut barring = Vec::new();
    for step in open.route.cells().windows(2) {
        let &[from, to] = step else { continue };
        if open.route.link_ends().any(|(ends, _)| ends == [from, to]) {
            continue;
        }
        let crossed = blocked_between(world.terrain().edges_for(climb), footprint.at(from), footprint.at(to));
        let there = PathQuery {
            profile: Profile { climb, ..profile },
            ..PathQuery::new(query.start, to, query.profile)
        };
        if !crossed.is_empty() && !world.is_reachable(&there) {
            barring.extend(crossed.into_iter().filter(|edge| !barring.contains(edge)).collect::<Vec<_>>());
        }
    }
    barring
}

/// Returns the edges of `closed` that block a step of a body from the cells of `from` to those of `to`. A
/// diagonal step has two ways around its corner, and the edges of both count.
fn blocked_between(closed: BodyEdges<'_>, from: CellRect, to: CellRect) -> Vec<BarringEdge> {
    let beside = |x: i32, y: i32| CellRect { x, y, ..from };
    let steps = [
        (from, beside(to.x, from.y)),
        (beside(to.x, from.y), to),
        (from, beside(from.x, to.y)),
        (beside(from.x, to.y), to),
    ];
    let sides = |(a, b): (CellRect, CellRect)| {
        let sides =
            Side::ALL.into_iter().filter(move |side| side.beyond(Cell::new(a.x, a.y)) == Cell::new(b.x, b.y));
        sides
            .flat_map(move |side| a.cells().map(move |cell| (cell, side)))
            .filter(move |&(cell, side)| !a.contains(side.beyond(cell)))
    };
    let edges = steps.into_iter().flat_map(sides).filter(|&(cell, side)| closed.is_closed(cell, side));
    let mut barring: Vec<BarringEdge> = Vec::new();
    for (cell, side) in edges {
        let is_one_way = !closed.is_wall(cell, side);
        let edge = BarringEdge { cell, side, is_one_way, is_too_steep: !closed.is_blocked(cell, side) };
        if !barring.contains(&edge) {
            barring.push(edge);
        }
    }
    barring
}

/// Returns the cells that the body of `profile` covers on its complete path, if it has one; some of them more
/// than once.
fn cells_on_path(world: &mut World, query: &PathQuery, profile: &Profile) -> Vec<Cell> {
    let outcome = world.find_path(&PathQuery { profile: *profile, ..query.clone() });
    if outcome.status != Status::Complete {
        return Vec::new();
    }
    outcome.route.cells().into_iter().flat_map(|anchor| profile.footprint.at(anchor).cells()).collect()
}

/// Returns the cells of the latest edit in the journal without which there would be a path. Edits are undone
/// from the newest on, by opening the cells in their rectangles, until there is one. Of edits that the
/// journal has joined, the newest is undone first, then all of them.
pub(super) fn closing_edit(world: &World, query: &PathQuery) -> Option<CellRect> {
    let region = world.terrain().region();
    let journal = world.terrain().journal();
    let mut edits: Vec<LocalRect> = journal
        .since(journal.oldest().max(world.first_revision()))?
        .filter(|edit| edit.change.opens_or_closes())
        // Read from the end: the newest edit of a joined entry, then the whole entry.
        .flat_map(|edit| [edit.rect, edit.newest])
        .collect();
    // What changed most of the map at once made the map; nothing before it counts.
    let made_the_map = |rect: &LocalRect| rect.area() * 2 > region.area();
    let begin = edits.iter().rposition(made_the_map).map_or(0, |place| place + 1);
    edits.drain(..begin);
    // The earliest edits are taken back only if all are: where that does not help, nothing does.
    let helps = |count: usize| {
        let mut before = World::from_terrain(world.terrain().clone());
        for rect in edits.iter().rev().take(count) {
            open(before.terrain_mut(), rect.to_cells(region), &query.profile);
        }
        before.is_reachable(query)
    };
    if edits.is_empty() || !helps(edits.len()) {
        return None;
    }
    // Opening more cells never closes a path, so the least number of edits is found by bisection.
    let (mut too_few, mut enough) = (0, edits.len());
    while enough - too_few > 1 {
        let middle = usize::midpoint(too_few, enough);
        if helps(middle) { enough = middle } else { too_few = middle }
    }
    Some(edits[edits.len() - enough].to_cells(region))
}

/// Makes the cells of `rect` such that the body may enter them, and opens the edges for
/// steps out of them.
fn open(terrain: &mut Terrain, rect: CellRect, profile: &Profile) {
    terrain.fill_solid(rect, false);
    terrain.open_steps_out_of(rect);
    let own = profile.capability.0.trailing_zeros();
    for cell in rect.cells() {
        if !profile.capability.contains(terrain.terrain(cell)) {
            // An id that the body may enter. If it may enter none, the id is out of range and the edit
            // refused: there is no path.
            let _ = terrain.fill_terrain(CellRect::cell(cell), i64::from(own));
        }
    }
    terrain.remove_obstacles_in(rect);
}
