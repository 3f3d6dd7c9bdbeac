//! Links: steps between two cells that need not be neighbours, such as ladders, portals and ferries.

use std::convert::Infallible;
use std::fmt::Display;
use std::sync::Arc;

use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::{Capability, Link, LinkError};

use super::PathForgeGrid;
use super::map::Map;
use crate::engine::errors::reported;
use crate::engine::state;
use crate::script::convert::{self, NO_CELL, cell, vector};
use crate::script::given::given;
use crate::script::link_values::{BY_LENGTH, given_cost, given_seconds, given_tag};

/// What stands for no link.
pub const NO_LINK: i64 = -1;

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Adds a link: a step from one cell to another that need not be its neighbour, such as a ladder, a portal
    /// or a ferry. Returns its id, 0 or more, or −1 after an error. An id is never given again.
    ///
    /// `cost` is what the step costs, in cell widths: from 1/70 to 100000, or −1 for what the straight way over
    /// open cells costs. A link that costs less than that is a short cut, such as a portal. With
    /// `bidirectional`, the link leads back at the same cost.
    ///
    /// - A body takes a link where one of its cells covers the link's start. It comes out with the same cell
    ///   over the link's end.
    /// - A body does not take a link if it does not fit at one of both places.
    /// - Walls, blocked edges and ground between the ends do not matter.
    /// - Paths, ranges, flow fields, agents and crowds take links. The bodies of a [PathForgePlatformer] do
    ///   not. [constant PathForgeProfile.SEARCH_HIERARCHICAL] searches cells instead of clusters for bodies that take
    ///   links.
    ///
    /// A link stays when cells become solid or open. It is in saved cells and in [method state_hash]. A change
    /// of [member region] removes links that reach outside. At most 65536 links are kept. [signal cells_changed]
    /// is emitted for each end.
    ///
    /// ```gdscript
    /// var ladder := grid.add_link(Vector2i(4, 9), Vector2i(4, 3), 8.0)
    /// grid.set_link_tag(ladder, "ladder")
    /// var chute := grid.add_link(Vector2i(12, 2), Vector2i(30, 20), 2.0, false) # Down only.
    /// ```
    #[func(gd_self)]
    fn add_link(
        this: Gd<Self>,
        from: Vector2i,
        to: Vector2i,
        #[opt(default = BY_LENGTH)] cost: f64,
        #[opt(default = true)] bidirectional: bool,
    ) -> i64 {
        let method = "PathForgeGrid.add_link";
        let Some(cost) = reported(method, given_cost(given("cost", cost))) else { return NO_LINK };
        let straight = Link::new(cell(from), cell(to));
        let cost = cost.unwrap_or(straight.cost);
        Self::put_link(this, method, Link { cost, is_two_way: bidirectional, ..straight })
    }

    /// Removes a link. Returns [code]false[/code] if there is no link of this id.
    #[func(gd_self)]
    pub fn remove_link(this: Gd<Self>, id: i64) -> bool {
        let mut is_known = false;
        Self::change_links(this, "PathForgeGrid.remove_link", |map| {
            let Ok(Link { from, to, .. }) = map.world.terrain_mut().remove_link(id) else {
                return Ok::<_, Infallible>(Vec::new());
            };
            is_known = true;
            map.link_owners.remove(&id);
            Ok(vec![from, to])
        });
        is_known
    }

    /// Returns [code]true[/code] if there is a link of this id.
    #[func(gd_self)]
    fn has_link(this: Gd<Self>, id: i64) -> bool {
        state::of(&this).lock().world.terrain().link(id).is_ok()
    }

    /// Returns the ids of all links, in ascending order.
    ///
    /// ```gdscript
    /// for id: int in grid.get_link_ids():
    ///     if grid.get_link_tag(id) == &"portal":
    ///         grid.set_link_enabled(id, is_night)
    /// ```
    #[func(gd_self)]
    fn get_link_ids(this: Gd<Self>) -> PackedInt32Array {
        let ids = state::of(&this).lock().world.terrain().link_ids();
        ids.into_iter().map(u32::cast_signed).collect()
    }

    /// Returns the [PathForgeLink2D] or [PathForgeLink3D] that a link belongs to. It is `null` for a link that
    /// a script added, and if there is no link of this id.
    #[func(gd_self)]
    fn get_link_owner(this: Gd<Self>, id: i64) -> Option<Gd<Object>> {
        let owner = state::of(&this).lock().link_owner(id)?;
        Gd::try_from_instance_id(owner).ok()
    }

    /// Enables or disables a link. Bodies do not take a disabled one, such as a drawbridge that is up.
    #[func(gd_self)]
    fn set_link_enabled(this: Gd<Self>, id: i64, enabled: bool) {
        Self::edit_link(this, "PathForgeGrid.set_link_enabled", id, |link| link.is_enabled = enabled);
    }

    /// Returns [code]true[/code] if a link is enabled; `false` and an error without a link of this id.
    #[func(gd_self)]
    fn is_link_enabled(this: Gd<Self>, id: i64) -> bool {
        Self::read_link(&this, "PathForgeGrid.is_link_enabled", id, false, |link| link.is_enabled)
    }

    /// Sets whether a link leads both ways, at the same cost, or from its start to its end only.
    #[func(gd_self)]
    fn set_link_bidirectional(this: Gd<Self>, id: i64, bidirectional: bool) {
        let method = "PathForgeGrid.set_link_bidirectional";
        Self::edit_link(this, method, id, |link| link.is_two_way = bidirectional);
    }

    /// Returns [code]true[/code] if a link leads both ways; `false` and an error without a link of this id.
    #[func(gd_self)]
    fn is_link_bidirectional(this: Gd<Self>, id: i64) -> bool {
        Self::read_link(&this, "PathForgeGrid.is_link_bidirectional", id, false, |link| link.is_two_way)
    }

    /// Moves a link's start to another cell of the region, which is not the link's end. Its cost stays: see
    /// [method set_link_cost].
    #[func(gd_self)]
    fn set_link_start(this: Gd<Self>, id: i64, start: Vector2i) {
        Self::edit_link(this, "PathForgeGrid.set_link_start", id, |link| link.from = cell(start));
    }

    /// The cell where a link begins; `Vector2i.MIN` and an error without a link of this id.
    #[func(gd_self)]
    fn get_link_start(this: Gd<Self>, id: i64) -> Vector2i {
        Self::read_link(&this, "PathForgeGrid.get_link_start", id, NO_CELL, |link| vector(link.from))
    }

    /// Moves a link's end to another cell of the region, which is not the link's start. Its cost stays: see
    /// [method set_link_cost].
    #[func(gd_self)]
    fn set_link_end(this: Gd<Self>, id: i64, end: Vector2i) {
        Self::edit_link(this, "PathForgeGrid.set_link_end", id, |link| link.to = cell(end));
    }

    /// The cell where a link ends; `Vector2i.MIN` and an error without a link of this id.
    #[func(gd_self)]
    fn get_link_end(this: Gd<Self>, id: i64) -> Vector2i {
        Self::read_link(&this, "PathForgeGrid.get_link_end", id, NO_CELL, |link| vector(link.to))
    }

    /// Sets what a link costs, in cell widths: from 1/70 to 100000, kept in steps of 1/70. −1 is what the
    /// straight way over open cells costs between the present ends.
    #[func(gd_self)]
    fn set_link_cost(this: Gd<Self>, id: i64, cost: f64) {
        Self::try_edit_link(this, "PathForgeGrid.set_link_cost", id, |link| {
            let cost = given_cost(given("cost", cost))?;
            link.cost = cost.unwrap_or_else(|| Link::new(link.from, link.to).cost);
            Ok(())
        });
    }

    /// What a link costs, in cell widths; `INF` and an error without a link of this id.
    #[func(gd_self)]
    fn get_link_cost(this: Gd<Self>, id: i64) -> f64 {
        Self::read_link(&this, "PathForgeGrid.get_link_cost", id, f64::INFINITY, |link| link.cost.cells())
    }

    /// Sets which bodies take a link, as a mask of the 32 terrains: bodies that may enter at least one of its
    /// terrains, see [member PathForgeProfile.terrain_mask]. The terrains of both ends do not change. By default
    /// all bodies take it.
    ///
    /// ```gdscript
    /// const WATER := 1
    /// grid.set_link_terrains(canal_lock, 1 << WATER) # For boats.
    /// ```
    #[func(gd_self)]
    fn set_link_terrains(this: Gd<Self>, id: i64, terrains: i64) {
        Self::try_edit_link(this, "PathForgeGrid.set_link_terrains", id, |link| {
            link.terrains = Capability(given("terrains", terrains).flags()?);
            Ok(())
        });
    }

    /// The mask of terrains that [method set_link_terrains] has set; 0 and an error without a link of this id.
    #[func(gd_self)]
    fn get_link_terrains(this: Gd<Self>, id: i64) -> i64 {
        let method = "PathForgeGrid.get_link_terrains";
        Self::read_link(&this, method, id, 0, |link| i64::from(link.terrains.0))
    }

    /// Sets the largest footprint that takes a link, in cells, 1 to 64 each way. By default it is 64×64.
    #[func(gd_self)]
    fn set_link_max_footprint(this: Gd<Self>, id: i64, max_footprint: Vector2i) {
        Self::try_edit_link(this, "PathForgeGrid.set_link_max_footprint", id, |link| {
            let footprint = convert::footprint(max_footprint);
            link.footprint_max = footprint.map_err(|problem| format!("max_footprint: {problem}"))?;
            Ok(())
        });
    }

    /// The largest footprint that takes a link; `Vector2i(0, 0)` and an error without a link of this id.
    #[func(gd_self)]
    fn get_link_max_footprint(this: Gd<Self>, id: i64) -> Vector2i {
        let method = "PathForgeGrid.get_link_max_footprint";
        Self::read_link(&this, method, id, Vector2i::ZERO, |link| convert::size(link.footprint_max))
    }

    /// Sets how many bodies are on a link at a time, 0 for any number. Paths do not count the bodies on a link.
    #[func(gd_self)]
    fn set_link_capacity(this: Gd<Self>, id: i64, capacity: i64) {
        Self::try_edit_link(this, "PathForgeGrid.set_link_capacity", id, |link| {
            link.bodies_max = given("capacity", capacity).within_u32(0..=u32::MAX)?;
            Ok(())
        });
    }

    /// How many bodies are on a link at a time, 0 for any number; 0 and an error without a link of this id.
    #[func(gd_self)]
    fn get_link_capacity(this: Gd<Self>, id: i64) -> i64 {
        Self::read_link(&this, "PathForgeGrid.get_link_capacity", id, 0, |link| i64::from(link.bodies_max))
    }

    /// Sets how long a body is on a link, in seconds, from 0 to 600. −1 is the time that the straight line
    /// takes at the body's own speed. The time does not change the link's cost.
    #[func(gd_self)]
    fn set_link_seconds(this: Gd<Self>, id: i64, seconds: f64) {
        Self::try_edit_link(this, "PathForgeGrid.set_link_seconds", id, |link| {
            link.seconds = given_seconds(given("seconds", seconds))?;
            Ok(())
        });
    }

    /// How long a body is on a link, in seconds, −1 at its own speed; −1 and an error without a link of this
    /// id.
    #[func(gd_self)]
    fn get_link_seconds(this: Gd<Self>, id: i64) -> f64 {
        let seconds = |link: &Link| link.seconds.map_or(BY_LENGTH, f64::from);
        Self::read_link(&this, "PathForgeGrid.get_link_seconds", id, BY_LENGTH, seconds)
    }

    /// Sets what a link is to the game, such as `&"ladder"`: at most 255 bytes, which are not used for paths.
    #[func(gd_self)]
    fn set_link_tag(this: Gd<Self>, id: i64, tag: StringName) {
        Self::try_edit_link(this, "PathForgeGrid.set_link_tag", id, |link| {
            link.tag = given_tag(&tag).map_err(|problem| problem.to_string())?;
            Ok(())
        });
    }

    /// What a link is to the game; empty and an error without a link of this id.
    #[func(gd_self)]
    fn get_link_tag(this: Gd<Self>, id: i64) -> StringName {
        let tag = Self::read_link(&this, "PathForgeGrid.get_link_tag", id, Arc::from(""), |link| {
            Arc::clone(&link.tag)
        });
        StringName::from(&*tag)
    }
}

