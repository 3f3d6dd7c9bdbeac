//! Between Godot's types and the core's. Every conversion of an argument is here.

use std::fmt::{self, Display, Formatter};

use godot::builtin::AnyArray;
use godot::prelude::*;
use pathforge_core::geometry::FootprintError;
use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::terrain::{ObstacleId, TERRAIN_IDS};
use pathforge_core::world::GoalMode;

use crate::given::given;

/// Every terrain, as scripts write it.
pub const CAPABILITY_ALL: i64 = 0xFFFF_FFFF;
/// The largest terrain id.
pub const TERRAIN_MAX: i64 = TERRAIN_IDS as i64 - 1;
/// Whole numbers below this are the same as 32-bit floats.
const CELLS_EXACT: f32 = (1 << 24) as f32;
/// What scripts get where there is no cell.
pub const NO_CELL: Vector2i = Vector2i::MIN;

/// A script's cell.
#[inline]
pub const fn cell(vector: Vector2i) -> Cell {
    Cell::new(vector.x, vector.y)
}

/// A script's cells, in their order.
pub fn cells_of(cells: &Array<Vector2i>) -> Vec<Cell> {
    // The engine makes vectors of its variants at a fraction of what reading one by one takes. They are exact up to here; with a cell
    // beyond, all are read one by one.
    let exact = |at: &Vector2| at.x.abs().max(at.y.abs()) < CELLS_EXACT;
    let vectors = cells.to_variant().try_to_relaxed::<PackedVector2Array>().ok();
    match vectors.filter(|vectors| vectors.as_slice().iter().all(exact)) {
        Some(vectors) => {
            vectors.as_slice().iter().map(|vector| Cell::new(vector.x as i32, vector.y as i32)).collect()
        }
        None => cells.iter_shared().map(cell).collect(),
    }
}

/// A cell for a script.
#[inline]
pub const fn vector(cell: Cell) -> Vector2i {
    Vector2i::new(cell.x, cell.y)
}

/// A cell for a script, or the one that stands for none.
pub fn vector_or_none(cell: Option<Cell>) -> Vector2i {
    cell.map_or(NO_CELL, vector)
}

/// The obstacle that a script names; none for a negative number.
pub fn obstacle(id: i64) -> Option<ObstacleId> {
    u64::try_from(id).ok().map(ObstacleId)
}

/// A script's region, whatever its size.
pub const fn rect(region: Rect2i) -> CellRect {
    CellRect::new(region.position.x, region.position.y, region.size.x, region.size.y)
}

/// A region for a script.
pub const fn region(rect: CellRect) -> Rect2i {
    Rect2i { position: Vector2i::new(rect.x, rect.y), size: Vector2i::new(rect.w, rect.h) }
}

/// A region to be filled or read; a negative size is a mistake, as it is for `Rect2i` itself.
pub fn fill_rect(region: Rect2i) -> Result<CellRect, String> {
    if region.size.x < 0 || region.size.y < 0 {
        return Err(format!(
            "region [position {}, size {}] has a negative size; use Rect2i.abs()",
            region.position, region.size
        ));
    }
    Ok(rect(region))
}

/// A body's size.
pub fn footprint(size: Vector2i) -> Result<Footprint, FootprintError> {
    Footprint::new(i64::from(size.x), i64::from(size.y))
}

/// A body's size for a script.
pub const fn size(footprint: Footprint) -> Vector2i {
    Vector2i::new(footprint.w(), footprint.h())
}

/// One of the `GOAL_*` constants.
pub fn goal_mode(number: i64) -> Result<GoalMode, String> {
    given("goal_mode", number).read("GOAL_EXACT, GOAL_COVER or GOAL_NEAREST", |number| match number {
        0 => Some(GoalMode::Exact),
        1 => Some(GoalMode::Cover),
        2 => Some(GoalMode::Nearest),
        _ => None,
    })
}

/// Cells from an array, typed or not, whose elements are all `Vector2i`.
pub fn cells(name: &str, array: &AnyArray) -> Result<Vec<Cell>, String> {
    let mut cells = Vec::with_capacity(array.len());
    for (index, element) in array.iter_shared().enumerate() {
        match element.try_to::<Vector2i>() {
            Ok(vector) => cells.push(cell(vector)),
            Err(_) => return Err(format!("{name}[{index}] is {}, not a Vector2i", type_name(&element))),
        }
    }
    Ok(cells)
}

/// Places of a map from an array, typed or not, whose elements are all `Vector3i`.
pub fn places(name: &str, array: &AnyArray) -> Result<Vec<Vector3i>, String> {
    let place = |(index, element): (usize, Variant)| {
        let place = element.try_to::<Vector3i>();
        place.map_err(|_| format!("{name}[{index}] is {}, not a Vector3i", type_name(&element)))
    };
    array.iter_shared().enumerate().map(place).collect()
}

/// The same for an array that must not be empty.
pub fn some_cells(name: &str, array: &AnyArray) -> Result<Vec<Cell>, String> {
    let cells = cells(name, array)?;
    if cells.is_empty() { Err(format!("{name} is empty")) } else { Ok(cells) }
}

/// The same for cells that must lie in `region`.
pub fn cells_within(region: CellRect, name: &str, array: &AnyArray) -> Result<Vec<Cell>, String> {
    let cells = cells(name, array)?;
    match cells.iter().position(|&cell| !region.contains(cell)) {
        Some(index) => {
            let (cell, region) = (ShownCell(cells[index]), ShownRegion(region));
            Err(format!("{name}[{index}] {cell} lies outside the region {region}"))
        }
        None => Ok(cells),
    }
}

/// Returns `true` if a cell that a script gives as `name` lies in `region`; pixels given as cells mostly do not.
pub fn inside(region: CellRect, name: &str, place: Vector2i) -> Result<(), String> {
    if region.contains(cell(place)) {
        return Ok(());
    }
    Err(format!("{name} {} lies outside the region {}", ShownCell(cell(place)), ShownRegion(region)))
}

/// A cell as errors show it.
pub struct ShownCell(pub Cell);

impl Display for ShownCell {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.0.x, self.0.y)
    }
}

/// A region as errors show it: position and size.
pub struct ShownRegion(pub CellRect);

impl Display for ShownRegion {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let CellRect { x, y, w, h } = self.0;
        write!(f, "({x}, {y}, {w}, {h})")
    }
}

/// The size of a cell in pixels.
pub fn cell_size(size: Vector2) -> Result<Vector2, String> {
    let size = given("cell_size", size).finite()?;
    given("cell_size", size).read("above zero", |size| (size.x > 0.0 && size.y > 0.0).then_some(*size))
}

/// Terrain names or costs: one for each id at most.
pub fn at_most_terrains(name: &str, count: usize) -> Result<(), String> {
    if count <= TERRAIN_IDS as usize {
        Ok(())
    } else {
        Err(format!("{name} has {count} elements, there are {TERRAIN_IDS} terrain ids"))
    }
}

fn type_name(value: &Variant) -> impl Display {
    format!("{:?}", value.get_type())
}
