//! Between Godot's types and the core's. Every conversion of an argument is here.

use std::fmt::{self, Display, Formatter};

use godot::builtin::AnyArray;
use godot::global::type_string;
use godot::meta::inspect::ElementType;
use godot::prelude::*;
use pathforge_core::cost::{self, WEIGHT_MAX, is_weight_within};
use pathforge_core::geometry::FootprintError;
use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::terrain::{ObstacleId, TERRAIN_IDS};
use pathforge_core::world::GoalMode;

use crate::engine::errors::report_warning;
use crate::script::enumeration::{self, Constant};
use crate::script::given::given;

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

/// A cell for a script.
#[inline]
pub const fn vector(cell: Cell) -> Vector2i {
    Vector2i::new(cell.x, cell.y)
}

/// A cell for a script, or `NO_CELL`.
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
pub fn goal_mode(mode: Constant<enumeration::GoalMode>) -> Result<GoalMode, String> {
    given("goal_mode", mode).read("GOAL_EXACT, GOAL_COVER or GOAL_NEAREST", |number| match number.0 {
        0 => Some(GoalMode::Exact),
        1 => Some(GoalMode::Cover),
        2 => Some(GoalMode::Nearest),
        _ => None,
    })
}

/// The element of an array or dictionary as an `E`, or an error that names its type and the wanted one.
pub fn fitting<E: FromGodot>(element: &Variant) -> Result<E, String> {
    use VariantType as Type;
    let (given, wanted) = (element.get_type(), E::godot_shape().variant_type());
    // Of what the engine converts, only what loses nothing: it makes a cell of any vector, and an empty
    // packed array of anything.
    let fits = given == wanted
        || matches!((given, wanted), (Type::INT, Type::FLOAT) | (Type::STRING_NAME, Type::STRING));
    let fitting = fits.then(|| element.try_to_relaxed::<E>().ok()).flatten();
    fitting.ok_or_else(|| {
        let [given, wanted] = [given, wanted].map(|name| type_string(name.ord().into()));
        let article = if wanted == "int" { "an" } else { "a" };
        format!("{given}, not {article} {wanted}")
    })
}

/// The elements of an array, typed or not, when all of them fit.
pub fn elements<E: FromGodot>(name: &str, array: &AnyArray) -> Result<Vec<E>, String> {
    let element = |(index, element): (usize, Variant)| {
        fitting(&element).map_err(|problem| format!("{name}[{index}] is {problem}"))
    };
    array.iter_shared().enumerate().map(element).collect()
}

/// Cells from an array, typed or not, whose elements are all `Vector2i`.
pub fn cells(name: &str, array: &AnyArray) -> Result<Vec<Cell>, String> {
    // The engine makes vectors of its variants at a fraction of what reading one by one takes. They are exact
    // up to here; with a cell beyond, all are read one by one.
    let exact = |at: &Vector2| at.x.abs().max(at.y.abs()) < CELLS_EXACT;
    let vectors = (array.element_type() == ElementType::Builtin(VariantType::VECTOR2I))
        .then(|| array.to_variant().try_to_relaxed::<PackedVector2Array>().ok());
    match vectors.flatten().filter(|vectors| vectors.as_slice().iter().all(exact)) {
        Some(vectors) => {
            Ok(vectors.as_slice().iter().map(|at| Cell::new(at.x as i32, at.y as i32)).collect())
        }
        None => Ok(elements(name, array)?.into_iter().map(cell).collect()),
    }
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

/// Returns `true` if a cell that a script gives as `name` lies in `region`; pixels given as cells mostly do
/// not.
pub fn inside(region: CellRect, name: &str, place: Vector2i) -> Result<(), String> {
    if region.contains(cell(place)) {
        return Ok(());
    }
    Err(format!("{name} {} lies outside the region {}", ShownCell(cell(place)), ShownRegion(region)))
}

/// A weight as a cell keeps it, so that what is read is what counts, and whether it is beyond the limits.
/// What is no weight stays as it is.
pub fn kept_weight(weight: f32) -> (f32, bool) {
    let is_weight = weight.is_finite() && weight >= 0.0;
    if is_weight { (cost::kept_weight(weight), !is_weight_within(weight)) } else { (weight, false) }
}

/// Warns that `whose` weight is beyond the limits.
pub fn warn_of_weight(method: &str, whose: impl Display, weight: f32) {
    let kept = cost::kept_weight(weight);
    report_warning(
        method,
        format_args!(
            "{whose} {weight} counts as {kept}: weights are multiples of 1/70 from 1/70 to {WEIGHT_MAX}"
        ),
    );
}

/// The weight that cells get by what an import reads; one beyond the limits is told.
pub fn imported_weight(method: &str, whose: impl Display, weight: f32) -> f32 {
    let (kept, is_odd) = kept_weight(weight);
    if is_odd {
        warn_of_weight(method, whose, weight);
    }
    kept
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