impl PathForgeGrid {
    /// Adds a link and returns its id, [`NO_LINK`] after an error.
    pub fn put_link(this: Gd<Self>, method: &str, link: Link) -> i64 {
        let mut id = NO_LINK;
        Self::change_links(this, method, |map| {
            let ends = vec![link.from, link.to];
            id = map.world.terrain_mut().add_link(link)?.into();
            Ok::<_, LinkError>(ends)
        });
        id
    }

    /// Adds the link of a node and returns its id. A link like it that was loaded and has no node becomes the
    /// node's instead.
    pub fn add_owned_link(this: Gd<Self>, link: Link, owner: InstanceId) -> Result<i64, LinkError> {
        let mut added = Ok(NO_LINK);
        Self::change_links(this, "", |map| {
            let loaded = map.take_loaded_link(&link);
            let ends = if loaded.is_some() { Vec::new() } else { vec![link.from, link.to] };
            added = loaded.map_or_else(|| Ok(map.world.terrain_mut().add_link(link)?.into()), Ok);
            let Ok(id) = added else { return Ok::<_, Infallible>(Vec::new()) };
            map.link_owners.insert(id, owner);
            Ok(ends)
        });
        added
    }

    /// Changes the link of a node.
    pub fn change_owned_link(this: Gd<Self>, id: i64, link: Link) -> Result<(), LinkError> {
        let mut changed = Ok(());
        Self::change_links(this, "", |map| {
            let ends = map.set_link(id, link);
            changed = ends.as_ref().map(drop).map_err(|problem| *problem);
            Ok::<_, Infallible>(ends.unwrap_or_default())
        });
        changed
    }

