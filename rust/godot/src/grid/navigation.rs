//! Cells from the polygons that Godot's own navigation walks on.

use godot::builtin::AnyArray;
use godot::classes::{NavigationPolygon, NavigationRegion2D};
use godot::prelude::*;
use pathforge_core::geometry::CellRect;
use pathforge_core::terrain::{Terrain, check_region};

use super::PathForgeGrid;
use crate::errors::reported;
use crate::geometry::CellGeometry;
use crate::state;

/// Centres as near as this to a polygon, in cells, lie in it. Bakes round corners to a hundredth of a pixel, and a
/// border that was shrunk by half a cell runs through centres.
const NEAR_CELLS: f64 = 2e-3;

/// Navigation polygons in cell space, and the weight of the cells in them.
struct Walkable {
    polygons: Vec<Vec<[f64; 2]>>,
    weight: f32,
}

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Opens the cells whose centre lies in a navigation polygon of one of `regions`, an array of `NavigationRegion2D`,
    /// and makes all other cells solid. Open cells get the region's `travel_cost` as their weight, the last region's
    /// where several overlap. Terrains stay as they are. Returns [code]true[/code] if it could; after an error nothing
    /// has changed.
    ///
    /// The polygons are where an agent's centre may be: a bake has taken its radius off already. So a body of one cell
    /// walks where the agent walked.
    ///
    /// A [member region] that was set is kept, and polygons outside of it are left out. An empty one becomes the
    /// smallest that holds all polygons. Set [member cell_size] before: cells about as wide as the agent, or half as
    /// wide where passages are narrow. Regions that are not enabled are left out; `enter_cost` and `navigation_layers`
    /// do not count.
    ///
    /// ```gdscript
    /// grid.cell_size = Vector2(16, 16)
    /// grid.import_navigation_regions([$Island, $Bridge])
    /// ```
    #[func(gd_self)]
    fn import_navigation_regions(this: Gd<Self>, regions: AnyArray) -> bool {
        let method = "PathForgeGrid.import_navigation_regions";
        let walkable = {
            let (to_global, geometry) = Self::place_of_cells(this.clone());
            Walkable::of_regions(&regions, to_global, &geometry)
        };
        match reported(method, walkable) {
            Some(walkable) => Self::import_walkable(this, method, &walkable),
            None => false,
        }
    }

    /// Opens the cells whose centre lies in `polygon`, with weight 1, and makes all other cells solid, as
    /// [method import_navigation_regions] does for regions. `transform` leads from the polygon's space to the grid's
    /// local space. Returns [code]true[/code] if it could; after an error nothing has changed.
    ///
    /// ```gdscript
    /// grid.import_navigation_polygon(load("res://cave_floor.tres"))
    /// ```
    #[func(gd_self)]
    fn import_navigation_polygon(
        this: Gd<Self>,
        polygon: Option<Gd<NavigationPolygon>>,
        #[opt(default = Transform2D::IDENTITY)] transform: Transform2D,
    ) -> bool {
        let method = "PathForgeGrid.import_navigation_polygon";
        let (_, geometry) = Self::place_of_cells(this.clone());
        let polygons = polygons_of(polygon, transform, &geometry);
        match reported(method, polygons) {
            Some(polygons) => Self::import_walkable(this, method, &[Walkable { polygons, weight: 1.0 }]),
            None => false,
        }
    }
}

impl PathForgeGrid {
    fn place_of_cells(mut this: Gd<Self>) -> (Transform2D, CellGeometry) {
        let mut grid = this.bind_mut();
        (grid.global_transform(), grid.cell_geometry())
    }

    fn import_walkable(this: Gd<Self>, method: &str, walkable: &[Walkable]) -> bool {
        let old = state::of(&this).lock().region();
        let region = if old.is_empty() { bounds(walkable) } else { old };
        let Some(()) = reported(method, check_region(region)) else { return false };
        let mut solid = vec![1; region.area() as usize];
        let resized = state::of(&this).lock().world.terrain().resized(region);
        let Some(mut terrain) = reported(method, resized) else { return false };
        let mut weights = terrain.weight_data();
        for part in walkable {
            for polygon in &part.polygons {
                for_each_cell_in(polygon, region, |place| {
                    solid[place] = 0;
                    weights[place] = part.weight;
                });
            }
        }
        let fill = |terrain: &mut Terrain| {
            let solid = terrain.set_solid_data(&solid)?;
            let weighted = terrain.set_weight_data(&weights)?;
            Ok(solid.map_or(weighted, |rect| Some(weighted.map_or(rect, |other| rect.union(other)))))
        };
        if region == old {
            Self::make(this, method, fill);
            return true;
        }
        let Some(_) = reported(method, fill(&mut terrain)) else { return false };
        Self::replace(this, terrain);
        true
    }
}

