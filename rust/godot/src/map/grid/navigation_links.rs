//! Links from the nodes that link Godot's own navigation polygons, on the plane and in space.

use godot::builtin::AnyArray;
use godot::classes::{
    NavigationLink2D, NavigationLink3D, NavigationRegion2D, NavigationRegion3D, Node, SceneTree,
};
use godot::obj::Inherits;
use godot::prelude::*;
use pathforge_core::cost::{Cost, STRAIGHT};
use pathforge_core::geometry::Cell;
use pathforge_core::terrain::{LINK_COST_MAX, LINK_TAG_MAX, Link, Terrain};
use pathforge_core::walker::Point;

use super::map::Map;
use super::{CellFrame, PathForgeGrid, upright};
use crate::engine::errors::{report_warning, reported};
use crate::engine::state;
use crate::script::node_arg;

/// How far an end may be from an open cell along each axis: so many cells or, in 3D, as far as Godot's maps join
/// links by default, in metres.
const REACH: i32 = 2;
const REACH_METRES: f64 = 1.0;
/// The most cells of that.
const REACH_MAX: f64 = 16.0;
/// Links that a warning names, at most.
const NAMED_MAX: usize = 5;

/// A node that links navigation polygons.
pub struct NavigationLink {
    node: InstanceId,
    name: String,
    /// In global space.
    ends: [Vector3; 2],
    is_two_way: bool,
    is_enabled: bool,
    /// A distance in global space.
    enter_cost: f32,
    travel_cost: f32,
}

impl NavigationLink {
    /// Where it begins and ends, in global space.
    pub const fn ends(&self) -> [Vector3; 2] {
        self.ends
    }
}

/// The links on the navigation maps of `regions`, in the order of the scene tree.
pub fn links_2d(regions: &AnyArray) -> Vec<NavigationLink> {
    let regions = node_arg::all::<NavigationRegion2D>("regions", regions).unwrap_or_default();
    let maps: Vec<Rid> = regions.iter().map(|region| region.get_navigation_map()).collect();
    let tree = regions.iter().find_map(tree_of);
    let read = |link: Gd<NavigationLink2D>| {
        maps.contains(&link.get_navigation_map()).then(|| NavigationLink {
            node: link.instance_id(),
            name: link.get_name().to_string(),
            ends: [link.get_global_start_position(), link.get_global_end_position()].map(upright),
            is_two_way: link.is_bidirectional(),
            is_enabled: link.is_enabled(),
            enter_cost: link.get_enter_cost(),
            travel_cost: link.get_travel_cost(),
        })
    };
    nodes_of(tree, "NavigationLink2D").into_iter().filter_map(read).collect()
}

/// The same in space.
pub fn links_3d(regions: &AnyArray) -> Vec<NavigationLink> {
    let regions = node_arg::all::<NavigationRegion3D>("regions", regions).unwrap_or_default();
    let maps: Vec<Rid> = regions.iter().map(|region| region.get_navigation_map()).collect();
    let tree = regions.iter().find_map(tree_of);
    let read = |link: Gd<NavigationLink3D>| {
        maps.contains(&link.get_navigation_map()).then(|| NavigationLink {
            node: link.instance_id(),
            name: link.get_name().to_string(),
            ends: [link.get_global_start_position(), link.get_global_end_position()],
            is_two_way: link.is_bidirectional(),
            is_enabled: link.is_enabled(),
            enter_cost: link.get_enter_cost(),
            travel_cost: link.get_travel_cost(),
        })
    };
    nodes_of(tree, "NavigationLink3D").into_iter().filter_map(read).collect()
}

fn tree_of<T: GodotClass + Inherits<Node>>(node: &Gd<T>) -> Option<Gd<SceneTree>> {
    let node = node.clone().upcast::<Node>();
    node.is_inside_tree().then(|| node.get_tree())
}

/// The nodes of a class in a scene tree.
fn nodes_of<T: GodotClass + Inherits<Node>>(tree: Option<Gd<SceneTree>>, class: &str) -> Vec<Gd<T>> {
    let Some(root) = tree.and_then(|tree| tree.get_root()) else { return Vec::new() };
    let nodes = root.find_children_ex("*").type_(class).owned(false).done();
    nodes.iter_shared().filter_map(|node| node.try_cast::<T>().ok()).collect()
}

impl PathForgeGrid {
    /// Makes links of the grid like `links`, for the node that imports them. Links of its last import that are
    /// not among them are removed.
    pub fn import_links(
        this: Gd<Self>,
        method: &str,
        (importer, frame): (InstanceId, &CellFrame),
        links: &[NavigationLink],
    ) {
        let left_out = Self::edit_at_once(this, |map| map.import_links((importer, frame), links));
        if !left_out.is_empty() {
            let named = left_out.iter().take(NAMED_MAX).map(String::as_str).collect::<Vec<_>>().join(", ");
            let more = left_out.len().saturating_sub(NAMED_MAX);
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            report_warning(
                method,
                format_args!(
                    "these navigation links do not join two open cells and are left out: {named}{rest}"
                ),
            );
        }
    }