    fn edit_link(this: Gd<Self>, method: &str, id: i64, edit: impl FnOnce(&mut Link)) {
        Self::try_edit_link(this, method, id, |link| {
            edit(link);
            Ok(())
        });
    }

    fn try_edit_link(
        this: Gd<Self>,
        method: &str,
        id: i64,
        edit: impl FnOnce(&mut Link) -> Result<(), String>,
    ) {
        Self::change_links(this, method, |map| {
            let in_words = |problem: LinkError| problem.to_string();
            let mut link = map.world.terrain().link(id).map_err(in_words)?.clone();
            edit(&mut link)?;
            map.set_link(id, link).map_err(in_words)
        });
    }

    /// Changes links and announces the ends that `work` returns, each cell for itself: the ends of a link may
    /// lie far apart, and what walks between them hears of nothing.
    fn change_links<E: Display>(
        this: Gd<Self>,
        method: &str,
        work: impl FnOnce(&mut Map) -> Result<Vec<Cell>, E>,
    ) {
        let map = state::of(&this);
        let changed = {
            let mut map = map.lock();
            work(&mut map).map(|mut ends| {
                ends.sort_unstable_by_key(|end| (end.y, end.x));
                ends.dedup();
                let note = |end| map.edits.note(CellRect::cell(end));
                ends.into_iter().filter_map(note).collect::<Vec<_>>()
            })
        };
        for rect in reported(method, changed).unwrap_or_default() {
            // Handlers of the announcement before may have freed the grid.
            if this.is_instance_valid() {
                Self::announce(&this, &map, rect);
            }
        }
    }

