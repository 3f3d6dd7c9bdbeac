//! Random edits of a map, as a game makes them: doors, buildings, paint, whole maps loaded at once.

use pathforge_core::cost::Cost;
use pathforge_core::geometry::{Cell, CellRect, Side};
use pathforge_core::terrain::{Capability, Link, Terrain};

use crate::bodies::footprint;
use crate::maps::{any_cell, any_rect, any_walls, any_weight};
use crate::rng::Rng;

/// One change of a map.
#[derive(Clone, PartialEq, Debug)]
pub enum Edit {
    /// A cell changes from solid to open or back.
    Door(Cell),
    /// A rectangle is made solid or open.
    Solid(CellRect, bool),
    /// A rectangle is given a terrain.
    Terrain(CellRect, u8),
    /// A rectangle is given a weight.
    Weight(CellRect, f32),
    /// A rectangle is made one-way or not.
    OneWay(CellRect, bool),
    /// The edges at a side of each cell of a rectangle are blocked or opened, for both ways or for one.
    Edges(CellRect, Side, bool, bool),
    /// A link is added.
    AddLink(Link),
    /// The link with this number is changed, or is removed.
    SetLink(u32, Option<Link>),
    /// Everything is as in a new map.
    Clear,
    /// All solid flags at once.
    AllSolid(Vec<u8>),
    /// All terrains at once.
    AllTerrains(Vec<u8>),
    /// All weights at once.
    AllWeights(Vec<f32>),
    /// All one-way flags at once.
    AllOneWay(Vec<u8>),
    /// All edges at once.
    AllEdges(Vec<u8>),
}

impl Edit {
    /// Makes the change; returns the smallest rectangle that changed, as the map tells it.
    ///
    /// # Panics
    /// When the map refuses it.
    pub fn apply(&self, terrain: &mut Terrain) -> Option<CellRect> {
        match self {
            Self::Door(cell) => {
                let closed = terrain.is_solid(*cell);
                terrain.fill_solid(CellRect::cell(*cell), !closed)
            }
            Self::Solid(rect, solid) => terrain.fill_solid(*rect, *solid),
            Self::Terrain(rect, id) => terrain.fill_terrain(*rect, i64::from(*id)).expect("a valid id"),
            Self::Weight(rect, weight) => terrain.fill_weight(*rect, *weight).expect("a valid weight"),
            Self::OneWay(rect, one_way) => terrain.fill_one_way(*rect, *one_way),
            Self::Edges(rect, side, blocked, one_way) => terrain.fill_edges(*rect, *side, *blocked, *one_way),
            Self::AddLink(link) => {
                terrain.add_link(link.clone()).expect("a link within the map");
                None
            }
            Self::SetLink(id, link) => {
                let id = i64::from(*id);
                match link {
                    Some(link) => drop(terrain.set_link(id, link.clone()).expect("a link of the map")),
                    None => drop(terrain.remove_link(id).expect("a link of the map")),
                }
                None
            }
            Self::Clear => terrain.clear(),
            Self::AllSolid(data) => terrain.set_solid_data(data).expect("one a cell"),
            Self::AllTerrains(data) => terrain.set_terrain_data(data).expect("one a cell"),
            Self::AllWeights(data) => terrain.set_weight_data(data).expect("one a cell"),
            Self::AllOneWay(data) => terrain.set_one_way_data(data).expect("one a cell"),
            Self::AllEdges(data) => terrain.set_edge_data(data).expect("one a cell, of four bits"),
        }
    }
}

/// How wild edits are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wildness {
    /// Doors and small boxes only.
    Small,
    /// Everything, whole maps too.
    Any,
}

/// An edit of a map, which must not be empty.
pub fn any_edit(rng: &mut Rng, terrain: &Terrain, wildness: Wildness) -> Edit {
    let region = terrain.region();
    let whole = wildness == Wildness::Any && rng.percent(6);
    if whole {
        return whole_map(rng, region);
    }
    if rng.percent(if terrain.link_ids().is_empty() { 3 } else { 15 })
        && let Some(edit) = any_link_edit(rng, terrain)
    {
        return edit;
    }
    match rng.int(0..13) {
        0..3 => Edit::Door(any_cell(rng, region)),
        3..7 => {
            let rect = if rng.percent(3) { far_rect(rng) } else { any_rect(rng, region) };
            Edit::Solid(rect, rng.percent(45))
        }
        7 => Edit::Terrain(any_rect(rng, region), rng.pick(&[0, 0, 1, 2, 31])),
        8 => {
            let light = rng.percent(30);
            Edit::Weight(any_rect(rng, region), any_weight(rng, light))
        }
        9 => Edit::Weight(CellRect::cell(any_cell(rng, region)), rng.pick(&[1.0, 2.0])),
        10 => Edit::OneWay(any_rect(rng, region), rng.percent(60)),
        _ => any_fence(rng, region),
    }
}

