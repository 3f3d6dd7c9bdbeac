//! What imports of navigation regions share, on the plane and in space.

use godot::builtin::AnyArray;
use godot::obj::Inherits;
use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect};

use crate::engine::errors::report_warning;
use crate::script::convert::{self, ShownCell};
use crate::script::node_arg;

/// Cells that a warning names, at most.
const NAMED_CELLS_MAX: usize = 5;
/// How often a proposed cell size is halved to keep islands apart.
const HALVINGS_MAX: usize = 4;

/// The polygons of a region, the weight of the cells in them, and the radius that a bake took off.
pub struct Part<P> {
    pub polygons: Vec<P>,
    pub weight: f32,
    pub agent_radius: f32,
}

/// What `read` makes of the regions that are enabled; `state` tells whether one is, and its travel cost.
pub fn parts_of<R: GodotClass + Inherits<Object>, P>(
    regions: &AnyArray,
    state: impl Fn(&Gd<R>) -> (bool, f32),
    read: impl Fn(&Gd<R>) -> Result<Part<P>, String>,
) -> Result<Vec<Part<P>>, String> {
    let mut parts = Vec::new();
    for (index, region) in node_arg::all::<R>("regions", regions)?.into_iter().enumerate() {
        let (is_enabled, weight) = state(&region);
        if !is_enabled {
            continue;
        }
        let named = |problem: String| format!("regions[{index}]: {problem}");
        let part = read(&region).map_err(named)?;
        if !weight.is_finite() || weight < 0.0 {
            return Err(named(format!("travel_cost {weight} is not a finite number of 0 or more")));
        }
        let weight =
            convert::imported_weight("import_navigation_regions", named("travel_cost".to_owned()), weight);
        parts.push(Part { weight, ..part });
    }
    if parts.is_empty() {
        return Err("no region is enabled".to_owned());
    }
    Ok(parts)
}

/// Returns `size`, halved until it is no more than half of the smallest radius. It is halved further while
/// cells of that size join polygons that are apart, which `joins` returns.
pub fn proposed_cell_size<P>(
    mut size: Vector2,
    parts: &[Part<P>],
    joins: impl Fn(Vector2) -> Result<bool, String>,
) -> Result<Vector2, String> {
    let radii = parts.iter().map(|part| part.agent_radius).filter(|&radius| radius > 0.0);
    let radius = radii.fold(f32::INFINITY, f32::min);
    // Half of it: a gap between walls that is a little too narrow for the agent is not opened.
    while size.x.max(size.y) > radius / 2.0 {
        size /= 2.0;
    }
    let widest = size;
    for halvings in 0..HALVINGS_MAX {
        match joins(size) {
            Err(problem) if halvings == 0 => return Err(problem),
            Err(_) => break,
            Ok(false) => return Ok(size),
            Ok(true) => size /= 2.0,
        }
    }
    // No smaller size keeps everything apart either; the import tells where.
    Ok(widest)
}

/// Warns of what an import of polygons makes of the cells of `region`: nothing at all, or more than the
/// polygons say.
pub fn warn_of_import(method: &str, region: CellRect, open: &[Option<f32>], joined: &[Cell]) {
    if open.iter().all(Option::is_none) {
        let CellRect { x, y, w, h } = region;
        report_warning(
            method,
            format!("no polygon overlaps a cell of the region ({x}, {y}, {w}, {h}); all are solid"),
        );
    }
    if !joined.is_empty() {
        let cells = named(joined);
        report_warning(
            method,
            format!("cells join polygons that are apart, at {cells}; see propose_cell_size"),
        );
    }
}

/// The first of some cells by name, and how many more there are.
pub fn named(cells: &[Cell]) -> String {
    let named: Vec<_> = cells.iter().take(NAMED_CELLS_MAX).map(|&cell| ShownCell(cell).to_string()).collect();
    let more = cells.len() - named.len();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    named.join(", ") + &rest
}

/// The corners of each of the `count` polygons of a resource of class `kind`, or what is wrong with it.
pub fn corners_of<P: Copy>(
    kind: &str,
    vertices: &[P],
    is_finite: impl Fn(&P) -> bool,
    count: i32,
    indices: impl Fn(i32) -> PackedInt32Array,
) -> Result<Vec<Vec<P>>, String> {
    if let Some(at) = vertices.iter().position(|vertex| !is_finite(vertex)) {
        return Err(format!("vertex {at} of the {kind} does not lie at a finite place"));
    }
    if count == 0 {
        return Err(format!("the {kind} has no polygons; bake it first"));
    }
    let corner = |&index: &i32| vertices.get(usize::try_from(index).ok()?).copied();
    let polygon = |at| {
        let corners: Option<Vec<P>> = indices(at).as_slice().iter().map(corner).collect();
        corners.ok_or_else(|| format!("polygon {at} of the {kind} names a vertex that it has not"))
    };
    (0..count).map(polygon).collect()
}