impl Walkable {
    fn of_regions(
        regions: &AnyArray,
        grid_to_global: Transform2D,
        geometry: &CellGeometry,
    ) -> Result<Vec<Self>, String> {
        if grid_to_global.determinant() == 0.0 || !grid_to_global.is_finite() {
            return Err("the grid is scaled to nothing".to_owned());
        }
        let to_grid = grid_to_global.affine_inverse();
        let mut walkable = Vec::new();
        for (index, element) in regions.iter_shared().enumerate() {
            let region = element.try_to::<Gd<NavigationRegion2D>>().ok().filter(Gd::is_instance_valid);
            let region = region.ok_or_else(|| {
                if element.get_type() == VariantType::OBJECT {
                    format!("regions[{index}] is not a NavigationRegion2D, or was freed")
                } else {
                    format!("regions[{index}] is {element}, not a NavigationRegion2D")
                }
            })?;
            if !region.is_enabled() {
                continue;
            }
            let named = |problem: String| format!("regions[{index}]: {problem}");
            let transform = to_grid * region.get_global_transform();
            let polygons =
                polygons_of(region.get_navigation_polygon(), transform, geometry).map_err(named)?;
            let weight = region.get_travel_cost();
            if !weight.is_finite() || weight < 0.0 {
                return Err(named(format!("travel_cost {weight} is not a finite number of 0 or more")));
            }
            walkable.push(Self { polygons, weight });
        }
        if walkable.is_empty() {
            return Err("no region is enabled".to_owned());
        }
        Ok(walkable)
    }
}

/// The convex parts of a navigation polygon, in cell space.
fn polygons_of(
    polygon: Option<Gd<NavigationPolygon>>,
    transform: Transform2D,
    geometry: &CellGeometry,
) -> Result<Vec<Vec<[f64; 2]>>, String> {
    let polygon = polygon.ok_or("there is no NavigationPolygon")?;
    let vertices: Vec<[f64; 2]> = polygon
        .get_vertices()
        .as_slice()
        .iter()
        .map(|&vertex| <[f64; 2]>::from(geometry.cell_space_of(transform * vertex)))
        .collect();
    if let Some(at) = vertices.iter().position(|[x, y]| !x.is_finite() || !y.is_finite()) {
        return Err(format!("vertex {at} of the NavigationPolygon does not lie at a finite place"));
    }
    let count = polygon.get_polygon_count();
    if count == 0 {
        return Err("the NavigationPolygon has no polygons; bake it first".to_owned());
    }
    let corners_of = |at: i32| -> Option<Vec<[f64; 2]>> {
        let corners = polygon.get_polygon(at);
        corners.as_slice().iter().map(|&at| vertices.get(usize::try_from(at).ok()?).copied()).collect()
    };
    (0..count)
        .map(|at| {
            corners_of(at).ok_or_else(|| {
                format!("polygon {at} of the NavigationPolygon names a vertex that it has not")
            })
        })
        .collect()
}

/// The smallest region that holds all polygons.
fn bounds(walkable: &[Walkable]) -> CellRect {
    let corners = || walkable.iter().flat_map(|part| part.polygons.iter().flatten());
    let low = |axis: usize| corners().map(|c| c[axis] + NEAR_CELLS).fold(f64::INFINITY, f64::min).floor();
    let high = |axis: usize| corners().map(|c| c[axis] - NEAR_CELLS).fold(f64::NEG_INFINITY, f64::max).ceil();
    // Casts saturate, and a region that is too large is refused.
    let (x, y) = (low(0) as i32, low(1) as i32);
    CellRect::new(x, y, (high(0) as i32).saturating_sub(x), (high(1) as i32).saturating_sub(y))
}