fn whole_map(rng: &mut Rng, region: CellRect) -> Edit {
    let cells = region.area() as usize;
    match rng.int(0..10) {
        0 => Edit::Clear,
        1 => Edit::Solid(region, rng.percent(30)),
        2 => Edit::Weight(region, rng.pick(&[1.0, 1.0, 2.5])),
        3 => Edit::Terrain(region, rng.pick(&[0, 0, 1])),
        4 | 5 => {
            let walls = any_walls(rng, region.w, region.h);
            Edit::AllSolid(walls.solid.iter().map(|&s| u8::from(s) * 200).collect())
        }
        6 => {
            let plain = rng.percent(40);
            Edit::AllTerrains(
                (0..cells).map(|_| if plain { 0 } else { rng.pick(&[0, 0, 0, 1, 2]) }).collect(),
            )
        }
        7 => {
            let share = rng.pick(&[0, 5, 60]);
            Edit::AllOneWay((0..cells).map(|_| u8::from(rng.percent(share)) * 200).collect())
        }
        8 => {
            let share = rng.pick(&[0, 3, 20]);
            Edit::AllEdges(
                (0..cells).map(|_| if rng.percent(share) { rng.int(0..16) as u8 } else { 0 }).collect(),
            )
        }
        _ => {
            let plain = rng.percent(40);
            Edit::AllWeights(
                (0..cells).map(|_| if plain { 1.0 } else { rng.pick(&[1.0, 1.5, 4.0]) }).collect(),
            )
        }
    }
}

/// Edges in a row, at a side of each cell of it, or of a rectangle.
pub fn any_fence(rng: &mut Rng, region: CellRect) -> Edit {
    let rect = any_rect(rng, region);
    let rect = match rng.int(0..4) {
        0 => CellRect::cell(any_cell(rng, region)),
        1 => rect,
        2 => CellRect { w: 1, ..rect },
        _ => CellRect { h: 1, ..rect },
    };
    Edit::Edges(rect, rng.pick(&Side::ALL), rng.percent(75), rng.percent(25))
}

/// A link between any two cells: at what the way costs, less, or more; mostly for all bodies. `None` on maps
/// of one cell.
pub fn any_link(rng: &mut Rng, region: CellRect) -> Option<Link> {
    let (from, to) = (any_cell(rng, region), any_cell(rng, region));
    if from == to {
        return None;
    }
    let way = Link::new(from, to);
    let units = i64::from(way.cost.units());
    let units = match rng.int(0..6) {
        0 => 1,
        1 => rng.int(1..70).into(),
        2 => units / 2 + 1,
        3 => units * 3,
        _ => units,
    };
    let side = if rng.percent(20) { rng.int(1..4) } else { 64 };
    Some(Link {
        cost: Cost::from_units(units as u32),
        is_two_way: rng.percent(60),
        is_enabled: rng.percent(90),
        terrains: if rng.percent(20) { Capability(rng.pick(&[0b1, 0b10, 0b100])) } else { Capability::ALL },
        footprint_max: footprint(side, side),
        ..way
    })
}

/// A link is added, changed or removed.
fn any_link_edit(rng: &mut Rng, terrain: &Terrain) -> Option<Edit> {
    let ids = terrain.link_ids();
    if ids.is_empty() || rng.percent(30) {
        return any_link(rng, terrain.region()).map(Edit::AddLink);
    }
    let id = rng.pick(&ids);
    let old = terrain.link(id.into()).ok()?.clone();
    Some(Edit::SetLink(
        id,
        match rng.int(0..4) {
            0 => None,
            1 => any_link(rng, terrain.region()),
            _ => Some(Link { is_enabled: !old.is_enabled, ..old }),
        },
    ))
}

/// A rectangle that a script might hand over by mistake: empty, inside out, or as large as numbers go.
fn far_rect(rng: &mut Rng) -> CellRect {
    let ends = [i32::MIN, i32::MIN / 2, -1, 0, 1, i32::MAX / 2, i32::MAX];
    CellRect::new(rng.pick(&ends), rng.pick(&ends), rng.pick(&ends), rng.pick(&ends))
}
