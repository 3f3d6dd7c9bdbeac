//! Which links would give a refused query a path, if the body could take them.

use crate::geometry::{Cell, Footprint};
use crate::terrain::{Capability, Link};
use crate::world::{PathQuery, Profile, Status, World};

/// A link that a body cannot take.
#[derive(Clone, PartialEq, Debug)]
pub struct BarringLink {
    /// The number of the link.
    pub id: u32,
    /// The cell where the body would enter it.
    pub from: Cell,
    /// The cell where it would come out.
    pub to: Cell,
    /// Why it cannot.
    pub bar: LinkBar,
}

/// Why a body cannot take a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkBar {
    /// The link is disabled.
    Disabled,
    /// The body may enter none of the link's terrains.
    Terrain,
    /// The link takes bodies up to this footprint.
    TooLarge(Footprint),
    /// The link leads the other way only.
    OneWay,
}

/// Returns the links that the body cannot take on its path of least cost, if it could take all of them both
/// ways. Returns none if there is no path either. Links that it can go round do not count.
pub(super) fn barring_links(world: &mut World, query: &PathQuery) -> Vec<BarringLink> {
    let ids = world.terrain().link_ids();
    if ids.is_empty() {
        return Vec::new();
    }
    let mut terrain = world.terrain().clone();
    for &id in &ids {
        if let Ok(link) = terrain.link(id.into()).cloned() {
            let (terrains, footprint_max) = (Capability::ALL, Footprint::LARGEST);
            let open = Link { is_enabled: true, is_two_way: true, terrains, footprint_max, ..link };
            // Its cells and its cost are those of a link of the map.
            terrain.set_link(id.into(), open).ok();
        }
    }
    let Profile { footprint, capability, diagonal_mode, ignored_obstacles, climb, .. } = query.profile;
    // A world of its own has no influences, and its heights are those of the map.
    let profile =
        Profile { footprint, capability, diagonal_mode, ignored_obstacles, climb, ..Profile::default() };
    let open = World::from_terrain(terrain).find_path(&PathQuery { profile, ..query.clone() });
    if open.status != Status::Complete {
        return Vec::new();
    }
    let mut barring = Vec::new();
    for ([from, to], id) in open.route.link_ends() {
        let Ok(link) = world.terrain().link(id.into()).cloned() else { continue };
        let leads_back = from.offset(link.to.x - link.from.x, link.to.y - link.from.y) != to;
        let Some(bar) = bar_of(&link, &query.profile, leads_back) else { continue };
        let there = PathQuery::new(query.start, to, query.profile);
        if !world.is_reachable(&there) {
            let [from, to] = if leads_back { [link.to, link.from] } else { [link.from, link.to] };
            barring.push(BarringLink { id, from, to, bar });
        }
    }
    barring
}

/// Returns why a body cannot take a link, to its start where `leads_back`.
fn bar_of(link: &Link, profile: &Profile, leads_back: bool) -> Option<LinkBar> {
    let (body, most) = (profile.footprint, link.footprint_max);
    match () {
        () if !link.is_enabled => Some(LinkBar::Disabled),
        () if link.terrains.0 & profile.capability.0 == 0 => Some(LinkBar::Terrain),
        () if body.w() > most.w() || body.h() > most.h() => Some(LinkBar::TooLarge(most)),
        () if leads_back && !link.is_two_way => Some(LinkBar::OneWay),
        () => None,
    }
}