    /// What `read` finds in a link; `fallback` after an error when there is none of this id.
    fn read_link<T>(this: &Gd<Self>, method: &str, id: i64, fallback: T, read: impl FnOnce(&Link) -> T) -> T {
        let found = state::of(this).lock().world.terrain().link(id).map(read);
        reported(method, found).unwrap_or(fallback)
    }
}

impl Map {
    /// The node that a link belongs to, by its id.
    pub fn link_owner(&self, id: i64) -> Option<InstanceId> {
        self.world.terrain().link(id).ok()?;
        self.link_owners.get(&id).copied()
    }

    /// Takes down that both ends of a link have changed, in an edit that was begun.
    pub(super) fn note_ends(&mut self, ends: [Cell; 2]) {
        for end in ends {
            self.edits.note(CellRect::cell(end));
        }
    }

    /// Changes a link; returns the ends to announce, the old ones and the new ones.
    fn set_link(&mut self, id: i64, link: Link) -> Result<Vec<Cell>, LinkError> {
        let old = self.world.terrain().link(id)?;
        let ends = vec![old.from, old.to, link.from, link.to];
        let is_changed = self.world.terrain_mut().set_link(id, link)?;
        Ok(if is_changed { ends } else { Vec::new() })
    }

    /// The id of a link like `link` that was loaded and was not taken since.
    fn take_loaded_link(&mut self, link: &Link) -> Option<i64> {
        let terrain = self.world.terrain();
        let place = self.loaded_links.iter().position(|&id| terrain.link(id) == Ok(link))?;
        Some(self.loaded_links.remove(place))
    }
}
