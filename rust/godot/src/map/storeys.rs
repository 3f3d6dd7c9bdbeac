//! The houses in the scene tree: which spaces lay out parts of one grid, and where these are.
//!
//! Each space with a floor region has an entry here, which it keeps up to date. A question looks at the
//! entries of its grid and asks the engine where the nodes are, so it borrows no space: the space that asks
//! is borrowed already. What has come out is kept, with a number that changes with it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use godot::prelude::*;
use pathforge_core::geometry::CellRect;
use pathforge_core::height_field::HeightField;
use pathforge_core::storeys::{Storey, Storeys};

use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::Linked;
use crate::map::space::{affine, global_transform};

/// A space in the tree that lays out a part of a grid.
#[derive(Clone)]
pub struct Entry {
    pub space: InstanceId,
    /// Its grid, as far as that is known.
    pub grid: Option<InstanceId>,
    pub sheet: CellRect,
    pub ground: Arc<HeightField>,
}

/// The storeys of a grid, and where they are.
pub struct House {
    pub storeys: Storeys,
    /// The space of each storey, and from its plane to global space.
    pub nodes: Vec<(InstanceId, Transform3D)>,
    revision: u64,
}

/// The house of a grid, as of a revision.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct HouseKey {
    grid: InstanceId,
    revision: u64,
}

/// While one is locked nothing is asked of the engine.
static ENTRIES: Mutex<Vec<Entry>> = Mutex::new(Vec::new());
static HOUSES: Mutex<Vec<(InstanceId, Arc<House>)>> = Mutex::new(Vec::new());

fn entries() -> MutexGuard<'static, Vec<Entry>> {
    ENTRIES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn houses() -> MutexGuard<'static, Vec<(InstanceId, Arc<House>)>> {
    HOUSES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A space is a storey from now on, or another one.
pub fn publish(entry: Entry) {
    let mut entries = entries();
    match entries.iter_mut().find(|known| known.space == entry.space) {
        Some(known) => *known = entry,
        None => entries.push(entry),
    }
}

/// A space is no storey any more.
pub fn withdraw(space: InstanceId) {
    let mut entries = entries();
    entries.retain(|entry| entry.space != space);
    let grids: Vec<_> = entries.iter().filter_map(|entry| entry.grid).collect();
    drop(entries);
    houses().retain(|(grid, _)| grids.contains(grid));
}

/// The grid of a storey, looked for where it is not known.
pub fn grid_of(space: InstanceId) -> Option<InstanceId> {
    let entry = entries().iter().find(|entry| entry.space == space).cloned()?;
    entry.grid.or_else(|| found(space))
}

fn found(space: InstanceId) -> Option<InstanceId> {
    let node = Gd::<Node>::try_from_instance_id(space).ok()?;
    let grid = PathForgeGrid::nearest(&node)?.instance_id();
    if let Some(entry) = entries().iter_mut().find(|entry| entry.space == space) {
        entry.grid = Some(grid);
    }
    Some(grid)
}

/// The entries of the storeys of a grid, in the order in which they came.
fn entries_of(grid: InstanceId) -> Vec<Entry> {
    let mut of_it = entries().clone();
    of_it.retain(|entry| entry.grid.or_else(|| found(entry.space)) == Some(grid));
    of_it
}

/// The house of a grid, if that has storeys in the tree.
pub fn house_of(grid: InstanceId) -> Option<(HouseKey, Arc<House>)> {
    // Most scenes have no storeys.
    if entries().is_empty() {
        return None;
    }
    let mut nodes = Vec::new();
    let entries = entries_of(grid).into_iter().filter(|Entry { space, sheet, ground, .. }| {
        let to_global = Gd::<Node3D>::try_from_instance_id(*space).ok().map(|node| global_transform(&node));
        let to_global = to_global.map(|node| node * Transform3D::new(Basis::IDENTITY, shift(*sheet, ground)));
        // Where a storey is flattened to nothing, nothing is known of it.
        let is_there = to_global.filter(|to| to.is_finite() && to.basis.determinant() != 0.0);
        nodes.extend(is_there.map(|to_global| (*space, to_global)));
        is_there.is_some()
    });
    let entries: Vec<Entry> = entries.collect();
    let mut houses = houses();
    let known = houses.iter_mut().find(|(known, _)| *known == grid);
    if let Some((_, house)) = &known
        && house.is_of(&entries, &nodes)
    {
        return Some((HouseKey { grid, revision: house.revision }, Arc::clone(house)));
    }
    if entries.is_empty() {
        houses.retain(|(known, _)| *known != grid);
        return None;
    }
    let revision = known.as_ref().map_or(0, |(_, house)| house.revision + 1);
    let storeys = entries.into_iter().zip(&nodes).map(|(entry, (_, to_global))| Storey {
        sheet: entry.sheet,
        ground: entry.ground,
        to_space: affine(to_global),
        to_plane: affine(&to_global.affine_inverse()),
    });
    let house = Arc::new(House { storeys: Storeys::new(storeys.collect()), nodes, revision });
    match known {
        Some((_, former)) => *former = Arc::clone(&house),
        None => houses.push((grid, Arc::clone(&house))),
    }
    Some((HouseKey { grid, revision }, house))
}

/// From the plane of a grid whose sheet has its corner at the origin to where cell (0, 0) has it.
pub fn shift(sheet: CellRect, ground: &HeightField) -> Vector3 {
    let [width, depth] = ground.cell_size;
    Vector3::new(-(sheet.x as f32) * width, 0.0, -(sheet.y as f32) * depth)
}

impl HouseKey {
    /// The house as it was looked at last.
    pub fn house(self) -> Option<Arc<House>> {
        houses().iter().find(|(grid, _)| *grid == self.grid).map(|(_, house)| Arc::clone(house))
    }
}

impl House {
    fn is_of(&self, entries: &[Entry], nodes: &[(InstanceId, Transform3D)]) -> bool {
        let is_same = |(storey, entry): (&Storey, &Entry)| {
            storey.sheet == entry.sheet && Arc::ptr_eq(&storey.ground, &entry.ground)
        };
        self.nodes == nodes && self.storeys.all().iter().zip(entries).all(is_same)
    }
}