    /// Adds links, unless the grid has links with these ends and tags; returns their ids. An error tells of
    /// links for which there is no more room.
    pub fn add_links(
        this: Gd<Self>,
        method: &str,
        links: impl FnOnce(&Terrain) -> Vec<Link>,
    ) -> PackedInt32Array {
        let ids = Self::edit_at_once(this, |map| {
            let links = links(map.world.terrain());
            links.into_iter().map(|link| map.put_imported(None, link)).collect::<Vec<_>>()
        });
        let left_out = ids.iter().filter(|id| id.is_none()).count();
        if left_out > 0 {
            let full = format!("{left_out} links are left out: the grid has as many as it can keep");
            reported(method, Err::<(), _>(full));
        }
        ids.into_iter().flatten().map(|id| id as i32).collect()
    }

    /// Makes an edit of several links, which is announced once.
    fn edit_at_once<R>(this: Gd<Self>, work: impl FnOnce(&mut Map) -> R) -> R {
        let map = state::of(&this);
        let (made, announced) = {
            let mut map = map.lock();
            map.edits.begin();
            let made = work(&mut map);
            (made, map.edits.end().flatten())
        };
        if let Some(rect) = announced {
            Self::announce(&this, &map, rect);
        }
        made
    }
}

impl Map {
    /// Returns the names of the links that are left out.
    fn import_links(
        &mut self,
        (importer, frame): (InstanceId, &CellFrame),
        links: &[NavigationLink],
    ) -> Vec<String> {
        let mut left_out = Vec::new();
        let mut former = std::mem::take(&mut self.imported_links);
        for link in links {
            let known = former.get(&link.node).map(|&(_, id)| id);
            match self.link_like(frame, link).and_then(|made| self.put_imported(known, made)) {
                Some(id) => {
                    former.remove(&link.node);
                    self.imported_links.insert(link.node, (importer, id));
                }
                None => left_out.push(link.name.clone()),
            }
        }
        for (node, (by, id)) in former {
            let is_gone = by == importer || links.iter().any(|link| link.node == node);
            if !is_gone {
                self.imported_links.insert(node, (by, id));
            } else if !self.imported_links.values().any(|&(_, other)| other == id)
                && let Ok(Link { from, to, .. }) = self.world.terrain_mut().remove_link(id)
            {
                self.note_ends([from, to]);
            }
        }
        left_out
    }

    /// The link of the grid that is like one of Godot's; `None` where its ends are not at two open cells.
    fn link_like(&self, frame: &CellFrame, link: &NavigationLink) -> Option<Link> {
        let terrain = self.world.terrain();
        let reach = match frame {
            CellFrame::Plane { .. } => REACH,
            CellFrame::Space { .. } => {
                REACH.max((REACH_METRES / frame.global_cell_side()).min(REACH_MAX).ceil() as i32)
            }
        };
        let [from, to] = link.ends.map(|end| nearest_open(terrain, frame.point(end), reach));
        let straight = Link::new(from?, to?);
        let straight = Link { cost: frame.straight_cost(straight.from, straight.to), ..straight };
        let enter = f64::from(link.enter_cost) / frame.global_cell_side();
        let cells = enter + f64::from(link.travel_cost) * straight.cost.cells();
        let tag = link.name.get(..link.name.floor_char_boundary(LINK_TAG_MAX))?;
        let made = Link {
            cost: link_cost(cells),
            is_two_way: link.is_two_way,
            is_enabled: link.is_enabled,
            tag: tag.into(),
            ..straight
        };
        (made.from != made.to).then_some(made)
    }

    /// Makes the link with the id `known` like `link` or, without it, the link with its ends and its tag; else
    /// adds it. Returns its id.
    fn put_imported(&mut self, known: Option<i64>, link: Link) -> Option<i64> {
        let ends = [link.from, link.to];
        let terrain = self.world.terrain_mut();
        let known = known.and_then(|id| terrain.link(id).ok().map(|old| (id, [old.from, old.to])));
        let is_it =
            |id: &i64| terrain.link(*id).is_ok_and(|old| [old.from, old.to] == ends && old.tag == link.tag);
        let same = || Some((terrain.link_ids().into_iter().map(i64::from).find(is_it)?, ends));
        let Some((id, before)) = known.or_else(same) else {
            let id = terrain.add_link(link).ok()?.into();
            self.note_ends(ends);
            return Some(id);
        };
        if terrain.set_link(id, link).ok()? {
            self.note_ends(before);
            self.note_ends(ends);
        }
        Some(id)
    }
}

/// The cost of a link that costs so many cells, within what a link may cost.
pub fn link_cost(cells: f64) -> Cost {
    let units = (cells * f64::from(STRAIGHT)).round().clamp(1.0, f64::from(LINK_COST_MAX * STRAIGHT));
    Cost::from_units(units as u32)
}

/// The open cell that is nearest to a point, if one is within reach.
fn nearest_open(terrain: &Terrain, point: Point, reach: i32) -> Option<Cell> {
    if !point.is_finite() {
        return None;
    }
    // A float cast saturates.
    let at = Cell::new(point.x.floor() as i32, point.y.floor() as i32);
    let distance = |cell: Cell| {
        let (x, y) = (f64::from(cell.x) + 0.5 - point.x, f64::from(cell.y) + 0.5 - point.y);
        x * x + y * y
    };
    let is_open = |cell: &Cell| terrain.region().contains(*cell) && !terrain.is_solid(*cell);
    let around = (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| (x, y)));
    let cells = around.map(|(x, y)| Cell::new(at.x.saturating_add(x), at.y.saturating_add(y)));
    // The cell that holds the point is nearest.
    cells.filter(is_open).min_by(|&a, &b| distance(a).total_cmp(&distance(b)))
}
