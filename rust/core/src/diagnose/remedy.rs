//! What would have to be otherwise for a refused query to have a path.

use crate::bitgrid::LocalRect;
use crate::geometry::CellRect;
use crate::terrain::{Capability, Terrain};
use crate::world::{PathQuery, Profile, Status, World};

/// The terrains on the cheapest way of a body that may enter all of them, which this one may not; none when that does not
/// help.
pub(super) fn barring_terrains(world: &mut World, query: &PathQuery) -> Vec<u8> {
    let profile = query.profile;
    if profile.capability == Capability::ALL {
        return Vec::new();
    }
    let everywhere =
        PathQuery { profile: Profile { capability: Capability::ALL, ..profile }, ..query.clone() };
    let outcome = world.find_path(&everywhere);
    if outcome.status != Status::Complete {
        return Vec::new();
    }
    let route = outcome.route;
    let terrain = world.terrain();
    let mut barring = Vec::new();
    route.for_each_cell(|anchor| {
        for cell in profile.footprint.at(anchor).cells() {
            let id = terrain.terrain(cell);
            if !profile.capability.contains(id) && !barring.contains(&id) {
                barring.push(id);
            }
        }
    });
    barring.sort_unstable();
    barring
}

/// The cells of the latest edit in the journal without which there would be a way: edits are taken back from the newest on,
/// by opening the cells in their rectangles, until there is one. Of edits that the journal has joined, the newest is taken
/// back first, then all of them.
pub(super) fn closing_edit(world: &World, query: &PathQuery) -> Option<CellRect> {
    let region = world.terrain().region();
    let journal = world.terrain().journal();
    let mut edits: Vec<LocalRect> = journal
        .since(journal.oldest().max(world.first_revision()))?
        .filter(|edit| edit.change.opens_or_closes())
        .flat_map(|edit| [edit.rect, edit.newest])
        .collect();
    // What changed most of the map at once made the map; nothing before it counts.
    let made_the_map = |rect: &LocalRect| rect.area() * 2 > region.area();
    let begin = edits.iter().rposition(made_the_map).map_or(0, |place| place + 1);
    edits.drain(..begin);
    // The earliest edits are taken back only if all are: who cannot be helped by that cannot be helped.
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
    // More opened cells never close a way, so the least number can be halved for.
    let (mut too_few, mut enough) = (0, edits.len());
    while enough - too_few > 1 {
        let middle = usize::midpoint(too_few, enough);
        if helps(middle) { enough = middle } else { too_few = middle }
    }
    Some(edits[edits.len() - enough].to_cells(region))
}

/// Makes the cells of `rect` such that the body may enter them.
fn open(terrain: &mut Terrain, rect: CellRect, profile: &Profile) {
    terrain.fill_solid(rect, false);
    let own = profile.capability.0.trailing_zeros();
    for cell in rect.cells() {
        if !profile.capability.contains(terrain.terrain(cell)) {
            // An id that the body may enter; without any there is no way to be had.
            let _ = terrain.fill_terrain(CellRect::cell(cell), i64::from(own));
        }
    }
    terrain.remove_obstacles_in(rect);
}