/// Calls `each` with the place in `region` of every cell whose centre lies in a polygon.
fn for_each_cell_in(polygon: &[[f64; 2]], region: CellRect, mut each: impl FnMut(usize)) {
    let ys = || polygon.iter().map(|corner| corner[1]);
    let low = ys().fold(f64::INFINITY, f64::min) - NEAR_CELLS;
    let high = ys().fold(f64::NEG_INFINITY, f64::max) + NEAR_CELLS;
    let rows = range_of_centers(low, high, region.y, region.bottom());
    let mut crossings = Vec::new();
    for y in rows {
        let row = (y - region.y) as usize * region.w as usize;
        // Just above and below as well: borders may lie on centres.
        for near in [-NEAR_CELLS, 0.0, NEAR_CELLS] {
            let mut winding = 0;
            let mut start = 0.0;
            crossings_at(polygon, f64::from(y) + 0.5 + near, &mut crossings);
            for &(x, turn) in &crossings {
                if winding == 0 {
                    start = x;
                }
                winding += turn;
                if winding == 0 {
                    let columns =
                        range_of_centers(start - NEAR_CELLS, x + NEAR_CELLS, region.x, region.right());
                    columns.for_each(|x| each(row + (x - region.x) as usize));
                }
            }
        }
    }
}

/// Where the polygon's sides cross a horizontal line, from left to right, and which way each leads.
fn crossings_at(polygon: &[[f64; 2]], y: f64, crossings: &mut Vec<(f64, i32)>) {
    crossings.clear();
    let next = polygon.iter().cycle().skip(1);
    for (&[ax, ay], &[bx, by]) in polygon.iter().zip(next) {
        if (ay <= y) != (by <= y) {
            crossings.push((ax + (y - ay) / (by - ay) * (bx - ax), if ay < by { 1 } else { -1 }));
        }
    }
    crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
}

/// The cells of `first..end` whose centre lies between two places.
fn range_of_centers(low: f64, high: f64, first: i32, end: i32) -> std::ops::Range<i32> {
    let (from, to) = ((low - 0.5).ceil() as i32, (high - 0.5).floor() as i32);
    from.max(first)..to.saturating_add(1).min(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(polygon: &[[f64; 2]], region: CellRect) -> String {
        let mut cells = vec!['#'; region.area() as usize];
        for_each_cell_in(polygon, region, |place| cells[place] = '.');
        let rows: Vec<String> = cells.chunks(region.w as usize).map(|row| row.iter().collect()).collect();
        rows.join("/")
    }

    #[test]
    fn cells_are_open_whose_centre_lies_inside() {
        let square = [[1.0, 1.0], [3.0, 1.0], [3.0, 2.0], [1.0, 2.0]];
        assert_eq!(drawn(&square, CellRect::new(0, 0, 4, 3)), "####/#..#/####");
        let backwards: Vec<_> = square.iter().rev().copied().collect();
        assert_eq!(drawn(&backwards, CellRect::new(0, 0, 4, 3)), "####/#..#/####");
        assert_eq!(drawn(&square, CellRect::new(2, 1, 2, 1)), ".#", "cut off by the region");
        let small = [[0.6, 0.6], [1.4, 0.6], [1.4, 1.4], [0.6, 1.4]];
        assert_eq!(drawn(&small, CellRect::new(0, 0, 2, 2)), "##/##", "no centre");
    }

    #[test]
    fn centres_on_the_border_are_inside() {
        let shrunk = [[0.5, 0.5], [3.5, 0.5], [3.5, 1.5], [0.5, 1.5]];
        assert_eq!(drawn(&shrunk, CellRect::new(0, 0, 5, 3)), "....#/....#/#####");
        let line = [[0.5, 0.5], [3.5, 0.5]];
        assert_eq!(drawn(&line, CellRect::new(0, 0, 4, 1)), "####", "no polygon");
    }

    #[test]
    fn an_l_is_filled_without_its_notch() {
        let l = [[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [3.0, 2.0], [3.0, 3.0], [0.0, 3.0]];
        assert_eq!(drawn(&l, CellRect::new(0, 0, 3, 3)), ".##/.##/...");
    }

    #[test]
    fn places_far_out_do_not_overflow() {
        let huge = [[-1e30, -1e30], [1e30, -1e30], [1e30, 1e30], [-1e30, 1e30]];
        assert_eq!(drawn(&huge, CellRect::new(i32::MAX - 2, i32::MIN, 2, 1)), "..");
        let part = [Walkable { polygons: vec![huge.to_vec()], weight: 1.0 }];
        assert!(check_region(bounds(&part)).is_err());
    }
}
